// The page on a slow line, 400 kbit/s with 200 ms to the server: how long until the first board stands, with nothing kept
// (goal 2 s) and on a later visit (goal 0.5 s). The times are figures; the turns of question and answer, and the bytes,
// that a first board takes are held to a bound, since they are the same on any machine. KRATON_RUNS in the environment asks
// for the median of so many visits, and for visits without a service worker, as over plain HTTP.
import { Server, check, main, note, openBrowser, startGame, until, visitor } from "./kit.mjs";

const LINE = { offline: false, latency: 200, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const RUNS = Number(process.env.KRATON_RUNS ?? 1);
const MOST_BYTES = 64 * 1024; // before the first board
const MOST_FILES = 10;

// In the page: notes when the first board has its pieces and is painted.
function watchBoard() {
    const seen = new MutationObserver(() => {
        if (!document.querySelector(".board-svg .piece")) return;
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(() => performance.mark("board")));
    });
    seen.observe(document, { childList: true, subtree: true });
}

async function timeBoard(page, url) {
    const wire = await page.context().newCDPSession(page);
    await wire.send("Network.enable");
    await wire.send("Network.emulateNetworkConditions", LINE);
    await wire.send("Performance.enable");
    const files = new Map();
    wire.on("Network.responseReceived", ({ requestId, response }) => {
        if (!response.fromDiskCache && !response.fromServiceWorker) files.set(requestId, { path: new URL(response.url).pathname, bytes: 0, end: Infinity });
    });
    wire.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
        if (files.has(requestId)) files.get(requestId).bytes += encodedDataLength;
    });
    wire.on("Network.loadingFinished", ({ requestId, timestamp }) => Object.assign(files.get(requestId) ?? {}, { end: timestamp }));
    await page.goto(url, { waitUntil: "commit" });
    const board = await until(page, () => performance.getEntriesByName("board")[0]?.startTime ?? 0);
    const { metrics } = await wire.send("Performance.getMetrics");
    const start = metrics.find(({ name }) => name === "NavigationStart").value;
    await wire.detach();
    const parts = [...files.values()].filter(({ end }) => end < start + board / 1000);
    return { board, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), files: parts.map(({ path, bytes }) => `${path.replace(/^.v.\w+/, "")} ${bytes}`) };
}

const median = (runs) => [...runs].sort((a, b) => a.board - b.board)[Math.floor(runs.length / 2)];

async function measure(browser, url, serviceWorkers) {
    const cold = [], warm = [];
    for (let run = 0; run < RUNS; run++) {
        const page = await visitor(browser, { serviceWorkers });
        await page.addInitScript(watchBoard);
        cold.push(await timeBoard(page, url));
        if (serviceWorkers === "allow")
            await page.evaluate(async () => {
                await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
                await navigator.serviceWorker.ready;
            });
        await page.goto("about:blank");
        warm.push(await timeBoard(page, url));
        await page.context().close();
    }
    return { cold: median(cold), warm: median(warm) };
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const game = await startGame(await visitor(browser), server.url, "xiangqi");
    const seconds = ({ board }) => `${(board / 1000).toFixed(2)} s`;
    for (const path of ["/", game, "/study/surakarta", "/study/xiangqi"])
        for (const serviceWorkers of RUNS > 1 ? ["allow", "block"] : ["allow"]) {
            const { cold, warm } = await measure(browser, server.url + path, serviceWorkers);
            const where = path + (serviceWorkers === "block" ? " without service worker" : "");
            note(`${where}: first board after ${seconds(cold)} with nothing kept, ${seconds(warm)} later (median of ${RUNS}; goals 2 s and 0.5 s)`);
            note(`  ${cold.bytes} bytes: ${cold.files.join(", ")}; later ${warm.bytes}: ${warm.files.join(", ")}`);
            if (serviceWorkers === "block") continue;
            check(`${path}: at most ${MOST_FILES} files before the first board`, cold.files.length <= MOST_FILES, cold.files.join(", "));
            check(`${path}: at most ${MOST_BYTES} bytes before it`, cold.bytes <= MOST_BYTES, `${cold.bytes}`);
            check(`${path}: a later visit asks for nothing before it`, warm.files.length === 0, warm.files.join(", "));
        }
});
