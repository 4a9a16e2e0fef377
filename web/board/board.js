// A board of any game as SVG: pieces, last move, check, routes, arrows; moves by pointer and keyboard come out
// of onMove. Small boards are still pictures for lists.
//
//     const board = new Board(host, { game, interactive: "first" });
//     board.onMove = (move) => board.set(rules.play(position, move), { last: move, animateFrom: move });
//     board.set(position);
import { el, svg, useStyle, PAGE } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { gameNames } from "../games/index.js";
import { game as gameRules } from "../rules/index.js";
import { sideOf } from "../rules/position.js";
import { Input } from "./input.js";
import { Marks } from "./marks.js";
import { drawings, gridRef, pieceRef } from "./pieces.js";
import { prefersStill, run, showProgress, slide } from "./run.js";
import { write } from "./brush.js";
import { whyWords } from "./why.js";
import "./words.js";

const DEFAULTS = {
    game: gameNames[0], orientation: 0, coordinates: true, interactive: "none", premove: false,
    theme: "wood", pieces: "traditional", animate: true, small: false, label: "",
};

// Boards are drawn in many views: their sheet always applies.
await useStyle(new URL("board.css", import.meta.url).href, PAGE);

const WHY_MS = 5000; // an explanation stays so long

let count = 0;

export class Board {
    constructor(host, options = {}) {
        this.options = { ...DEFAULTS, ...options };
        this.host = host;
        this.number = ++count;
        this.onMove = this.onPoint = this.onArrow = this.onPremove = null;
        this.premove = null;
        this.shown = {}; // what set() was told beside the position
        this.build();
        this.set(this.rules.parse(this.rules.start));
    }

    // --- building ---

    build() {
        const { game, small } = this.options;
        this.rules = gameRules(game);
        this.drawing = drawings[game];
        this.pieces = new Map(); // point -> {node, piece}
        this.position = this.legalMoves = null;
        const [x, y, width, height] = this.drawing.box;
        this.svg = svg("svg", { class: "board-svg", viewBox: this.drawing.box.join(" ") },
            svg("rect", { class: "ground", x, y, width, height, rx: 22 }),
            svg("rect", { class: "grain", x, y, width, height, rx: 22, fill: "url(#kraton-grain)" }),
            svg("use", { href: gridRef(game) }));
        this.layers = {};
        for (const name of small ? ["under", "pieces"] : ["labels", "under", "routes", "pieces", "over", "cells"]) {
            this.layers[name] = svg("g", { class: name, "aria-hidden": name === "cells" ? null : "true" });
            this.svg.append(this.layers[name]);
        }
        this.node = el("div.board", this.svg);
        this.marks = new Marks(this);
        if (small) this.svg.setAttribute("role", "img");
        else this.buildFull();
        this.host.replaceChildren(this.node);
        this.dress();
    }

    buildFull() {
        this.says = el("div.board-unseen", { "aria-live": "polite" });
        this.text = el("p.board-unseen", { id: `board-text-${this.number}` });
        this.node.append(this.text, this.says);
        this.svg.setAttribute("role", "grid");
        this.svg.setAttribute("aria-describedby", this.text.id);
        this.cells = [];
        const { rows, columns } = this.drawing;
        for (let row = 0; row < rows; row++)
            this.layers.cells.append(svg("g", { role: "row" }, Array.from({ length: columns }, (_, column) => this.buildCell(row, column))));
        this.input = new Input(this);
    }

    // Cells stay where they are seen; which point each of them is depends on the orientation.
    buildCell(row, column) {
        const [x, y] = this.drawing.at(this.drawing.pointAt(row, column, 0));
        const cell = svg("rect", { role: "gridcell", class: "cell", x: x - 50, y: y - 50, width: 100, height: 100, rx: 14, tabindex: -1 });
        this.cells.push({ node: cell, row, column });
        return cell;
    }

    // Applies what options say about looks.
    dress() {
        const { game, theme, small, interactive, orientation, coordinates, label } = this.options;
        this.node.className = `board ${game}${small ? " small" : ""}${interactive === "none" ? "" : " live"}`;
        this.node.dataset.theme = theme;
        this.node.dataset.orientation = orientation;
        this.svg.setAttribute("aria-label", label || t(`board.${game}`));
        if (small) return;
        this.layers.labels.replaceChildren(...(coordinates ? this.drawing.labels(orientation, coordinates).map(drawLabel) : []));
        this.cellOf = new Array(this.rules.points);
        for (const cell of this.cells) {
            cell.point = this.drawing.pointAt(cell.row, cell.column, orientation);
            cell.node.dataset.point = cell.point;
            cell.node.setAttribute("tabindex", cell.point === this.input.cursor ? 0 : -1);
            this.cellOf[cell.point] = cell;
        }
    }

    configure(options) {
        const before = this.options;
        this.options = { ...before, ...options };
        if (this.options.game !== before.game || this.options.small !== before.small) {
            this.stop();
            this.input?.close();
            this.build();
            this.set(this.rules.parse(this.rules.start));
            return;
        }
        this.finish();
        if (this.options.pieces !== before.pieces)
            for (const { node, piece } of this.pieces.values()) node.setAttribute("href", this.refOf(piece));
        if (this.options.interactive !== before.interactive) this.input?.cancel();
        this.dress();
        this.layout();
        this.label();
        this.marks.refresh();
    }

    flip() {
        this.configure({ orientation: this.options.orientation ^ 1 });
    }

    // --- the position ---

    // Shows a position. last: {from, to} of the move before it; check: mark the general in check (found out where not
    // told); animateFrom: the move that leads here from what is shown.
    /** @param {any} position
     * @param {{last?: any, check?: boolean, animateFrom?: any}} [how] */
    set(position, { last = null, check, animateFrom = null } = {}) {
        this.finish();
        const before = this.position, way = animateFrom && before && this.wayOf(before, animateFrom);
        const checked = check === false || this.options.small ? -1 : this.rules.check(position);
        this.hush();
        this.position = position;
        this.legalMoves = null;
        this.shown = { last, check: checked, route: way?.route ?? last?.routes?.[0] ?? null };
        this.input?.positionChanged(before);
        if (way) this.move(way);
        else this.sync();
        this.marks.refresh();
        this.label();
        this.firePremove();
    }

    refOf(piece) {
        return pieceRef(this.options.game, this.options.pieces, piece);
    }

    legal() {
        this.legalMoves ??= this.rules.moves(this.position);
        return this.legalMoves;
    }

    // How a move goes over the board: its points, and the route of a capture that has one.
    wayOf(position, move) {
        const { from, to } = move;
        if (!this.options.animate || this.options.small || !position.board[from] || !this.pieces.has(from)) return null;
        return { from, to, route: this.routeOf(position, move) };
    }

    // The route of a capture, by either side; null for moves without one. If several routes lead to the target, the
    // first one of the rules is shown, which is the shortest.
    routeOf(position, { from, to, routes = null }) {
        if (routes) return routes[0] ?? null;
        const { board } = position;
        if (!this.drawing.routePath || !board[from] || !board[to]) return null;
        const moves = this.rules.moves({ ...position, side: sideOf(board[from]) });
        return moves.find((move) => move.from === from && move.to === to)?.routes[0] ?? null;
    }

    // Brings the piece elements in line with the position.
    sync() {
        const { board } = this.position;
        for (const [point, entry] of this.pieces)
            if (board[point] !== entry.piece) {
                entry.node.remove();
                this.pieces.delete(point);
            }
        for (let point = 0; point < board.length; point++)
            if (board[point] && !this.pieces.has(point)) this.addPiece(point, board[point]);
        this.layout();
    }

    addPiece(point, piece) {
        const node = svg("use", { class: `piece side-${sideOf(piece)}`, href: this.refOf(piece) });
        this.layers.pieces.append(node);
        this.pieces.set(point, { node, piece });
    }

    layout() {
        for (const [point, { node }] of this.pieces) this.place(node, ...this.at(point));
    }

    at(point) {
        return this.drawing.at(point, this.options.orientation);
    }

    place(node, x, y) {
        node.setAttribute("transform", `translate(${x} ${y})`);
    }

    // --- movement ---

    move({ from, to, route }) {
        const entry = this.pieces.get(from), taken = from === to ? null : this.pieces.get(to), { node } = entry;
        this.pieces.delete(from);
        this.pieces.set(to, entry);
        const end = () => {
            taken?.node.remove();
            this.stopMoving = this.finishMoving = null;
            node.classList.remove("moving");
            if (route) showProgress(node, 1, route.loops);
            this.marks.endRun();
            this.sync();
        };
        this.finishMoving = end;
        this.layers.pieces.append(node);
        node.classList.add("moving");
        const place = (x, y) => this.place(node, x, y);
        if (prefersStill()) {
            end();
            node.animate?.([{ opacity: 0.15 }, { opacity: 1 }], 240);
        } else if (route) {
            const path = this.drawing.routePath(route, this.options.orientation);
            showProgress(node, 0, 0);
            place(...this.at(from));
            this.stopMoving = run(node, place, this.marks.startRun(path, route), path, end);
        } else {
            const straight = this.input?.takeDropped(from, to);
            if (straight) end();
            else this.stopMoving = slide(place, this.at(from), this.at(to), end);
        }
    }

    // Ends a movement under way at once, at its end.
    finish() {
        this.stopMoving?.();
        this.finishMoving?.();
    }

    stop() {
        this.stopMoving?.();
        this.stopMoving = this.finishMoving = null;
    }

    // --- what may be moved ---

    // Whether the visitor plays this side; in "both", whoever is to move.
    owns(side) {
        const { interactive } = this.options;
        return interactive === "both" ? side === this.position.side : interactive === ["first", "second"][side];
    }

    canPickUp(point) {
        const piece = this.position.board[point];
        return Boolean(piece) && this.owns(sideOf(piece)) && (sideOf(piece) === this.position.side || this.options.premove);
    }

    isPremove(point) {
        return sideOf(this.position.board[point]) !== this.position.side;
    }

    // A move chosen by the visitor.
    choose(move) {
        this.input.deselect();
        this.onMove?.(move);
    }

    setPremove(from, to) {
        this.premove = { from, to };
        this.say(t("board.premove", { from: this.rules.pointName(from), to: this.rules.pointName(to) }));
        this.marks.refresh();
        this.onPremove?.(this.premove);
    }

    cancelPremove() {
        if (!this.premove) return;
        this.premove = null;
        this.say(t("board.premoveOff"));
        this.marks.refresh();
        this.onPremove?.(null);
    }

    firePremove() {
        if (!this.premove || !this.owns(this.position.side)) return;
        const { from, to } = this.premove, { position } = this;
        const move = this.legal().find((m) => m.from === from && m.to === to);
        this.premove = null;
        this.marks.refresh();
        this.onPremove?.(null);
        // Whoever called set() gets to finish first.
        if (move) queueMicrotask(() => this.position === position && this.onMove?.(move));
    }

    // --- drawn on top ---

    arrows(list) {
        this.marks.setArrows(list);
    }

    mark(list) {
        this.marks.setMarks(list);
    }

    // --- words ---

    say(words) {
        if (this.says) this.says.textContent = words;
    }

    // Says, and shows over the board for a while, why a piece cannot go there.
    async explain(from, to) {
        if (this.isPremoveFrom(from)) return;
        const words = await whyWords(this.options.game, this.position, from, to);
        this.say(words);
        this.hush();
        this.why = el("p.board-why", { text: words, "aria-hidden": "true" });
        this.node.append(this.why);
        this.whyTimer = setTimeout(() => this.hush(), WHY_MS);
    }

    hush() {
        clearTimeout(this.whyTimer);
        this.why?.remove();
        this.why = null;
    }

    isPremoveFrom(point) {
        return !this.position.board[point] || this.isPremove(point);
    }

    pointLabel(point) {
        const piece = this.position.board[point], name = this.rules.pointName(point);
        return piece ? t("board.piece", { point: name, piece: this.rules.pieceName(piece, language()) }) : t("board.empty", { point: name });
    }

    label() {
        if (this.options.small) return;
        this.text.textContent = this.rules.describe(this.position, language()) +
            (this.options.interactive === "none" ? "" : " " + t("board.keys"));
        for (const { node, point } of this.cells) {
            const words = this.pointLabel(point);
            if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words);
        }
    }

    describe() {
        return this.rules.describe(this.position, language());
    }

    focus() {
        this.input?.focus();
    }

    destroy() {
        this.hush();
        this.stop();
        this.input?.close();
        this.node.remove();
    }
}

function drawLabel({ x, y, text, glyph }) {
    if (glyph) return svg("path", { class: "coordinate", d: write(glyph, 11), transform: `translate(${x - 15} ${y - 15}) scale(0.3)` });
    return svg("text", { class: "coordinate", x, y, text });
}
