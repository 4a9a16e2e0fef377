// What a study is kept as: its address, which always holds the position and can be given to others, and a draft in this
// browser with all variations, so that nothing is lost by a reload.

import { prefs } from "../lib/store.js";
import { MoveTree } from "./tree.js";

const MOST_MOVES = 300; // in an address; longer ones hold the position alone
const SETTLE_MS = 300;

// A FEN and moves without characters that addresses would have to escape.
const tight = (fen) => fen.replaceAll(" ", "_");
const loose = (text) => text.replaceAll("_", " ").trim();

export function addressOf(desk) {
    const { tree, node, rules } = desk;
    const isStart = tree.fen === rules.start;
    const parts = [];
    if (node.ply > MOST_MOVES) {
        parts.push(`fen=${tight(desk.fen)}`);
    } else {
        if (!isStart) parts.push(`fen=${tight(tree.fen)}`);
        if (node.ply) parts.push(`moves=${tree.moves(node).join(",")}`);
    }
    return `/study/${rules.name}${parts.length ? `?${parts.join("&")}` : ""}`;
}

// The tree an address speaks of and where one stands in it. Throws a RulesError for a FEN that is none; `bad` is the
// first move that cannot be played.
export function readAddress(rules, query) {
    const tree = new MoveTree(rules, query.fen ? loose(query.fen) : rules.start);
    const words = (query.moves ?? "").split(/[\s,_+]+/).filter(Boolean);
    const { node, bad } = tree.playTexts(tree.root, words);
    return { tree, node, bad };
}

// --- drafts -----------------------------------------------------------------------------------------

const keyOf = (rules) => `study.draft.${rules.name}`;

export function loadDraft(rules) {
    try {
        const saved = prefs.get(keyOf(rules));
        if (!saved) return null;
        const tree = MoveTree.load(rules, saved.tree);
        const { node } = tree.playTexts(tree.root, saved.at);
        return { tree, node, headers: saved.headers ?? {} };
    } catch {
        return null; // of another version, or damaged: there is nothing to save
    }
}

export function saveDraft(desk) {
    const { tree, node, rules, headers } = desk;
    prefs.set(keyOf(rules), { tree: tree.save(), at: tree.moves(node), headers });
}

// The draft where it contains what the address shows, with its variations; the address alone otherwise.
export function openStudy(rules, query) {
    const draft = loadDraft(rules);
    if (!query.fen && !query.moves) return draft ?? { tree: new MoveTree(rules), headers: {} };
    const wanted = readAddress(rules, query);
    // The address of a long game has room for the position alone.
    if (draft && !query.moves && rules.write(draft.tree.position(draft.node)) === wanted.tree.fen) return draft;
    if (!draft || draft.tree.fen !== wanted.tree.fen) return { ...wanted, headers: {}, draft };
    let at = draft.tree.root;
    for (const text of wanted.tree.moves(wanted.node)) at = at?.children.find((child) => child.move.text === text);
    return at ? { ...draft, node: at, bad: wanted.bad } : { ...wanted, headers: {}, draft };
}

// Keeps address and draft up to date: moves at once, where one stands when one has come to rest.
export class Keeper {
    constructor(desk) {
        this.desk = desk;
        this.timer = 0;
        this.stops = [desk.on("tree", () => saveDraft(desk)), desk.on("node", () => this.#soon())];
        this.leave = () => this.now();
        window.addEventListener("pagehide", this.leave);
        this.#write();
    }

    #soon() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.now(), SETTLE_MS);
    }

    now() {
        if (!this.timer) return;
        clearTimeout(this.timer);
        this.timer = 0;
        saveDraft(this.desk);
        this.#write();
    }

    #write() {
        if (location.pathname.startsWith("/study")) history.replaceState(null, "", addressOf(this.desk));
    }

    destroy() {
        this.now();
        window.removeEventListener("pagehide", this.leave);
        this.stops.forEach((stop) => stop());
    }
}
