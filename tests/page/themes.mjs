// Light and dark: what stands for Black, White and Red means the same in both themes. A dark mark on a dark page must not
// look like the empty ring that is White on a light one.
import { Server, check, main, openBrowser, shot, visit, visitor } from "./kit.mjs";
import { playGame } from "./games.mjs";

const MOVES = { surakarta: ["b5-b4", "b2-b3", "c5-c4", "c2-c3"], xiangqi: ["h2e2", "h9g7", "h0g2", "i9h9"] };

// --- colours -----------------------------------------------------------------------------------------

function luminance(rgb) {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
}

const far = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

// The colours of a mark as they are on the screen: in its middle, and beside the left edge.
async function pixels(page, mark) {
    const bytes = [...(await mark.screenshot({ animations: "disabled" }))];
    return page.evaluate(async (png) => {
        const picture = await createImageBitmap(new Blob([Uint8Array.from(png)]));
        const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        const at = (x, y) => [...context.getImageData(Math.floor(x * picture.width), Math.floor(y * picture.height), 1, 1).data].slice(0, 3);
        return { middle: at(0.5, 0.5), edge: at(0.1, 0.5) };
    }, bytes);
}

// --- marks -------------------------------------------------------------------------------------------

// The marks of a view by side.
async function marksOf(page, url, selector) {
    await visit(page, url);
    await page.locator(selector).nth(1).waitFor();
    const found = {};
    for (const mark of await page.locator(selector).all()) found[(await mark.getAttribute("data-side")).at(-1)] ??= await pixels(page, mark);
    return found;
}

async function sameMarks(pages, server, game, id) {
    const views = { replay: `/study/game/${id}`, table: `/game/${id}`, archive: `/archive?game=${game}` };
    for (const [name, path] of Object.entries(views)) {
        const [light, dark] = [await marksOf(pages.light, server.url + path, ".side-mark"), await marksOf(pages.dark, server.url + path, ".side-mark")];
        for (const side of ["0", "1"]) {
            const off = Math.max(far(light[side].middle, dark[side].middle), far(light[side].edge, dark[side].edge));
            check(`${game}, ${name}: side ${side} has one mark in both themes`, off <= 6, JSON.stringify([light[side], dark[side]]));
            check(`${game}, ${name}: the mark of side ${side} stands out from a ground of its own`, contrast(light[side].middle, light[side].edge) > 1.6, JSON.stringify(light[side]));
        }
        const black = light[game === "surakarta" ? 0 : 1].middle, other = light[game === "surakarta" ? 1 : 0].middle;
        check(`${game}, ${name}: Black's mark is black`, luminance(black) < 0.06, String(black));
        check(`${game}, ${name}: the other's is ${game === "surakarta" ? "white" : "red"}`, game === "surakarta" ? luminance(other) > 0.7 : other[0] > 2 * other[2], String(other));
    }
}

// --- bars --------------------------------------------------------------------------------------------

const colour = (page, selector, property) => page.locator(selector).first().evaluate((node, property) => getComputedStyle(node)[property].match(/[\d.]+/g).slice(0, 3).map(Number), property);

// The bar beside the board and the times below the graph: the darker one is Black's, and neither looks empty.
async function bars(page, theme, server, game, id) {
    await visit(page, `${server.url}/study/game/${id}`);
    await page.locator(".graph .first").waitFor({ state: "attached" });
    const ground = await colour(page, "body", "backgroundColor"), card = await colour(page, ".card", "backgroundColor");
    const [first, second] = [await colour(page, ".evalbar .fill", "backgroundColor"), await colour(page, ".evalbar", "backgroundColor")];
    const [ours, theirs] = [await colour(page, ".graph .first", "fill"), await colour(page, ".graph .second", "fill")];
    if (game === "surakarta") {
        check(`${game}, ${theme}: Black's part of the bar is the darker one`, luminance(first) < luminance(second), `${first} / ${second}`);
        check(`${game}, ${theme}: Black's times are the darker ones`, luminance(ours) < luminance(theirs), `${ours} / ${theirs}`);
    } else {
        check(`${game}, ${theme}: Red's part of the bar is red`, first[0] > 2 * first[2], String(first));
        check(`${game}, ${theme}: Red's times are red`, ours[0] > 1.5 * ours[2] && theirs[0] < 1.5 * theirs[2], `${ours} / ${theirs}`);
    }
    const black = game === "surakarta" ? first : second;
    check(`${game}, ${theme}: Black's part of the bar does not look empty`, contrast(black, ground) > 1.5 && contrast(black, card) > 1.5, `${black} on ${ground}, ${card}`);
    await shot(page, `themes-replay-${game}-${theme}`);
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const pages = {};
    for (const theme of ["light", "dark"]) pages[theme] = await visitor(browser, { width: 1440, prefs: { theme } });
    for (const game of ["surakarta", "xiangqi"]) {
        const id = await playGame(server, game, MOVES[game], { scores: [20, -15, 10, -20], slow: 2, loser: "second" });
        await sameMarks(pages, server, game, id);
        for (const [theme, page] of Object.entries(pages)) await bars(page, theme, server, game, id);
    }
    for (const [theme, page] of Object.entries(pages)) check(`no errors in the console, ${theme}`, page.faults.length === 0, page.faults.join("; "));
});
