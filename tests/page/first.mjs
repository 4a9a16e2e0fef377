// The first visit, with nothing kept: how many bytes, how long until it can be used. Figures, and one bound on bytes.
import { Server, openBrowser, visitor, check, note, settled, main } from "./kit.mjs";

async function firstVisit(browser, url) {
    const page = await visitor(browser);
    const wire = await page.context().newCDPSession(page);
    await wire.send("Network.enable");
    const sizes = new Map();
    const names = new Map();
    wire.on("Network.responseReceived", ({ requestId, response }) => names.set(requestId, new URL(response.url).pathname));
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
    await page.goto(url);
    await settled(page);
    const ready = await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime);
    const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    await page.context().close();
    for (const [id, name] of names) if (name.includes("/engines/")) sizes.delete(id); // loaded once the page stands
    return { ready, painted, bytes: [...sizes.values()].reduce((sum, n) => sum + n, 0), files: sizes.size };
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    await firstVisit(browser, server.url + "/"); // the browser itself warms up
    for (const path of ["/", "/watch", "/tournaments", "/study/surakarta", "/learn/xiangqi"]) {
        const runs = [];
        for (let i = 0; i < 5; i++) runs.push(await firstVisit(browser, server.url + path));
        runs.sort((a, b) => a.ready - b.ready);
        const { ready, painted, bytes, files } = runs[2];
        note(`${path}: ${(bytes / 1024).toFixed(1)} KB in ${files} files, painted after ${painted.toFixed(0)} ms, interactive after ${ready.toFixed(0)} ms (median of 5, best ${runs[0].ready.toFixed(0)}; goals 150 KB, 300 ms)`);
        check(`${path}: under 150 KB`, bytes < 150 * 1024, `${bytes} bytes`);
    }
});
