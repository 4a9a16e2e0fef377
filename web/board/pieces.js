// The pieces, kept once in a hidden drawing of the page and used by every board. How they look is the game's to say
// (games/GAME/board.js); colours are the board theme's (board.css).
import { svg } from "../lib/dom.js";
import { modulesOf } from "../games/index.js";

export const drawings = Object.fromEntries([...await modulesOf("board")].map(([game, { drawing }]) => [game, drawing]));

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

// What a <use> refers to for a piece. Its drawing says under which name to keep it and how to draw it.
export function pieceRef(game, set, piece) {
    const { id, draw } = drawings[game].piece(piece, set);
    return once(`kraton-${id}`, draw);
}

export const gridRef = (game) => once(`kraton-grid-${game}`, (id) => drawings[game].drawGrid(id));

// A piece by itself, for palettes, rows of captured pieces and texts.
export function pieceIcon(game, piece, { set = "traditional", size = 24 } = {}) {
    return svg("svg", { class: "kraton-piece", viewBox: "-50 -50 100 100", width: size, height: size, "data-piece": piece, "aria-hidden": "true" },
        svg("use", { href: pieceRef(game, set, piece) }));
}
