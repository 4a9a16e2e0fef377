// The state of a study: a game, its tree of moves, and where one stands in it. The panels listen to it and change it;
// it knows nothing of how it is shown.

import { prefs } from "../lib/store.js";
import { rowOf } from "../games/index.js";
import { MoveTree } from "./tree.js";

export class Desk {
    // entry: what the server says of the game (lib/catalogue.js).
    constructor(rules, entry, tree, node = tree.root) {
        this.rules = rules;
        this.entry = entry;
        this.ruleSet = ""; // the server's default
        this.listeners = { node: new Set(), tree: new Set(), update: new Set() };
        this.headers = {}; // who played, where, when
        this.isFixed = false; // the main line is what was played, and stays
        this.before = null; // how to undo what took moves away
        this.tree = tree;
        this.node = node;
    }

    // node: one stands elsewhere; tree: moves came or went; update(node): a score or a mark came.
    on(event, fn) {
        this.listeners[event].add(fn);
        return () => this.listeners[event].delete(fn);
    }

    #tell(event, value) {
        for (const fn of [...this.listeners[event]]) fn(value);
    }

    get position() {
        return this.tree.position(this.node);
    }

    get fen() {
        return this.rules.write(this.position);
    }

    // A move as the visitor wants it written; kept, for it is asked for again and again.
    spell(node) {
        const notation = this.notation;
        if (notation === "native") return node.move.text;
        if (node.spelled?.notation !== notation)
            node.spelled = { notation, text: this.rules.spell(this.tree.position(node.parent), node.move, notation) };
        return node.spelled.text;
    }

    // The same for a move that is not in the tree.
    spellText(node, text) {
        const move = this.notation === "native" ? null : this.rules.find(this.tree.position(node), text);
        return move ? this.rules.spell(this.tree.position(node), move, this.notation) : text;
    }

    // The choice of the whole page, or of the study alone.
    get notation() {
        const wanted = prefs.get(this.notationKey);
        return this.rules.notations.includes(wanted) ? wanted : "native";
    }

    get notationKey() {
        return rowOf(this.rules.name).notation.everywhere ? "notation" : "study.notation";
    }

    // --- walking -----------------------------------------------------------------------------------

    go(node) {
        if (!node || node === this.node) return;
        const from = this.node;
        this.node = node;
        this.#tell("node", from);
    }

    next() {
        this.go(this.node.children[0]);
    }

    previous() {
        this.go(this.node.parent);
    }

    first() {
        this.go(this.tree.root);
    }

    last() {
        this.go(this.tree.end(this.node));
    }

    // Between the variations of one move.
    sibling(step) {
        const among = this.node.parent?.children ?? [];
        this.go(among[among.indexOf(this.node) + step]);
    }

    // --- changing ----------------------------------------------------------------------------------

    play(move) {
        const count = this.tree.count;
        const node = this.tree.play(this.node, move);
        if (this.tree.count !== count) this.#tell("tree");
        this.go(node);
    }

    playTexts(texts) {
        const count = this.tree.count;
        const { node } = this.tree.playTexts(this.node, texts);
        if (this.tree.count !== count) this.#tell("tree");
        this.go(node);
    }

    promote() {
        this.tree.promote(this.node);
        this.#tell("tree");
    }

    remove() {
        const { tree, node } = this;
        if (!node.parent) return;
        const putBack = tree.remove(node);
        this.before = () => {
            putBack();
            this.#tell("tree");
            this.go(node);
        };
        this.#tell("tree");
        this.go(node.parent);
    }

    comment(node, words) {
        node.comment = words;
        this.#tell("tree");
    }

    mark(node, marks) {
        node.marks = marks;
        this.#tell("tree");
    }

    // Other rules: what the server said of positions no longer holds.
    setRules(name) {
        this.ruleSet = name;
        for (const node of this.tree.byId.values()) Object.assign(node, { outcome: null, tables: null, analysis: null });
        this.#tell("node", null);
    }

    updated(node) {
        this.#tell("update", node);
    }

    respelled() {
        this.#tell("tree");
    }

    // Another tree; the old one can be had back.
    replace(tree, headers = {}, node = tree.root) {
        const old = [this.tree, this.headers, this.node];
        this.before = () => this.#take(...old);
        this.#take(tree, headers, node);
    }

    #take(tree, headers, node) {
        this.tree = tree;
        this.headers = headers;
        this.node = node;
        this.#tell("tree");
        this.#tell("node", null);
    }

    // Takes back the last thing that took something away.
    undo() {
        const { before } = this;
        this.before = null;
        before?.();
    }

    startAt(fen) {
        this.replace(new MoveTree(this.rules, fen));
    }
}
