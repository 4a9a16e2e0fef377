// The engine in the browser: lines, endgames and games without the server's engines and without a server, the fallback
// where it cannot be loaded, and how a new version of the page replaces an old one.
import { cpSync, existsSync, mkdtempSync, appendFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Server, openBrowser, visitor, visit, check, note, shot, until, settled, comes, kraton, main } from "./kit.mjs";

const web = join(dirname(kraton), "web");
if (!existsSync(join(web, "engines/kraton-xiangqi.wasm"))) {
    console.log("the engines for browsers were not built: that takes clang, lld and wasi-libc");
    process.exit(77);
}
const ENDGAME = "6/1b2b1/6/2w3/4w1/6_b";

const lineCount = (page) => page.evaluate(() => document.querySelectorAll(".lines .line:not(.blank)").length);

async function turnOn(page) {
    if ((await page.getAttribute("button.toggle", "aria-checked")) !== "true") await page.click("button.toggle");
}

// The server has no engines for analysis.
async function analyses(browser, server) {
    for (const game of ["surakarta", "xiangqi"]) {
        const page = await visitor(browser);
        await visit(page, `${server.url}/study/${game}`);
        const began = Date.now();
        await turnOn(page);
        check(`${game}: the browser's engine shows lines`, await comes(async () => (await lineCount(page)) > 0, 10));
        note(`${game}: first line ${Date.now() - began} ms after it was turned on, program loaded and compiled`);
        check(`${game}: up to the third line`, await comes(async () => (await lineCount(page)) === 3));
        const before = await page.textContent(".lines");
        await page.click(".lines .pv button");
        check(`${game}: a move played asks anew`, await comes(async () => (await lineCount(page)) > 0 && (await page.textContent(".lines")) !== before));
        await shot(page, `engine-${game}`);
        check(`${game}: no faults`, page.faults.length === 0, page.faults.join("; "));
        await page.context().close();
    }
}

// The server has no tables.
async function looksUp(browser, server) {
    const page = await visitor(browser);
    await visit(page, `${server.url}/study/surakarta?fen=${ENDGAME}`);
    const found = await page.evaluate(async (fen) => {
        const { get } = await window.moduleOf("/engine/answers.js");
        return get("/tables/surakarta", { fen });
    }, ENDGAME.replace("_", " "));
    const [best] = found.moves;
    check("endgames are looked up here", found.value === "win" && best.move === "b5xe2" && best.distance === 1, JSON.stringify(best));
    await page.context().close();
}

// The server thinks where the browser's engine is missing.
async function fallsBack(browser, server) {
    const page = await visitor(browser);
    await page.route("**/engines/*", (route) => route.fulfill({ status: 404 }));
    let asked = 0;
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => (asked += String(payload).includes('"analyse"'))));
    await visit(page, `${server.url}/study/surakarta`);
    await turnOn(page);
    check("without the program the server's engine shows lines", await comes(async () => (await lineCount(page)) > 0));
    check("and was asked", asked > 0);
    await page.context().close();
}

// --- without a server -------------------------------------------------------------------------------

// Waits until the service worker has everything.
function isKept(page) {
    return comes(() => page.evaluate(async () => {
        if (!navigator.serviceWorker?.controller) return false;
        const names = await caches.keys();
        const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        const urls = kept.flat().map(({ url }) => url);
        const wanted = ["kraton-surakarta.wasm", "kraton-xiangqi.wasm", "/index.html", "/api/games", "/puzzles/surakarta/20", "/puzzles/xiangqi/20"];
        return wanted.every((end) => urls.some((url) => url.endsWith(end)));
    }));
}

const pieces = (page) => page.evaluate(() => document.querySelectorAll("svg .piece").length);

async function playsAlone(page, url) {
    await visit(page, `${url}/`);
    check("the start stands without a server", (await page.locator(".pick").count()) === 2);
    await page.click(".pick[data-game=xiangqi] button.primary");
    await page.click("dialog.setup button[type=submit]");
    await until(page, () => location.pathname === "/solo/xiangqi");
    check("it is the visitor's move", await comes(() => page.evaluate(() => Boolean(document.querySelector(".status.mine")))));
    await page.evaluate(async () => {
        document.querySelector(".controls button").click(); // a hint
    });
    check("a hint is marked", await comes(() => page.evaluate(() => Boolean(document.querySelector(".board-host .good")))));
    await page.evaluate(async () => {
        const { prefs } = await window.moduleOf("/lib/store.js");
        prefs.set("solo.xiangqi", { ...prefs.get("solo.xiangqi"), moves: ["h2e2"] });
    });
    await page.reload();
    await settled(page);
    check("the computer answers", await comes(() => page.evaluate(() => document.querySelectorAll(".puzzle-line .ply").length === 2)));
    check("board and pieces are drawn", (await pieces(page)) > 0);
    await shot(page, "engine-solo");
}

async function worksAlone(page, url) {
    for (const path of ["/study/surakarta", "/learn/xiangqi", "/puzzles/surakarta", "/puzzles/xiangqi/7"]) {
        await visit(page, url + path);
        check(`${path} stands without a server`, await comes(async () => (await pieces(page)) > 0 && !(await page.locator("section.empty").count())));
    }
    await visit(page, `${url}/study/surakarta`);
    await turnOn(page);
    check("and analyses", await comes(async () => (await lineCount(page)) > 0));
}

// A new version: its files are others, and no page has some of both.
async function changesVersion(page, server, copy) {
    const version = () => page.evaluate(() => document.documentElement.dataset.files);
    const old = await version();
    appendFileSync(join(copy, "style.css"), "/* another version */\n");
    await server.restart();
    await visit(page, `${server.url}/learn/surakarta`);
    check("the old version stands at once", (await version()) === old);
    await until(page, async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
    check("and loads the rest of itself", await page.evaluate(async () => Boolean(await window.moduleOf("/watch/live.js"))));
    check("later visits have the new one", await comes(async () => {
        await page.goto(`${server.url}/`).catch(() => {}); // the page may be loading itself anew
        await settled(page);
        return (await version().catch(() => old)) !== old;
    }));
    await settled(page);
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => /\/v\/[0-9a-f]+/.exec(name)?.[0]).filter(Boolean));
    check("whole", loaded.length > 0 && new Set(loaded).size === 1, [...new Set(loaded)].join(" "));
}

await main(async (keep) => {
    const browser = keep(await openBrowser());
    const bare = keep(await Server.start("--bots", "0"));
    await analyses(browser, bare);
    await looksUp(browser, bare);
    await fallsBack(browser, keep(await Server.start()));

    const copy = mkdtempSync(join(tmpdir(), "kraton-web-"));
    keep({ stop: () => rmSync(copy, { recursive: true }) });
    cpSync(web, copy, { recursive: true, dereference: true, filter: (path) => !path.startsWith(join(web, "docs")) });
    const server = keep(await Server.start("--web", copy));
    const page = await visitor(browser, { serviceWorkers: "allow", prefs: { "setup.xiangqi": { level: 1, tc: "inf" } } });
    await visit(page, `${server.url}/`);
    check("one visit keeps all that is needed", await isKept(page));
    await server.kill();
    await playsAlone(page, server.url);
    await worksAlone(page, server.url);
    await changesVersion(page, server, copy);
});
