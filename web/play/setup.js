// The choice of a new game, in one dialog: opponent, colour, clock. What was chosen last is chosen again.

import { el, clear, openDialog, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { prefs, session } from "../lib/store.js";
import { connectionState, me } from "../lib/socket.js";
import { sayError } from "../lib/api.js";
import { gameName, sideName, controlWords } from "../lib/words.js";
import { challenge, playBot, seek } from "./offer.js";
import { navigate } from "../app.js";
import { gameNames } from "../games/index.js";
import "./words.js";
import "./peoplewords.js";

const CLOCKS = ["60+1", "180+2", "300+3", "600+5", "1800+20", "inf"];
const START = { opponent: "bot", level: 3, side: "first", tc: "600+5", rated: false };

// For views that have another sheet of their own.
export const setupStyle = (owner) => useStyle("/play/play.css", owner);

// One row of radio buttons; onchange(value).
function choices(name, legend, options, chosen, onchange) {
    return el("fieldset",
        el("legend", { text: legend }),
        el("div.choices", options.map(([value, text]) =>
            el("label.choice",
                el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
                el("span", { text })))));
}

function sideChoices(game) {
    return [["first", t("setup.first", { side: sideName(game, 0) })], ["second", sideName(game, 1)], ["any", t("setup.any")]];
}

function levelField(choice, keep) {
    const words = el("output", { for: "level" });
    const say = () => (words.textContent = t("setup.level", { level: choice.level, word: t(`level.${choice.level}`) }));
    const input = el("input#level", {
        type: "range", min: 1, max: 10, value: choice.level, "aria-label": t("setup.levelLabel"),
        oninput: (event) => {
            choice.level = Number(event.target.value);
            input.setAttribute("aria-valuetext", say());
            keep();
        },
    });
    input.setAttribute("aria-valuetext", say());
    return el("div.field.level", words, input);
}

function ratedField(choice, keep) {
    return el("label.check",
        el("input", { type: "checkbox", checked: choice.rated, onchange: (event) => ((choice.rated = event.target.checked), keep()) }),
        el("span", t("setup.rated"), " ", el("small", { text: t("setup.ratedWhy") })));
}

// Without a connection the engine in this browser plays (solo/solo.js).
function soloAddress({ game, level, side, fen }) {
    return `/solo/${game}?level=${level}&side=${side}${fen ? `&fen=${encodeURIComponent(fen.replaceAll(" ", "_"))}` : ""}`;
}

// Who may be asked for a rated game: people by people.
const mayRate = (player) => me()?.kind === "person" && (!player || player.kind === "person");

// Asks what to play and starts it. opponent: chosen beforehand, or {player: {name, kind}}; fen: where the game begins, if
// not at the start.
export function openSetup(game, opponent, fen) {
    const player = opponent?.player;
    const choice = { ...START, ...prefs.get(`setup.${game}`), game, fen };
    if (opponent) choice.opponent = player ? "player" : opponent;
    const keep = () => prefs.set(`setup.${choice.game}`, { ...choice, opponent: player ? undefined : choice.opponent, game: undefined, fen: undefined });
    const says = el("p.says", { role: "alert" });
    const start = el("button.primary.wide", { type: "submit" });
    const changing = el("div.stack");

    const draw = () => {
        const timed = choice.opponent === "bot" || !choice.rated;
        if (!timed && choice.tc === "inf") choice.tc = START.tc;
        clear(changing).append(...[
            choice.opponent === "bot" && levelField(choice, keep),
            choices("side", t("setup.side"), sideChoices(choice.game), choice.side, (value) => ((choice.side = value), keep())),
            choices("tc", t("setup.clock"), CLOCKS.filter((tc) => timed || tc !== "inf").map((tc) => [tc, controlWords(tc)]), choice.tc, (value) => ((choice.tc = value), keep())),
            choice.opponent !== "bot" && mayRate(player) && ratedField(choice, () => (keep(), draw())),
        ].filter(Boolean));
        start.textContent = t({ bot: "setup.play", friend: "setup.link", lobby: "setup.seek", player: "people.challenge" }[choice.opponent]);
    };

    const begin = async (event) => {
        event.preventDefault();
        says.textContent = "";
        start.disabled = true;
        start.textContent = t("setup.starting");
        try {
            const rated = choice.rated && mayRate(player);
            if (choice.opponent === "bot" && connectionState() !== "online") navigate(soloAddress(choice));
            else if (choice.opponent === "bot") await playBot(choice);
            else if (player) await challenge(player.name, { ...choice, rated });
            else {
                const answer = await seek({ ...choice, rated }, choice.opponent === "friend");
                if (answer.t === "seeking" && choice.opponent === "friend") {
                    session.set(`link.${answer.id}`, { ...choice, rated });
                    navigate(`/join/${answer.id}`);
                }
            }
            dialog.close();
        } catch (error) {
            says.textContent = sayError(error);
            start.disabled = false;
            draw();
        }
    };

    const dialog = el("dialog.setup", { "aria-labelledby": "setup-title" },
        el("form.stack", { onsubmit: begin },
            el("div.row.apart",
                el("h2#setup-title", { text: player ? t("setup.challenge", { name: player.name }) : t("setup.title", { game: gameName(game) }) }),
                el("button.icon", { type: "button", "aria-label": t("app.cancel"), onclick: () => dialog.close() }, icon("close"))),
            player
                ? choices("game", t("lobby.game"), gameNames.map((each) => [each, gameName(each)]), game, (value) => ((choice.game = value), draw()))
                : choices("opponent", t("setup.opponent"), ["bot", "friend", "lobby"].map((each) => [each, t(`setup.${each}`)]), choice.opponent,
                    (value) => ((choice.opponent = value), keep(), draw())),
            changing, says, start));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
    });
    draw();
    openDialog(dialog);
    start.focus();
    return dialog;
}
