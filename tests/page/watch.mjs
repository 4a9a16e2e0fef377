// Watching: the list of live games filling by itself, a tournament of house bots from the form to the
// crosstable, a spectator's board, a match under SPRT, the archive, the arbiter; in both languages. House bots play as
// fast as the machine can; what is to be seen while it lasts is played by programs that wait until it was seen.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Server, axe, check, comes, kraton, main, note, openBrowser, settled, shot, visit, visitor } from "./kit.mjs";
import { Program } from "./games.mjs";

const CLOCK = "7200+5"; // no flag falls in a test

const text = (locator) => locator.textContent();
const live = async (server) => (await server.rest("GET", "/games/live")).body.games;

async function looks(page, name) {
    const serious = await axe(page);
    check(`${name}: axe finds nothing serious`, serious.length === 0, serious.join("; "));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(`${name}: nothing sticks out`, wide <= 0, `${wide} px`);
    await shot(page, `watch-${name}`, { fullPage: true });
}

// What a first visit to a path takes over the wire, in kilobytes, and until when its view stands.
async function firstVisit(browser, url, path) {
    const page = await visitor(browser);
    await visit(page, url + path);
    const [bytes, ready] = await page.evaluate(() => {
        const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
        return [all.reduce((sum, one) => sum + one.transferSize, 0), performance.getEntriesByName("ready")[0].startTime];
    });
    await page.context().close();
    check(`a first visit to ${path} takes less than 150 KB`, bytes < 150 * 1024, `${bytes} bytes`);
    note(`${path}: ${(bytes / 1024).toFixed(1)} KB, ready after ${ready.toFixed(0)} ms`);
}

// --- a tournament, from the form to the crosstable ------------------------------------------------

async function makeByForm(page, url) {
    await visit(page, `${url}/tournaments`);
    await page.getByText("New tournament").click();
    await page.getByLabel("Name").fill("Evening of the bots");
    await page.getByLabel("Time control").fill("nonsense");
    for (const level of ["1", "2", "3"]) await page.locator(`.bots input[value=House-${level}]`).check({ force: true });
    await page.getByLabel("Start at once").check();
    await page.getByRole("button", { name: "Make it" }).click();
    check("a time control that is none is refused in words", (await comes(async () => (await text(page.locator(".terms-form .error"))).length > 10)));
    check("and what was typed stays", (await page.getByLabel("Name").inputValue()) === "Evening of the bots");
    await page.getByLabel("Time control").fill("60+1");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.waitForURL(/\/tournament\/\d+$/);
    await settled(page);
    check("made by the form, entered by three bots, started", (await text(page.locator("h1"))) === "Evening of the bots");
}

async function seeItPlayed(page) {
    check("it ends by itself", await comes(async () => (await page.locator(".tournament-head .badge").getAttribute("data-state")) === "over"));
    check("everybody is in the table", (await page.locator(".standings tbody tr").count()) === 3);
    const points = await page.locator(".standings .sum").evaluateAll((cells) => cells.map((cell) => Number.parseFloat(cell.textContent.replace("½", ".5"))));
    check("the points are those of six games", points.reduce((sum, one) => sum + one, 0) === 6 && points[0] >= points[2], points.join(" "));
    check("the crosstable is full", (await page.locator(".standings td.cross").evaluateAll((cells) => cells.filter((cell) => cell.textContent).length)) === 6);
    check("every game is in the schedule", (await page.locator(".games a.game-result").count()) === 6);
    await page.locator(".standings td.cross a").first().click();
    await page.waitForURL(/archive.*tournament=/);
    check("a cell of it leads to the games of the two", await comes(async () => (await page.locator(".found tbody tr").count()) === 2));
    await page.goBack();
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Games as PGN" }).click()]);
    const pgn = await readFile(await download.path(), "utf8");
    check("all of them come as PGN", pgn.match(/\[Event "Evening of the bots"\]/g).length === 6 && pgn.includes("House-1"));
}

// --- the wall --------------------------------------------------------------------------------------

async function emptyWall(page, url) {
    await visit(page, `${url}/watch`);
    check("nothing is played: a way to start something", await page.getByRole("link", { name: "Play a game" }).isVisible());
    await looks(page, "empty");
}

// A game of two programs, begun while somebody looks at the empty list, then watched on a board of its own.
async function spectate(page, server, cookie, [alpha, beta]) {
    const terms = { first: alpha.name, second: beta.name, game: "surakarta", tc: CLOCK, reason: "to be watched" };
    const { body: { id } } = await server.rest("POST", "/arbiter/games", terms, { cookie });
    const card = page.locator(`.live-card[data-game="${id}"]`);
    check("a game appears on the open list by itself", await comes(() => card.isVisible()));
    check("with its clocks", await comes(async () => (await text(card.locator(".card-clock").first())).includes(":")));
    await alpha.play(id, "b5-b4");
    check("and moves there", await comes(async () => (await text(card.locator(".card-ply"))) === "move 1"));
    await looks(page, "wall");
    await server.kill();
    await server.restart();
    await beta.play(id, "b2-b3");
    await alpha.play(id, "c5-c4");
    check("after the server's death the list goes on by itself", await comes(async () => (await text(card.locator(".card-ply"))) === "move 2"));
    await card.click();
    await page.waitForURL(`**/game/${id}`);
    const moves = () => page.locator(".moves .move").allTextContents();
    check("a spectator sees what was played", await comes(async () => (await moves()).join() === "b5-b4,b2-b3,c5-c4"));
    await beta.play(id, "d2-d3");
    check("and every move as it comes", await comes(async () => (await moves()).join() === "b5-b4,b2-b3,c5-c4,d2-d3"));
    await shot(page, "watch-spectator");
    await page.goBack();
    await settled(page);
    check("back on the list the game is still there", await comes(async () => (await text(card.locator(".card-ply"))) === "move 2"));
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Tournaments" }).click();
    await settled(page);
    check("who leaves watches no longer", await comes(async () => (await live(server)).every((game) => game.watching === 0)));
    return id;
}

// --- a match of two --------------------------------------------------------------------------------

const ratio = (page) => text(page.locator(".gauge-words b"));

// Of two programs: made, entered by hand, started, watched, paused, called off.
async function direct(page, server, [alpha, beta]) {
    await visit(page, `${server.url}/tournaments?new`);
    await page.getByLabel("Name").fill("Programs only");
    await page.locator("main [name=game]").selectOption("xiangqi");
    await page.getByLabel("Kind").selectOption("match");
    await page.getByLabel("Openings").selectOption("start");
    await page.getByLabel("Time control").fill(CLOCK);
    await page.getByLabel("Elo of H1").fill("150");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.waitForURL(/\/tournament\/\d+$/);
    for (const name of ["Alpha", "Beta"]) {
        await page.getByLabel("Enter", { exact: true }).selectOption(name);
        await page.getByRole("button", { name: "Enter", exact: true }).click();
        check(`${name} is entered`, await comes(async () => (await page.locator(".entrants").allTextContents()).join().includes(name)));
    }
    const state = () => page.locator(".tournament-head .badge").getAttribute("data-state");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    check("its games are live on small boards", await comes(async () => (await page.locator(".live-card").count()) === 2));
    const pairings = async () => (await server.rest("GET", `/tournaments/${/\d+$/.exec(page.url())}`)).body.pairings;
    const { game } = (await pairings()).find(({ first }) => first === alpha.name);
    await alpha.play(game, "h2e2");
    check("which move by themselves", await comes(async () => (await text(page.locator(`.live-card[data-game="${game}"] .card-ply`))) === "move 1"));
    await looks(page, "tournament-live");
    for (const pair of [1, 2]) {
        const before = await ratio(page);
        for (const { game, points } of await pairings()) if (points === undefined) beta.say(`resign game=${game}`);
        check(`the likelihood ratio moves with pair ${pair}`, await comes(async () => (await ratio(page)) !== before));
    }
    await page.getByRole("button", { name: "Pause" }).click();
    check("the director pauses it", await comes(async () => (await state()) === "paused"));
    await page.getByRole("button", { name: "Call off" }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    check("and calls it off", await comes(async () => (await state()) === "called off"));
}

// Of two house bots: played until it is decided.
async function match(page, url) {
    await visit(page, `${url}/tournaments?new`);
    await page.getByLabel("Name").fill("Three against one");
    await page.getByLabel("Kind").selectOption("match");
    await page.getByLabel("Games a meeting").fill("400");
    await page.getByLabel("Elo of H1").fill("150");
    for (const level of ["3", "1"]) await page.locator(`.bots input[value=House-${level}]`).check({ force: true });
    await page.getByLabel("Start at once").check();
    await page.getByRole("button", { name: "Make it" }).click();
    await page.waitForURL(/\/tournament\/\d+$/);
    check("a match of two is shown in figures", await comes(() => page.locator(".match-panel").isVisible()));
    check("Elo is drawn over the games", await comes(async () => (await page.locator(".elo-chart .line").count()) === 1));
    await looks(page, "match");
    note(`${await text(page.locator(".figures"))}, ${await ratio(page)}`);
    check("the verdict falls", await comes(async () => (await page.locator(".match-head .badge").getAttribute("data-verdict")) !== "running"));
    await shot(page, "watch-match-over", { fullPage: true });
}

// --- what is over ----------------------------------------------------------------------------------

async function archive(page, url) {
    await visit(page, `${url}/archive`);
    await page.getByLabel("Player", { exact: true }).fill("House-3");
    await page.getByLabel("Opponent").fill("House-1");
    await page.locator("main [name=game]").selectOption("surakarta");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/player=House-3/);
    await settled(page);
    const names = await page.locator(".found tbody tr").evaluateAll((rows) => rows.map((row) => row.textContent));
    check("the archive finds the games of two", names.length >= 2 && names.every((one) => one.includes("level 1") && one.includes("level 3")), names.join("; "));
    await page.getByLabel("Position").fill("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/fen=/);
    await settled(page);
    check("and those that came to a position: the match was played from others", (await page.locator(".found tbody tr").count()) === 2);
    await looks(page, "archive");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download PGN" }).click()]);
    check("a search can be taken home", download.suggestedFilename() === "kraton-games.pgn");
    await page.getByLabel("Position").fill("not a position");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/not/);
    check("a position that is none: said in words", await comes(() => page.locator(".found-games .error").isVisible()));
    check("and it is still there to be mended", (await page.getByLabel("Position").inputValue()) === "not a position");
    await page.getByLabel("Position").fill("");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator(".found tbody .result a").first().click();
    await page.waitForURL(/\/study\/game\/\d+$/);
    check("a row leads to the replay", true);
}

// A short game with a named opening, found by the beginning of its name.
async function byOpening(page, server, cookie, [alpha, beta]) {
    const terms = { first: alpha.name, second: beta.name, game: "xiangqi", tc: CLOCK, reason: "an opening" };
    const { body: { id } } = await server.rest("POST", "/arbiter/games", terms, { cookie });
    await alpha.play(id, "h2e2");
    await beta.play(id, "h9g7");
    await alpha.play(id, "h0g2");
    beta.say(`resign game=${id}`);
    await comes(async () => (await server.rest("GET", `/games/${id}`)).body.ended);
    for (const [name, found] of [["中炮", 1], ["B05", 1], ["C7", 0]]) {
        await visit(page, `${server.url}/archive?${new URLSearchParams({ game: "xiangqi", opening: name })}`);
        check(`the opening ${name}: ${found}`, (await page.locator(`.found tr[data-game="${id}"]`).count()) === found);
    }
}

async function inChinese(page, url) {
    const pages = {
        "/watch": "正在进行的对局", "/tournaments": "赛事", "/tournament/1": "名次", "/archive": "已结束的对局",
        "/ratings/xiangqi": "等级分榜", "/audit": "裁判日志",
    };
    for (const [path, words] of Object.entries(pages)) {
        await visit(page, url + path);
        check(`${path} in Chinese`, (await text(page.locator("main"))).includes(words));
        await looks(page, `zh${path.replace(/\W/g, "-")}`);
    }
    await visit(page, `${url}/tournament/999`);
    check("no such tournament: said in Chinese", (await text(page.locator("main"))).includes("没有这项赛事"));
}

// --- the arbiter -----------------------------------------------------------------------------------

async function arbiter(page, server, id) {
    const outcome = async () => (await server.rest("GET", `/games/${id}`)).body.outcome;
    await visit(page, `${server.url}/game/${id}`);
    await page.getByText("Arbiter's tools").click();
    await page.getByRole("button", { name: "Black forfeits" }).click();
    check("nothing is done without a reason", await comes(async () => (await text(page.locator(".arbiter .says"))).length > 0));
    await page.getByLabel("Reason").fill("left the hall");
    await page.getByRole("button", { name: "Black forfeits" }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    check("a game is forfeited", await comes(async () => (await outcome()) === "second wins"));
    await visit(page, `${server.url}/game/${id}`);
    await page.getByText("Arbiter's tools").click();
    await page.getByLabel("Reason").fill("it was the other hall");
    await page.locator(".arbiter select").selectOption("draw");
    await page.getByRole("button", { name: "Correct the result" }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    check("and the result corrected", await comes(async () => (await outcome()) === "draw"));
    await visit(page, `${server.url}/audit`);
    check("and everybody can read why", (await text(page.locator("main"))).includes("it was the other hall"));
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const cookie = await server.register("Ann");
    spawnSync(kraton, ["serve", "--data", join(server.folder, "data"), "--arbiter", "Ann"]);
    const ann = await visitor(browser, { cookie, url: server.url });
    const guest = await visitor(browser);
    await emptyWall(guest, server.url);
    const programs = [];
    for (const name of ["Alpha", "Beta"]) programs.push(keep(await Program.join(server, cookie, name)));
    const game = await spectate(guest, server, cookie, programs);
    await makeByForm(ann, server.url);
    check("an open list of tournaments takes it up by itself", await comes(() => guest.getByRole("link", { name: "Evening of the bots" }).isVisible()));
    await seeItPlayed(ann);
    await direct(ann, server, programs);
    for (const path of ["/watch", "/tournaments", "/tournament/1", "/archive"]) await firstVisit(browser, server.url, path);
    await match(ann, server.url);
    await archive(guest, server.url);
    await byOpening(guest, server, cookie, programs);
    await arbiter(ann, server, game);
    await inChinese(await visitor(browser, { width: 360, height: 780, prefs: { language: "zh", theme: "dark" } }), server.url);
    for (const page of [ann, guest]) check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
