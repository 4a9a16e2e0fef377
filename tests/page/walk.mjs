// One visit of somebody new, from `/` by clicks only, through all views: every board that is met is drawn as its style
// sheet says. A board without its sheet is black.
import { readFileSync } from "node:fs";
import { Pictures } from "./pictures.mjs";
import { World, stillVisitor, tour } from "./tour.mjs";
import { check, comes, main, note, openBrowser, shot } from "./kit.mjs";

const sheet = readFileSync(new URL("../../web/board/board.css", import.meta.url), "utf8");

// The value of a property in the first rule of board.css with this selector.
function said(selector, property) {
    const start = sheet.indexOf(`\n${selector} {`);
    const body = sheet.slice(sheet.indexOf("{", start) + 1, sheet.indexOf("}", start));
    const found = new RegExp(`(?:^|[;{\\s])${property}:\\s*([^;]+);`).exec(body);
    if (start < 0 || !found) throw new Error(`board.css says nothing of ${property} in ${selector}`);
    return found[1].trim();
}

// What one sees of a board, as the style sheet says it: [selector, property, value].
const COLOURS = ["--b-ground", "--b-edge", "--b-line", "--b-label", "--b-inner", "--b-outer"];
const PARTS = [[".ground", "fill", said(".board", "--b-ground")], [".ground", "stroke", said(".board", "--b-edge")], [".grain", "opacity", said(".board", "--b-grain")]];
const SHARED = {
    surakarta: [[".k-line", "fill", "none"], [".k-stone-0", "stroke-width", "1.5px"], [".k-stone-1", "stroke", said(".k-stone-1", "stroke")], [".k-shadow", "fill", said(".k-shadow", "fill")]],
    xiangqi: [[".k-line", "fill", "none"], [".k-dots", "fill", "none"], [".k-disc", "stroke", said(".k-disc", "stroke")], [".k-disc-ring.ink-0", "stroke", said(".k-disc-ring.ink-0", "stroke")],
        [".k-ink.ink-0", "fill", said(".k-ink.ink-0", "fill")], [".k-ink.ink-1", "fill", said(".k-ink.ink-1", "fill")]],
};

// Runs in the page: what is not as it should be on one board, as words. Lines and men are kept once in a hidden drawing
// (.kraton-store) that all boards use, so they are looked up there.
function faultsOf(board, { colours, parts, shared }) {
    const faults = [];
    const probe = document.createElement("i");
    document.body.append(probe);
    const plain = (property, value) => {
        if (!/fill|stroke$/.test(property) || value === "none") return value;
        probe.style.color = "";
        probe.style.color = value;
        return getComputedStyle(probe).color;
    };
    const compare = (what, have, want) => have !== want && faults.push(`${what} is ${have}, not ${want}`);
    const style = getComputedStyle(board);
    compare("position", style.position, "relative");
    for (const [name, want] of colours) compare(name, style.getPropertyValue(name).trim(), want);
    const look = (host, list) => {
        for (const [selector, property, want] of list) {
            const node = host.querySelector(selector);
            if (!node) faults.push(`no ${selector}`);
            else compare(`${property} of ${selector}`, getComputedStyle(node)[property], plain(property, want));
        }
    };
    look(board, parts);
    look(document.querySelector(".kraton-store") ?? document, shared[board.classList.contains("xiangqi") ? "xiangqi" : "surakarta"]);
    probe.remove();
    return faults;
}

// Measured: at most 2 % of a drawn board with all its men, up to 93 % of a board without its sheet.
const MOST_DARK = 0.1;

await main(async (keep) => {
    const world = keep(await World.make());
    const browser = keep(await openBrowser());
    const pictures = keep(await Pictures.open(browser));
    const page = await stillVisitor(browser, { width: 1280, height: 900 });
    const terms = { colours: COLOURS.map((name) => [name, said(".board", name)]), parts: PARTS, shared: SHARED };
    let count = 0;
    let darkest = 0;
    for await (const { name, boards, isCovered } of tour(page, world)) {
        const seen = page.locator(".board:visible");
        const isThere = check(`${name}: ${boards} boards or more`, await comes(async () => (await seen.count()) >= boards), `${await seen.count()}`);
        if (!isThere) continue;
        const all = await seen.all();
        const faults = [];
        const dark = [];
        for (const [number, board] of all.entries()) {
            for (const fault of await board.evaluate(faultsOf, terms)) faults.push(`board ${number + 1}: ${fault}`);
            if (isCovered) continue;
            dark.push(await pictures.darkShare((await board.screenshot()).toString("base64")));
        }
        count += all.length;
        if (!all.length) continue;
        const isStyled = check(`${name}: every board is styled as its sheet says`, faults.length === 0, faults.slice(0, 6).join("; "));
        const isLight = check(`${name}: no board is dark`, dark.every((share) => share < MOST_DARK), dark.map((share) => `${(100 * share).toFixed(0)} %`).join(", "));
        darkest = Math.max(darkest, ...dark);
        if (!isStyled || !isLight) await shot(page, `walk-${name}`);
    }
    note(`${count} boards looked at; the darkest is dark to ${(100 * darkest).toFixed(1)} %`);
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
