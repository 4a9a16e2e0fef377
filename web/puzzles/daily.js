// The puzzles of the day as cards with small boards: on the start, and at the head of /puzzles.

import { el, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { prefs } from "../lib/store.js";
import { gameName, sideName } from "../lib/words.js";
import { sideMark } from "../lib/icons.js";
import { rowOf } from "../games/index.js";
import { game as rulesOf } from "../rules/index.js";
import { Board } from "../board/board.js";
import "./words.js";

function card({ game, daily, tried }, boards) {
    const position = rulesOf(game).parse(daily.fen);
    const picture = el("div.daily-board");
    const board = new Board(picture, {
        game, small: true, theme: prefs.get("boardTheme"), pieces: prefs.get("pieces"), orientation: position.side ^ rowOf(game).bottom,
        label: t("puzzles.ofGame", { game: gameName(game), number: daily.number }),
    });
    board.set(position, {});
    boards.push(board);
    return el("a.daily-card", { href: `/puzzles/${game}/${daily.number}`, "data-game": game }, picture,
        el("div.about",
            el("strong", { text: gameName(game) }),
            el("span.row.tight", sideMark(game, position.side), el("span", { text: t("puzzles.find", { side: sideName(game, position.side) }) })),
            el("small", { text: t("puzzles.difficulty", { rating: daily.rating }) }),
            el("span.go", { text: t(tried ? "puzzles.again" : "puzzles.solve") })));
}

// Adds the section; returns how to take it away. Without puzzles, or without the server, there is none.
export async function showDaily(host, signal, { linksToAll = true } = {}) {
    const boards = [];
    const end = () => boards.forEach((board) => board.destroy());
    let found;
    try {
        [found] = await Promise.all([get("/puzzles"), useStyle("/puzzles/puzzles.css", signal)]);
    } catch {
        return end;
    }
    if (signal.aborted || !found.games.length) return end;
    host.hidden = false;
    host.append(el("section.card.stack.daily", { "aria-labelledby": "daily-title" },
        el("div.row.apart", el("h2#daily-title", { text: t("puzzles.daily") }), linksToAll && el("a", { href: "/puzzles", text: t("puzzles.all") })),
        el("div.daily-cards", found.games.map((each) => card(each, boards)))));
    return end;
}
