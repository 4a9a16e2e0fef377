// The coach of a finished game: accuracy, the mistakes the server marks, why each is one, trying again; at the end of a
// game one tap away, and at 360 px in Chinese.
import { Server, axe, check, main, openBrowser, settled, shot, until, visit, visitor } from "./kit.mjs";
import { playGame } from "./games.mjs";

// 4. e2e6 gives a cannon for a pawn.
const GAME = "h2e2 h9g7 h0g2 b9c7 b0c2 i9h9 e2e6 c7e6 a3a4 a6a5".split(" ");
const text = (page, selector) => page.locator(selector).first().textContent();

async function type(page, move) {
    await page.locator(".typed input").fill(move);
    await page.locator(".typed input").press("Enter");
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const id = await playGame(server, "xiangqi", GAME);
    const page = await visitor(browser);
    await visit(page, `${server.url}/study/game/${id}?coach=1`);
    await page.waitForSelector(".coach:not([hidden])");
    check("the review is asked for and read", (await page.locator(".graph:not(.blank)").count()) === 1);
    const accuracies = await page.locator(".accuracy").allTextContents();
    const [red, black] = accuracies.map((words) => Number(/\d+/.exec(words)));
    check("accuracy of both, the loser's lower", red < black && black <= 100, accuracies.join("; "));
    check("whoever lost comes first", (await text(page, ".coach [aria-pressed=true]")).startsWith("Red"));

    await page.getByRole("button", { name: "Go through them" }).click();
    for (let i = 0; !(await text(page, ".coach strong")).includes("e2e6") && i < 5; i++) await page.getByRole("button", { name: "Next mistake" }).click();
    check("the blunder is among the mistakes", (await text(page, ".coach strong")) === "4. e2e6??", await text(page, ".coach strong"));
    await until(page, () => document.querySelector(".coach-why")?.textContent);
    const why = await text(page, ".coach-why");
    check("the line that punishes it says why", /^Black answers \S+.*It loses .*red cannon/.test(why), why);
    check("and the chance that was lost", /fell from \d+ % to \d+ %/.test(await text(page, ".coach")));
    await page.getByRole("button", { name: "Show the answer" }).click();
    check("the answer is on the board", (await page.locator(".moves .move.here").count()) === 1);

    await page.getByRole("button", { name: "Try again here" }).click();
    check("the position before it", (await page.locator(".moves .move.here").textContent()).startsWith("i9h9"));
    await type(page, "e2e6");
    check("the same again is no better", (await text(page, ".coach-says")).includes("what was played"), await text(page, ".coach-says"));
    await page.getByRole("button", { name: "Once more" }).click();
    await type(page, "a0a1");
    await until(page, () => ["good", "bad"].includes(document.querySelector(".coach-says").dataset.mood));
    check("another move is judged", /a0a1/.test(await text(page, ".coach-says")), await text(page, ".coach-says"));
    await page.getByRole("button", { name: "Show the best move" }).click();
    const best = /^(\S+) is the best move/.exec(await text(page, ".coach-says"))?.[1];
    check("the best move is shown", Boolean(best), await text(page, ".coach-says"));
    await page.getByRole("button", { name: "Try again here" }).click();
    await type(page, best);
    await until(page, () => document.querySelector(".coach-says").dataset.mood === "good");
    check("and found, it is praised", true);
    const serious = await axe(page);
    check("axe finds nothing", serious.length === 0, serious.join("; "));
    await shot(page, "coach", { fullPage: true });

    const phone = await visitor(browser, { width: 360, height: 740, prefs: { language: "zh" } });
    await visit(phone, `${server.url}/study/game/${id}?coach=1`);
    await phone.getByRole("button", { name: "逐一查看" }).click();
    await until(phone, () => document.querySelector(".coach-why")?.textContent);
    check("nothing sticks out at 360 px", await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await shot(phone, "coach-360", { fullPage: true });
    await settled(phone);
    check("no errors in the console", page.faults.length + phone.faults.length === 0, [...page.faults, ...phone.faults].join("; "));
});
