// Xiangqi's board as drawn: where points lie, lines, palaces, the marks of cannons and pawns, the river with its
// name. A hundred units from point to point; a9 at the origin, so that Red sits below unless turned round.
import { svg } from "../../lib/dom.js";
import { write } from "../../board/brush.js";
import { sideOf, typeOf } from "../../rules/position.js";
import { GLYPHS, NUMERALS } from "./glyphs.js";
import { PICTURES } from "./pictures.js";

const WIDTH = 800, HEIGHT = 900;
const MARGIN = 76;

function at(point, orientation = 0) {
    const x = (point % 9) * 100, y = (9 - Math.floor(point / 9)) * 100;
    return orientation ? [WIDTH - x, HEIGHT - y] : [x, y];
}

// --- the board ----------------------------------------------------------------------------------

function linesPath() {
    let d = "";
    for (let row = 0; row < 10; row++) d += `M0 ${row * 100}H${WIDTH}`;
    for (let column = 1; column < 8; column++) d += `M${column * 100} 0V400M${column * 100} 500V${HEIGHT}`;
    d += `M0 0V${HEIGHT}M${WIDTH} 0V${HEIGHT}`;
    return d + "M300 0L500 200M500 0L300 200M300 900L500 700M500 900L300 700";
}

// Four small corners round a point; at the edge only two.
function cornersPath(x, y) {
    let d = "";
    for (const sx of [-1, 1])
        for (const sy of [-1, 1])
            if (x + sx * 10 > 0 && x + sx * 10 < WIDTH) d += `M${x + sx * 26} ${y + sy * 9}h${-sx * 17}v${sy * 17}`;
    return d;
}

function marksPath() {
    const cannons = [100, 700].flatMap((x) => [[x, 200], [x, 700]]);
    const pawns = [0, 200, 400, 600, 800].flatMap((x) => [[x, 300], [x, 600]]);
    return [...cannons, ...pawns].map(([x, y]) => cornersPath(x, y)).join("");
}

function character(name, x, y, size) {
    const [weight, strokes] = GLYPHS[name];
    return svg("path", { class: "k-river", d: write(strokes, weight), transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})` });
}

function drawGrid(id) {
    return svg("g", { id },
        svg("path", { class: "k-line frame", d: `M-16 -16H${WIDTH + 16}V${HEIGHT + 16}H-16Z` }),
        svg("path", { class: "k-line", d: linesPath() }),
        svg("path", { class: "k-line marks", d: marksPath() }),
        character("楚", 150, 450, 66), character("河", 260, 450, 66), character("漢", 540, 450, 66), character("界", 650, 450, 66));
}

// Letters and numbers, or each side's files as it counts them: Red in Chinese, Black in Arabic numerals.
function labels(orientation, style) {
    const list = [];
    for (let column = 0; column < 9; column++) {
        const file = orientation ? 8 - column : column, x = column * 100;
        if (style === "chinese") {
            const [red, black] = orientation ? [-58, HEIGHT + 58] : [HEIGHT + 58, -58];
            list.push({ x, y: red, glyph: NUMERALS[8 - file] }, { x, y: black, text: String(file + 1) });
        } else {
            list.push({ x, y: HEIGHT + 60, text: "abcdefghi"[file] });
        }
    }
    if (style !== "chinese")
        for (let row = 0; row < 10; row++) list.push({ x: -60, y: row * 100, text: String(orientation ? row : 9 - row) });
    return list;
}

// --- pieces -------------------------------------------------------------------------------------

const CHARACTERS = {
    traditional: [["", "俥", "炮", "傌", "兵", "相", "仕", "帥"], ["", "車", "砲", "馬", "卒", "象", "士", "將"]],
    simplified: [["", "车", "炮", "马", "兵", "相", "仕", "帅"], ["", "车", "炮", "马", "卒", "象", "士", "将"]],
};

function disc(id, side, ...marks) {
    return svg("g", { id },
        svg("circle", { class: "k-shadow", cx: 2, cy: 4, r: 44 }),
        svg("circle", { class: "k-disc", r: 44, fill: "url(#kraton-disc)" }),
        svg("circle", { class: `k-disc-ring ink-${side}`, r: 39.5 }),
        ...marks);
}

// The character fills the ring.
function characterDisc(id, side, sign) {
    const [weight, strokes] = GLYPHS[sign];
    return disc(id, side, svg("path", { class: `k-ink ink-${side}`, d: write(strokes, weight * 1.1), transform: "translate(-31.5 -32) scale(0.63)" }));
}

function pictureDisc(id, side, type) {
    return disc(id, side, svg("path", { class: `k-ink ink-${side}`, "fill-rule": "evenodd", d: PICTURES[type] }));
}

function piece(code, set) {
    const side = sideOf(code), type = typeOf(code);
    if (set === "western") return { id: `picture-${code}`, draw: (id) => pictureDisc(id, side, type) };
    const sign = (CHARACTERS[set] ?? CHARACTERS.traditional)[side][type];
    return { id: `character-${side}${sign}`, draw: (id) => characterDisc(id, side, sign) };
}

export const drawing = {
    box: [-MARGIN, -MARGIN, WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN],
    columns: 9,
    rows: 10,
    radius: 44, // of a piece
    at,
    drawGrid,
    labels,
    piece,
    routePath: () => null,
    pointAt: (row, column, orientation) => (orientation ? row * 9 + 8 - column : (9 - row) * 9 + column),
};
