// A study as PGN, with its variations and comments, and those read back. Headers and main lines of other people's
// records, in whatever format, are the server's to read: POST /api/v1/record.

import { rowOf } from "../games/index.js";

const RESULTS = { "first wins": "1-0", "second wins": "0-1", draw: "1/2-1/2", ongoing: "*" };
const LINE_BYTES = 80;

// --- writing ----------------------------------------------------------------------------------------

const quote = (text) => String(text).replace(/\\/g, "\\\\").replace(/"/g, '\\"');

function headerLines(tree, headers) {
    const { game, sides: [first, second] } = rowOf(tree.rules.name).pgn;
    const tags = [
        ["Game", game],
        ["Event", headers.event], ["Site", headers.site], ["Date", headers.date],
        [first, headers.first], [second, headers.second],
        ["Result", RESULTS[headers.result] ?? "*"],
        ["FEN", tree.fen === tree.rules.start ? "" : tree.fen],
    ];
    return tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${quote(value)}"]`);
}

const comment = (node) => (node.comment ? [`{${node.comment.replace(/[{}]/g, "").replace(/\s+/g, " ")}}`] : []);

function moveWords(tree, first) {
    const words = [];
    let numbered = false;
    for (let node = first; node; node = node.children[0]) {
        const { side, number } = tree.mover(node);
        const { notation } = rowOf(tree.rules.name).pgn;
        const text = notation === "native" ? node.move.text : tree.rules.spell(tree.position(node.parent), node.move, notation);
        if (side === 0 || !numbered) words.push(side ? `${number}...` : `${number}.`);
        words.push(text + (node.mark ?? ""), ...comment(node));
        numbered = !node.comment;
        if (node === first && first.parent.children[0] !== first) continue;
        for (const other of node.parent.children.slice(1)) {
            words.push("(", ...moveWords(tree, other), ")");
            numbered = false;
        }
    }
    return words;
}

// Words into lines; brackets stand close.
function wrap(words) {
    const lines = [];
    let line = "";
    for (const word of words) {
        const close = line.endsWith("(") || word === ")" ? "" : " ";
        if (line && line.length + word.length + 1 > LINE_BYTES && close) {
            lines.push(line);
            line = word;
        } else {
            line = line ? line + close + word : word;
        }
    }
    return line ? [...lines, line] : lines;
}

export function writePgn(tree, headers = {}) {
    const first = tree.root.children[0];
    const words = [...comment(tree.root), ...(first ? moveWords(tree, first) : []), RESULTS[headers.result] ?? "*"];
    return [...headerLines(tree, headers), "", ...wrap(words), ""].join("\n");
}

// --- reading ----------------------------------------------------------------------------------------

function* tokens(text) {
    const pattern = /\{([^}]*)\}|;([^\n]*)|([()])|\$\d+|([^\s(){};]+)/g;
    for (const found of text.matchAll(pattern)) {
        if (found[1] !== undefined || found[2] !== undefined) yield { comment: (found[1] ?? found[2]).trim().replace(/\s+/g, " ") };
        else if (found[3]) yield { bracket: found[3] };
        else if (found[4]) yield { word: found[4].replace(/^\d+\.+/, "").replace(/[?!]+$/, "") };
    }
}

const isFiller = (word) => word === "" || /^(\d+|…+|\.+|1-0|0-1|1\/2-1\/2|\*)$/.test(word);

// Adds the variations and comments of a PGN's one game to a tree that has its main line. Stops, and returns false, at
// the first thing it does not understand: what came before stays.
export function readVariations(tree, text) {
    const body = text.replace(/^\s*\[.*\]\s*$/gm, "").replace(/^%.*$/gm, "");
    const stack = [];
    let node = tree.root;
    for (const { comment: words, bracket, word } of tokens(body)) {
        if (words !== undefined) {
            node.comment = words;
        } else if (bracket === "(") {
            if (!node.parent) return false;
            stack.push(node);
            node = node.parent;
        } else if (bracket === ")") {
            if (!stack.length) return false;
            node = stack.pop();
        } else if (!isFiller(word)) {
            const move = tree.rules.find(tree.position(node), word);
            if (!move) return false;
            node = tree.play(node, move);
        }
    }
    return true;
}
