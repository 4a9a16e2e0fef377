// Moving by hand: click, drag and touch through pointer events, the keyboard by a cursor that is the focus. The right
// button draws arrows. Says to screen readers what it does.
import { language, t } from "../lib/i18n.js";

const DRAG_FROM = 5; // pixels until a press becomes a drag
const LIFT = 70; // units a piece is held above the finger that drags it

export class Input {
    constructor(board) {
        this.board = board;
        this.selected = null; // point
        this.hovered = null;
        this.press = null; // {point, x, y, dragging, wasSelected, id}
        this.dropped = null; // a move made by dropping the piece on its target
        this.cursor = 0;
        this.drawn = []; // arrows by the right button, where nobody else keeps them
        this.listeners = new AbortController();
        const on = (name, fn) => board.svg.addEventListener(name, fn.bind(this), { signal: this.listeners.signal });
        on("pointerdown", this.down);
        on("pointermove", this.moveTo);
        on("pointerup", this.up);
        on("pointercancel", this.cancel);
        on("pointerleave", this.leave);
        on("contextmenu", (event) => this.draws() && event.preventDefault());
        on("touchstart", this.touch);
        on("keydown", this.key);
        on("focusin", (event) => event.target.dataset.point && this.setCursor(Number(event.target.dataset.point)));
        this.setCursor(0);
    }

    close() {
        this.listeners.abort();
    }

    // --- points ---

    pointUnder({ clientX, clientY }) {
        const { x, y } = this.toBoard(clientX, clientY), { drawing, options } = this.board;
        const [x0, y0] = drawing.at(drawing.pointAt(0, 0, 0));
        const column = Math.round((x - x0) / 100), row = Math.round((y - y0) / 100);
        if (row < 0 || column < 0 || row >= drawing.rows || column >= drawing.columns) return -1;
        return drawing.pointAt(row, column, options.orientation);
    }

    toBoard(clientX, clientY) {
        return new DOMPoint(clientX, clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    }

    draws() {
        const { onArrow, options } = this.board;
        return Boolean(onArrow) || options.interactive !== "none";
    }

    // --- pointer ---

    // A finger on a piece takes it up; beside the pieces it scrolls the page.
    touch(event) {
        const point = this.pointUnder(event.touches[0]), isEdited = this.board.options.interactive === "edit" && this.board.position.board[point];
        if (event.touches.length === 1 && event.cancelable && point >= 0 && (isEdited || this.canAct(point))) event.preventDefault();
    }

    down(event) {
        const point = this.pointUnder(event);
        if (event.button === 2) {
            if (!this.draws() || point < 0 || this.press) return;
            this.press = { point, right: true, id: event.pointerId };
            this.board.svg.setPointerCapture(event.pointerId);
            return;
        }
        if (event.button !== 0 || this.press) return;
        this.clearDrawn();
        this.board.hush();
        if (this.board.onPoint && point >= 0) this.board.onPoint(point, event);
        if (this.board.options.interactive === "none" || this.board.options.interactive === "edit") return;
        if (this.board.premove) this.board.cancelPremove();
        const wasSelected = this.selected === point;
        if (this.selected !== null && !wasSelected && this.tryMove(this.selected, point)) {
            event.preventDefault(); // the focus stays where it is
            return;
        }
        if (point < 0 || !this.board.canPickUp(point)) {
            if (this.selected !== null && point >= 0) this.board.explain(this.selected, point);
            this.deselect();
            return;
        }
        event.preventDefault();
        this.board.finish();
        this.select(point);
        this.setCursor(point);
        this.press = { point, x: event.clientX, y: event.clientY, wasSelected, id: event.pointerId };
        this.board.svg.setPointerCapture(event.pointerId);
    }

    moveTo(event) {
        const { press } = this;
        if (!press || press.right) {
            if (event.pointerType === "mouse") this.hover(this.pointUnder(event));
            return;
        }
        if (press.id !== event.pointerId) return;
        if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_FROM) return;
        const entry = this.board.pieces.get(press.point);
        if (!entry) return;
        if (!press.dragging) {
            press.dragging = true;
            entry.node.classList.add("dragged");
            this.board.layers.pieces.append(entry.node);
        }
        const { x, y } = this.toBoard(event.clientX, event.clientY);
        this.board.place(entry.node, x, event.pointerType === "touch" ? y - LIFT : y);
        this.hover(this.pointUnder(event));
    }

    up(event) {
        const { press } = this, point = this.pointUnder(event);
        if (!press || press.id !== event.pointerId) return;
        this.press = null;
        if (press.right) {
            if (point >= 0) this.draw(press.point, point);
        } else if (press.dragging) {
            this.drop(press.point, point);
        } else if (press.wasSelected) {
            this.deselect();
        }
    }

    drop(from, to) {
        const { board } = this, { position } = board, entry = board.pieces.get(from);
        entry?.node.classList.remove("dragged");
        this.dropped = { from, to };
        const moved = to >= 0 && to !== from && this.tryMove(from, to);
        this.dropped = null;
        if (!moved || board.premove) board.layout();
        else if (board.position === position) board.place(entry.node, ...board.at(to)); // whoever judges it has not answered yet
        if (!moved && to >= 0 && to !== from) board.explain(from, to);
        if (!moved && to !== from) this.deselect();
    }

    // Whether the move being shown is the one just dropped there: it needs no sliding.
    takeDropped(from, to) {
        return this.dropped?.from === from && this.dropped?.to === to;
    }

    cancel() {
        if (this.press?.dragging) {
            this.board.pieces.get(this.press.point)?.node.classList.remove("dragged");
            this.board.layout();
        }
        this.press = null;
        this.deselect();
    }

    leave() {
        if (!this.press) this.hover(-1);
    }

    hover(point) {
        if (this.hovered === point) return;
        this.hovered = point;
        this.board.svg.classList.toggle("grabs", point >= 0 && (this.canAct(point) || this.isTarget(point)));
        this.show();
    }

    canAct(point) {
        const { interactive } = this.board.options;
        return interactive !== "none" && interactive !== "edit" && this.board.canPickUp(point);
    }

    // --- choosing ---

    movesFrom(point) {
        return this.board.isPremove(point) ? [] : this.board.legal().filter((move) => move.from === point);
    }

    isTarget(point) {
        return this.selected !== null && this.movesFrom(this.selected).some((move) => move.to === point);
    }

    // Draws what is selected, or what the pointer hovers over.
    show() {
        const { board } = this;
        const from = this.selected ?? (this.hovered !== null && this.hovered >= 0 && this.canAct(this.hovered) ? this.hovered : null);
        if (from === null || !board.position.board[from]) {
            board.marks.select(null);
            return;
        }
        const moves = this.movesFrom(from), reach = board.isPremove(from) && this.selected !== null ? board.rules.reach(board.position, from) : [];
        const target = moves.some((move) => move.to === this.hovered) ? this.hovered : undefined;
        board.marks.select({ from, moves, reach, target, preview: this.selected === null });
    }

    select(point) {
        if (this.selected === point) return;
        this.selected = point;
        const { board } = this, moves = this.movesFrom(point);
        board.cellOf[point].node.setAttribute("aria-selected", "true");
        const names = (list) => list.map((move) => board.rules.pointName(move.to)).join(", ");
        const captures = moves.filter((move) => move.capture), steps = moves.filter((move) => !move.capture);
        const words = [steps.length && t("board.steps", { list: names(steps) }), captures.length && t("board.captures", { list: names(captures) })];
        board.say(t("board.selected", {
            piece: board.rules.pieceName(board.position.board[point], language()), point: board.rules.pointName(point),
            moves: words.filter(Boolean).join(" ") || (board.isPremove(point) ? "" : t("board.stuck")),
        }));
        this.show();
    }

    deselect() {
        if (this.selected === null) return;
        this.board.cellOf[this.selected]?.node.removeAttribute("aria-selected");
        this.selected = null;
        this.show();
    }

    // Plays from one point to another where that is legal, or keeps it as a move in advance.
    tryMove(from, to) {
        const { board } = this;
        if (to < 0) return false;
        if (board.isPremove(from)) {
            if (!board.rules.reach(board.position, from).includes(to)) return false;
            this.deselect();
            board.setPremove(from, to);
            return true;
        }
        const move = board.legal().find((m) => m.from === from && m.to === to);
        if (move) board.choose(move);
        return Boolean(move);
    }

    positionChanged(before) {
        const { board } = this, selected = this.selected;
        if (selected !== null && before && before.board[selected] !== board.position.board[selected]) this.cancel();
        else if (selected !== null && board.isPremove(selected) && !board.options.premove) this.cancel();
        else if (selected !== null || this.hovered !== null) this.show();
    }

    // --- keyboard ---

    setCursor(point) {
        const { board } = this;
        board.cellOf?.[this.cursor]?.node.setAttribute("tabindex", -1);
        this.cursor = point;
        board.cellOf?.[point]?.node.setAttribute("tabindex", 0);
    }

    focus() {
        this.board.cellOf[this.cursor].node.focus();
    }

    key(event) {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (step) this.step(...step);
        else if (event.key === "Enter" || event.key === " ") this.activate(this.cursor, event);
        else if (event.key === "Escape" && (this.selected !== null || this.board.premove)) this.letGo();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    step(down, right) {
        const { drawing } = this.board, { row, column } = this.board.cellOf[this.cursor];
        const nextRow = Math.min(Math.max(row + down, 0), drawing.rows - 1), nextColumn = Math.min(Math.max(column + right, 0), drawing.columns - 1);
        this.setCursor(drawing.pointAt(nextRow, nextColumn, this.board.options.orientation));
        this.focus();
        if (this.selected !== null) {
            this.hovered = this.cursor;
            this.show();
        }
    }

    activate(point, event) {
        const { board } = this, { interactive } = board.options;
        if (board.onPoint) board.onPoint(point, event);
        if (interactive === "none" || interactive === "edit") return;
        if (this.selected === point) this.letGo();
        else if (this.selected !== null && this.tryMove(this.selected, point)) return;
        else if (board.canPickUp(point)) this.select(point);
        else if (this.selected !== null) board.explain(this.selected, point);
        else board.say(board.pointLabel(point));
    }

    letGo() {
        if (this.selected !== null) {
            this.deselect();
            this.board.say(t("board.dropped"));
        } else {
            this.board.cancelPremove();
        }
    }

    // --- arrows by the right button ---

    draw(from, to) {
        if (this.board.onArrow) {
            this.board.onArrow({ from, to });
            return;
        }
        const same = this.drawn.findIndex((arrow) => arrow.from === from && arrow.to === to);
        if (same >= 0) this.drawn.splice(same, 1);
        else this.drawn.push({ from, to, class: "own" });
        this.board.arrows([...this.drawn]);
    }

    clearDrawn() {
        if (!this.drawn.length) return;
        this.drawn = [];
        this.board.arrows([]);
    }
}
