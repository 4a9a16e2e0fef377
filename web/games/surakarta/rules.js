// Surakarta: positions, legal moves with the routes of captures, words. Six rows of six points,
// a6 is 0 and f1 is 35; Black (side 0) begins on the two top rows. Mirrors src/rules/surakarta.
import { RulesError, parseCounters, parseRow, playOn, sideOf, writeRow } from "../../rules/position.js";

const BLACK = 1, WHITE = 9;

// A circuit's 24 stations; a loop lies between one group of six and the next, and back to the first.
const CIRCUITS = [
    [1, 7, 13, 19, 25, 31, 24, 25, 26, 27, 28, 29, 34, 28, 22, 16, 10, 4, 11, 10, 9, 8, 7, 6],
    [2, 8, 14, 20, 26, 32, 18, 19, 20, 21, 22, 23, 33, 27, 21, 15, 9, 3, 17, 16, 15, 14, 13, 12],
];

// Where each point lies on the circuits: [circuit, station] pairs, none for the corners.
const stationsOf = Array.from({ length: 36 }, (_, point) =>
    CIRCUITS.flatMap((stations, circuit) =>
        stations.flatMap((p, station) => (p === point ? [[circuit, station]] : []))));

const neighboursOf = Array.from({ length: 36 }, (_, point) => {
    const row = Math.floor(point / 6), column = point % 6, near = [];
    for (let r = Math.max(0, row - 1); r <= Math.min(5, row + 1); r++)
        for (let c = Math.max(0, column - 1); c <= Math.min(5, column + 1); c++)
            if (r !== row || c !== column) near.push(r * 6 + c);
    return near;
});

const pointName = (point) => "abcdef"[point % 6] + (6 - Math.floor(point / 6));

function pointOf(name) {
    const found = /^([a-f])([1-6])$/i.exec(name);
    return found ? (6 - Number(found[2])) * 6 + found[1].toLowerCase().charCodeAt(0) - 97 : -1;
}

// From a station one way along the circuit to the first piece that is not the one setting out, or
// once round. The route's points include both ends.
function follow(board, circuit, station, step) {
    const stations = CIRCUITS[circuit], start = stations[station];
    const route = { circuit, points: [], loops: 0 };
    for (let steps = 0; steps <= 24; steps++) {
        const point = stations[station];
        route.points.push(point);
        if (point !== start && board[point]) break;
        const next = (station + step + 24) % 24;
        if (Math.floor(station / 6) !== Math.floor(next / 6)) route.loops++;
        station = next;
    }
    return route;
}

// Every way a piece could run from here, whether it captures or not: for those who explain loops.
function ways(position, from) {
    return stationsOf[from].flatMap(([circuit, station]) =>
        [-1, 1].map((step) => follow(position.board, circuit, station, step)));
}

function capturesOf(position, from) {
    const found = new Map();
    for (const route of ways(position, from)) {
        const to = route.points[route.points.length - 1], piece = position.board[to];
        if (!route.loops || to === from || !piece || sideOf(piece) === position.side) continue;
        if (!found.has(to)) found.set(to, []);
        found.get(to).push(route);
    }
    return found;
}

const hasBothSides = (board) => board.includes(BLACK) && board.includes(WHITE);

function moves(position) {
    const { board, side } = position, quiet = [], captures = [];
    if (!hasBothSides(board)) return [];
    for (let from = 0; from < 36; from++) {
        if (!board[from] || sideOf(board[from]) !== side) continue;
        for (const [to, routes] of capturesOf(position, from)) {
            routes.sort((a, b) => a.points.length - b.points.length);
            captures.push({ from, to, capture: true, text: `${pointName(from)}x${pointName(to)}`, routes });
        }
        for (const to of neighboursOf[from])
            if (!board[to])
                quiet.push({ from, to, capture: false, text: `${pointName(from)}-${pointName(to)}`, routes: [] });
    }
    return captures.concat(quiet);
}

// Where a piece may be sent before the other side has moved: its neighbours and its circuits.
function reach(position, from) {
    const found = new Set(neighboursOf[from]);
    for (const [circuit] of stationsOf[from]) for (const point of CIRCUITS[circuit]) found.add(point);
    found.delete(from);
    return [...found];
}

// --- text ---------------------------------------------------------------------------------------

const pieceOf = (letter) => (letter === "b" ? BLACK : letter === "w" ? WHITE : 0);
const letterOf = (piece) => (piece === BLACK ? "b" : piece === WHITE ? "w" : "");

function parse(fen) {
    const [rows, side, ...rest] = fen.trim().split(/[ \t]+/);
    if (!rows) throw new RulesError("FEN: empty");
    const board = new Int8Array(36), ranks = rows.split("/");
    if (ranks.length > 6) throw new RulesError("FEN: the board has more than 6 ranks");
    ranks.forEach((row, r) => parseRow(row, 6, 6 - r, pieceOf, (c, piece) => (board[r * 6 + c] = piece)));
    if (ranks.length < 6)
        throw new RulesError(`FEN: the board has ${ranks.length} rank${ranks.length > 1 ? "s" : ""}, not 6`);
    for (const [piece, name] of [[BLACK, "Black"], [WHITE, "White"]]) {
        const count = board.filter((p) => p === piece).length;
        if (count > 12) throw new RulesError(`FEN: ${name} has ${count} pieces, more than 12`);
    }
    if (!board.some(Boolean)) throw new RulesError("FEN: the board is empty");
    if (!side) throw new RulesError("FEN: no side to move behind the board (b or w)");
    if (side !== "b" && side !== "w") throw new RulesError(`FEN: the side to move is b or w, not '${side}'`);
    return { game: "surakarta", board, side: side === "b" ? 0 : 1, ...parseCounters(rest) };
}

function write(position) {
    const rows = Array.from({ length: 6 }, (_, r) => writeRow(position.board.subarray(r * 6, r * 6 + 6), letterOf));
    return `${rows.join("/")} ${position.side ? "w" : "b"} ${position.halfmove} ${position.fullmove}`;
}

// The points a typed move names, in any of the ways moves are written here; null where it is none.
function pointsTyped(typed) {
    const native = /^([a-f][1-6])\s*[-x×]?\s*([a-f][1-6])$/i.exec(typed);
    if (native) return [pointOf(native[1]), pointOf(native[2])];
    const column = (letter) => letter.toLowerCase().charCodeAt(0) - 97;
    const sau = /^([a-f])([a-f])([a-f])([a-f])$/i.exec(typed);
    if (sau) return [column(sau[2]) * 6 + column(sau[1]), column(sau[4]) * 6 + column(sau[3])];
    const contest = /^[br]([1-6])([a-f])[-x×]([1-6])([a-f])$/i.exec(typed);
    if (contest)
        return [(Number(contest[1]) - 1) * 6 + column(contest[2]), (Number(contest[3]) - 1) * 6 + column(contest[4])];
    return null;
}

function find(position, typed) {
    const points = pointsTyped(typed.trim());
    return (points && moves(position).find((m) => m.from === points[0] && m.to === points[1])) || null;
}

// A move as other programs write it: sau or contest.
function spell(position, move, notation) {
    const { from, to } = move, letter = (n) => "ABCDEF"[n];
    const row = (p) => Math.floor(p / 6), column = (p) => p % 6;
    if (notation === "sau") return letter(column(from)) + letter(row(from)) + letter(column(to)) + letter(row(to));
    if (notation === "contest")
        return (position.side ? "R" : "B") + (row(from) + 1) + letter(column(from)) +
            (position.board[to] ? "×" : "-") + (row(to) + 1) + letter(column(to));
    return `${pointName(from)}${position.board[to] ? "x" : "-"}${pointName(to)}`;
}

// --- words --------------------------------------------------------------------------------------

const WORDS = {
    en: { sides: ["Black", "White"], pieces: ["black stone", "white stone"], move: " to move. ", none: "none", list: ", ", colon: ": ", stop: ". " },
    zh: { sides: ["黑方", "白方"], pieces: ["黑子", "白子"], move: "走棋。", none: "无", list: "、", colon: "：", stop: "。" },
};

const pieceName = (piece, language = "en") => WORDS[language].pieces[sideOf(piece)];
const sideName = (side, language = "en") => WORDS[language].sides[side];

function describe(position, language = "en") {
    const words = WORDS[language];
    const list = (side) => {
        const points = [];
        position.board.forEach((piece, point) => piece && sideOf(piece) === side && points.push(pointName(point)));
        return `${words.sides[side]} ${points.length}${words.colon}${points.join(words.list) || words.none}`;
    };
    return words.sides[position.side] + words.move + list(0) + words.stop + list(1) + words.stop.trim();
}

export const rules = {
    name: "surakarta", columns: 6, rows: 6, points: 36, circuits: CIRCUITS,
    start: "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1",
    notations: ["native", "sau", "contest"],
    pieces: [BLACK, WHITE],
    parse, write, moves, play: playOn, inCheck: () => false, pointName, pointOf, find, spell, describe,
    pieceName, sideName, reach, ways, letterOf, pieceOf, check: () => -1,
};
