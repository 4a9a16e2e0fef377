// Xiangqi: positions, legal moves, check, words. Nine files of ten points, a0 is 0 and i9 is 89;
// Red (side 0) stands on the ranks 0 to 4. Mirrors src/rules/xiangqi.
import { find, spell } from "./notation.js";
import { RulesError, parseCounters, parseRow, playOn, sideOf, typeOf, writeRow } from "../../rules/position.js";

const CHARIOT = 1, CANNON = 2, HORSE = 3, PAWN = 4, ELEPHANT = 5, ADVISOR = 6, KING = 7;

const LETTERS = ".RCNPBAK.rcnpbak";
const SET = [0, 2, 2, 2, 5, 2, 2, 1];
const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const fileOf = (point) => point % 9;
const rankOf = (point) => Math.floor(point / 9);

const pointName = (point) => "abcdefghi"[fileOf(point)] + rankOf(point);

function pointOf(name) {
    const found = /^([a-i])([0-9])$/i.exec(name);
    return found ? Number(found[2]) * 9 + found[1].toLowerCase().charCodeAt(0) - 97 : -1;
}

const onBoard = (file, rank) => file >= 0 && file < 9 && rank >= 0 && rank < 10;
const inPalace = (side, file, rank) => file >= 3 && file <= 5 && (side ? rank >= 7 : rank <= 2);
const hasCrossed = (side, rank) => (side ? rank <= 4 : rank >= 5);

// Whether a piece may ever stand on a point; pawns may anywhere, as diagrams have them.
function canStand(piece, point) {
    const side = sideOf(piece), file = fileOf(point), rank = side ? 9 - rankOf(point) : rankOf(point);
    switch (typeOf(piece)) {
    case KING:
        return inPalace(0, file, rank);
    case ADVISOR:
        return inPalace(0, file, rank) && (file + rank) % 2 === 1;
    case ELEPHANT:
        return rank <= 4 && rank % 2 === 0 && file % 2 === 0 && (file + rank) % 4 === 2;
    default:
        return true;
    }
}

// --- moves --------------------------------------------------------------------------------------

// Calls visit(to) for every point the piece could go to, were its general not to be minded.
// `free`: as on an empty board, for premoves.
function eachTarget(board, from, visit, free = false) {
    const piece = board[from], side = sideOf(piece), file = fileOf(from), rank = rankOf(from);
    const open = (f, r) => free || !board[r * 9 + f];
    const step = (f, r, allowed = true) => {
        if (allowed && onBoard(f, r) && (free || !board[r * 9 + f] || sideOf(board[r * 9 + f]) !== side)) visit(r * 9 + f);
    };
    switch (typeOf(piece)) {
    case CHARIOT:
    case CANNON:
        for (const [df, dr] of STRAIGHT) slide(board, from, df, dr, typeOf(piece) === CANNON, visit, free);
        break;
    case HORSE:
        for (const [df, dr] of STRAIGHT) {
            if (!onBoard(file + df, rank + dr) || !open(file + df, rank + dr)) continue;
            step(file + 2 * df + dr, rank + 2 * dr + df);
            step(file + 2 * df - dr, rank + 2 * dr - df);
        }
        break;
    case ELEPHANT:
        for (const [df, dr] of DIAGONAL)
            if (onBoard(file + 2 * df, rank + 2 * dr) && open(file + df, rank + dr))
                step(file + 2 * df, rank + 2 * dr, !hasCrossed(side, rank + 2 * dr));
        break;
    case ADVISOR:
        for (const [df, dr] of DIAGONAL) step(file + df, rank + dr, inPalace(side, file + df, rank + dr));
        break;
    case KING:
        for (const [df, dr] of STRAIGHT) step(file + df, rank + dr, inPalace(side, file + df, rank + dr));
        break;
    case PAWN:
        step(file, rank + (side ? -1 : 1));
        step(file + 1, rank, hasCrossed(side, rank));
        step(file - 1, rank, hasCrossed(side, rank));
        break;
    }
}

function slide(board, from, df, dr, isCannon, visit, free) {
    const side = sideOf(board[from]);
    let file = fileOf(from) + df, rank = rankOf(from) + dr, screens = 0;
    for (; onBoard(file, rank); file += df, rank += dr) {
        const to = rank * 9 + file, there = board[to];
        if (free || (!there && !screens)) {
            visit(to);
        } else if (there) {
            screens++;
            const takes = screens === (isCannon ? 2 : 1);
            if (takes && sideOf(there) !== side) visit(to);
            if (takes || !isCannon) return;
        }
    }
}

const kingOf = (board, side) => board.indexOf(KING | (side << 3));

// Whether a side's general could be taken: by a piece, or by the other general down an open file.
function isAttacked(board, side) {
    const king = kingOf(board, side), other = kingOf(board, side ^ 1);
    if (king < 0) return false;
    if (other >= 0 && fileOf(king) === fileOf(other) && countBetween(board, king, other) === 0) return true;
    for (let from = 0; from < 90; from++) {
        const piece = board[from];
        if (!piece || sideOf(piece) === side || typeOf(piece) >= ELEPHANT) continue;
        let taken = false;
        eachTarget(board, from, (to) => (taken ||= to === king));
        if (taken) return true;
    }
    return false;
}

function countBetween(board, a, b) {
    let count = 0;
    for (let p = Math.min(a, b) + 9; p < Math.max(a, b); p += 9) count += Number(board[p] !== 0);
    return count;
}

const inCheck = (position) => isAttacked(position.board, position.side);

function moves(position) {
    const board = Int8Array.from(position.board), { side } = position, captures = [], quiet = [];
    for (let from = 0; from < 90; from++) {
        const piece = board[from];
        if (!piece || sideOf(piece) !== side) continue;
        for (const to of targets({ board }, from)) {
            const taken = board[to];
            board[to] = piece;
            board[from] = 0;
            const safe = !isAttacked(board, side);
            board[from] = piece;
            board[to] = taken;
            if (safe)
                (taken ? captures : quiet).push({ from, to, capture: taken !== 0, text: pointName(from) + pointName(to), routes: [] });
        }
    }
    return captures.concat(quiet);
}

// Where a piece could go, were its general not to be minded.
function targets(position, from) {
    const found = [];
    eachTarget(position.board, from, (to) => found.push(to));
    return found;
}

// Where a piece may be sent before the other side has moved.
function reach(position, from) {
    const found = [];
    eachTarget(position.board, from, (to) => found.push(to), true);
    return found;
}

// --- text ---------------------------------------------------------------------------------------

const letterOf = (piece) => LETTERS[piece];

function pieceOf(letter) {
    const plain = letter === "H" || letter === "h" ? (letter === "h" ? "n" : "N")
        : letter === "E" || letter === "e" ? (letter === "e" ? "b" : "B") : letter;
    return plain === "." ? 0 : Math.max(LETTERS.indexOf(plain), 0);
}

const NAMES = ["", "chariot", "cannon", "horse", "pawn", "elephant", "advisor", "general"];
const SIDES = ["Red", "Black"];

// No more pieces than a set has, one general a side, every piece where it can stand.
function checkPieces(board) {
    const count = new Array(16).fill(0);
    board.forEach((piece, point) => {
        if (!piece) return;
        const most = SET[typeOf(piece)], name = NAMES[typeOf(piece)];
        if (++count[piece] > most)
            throw new RulesError(`FEN: ${SIDES[sideOf(piece)]} has more than ${most} ${name}${most > 1 ? "s" : ""}`);
        if (!canStand(piece, point))
            throw new RulesError(`FEN: a ${sideOf(piece) ? "black" : "red"} ${name} cannot stand on ${pointName(point)}`);
    });
    for (const side of [0, 1])
        if (!count[KING | (side << 3)]) throw new RulesError(`FEN: ${SIDES[side]} has no general`);
}

function checkChecks(board, side) {
    const red = kingOf(board, 0), black = kingOf(board, 1);
    if (fileOf(red) === fileOf(black) && countBetween(board, red, black) === 0)
        throw new RulesError("FEN: the generals face each other");
    if (isAttacked(board, side ^ 1))
        throw new RulesError(`FEN: ${SIDES[side ^ 1]} is in check but ${SIDES[side]} is to move`);
}

function parse(fen) {
    const [rows, side, ...rest] = fen.trim().split(/[ \t]+/);
    if (!rows) throw new RulesError("FEN: empty");
    const board = new Int8Array(90), ranks = rows.split("/");
    ranks.slice(0, 10).forEach((row, i) => {
        parseRow(row, 9, 9 - i, pieceOf, (file, piece) => (board[(9 - i) * 9 + file] = piece));
    });
    if (ranks.length < 10) throw new RulesError(`FEN: the board has only ${ranks.length} of its 10 ranks`);
    if (ranks.length > 10) throw new RulesError("FEN: the board has more than 10 ranks");
    checkPieces(board);
    if (!side) throw new RulesError("FEN: no side to move behind the board (w or b)");
    if (!/^[wrb]$/.test(side)) throw new RulesError(`FEN: the side to move is w or b, not '${side}'`);
    const mover = side === "b" ? 1 : 0;
    checkChecks(board, mover);
    if (rest[0] === "-") {
        if (rest[1] !== "-") throw new RulesError("FEN: a single '-' behind the side to move");
        rest.splice(0, 2);
    }
    return { game: "xiangqi", board, side: mover, ...parseCounters(rest) };
}

function write(position) {
    const rows = [];
    for (let rank = 9; rank >= 0; rank--) rows.push(writeRow(position.board.subarray(rank * 9, rank * 9 + 9), letterOf));
    return `${rows.join("/")} ${position.side ? "b" : "w"} - - ${position.halfmove} ${position.fullmove}`;
}

// --- words --------------------------------------------------------------------------------------

const WORDS = {
    en: {
        sides: SIDES, colours: ["red ", "black "], names: [NAMES, NAMES],
        move: " to move", check: ", in check", list: ", ", colon: ": ", between: "; ", stop: ". ",
    },
    zh: {
        sides: ["红方", "黑方"], colours: ["红", "黑"],
        names: [["", "车", "炮", "马", "兵", "相", "仕", "帅"], ["", "车", "炮", "马", "卒", "象", "士", "将"]],
        move: "走棋", check: "，被将军", list: "、", colon: "：", between: "；", stop: "。",
    },
};

function pieceName(piece, language = "en") {
    const words = WORDS[language];
    return words.colours[sideOf(piece)] + words.names[sideOf(piece)][typeOf(piece)];
}

const sideName = (side, language = "en") => WORDS[language].sides[side];

function describe(position, language = "en") {
    const words = WORDS[language];
    const list = (side) => {
        const groups = [];
        for (const type of [KING, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, PAWN]) {
            const points = [];
            position.board.forEach((piece, point) => piece === (type | (side << 3)) && points.push(pointName(point)));
            if (points.length) groups.push(`${words.names[side][type]} ${points.join(words.list)}`);
        }
        return words.sides[side] + words.colon + groups.join(words.between);
    };
    return words.sides[position.side] + words.move + (inCheck(position) ? words.check : "") + words.stop +
        list(0) + words.stop + list(1) + words.stop.trim();
}

// Where the general stands that is in check, or -1.
const check = (position) => (inCheck(position) ? kingOf(position.board, position.side) : -1);

export const rules = {
    name: "xiangqi", columns: 9, rows: 10, points: 90,
    start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    notations: ["native", "iccs", "wxf", "chinese"],
    pieces: [7, 6, 5, 3, 1, 2, 4, 15, 14, 13, 11, 9, 10, 12],
    parse, write, moves, play: playOn, inCheck, pointName, pointOf, describe, pieceName, sideName, reach, targets,
    letterOf, pieceOf, check, ways: () => [], spell,
    find: (position, typed) => find(position, typed, moves(position)),
};
