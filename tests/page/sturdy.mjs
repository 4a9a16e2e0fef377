// The page holds: a handler that throws costs nothing but a moment, no tab of the study is cut at any width, and the
// programs' card leads to the protocol where the server has the documentation.
import { Server, openBrowser, visitor, visit, until, shot, check, main } from "./kit.mjs";
import { startBotGame, turn, makeMove, choose, dice, byTyping } from "./table.mjs";

const QUICK = { opponent: "bot", level: 1, side: "first", tc: "1800+20", rated: false };

// Whoever listens and throws: the others hear all the same, and the view is shown anew.
async function recovers(browser, server) {
    const page = await visitor(browser, { prefs: { "setup.surakarta": QUICK } });
    await visit(page, server.url + "/");
    await startBotGame(page, "surakarta");
    await page.evaluate(async () => {
        const { on } = await window.moduleOf("/lib/socket.js");
        const stop = on("moved", () => {
            stop();
            document.querySelector(".game-view").dataset.old = "yes";
            throw new Error("thrown by the test");
        });
    });
    let table = await turn(page, "surakarta");
    await makeMove(page, table, choose(table, dice(1)), byTyping);
    await until(page, () => document.querySelector(".game-view") && !document.querySelector(".game-view").dataset.old);
    check("a handler throws: it is said", (await page.locator("#toasts").textContent()).includes("went wrong"));
    check("and reported in the console", page.faults.some((line) => line.includes("thrown by the test")), page.faults.join("; "));
    table = await turn(page, "surakarta");
    check("the game is there again and goes on", table.moves.length === 2, table.moves.join(" "));
    await makeMove(page, table, choose(table, dice(2)), byTyping);
    check("with the next move", (await turn(page, "surakarta")).moves.length === 4);

    // One that throws every time does not send the page round in circles.
    await page.evaluate(async () => {
        const { on } = await window.moduleOf("/lib/socket.js");
        on("game", () => {
            throw new Error("thrown again");
        });
        on("moved", () => {
            throw new Error("thrown again");
        });
    });
    table = await turn(page, "surakarta");
    await byTyping(page, choose(table, dice(3)));
    await page.locator(".empty button", { hasText: "Try again" }).waitFor();
    check("one that throws again and again: the page says so and offers a fresh start", true);
    await page.context().close();
}

async function tabs(browser, server) {
    for (const language of ["en", "zh"]) {
        const page = await visitor(browser, { prefs: { language } });
        await visit(page, server.url + "/study/surakarta");
        const cut = [];
        for (const width of [1920, 1600, 1440, 1366, 1280, 1200, 1100, 1024, 960, 900, 820, 600, 414, 360]) {
            await page.setViewportSize({ width, height: 860 });
            const over = await page.evaluate(() => {
                const bar = document.querySelector(".tabs"), last = bar.lastElementChild.getBoundingClientRect();
                return Math.max(bar.scrollWidth - bar.clientWidth, last.right - bar.getBoundingClientRect().right);
            });
            if (over > 0.5) cut.push(`${width}: ${over} px`);
            if (width === 1200 || width === 360) await shot(page, `tabs-${width}-${language}`);
        }
        check(`${language}: every tab of the study is seen whole at every width`, cut.length === 0, cut.join(", "));
        await page.context().close();
    }
}

async function docs(browser, server) {
    const has = (await fetch(`${server.url}/docs/protocol.html`)).status === 200;
    for (const language of ["en", "zh"]) {
        const page = await visitor(browser, { prefs: { language } });
        await visit(page, server.url + "/me");
        const link = page.locator("#programs a[href='/docs/protocol.html']");
        if (has) await link.waitFor();
        check(`${language}: the protocol is linked where there is documentation`, ((await link.count()) === 1) === has);
        if (has) {
            await link.click();
            await page.waitForURL(/protocol\.html$/);
            check(`${language}: and the link leads there`, (await page.locator("h1").first().textContent()).length > 0);
        }
        await page.context().close();
    }
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    await recovers(browser, server);
    await tabs(browser, server);
    await docs(browser, server);
});
