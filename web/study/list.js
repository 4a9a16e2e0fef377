// The moves of a study as a list: the main line in two columns, variations and comments below the move they belong to.
// A thousand rows stay cheap: they are made once, in chunks the browser skips while out of sight, and walking through
// the game only moves a mark.

import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { signOf } from "./record.js";
import { scoreText } from "./score.js";

const CHUNK_ROWS = 40;
const MARK_KINDS = { "?!": "dubious", "?": "mistake", "??": "blunder" };

export class MoveList {
    constructor(host, desk) {
        this.desk = desk;
        this.buttons = new Map(); // by node
        this.node = el("div.moves", { tabindex: "0", role: "group", "aria-label": t("study.moves") });
        this.node.addEventListener("click", (event) => this.#pick(event));
        host.append(this.node);
        this.draw();
    }

    #pick(event) {
        const button = event.target.closest("button.move");
        if (button) this.desk.go(this.desk.tree.node(Number(button.dataset.id)));
        const better = event.target.closest("[data-try]");
        if (!better) return;
        this.desk.go(this.desk.tree.node(Number(better.dataset.before)));
        this.desk.playTexts([better.dataset.try]);
    }

    // --- drawing -----------------------------------------------------------------------------------

    draw() {
        const { tree } = this.desk;
        this.buttons.clear();
        this.chunk = null;
        this.rows = 0;
        this.current = null;
        const parts = [];
        this.#addChunk = () => parts.push((this.chunk = el("div.chunk")));
        this.#addChunk();
        if (tree.root.comment) this.#row(el("p.comment", { text: tree.root.comment }));
        this.#drawMain(tree);
        if (!tree.root.children.length) this.chunk.append(el("p.muted.hint", { text: t("study.noMoves") }));
        clear(this.node).append(...parts);
        this.node.classList.toggle("long", parts.length > 1);
        this.mark(this.desk.node);
    }

    #addChunk;

    #row(row) {
        if (this.rows && this.rows % CHUNK_ROWS === 0) this.#addChunk();
        this.rows++;
        this.chunk.append(row);
        return row;
    }

    #drawMain(tree) {
        let row = null;
        for (const node of tree.mainline()) {
            const { side, number } = tree.mover(node);
            if (!row || side === 0) {
                row = this.#row(el("div.pair", el("span.number", { text: number })));
                if (side === 1) row.append(el("span.move.gap", { text: "…" }));
            }
            row.append(this.#button(node, true));
            const others = node.parent.children.slice(1);
            const best = node.mark && node.parent.best;
            if (!others.length && !node.comment && !best) continue;
            if (side === 0) row.append(el("span.move.gap", { text: "…" }));
            row = null;
            const aside = this.#row(el("div.aside"));
            if (best) aside.append(this.#better(node, best));
            if (node.comment) aside.append(el("p.comment", { text: node.comment }));
            for (const other of others) aside.append(this.#variation(tree, other));
        }
    }

    // What would have been better; a click tries it.
    #better(node, best) {
        const kind = MARK_KINDS[node.mark];
        const text = t("study.bestWas", { move: this.desk.spellText(node.parent, best) });
        return el("p.better", el("span", { class: kind, text: t(`study.${kind}`) }),
            el("button.quiet", { "data-before": node.parent.id, "data-try": best, text }));
    }

    // A line of its own with its numbers; what branches off it stands in brackets.
    #variation(tree, first) {
        const line = el("div.variation");
        this.#inline(tree, first, line);
        return line;
    }

    #inline(tree, first, into) {
        let numbered = false;
        for (let node = first; node; node = node.children[0]) {
            const { side, number } = tree.mover(node);
            if (side === 0 || !numbered) into.append(el("span.number", { text: side ? `${number}…` : `${number}.` }));
            numbered = true;
            into.append(this.#button(node, false));
            if (node.comment) into.append(el("span.comment", { text: node.comment }));
            if (node === first) continue;
            for (const other of node.parent.children.slice(1)) {
                const inner = el("span.inner");
                this.#inline(tree, other, inner);
                into.append(inner);
                numbered = false;
            }
        }
    }

    #button(node, isMain) {
        const button = el("button.move", { "data-id": node.id, tabindex: "-1" });
        button.isMain = isMain;
        this.buttons.set(node, button);
        this.#fill(button, node);
        return button;
    }

    #fill(button, node) {
        clear(button).append(this.desk.spell(node));
        for (const sign of (node.marks ?? []).map(signOf))
            if (sign !== node.mark) button.append(el(`span.mark.${MARK_KINDS[sign] ?? "said"}`, { text: sign }));
        if (node.mark) button.append(el(`span.mark.${MARK_KINDS[node.mark]}`, { text: node.mark, title: t(`study.${MARK_KINDS[node.mark]}`) }));
        if (button.isMain && node.seen) button.append(el("span.score", { text: scoreText(node.seen) }));
    }

    // --- changing ----------------------------------------------------------------------------------

    // A node has got a score or a mark.
    update(node) {
        const button = this.buttons.get(node);
        if (button) this.#fill(button, node);
    }

    // The node one stands on.
    mark(node) {
        if (this.current) {
            this.current.classList.remove("here");
            this.current.removeAttribute("aria-current");
            this.current.tabIndex = -1;
        }
        this.current = this.buttons.get(node) ?? null;
        if (!this.current) {
            this.node.scrollTop = 0;
            return;
        }
        this.current.classList.add("here");
        this.current.setAttribute("aria-current", "true");
        this.current.tabIndex = 0;
        // When everybody else has drawn: measuring in between would lay the page out twice.
        queueMicrotask(() => this.#reveal(this.current));
    }

    // Scrolls the list alone, never the page.
    #reveal(button) {
        if (!button?.isConnected) return;
        const box = this.node.getBoundingClientRect();
        const place = button.getBoundingClientRect();
        if (place.top < box.top + place.height || place.bottom > box.bottom - place.height)
            this.node.scrollTop += place.top - box.top - box.height / 2 + place.height / 2;
    }
}
