// A match of two, under SPRT or not: who leads and how surely, the likelihood ratio on its way between the
// bounds, the pairs by what they brought, and Elo game by game. The figures are the server's; only
// the line of the chart is drawn here, from the results in the order of the schedule.
import { el, svg } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { points } from "./common.js";
import "./tournament_words.js";

const WIDEST = 640;
const HEIGHT = 200;
const MARGIN = { left: 44, right: 10, top: 10, bottom: 24 };

const isFinite = (value) => typeof value === "number" && Number.isFinite(value);
const fixed = (value, digits) => (isFinite(value) ? value.toFixed(digits).replace("-", "−") : "∞");
const signed = (value, digits) => (isFinite(value) && value > 0 ? `+${fixed(value, digits)}` : fixed(value, digits));

// --- figures ------------------------------------------------------------------------------------

function figure(label, value, hint) {
    return el("div.figure", { title: hint }, el("span", { text: label }), el("b", { text: value }));
}

function figures(match) {
    const games = match.wins + match.draws + match.losses;
    const elo = games ? `${signed(match.elo, 1)} ± ${fixed(match.error, 1)}` : "–";
    return el("div.figures", {}, figure("Elo", elo, t("watch.eloHint")),
        figure("LOS", games ? `${fixed(match.los * 100, 1)} %` : "–", t("watch.losHint")),
        figure(t("watch.wdl"), `${match.wins} / ${match.draws} / ${match.losses}`, t("watch.wdlHint")),
        figure(t("watch.gamesPlayed"), String(games), ""));
}

// --- the ratio between its bounds ---------------------------------------------------------------

function gauge(match) {
    const share = (match.llr - match.lower) / (match.upper - match.lower);
    const at = Math.max(0, Math.min(1, share)) * 100;
    const zero = (-match.lower / (match.upper - match.lower)) * 100;
    const fill = el("span.gauge-fill", {
        class: match.llr < 0 ? "is-negative" : "",
        style: { left: `${Math.min(at, zero)}%`, width: `${Math.abs(at - zero)}%` },
    });
    const words = t("watch.llrSays", { llr: fixed(match.llr, 2), lower: fixed(match.lower, 2), upper: fixed(match.upper, 2) });
    return el("div.gauge", { role: "img", "aria-label": words },
        el("div.gauge-words", {}, el("span", { text: `H0 ${fixed(match.lower, 2)}` }), el("b", { text: `LLR ${fixed(match.llr, 2)}` }),
            el("span", { text: `H1 ${fixed(match.upper, 2)}` })),
        el("div.gauge-bar", {}, fill, el("span.gauge-zero", { style: { left: `${zero}%` } }),
            el("span.gauge-mark", { style: { left: `${at}%` } })));
}

// --- pairs --------------------------------------------------------------------------------------

function pairBars(pairs) {
    const most = Math.max(1, ...pairs);
    return el("div.pair-bars", { role: "img", "aria-label": t("watch.pairsSay", { pairs: pairs.join(", ") }) },
        ...pairs.map((count, half) => el("div.pair-bar", {}, el("b", { text: String(count) }),
            el("span.pair-column", {}, el("span", { "data-half": half, style: { height: `${(count / most) * 100}%` } })),
            el("small", { text: points(half / 2) || "0" }))));
}

// --- Elo over games -----------------------------------------------------------------------------

const eloOf = (share) => -400 * Math.log10(1 / share - 1);

// Elo and its 95 % interval after every pair, as docs/statistics.md has them.
function history(tournament, player) {
    const done = [];
    for (let i = 0; i + 1 < tournament.pairings.length; i += 2) {
        const pair = [tournament.pairings[i], tournament.pairings[i + 1]];
        if (pair.some((one) => one.points === undefined)) break;
        done.push(pair.reduce((sum, one) => sum + (one.first === player ? one.points : 1 - one.points), 0) / 2);
    }
    const line = [];
    let sum = 0;
    let squares = 0;
    done.forEach((share, i) => {
        sum += share;
        squares += share * share;
        const mean = sum / (i + 1);
        const spread = 1.96 * Math.sqrt(Math.max(0, squares / (i + 1) - mean * mean) / (i + 1));
        // A score of 0 or 100 % is beyond every scale; the chart cuts it off.
        const [low, elo, high] = [mean - spread, mean, mean + spread].map((one) => eloOf(Math.max(0.001, Math.min(0.999, one))));
        line.push({ games: 2 * i + 2, elo, low, high });
    });
    return line;
}

function niceStep(range) {
    return [5, 10, 20, 50, 100, 200, 400, 800].find((step) => range / step <= 5) ?? 1600;
}

function chart(tournament, player) {
    const line = history(tournament, player);
    if (line.length < 2) return el("p.hint", { text: t("watch.chartLater") });
    const late = line.slice(Math.floor(line.length / 8)); // the first error bars dwarf everything
    const top = Math.min(600, Math.max(10, ...late.map((one) => one.high)));
    const bottom = Math.max(-600, Math.min(-10, ...late.map((one) => one.low)));
    const last = line[line.length - 1].games;
    const width = Math.min(WIDEST, innerWidth - 70); // letters keep their size on a phone
    const x = (games) => MARGIN.left + ((width - MARGIN.left - MARGIN.right) * (games - line[0].games)) / Math.max(1, last - line[0].games);
    const y = (elo) => MARGIN.top + ((HEIGHT - MARGIN.top - MARGIN.bottom) * (top - Math.max(bottom, Math.min(top, elo)))) / (top - bottom);
    const path = (list, key) => list.map((one) => `${x(one.games).toFixed(1)},${y(one[key]).toFixed(1)}`).join(" L");
    const step = niceStep(top - bottom);
    const levels = [];
    for (let elo = Math.ceil(bottom / step) * step; elo <= top; elo += step) levels.push(elo);
    const words = t("watch.chartSays", { elo: signed(line[line.length - 1].elo, 1), games: last });
    return svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "elo-chart", role: "img", "aria-label": words },
        ...levels.map((elo) => svg("g", { class: elo === 0 ? "level zero" : "level" },
            svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y(elo), y2: y(elo) }),
            svg("text", { x: MARGIN.left - 8, y: y(elo) + 4, "text-anchor": "end", text: signed(elo, 0) }))),
        svg("path", { class: "band", d: `M${path(line, "high")} L${path([...line].reverse(), "low")} Z` }),
        svg("path", { class: "line", d: `M${path(line, "elo")}` }),
        svg("text", { x: width - MARGIN.right, y: HEIGHT - 6, "text-anchor": "end", text: t("watch.afterGames", { games: last }) }));
}

// --- the panel ----------------------------------------------------------------------------------

export function matchPanel(tournament) {
    const { match } = tournament;
    return el("section.card.match-panel", { "aria-label": t("watch.matchTitle") },
        el("div.match-head", {}, el("h2", {}, match.player, el("span.versus", { text: " – " }), match.opponent),
            match.verdict ? el("span.badge", { "data-verdict": match.verdict, text: t(`watch.verdict.${match.verdict}`) }) : ""),
        el("p.hint", { text: t("watch.fromView", { player: match.player }) }),
        figures(match), match.verdict ? gauge(match) : "",
        el("div.match-charts", {}, el("figure", {}, chart(tournament, match.player), el("figcaption", { text: t("watch.eloOverGames") })),
            el("figure", {}, pairBars(match.pairs), el("figcaption", { text: t("watch.pairs") }))));
}
