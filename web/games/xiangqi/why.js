// Why a move cannot be played: the rule it breaks, as a key of the words below with what they name. Loaded when
// somebody tries one.
import { rules } from "./rules.js";
import { sideOf, typeOf } from "../../rules/position.js";

const CHARIOT = 1, CANNON = 2, HORSE = 3, PAWN = 4, ELEPHANT = 5, ADVISOR = 6, KING = 7;
const NAMES = ["", "chariot", "cannon", "horse", "pawn", "elephant", "advisor", "general"];
const fileOf = (point) => point % 9;
const rankOf = (point) => Math.floor(point / 9);

// The pieces strictly between two points of a line.
function between(board, from, to) {
    const df = Math.sign(fileOf(to) - fileOf(from)), dr = Math.sign(rankOf(to) - rankOf(from)), found = [];
    for (let at = from + dr * 9 + df; at !== to; at += dr * 9 + df) if (board[at]) found.push(at);
    return found;
}

function generalsFace(board) {
    const [red, black] = [board.indexOf(KING), board.indexOf(KING | 8)];
    return fileOf(red) === fileOf(black) && between(board, red, black).length === 0;
}

// It would move like that, but for its general.
function whyUnsafe(position, from, to) {
    if (generalsFace(rules.play(position, { from, to }).board)) return { key: "face" };
    return { key: rules.inCheck(position) ? "inCheck" : typeOf(position.board[from]) === KING ? "intoCheck" : "exposes" };
}

function whyLine(position, from, to) {
    const { board } = position, isCannon = typeOf(board[from]) === CANNON;
    if (fileOf(from) !== fileOf(to) && rankOf(from) !== rankOf(to)) return null;
    const screens = between(board, from, to);
    if (!isCannon) return { key: "path", point: screens[0] };
    if (!board[to]) return { key: "cannonPath", point: screens[0] };
    return { key: screens.length ? "screens" : "noScreen", count: screens.length };
}

// The rule of the piece that a move breaks; null: it does not move like that at all.
function whyPiece(position, from, to) {
    const df = fileOf(to) - fileOf(from), dr = rankOf(to) - rankOf(from), wide = Math.abs(df), high = Math.abs(dr);
    const side = sideOf(position.board[from]);
    switch (typeOf(position.board[from])) {
    case CHARIOT:
    case CANNON:
        return whyLine(position, from, to);
    case HORSE:
        if (Math.min(wide, high) !== 1 || Math.max(wide, high) !== 2) return null;
        return { key: "leg", point: from + (high === 2 ? Math.sign(dr) * 9 : Math.sign(df)) };
    case ELEPHANT: {
        if (wide !== 2 || high !== 2) return null;
        const eye = (from + to) / 2;
        return position.board[eye] ? { key: "eye", point: eye } : { key: "river" };
    }
    case ADVISOR:
        return wide === 1 && high === 1 ? { key: "palace" } : null;
    case KING:
        return wide + high === 1 ? { key: "palace" } : null;
    case PAWN:
        if (wide + high !== 1) return null;
        return { key: wide ? "pawnSide" : dr * (side ? -1 : 1) < 0 ? "pawnBack" : "pawnSide" };
    }
    return null;
}

export function why(position, from, to) {
    const { board } = position;
    const target = board[to];
    let found;
    if (target && sideOf(target) === sideOf(board[from])) found = { key: "own", point: to };
    else if (rules.targets(position, from).includes(to)) found = whyUnsafe(position, from, to);
    else found = whyPiece(position, from, to) ?? { key: NAMES[typeOf(board[from])] };
    return { ...found, key: `why.xiangqi.${found.key}` };
}

export const words = {
    en: {
        "why.xiangqi.own": "Your own piece stands on {point}.",
        "why.xiangqi.face": "The two generals may not face each other on an open file.",
        "why.xiangqi.inCheck": "Your general is in check: this move does not answer it.",
        "why.xiangqi.intoCheck": "The general may not go where it can be taken.",
        "why.xiangqi.exposes": "That would leave your general in check.",
        "why.xiangqi.path": "The way is blocked by the {piece} on {point}.",
        "why.xiangqi.cannonPath": "The cannon jumps only to capture; the way is blocked on {point}.",
        "why.xiangqi.noScreen": "A cannon captures by jumping over one piece; there is none between.",
        "why.xiangqi.screens": "A cannon captures by jumping over exactly one piece; there are {count} between.",
        "why.xiangqi.leg": "The horse’s leg is blocked by the {piece} on {point}.",
        "why.xiangqi.eye": "The elephant’s eye is blocked by the {piece} on {point}.",
        "why.xiangqi.river": "The elephant may not cross the river.",
        "why.xiangqi.palace": "General and advisors may not leave the palace.",
        "why.xiangqi.pawnSide": "A pawn goes sideways only after it has crossed the river.",
        "why.xiangqi.pawnBack": "A pawn never goes back.",
        "why.xiangqi.chariot": "The chariot goes any distance in a straight line.",
        "why.xiangqi.cannon": "The cannon goes any distance in a straight line.",
        "why.xiangqi.horse": "The horse goes one point straight and then one diagonally outward.",
        "why.xiangqi.pawn": "A pawn goes one point forward; beyond the river also sideways.",
        "why.xiangqi.elephant": "The elephant goes exactly two points diagonally.",
        "why.xiangqi.advisor": "The advisor goes one point diagonally, within the palace.",
        "why.xiangqi.general": "The general goes one point straight, within the palace.",
    },
    zh: {
        "why.xiangqi.own": "{point} 上是你自己的棋子。",
        "why.xiangqi.face": "将帅不能照面。",
        "why.xiangqi.inCheck": "你正被将军，这步棋没有应将。",
        "why.xiangqi.intoCheck": "将帅不能走到会被吃的位置。",
        "why.xiangqi.exposes": "这样走会让自己的将帅被吃。",
        "why.xiangqi.path": "路被 {point} 的{piece}挡住。",
        "why.xiangqi.cannonPath": "炮只有吃子时才能跳过棋子，{point} 有子挡路。",
        "why.xiangqi.noScreen": "炮吃子必须隔一个棋子，中间没有炮架。",
        "why.xiangqi.screens": "炮吃子只能隔一个棋子，中间有 {count} 个。",
        "why.xiangqi.leg": "蹩马腿：被 {point} 的{piece}挡住。",
        "why.xiangqi.eye": "塞象眼：被 {point} 的{piece}挡住。",
        "why.xiangqi.river": "象（相）不能过河。",
        "why.xiangqi.palace": "将帅和士（仕）不能离开九宫。",
        "why.xiangqi.pawnSide": "兵（卒）过河以后才能横走。",
        "why.xiangqi.pawnBack": "兵（卒）不能后退。",
        "why.xiangqi.chariot": "车走直线，格数不限。",
        "why.xiangqi.cannon": "炮走直线，格数不限。",
        "why.xiangqi.horse": "马走“日”字。",
        "why.xiangqi.pawn": "兵（卒）每次向前走一步，过河后也可横走一步。",
        "why.xiangqi.elephant": "象（相）走“田”字。",
        "why.xiangqi.advisor": "士（仕）在九宫内斜走一步。",
        "why.xiangqi.general": "将帅在九宫内直走一步。",
    },
};
