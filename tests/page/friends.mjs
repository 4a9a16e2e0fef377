// Two browsers: a friend's link, the lobby, a challenge; how fast a move crosses over; one of them goes offline and
// comes back; the server goes down and comes back.
import { Server, Line, openBrowser, visitor, visit, settled, shot, axe, until, check, note, main } from "./kit.mjs";
import { gameNumber, turn, readTable, makeMove, choose, dice, byMouse, byTyping } from "./table.mjs";

const status = (page) => page.locator(".status").textContent();
const moveCount = (page, count) => until(page, (n) => document.querySelectorAll(".moves .move").length === n, count);

// A makes a link, B opens it: both come to the same game.
async function meet(a, b, urlA, urlB, game) {
    await visit(a, urlA + "/");
    await a.locator(`[data-game=${game}] button`).click();
    await a.getByText("A friend", { exact: true }).click();
    await a.getByRole("button", { name: "Make a link" }).click();
    await a.waitForSelector("#link");
    const link = await a.inputValue("#link");
    await settled(a);
    await shot(a, "join-waiting");
    const serious = await axe(a);
    check("the waiting page: axe finds nothing serious", serious.length === 0, serious.join("; "));
    await a.reload();
    await a.waitForSelector("#link");
    check("the link outlives a reload", (await a.inputValue("#link")) === link);
    await visit(b, urlB + new URL(link).pathname);
    check("the friend sees what is offered", /invites you to a game/.test(await b.locator("h1").textContent()));
    await shot(b, "join-invited");
    await b.getByRole("button", { name: "Play", exact: true }).click();
    await Promise.all([a, b].map((page) => page.waitForSelector(".game-view")));
    await Promise.all([a, b].map(settled));
    check(`${game}: both are at the same table`, gameNumber(a) === gameNumber(b));
    return link;
}

// The moment a move was let go of on one side, and the moment it was drawn on the other.
async function watchMoves(page) {
    await page.evaluate(() => {
        window.seen = [];
        window.sent = [];
        const now = () => performance.timeOrigin + performance.now();
        new MutationObserver(() => window.seen.push(now())).observe(document.querySelector(".moves"), { childList: true, subtree: true });
        document.addEventListener("pointerdown", (event) => (window.sent.push(performance.timeOrigin + event.timeStamp)), true);
    });
}

async function latencies(a, b, game, plies) {
    const roll = dice(7);
    const found = [];
    await Promise.all([a, b].map(watchMoves));
    for (let ply = 0; ply < plies; ply++) {
        const [mover, other] = (await readTable(a, game)).mine ? [a, b] : [b, a];
        const table = await turn(mover, game);
        if (table.result) break;
        await Promise.all([a, b].map((page) => page.evaluate(() => ((window.seen = []), (window.sent = [])))));
        await byMouse.click(mover, choose({ ...table, legal: table.legal.filter((move) => !move.capture) }, roll));
        await Promise.all([a, b].map((page) => moveCount(page, table.moves.length + 1)));
        const sent = await mover.evaluate(() => window.sent.at(-1));
        const seen = await other.evaluate(() => window.seen[0]);
        found.push(seen - sent);
    }
    found.sort((x, y) => x - y);
    note(`a move appears on the other side after ${found[found.length >> 1].toFixed(1)} ms (median of ${found.length}; ${found[0].toFixed(1)} to ${found.at(-1).toFixed(1)}); goal 50`);
}

async function lostLine(a, b, line, game) {
    const roll = dice(11);
    // The clocks of both sides tell the same.
    const clocks = (page) => page.evaluate(() => [...document.querySelectorAll(".player")].sort((x, y) => x.dataset.side - y.dataset.side).map((node) => node.querySelector(".time").textContent));
    const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    const [before, between, after] = [await clocks(a), await clocks(b), await clocks(a)].map((texts) => texts.map(seconds));
    check("clocks agree", between.every((time, i) => time <= before[i] + 1 && time >= after[i] - 1), [before, between, after].join("; "));

    if (!(await readTable(a, game)).mine) await makeMove(b, await turn(b, game), choose(await turn(b, game), roll), byTyping);
    let table = await turn(a, game);
    line.cut();
    await until(b, () => !document.getElementById("offline").hidden);
    check("the lost line is said", (await status(b)).includes("No connection"), await status(b));
    await shot(b, "game-offline");
    await makeMove(a, table, choose(table, roll), byTyping);
    line.mend();
    await moveCount(b, table.moves.length + 1);
    await until(b, () => document.getElementById("offline").hidden);
    check("back, it catches up by itself", true);

    table = await turn(b, game);
    line.cut();
    await until(b, () => !document.getElementById("offline").hidden);
    await byTyping(b, choose(table, roll));
    check("a move made offline is kept", (await status(b)).includes("kept"), await status(b));
    line.mend();
    await moveCount(a, table.moves.length + 1);
    check("and arrives when the line is back", true);
}

async function serverDown(a, b, server, game) {
    const before = await readTable(a, game);
    await server.kill();
    await until(a, () => !document.getElementById("offline").hidden);
    check("the server down: the page says so", (await a.locator("#offline").textContent()).includes("No connection to the server"));
    await server.restart();
    await Promise.all([a, b].map((page) => until(page, () => document.getElementById("offline").hidden)));
    const table = await turn(a, game);
    check("the server back: the game goes on where it was", table.moves.length === before.moves.length);
    await makeMove(a, table, choose(table, dice(3)), byTyping);
    await moveCount(b, table.moves.length + 1);
    check("and moves cross over again", true);
}

// Whoever goes away from the board while the line is cut finds the move made there sent on coming back, and the part of
// the page that could not be loaded shows itself.
async function goneMeanwhile(a, b, line, game) {
    if (!(await readTable(b, game)).mine) await makeMove(a, await turn(a, game), choose(await turn(a, game), dice(5)), byTyping);
    const table = await turn(b, game);
    line.cut();
    await until(b, () => !document.getElementById("offline").hidden);
    await byTyping(b, choose(table, dice(6)));
    await b.locator('.bar a[href="/learn"]').click();
    await until(b, () => document.querySelector("section.empty"));
    check("what cannot be loaded says why", (await b.locator("section.empty").textContent()).includes("server does not answer"), await b.locator("section.empty").textContent());
    line.mend();
    await b.locator("h1", { hasText: "Learn" }).waitFor();
    check("and comes by itself", true);
    await b.goBack();
    await moveCount(a, table.moves.length + 1);
    check("the move left behind is sent on coming back", true);
    await b.waitForSelector(".game-view");
}

// A move said in advance is not for the position that a takeback brings.
async function takenBack(a, b, game) {
    if (!(await readTable(b, game)).mine) await makeMove(a, await turn(a, game), choose(await turn(a, game), dice(5)), byTyping);
    const table = await turn(b, game);
    const [move, other] = table.legal.filter((each) => !each.capture);
    await makeMove(b, table, move, byTyping);
    await byMouse.click(b, table.legal.find((each) => each.from === other.from && !each.capture && each.from !== move.from) ?? other);
    await b.getByRole("button", { name: "Take back" }).click();
    await a.getByRole("button", { name: "Accept" }).click();
    await moveCount(b, table.moves.length);
    await until(b, () => document.querySelector(".status.mine"));
    check("a takeback calls off the move in advance", (await readTable(b, game)).moves.length === table.moves.length);
    await makeMove(b, table, move, byTyping);
    await moveCount(a, table.moves.length + 1);
}

// The disk fills up while two play: the game stands still and goes on.
async function fullDisk(browser, keep) {
    const server = await Server.startOnSmallDisk(64, "--reserve", "16");
    if (!server) {
        note("skipped: a full disk (needs root, to mount one)");
        return;
    }
    keep(server);
    const [a, b] = [await visitor(browser), await visitor(browser)];
    await meet(a, b, server.url, server.url, "xiangqi");
    const table = await turn(a, "xiangqi");
    const move = choose(table, dice(4));
    server.fill(50);
    await until(a, () => !document.getElementById("offline").hidden);
    check("the disk full: the page says so", (await a.locator("#offline").textContent()).includes("disk is full"), await a.locator("#offline").textContent());
    await byTyping(a, move);
    await until(a, () => document.querySelector(".status").textContent.includes("is kept"));
    await shot(a, "game-disk-full");
    const c = await visitor(browser);
    await visit(c, server.url + "/");
    await c.locator("[data-game=surakarta] button").click();
    await c.getByRole("button", { name: "Play", exact: true }).click();
    await until(c, () => document.querySelector("dialog .says").textContent.includes("disk is full"));
    check("whoever comes then is told why nothing begins", true);
    server.empty();
    await moveCount(b, table.moves.length + 1);
    check("there is room again: the move kept is played", (await readTable(b, "xiangqi")).moves.at(-1) === move.text);
    await until(a, () => document.getElementById("offline").hidden);
}

async function deadDisk(a, b, server, game) {
    const table = await turn(b, game);
    const move = choose(table, dice(4));
    const ended = server.forbidWriting();
    await byTyping(b, move);
    await ended;
    await until(b, () => !document.getElementById("offline").hidden);
    check("the disk dead: the server stops, the page says so and keeps the move", (await status(b)).includes("kept"), await status(b));
    await server.restart();
    await moveCount(a, table.moves.length + 1);
    check("the server back: the move is played", (await readTable(a, game)).moves.at(-1) === move.text);
}

// B says in advance what it will answer.
async function premove(a, b, game) {
    const table = await turn(a, game);
    const roll = dice(21);
    const quiet = table.legal.filter((move) => !move.capture);
    const own = table.rules.moves({ ...table.position, side: table.position.side ^ 1 }).filter((move) => !move.capture);
    const move = quiet[roll(quiet.length)];
    const answer = own.find((each) => each.to !== move.to && each.from !== move.to);
    await byMouse.click(b, answer);
    await byTyping(a, move);
    await moveCount(a, table.moves.length + 2);
    check("a move in advance is played by itself", (await readTable(a, game)).moves.at(-1) === answer.text);
}

// A piece held while the other side resigns goes back to where it stood.
async function endWhileDragging(a, b, game) {
    // Before the second move a game is called off, not resigned.
    for (let table = await readTable(a, game); table.moves.length < 2 || !table.mine; table = await readTable(a, game)) {
        const mover = table.mine ? a : b, now = await turn(mover, game);
        await makeMove(mover, now, choose(now, dice(2)), byTyping);
        await moveCount(a, now.moves.length + 1);
    }
    const move = (await turn(a, game)).legal.find((each) => !each.capture);
    const places = () => a.evaluate(() => [...document.querySelectorAll(".board-host .piece")].map((node) => node.getAttribute("transform")).sort().join(" "));
    const middle = async (point) => {
        const box = await a.locator(`.board-host .cell[data-point="${point}"]`).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const before = await places();
    await a.mouse.move(...(await middle(move.from)));
    await a.mouse.down();
    await a.mouse.move(...(await middle(move.to)), { steps: 3 });
    await b.getByRole("button", { name: "Resign" }).click();
    await b.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await a.waitForSelector(".result .outcome");
    await a.mouse.up();
    check("a piece held while the game ends goes back", (await places()) === before);
}

async function lobby(a, b, server) {
    await visit(a, server.url + "/");
    await visit(b, server.url + "/");
    await a.getByRole("button", { name: "Offer Xiangqi" }).click();
    await a.getByRole("button", { name: "Offer it in the lobby" }).click();
    await b.waitForSelector(".lobby tbody tr");
    await a.waitForSelector(".lobby tr.own");
    await shot(b, "lobby");
    await a.getByRole("button", { name: "Withdraw" }).click();
    await until(b, () => !document.querySelector(".lobby tbody tr"));
    check("an offer comes and goes in the lobby", true);
    await a.getByRole("button", { name: "Offer Xiangqi" }).click();
    await a.getByRole("button", { name: "Offer it in the lobby" }).click();
    await b.locator(".lobby tbody button.primary").click();
    await Promise.all([a, b].map((page) => page.waitForSelector(".game-view")));
    check("taken up, the game begins for both", gameNumber(a) === gameNumber(b));
    await a.getByRole("button", { name: "Offer a draw" }).click();
    await b.getByRole("button", { name: "Accept" }).click();
    await Promise.all([a, b].map((page) => page.waitForSelector(".result .outcome")));
    check("a draw is agreed", (await a.locator(".result").textContent()).includes("Draw: agreed"));
    await a.getByRole("button", { name: "Rematch" }).click();
    await b.getByRole("button", { name: "Accept" }).click();
    await until(b, () => document.querySelector(".game-view") && !document.querySelector(".result .outcome"));
    check("and a rematch", true);
    await endWhileDragging(a, b, "xiangqi");
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const line = keep(await Line.to(server.port));
    const browser = keep(await openBrowser());
    const [a, b] = [await visitor(browser), await visitor(browser)];
    const link = await meet(a, b, server.url, line.url, "surakarta");
    await latencies(a, b, "surakarta", 12);
    await lostLine(a, b, line, "surakarta");
    await serverDown(a, b, server, "surakarta");
    await deadDisk(a, b, server, "surakarta");
    await goneMeanwhile(a, b, line, "surakarta");
    await takenBack(a, b, "surakarta");
    await premove(a, b, "surakarta");
    const c = await visitor(browser);
    await visit(c, link);
    check("an expired link says so", (await c.locator("main").textContent()).includes("no longer valid"));
    await visit(c, `${server.url}/game/${gameNumber(a)}`);
    const watched = await readTable(c, "surakarta");
    check("a spectator sees the game", watched.moves.length > 5);
    check("without controls", (await c.getByRole("button", { name: "Resign" }).count()) === 0);
    const table = await turn(a, "surakarta");
    await makeMove(a, table, choose(table, dice(9)), byTyping);
    await moveCount(c, table.moves.length + 1);
    check("move by move", true);
    await c.getByRole("button", { name: "To the start" }).click();
    const reply = await turn(b, "surakarta");
    await makeMove(b, reply, choose(reply, dice(9)), byTyping);
    await moveCount(c, reply.moves.length + 1);
    check("who looks back is left there", (await status(c)).includes("after move 0"), await status(c));
    await visit(c, `${server.url}/game/999999`);
    check("no such game: in words", (await c.locator("main").textContent()).includes("no such game"), await c.locator("main").textContent());
    await fullDisk(browser, keep);
    await lobby(await visitor(browser), await visitor(browser), server);
    for (const page of [a, b, c]) check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
