// The pieces, kept once in a hidden drawing of the page and used by every board: stones, discs with characters,
// discs with pictures. Colours are the board theme's (board.css).
import { svg } from "../lib/dom.js";
import { sideOf, typeOf } from "../rules/position.js";
import { write } from "./brush.js";
import { GLYPHS } from "./glyphs.js";
import { PICTURES } from "./pictures.js";
import { drawing as surakarta } from "./surakarta.js";
import { drawing as xiangqi } from "./xiangqi.js";

export const drawings = { surakarta, xiangqi };

const CHARACTERS = [["", "俥", "炮", "傌", "兵", "相", "仕", "帥"], ["", "車", "砲", "馬", "卒", "象", "士", "將"]];
let store = null;

function gradient(id, cx, cy, stops) {
    return svg("radialGradient", { id, cx, cy, r: "0.75" },
        stops.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour })));
}

// A grain of faint bands, laid over the ground of wooden boards.
function grain() {
    const bands = [0, 7, 13, 22, 28, 37, 41, 52, 60, 66, 75, 83, 88, 95, 100];
    return svg("linearGradient", { id: "kraton-grain", x1: "0", y1: "0", x2: "0.12", y2: "1" },
        bands.map((percent, i) => svg("stop", { offset: percent / 100, "stop-color": i % 2 ? "#fff" : "#5a3208", "stop-opacity": i % 2 ? 0.1 : 0.05 + (i % 3) * 0.02 })));
}

function openStore() {
    if (store?.isConnected) return store;
    store = svg("svg", { class: "kraton-store", width: 0, height: 0, "aria-hidden": "true" },
        grain(),
        gradient("kraton-dark", 0.36, 0.3, [[0, "#767b84"], [0.3, "#3c4047"], [1, "#16181c"]]),
        gradient("kraton-light", 0.36, 0.3, [[0, "#ffffff"], [0.55, "#f4f1ea"], [1, "#c9c2b4"]]),
        gradient("kraton-disc", 0.4, 0.32, [[0, "#fff6de"], [0.7, "#f6e2b5"], [1, "#e2c388"]]));
    document.body.append(store);
    return store;
}

function once(id, make) {
    if (!openStore().querySelector(`#${id}`)) store.append(make(id));
    return `#${id}`;
}

function stone(id, side) {
    return svg("g", { id },
        svg("circle", { class: "k-shadow", cx: 2, cy: 4, r: 37 }),
        svg("circle", { r: 37, class: `k-stone-${side}`, fill: side ? "url(#kraton-light)" : "url(#kraton-dark)" }));
}

function disc(id, side, ...marks) {
    return svg("g", { id },
        svg("circle", { class: "k-shadow", cx: 2, cy: 4, r: 44 }),
        svg("circle", { class: "k-disc", r: 44, fill: "url(#kraton-disc)" }),
        svg("circle", { class: `k-disc-ring ink-${side}`, r: 38 }),
        ...marks);
}

function characterDisc(id, side, type) {
    const [weight, strokes] = GLYPHS[CHARACTERS[side][type]];
    return disc(id, side, svg("path", { class: `k-ink ink-${side}`, d: write(strokes, weight * 1.08), transform: "translate(-28 -28.5) scale(0.56)" }));
}

function pictureDisc(id, side, type) {
    return disc(id, side, svg("path", { class: `k-ink ink-${side}`, "fill-rule": "evenodd", d: PICTURES[type] }));
}

// What a <use> refers to for a piece.
export function pieceRef(game, set, piece) {
    const side = sideOf(piece), type = typeOf(piece);
    if (game === "surakarta") return once(`kraton-stone-${side}`, (id) => stone(id, side));
    if (set === "western") return once(`kraton-picture-${piece}`, (id) => pictureDisc(id, side, type));
    return once(`kraton-character-${piece}`, (id) => characterDisc(id, side, type));
}

export const gridRef = (game) => once(`kraton-grid-${game}`, (id) => drawings[game].drawGrid(id));

// A piece by itself, for palettes, rows of captured pieces and texts.
export function pieceIcon(game, piece, { set = "traditional", size = 24 } = {}) {
    return svg("svg", { class: "kraton-piece", viewBox: "-50 -50 100 100", width: size, height: size, "data-piece": piece, "aria-hidden": "true" },
        svg("use", { href: pieceRef(game, set, piece) }));
}
