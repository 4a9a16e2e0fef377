// A player's past: ratings with their graph, and finished games.

import { el, svg } from "../lib/dom.js";
import { t, formatMoment } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { gameName, outcomeScore, outcomeWords, reasonWords } from "../lib/words.js";
import { nameNode } from "./players.js";
import "./mewords.js";
import "./gamewords.js";

const WIDTH = 560, HEIGHT = 200, LEFT = 44, RIGHT = 12, TOP = 12, BOTTOM = 24;

// Round figures that enclose the ratings, about four of them.
function gridLines(low, high) {
    const step = [25, 50, 100, 200, 400].find((each) => (high - low) / each <= 4) ?? 800;
    const lines = [];
    for (let at = Math.floor(low / step) * step; at <= Math.ceil(high / step) * step; at += step) lines.push(at);
    return lines;
}

// The history of a rating ([{at, rating, deviation}], oldest first) as a line with its band of doubt.
export function ratingGraph(game, history) {
    const points = history.length === 1 ? [history[0], history[0]] : history;
    const doubt = (p) => Math.min(p.deviation, 100);
    const low = Math.min(...points.map((p) => p.rating - doubt(p)));
    const high = Math.max(...points.map((p) => p.rating + doubt(p)));
    const lines = gridLines(low, high);
    const [bottom, top] = [lines[0], lines[lines.length - 1]];
    const x = (i) => LEFT + (i / (points.length - 1)) * (WIDTH - LEFT - RIGHT);
    const y = (rating) => TOP + ((top - Math.max(bottom, Math.min(top, rating))) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
    const path = (value) => points.map((p, i) => `${x(i).toFixed(1)} ${y(value(p)).toFixed(1)}`);
    const band = [...path((p) => p.rating + p.deviation), ...path((p) => p.rating - p.deviation).reverse()];
    const day = (p) => formatMoment(p.at, { dateStyle: "medium" });
    return svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("me.graph", { game: gameName(game), from: Math.round(history[0].rating), to: Math.round(history[history.length - 1].rating) }) },
        lines.map((at) => [
            svg("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(at), y2: y(at) }),
            svg("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end", text: at }),
        ]),
        svg("path", { class: "band", d: `M${band.join("L")}Z` }),
        svg("path", { class: "line", d: `M${path((p) => p.rating).join("L")}` }),
        svg("text", { x: LEFT, y: HEIGHT - 6, text: day(points[0]) }),
        svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end", text: day(points[points.length - 1]) }));
}

export function ratingsCard(name, ratings) {
    const card = el("section.card.stack", el("h2", { text: t("me.rating") }));
    if (!ratings.length) card.append(el("p.muted", { text: t("me.noRating") }));
    for (const each of ratings) {
        const place = el("div");
        card.append(el("p", { text: t("me.ratingOf", { game: gameName(each.game), rating: Math.round(each.rating), deviation: Math.round(2 * each.deviation), games: each.games }) }), place);
        get(`/players/${name}/ratings/${each.game}`, { limit: 500 }).then(({ history }) => {
            const ordered = [...history].sort((a, b) => a.game - b.game);
            if (ordered.length) place.append(ratingGraph(each.game, ordered));
        }).catch((error) => place.append(el("p.says", { text: sayError(error) })));
    }
    return card;
}

function gameRow(game) {
    return el("tr",
        el("td.when", el("a", { href: `/game/${game.id}`, text: formatMoment(game.ended ?? game.started) })),
        el("td.game", { text: gameName(game.game) }),
        el("td.players", nameNode(game.first_name), " – ", nameNode(game.second_name)),
        el("td.result", { title: `${outcomeWords(game.game, game.outcome)}, ${reasonWords(game.reason)}` }, outcomeScore(game.outcome), " ", el("small", { text: reasonWords(game.reason) })));
}

export function gamesCard(name) {
    const rows = el("tbody");
    const table = el("div.scroll", { tabindex: 0, role: "region", "aria-label": t("me.games") }, el("table.past",
        el("thead", el("tr", ["player.when", "player.game", "player.players", "player.result"].map((key) => el("th", { scope: "col", text: t(key) })))),
        rows));
    const says = el("p.muted", { text: t("app.loading") });
    const more = el("button", { text: t("me.more"), hidden: true });
    let before;
    const load = async () => {
        more.disabled = true;
        try {
            const page = await get("/games", { player: name, limit: 20, before });
            rows.append(...page.games.map(gameRow));
            before = page.before;
            more.hidden = !before;
            says.textContent = rows.childElementCount ? "" : t("me.noGames");
            table.hidden = !rows.childElementCount;
        } catch (error) {
            says.textContent = sayError(error);
        }
        more.disabled = false;
    };
    more.addEventListener("click", load);
    table.hidden = true;
    load();
    return el("section.card.stack", el("h2", { text: t("me.games") }), table, says, el("div.row.center", more));
}

