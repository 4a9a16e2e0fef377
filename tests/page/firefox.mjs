// The walk of walk.mjs in Debian's firefox-esr, steered over WebDriver BiDi: every view from `/` by clicks, both languages
// of its heading, a whole move against the computer, no error in the console. Without pictures. Skipped where there is no
// Firefox.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { check, comes, main, note } from "./kit.mjs";
import { World } from "./tour.mjs";

const FIREFOX = "/usr/bin/firefox-esr";
const SKIPPED = 77;
const PATIENCE = 120_000;

if (!existsSync(FIREFOX)) {
    console.log("skipped: there is no firefox-esr here");
    process.exit(SKIPPED);
}

// What a view must have, by the link that leads there from the menu, the foot or the view before it.
const VIEWS = [
    [".bar nav a[href='/watch']", "/watch", ".live-card .board-svg"], [".more-links a[href='/ratings/surakarta']", "/ratings/surakarta", "main h1"],
    [".bar nav a[href='/tournaments']", "/tournaments", ".tournament-row"], [".tournament-row[data-id='1'] a", "/tournament/1", ".standings tbody tr"],
    [".foot a[href='/archive']", "/archive", ".found tbody tr"], [".found tr[data-game='2'] td.result a", "/study/game/2", ".study-board .piece"],
    [".bar nav a[href='/study']", "/study", ".study-board .piece"], [".choices a[href='/study/xiangqi']", "/study/xiangqi", ".study-board .piece"],
    [".bar nav a[href='/puzzles']", "/puzzles", "main .board-svg"], ["main section[data-game=xiangqi] a.button", "/puzzles/xiangqi", ".puzzle-view .piece"],
    [".bar nav a[href='/learn']", "/learn", ".learn-card .board-svg"], ["main a[href='/learn/surakarta']", "/learn/surakarta", ".lesson-board .board-svg"],
    ["#who", "/me", "main form"], [".bar nav a[href='/']", "/", ".pick .board-svg"],
];

class Walker {
    constructor(page) {
        this.page = page;
        this.faults = [];
        page.on("pageerror", (error) => this.faults.push(String(error)));
        page.on("console", (message) => {
            if (message.type() === "error" && !/Failed to load|WebSocket|Cross-Origin|NetworkError/i.test(message.text())) this.faults.push(message.text());
        });
    }

    holds(fn, ...values) { return comes(() => this.page.evaluate(fn, ...values).catch(() => false), 50); }
    stands(selector) { return this.holds((what) => Boolean(document.documentElement.dataset.ready && document.querySelector(what)), selector); }

    async click(selector) {
        if (!(await this.stands(selector))) throw new Error(`there is no ${selector} at ${this.page.url()}`);
        await this.page.evaluate((what) => document.querySelector(what).click(), selector);
    }
}

async function visitAll(walker) {
    for (const [link, path, part] of VIEWS) {
        await walker.click(link);
        const isThere = await walker.holds((want, what) => location.pathname.startsWith(want) && Boolean(document.querySelector(what)), path, part);
        check(`${path} stands`, isThere);
        const bare = await walker.page.evaluate(() =>
            [...document.querySelectorAll(".board .ground")].filter((node) => getComputedStyle(node).fill === "rgb(0, 0, 0)").length);
        check(`${path}: no board without its style`, bare === 0, bare);
    }
}

async function playMove(walker) {
    await walker.click(".pick[data-game=xiangqi] button.primary");
    await walker.click("dialog.setup button[type=submit]");
    check("a game against the computer begins", await walker.stands(".game-view .piece"));
    await walker.page.evaluate(() => {
        document.querySelector("#typed").value = "h2e2";
        document.querySelector(".typed button").click();
    });
    check("a move is answered", await walker.holds(() => document.querySelectorAll(".moves .move").length >= 2));
    await walker.click("#language");
    check("in Chinese", await walker.holds(() =>
        document.documentElement.lang === "zh-Hans" && /认输/.test(document.querySelector(".controls")?.textContent ?? "")));
    await walker.click(".game-view button.danger");
    await walker.click("dialog.ask button.primary");
    check("resigned", await walker.stands(".result .outcome"));
}

await main(async (keep) => {
    const world = keep(await World.make());
    const profile = mkdtempSync(join(tmpdir(), "kraton-firefox-"));
    keep({ stop: () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }) });
    const browser = keep(await puppeteer.launch({
        browser: "firefox", executablePath: FIREFOX, headless: true, userDataDir: profile, protocolTimeout: PATIENCE, timeout: PATIENCE,
        extraPrefsFirefox: { "intl.accept_languages": "en-GB" },
    }));
    note(await browser.version());
    const walker = new Walker(await browser.newPage());
    await walker.page.goto(world.server.url + "/", { waitUntil: "domcontentloaded", timeout: PATIENCE });
    check("the start stands", await walker.stands(".pick .board-svg"));
    await visitAll(walker);
    await playMove(walker);
    check("no errors in the console", walker.faults.length === 0, walker.faults.join("; "));
});
