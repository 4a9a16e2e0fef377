// Lighthouse on the start, a game and the study, as on a phone: performance, accessibility and best practices. The first
// depends on the machine, so it is held to its goal only where KRATON_QUIET is set: nothing else runs. Status 77: it is
// not installed. It is large, so that is done by hand: (cd tests/page && npm install --no-save lighthouse@12)
import { createServer } from "node:net";
import { Server, check, main, note, openBrowser, startGame, visitor } from "./kit.mjs";

const CATEGORIES = ["performance", "accessibility", "best-practices"];
const GOAL = 0.95;
const RUNS = Number(process.env.KRATON_RUNS ?? 1);
const { default: lighthouse } = await import("lighthouse").catch(() => process.exit(77));

async function freePort() {
    const listener = createServer();
    await new Promise((done) => listener.listen(0, "127.0.0.1", done));
    const { port } = listener.address();
    await new Promise((done) => listener.close(done));
    return port;
}

async function look(url, port) {
    const { lhr } = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: "error" });
    const scores = Object.fromEntries(CATEGORIES.map((name) => [name, lhr.categories[name].score]));
    const weak = CATEGORIES.flatMap((name) => lhr.categories[name].auditRefs)
        .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
        .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? lhr.audits[id].score}`);
    return { scores, weak };
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const port = await freePort();
    const browser = keep(await openBrowser(`--remote-debugging-port=${port}`));
    const game = await startGame(await visitor(browser), server.url, "xiangqi");
    for (const path of ["/", game, "/study/surakarta"]) {
        const runs = [];
        for (let run = 0; run < RUNS; run++) runs.push(await look(server.url + path, port));
        runs.sort((a, b) => a.scores.performance - b.scores.performance);
        const { scores, weak } = runs[Math.floor(RUNS / 2)];
        note(`${path}: ${CATEGORIES.map((name) => `${name} ${scores[name]}`).join(", ")}${weak.length ? `; ${weak.join(", ")}` : ""}`);
        check(`${path}: accessibility`, scores.accessibility >= GOAL, weak.join(", "));
        check(`${path}: best practices`, scores["best-practices"] >= GOAL, weak.join(", "));
        if (process.env.KRATON_QUIET) check(`${path}: performance`, scores.performance >= GOAL, weak.join(", "));
    }
});
