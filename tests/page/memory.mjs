// Memory: after 200 games in one visit the page holds at most a fifth more than after 10. A game is begun against the
// computer, a move is made, the game is left. KRATON_GAMES in the environment asks for another number.
import { Server, check, main, note, openBrowser, until, visit, visitor } from "./kit.mjs";

const EARLY = 10;
const GAMES = Number(process.env.KRATON_GAMES ?? 200);
const MOST = 1.2;

// Bytes in use once everything that can be thrown away has been.
async function inUse(wire) {
    for (let i = 0; i < 3; i++) await wire.send("HeapProfiler.collectGarbage");
    const { usedSize } = await wire.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await wire.send("Memory.getDOMCounters");
    return { usedSize, nodes, jsEventListeners };
}

async function playOne(page, number) {
    const game = number % 2 ? "xiangqi" : "surakarta";
    await page.locator(`.pick[data-game=${game}] button.primary`).click();
    await page.locator("dialog.setup button[type=submit]").click();
    await page.locator(".game-view .status.mine").waitFor();
    await page.locator("#typed").fill(game === "xiangqi" ? "h2e2" : "b5-b4");
    await page.locator("#typed").press("Enter");
    await until(page, () => document.querySelectorAll(".moves .move").length >= 2);
    await page.locator(".game-view button.danger").click();
    await page.locator("dialog.ask button.primary").click();
    await page.locator(".result .outcome").waitFor();
    await page.locator('.bar nav a[href="/"]').click();
    await page.locator(".pick .board-svg").nth(1).waitFor();
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const terms = { tc: "600+5", level: 1 };
    const page = await visitor(keep(await openBrowser()), { prefs: { "setup.surakarta": terms, "setup.xiangqi": terms } });
    const wire = await page.context().newCDPSession(page);
    await visit(page, server.url + "/");
    let early = null;
    for (let number = 1; number <= GAMES; number++) {
        await playOne(page, number);
        if (number === EARLY) early = await inUse(wire);
    }
    const late = await inUse(wire);
    const told = ({ usedSize, nodes, jsEventListeners }) => `${(usedSize / 1e6).toFixed(1)} MB, ${nodes} nodes, ${jsEventListeners} listeners`;
    note(`after ${EARLY} games ${told(early)}; after ${GAMES} ${told(late)}`);
    check(`after ${GAMES} games at most a fifth more than after ${EARLY}`, late.usedSize <= MOST * early.usedSize,
        `${late.usedSize} and ${early.usedSize} bytes`);
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
