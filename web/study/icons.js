// The signs on the study's buttons, drawn: fonts differ in which they have.

import { svg } from "../lib/dom.js";

const PATHS = {
    first: "M5 5h2.4v14H5zM19 5v14L8.6 12z",
    previous: "M16 5v14L6 12z",
    next: "M8 5v14l10-7z",
    last: "M16.6 5H19v14h-2.4zM5 5v14l10.4-7z",
    flip: "M7 4l4.5 5H8.2v11H5.8V9H2.5zM17 20l-4.5-5h3.3V4h2.4v11h3.3z",
    play: "M7 4v16l13-8zM3 4h2v16H3z",
    pause: "M6 5h4v14H6zM14 5h4v14h-4z",
    hand: "M12 2l3.5 4h-2.3v4.8H18V8.5l4 3.5-4 3.5v-2.3h-4.8V18h2.3L12 22l-3.5-4h2.3v-4.8H6v2.3L2 12l4-3.5v2.3h4.8V6H8.500z",
    eraser: "M8 5h13v14H8l-6-7zm3.300 3.300L9.900 9.700 12.200 12l-2.300 2.300 1.400 1.400 2.300-2.300 2.300 2.300 1.400-1.400L15 12l2.300-2.300-1.400-1.400-2.300 2.300z",
};

export function icon(name) {
    return svg("svg", { class: "sign", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
        svg("path", { d: PATHS[name], fill: "currentColor", "fill-rule": "evenodd" }));
}
