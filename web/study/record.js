// A study as the JSON of docs/records.md, which the server reads and writes for every other format: the whole tree with
// comments, marks and clock times, in and out.

import { game as rulesOf } from "../rules/index.js";
import { MoveTree, readNative } from "./tree.js";

const HEADINGS = ["first", "second", "event", "site", "date", "result", "tags"];

// Marks by their numbers in PGN. The first six are said of moves, the others of positions.
export const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const SIGNS = { ...MARKS, 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+" };

export const signOf = (mark) => SIGNS[mark] ?? `$${mark}`;
export const markOf = (sign) => Number(Object.keys(MARKS).find((mark) => MARKS[mark] === sign)) || null;

// --- reading ----------------------------------------------------------------------------------------

// Plays the moves of a line from a node and adds what is said of them; returns its nodes.
function readLine(tree, from, { moves, comments = {}, marks = {}, used = [], clocks = [] }) {
    let node = from;
    const line = moves.map((text) => (node = tree.play(node, readNative(tree.rules, text))));
    line.forEach((each, at) => {
        if (used[at] != null) each.used = used[at];
        if (clocks[at] != null) each.remaining = clocks[at];
        if (marks[each.ply]) each.marks = marks[each.ply];
        if (comments[each.ply]) each.comment = comments[each.ply];
    });
    return line;
}

// {rules, tree, headers} of a record the server has judged.
export function readRecord(record) {
    const rules = rulesOf(record.game);
    const tree = new MoveTree(rules, record.fen || rules.start);
    tree.root.comment = record.comments?.[0] ?? "";
    const lines = [readLine(tree, tree.root, record)];
    for (const variation of record.lines ?? []) {
        const left = lines[variation.of];
        lines.push(readLine(tree, left[variation.at - left[0].ply].parent, variation));
    }
    const headers = Object.fromEntries(HEADINGS.filter((name) => record[name]).map((name) => [name, record[name]]));
    return { rules, tree, headers };
}

// --- writing ----------------------------------------------------------------------------------------

// What the record says of a move, and what the engine marked.
const marksOf = ({ marks = [], mark }) => [...new Set([...marks, ...(markOf(mark) ? [markOf(mark)] : [])])].slice(0, 4);

function describe(line, node) {
    line.moves.push(node.move.text);
    if (node.comment) (line.comments ??= {})[node.ply] = node.comment;
    if (marksOf(node).length) (line.marks ??= {})[node.ply] = marksOf(node);
    line.used.push(node.used >= 0 ? node.used : null);
    line.clocks.push(node.remaining >= 0 ? node.remaining : null);
}

// Fills in a line; its variations are added to the list of lines, each behind the one it leaves.
function writeLine(line, number, first, lines) {
    Object.assign(line, { moves: [], used: [], clocks: [] });
    for (let node = first; node; node = node.children[0]) {
        describe(line, node);
        if (node.parent.children[0] !== node) continue;
        for (const other of node.parent.children.slice(1)) lines.push({ of: number, at: node.ply, first: other });
    }
    for (const times of ["used", "clocks"]) if (line[times].every((time) => time === null)) delete line[times];
}

export function writeRecord({ rules, tree, headers }) {
    const record = { game: rules.name, ...headers };
    if (tree.fen !== rules.start) record.fen = tree.fen;
    const lines = [];
    writeLine(record, 0, tree.root.children[0], lines);
    for (let i = 0; i < lines.length; i++) {
        const { first } = lines[i];
        delete lines[i].first;
        writeLine(lines[i], i + 1, first, lines);
    }
    if (tree.root.comment) record.comments = { 0: tree.root.comment, ...record.comments };
    if (lines.length) record.lines = lines;
    return record;
}
