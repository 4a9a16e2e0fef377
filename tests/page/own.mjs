// One's own game one tap away on every page, one name for a house bot everywhere, who is ahead in pieces, brackets with
// byes and a champion, finished games that show their final position and clocks, a wall of games that go on.
import { Server, openBrowser, visitor, visit, settled, until, shot, axe, check, leave, main, startGame } from "./kit.mjs";
import { startBotGame, gameNumber, turn } from "./table.mjs";

const QUICK = { opponent: "bot", level: 3, side: "first", tc: "1800+20", rated: false };

async function oneTap(browser, server, language, width) {
    const page = await visitor(browser, { width, height: 780, prefs: { language, "setup.xiangqi": QUICK } });
    await visit(page, server.url + "/");
    check(`${language} ${width}: nothing runs, no bar`, await page.locator("#seat").isHidden());
    await page.locator("[data-game=xiangqi] button").first().click();
    await page.locator("dialog button[type=submit]").click();
    await page.waitForSelector(".game-view");
    const id = gameNumber(page);
    check(`${language} ${width}: no bar at the board itself`, await page.locator("#seat").isHidden());
    for (const path of ["/learn", "/watch", "/study", "/nowhere"]) {
        await visit(page, server.url + path);
        await page.locator("#seat").waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${language} ${width}: the running game on ${path}`, (await page.locator("#seat").textContent()).includes(language === "zh" ? "轮到你走" : "Your move") && wide <= 0);
    }
    await shot(page, `seat-${language}-${width}`);
    const serious = await axe(page);
    check(`${language} ${width}: axe finds nothing serious`, serious.length === 0, serious.join("; "));
    await page.locator("#seat").click();
    await page.waitForSelector(".game-view");
    check(`${language} ${width}: one tap leads back`, gameNumber(page) === id);
    await page.context().close();
}

async function oneName(browser, server) {
    const page = await visitor(browser, { prefs: { "setup.surakarta": QUICK } });
    await visit(page, server.url + "/");
    await startBotGame(page, "surakarta");
    const id = gameNumber(page), name = "Computer, level 3";
    await turn(page, "surakarta");
    check("the bot's name at the board", (await page.locator(".player .name").allTextContents()).includes(name));
    const other = await visitor(browser);
    await visit(other, server.url + "/watch");
    await other.locator(".live-card .card-name", { hasText: name }).waitFor();
    check("the same on the wall", true);
    await leave(page);
    await other.locator(".live-card .card-result").waitFor();
    const overlap = await other.evaluate(() => {
        const board = document.querySelector(".live-card.is-over .board-svg").getBoundingClientRect();
        return board.bottom - document.querySelector(".live-card .card-result").getBoundingClientRect().top;
    });
    check("the result of a finished game does not hide its position", overlap <= 1, `${overlap} px`);
    await shot(other, "wall-over");
    for (const path of [`/study/game/${id}`, "/player/House-3"]) {
        await visit(page, server.url + path);
        check(`the same on ${path}`, (await page.locator("h1").first().textContent()).includes(name), await page.locator("h1").first().textContent());
    }
    await visit(page, server.url + "/archive");
    await page.locator(".found a.player", { hasText: name }).first().waitFor();
    check("the same in the archive", true);
    check("no errors", page.faults.length + other.faults.length === 0, [...page.faults, ...other.faults].join("; "));
    await page.context().close();
    await other.context().close();
}

// A game of given moves, as the server would tell of it.
async function lead(browser, server) {
    const page = await visitor(browser);
    await visit(page, server.url + "/learn");
    const found = await page.evaluate(async () => {
        const { GameModel } = await window.moduleOf("/play/model.js");
        const of = (game, moves) => {
            const model = new GameModel(1);
            model.load({ game, tc: "inf", rated: false, first_name: "a", second_name: "b", fen: "", moves });
            return [model.lead(0), model.lead(1), model.lead(0, 0)];
        };
        return [of("xiangqi", ["b2b9", "a9b9"]), of("xiangqi", ["b2e2", "b9c7", "e2e6"]), of("surakarta", ["c5-c4", "c2-c3", "b6-c5"])];
    });
    check("a cannon for a horse: Black is half a pawn ahead", JSON.stringify(found[0]) === "[0,0.5,0]", JSON.stringify(found[0]));
    check("a pawn ahead", JSON.stringify(found[1]) === "[1,0,0]", JSON.stringify(found[1]));
    check("nobody is ahead before a capture", JSON.stringify(found[2]) === "[0,0,0]", JSON.stringify(found[2]));
    await page.context().close();
}

async function brackets(browser, server) {
    for (const [language, width] of [["en", 1440], ["zh", 360]]) {
        const page = await visitor(browser, { width, prefs: { language, theme: language === "zh" ? "dark" : "light" } });
        await visit(page, server.url + "/tournaments");
        const counts = await page.evaluate(async () => {
            const [{ bracket }, { useStyle, PAGE }] = await Promise.all([window.moduleOf("/watch/schedule.js"), window.moduleOf("/lib/dom.js")]);
            await useStyle("/watch/tournament.css", PAGE);
            const pair = (round, first, second, points) => ({ round, number: 1, first, second, game: 7, points });
            // Six players: two go on without a game.
            const node = bracket({
                state: "over", standings: [{ player: "House-4" }],
                pairings: [pair(1, "Ann", "Ben", 1), pair(1, "Chen", "House-4", 0), pair(2, "Eve", "Ann", 1), pair(2, "House-4", "Finn", 1), pair(3, "House-4", "Eve", 1)],
            });
            document.querySelector("main").replaceChildren(node);
            const texts = (selector) => [...node.querySelectorAll(selector)].map((each) => each.textContent);
            const paired = [...node.querySelectorAll(".bracket-round")].map((each) => each.className);
            return { byes: texts(".bye"), champion: texts(".champion"), paired, cells: node.querySelectorAll(".bracket-round:first-child .bracket-cell").length };
        });
        check(`${language}: two byes`, counts.byes.length === 2 && ["Eve", "Finn"].every((name) => counts.byes.some((bye) => bye.includes(name))), counts.byes.join());
        check(`${language}: four places in the first round, joined two by two`, counts.cells === 4 && counts.paired[0].includes("is-paired") && counts.paired[1].includes("is-paired"), JSON.stringify(counts));
        check(`${language}: the champion by its one name`, counts.champion.join() === (language === "zh" ? "电脑 4 级" : "Computer, level 4"), counts.champion.join());
        await shot(page, `bracket-${language}`);
        await page.context().close();
    }
}

// Where a player has gone, a game stands still: it is not on the start's wall, and last among the live ones.
async function lively(browser, server) {
    const still = await startGame(await visitor(browser), server.url, "surakarta");
    const moving = await startGame(await visitor(browser), server.url, "xiangqi");
    const page = await visitor(browser);
    await page.route("**/api/v1/games/live*", async (route) => {
        const answer = await (await route.fetch()).json();
        const games = answer.games.map((game) => ({ ...game, idle: game.id === Number(still.slice(6)) ? 601 : game.idle }));
        await route.fulfill({ json: { ...answer, games: games.sort((a, b) => a.id - b.id) } });
    });
    const cards = () => page.locator(".live-card").evaluateAll((all) => all.map((card) => card.getAttribute("href")));
    await visit(page, server.url + "/watch");
    await page.locator(`.live-card[href="${still}"]`).waitFor();
    const order = await cards();
    check("what stands still comes last", order.at(-1) === still && order.includes(moving), order.join());
    await visit(page, server.url + "/");
    await page.locator(`.live-card[href="${moving}"]`).waitFor();
    check("the start shows games that go on", !(await cards()).includes(still));
    await page.context().close();
}

// Whoever comes after the end sees the same clocks as whoever was there.
async function lastClocks(browser, server) {
    const page = await visitor(browser, { prefs: { "setup.xiangqi": QUICK } });
    await startGame(page, server.url, "xiangqi");
    await page.locator("#typed").fill("h2e2");
    await page.locator("#typed").press("Enter");
    await until(page, () => document.querySelectorAll(".moves .move").length >= 2);
    await leave(page);
    const shown = (of) => of.locator(".player .time").evaluateAll((all) => all.filter((each) => !each.hidden && /\d/.test(each.textContent)).length);
    check("clocks stay at the end", (await shown(page)) === 2);
    const scores = (of) => of.locator(".player .score:not([hidden])").evaluateAll((all) => all.map((each) => each.textContent).join());
    check("each side's bar says how it ended", (await scores(page)) === "won,lost", await scores(page));
    const late = await visitor(browser);
    await visit(late, page.url());
    check("and are there for who comes later", (await shown(late)) === 2);
    for (const each of [page, late]) await each.context().close();
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    await lead(browser, server);
    await brackets(browser, server);
    await oneName(browser, server);
    await lively(browser, server);
    await lastClocks(browser, server);
    await oneTap(browser, server, "en", 1280);
    await oneTap(browser, server, "zh", 360);
});
