// What a board shows besides its pieces: the last move, check, what is selected and where it may go, the routes of
// captures, a move in advance, arrows and marks of whoever studies.
import { svg } from "../lib/dom.js";

// Where an arrow's head stands whose tip is so far along a path: it points where the path comes to the tip.
function headAt(path, length) {
    const tip = path.getPointAtLength(length), back = path.getPointAtLength(length - 24);
    const angle = (Math.atan2(tip.y - back.y, tip.x - back.x) * 180) / Math.PI;
    return `translate(${tip.x} ${tip.y}) rotate(${angle})`;
}

export class Marks {
    constructor(board) {
        this.board = board;
        this.arrowList = [];
        this.markList = [];
        this.selection = null; // {from, moves, reach, ways, target, preview}
        this.track = null; // of a capture under way
    }

    refresh() {
        this.drawUnder();
        if (this.board.options.small) return;
        this.drawRoutes();
        this.drawOver();
    }

    // --- under the pieces ---

    ring(point, name, r) {
        const [cx, cy] = this.board.at(point);
        return svg("circle", { class: name, cx, cy, r });
    }

    drawUnder() {
        const { shown, premove, layers, drawing } = this.board, round = drawing.radius + 6, list = [];
        if (shown.last) list.push(...this.lastMove(shown.last, round + 3));
        if (shown.check >= 0) list.push(this.ring(shown.check, "in-check", round + 3));
        if (premove) list.push(this.ring(premove.from, "ahead", round), this.ring(premove.to, "ahead", round));
        if (this.selection && !this.selection.preview) list.push(this.ring(this.selection.from, "selected", round));
        layers.under.replaceChildren(...list);
    }

    // Both ends, and the way between them; a capture round the loops has its route instead.
    lastMove({ from, to }, round) {
        const [[x1, y1], [x2, y2]] = [from, to].map((point) => this.board.at(point));
        const trace = !this.board.shown.route && svg("path", { class: "last trace", d: `M${x1} ${y1}L${x2} ${y2}` });
        return [trace, this.ring(from, "last from", 24), this.ring(to, "last to", round)].filter(Boolean);
    }

    // --- routes ---

    select(selection) {
        this.selection = selection;
        this.drawUnder();
        this.drawRoutes();
        this.drawOver();
    }

    // One route: the line, and an arrow's head that stops short of the target.
    drawRoute(route, way, names) {
        const { d } = this.board.drawing.routePath(route, this.board.options.orientation);
        const line = svg("path", { class: `route circuit-${route.circuit} way-${way} ${names}`, d, "data-loops": route.loops });
        const head = svg("path", {
            class: `route-head circuit-${route.circuit} ${names}`, d: "M0 0L-36 -20L-28 0L-36 20Z", transform: headAt(line, line.getTotalLength() - 50),
        });
        return [line, head];
    }

    drawRoutes() {
        const { shown, layers } = this.board, list = [];
        if (shown.route && !this.selection) list.push(...this.drawRoute(shown.route, 0, "past"));
        for (const route of this.selection?.ways ?? []) list.push(...this.drawRoute(route, 0, "aside"));
        for (const move of this.selection?.moves ?? []) {
            const aside = this.selection.target !== undefined && this.selection.target !== move.to ? "aside" : "";
            move.routes.forEach((route, way) => list.push(...this.drawRoute(route, way, aside)));
        }
        if (this.track) list.push(this.track);
        layers.routes.replaceChildren(...list);
    }

    // The track of a capture being run; an element, since the run asks it for points.
    startRun(path, route) {
        this.track = svg("path", { class: `route running circuit-${route.circuit}`, d: path.d });
        this.drawRoutes();
        return this.track;
    }

    endRun() {
        this.track = null;
        if (!this.board.options.small) this.drawRoutes();
    }

    // --- over the pieces ---

    drawOver() {
        const list = [];
        for (const move of this.selection?.moves ?? []) {
            const ring = this.ring(move.to, `target${move.capture ? " capture" : ""}`, move.capture ? this.board.drawing.radius + 6 : 14);
            if (move.routes.length) ring.classList.add(`circuit-${move.routes[0].circuit}`);
            if (move.to === this.selection.target) ring.classList.add("aimed");
            list.push(ring);
        }
        for (const point of this.selection?.reach ?? []) list.push(this.ring(point, "target ahead", 10));
        list.push(...this.arrowList.flatMap((arrow) => this.drawArrow(arrow)), ...this.markList.flatMap((mark) => this.drawMark(mark)));
        this.board.layers.over.replaceChildren(...list);
    }

    // Straight, but a capture with a route follows it. The shaft leaves both ends free.
    drawArrow({ from, to, class: name = "" }) {
        const { board } = this;
        if (from === to) return this.ring(from, `note ${name}`, board.drawing.radius + 7);
        const route = board.routeOf(board.position, { from, to });
        const d = route ? board.drawing.routePath(route, board.options.orientation).d : `M${board.at(from).join(" ")}L${board.at(to).join(" ")}`;
        const shaft = svg("path", { class: "shaft", d }), total = shaft.getTotalLength();
        shaft.setAttribute("stroke-dasharray", `${total - 60} ${total}`);
        shaft.setAttribute("stroke-dashoffset", -24);
        const head = svg("path", { d: "M0 0L-36 -22V22Z", transform: headAt(shaft, total - 6) });
        return svg("g", { class: `arrow ${name}${route ? " along" : ""}` }, shaft, route && svg("path", { class: "flow", d }), head);
    }

    drawMark({ point, class: name = "", text = "" }) {
        const [x, y] = this.board.at(point);
        if (!text) return [this.ring(point, `note ${name}`, this.board.drawing.radius + 7)];
        return [svg("g", { class: `tag ${name}`, transform: `translate(${x + 30} ${y - 30})` },
            svg("rect", { x: -8 - text.length * 7, y: -17, width: 16 + text.length * 14, height: 34, rx: 17 }),
            svg("text", { y: 1, text }))];
    }

    setArrows(list) {
        this.arrowList = list;
        if (!this.board.options.small) this.drawOver();
    }

    setMarks(list) {
        this.markList = list;
        if (!this.board.options.small) this.drawOver();
    }
}
