// Whole games against house bots: by mouse, by touch on a phone, by arrow keys, by typing; and what the table
// offers besides.
import { Server, openBrowser, visitor, visit, settled, shot, axe, until, check, note, main } from "./kit.mjs";
import { startBotGame, gameNumber, playOut, readTable, turn, makeMove, choose, dice, byMouse, byTyping, byArrows } from "./table.mjs";

const quick = (level) => ({ opponent: "bot", level, side: "first", tc: "1800+20", rated: false });
const LEVELS = { surakarta: 4, xiangqi: 4 };

async function wholeGame(page, server, game, how, by, seed) {
    await visit(page, server.url + "/");
    await startBotGame(page, game);
    const id = gameNumber(page);
    const end = await playOut(page, game, by, seed);
    const kept = (await server.rest("GET", `/games/${id}`)).body;
    check(`${game} ${how}: a whole game, ${end.moves.length} moves: ${end.result}`, kept.outcome !== "ongoing" && kept.plies === end.moves.length, JSON.stringify(kept));
    check(`${game} ${how}: it ended by the rules`, !["resignation", "time", "aborted", "crash"].includes(kept.reason), kept.reason);
    return id;
}

async function manners(page, server) {
    await visit(page, server.url + "/");
    await startBotGame(page, "xiangqi");
    const id = gameNumber(page);
    await page.fill("#typed", "nonsense");
    await page.keyboard.press("Enter");
    check("a move that does not parse is refused in words", (await page.locator("#typed-says").textContent()).includes("nonsense"));
    check("and what was typed stays", (await page.inputValue("#typed")) === "nonsense");
    await page.fill("#typed", "炮二平五");
    await page.keyboard.press("Enter");
    let table = await turn(page, "xiangqi");
    check("typed in Chinese", table.moves[0] === "h2e2", table.moves.join(" "));
    check("announced in words", (await page.locator("#says").textContent()).includes("cannon from h2 to e2"), await page.locator("#says").textContent());
    await page.reload();
    await settled(page);
    table = await readTable(page, "xiangqi");
    check("a reload comes back into the game", page.url().endsWith(`/game/${id}`) && table.moves.length === 2 && table.mine);
    await visit(page, server.url + "/");
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForSelector(".game-view");
    check("an unfinished game is offered at the start", page.url().endsWith(`/game/${id}`));
    await page.getByText("Board and sound").click();
    for (const [notation, text] of [["wxf", "C2=5"], ["chinese", "炮二平五"], ["native", "h2e2"]]) {
        await page.getByLabel("Moves are written").selectOption(notation);
        check(`moves in ${notation}`, (await page.locator(".moves .move").first().textContent()) === text);
    }
    await page.getByRole("button", { name: "Take back" }).click();
    await until(page, () => document.querySelectorAll(".moves .move").length === 0);
    check("a move is taken back", true);
    await page.getByRole("button", { name: "Turn the board" }).click();
    check("the board turns", (await page.locator(".board-host .board").getAttribute("data-orientation")) === "1");
    const serious = await axe(page);
    check("the table: axe finds nothing serious", serious.length === 0, serious.join("; "));
    await page.getByRole("button", { name: "Call off" }).click();
    await page.getByRole("button", { name: "Play on" }).click();
    await page.fill("#typed", "h2e2");
    await page.keyboard.press("Enter");
    await turn(page, "xiangqi");
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.waitForSelector(".result .outcome");
    check("resigned, with its reason", (await page.locator(".result").textContent()).includes("resignation"));
    await page.getByRole("button", { name: "Rematch" }).click();
    await until(page, (old) => location.pathname !== `/game/${old}` && document.querySelector(".game-view") && document.documentElement.dataset.ready, id);
    check("a rematch begins by itself", gameNumber(page) > id);
}

// With everything moving: the other language in the middle of a game, away and back, answers while pieces run.
async function lively(browser, server) {
    const page = await visitor(browser, { prefs: { animate: true } });
    await visit(page, server.url + "/");
    await startBotGame(page, "surakarta");
    let table = await turn(page, "surakarta");
    await makeMove(page, table, choose(table, dice(1)), byMouse.click);
    await page.locator("#language").click();
    await until(page, () => document.querySelector(".status")?.textContent === "轮到你走");
    table = await turn(page, "surakarta");
    await makeMove(page, table, choose(table, dice(2)), byTyping);
    check("the game goes on in Chinese, and is announced in it", (await page.locator("#says").textContent()).includes("从"));
    await page.getByRole("link", { name: "学棋" }).click();
    await settled(page);
    await page.goBack();
    await page.waitForSelector(".game-view");
    for (let i = 0; i < 8; i++) {
        table = await turn(page, "surakarta");
        if (!table.result) await makeMove(page, table, choose(table, dice(i + 3)), byMouse.click);
    }
    table = await turn(page, "surakarta");
    await until(page, (count) => document.querySelectorAll(".board-host .piece").length === count, table.position.board.filter(Boolean).length);
    check("pieces that run and answers that come meanwhile: the board is right", true);
    check("no errors", page.faults.length === 0, page.faults.join("; "));
}

// The computer plays four games at once with one visitor: the fifth is refused in words.
async function tooMany(browser, server) {
    const page = await visitor(browser);
    for (let i = 0; i < 5; i++) {
        await visit(page, server.url + "/");
        await page.locator("[data-game=surakarta] button").first().click();
        await page.locator("dialog button[type=submit]").click();
        await until(page, () => document.querySelector(".game-view") || document.querySelector("dialog .says")?.textContent);
    }
    check("the fifth game at once is refused in words", /enough games/.test(await page.locator("dialog .says").textContent()));
    await page.context().close();
}

// Without a clock the computer answers all the same, at every level.
async function untimed(browser, server) {
    for (const [game, level] of [["surakarta", 1], ["xiangqi", 10]]) {
        const page = await visitor(browser, { prefs: { [`setup.${game}`]: { ...quick(level), tc: "inf", side: "second" } } });
        await visit(page, server.url + "/");
        await startBotGame(page, game);
        const table = await turn(page, game);
        check(`${game}, level ${level}, no clock: it moves`, table.moves.length === 1 && (await page.locator(".time").first().textContent()) === "∞");
        await page.context().close();
    }
}

async function looks(browser, server) {
    const sizes = { phone: [360, 740, "light", "dark"], desk: [1280, 860, "dark"], wall: [3840, 2160, "light"] };
    for (const [name, [width, height, ...themes]] of Object.entries(sizes))
        for (const theme of themes) {
            const page = await visitor(browser, { width, height, prefs: { theme, language: theme === "dark" ? "zh" : "en" } });
            await visit(page, server.url + "/");
            await shot(page, `home-${name}-${theme}`);
            for (const game of ["surakarta", "xiangqi"]) {
                await visit(page, server.url + "/");
                await page.locator(`[data-game=${game}] button`).click();
                if (game === "surakarta") await shot(page, `setup-${name}-${theme}`);
                await page.locator("dialog button[type=submit]").click();
                await page.waitForSelector(".game-view");
                await settled(page);
                const roll = dice(5);
                for (let i = 0; i < 6; i++) {
                    const table = await turn(page, game);
                    await makeMove(page, table, choose(table, roll), byTyping);
                }
                await turn(page, game);
                await page.evaluate(() => scrollTo(0, 0));
                await shot(page, `game-${game}-${name}-${theme}`);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                check(`${game}, ${name}, ${theme}: nothing sticks out`, wide <= 0, `${wide} px`);
                const serious = await axe(page);
                check(`${game}, ${name}, ${theme}: axe finds nothing serious`, serious.length === 0, serious.join("; "));
            }
            check(`${name}, ${theme}: no errors`, page.faults.length === 0, page.faults.join("; "));
            await page.context().close();
        }
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const prefs = { "setup.surakarta": quick(LEVELS.surakarta), "setup.xiangqi": quick(LEVELS.xiangqi) };
    const page = await visitor(browser, { prefs });
    const begun = Date.now();
    await wholeGame(page, server, "surakarta", "by mouse", byMouse.click, 1);
    await wholeGame(page, server, "xiangqi", "by dragging", byMouse.drag, 2);
    await wholeGame(page, server, "surakarta", "by arrow keys", byArrows, 3);
    await wholeGame(page, server, "xiangqi", "by typing", byTyping, 4);
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
    const phone = await visitor(browser, { width: 360, height: 740, hasTouch: true, isMobile: true, prefs });
    await wholeGame(phone, server, "surakarta", "by touch on a phone", byMouse.tap, 5);
    await shot(phone, "game-over-phone");
    note(`five whole games in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    await manners(page, server);
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
    await lively(browser, server);
    await untimed(browser, server);
    await tooMany(browser, server);
    await looks(browser, server);
});
