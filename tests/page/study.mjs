// The study: variations, the engine's lines, the explorers against `kraton tb probe`, the editor, records in and out,
// replays with their graph, a thousand moves, both languages, and a server that is away.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, openBrowser, visitor, visit, settled, shot, axe, check, note, main, kraton } from "./kit.mjs";
import { playGame } from "./games.mjs";

const PGN = `[Game "Chinese Chess"]
[Event "五羊杯"]
[Date "1999.12.09"]
[Red "Xu Yinchuan"]
[Black "Lü Qin"]
[Result "1-0"]

{before} 1. C2=5! $14 {the centre} H8+7 (1... H2+3?! {dubious} 2. H2+3 (2. P7+1 P7+1) R1+1) 2. H2+3 R9=8 1-0
`;
// The same as the server writes it.
const WRITTEN = `{before} 1. H2-E2! $14 {the centre} 1... H9-G7 (1... B9-C7?! {dubious} 2. H0-G2
(2. C3-C4 G6-G5) 2... A9-A8) 2. H0-G2 I9-H9 1-0
`;
const ENDINGS = ["b5/6/2w3/6/4b1/5w b 0 1", "6/1b4/6/6/4w1/6 b 0 1", "1b4/6/2w3/3w2/b5/6 w 0 1", "bb4/6/2w3/6/4b1/4w1 w 0 1", "2b3/6/6/1w4/4w1/2w3 b 0 1"];

const pointOf = (name, game) => (game === "xiangqi" ? Number(name[1]) * 9 : (6 - Number(name[1])) * 6) + name.charCodeAt(0) - 97;

// Plays by the mouse: moves as from-to, "b5b4".
async function playMoves(page, game, ...moves) {
    for (const move of moves) {
        await page.click(`.board-host [data-point="${pointOf(move.slice(0, 2), game)}"]`);
        await page.click(`.board-host [data-point="${pointOf(move.slice(-2), game)}"]`);
        await page.locator("button.move.here", { hasText: move.slice(-2) }).waitFor();
    }
}

const text = (page, selector) => page.locator(selector).first().textContent();
const here = (page) => text(page, "button.move.here");
// The moves as read down the list, variations in brackets.
const listed = (page) => page.locator(".moves").evaluate((list) => [...list.querySelectorAll(".pair > button.move, .variation")]
    .map((each) => (each.matches("button") ? each.firstChild.data : `(${[...each.querySelectorAll("button.move")].map((b) => b.firstChild.data).join(" ")})`)).join(" "));
const urlHas = (page, part) => page.waitForURL((url) => decodeURIComponent(url.href).includes(part));

// --- the analysis board -----------------------------------------------------------------------------

async function variations(page, server) {
    await visit(page, `${server.url}/study/surakarta`);
    await playMoves(page, "surakarta", "b5b4", "b2b3", "c5c4");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    check("arrows walk back", (await here(page)) === "b5-b4");
    await playMoves(page, "surakarta", "c2c3", "d5d4");
    check("a variation stands below its move", (await listed(page)) === "b5-b4 b2-b3 (c2-c3 d5-d4) c5-c4", await listed(page));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    const cell = () => page.evaluate(() => document.activeElement.dataset.point);
    const before = await cell();
    await page.keyboard.press("ArrowLeft");
    check("who has come to the board by keyboard steers it", before !== (await cell()) && (await here(page)) === "d5-d4");
    await page.fill("#typed", "e2e5");
    await page.press("#typed", "Enter");
    check("a typed move that is none stays, with the reason", (await page.inputValue("#typed")) === "e2e5" && (await text(page, "#typed-says")).length > 10, await text(page, "#typed-says"));
    await page.fill("#typed", "e2e3");
    await page.press("#typed", "Enter");
    check("a typed move is played", (await here(page)) === "e2-e3");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator(".moves").click({ position: { x: 5, y: 5 } }); // out of the field
    await page.keyboard.press("Home");
    check("Home goes to the start", (await page.locator("button.move.here").count()) === 0);
    await page.keyboard.press("End");
    check("End goes to the end", (await here(page)) === "c5-c4");
    await page.locator(".variation button.move", { hasText: "d5-d4" }).click();
    await page.getByRole("button", { name: "Main line" }).click();
    check("promoted", (await listed(page)) === "b5-b4 c2-c3 (b2-b3 c5-c4) d5-d4", await listed(page));
    await page.getByRole("button", { name: "Comment" }).click();
    await page.locator(".comment-host textarea").fill("worth a look");
    check("a comment stands by its move", (await text(page, ".aside .comment")) === "worth a look");
    await urlHas(page, "moves=b5-b4,c2-c3,d5-d4");
    check("the address holds the position", true);
    await page.reload();
    await settled(page);
    const kept = `${await listed(page)} at ${await here(page)} {${await page.locator(".moves .comment").allTextContents()}}`;
    check("a reload keeps variations, comment and place", kept === "b5-b4 c2-c3 (b2-b3 c5-c4) d5-d4 at d5-d4 {worth a look}", kept);
    await page.locator(".variation button.move", { hasText: "b2-b3" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    check("deleted", (await listed(page)) === "b5-b4 c2-c3 d5-d4" && (await here(page)) === "b5-b4");
    await page.getByRole("button", { name: "Undo" }).click();
    check("and back again", (await listed(page)) === "b5-b4 c2-c3 (b2-b3 c5-c4) d5-d4" && (await here(page)) === "b2-b3");
    await visit(page, `${server.url}/study/surakarta?moves=b5-b4,b5-b4`);
    check("an address with a move that cannot be played", (await listed(page)).startsWith("b5-b4") && (await text(page, ".toast")).includes("b5-b4"));
    await page.getByRole("button", { name: "New", exact: true }).click();
    check("a new one", (await page.locator("button.move").count()) === 0);
}

async function engineLines(page, server) {
    await visit(page, `${server.url}/study/xiangqi?moves=h2e2,h9g7`);
    await page.locator(".lines .line .pv button").first().waitFor();
    await page.waitForSelector(".lines .line:nth-child(3) .pv button");
    check("three lines of our engine", (await page.locator(".lines .line .score").count()) === 3);
    check("depth and nodes", /depth \d+ · [\d.]+[kM]? nodes/.test(await text(page, ".engine .state")), await text(page, ".engine .state"));
    check("an arrow for the best move", (await page.locator(".board .arrow").count()) === 1);
    check("a score in the bar", (await page.locator(".evalbar").getAttribute("aria-label")).startsWith("Score "));
    await page.getByLabel("How many lines").selectOption("5");
    await page.waitForSelector(".lines .line:nth-child(5) .pv button");
    check("five lines", (await page.locator(".lines .line .pv").count()) === 5);
    await shot(page, "study-lines");
    const second = page.locator(".lines .line").first().locator(".pv button").nth(1);
    await second.hover(); // the lines hold still under the pointer
    await page.locator(".preview .piece").first().waitFor();
    check("a line pointed at shows where it leads", true);
    const wanted = await second.textContent();
    await second.click();
    await page.locator("button.move.here").waitFor();
    check("a click on a line plays it", (await here(page)) === wanted, `${await here(page)}, not ${wanted}`);
    // A side that has a chariot more is ahead, whoever moves.
    for (const [fen, sign] of [["3k5/9/9/9/9/9/9/9/9/R3K4 w", "+"], ["3k5/9/9/9/9/9/9/9/9/R3K4 b", "+"], ["r2k5/9/9/9/9/9/9/9/9/4K4 w", "−"]]) {
        await visit(page, `${server.url}/study/xiangqi?fen=${fen.replace(" ", "_")}`);
        await page.locator(".engine .big", { hasText: /./ }).waitFor();
        check(`scores are the first side's: ${fen}`, (await text(page, ".engine .big")).startsWith(sign), await text(page, ".engine .big"));
    }
}

const arcsOf = async (page, arrow) => (await page.locator(`.board .arrow.${arrow} .shaft`).getAttribute("d")).split("A").length - 1;

// The one move that wins at once is a capture through two loops; the engine's arrow goes through them as well.
async function captureArrow(page, server) {
    await visit(page, `${server.url}/study/surakarta?fen=6/2b3/6/6/6/3w2_b_0_1`);
    await page.locator(".board .arrow.best").waitFor({ state: "attached" });
    const best = await text(page, ".lines .pv button");
    check("the arrow of the engine's capture goes its route", best === "c5xd1" && (await arcsOf(page, "best")) === 2, best);
    for (const [theme, width] of [["light", 1440], ["dark", 360]]) {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme: theme });
        await shot(page, `study-capture-arrow-${theme}-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.emulateMedia({ colorScheme: "light" });
}

// Whether a game can be begun where one stands.
async function playOn(browser, server) {
    const page = await visitor(browser);
    await visit(page, `${server.url}/study/surakarta?moves=b5-b4,b2-b3`);
    await page.getByRole("button", { name: "Play from here" }).click();
    await page.locator("dialog.setup button[type=submit]").click();
    await page.waitForURL(/\/game\/\d+/);
    const { body } = await server.rest("GET", `/games/${/\d+$/.exec(page.url())[0]}`);
    check("a game begins from the position studied", body.fen?.startsWith("bbbbbb/b1bbbb/1b4/1w4/w1wwww/wwwwww b"), JSON.stringify(body));
    await page.context().close();
}

async function outcome(page, server) {
    await visit(page, `${server.url}/study/surakarta?fen=6/1b4/6/6/1w4/6_b_49_80&moves=b5-c5`);
    await page.locator(".outcome:not([hidden])").waitFor();
    check("the server says how it ends", /Draw.*no capture|Draw.*without/i.test(await text(page, ".outcome")), await text(page, ".outcome"));
}

// --- explorers --------------------------------------------------------------------------------------

// The trace of a capture follows the loop, wherever one comes from.
async function traces(page, server) {
    const moves = "c5-d4,b2-c3,a5-a4,b1-b2,b6-c5,a2-b3,f5-e4,e2-e3,f6-f5,e1-e2,d4-d3,e3-d4,e4-f3,d4xd6";
    await visit(page, `${server.url}/study/surakarta?moves=${moves}`);
    await page.locator(".study-board .route.past").waitFor({ state: "attached" });
    check("the last capture is drawn along its loop", (await page.locator(".study-board .last.trace").count()) === 0);
    await page.keyboard.press("ArrowLeft");
    await page.locator(".study-board .last.trace").waitFor({ state: "attached" });
    check("another move straight", (await page.locator(".study-board .route.past").count()) === 0);
}

async function otherRules(page) {
    await page.locator("[data-tab=looks]").click();
    await page.selectOption("#study-rules", "ccgc");
    await page.locator(".outcome").waitFor({ state: "hidden" });
    check("by the contest's rules it goes on", true);
    await page.selectOption("#study-rules", "icga");
    await page.locator(".outcome:not([hidden])").waitFor();
}

async function asTheProberSays(page, server, tables, fens) {
    const probed = execFileSync(kraton, ["tb", "probe", "--dir", tables], { input: fens.join("\n") + "\n", encoding: "utf8" }).trim().split("\n");
    for (const line of probed) {
        const [fen, value, distance, moves] = line.split("\t");
        await visit(page, `${server.url}/study/surakarta?fen=${fen.replaceAll(" ", "_")}`);
        await page.locator("[data-tab=endgame][aria-selected=true]").waitFor(); // it opens by itself
        await page.locator(".verdict").waitFor();
        const seen = await page.locator(".explorer .table-move").evaluateAll((rows) => rows.map((row) =>
            `${row.dataset.move}=${["win", "draw", "loss"].find((each) => row.classList.contains(each))}/${row.querySelector(".distance").dataset.plies}`));
        const words = await page.locator(".verdict").textContent();
        const count = Math.ceil(Number(distance) / 2);
        if (Number(distance) > 0) check(`in words: ${words}`,
            words.endsWith(`: next capture in ${count} move${count > 1 ? "s" : ""}`) && /^(White|Black) wins|^Drawn/.test(words));
        const wanted = moves.split(" ").map((move) => (move.includes("/") ? move.replace("/?", "/") : move + "/"));
        const verdict = await page.locator(".verdict").evaluate((node) => ["win", "draw", "loss"].find((each) => node.classList.contains(each)));
        check(`as tb probe says, ${wanted.length} moves: ${fen}`, verdict === value && seen.join(" ") === wanted.join(" "), `${verdict} ${seen.join(" ")} / ${value} ${distance} ${wanted.join(" ")}`);
    }
}

async function endgames(page, server) {
    const tables = join(server.folder, "data", "tables");
    execFileSync(kraton, ["tb", "build", "--pieces", "5", "--dir", tables, "--threads", "1"]);
    await asTheProberSays(page, server, tables, ENDINGS);
    execFileSync(kraton, ["tb", "pack", "--dir", tables]);
    for (const name of readdirSync(tables)) if (name.endsWith(".distances")) rmSync(join(tables, name));
    await page.route("**/engines/*", (route) => route.fulfill({ status: 404 })); // the server's tables, not the browser's
    await asTheProberSays(page, server, tables, ENDINGS.slice(0, 1));
    check("values alone, compressed", (await page.locator(".explorer .distance:not(:empty)").allTextContents()).every((each) => /1/.test(each)));
    execFileSync(kraton, ["tb", "unpack", "--dir", tables]);
    execFileSync(kraton, ["tb", "build", "--pieces", "5", "--dir", tables, "--threads", "1"]);
    await asTheProberSays(page, server, tables, ENDINGS.slice(-1));
    await page.unroute("**/engines/*");

    await page.locator(".table-move").nth(1).hover();
    await page.locator(".board .arrow.second").waitFor({ state: "attached" });
    check("a move pointed at is drawn on the board", true);
    const capture = page.locator(".table-move[data-move*=x]").first();
    await capture.hover();
    await page.locator(".board .arrow.second.along").waitFor({ state: "attached" });
    check("a capture pointed at is drawn along its route", (await arcsOf(page, "second")) > 0);
    const best = await page.locator(".table-move").first().getAttribute("data-move");
    await page.locator(".table-move").first().click();
    check("a click plays the best move", (await here(page)) === best);
    await visit(page, `${server.url}/study/surakarta?fen=bbbbbb/bbbbbb/6/6/wwwwww/wwwwww_b_0_1`);
    await page.locator("[data-tab=endgame]").click();
    await page.locator(".explorer", { hasText: "24 pieces. Those here go up to 5." }).waitFor();
    check("no tables for so many pieces, in words", true);
}

async function openings(page, server) {
    await visit(page, `${server.url}/study/xiangqi?fen=${"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR_w_-_-_0_1"}`);
    await page.locator("[data-tab=openings]").click();
    const row = page.locator(".opening-move[data-move=h2e2], .opening-move[data-move=b2e2]").first();
    await row.waitFor();
    check("how often a move was played here", /2/.test(await row.locator(".count").last().textContent()), await row.textContent());
    check("and how well", (await row.locator(".bar").getAttribute("aria-label")).includes("first side won 50%"), await row.locator(".bar").getAttribute("aria-label"));
    await row.click();
    await page.locator(".opening-name strong").waitFor();
    check("the opening has its name", /Cannon/.test(await text(page, ".opening-name")), await text(page, ".opening-name"));
}

// --- editor -----------------------------------------------------------------------------------------

async function editor(page, server) {
    await visit(page, `${server.url}/study/xiangqi`);
    await page.locator("[data-tab=editor]").click();
    await page.getByRole("button", { name: "Empty board" }).click();
    await page.locator("#editor-says", { hasText: "no general" }).waitFor();
    check("an empty board is refused in the server's words", true);
    const put = async (tool, ...points) => {
        await page.click(`[data-tool="${tool}"]`);
        for (const point of points) await page.click(`.board-host [data-point="${pointOf(point, "xiangqi")}"]`);
    };
    await put(7, "e0");
    await put(15, "e9");
    await page.locator("#editor-says", { hasText: "face each other" }).waitFor();
    check("generals that face each other too", true);
    await put(4, "e4");
    await put(1, "a1");
    await page.locator(".editor .good", { hasText: "good position" }).waitFor();
    // By hand: the chariot from a1 to b1 by clicks; a cannon pulled from the palette and off the board again.
    const cell = (point) => page.locator(`.board-host [data-point="${pointOf(point, "xiangqi")}"]`);
    await page.click("[data-tool=hand]");
    await cell("a1").click();
    await cell("b1").click();
    await page.locator('[data-tool="2"]').dragTo(cell("i5"));
    check("a piece pulled from the palette", (await page.inputValue("#editor-fen")).startsWith("4k4/9/9/9/8C/4P4"), await page.inputValue("#editor-fen"));
    await page.click("[data-tool=hand]");
    await cell("i5").dragTo(page.locator(".editor .good"));
    check("and pulled off the board", (await page.inputValue("#editor-fen")).startsWith("4k4/9/9/9/9/4P4"), await page.inputValue("#editor-fen"));
    await page.getByText("Black", { exact: true }).click();
    check("the FEN follows the board", (await page.inputValue("#editor-fen")).startsWith("4k4/9/9/9/9/4P4/9/9/1R7/4K4 b"), await page.inputValue("#editor-fen"));
    await shot(page, "study-editor");
    await page.fill("#editor-fen", "4k4/9/9/9 w what");
    await page.locator("#editor-says", { hasText: "ranks" }).waitFor();
    await page.getByRole("button", { name: "Study this position" }).click();
    check("what does not parse stays as it was typed", (await page.inputValue("#editor-fen")) === "4k4/9/9/9 w what" && (await page.locator(".editor").count()) === 1);
    await page.fill("#editor-fen", "4k4/9/9/9/9/4P4/9/9/1R7/4K4 b");
    await page.locator(".editor .good", { hasText: "good position" }).waitFor();
    await page.getByRole("button", { name: "Study this position" }).click();
    await urlHas(page, "fen=4k4/9/9/9/9/4P4/9/9/1R7/4K4_b");
    check("a good one is studied", (await page.locator(".editor").count()) === 0);
    await visit(page, `${server.url}/study/surakarta?fen=bbb/nonsense`);
    check("an address that does not parse is said and kept", (await page.inputValue("#editor-fen")) === "bbb/nonsense" && (await text(page, "#editor-says")).length > 5, await text(page, "#editor-says"));
}

// --- records ----------------------------------------------------------------------------------------

async function download(page, name) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return readFileSync(await file.path());
}

async function bringIn(page, bytes, name) {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: /Open a file/ }).click()]);
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: bytes });
}

async function records(page, server) {
    await visit(page, `${server.url}/study/xiangqi`);
    await page.locator("[data-tab=records]").click();
    await page.fill("#study-import", PGN);
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
    const whole = "h2e2 h9g7 (b9c7 h0g2 c3c4 g6g5 a9a8) h0g2 i9h9";
    check("PGN with variations", (await listed(page)) === whole, await listed(page));
    const said = (await page.locator(".moves .comment").allTextContents()).join("|");
    check("and comments", said === "before|the centre|dubious", said);
    const marks = (await page.locator(".moves .mark").allTextContents()).join(" ");
    check("and marks", marks === "! += ?!", marks);
    const pgn = await download(page, "Save PGN");
    check("all of it in the file", pgn.toString().endsWith(WRITTEN), pgn.toString());
    await formats(page, pgn, whole);
    await page.fill("#study-import", "h2e2");
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.locator("button.move", { hasText: "h9g7" }).first().waitFor({ state: "detached" });
    await bringIn(page, pgn, "mine.pgn");
    await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
    check("out and in again: the same tree", (await listed(page)) === whole, await listed(page));
    check("and the same file", (await download(page, "Save PGN")).equals(pgn));
    await page.fill("#study-import", "h2e2 h9g7\nh0g2\nb2e2 b9c7 b0c2");
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.getByRole("button", { name: /Game 3 · 3 plies/ }).click();
    check("one of several games", (await listed(page)) === "b2e2 b9c7 b0c2", await listed(page));
    const data = await page.evaluateHandle((bytes) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([new Uint8Array(bytes)], "dropped.pgn"));
        return dropped;
    }, [...pgn]);
    await page.dispatchEvent(".board-host", "drop", { dataTransfer: data });
    await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
    check("a file dropped on the page", (await listed(page)) === whole, await listed(page));
    for (const bad of ["1. h2e2 h9g7 2. e2e9 nonsense", "4k4/9/9/9/x w", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN w"]) {
        await page.fill("#study-import", bad);
        await page.getByRole("button", { name: "Bring it in" }).click();
        await page.locator(".import .says", { hasText: /./ }).waitFor();
        check(`refused, and the text stays: ${await text(page, ".import .says")}`, (await page.inputValue("#study-import")) === bad);
    }
    await visit(page, `${server.url}/study/surakarta?moves=e5-e4,c2-c3,f5-f4`);
    await page.locator("[data-tab=records]").click();
    const contest = await download(page, "Save contest record");
    check("a contest record in GBK", new TextDecoder("gbk").decode(contest).includes("B2E-3E\r\nR5C-4C\r\nB2F-3F"));
    await page.fill("#study-import", "b5-b4");
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.locator("button.move", { hasText: "b5-b4" }).first().waitFor();
    await bringIn(page, contest, "SU-甲队 vs 乙队-先手胜-202611151405.txt");
    await page.locator("button.move", { hasText: "f5-f4" }).first().waitFor();
    check("read again", (await listed(page)) === "e5-e4 c2-c3 f5-f4");
    check("its name says who played", (await download(page, "Save PGN")).toString().includes('[Black "甲队"]'));
    check("moves as text", (await download(page, "Save moves")).toString().trim() === "e5-e4 c2-c3 f5-f4");
    await page.getByRole("button", { name: "Undo" }).click();
    check("and the old study comes back", (await listed(page)) === "b5-b4", await listed(page));
    await page.fill("#study-import", PGN);
    await page.getByRole("button", { name: "Bring it in" }).click();
    await urlHas(page, "/study/xiangqi");
    await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
    check("a record of the other game opens its board", (await listed(page)) === whole, await listed(page));
}

// What other programs wrote, and what they read.
async function formats(page, pgn, whole) {
    const folder = mkdtempSync(join(tmpdir(), "kraton-study-"));
    writeFileSync(join(folder, "a.pgn"), pgn);
    for (const format of ["xqf", "cbr", "dhtmlxq"]) {
        execFileSync(kraton, ["convert", "pgn", format, join(folder, "a.pgn"), "-o", join(folder, `a.${format}`)], { stdio: "pipe" });
        await page.fill("#study-import", "h2e2");
        await page.getByRole("button", { name: "Bring it in" }).click();
        await page.locator("button.move", { hasText: "h9g7" }).first().waitFor({ state: "detached" });
        await bringIn(page, readFileSync(join(folder, `a.${format}`)), `a.${format}`);
        await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
        check(`${format} with variations`, (await listed(page)) === whole, await listed(page));
        check(`${format} with comments`, (await page.locator(".moves .comment").allTextContents()).join("|") === "before|the centre|dubious");
    }
    writeFileSync(join(folder, "b.xqf"), await download(page, "Save XQF"));
    const back = JSON.parse(execFileSync(kraton, ["convert", "xqf", "json", join(folder, "b.xqf")]));
    check("XQF saved: the same tree", back.lines.length === 2 && back.comments[1] === "the centre" && back.lines[0].comments[2] === "dubious", JSON.stringify(back));
    rmSync(folder, { recursive: true });
    await bringIn(page, pgn, "again.pgn");
    await page.locator(".moves .mark").first().waitFor();
    await page.locator("button.move", { hasText: "h9g7" }).first().click();
    await page.getByRole("button", { name: "Comment" }).click();
    await page.getByRole("button", { name: "!?", exact: true }).click();
    check("a mark of one's own", (await here(page)).endsWith("!?"), await here(page));
    await page.getByRole("button", { name: "!?", exact: true }).click();
    check("and taken back", (await here(page)) === "h9g7", await here(page));
}

// A game of records in the archive: found, gone through with its variations, downloaded, made one's own.
async function imported(page, server) {
    const file = join(server.folder, "games.pgn");
    writeFileSync(file, PGN);
    await server.kill();
    execFileSync(kraton, ["archive", "import", file, "--data", join(server.folder, "data")]);
    await server.restart();
    await visit(page, `${server.url}/archive?player=${encodeURIComponent("Xu Yinchuan")}`);
    const row = page.locator("table.found tbody tr");
    await row.first().waitFor();
    const [got] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PGN" }).click()]);
    check("the archive gives the whole record back", readFileSync(await got.path(), "utf8").endsWith(WRITTEN), readFileSync(await got.path(), "utf8"));
    await shot(page, "study-archive");
    await row.first().locator("td.when a").click();
    await page.locator("button.move", { hasText: "i9h9" }).first().waitFor();
    check("it is shown with its variations", (await listed(page)) === "h2e2 h9g7 (b9c7 h0g2 c3c4 g6g5 a9a8) h0g2 i9h9", await listed(page));
    check("its comments and marks", (await page.locator(".moves .comment").allTextContents()).join("|") === "before|the centre|dubious"
        && (await page.locator(".moves .mark").allTextContents()).join(" ") === "! += ?!");
    const head = await text(page, ".study-head p");
    check("where and when it was played", head.includes("五羊杯") && head.includes("1999.12.09") && !head.includes("clock"), head);
    await shot(page, "study-imported");
    await page.locator("[data-tab=records]").click();
    check("saved from there", (await download(page, "Save PGN")).toString().endsWith(WRITTEN));
    await page.getByRole("button", { name: "Open as my own study" }).click();
    await urlHas(page, "/study/xiangqi");
    await page.reload();
    await settled(page);
    check("as a study of one's own it keeps all that", (await page.locator(".moves .mark").allTextContents()).join(" ") === "! += ?!"
        && (await listed(page)) === "h2e2 h9g7 (b9c7 h0g2 c3c4 g6g5 a9a8) h0g2 i9h9", await listed(page));
}

async function serverAway(page, server) {
    await visit(page, `${server.url}/study/surakarta`);
    await page.locator("[data-tab=records]").click();
    await page.fill("#study-import", "b5-b4 b2-b3");
    await server.kill();
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.locator(".import .says", { hasText: "does not answer" }).waitFor();
    check("the server is down: said, and nothing typed is lost", (await page.inputValue("#study-import")) === "b5-b4 b2-b3");
    await server.restart();
    await page.getByRole("button", { name: "Bring it in" }).click();
    await page.locator("button.move", { hasText: "b2-b3" }).first().waitFor();
    check("back again: it is read", true);
    await page.waitForSelector(".lines .line .pv button");
    check("and the engine goes on by itself", true);
}

// --- replay -----------------------------------------------------------------------------------------

async function replay(page, server, id) {
    await visit(page, `${server.url}/study/game/${id}`);
    check("a graph of what the programs thought", (await page.locator(".graph .line").getAttribute("d")).length > 50);
    check("their mistakes are marked", (await page.locator(".moves .mark.blunder").count()) === 1 && (await page.locator(".graph .mark.blunder").count()) === 1, await page.locator(".moves").textContent());
    check("the clock of every move", (await page.locator(".graph .clocks .first").getAttribute("d")).includes("M"));
    const box = await page.locator(".graph .curve").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    check("a click on the graph goes there", (await page.locator("button.move.here").count()) === 1);
    await page.getByRole("button", { name: "Look for mistakes" }).click();
    await page.locator(".summary .primary").waitFor({ state: "detached" });
    await page.locator(".progress").waitFor({ state: "detached" });
    check("looked through by our engine", (await page.locator(".moves .score").count()) === (await page.locator(".pair button.move").count()));
    const blunders = page.locator(".counts .blunder:enabled");
    if (await blunders.count()) {
        await blunders.first().click();
        check("the count leads to the blunder", (await here(page)).includes("??"));
        await page.locator(".better button").first().click();
        check("what would have been better is tried", (await page.locator(".variation button.move.here").count()) === 1);
    }
    await page.keyboard.press("Home");
    await page.getByLabel("Speed").selectOption("30");
    await page.getByRole("button", { name: "Play the game through" }).click();
    await page.waitForSelector(".pair:last-of-type button.move.here");
    check("it plays itself to the end", true);
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/ply=/);
    await shot(page, "study-replay");
}

// A game of a thousand moves: how long pictures take while it runs, and how long a jump does.
async function longReplay(page, server, id) {
    const began = Date.now();
    await visit(page, `${server.url}/study/game/${id}`);
    note(`a game of 1000 moves stands after ${Date.now() - began} ms`);
    check("all moves are there", (await page.locator("button.move").count()) === 2000);
    const jump = await page.evaluate(async () => {
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const times = [];
        for (const key of ["End", "Home", "End", "Home", "End"]) {
            await frame();
            const from = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            await frame();
            times.push(performance.now() - from);
        }
        return Math.max(...times);
    });
    check("End is the end", (await page.locator("button.move").last().getAttribute("aria-current")) === "true");
    await page.keyboard.press("Home");
    await page.getByLabel("Speed").selectOption("60");
    const frames = await page.evaluate(async () => {
        document.querySelector(".autoplay").click();
        const gaps = [];
        let last = performance.now();
        while (gaps.length < 240) {
            const now = await new Promise(requestAnimationFrame);
            gaps.push(now - last);
            last = now;
        }
        document.querySelector(".autoplay").click();
        const sorted = gaps.slice(1).sort((a, b) => a - b);
        const walked = document.querySelector("button.move.here").dataset.id;
        return { mean: sorted.reduce((a, b) => a + b) / sorted.length, p95: sorted[Math.floor(sorted.length * 0.95)], worst: sorted.at(-1), walked: Number(walked) };
    });
    note(`replay at 60 a second: ${frames.walked} plies in ${(frames.mean * 239 / 1000).toFixed(1)} s; a picture every ${frames.mean.toFixed(1)} ms, 95% within ${frames.p95.toFixed(1)} ms, the slowest ${frames.worst.toFixed(1)} ms`);
    note(`a jump from one end to the other: ${jump.toFixed(1)} ms at most, the next picture included`);
    check("a thousand moves replay", frames.walked > 0);
    await shot(page, "study-long");
    await page.locator(".moves").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Open as my own study" }).click();
    await urlHas(page, "/study/surakarta?fen=");
    await page.reload();
    await settled(page);
    check("as a study it survives a reload, far from its start", (await page.locator("button.move").count()) === 2000 && (await page.locator("button.move").last().getAttribute("aria-current")) === "true");
}

// --- looks ------------------------------------------------------------------------------------------

async function looks(browser, server, replayed) {
    const views = [["study-phone", 360, 780, {}, "/study/surakarta?moves=b5-b4,b2-b3"], ["study-4k", 3840, 2160, {}, "/study/xiangqi?moves=h2e2,h9g7,h0g2"],
        ["study-dark-zh", 1280, 860, { theme: "dark", language: "zh", notation: "chinese" }, "/study/xiangqi?moves=h2e2,h9g7,h0g2"],
        ["study-light", 1280, 860, { theme: "light" }, "/study/surakarta?moves=b5-b4,b2-b3"], ["study-replay-phone-zh", 360, 780, { language: "zh" }, `/study/game/${replayed}?ply=9`],
        ["study-replay-dark", 1440, 900, { theme: "dark" }, `/study/game/${replayed}?ply=9`]];
    for (const [name, width, height, prefs, path] of views) {
        const page = await visitor(browser, { width, height, prefs });
        await visit(page, server.url + path);
        if (!path.includes("game/")) await page.waitForSelector(".lines .line .pv button");
        const serious = await axe(page);
        check(`${name}: axe finds nothing serious`, serious.length === 0, serious.join("; "));
        check(`${name}: nothing sticks out`, (await page.evaluate(() => Math.max(...[document.documentElement, ...document.querySelectorAll(".controls, .edit-row, .engine-head, .tabs")].map((each) => each.scrollWidth - each.clientWidth)))) <= 0);
        if (prefs.language === "zh") check(`${name}: in Chinese`, (await text(page, ".engine .toggle")) === "引擎" && !/study\./.test(await text(page, "main")));
        if (prefs.notation) check(`${name}: moves in Chinese`, (await here(page)).startsWith("马二进三"), await here(page));
        await shot(page, name, width < 500 ? { fullPage: true } : {});
        check(`${name}: no errors in the console`, page.faults.length === 0, page.faults.join("; "));
        await page.context().close();
    }
}

// What a first visitor loads before the engine, which comes once the page stands.
async function weight(browser, server) {
    for (const path of ["/study/surakarta", "/study/xiangqi"]) {
        const page = await visitor(browser);
        let bytes = 0;
        page.on("response", (response) => {
            if (!response.url().includes("/engines/")) bytes += Number(response.headers()["content-length"] ?? 0);
        });
        await visit(page, server.url + path);
        note(`a first visit to ${path}: ${(bytes / 1024).toFixed(0)} KiB`);
        check(`${path} is under 150 KB`, bytes > 0 && bytes < 150_000, String(bytes));
        await page.context().close();
    }
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const line = ["h2e2", "h9g7", "h0g2", "i9h9", "e2e6", "g7e6"]; // the cannon for a pawn
    const game = await playGame(server, "xiangqi", line, { scores: [20, -15, 10, -20, -400, 390], slow: 2, loser: "first" });
    await playGame(server, "xiangqi", line.slice(0, 4), { loser: "second" });
    const page = await visitor(browser);
    await variations(page, server);
    await engineLines(page, server);
    await captureArrow(page, server);
    await traces(page, server);
    await outcome(page, server);
    await otherRules(page);
    await playOn(browser, server);
    await endgames(page, server);
    await openings(page, server);
    await editor(page, server);
    await records(page, server);
    await replay(page, server, game);
    await longReplay(page, server, await playGame(server, "surakarta", 2000, { rules: "ccgc", loser: "first" }));
    await looks(browser, server, game);
    await weight(browser, server);
    await serverAway(page, server);
    await imported(page, server);
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
