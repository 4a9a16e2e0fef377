// Why a move cannot be played: the rule it breaks, as a key of the words below with what they name. Loaded when
// somebody tries one.
import { rules } from "./rules.js";
import { sideOf } from "../../rules/position.js";

const circuitsOf = (point) => rules.circuits.flatMap((stations, circuit) => (stations.includes(point) ? [circuit] : []));

function whyCapture(position, from, to) {
    const ways = rules.ways(position, from), shared = circuitsOf(from).filter((circuit) => circuitsOf(to).includes(circuit));
    if (!ways.length) return { key: "corner" };
    if (!shared.length) return { key: "apart" };
    const endOf = (way) => way.points[way.points.length - 1];
    if (ways.some((way) => endOf(way) === to)) return { key: "noLoop" };
    // The ways along the circuits that lead there end early, at these pieces or at the piece itself.
    const ends = new Set(ways.filter((way) => shared.includes(way.circuit)).map(endOf));
    ends.delete(from);
    return { key: "blocked", points: [...ends] };
}

export function why(position, from, to) {
    const { board } = position;
    let found;
    if (board[to] && sideOf(board[to]) === sideOf(board[from])) found = { key: "own", point: to };
    else found = board[to] ? whyCapture(position, from, to) : { key: "step" };
    return { ...found, key: `why.surakarta.${found.key}` };
}

export const words = {
    en: {
        "why.surakarta.own": "Your own piece stands on {point}.",
        "why.surakarta.step": "Without a capture a piece goes one point, in any direction.",
        "why.surakarta.corner": "A piece in the corner lies on no circuit: it cannot capture from there.",
        "why.surakarta.apart": "No circuit leads from {from} to {to}.",
        "why.surakarta.noLoop": "A capture goes round at least one loop; there is no loop on this way.",
        "why.surakarta.blocked": "The way round the loops is blocked on {points}.",
    },
    zh: {
        "why.surakarta.own": "{point} 上是你自己的棋子。",
        "why.surakarta.step": "不吃子时，棋子可向任意方向走一步。",
        "why.surakarta.corner": "角上的点不在任何环线上，从这里不能吃子。",
        "why.surakarta.apart": "没有环线从 {from} 通到 {to}。",
        "why.surakarta.noLoop": "吃子必须至少经过一个圆弧，这条路上没有圆弧。",
        "why.surakarta.blocked": "绕圈的路在 {points} 被挡住。",
    },
};
