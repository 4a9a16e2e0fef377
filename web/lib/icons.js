// The page's signs, drawn: no font is asked for them.

import { el, svg } from "./dom.js";
import { sideName } from "./words.js";
import { rowOf } from "../games/index.js";

const PATHS = {
    first: "M6 5v14M19 5l-9 7 9 7z",
    back: "M16 5l-9 7 9 7z",
    next: "M8 5l9 7-9 7z",
    last: "M18 5v14M5 5l9 7-9 7z",
    play: "M5 5v14M9.5 5l10 7-10 7z",
    pause: "M8 5v14M16 5v14",
    hand: "M12 3v18M3 12h18M12 3L9.5 5.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5",
    eraser: "M9 5h11v14H9l-6-7zM12 9.5l5 5m0-5l-5 5",
    flip: "M7 4v15m0 0l-3.5-3.5M7 19l3.5-3.5M17 20V5m0 0l-3.5 3.5M17 5l3.5 3.5",
    sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
    silent: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9.5l5 5m0-5l-5 5",
    auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
    light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.300 5.300l1.4 1.4M17.300 17.300l1.4 1.4M18.700 5.300l-1.4 1.4M6.700 17.300l-1.4 1.4",
    dark: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
    close: "M6 6l12 12M18 6L6 18",
    flag: "M6 21V4M6 4.5c4-2 7 2 12 0v8c-5 2-8-2-12 0",
    undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12H8",
    draw: "M5 9h14M5 15h14",
    copy: "M9 9h10v11H9zM15 9V4H5v11h4",
};
const FILLED = new Set(["first", "back", "next", "last", "play"]);

export function icon(name) {
    return svg("svg", {
        class: "icon-sign", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true",
        fill: FILLED.has(name) ? "currentColor" : "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round",
    }, svg("path", { d: PATHS[name] }), name === "auto" && svg("path", { d: "M12 4a8 8 0 0 0 0 16z", fill: "currentColor" }));
}

// A stone of a side's colour on a bit of board: it looks the same on a light page and on a dark one.
export function sideMark(game, side) {
    return el("span.side-mark", { "data-side": side, "data-colour": rowOf(game).colours[side], title: sideName(game, side) });
}
