// What scores mean to people: as text, and as a chance to win. Marks of moves come from the server.
// A score here is {score} in hundredths or {mate} in moves, both from the first side's view.

import { t } from "../lib/i18n.js";

const WON = 15000; // scores beyond are no evaluation: an endgame table, or the rules of repetition, say so
const SCALE = 250; // hundredths that make a chance of 73 per cent

// The same score from the other side's view, where the side to move has spoken.
export function fromFirst(spoken, side) {
    const turn = (n) => (side === 1 ? -n : n);
    const seen = {};
    if (spoken.mate !== undefined) seen.mate = turn(spoken.mate);
    else if (spoken.score !== undefined) seen.score = turn(spoken.score);
    else return null;
    return seen;
}

// The first side's chance to win, 0 to 1, for graphs and bars.
export function chance(seen) {
    if (seen.mate !== undefined) return seen.mate > 0 || Object.is(seen.mate, 0) ? 1 : 0;
    return 1 / (1 + Math.exp(-seen.score / SCALE));
}

// The mark of a move that lost so much chance to win: the server's definition (docs/engines.md), for moves it has not seen.
export function markOf(lost) {
    return lost >= 0.2 ? "??" : lost >= 0.1 ? "?" : lost >= 0.05 ? "?!" : "";
}

export function scoreText(seen) {
    if (!seen) return "";
    if (seen.mate !== undefined) return `${seen.mate < 0 ? "−" : "+"}#${Math.abs(seen.mate)}`;
    if (Math.abs(seen.score) >= WON) return `${seen.score < 0 ? "−" : "+"}${t("study.won")}`;
    const points = (Math.abs(seen.score) / 100).toFixed(Math.abs(seen.score) < 1000 ? 2 : 1);
    return (seen.score > 0 ? "+" : seen.score < 0 ? "−" : "") + points;
}

// 812, 12k, 3.4M
export function shortNumber(n) {
    if (n < 1000) return String(n);
    if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)}k`;
    return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)}M`;
}
