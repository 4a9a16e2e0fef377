// The course of a game as a picture: who stood better after every move, mistakes as dots, and below it the time every
// move took. A thousand moves are a handful of paths; walking through the game moves one line.

import { el, svg, clear } from "../lib/dom.js";
import { chance } from "./score.js";

const MARGIN = 6; // pixels around the curve
const MARK_KINDS = { "?!": "dubious", "?": "mistake", "??": "blunder" };

export class Graph {
    // onPick(ply) is told where somebody points.
    constructor(host, { label, onPick, onHover }) {
        this.points = [];
        this.ply = 0;
        this.onPick = onPick;
        this.onHover = onHover;
        this.curve = svg("svg", { class: "curve", role: "img", "aria-label": label });
        this.clock = svg("svg", { class: "clocks", "aria-hidden": "true" });
        this.node = el("div.graph", this.curve, this.clock);
        this.node.addEventListener("pointerdown", (event) => this.#point(event, true));
        this.node.addEventListener("pointermove", (event) => this.#point(event, event.buttons === 1));
        this.node.addEventListener("pointerleave", () => this.onHover?.(null));
        host.append(this.node);
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.node);
    }

    destroy() {
        this.observer.disconnect();
    }

    #point(event, picks) {
        const box = this.curve.getBoundingClientRect();
        const along = (event.clientX - box.left - MARGIN) / Math.max(1, box.width - 2 * MARGIN);
        const ply = Math.round(Math.min(1, Math.max(0, along)) * (this.points.length - 1));
        this.onHover?.(ply);
        if (picks && ply !== this.ply) this.onPick(ply);
    }

    // One point for the start and one for each ply: {seen, mark, side, used}.
    set(points) {
        this.points = points;
        this.node.classList.toggle("blank", !points.some((point) => point.seen));
        this.draw();
    }

    // --- drawing -----------------------------------------------------------------------------------

    #x(ply) {
        return MARGIN + (ply / Math.max(1, this.points.length - 1)) * (this.width - 2 * MARGIN);
    }

    #y(seen) {
        return MARGIN + (1 - chance(seen)) * (this.height - 2 * MARGIN);
    }

    draw() {
        const box = this.curve.getBoundingClientRect();
        if (!box.width) return;
        this.width = box.width;
        this.height = box.height;
        this.curve.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
        this.#drawCurve();
        this.#drawClocks();
        this.cursor(this.ply);
    }

    // Stretches of plies that have a score.
    #runs() {
        const runs = [];
        let run = null;
        this.points.forEach((point, ply) => {
            if (!point.seen) run = null;
            else if (run) run.push(ply);
            else runs.push((run = [ply]));
        });
        return runs;
    }

    #drawCurve() {
        const middle = this.height / 2;
        const place = (ply) => `${this.#x(ply).toFixed(1)} ${this.#y(this.points[ply].seen).toFixed(1)}`;
        let line = "";
        let area = "";
        for (const run of this.#runs()) {
            const way = run.map(place).join("L");
            line += `M${way}`;
            area += `M${this.#x(run[0]).toFixed(1)} ${middle}L${way}L${this.#x(run[run.length - 1]).toFixed(1)} ${middle}Z`;
        }
        this.line = svg("line", { class: "cursor", y1: 0, y2: this.height });
        this.dot = svg("circle", { class: "dot", r: 4 });
        clear(this.curve).append(
            svg("line", { class: "even", x1: 0, x2: this.width, y1: middle, y2: middle }),
            svg("path", { class: "area", d: area }),
            svg("path", { class: "line", d: line }),
            ...this.#marks(),
            this.line, this.dot);
    }

    #marks() {
        return this.points.flatMap(({ mark, seen }, ply) => {
            if (!mark || !seen) return [];
            const r = mark === "??" ? 4.5 : 3.5;
            return [svg("circle", { class: `mark ${MARK_KINDS[mark]}`, cx: this.#x(ply), cy: this.#y(seen), r })];
        });
    }

    // The first side's time above the line, the second's below; the root of it, for most moves are quick.
    #drawClocks() {
        const longest = Math.max(0, ...this.points.map((point) => point.used ?? 0));
        this.clock.classList.toggle("none", !longest);
        if (!longest) return;
        const height = this.clock.getBoundingClientRect().height || 40;
        const middle = height / 2;
        const wide = Math.max(1, Math.min(10, (this.width - 2 * MARGIN) / this.points.length * 0.8));
        const bars = ["", ""];
        this.points.forEach((point, ply) => {
            if (!point.used) return;
            const tall = Math.sqrt(point.used / longest) * (middle - 1);
            const top = point.side === 0 ? middle - tall : middle;
            const [x, y, across, down] = [this.#x(ply) - wide / 2, top, wide, tall].map((n) => n.toFixed(1));
            bars[point.side] += `M${x} ${y}h${across}v${down}h-${across}Z`;
        });
        this.clock.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
        this.clockLine = svg("line", { class: "cursor", y1: 0, y2: height });
        clear(this.clock).append(
            svg("line", { class: "even", x1: 0, x2: this.width, y1: middle, y2: middle }),
            svg("path", { class: "first", d: bars[0] }), svg("path", { class: "second", d: bars[1] }),
            this.clockLine);
    }

    cursor(ply) {
        this.ply = ply;
        const point = this.points[ply];
        if (!this.line || !point) return;
        const x = this.#x(ply).toFixed(1);
        for (const line of [this.line, this.clockLine])
            if (line) for (const name of ["x1", "x2"]) line.setAttribute(name, x);
        this.dot.setAttribute("cx", x);
        this.dot.setAttribute("cy", point.seen ? this.#y(point.seen) : -20);
    }
}
