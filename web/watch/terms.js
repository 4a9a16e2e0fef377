// The form that makes a tournament, or a match of two under SPRT, enters house bots and may start it
// at once. What was typed stays when the server refuses.
import { clear, el, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { post, sayError } from "../lib/api.js";
import { me, onMe, ready } from "../lib/socket.js";
import { catalogue, ruleSetNames } from "../lib/catalogue.js";
import { gameName } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { navigate } from "../app.js";
import { HOUSE, field, select } from "./common.js";
import "./tournament_words.js";

const KINDS = ["round-robin", "gauntlet", "swiss", "knockout", "match"];
const TIMES = ["5+0.05", "10+0.1", "60+1", "180+2", "300+3", "600+5", "1800+10"];

/** @param {number | "any"} [step] */
function number(name, value, least, most, step = 1) {
    return el("input", { type: "number", name, value, min: least, max: most, step });
}

// Bots enter in the order in which they were chosen: in a match the first is the one that is tested.
function botBoxes(chosen) {
    const choose = ({ target }) => {
        chosen.delete(target.value);
        if (target.checked) chosen.add(target.value);
    };
    return el("fieldset.bots", { onchange: choose }, el("legend", { text: t("watch.bots") }),
        ...HOUSE.map((name, i) => el("label.chip", {},
            el("input", { type: "checkbox", name: "bot", value: name }), el("span", { text: String(i + 1) }))));
}

function controls() {
    return {
        name: el("input", { name: "name", required: true, minlength: 3, maxlength: 60, autocomplete: "off" }),
        game: select("game", gameNames.map((one) => [one, gameName(one)]), gameNames[0]),
        kind: select("kind", KINDS.map((one) => [one, t(`watch.kind.${one}`)]), "round-robin"),
        tc: el("input", { name: "tc", value: "60+1", required: true, list: "watch-times", autocomplete: "off" }),
        rules: select("rules", [], ""),
        rounds: number("rounds", 0, 0, 100),
        games: number("games", 2, 1, 10000),
        concurrency: number("concurrency", 4, 0, 1000),
        openings: select("openings", ["start", "random", "list"].map((one) => [one, t(`watch.openings.${one}`)]), "start"),
        fens: el("textarea", { name: "fens", rows: 3, placeholder: "FEN", class: "mono", spellcheck: "false" }),
        rated: el("input", { type: "checkbox", name: "rated" }),
        elo0: number("elo0", 0, -1000, 1000, "any"),
        elo1: number("elo1", 5, -1000, 1000, "any"),
        enter: el("input", { type: "checkbox", name: "enter" }),
        start: el("input", { type: "checkbox", name: "start" }),
    };
}

function check(box, words) {
    return el("label.check", {}, box, " ", words);
}

// What the server is asked for.
function bodyOf(c) {
    const isMatch = c.kind.value === "match";
    const body = {
        name: c.name.value.trim(), game: c.game.value, kind: isMatch ? "round-robin" : c.kind.value, tc: c.tc.value.trim(),
        rules: c.rules.value, rated: c.rated.checked, rounds: Number(c.rounds.value), games: Number(c.games.value),
        concurrency: Number(c.concurrency.value),
        per_player: isMatch ? 0 : 1,
    };
    if (c.openings.value === "random") body.openings = "random";
    if (c.openings.value === "list") body.openings = c.fens.value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (isMatch) body.sprt = `elo0=${Number(c.elo0.value)},elo1=${Number(c.elo1.value)}`;
    return body;
}

// Once it is made, whatever else fails is said on its own page, where it can be done again.
async function make(c, bots) {
    const { id } = await post("/tournaments", bodyOf(c));
    const act = (verb, body = {}) => post(`/tournaments/${id}/${verb}`, body);
    try {
        if (c.enter.checked) await act("enter");
        for (const player of bots) await act("enter", { player });
        if (c.start.checked) await act("start");
    } catch (error) {
        toast(sayError(error), "error");
    }
    return id;
}

// The form, or why there is none: tournaments are made by accounts.
export function termsForm() {
    const host = el("div.terms");
    const draw = () => {
        clear(host);
        if (me()?.kind === "person") host.append(form());
        else host.append(el("p.hint", {}, t("watch.needAccount"), " ", el("a", { href: "/me", text: t("watch.register") })));
    };
    draw();
    ready().then(draw);
    const stop = onMe(() => (host.isConnected ? draw() : stop()));
    return host;
}

function form() {
    const c = controls();
    const bots = new Set();
    const said = el("p.error", { role: "alert" });
    const sprt = el("div.fields.sprt-fields", {}, field(t("watch.elo0"), c.elo0), field(t("watch.elo1"), c.elo1),
        el("p.hint", { text: t("watch.sprtHint") }));
    const fens = el("div.wide", {}, field(t("watch.fens"), c.fens));
    const adapt = {
        game: async () => {
            try {
                const entryOf = await catalogue();
                c.rules.replaceChildren(...ruleSetNames(entryOf(c.game.value)).map((one) => el("option", { value: one, text: t(`rules.${one}`) })));
            } catch (error) {
                said.textContent = sayError(error);
            }
        },
        openings: () => (fens.hidden = c.openings.value !== "list"),
        kind: () => {
            const isMatch = c.kind.value === "match";
            sprt.hidden = !isMatch;
            c.rounds.closest(".field").hidden = isMatch || c.kind.value === "knockout";
            [c.games.value, c.concurrency.value, c.openings.value] = isMatch ? [1000, 2, "random"] : [2, 4, "start"];
            adapt.openings();
        },
    };
    const button = el("button.primary", { type: "submit", text: t("watch.make") });
    const node = el("form.terms-form", {
        onchange: (event) => adapt[event.target.name]?.(),
        onsubmit: async (event) => {
            event.preventDefault();
            button.disabled = true;
            said.textContent = "";
            try {
                navigate(`/tournament/${await make(c, bots)}`);
            } catch (error) {
                said.textContent = sayError(error);
                button.disabled = false;
            }
        },
    },
        el("div.fields", {}, field(t("watch.name"), c.name), field(t("watch.game"), c.game), field(t("watch.kindLabel"), c.kind),
            field(t("watch.tc"), c.tc, t("watch.tcHint")), el("datalist", { id: "watch-times" }, ...TIMES.map((one) => el("option", { value: one }))),
            field(t("watch.rules"), c.rules), field(t("watch.rounds"), c.rounds, t("watch.roundsHint")),
            field(t("watch.games"), c.games), field(t("watch.concurrency"), c.concurrency, t("watch.concurrencyHint")),
            field(t("watch.openingsLabel"), c.openings), fens),
        sprt, botBoxes(bots),
        el("div.checks", {}, check(c.rated, t("watch.ratedLong")), check(c.enter, t("watch.enterMe")), check(c.start, t("watch.startNow"))),
        said, el("div.row.end", {}, button));
    Object.values(adapt).forEach((apply) => apply());
    return node;
}
