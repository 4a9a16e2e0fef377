// A board as a picture that stands alone: SVG with its colours written into it, and PNG made from that.

import { el, svg } from "../lib/dom.js";
import { Board } from "../board/board.js";

// What a style sheet says of a drawing; it is written into every element.
const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"];
const INITIAL = { opacity: "1", "stroke-dasharray": "none", stroke: "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-width": "1px" };

function writeStyle(node) {
    const style = getComputedStyle(node), isText = node.localName === "text";
    for (const name of PROPERTIES) {
        const value = style.getPropertyValue(name);
        if (value && value !== INITIAL[name] && (isText || !/^(font|text|dominant)/.test(name))) node.setAttribute(name, value.replaceAll('"', "'"));
    }
}

// What a <use> refers to takes its place.
function expand(use) {
    const target = document.querySelector(use.getAttribute("href"));
    const group = svg("g", { class: use.getAttribute("class") ?? "", transform: use.getAttribute("transform") });
    const copy = target.cloneNode(true);
    copy.removeAttribute("id");
    group.append(copy);
    use.replaceWith(group);
}

// The picture as text. `shown` is what Board.set takes beside the position.
export function drawSvg(options, position, shown = {}) {
    const host = el("div", { style: { position: "fixed", left: "-9999px", top: "0", width: "600px" }, "aria-hidden": "true" });
    document.body.append(host);
    try {
        const board = new Board(host, { ...options, interactive: "none", animate: false });
        board.set(position, shown);
        const drawing = board.svg;
        for (const layer of ["cells", "over"]) board.layers[layer]?.remove();
        drawing.querySelectorAll("use").forEach(expand);
        drawing.querySelectorAll("g, path, circle, rect, text").forEach(writeStyle);
        for (const node of drawing.querySelectorAll("*")) for (const name of ["class", "aria-hidden", "style"]) node.removeAttribute(name);
        const gradients = [...document.querySelectorAll(".kraton-store > :is(linearGradient, radialGradient)")].map((node) => node.cloneNode(true));
        drawing.prepend(svg("defs", gradients));
        const [, , width, height] = board.drawing.box;
        for (const name of [...drawing.getAttributeNames()]) if (name !== "viewBox") drawing.removeAttribute(name);
        drawing.setAttribute("width", width);
        drawing.setAttribute("height", height);
        const text = new XMLSerializer().serializeToString(drawing);
        board.destroy();
        return text;
    } finally {
        host.remove();
    }
}

export const dataAddress = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;

export async function makePng(text, width = 1200) {
    const image = new Image();
    image.src = dataAddress(text);
    await image.decode();
    const canvas = el("canvas", { width, height: Math.round((width * image.naturalHeight) / image.naturalWidth) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
