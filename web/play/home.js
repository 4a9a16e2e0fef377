// The start: games to choose from, a game begun within two clicks, unfinished games, the lobby.

import { el, clear, useStyle, closeDialogs } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";
import { games } from "../games/index.js";
import { gameName, playerName } from "../lib/words.js";
import { liveSeats, onSeats } from "../lib/seats.js";
import { openSetup } from "./setup.js";
import { showLobby } from "./lobby.js";
import "./words.js";

function gameCard({ name: game, box, load }) {
    const picture = el("div.picture", { "aria-hidden": "true" });
    const card = el("article.card.pick", { "data-game": game, style: { "--board-shape": box.join(" / ") } },
        picture,
        el("div.about", el("h2", { text: gameName(game) }), el("p.muted", { text: t(`home.${game}`) })),
        el("div.row",
            el("button.primary.big", { text: t("home.start", { game: gameName(game) }), onclick: () => openSetup(game) }),
            load.lessons && el("a.button", { href: `/learn/${game}`, text: t("home.rules"), "aria-label": `${t("home.rules")}: ${gameName(game)}` })));
    picture.addEventListener("click", () => openSetup(game));
    return card;
}

// The buttons work before the boards are loaded and drawn.
async function drawBoards(host, boards, isWanted) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const [{ game: rulesOf }, { Board }] = await Promise.all([import("../rules/index.js"), import("../board/board.js")]);
    if (!isWanted()) return;
    for (const card of host.querySelectorAll(".pick")) {
        const rules = rulesOf(card.dataset.game);
        const board = new Board(card.querySelector(".picture"), {
            game: rules.name, small: true, theme: prefs.get("boardTheme"), pieces: prefs.get("pieces") });
        board.set(rules.parse(rules.start), {});
        boards.push(board);
    }
}

function drawUnfinished(host) {
    const seats = liveSeats();
    clear(host);
    host.hidden = seats.length === 0;
    if (!seats.length) return;
    host.append(el("h2", { text: t("home.unfinished") }), el("ul.plain", seats.map((seat) =>
        el("li.row.apart",
            el("span", el("strong", { text: gameName(seat.game) }), ` · ${seat.names.map(playerName).join(" – ")}`),
            el("span.row",
                el("span.badge", { class: seat.toMove === seat.you ? "live" : "", text: t(seat.toMove === seat.you ? "home.yourTurn" : "home.theirTurn") }),
                el("a.button.primary", { href: `/game/${seat.id}`, text: t("home.continue") }))))));
}

export async function show(host, { signal }) {
    await useStyle("/play/play.css", signal);
    const boards = [];
    const daily = el("div", { hidden: true });
    const unfinished = el("section.card.unfinished", { hidden: true });
    host.append(el("div.home",
        el("div.hero", el("h1", { text: t("home.title") }), el("p", { text: t("home.lead") })),
        unfinished,
        el("div.picks", games.map(gameCard)),
        daily));
    drawUnfinished(unfinished);
    const stopSeats = onSeats(() => drawUnfinished(unfinished));
    const stopLobby = showLobby(host.firstElementChild);
    let isOpen = true;
    drawBoards(host, boards, () => isOpen);
    let stopLive = () => {};
    let stopDaily = () => {};
    let stopHere = () => {};
    const later = setTimeout(async () => {
        const { showDaily } = await import("../puzzles/daily.js");
        if (!isOpen) return;
        stopDaily = await showDaily(daily, signal);
        if (!isOpen) stopDaily();
        const { showHere } = await import("./here.js");
        if (!isOpen) return;
        stopHere = await showHere(host.firstElementChild);
        if (!isOpen) stopHere();
        const { showLive } = await import("./live.js");
        if (!isOpen) return;
        const stop = await showLive(host.firstElementChild, signal);
        if (isOpen) stopLive = stop;
        else stop();
    }, 300);
    return {
        title: t("app.play"),
        close() {
            stopSeats();
            stopLobby();
            isOpen = false;
            clearTimeout(later);
            stopLive();
            stopDaily();
            stopHere();
            boards.forEach((board) => board.destroy());
            closeDialogs("dialog.setup");
        },
    };
}
