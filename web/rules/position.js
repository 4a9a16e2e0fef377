// What both games share: the error of a position or move that cannot be, pieces as numbers
// (type, and 8 for the second side), the fields of a FEN behind the board.

export class RulesError extends Error {
    constructor(words) {
        super(words);
        this.name = "RulesError";
        this.words = words;
    }
}

export const sideOf = (piece) => piece >> 3;
export const typeOf = (piece) => piece & 7;

function counter(word, fallback, words) {
    if (word === undefined) return fallback;
    if (!/^\d+$/.test(word) || Number(word) > 65535) throw new RulesError(`FEN: '${word}' is no ${words}`);
    return Number(word);
}

// The counters at the end of a FEN: plies since the last capture, number of the move.
export function parseCounters(words) {
    const halfmove = counter(words[0], 0, "count of plies");
    const fullmove = counter(words[1], 1, "move number");
    if (words.length > 2) throw new RulesError(`FEN: '${words[2]}' behind the move number`);
    return { halfmove, fullmove };
}

// One row of a FEN: calls put(column, piece) for every piece.
export function parseRow(row, columns, rank, pieceOf, put) {
    let column = 0;
    for (const letter of row) {
        const empty = letter >= "1" && letter <= String(columns) ? Number(letter) : 0;
        const piece = empty ? 0 : pieceOf(letter);
        if (!empty && !piece) throw new RulesError(`FEN: '${letter}' is no piece, on rank ${rank}`);
        if (piece && column < columns) put(column, piece);
        column += empty || 1;
        if (column > columns) break;
    }
    if (column !== columns)
        throw new RulesError(`FEN: rank ${rank} has ${column > columns ? "more" : "fewer"} than ${columns} points`);
}

// One row written: letters, and numbers for runs of empty points.
export function writeRow(pieces, letterOf) {
    let text = "", empty = 0;
    for (const piece of pieces) {
        if (!piece) {
            empty++;
            continue;
        }
        text += (empty || "") + letterOf(piece);
        empty = 0;
    }
    return text + (empty || "");
}

// The position behind a move; what the board looks like is the same for both games.
export function playOn(position, move) {
    const board = Int8Array.from(position.board);
    const capture = board[move.to] !== 0;
    board[move.to] = board[move.from];
    board[move.from] = 0;
    return {
        game: position.game,
        board,
        side: position.side ^ 1,
        halfmove: capture ? 0 : Math.min(position.halfmove + 1, 65535),
        fullmove: Math.min(position.fullmove + position.side, 65535),
    };
}
