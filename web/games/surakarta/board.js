// Surakarta's board as drawn: where points lie, the lines, the eight loops, and the path of a capture along
// them. A hundred units from point to point, a6 at the origin; turned round, everything is mirrored in the middle.
import { svg } from "../../lib/dom.js";
import { sideOf } from "../../rules/position.js";

const LAST = 500; // units from the first line to the last
const MARGIN = 250; // the outer loops reach 200 beyond the lines; behind them is the rim with the coordinates
const RIM = 226; // of the lines, where the coordinates stand

const mirror = (value, orientation) => (orientation ? LAST - value : value);

function at(point, orientation = 0) {
    return [mirror((point % 6) * 100, orientation), mirror(Math.floor(point / 6) * 100, orientation)];
}

// --- the board ----------------------------------------------------------------------------------

const CIRCUIT_LINES = [[100, 400], [200, 300]]; // inner and outer: their columns and rows

// Three quarters of a circle round a corner of the board, from one line's end to the other's.
function loop(cornerX, cornerY, radius) {
    const dx = cornerX ? -radius : radius, dy = cornerY ? -radius : radius;
    const sweep = dx * dy > 0 ? 0 : 1;
    return `M${cornerX + dx} ${cornerY}A${radius} ${radius} 0 1 ${sweep} ${cornerX} ${cornerY + dy}`;
}

function circuitPath(circuit) {
    const lines = CIRCUIT_LINES[circuit].map((v) => `M${v} 0V${LAST}M0 ${v}H${LAST}`).join("");
    const radius = 100 * (circuit + 1);
    return lines + [0, LAST].flatMap((x) => [0, LAST].map((y) => loop(x, y, radius))).join("");
}

function drawGrid(id) {
    return svg("g", { id },
        svg("path", { class: "k-line", d: `M0 0H${LAST}V${LAST}H0Z` }),
        svg("path", { class: "k-line circuit-1", d: circuitPath(1) }),
        svg("path", { class: "k-line circuit-0", d: circuitPath(0) }),
        svg("path", { class: "k-dots", d: Array.from({ length: 36 }, (_, p) => `M${at(p).join(" ")}h0`).join("") }));
}

// On the rim: letters below, numbers on the left.
function labels(orientation) {
    const list = [];
    for (let i = 0; i < 6; i++) {
        list.push({ x: i * 100, y: LAST + RIM, text: "abcdef"[orientation ? 5 - i : i] });
        list.push({ x: -RIM, y: i * 100, text: String(orientation ? i + 1 : 6 - i) });
    }
    return list;
}

// --- routes -------------------------------------------------------------------------------------

// The way of a capture: an SVG path, its length, and how far along it each loop is left behind.
function routePath(route, orientation = 0) {
    const points = route.points.map((point) => at(point, orientation));
    let d = `M${points[0].join(" ")}`, length = 0;
    const loopEnds = [];
    for (let i = 1; i < points.length; i++) {
        const [x0, y0] = points[i - 1], [x1, y1] = points[i];
        if (x0 === x1 || y0 === y1) {
            d += `L${x1} ${y1}`;
            length += Math.abs(x1 - x0) + Math.abs(y1 - y0);
            continue;
        }
        const cornerX = x0 + x1 < LAST ? 0 : LAST, cornerY = y0 + y1 < LAST ? 0 : LAST;
        const radius = Math.abs(x0 - cornerX) + Math.abs(y0 - cornerY);
        const turn = (x0 - cornerX) * (y1 - cornerY) - (y0 - cornerY) * (x1 - cornerX);
        d += `A${radius} ${radius} 0 1 ${turn > 0 ? 0 : 1} ${x1} ${y1}`;
        length += 1.5 * Math.PI * radius;
        loopEnds.push(length);
    }
    return { d, length, loopEnds };
}

// --- stones -------------------------------------------------------------------------------------

function stone(id, side) {
    return svg("g", { id },
        svg("circle", { class: "k-shadow", cx: 2, cy: 4, r: 37 }),
        svg("circle", { r: 37, class: `k-stone-${side}`, fill: side ? "url(#kraton-light)" : "url(#kraton-dark)" }));
}

export const drawing = {
    box: [-MARGIN, -MARGIN, LAST + 2 * MARGIN, LAST + 2 * MARGIN],
    columns: 6,
    rows: 6,
    radius: 37, // of a piece
    at,
    drawGrid,
    labels,
    routePath,
    piece: (piece) => ({ id: `stone-${sideOf(piece)}`, draw: (id) => stone(id, sideOf(piece)) }),
    // Points by row and column as seen, for the keyboard and for screen readers.
    pointAt: (row, column, orientation) => (orientation ? 35 - (row * 6 + column) : row * 6 + column),
};
