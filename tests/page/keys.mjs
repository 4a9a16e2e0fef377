// What a player is told and can do by hand: why a move cannot be played, keys, wheel, the help that lists them.
import { game as rulesOf } from "../../web/rules/index.js";
import { rowOf } from "../../web/games/index.js";
import { Server, openBrowser, visitor, visit, until, shot, axe, check, main } from "./kit.mjs";
import { startBotGame, turn, makeMove, choose, dice, byTyping } from "./table.mjs";

const QUICK = { opponent: "bot", level: 1, side: "first", tc: "1800+20", rated: false };

// --- the reasons, without a browser -----------------------------------------------------------------

const START = { xiangqi: rulesOf("xiangqi").start, surakarta: rulesOf("surakarta").start };
const reasons = [
    ["xiangqi", START.xiangqi, "b0d1", "leg", "c0"],
    ["xiangqi", START.xiangqi, "a0b0", "own", "b0"],
    ["xiangqi", START.xiangqi, "a0a5", "path", "a3"],
    ["xiangqi", START.xiangqi, "a0b1", "chariot"],
    ["xiangqi", START.xiangqi, "b2b8", "cannonPath", "b7"],
    ["xiangqi", START.xiangqi, "b2b7", "noScreen"],
    ["xiangqi", START.xiangqi, "c3d3", "pawnSide"],
    ["xiangqi", START.xiangqi, "c3c2", "pawnBack"],
    ["xiangqi", START.xiangqi, "c3c5", "pawn"],
    ["xiangqi", START.xiangqi, "e0e2", "general"],
    ["xiangqi", START.xiangqi, "d0c1", "palace"],
    ["xiangqi", "3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1", "c4a6", "river"],
    ["xiangqi", "3k5/9/9/9/9/2B6/1P7/9/9/4K4 w - - 0 1", "c4a2", "eye", "b3"],
    ["xiangqi", "4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1", "e5f7", "face"],
    ["xiangqi", "3k5/9/9/4r4/4N4/9/9/9/9/4K4 w - - 0 1", "e5f3", "exposes"],
    ["xiangqi", "3k5/9/9/4r4/9/9/9/9/9/R3K4 w - - 0 1", "a0a5", "inCheck"],
    ["xiangqi", "3k5/9/9/5r3/9/9/9/9/9/4K4 w - - 0 1", "e0f0", "intoCheck"],
    ["xiangqi", "3k5/9/9/9/r8/p8/p8/9/9/C3K4 w - - 0 1", "a0a5", "screens"],
    ["surakarta", START.surakarta, "b5b6", "own", "b6"],
    ["surakarta", START.surakarta, "b5b3", "step"],
    ["surakarta", START.surakarta, "a6a1", "corner"],
    ["surakarta", "6/1b4/6/6/6/2w3 b 0 1", "b5c1", "apart"],
    ["surakarta", "1b4/6/1w4/6/6/6 b 0 1", "b6b4", "noLoop"],
    ["surakarta", "1b4/3w2/1w4/6/6/b3ww b 0 1", "b6e1", "blocked"],
];

async function tellsWhy() {
    for (const [game, fen, move, key, point] of reasons) {
        const rules = rulesOf(game), { why, words } = await rowOf(game).load.why();
        const position = rules.parse(fen), [from, to] = [move.slice(0, 2), move.slice(2)].map(rules.pointOf);
        const found = why(position, from, to);
        check(`${game} ${move}: ${key}`, found.key === `why.${game}.${key}` && (!point || rules.pointName(found.point) === point), JSON.stringify(found));
        check(`${game} ${move}: in both languages`, found.key in words.en && found.key in words.zh);
    }
    // Every move that is not legal has a reason.
    for (const game of ["surakarta", "xiangqi"]) {
        const rules = rulesOf(game), { why, words } = await rowOf(game).load.why(), position = rules.parse(rules.start);
        const legal = new Set(rules.moves(position).map(({ from, to }) => from * 100 + to)), unknown = new Set();
        for (let from = 0; from < rules.points; from++)
            for (let to = 0; position.board[from] && position.board[from] < 8 && to < rules.points; to++)
                if (from !== to && !legal.has(from * 100 + to) && !(why(position, from, to).key in words.en)) unknown.add(why(position, from, to).key);
        check(`${game}: every illegal move from the start has a reason`, unknown.size === 0, [...unknown].join(" "));
    }
}

// --- at the table -----------------------------------------------------------------------------------

async function middle(page, rules, name) {
    const box = await page.locator(`.board-host .cell[data-point="${rules.pointOf(name)}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

async function shows(browser, server, language, width) {
    const page = await visitor(browser, { width, height: 780, prefs: { language, "setup.xiangqi": QUICK } });
    const rules = rulesOf("xiangqi");
    await visit(page, server.url + "/");
    await page.locator("[data-game=xiangqi] button").first().click();
    await page.locator("dialog button[type=submit]").click();
    await page.waitForSelector(".game-view .board");
    await until(page, () => document.querySelector(".status.mine"));
    await page.mouse.click(...(await middle(page, rules, "b0")));
    await page.mouse.click(...(await middle(page, rules, "d1")));
    await page.locator(".board-why").waitFor();
    const words = await page.locator(".board-why").textContent();
    check(`${language} ${width}: a blocked leg is explained`, words.includes("c0") && /leg|蹩马腿/.test(words), words);
    check(`${language} ${width}: and said`, (await page.locator(".board-host [aria-live]").textContent()) === words);
    await shot(page, `why-${language}-${width}`);
    await page.mouse.click(...(await middle(page, rules, "e6")));
    check(`${language} ${width}: the next touch takes it away`, (await page.locator(".board-why").count()) === 0);
    await page.fill("#typed", "a0a5");
    await page.keyboard.press("Enter");
    await until(page, () => /a3/.test(document.querySelector("#typed-says").textContent));
    check(`${language} ${width}: typed moves are explained too`, true);
    check(`${language} ${width}: no errors`, page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

const shownPly = (page) => page.evaluate(() => Number(document.querySelector(".moves [aria-current]")?.dataset.ply ?? 0));

async function keys(browser, server) {
    const page = await visitor(browser, { prefs: { "setup.xiangqi": QUICK } });
    await visit(page, server.url + "/");
    await startBotGame(page, "xiangqi");
    for (let i = 0; i < 2; i++) {
        const table = await turn(page, "xiangqi");
        await makeMove(page, table, choose(table, dice(i + 1)), byTyping);
    }
    await turn(page, "xiangqi");
    await page.locator(".terms").click();
    await page.keyboard.press("ArrowLeft");
    check("left: one move back", (await shownPly(page)) === 3);
    await page.keyboard.press("Home");
    check("Home: the start", (await shownPly(page)) === 0);
    await page.keyboard.press("ArrowRight");
    check("right: one move on", (await shownPly(page)) === 1);
    await page.keyboard.press("End");
    check("End: the last move", (await shownPly(page)) === 4);
    await page.keyboard.press("f");
    check("f turns the board", (await page.locator(".board-host .board").getAttribute("data-orientation")) === "1");
    await page.keyboard.press("f");
    await page.mouse.move(...(await middle(page, rulesOf("xiangqi"), "e4")));
    await page.mouse.wheel(0, -120);
    await until(page, () => document.querySelector(".moves [aria-current]")?.dataset.ply === "3");
    await page.mouse.wheel(0, 120);
    await until(page, () => document.querySelector(".moves [aria-current]")?.dataset.ply === "4");
    check("the wheel walks through the moves", true);
    await page.fill("#typed", "");
    await page.keyboard.type("f?");
    check("who types is left alone", (await page.inputValue("#typed")) === "f?" && (await page.locator(".board-host .board").getAttribute("data-orientation")) === "0");
    await page.fill("#typed", "");
    await page.locator(".terms").click();
    await page.keyboard.press("?");
    await page.locator("dialog.keys").waitFor();
    check("? lists the keys", (await page.locator("dialog.keys").textContent()).includes("turn the board"));
    const serious = await axe(page);
    check("axe finds nothing serious in it", serious.length === 0, serious.join("; "));
    await shot(page, "keys-game");
    await page.keyboard.press("Escape");
    await page.locator("dialog.keys").waitFor({ state: "detached" });
    check("Escape closes it", true);

    await visit(page, server.url + "/study/xiangqi?moves=h2e2,h9g7");
    await page.locator(".study h1, .study-head").first().click();
    await page.mouse.move(...(await middle(page, rulesOf("xiangqi"), "e4")));
    const played = () => page.evaluate(() => document.querySelector(".board .last.to") !== null);
    await page.keyboard.press("Home");
    check("in the study: Home", !(await played()));
    await page.mouse.wheel(0, 120);
    await until(page, () => document.querySelector(".board .last.to"));
    check("the wheel too", true);
    await page.keyboard.press("?");
    check("? lists the study's keys", (await page.locator("dialog.keys").textContent()).includes("engine on or off"));
    await page.keyboard.press("Escape");
    await visit(page, server.url + "/");
    await page.locator(".keys-button").click();
    check("and a button at the foot of every page", (await page.locator("dialog.keys").count()) === 1);
    await shot(page, "keys-start");
    check("no errors", page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

await main(async (keep) => {
    await tellsWhy();
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    for (const language of ["en", "zh"]) for (const width of [1280, 360]) await shows(browser, server, language, width);
    await keys(browser, server);
});
