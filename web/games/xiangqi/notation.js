// Xiangqi moves as players say them: WXF (C2=5, H8+7, R+-1) and Chinese (炮二平五, 前车平五), read and
// written as src/rules/xiangqi does; ICCS (H2-E2). docs/notation.md has the tables.
import { sideOf, typeOf } from "../../rules/position.js";

const CHARIOT = 1, CANNON = 2, PAWN = 4, ELEPHANT = 5, ADVISOR = 6, KING = 7;

// A side counts files from its own right, 1 to 9, and ranks from its back rank.
const fileOf = (side, point) => (side ? (point % 9) + 1 : 9 - (point % 9));
const rankOf = (side, point) => (side ? 9 - Math.floor(point / 9) : Math.floor(point / 9));
const goesStraight = (type) => type === CHARIOT || type === CANNON || type === PAWN || type === KING;

// How a piece stands among those of its kind: `count` on its file, its `place` from the front, files
// with several (`stacks`), its `ordinal` over all of those, the right one first.
function takeCensus(board, point) {
    const piece = board[point], side = sideOf(piece), files = Array.from({ length: 10 }, () => []);
    board.forEach((p, at) => p === piece && files[fileOf(side, at)].push(at));
    const own = files[fileOf(side, point)];
    const census = { count: own.length, place: 0, stacks: 0, ordinal: 0 };
    let before = 0;
    for (const list of files) {
        list.sort((a, b) => rankOf(side, b) - rankOf(side, a));
        if (list === own) {
            census.place = own.indexOf(point) + 1;
            census.ordinal = before + census.place;
        }
        if (list.length > 1) {
            census.stacks++;
            before += list.length;
        }
    }
    return census;
}

function describe(position, { from, to }) {
    const { board, side } = position, type = typeOf(board[from]);
    const ahead = rankOf(side, to) - rankOf(side, from);
    return {
        type, file: fileOf(side, from), way: Math.sign(ahead),
        number: ahead && goesStraight(type) ? Math.abs(ahead) : fileOf(side, to),
    };
}

// Advisors and elephants on one file cannot be confused: one only goes back, the other only forward.
const needsMark = (type, census) => census.count > 1 && type !== ADVISOR && type !== ELEPHANT;

// --- writing ------------------------------------------------------------------------------------

const DIGITS = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
const NAMES = [["", "车", "炮", "马", "兵", "相", "仕", "帅"], ["", "车", "炮", "马", "卒", "象", "士", "将"]];

function wxfStacked(census, type, letter, file) {
    const front = census.place === 1, rear = census.place === census.count, many = census.count >= 4;
    if (many && (front || rear)) return front ? "++" : "--";
    const plus = many ? census.place === 2 : front, minus = many ? census.place === census.count - 1 : rear;
    return (type === PAWN && census.stacks > 1 ? file : letter) + (plus ? "+" : minus ? "-" : String(file));
}

function wxf(position, move) {
    const said = describe(position, move), census = takeCensus(position.board, move.from);
    const letter = ".RCHPEAK"[said.type];
    const piece = needsMark(said.type, census) ? wxfStacked(census, said.type, letter, said.file) : letter + said.file;
    return piece + "-=+"[said.way + 1] + said.number;
}

function chineseMark(census) {
    if (census.stacks > 1 || census.count > 3) return DIGITS[census.ordinal];
    return census.place === 1 ? "前" : census.place === census.count ? "后" : "中";
}

function chinese(position, move) {
    const said = describe(position, move), census = takeCensus(position.board, move.from);
    const name = NAMES[position.side][said.type];
    const number = (n) => (position.side ? String(n) : DIGITS[n]);
    const piece = needsMark(said.type, census) ? chineseMark(census) + name : name + number(said.file);
    return piece + "退平进"[said.way + 1] + number(said.number);
}

export function spell(position, move, notation) {
    const name = (point) => "abcdefghi"[point % 9] + Math.floor(point / 9);
    if (notation === "wxf") return wxf(position, move);
    if (notation === "chinese") return chinese(position, move);
    if (notation === "iccs") return `${name(move.from)}-${name(move.to)}`.toUpperCase();
    return name(move.from) + name(move.to);
}

// --- reading ------------------------------------------------------------------------------------

const PIECES = { R: 1, C: 2, H: 3, N: 3, P: 4, S: 4, E: 5, B: 5, A: 6, K: 7, G: 7 };
const CHARACTERS = ["", "车車俥", "炮砲包", "马馬傌", "兵卒", "相象", "仕士", "帅帥将將"];
const PLAIN = { "進": "进", "後": "后", "．": ".", "＝": "=", "＋": "+", "－": "-" };

// The place on a file of `count` that a mark speaks of, from the front; 0 for none.
function placeOf(mark, count) {
    const many = count >= 4;
    switch (mark) {
    case "front":
        return 1;
    case "middle":
        return count % 2 ? (count + 1) / 2 : 0;
    case "rear":
        return count;
    case "plus":
        return many ? 2 : 1;
    case "minus":
        return many ? count - 1 : count;
    case "foremost":
        return many ? 1 : 0;
    case "rearmost":
        return many ? count : 0;
    default:
        return 0;
    }
}

function isMeant(position, said, move) {
    const { board, side } = position;
    if (typeOf(board[move.from]) !== said.type) return false;
    const meant = describe(position, move);
    if (meant.way !== said.way || meant.number !== said.number) return false;
    if (said.file && said.file !== meant.file) return false;
    if (!said.mark) return true;
    const census = takeCensus(board, move.from);
    if (census.count < 2 || sideOf(board[move.from]) !== side) return false;
    if (said.mark === "ordinal") return said.ordinal === (said.file ? census.place : census.ordinal);
    return census.place === placeOf(said.mark, census.count);
}

const markOf = (sign) => ({ "+": "plus", "-": "minus", "=": "middle", ".": "middle" })[sign];
const digitOf = (letter) => (letter >= "1" && letter <= "9" ? Number(letter) : Math.max(DIGITS.indexOf(letter), 0));

function countOnFile(position, type, file) {
    return position.board.reduce((n, piece, point) =>
        n + (piece === (type | (position.side << 3)) && fileOf(position.side, point) === file), 0);
}

function wxfPiece(position, a, b) {
    const type = PIECES[a], file = digitOf(b);
    if (type === PAWN && b >= "A" && b <= "E") return { type, mark: "ordinal", ordinal: b.charCodeAt(0) - 64 };
    if (type) {
        const count = type === PAWN && file ? countOnFile(position, PAWN, file) : 0;
        const mark = count === 3 || count === 5 ? "middle" : markOf(b);
        return file || mark ? { type, file, mark } : null;
    }
    if ((a === "+" || a === "-") && PIECES[b]) return { type: PIECES[b], mark: markOf(a) };
    if ((a === "+" || a === "-") && a === b) return { type: PAWN, mark: a === "+" ? "foremost" : "rearmost" };
    const mark = a === b ? "middle" : markOf(b);
    return digitOf(a) && mark ? { type: PAWN, file: digitOf(a), mark } : null;
}

function readWxf(position, word) {
    const found = /^(.)(.)([-+=.])([1-9])$/.exec(word.toUpperCase());
    const said = found && wxfPiece(position, found[1], found[2]);
    return said && { ...said, way: found[3] === "+" ? 1 : found[3] === "-" ? -1 : 0, number: Number(found[4]) };
}

function readChinese(word) {
    const said = { type: 0, file: 0 }, letters = [...word], marks = { 前: "front", 中: "middle", 后: "rear" };
    let digit = 0, digitFirst = false, at = 0;
    for (; at < letters.length && !"进退平".includes(letters[at]); at++) {
        const letter = letters[at], type = CHARACTERS.findIndex((list) => list.includes(letter));
        if (type > 0 && !said.type) said.type = type;
        else if (marks[letter] && !said.mark) said.mark = marks[letter];
        else if (digitOf(letter) && !digit) [digit, digitFirst] = [digitOf(letter), !said.type];
        else return null;
    }
    if (letters.length !== at + 2 || (!digit && !said.mark)) return null;
    said.way = "退平进".indexOf(letters[at]) - 1;
    said.number = digitOf(letters[at + 1]);
    if (!said.type) return said.mark && digit ? { ...said, type: PAWN, file: digit } : null;
    if (digitFirst && !said.mark) return { ...said, mark: "ordinal", ordinal: digit };
    return { ...said, file: digit };
}

// The one legal move a word means, in any notation; null where it means none or several.
export function find(position, typed, legal) {
    const word = [...typed.trim()].map((c) => PLAIN[c] ?? (/[１-９]/.test(c) ? String.fromCharCode(c.charCodeAt(0) - 0xfee0) : c)).join("");
    const squares = /^([a-i])([0-9])[- ]?([a-i])([0-9])$/i.exec(word);
    if (squares) {
        const point = (file, rank) => Number(rank) * 9 + file.toLowerCase().charCodeAt(0) - 97;
        const from = point(squares[1], squares[2]), to = point(squares[3], squares[4]);
        return legal.find((move) => move.from === from && move.to === to) || null;
    }
    const said = /[\u0080-\uffff]/.test(word) ? readChinese(word) : readWxf(position, word);
    const meant = said ? legal.filter((move) => isMeant(position, said, move)) : [];
    return meant.length === 1 ? meant[0] : null;
}
