// Puzzles: one of the day on the start, solved by hand; a wrong try, hints, the solution shown, the next one; ratings.
import { game as rulesOf } from "../../web/rules/index.js";
import { Server, openBrowser, visitor, visit, settled, until, shot, axe, check, main } from "./kit.mjs";

async function middle(page, point) {
    const box = await page.locator(`.board-host .cell[data-point="${point}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

async function play(page, move) {
    await page.mouse.click(...(await middle(page, move.from)));
    await page.mouse.click(...(await middle(page, move.to)));
}

async function current(page, server) {
    const [, game, number] = /\/puzzles\/(\w+)\/(\d+)/.exec(page.url());
    const { body } = await server.rest("GET", `/puzzles/${game}/${number}`);
    return { ...body, rules: rulesOf(game) };
}

const says = (page) => page.locator(".puzzle-says").textContent();
const isAtRest = (page) => until(page, () => document.querySelector(".puzzle-view .board.live"));

// Plays the solver's moves; the replies come by themselves.
async function solve(page, { rules, fen, moves }) {
    let position = rules.parse(fen);
    for (let i = 0; i < moves.length; i++) {
        const move = rules.find(position, moves[i]);
        if (i % 2 === 0) {
            await isAtRest(page);
            await play(page, move);
        }
        position = rules.play(position, move);
        await until(page, (count) => document.querySelectorAll(".puzzle-line .ply").length >= count, i + 1);
    }
}

async function daily(browser, server) {
    const page = await visitor(browser);
    await visit(page, server.url + "/");
    await page.locator(".daily-card").first().waitFor();
    check("two puzzles of the day on the start", (await page.locator(".daily-card").count()) === 2);
    check("each with a board", (await page.locator(".daily-card .board").count()) === 2);
    const serious = await axe(page);
    check("the start: axe finds nothing serious", serious.length === 0, serious.join("; "));
    await page.locator(".daily-card[data-game=surakarta]").click();
    await page.waitForSelector(".puzzle-view");
    await settled(page);
    const puzzle = await current(page, server);
    check("a click leads to it", puzzle.game === "surakarta");
    await solve(page, puzzle);
    await until(page, () => /Solved/.test(document.querySelector(".puzzle-says").textContent));
    check("solved, with its moves", (await page.locator(".puzzle-line .ply").count()) === puzzle.moves.length);
    await until(page, () => /\+\d/.test(document.querySelector(".puzzle-rating").textContent));
    check("and it counts: the rating is shown with its change", /Your rating \d+ \+\d+/.test(await page.locator(".puzzle-rating").textContent()));
    await shot(page, "puzzle-solved");
    await page.getByRole("button", { name: "Once more" }).click();
    await solve(page, puzzle);
    await until(page, () => /Solved/.test(document.querySelector(".puzzle-says").textContent));
    const before = await page.locator(".puzzle-rating strong").textContent();
    await page.reload();
    await settled(page);
    check("the rating is kept", (await page.locator(".puzzle-rating strong").textContent()) === before);
    check("no errors", page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

async function mistakes(browser, server) {
    const page = await visitor(browser);
    await visit(page, server.url + "/");
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Puzzles" }).click();
    await page.getByRole("link", { name: "Solve puzzles: Xiangqi" }).click();
    await page.waitForSelector(".puzzle-view");
    await settled(page);
    const puzzle = await current(page, server), { rules } = puzzle, position = rules.parse(puzzle.fen);
    check("the address names the puzzle", /\/puzzles\/xiangqi\/\d+$/.test(page.url()));
    check("whose side the solver has is below", (await page.locator(".board-host .board").getAttribute("data-orientation")) === String(position.side));
    await page.getByRole("button", { name: "Hint" }).click();
    const kind = await says(page);
    check("the first hint says what kind it is", /Mate in|Win material/.test(kind), kind);
    await page.getByRole("button", { name: "Hint" }).click();
    check("the second marks the piece", (await page.locator(".board .note.held").count()) === 1 && (await page.getByRole("button", { name: "Hint" }).isDisabled()));
    const wrong = rules.moves(position).find((move) => move.text !== puzzle.moves[0] && rules.moves(rules.play(position, move)).length > 0);
    await isAtRest(page);
    await play(page, wrong);
    await until(page, () => document.querySelector(".puzzle-says").dataset.mood === "bad");
    check("a wrong move is said", (await says(page)).includes("not it"));
    await until(page, () => /[−-]\d/.test(document.querySelector(".puzzle-rating").textContent));
    check("and costs rating", true);
    await isAtRest(page);
    check("it is taken back", (await page.locator(".board-host .piece").count()) === position.board.filter(Boolean).length);
    await solve(page, puzzle);
    await until(page, () => document.querySelector(".puzzle-says").dataset.mood === "late");
    check("the right one is still found, and said not to count", (await says(page)).includes("first try"));
    const first = page.url();
    await page.keyboard.press("n");
    await until(page, (url) => location.href !== url && document.querySelector(".puzzle-view") && document.documentElement.dataset.ready, first);
    check("n leads to the next one", /\/puzzles\/xiangqi\/\d+$/.test(page.url()) && page.url() !== first);
    const next = await current(page, server);
    await page.getByRole("button", { name: "Show the solution" }).click();
    await until(page, (count) => document.querySelectorAll(".puzzle-line .ply").length === count, next.moves.length);
    check("the solution is shown", (await says(page)).includes("This was the solution"));
    await page.getByRole("link", { name: "Study the position" }).click();
    await page.waitForSelector(".study .board");
    check("the study opens with the line", (await page.locator(".study .moves").textContent()).includes(next.moves[0]));
    await visit(page, server.url + "/puzzles/xiangqi/99999");
    check("a number that is none is said", (await page.locator("main").textContent()).includes("numbered"));
    check("no errors", page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

async function looks(browser, server) {
    for (const [width, height] of [[1440, 900], [820, 1100], [360, 780]])
        for (const theme of ["light", "dark"]) {
            const language = theme === "dark" ? "zh" : "en";
            const page = await visitor(browser, { width, height, prefs: { theme, language } });
            for (const path of ["/puzzles", "/puzzles/xiangqi/2", "/puzzles/surakarta/3"]) {
                await visit(page, server.url + path);
                await shot(page, `puzzles${path.replace(/\W/g, "-").slice(8)}-${width}-${theme}`);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                check(`${path} ${width} ${theme}: nothing sticks out`, wide <= 0, `${wide} px`);
                const serious = await axe(page);
                check(`${path} ${width} ${theme}: axe finds nothing serious`, serious.length === 0, serious.join("; "));
            }
            await visit(page, server.url + "/");
            await page.locator(".daily-card .board").first().waitFor();
            await shot(page, `puzzles-start-${width}-${theme}`, { fullPage: true });
            await page.context().close();
        }
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    await daily(browser, server);
    await mistakes(browser, server);
    await looks(browser, server);
});
