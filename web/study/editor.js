// Setting up a position: a palette, pieces put down, moved and taken off on the board, the side to move, the FEN as text.
// Whether it can be played is the server's to say, in its words; what was typed stays.

import { el, clear } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { get, sayError } from "../lib/api.js";
import { sideName } from "../lib/words.js";
import { pieceIcon } from "../board/pieces.js";
import { prefs } from "../lib/store.js";
import { sayFault } from "./faults.js";

const SETTLE_MS = 200;
const HAND = "hand";
const ERASER = 0;

export class Editor {
    // board is the study's; onDone(fen) when the position is to be studied, onCancel when not, onFlip turns the board.
    constructor(host, desk, board, { onDone, onCancel, onFlip }) {
        this.desk = desk;
        this.board = board;
        this.rules = desk.rules;
        this.position = { ...desk.position, board: Int8Array.from(desk.position.board) };
        this.tool = HAND;
        this.held = -1; // the point a piece was taken up from
        this.timer = 0;
        this.onDone = onDone;
        this.#build(host, onCancel, onFlip);
        board.configure({ interactive: "edit" });
        board.onPoint = (point, event) => this.#touch(point, event);
        this.#show();
    }

    destroy() {
        clearTimeout(this.timer);
        this.board.onPoint = null;
        this.board.mark([]);
    }

    // --- the panel ---------------------------------------------------------------------------------

    #build(host, onCancel, onFlip) {
        const { rules } = this;
        this.tools = el("div.palette", { role: "radiogroup", "aria-label": t("study.palette") });
        this.#drawTools();
        this.sides = [0, 1].map((side) => el("input", { type: "radio", name: "study-side", onchange: () => this.#setSide(side) }));
        this.text = el("input.mono#editor-fen", { spellcheck: "false", autocomplete: "off", oninput: () => this.#typed() });
        this.says = el("p.says#editor-says", { role: "alert" });
        this.good = el("p.good", { role: "status" });
        this.done = el("button.primary", { type: "submit", text: t("study.useIt") });
        const form = el("form.editor",
            el("p.muted", { text: t("study.editorHint") }),
            this.tools,
            el("fieldset.sides",
                el("legend", { text: t("study.toMove") }),
                el("div.choices", this.sides.map((input, side) => el("label.choice", input, sideName(rules.name, side))))),
            el("div.row",
                el("button", { type: "button", text: t("study.startPosition"), onclick: () => this.#take(rules.parse(rules.start)) }),
                el("button", { type: "button", text: t("study.clearBoard"), onclick: () => this.#clear() }),
                el("button", { type: "button", text: t("study.turn"), onclick: onFlip })),
            el("label.field", { for: "editor-fen" }, "FEN"), this.text, this.says, this.good,
            el("div.row", this.done, el("button", { type: "button", text: t("app.cancel"), onclick: onCancel })));
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#finish();
        });
        host.append(form);
    }

    #drawTools() {
        const { rules } = this;
        const extra = { [HAND]: ["study.hand", "hand"], [ERASER]: ["study.eraser", "eraser"] };
        clear(this.tools).append(...[HAND, ...rules.pieces, ERASER].map((tool) => {
            const name = extra[tool] ? t(extra[tool][0]) : rules.pieceName(tool, language());
            const face = extra[tool] ? icon(extra[tool][1]) : this.#picture(tool, 40);
            const button = el("button.tool", {
                type: "button", role: "radio", "aria-checked": String(tool === this.tool), "aria-label": name, title: name,
                "data-tool": tool, onclick: () => this.#choose(tool),
            }, face);
            if (!extra[tool]) button.addEventListener("pointerdown", (event) => this.#dragFrom(tool, event));
            return button;
        }));
    }

    #picture(piece, size) {
        return pieceIcon(this.rules.name, piece, { set: prefs.get("pieces"), size });
    }

    #choose(tool) {
        this.tool = tool;
        this.held = -1;
        for (const button of this.tools.children) button.setAttribute("aria-checked", String(button.dataset.tool === String(tool)));
        this.#show({ typed: true });
    }

    // A piece pulled from the palette onto the board.
    #dragFrom(piece, event) {
        this.#choose(piece);
        event.target.releasePointerCapture?.(event.pointerId);
        const ghost = el("div.ghost", { "aria-hidden": "true" }, this.#picture(piece, 48));
        this.#follow((move) => {
            if (!ghost.isConnected) document.body.append(ghost);
            ghost.style.transform = `translate(${move.clientX}px, ${move.clientY}px)`;
        }, (end) => {
            ghost.remove();
            const point = this.board.input.pointUnder(end);
            if (point >= 0) this.#put(point, piece);
        });
    }

    // Until the pointer is let go.
    #follow(onMove, onEnd) {
        const done = (event) => {
            window.removeEventListener("pointermove", onMove);
            window.removeEventListener("pointerup", done);
            window.removeEventListener("pointercancel", done);
            onEnd(event);
        };
        window.addEventListener("pointermove", onMove);
        window.addEventListener("pointerup", done);
        window.addEventListener("pointercancel", done);
    }

    // --- the board ---------------------------------------------------------------------------------

    #touch(point, event) {
        const there = this.position.board[point];
        if (this.tool === HAND) this.#touchByHand(point, there, event);
        else this.#put(point, there === this.tool ? 0 : this.tool);
    }

    // Pressed on a piece and let go elsewhere, or one click there and one here.
    #touchByHand(point, there, event) {
        if (this.held >= 0) {
            this.#move(this.held, point);
            return;
        }
        if (!there) return;
        this.held = point;
        this.#show({ typed: true });
        if (event?.type !== "pointerdown") return;
        const { node } = this.board.pieces.get(point);
        this.#follow((move) => {
            const { x, y } = this.board.input.toBoard(move.clientX, move.clientY);
            this.board.place(node, x, y);
        }, (end) => {
            const to = this.board.input.pointUnder(end);
            if (this.held === point && to !== point) this.#move(point, to);
            else this.board.layout();
        });
    }

    // Off the board is away.
    #move(from, to) {
        this.held = -1;
        const piece = this.position.board[from];
        if (from === to) {
            this.#show({ typed: true });
            return;
        }
        this.position.board[from] = 0;
        if (to >= 0) this.position.board[to] = piece;
        this.#show();
    }

    #put(point, piece) {
        this.position.board[point] = piece;
        this.#show();
    }

    #setSide(side) {
        this.position.side = side;
        this.#show();
    }

    #take(position) {
        this.position = position;
        this.#show();
    }

    #clear() {
        this.position.board.fill(0);
        this.#show();
    }

    // --- what it comes to --------------------------------------------------------------------------

    #show({ typed = false } = {}) {
        this.board.set(this.position, {});
        this.board.mark(this.held >= 0 ? [{ point: this.held, class: "held" }] : []);
        this.sides.forEach((input, side) => (input.checked = this.position.side === side));
        if (typed) return;
        this.position.halfmove = 0;
        this.position.fullmove = 1;
        this.text.value = this.rules.write(this.position);
        this.#check();
    }

    // A FEN somebody brought that is none, with what is wrong with it.
    type(fen, words) {
        this.text.value = fen;
        this.says.textContent = words;
        this.#typed();
    }

    #typed() {
        try {
            const position = this.rules.parse(this.text.value);
            this.position = position;
            this.#show({ typed: true });
        } catch {
            // The words come from the check below; the board waits.
        }
        this.#check();
    }

    #check() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.#ask(), SETTLE_MS);
    }

    // Whether the server takes it; says why not.
    async #ask() {
        const fen = this.text.value.trim();
        let words = "";
        let answer = null;
        try {
            answer = await get(`/position/${this.rules.name}`, { fen: fen || " " });
        } catch (error) {
            words = error.code === "position" ? sayFault(error.words) : sayError(error);
        }
        if (fen !== this.text.value.trim()) return false;
        this.says.textContent = words;
        this.text.setAttribute("aria-invalid", String(Boolean(words)));
        this.good.textContent = answer ? this.#praise(answer) : "";
        return Boolean(answer);
    }

    #praise({ outcome, legal, words }) {
        return outcome === "ongoing" ? t("study.goodPosition", { n: legal.length }) : t("study.overPosition", { words: sayFault(words) });
    }

    async #finish() {
        clearTimeout(this.timer);
        if (await this.#ask()) this.onDone(this.text.value.trim());
        else this.text.focus();
    }
}
