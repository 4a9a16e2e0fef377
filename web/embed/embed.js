// A board for other pages, the only part of this one that may be framed: /embed/GAME?fen=…&moves=…, as the study has them
// in its address, and /embed/game/N. It shows and walks through moves; it can do nothing in the visitor's name.

import { el, clear } from "../lib/dom.js";
import { addWords, t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { icon } from "../lib/icons.js";
import { useKeys, useWheel, walkKeys } from "../lib/keys.js";
import { gameName, outcomeScore, playerName } from "../lib/words.js";
import { isGame, rowOf } from "../games/index.js";
import { game as rulesOf } from "../rules/index.js";
import { Board } from "../board/board.js";

addWords({
    en: { "embed.nothing": "There is nothing here.", "embed.first": "To the start", "embed.back": "Back", "embed.next": "On", "embed.last": "To the end", "embed.open": "On Kraton" },
    zh: { "embed.nothing": "这里什么也没有。", "embed.first": "到开头", "embed.back": "后退", "embed.next": "前进", "embed.last": "到末尾", "embed.open": "在 Kraton 打开" },
});

// What the address asks for: {game, fen, moves, title, link}.
async function asked() {
    const [, , kind, id] = location.pathname.split("/"), query = new URLSearchParams(location.search);
    if (kind === "game") {
        const found = await get(`/games/${encodeURIComponent(id)}`);
        const title = `${playerName(found.first_name)} – ${playerName(found.second_name)} ${outcomeScore(found.outcome)}`;
        return { game: found.game, fen: found.fen, moves: found.moves, title, link: `/study/game/${found.id}` };
    }
    if (!isGame(kind)) return null;
    const fen = (query.get("fen") ?? "").replaceAll("_", " "), moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    return { game: kind, fen, moves, title: gameName(kind), link: `/study/${kind}${location.search}` };
}

function draw(host, { game, fen, moves: texts, title, link }) {
    const rules = rulesOf(game), positions = [rules.parse(fen || rules.start)], moves = [];
    for (const text of texts) {
        const move = rules.find(positions[moves.length], text);
        if (!move) break; // as far as the address makes sense
        positions.push(rules.play(positions[moves.length], move));
        moves.push(move);
    }
    const place = el("div.embed-board", { style: { "--shape": rowOf(game).box[0] / rowOf(game).box[1] } });
    const life = new AbortController();
    let at = Math.min(Number(new URLSearchParams(location.search).get("at") ?? moves.length), moves.length);
    const buttons = {};
    const go = (ply, animated) => {
        const next = Math.max(0, Math.min(ply, moves.length)), isStep = next === at + 1;
        if (next === at && animated) return false;
        at = next;
        board.set(positions[at], { last: moves[at - 1] ?? null, animateFrom: animated && isStep ? moves[at - 1] : null });
        buttons.first.disabled = buttons.back.disabled = at === 0;
        buttons.next.disabled = buttons.last.disabled = at === moves.length;
        return true;
    };
    const button = (name, ply) => (buttons[name] = el("button.icon", { "aria-label": t(`embed.${name}`), onclick: () => go(ply(), true) }, icon(name)));
    clear(host).append(place, el("div.embed-bar",
        moves.length > 0 && [button("first", () => 0), button("back", () => at - 1), button("next", () => at + 1), button("last", () => moves.length)],
        el("span.what", { text: title }),
        el("a", { href: link, target: "_blank", rel: "noopener", text: t("embed.open") })));
    for (const name of ["first", "back", "next", "last"]) buttons[name] ??= el("button");
    const board = new Board(place, { game, interactive: "none" });
    go(at, false);
    useKeys(life.signal, walkKeys({ back: () => go(at - 1, true), next: () => go(at + 1, true), first: () => go(0, true), last: () => go(moves.length, true), flip: () => board.flip() }));
    useWheel(place, life.signal, (by) => go(at + by, true));
}

const host = document.getElementById("main");
try {
    const what = await asked();
    if (what) draw(host, what);
    else clear(host).append(el("p.empty", { text: t("embed.nothing") }));
} catch (error) {
    clear(host).append(el("p.empty", { text: error.words ? sayError(error) : t("embed.nothing") }));
}
document.documentElement.dataset.ready = location.pathname;
