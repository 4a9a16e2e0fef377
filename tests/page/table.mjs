// At the table: what the tests that play games share. Moves are chosen by the page's own rules, made by mouse, by
// arrow keys or typed.
import { game as rulesOf } from "../../web/rules/index.js";
import { until } from "./kit.mjs";

// Numbers that look random and are the same every time.
export function dice(seed) {
    let state = seed;
    return (below) => {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        return (state >> 8) % below;
    };
}

export const gameNumber = (page) => Number(/\/game\/(\d+)/.exec(page.url())[1]);

// Starts a game against a house bot by two clicks, the choices being kept in the page's preferences.
export async function startBotGame(page, game) {
    const name = { surakarta: "Play Surakarta", xiangqi: "Play Xiangqi" }[game];
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForURL(/\/game\/\d+/);
    await page.waitForSelector(".game-view");
}

// The game as the page shows it: position, legal moves, whose turn, whether it is over.
export async function readTable(page, game) {
    const rules = rulesOf(game);
    const seen = await page.evaluate(() => ({
        moves: [...document.querySelectorAll(".moves .move")].map((node) => node.textContent),
        mine: document.querySelector(".status.mine") !== null,
        result: document.querySelector(".result .outcome")?.textContent ?? "",
    }));
    let position = rules.parse(rules.start);
    for (const text of seen.moves) position = rules.play(position, rules.find(position, text));
    return { ...seen, rules, position, legal: rules.moves(position) };
}

// Waits until it is the visitor's turn or the game is over.
export async function turn(page, game) {
    await until(page, () => document.querySelector(".status.mine") || document.querySelector(".result .outcome"));
    return readTable(page, game);
}

// Captures where it can, so that games end.
export function choose(table, roll) {
    const captures = table.legal.filter((move) => move.capture);
    const list = captures.length ? captures : table.legal;
    return list[roll(list.length)];
}

async function middleOf(page, point) {
    const box = await page.locator(`.board-host .cell[data-point="${point}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

export const byMouse = {
    async click(page, move) {
        for (const point of [move.from, move.to]) await page.mouse.click(...(await middleOf(page, point)));
    },
    async drag(page, move) {
        await page.mouse.move(...(await middleOf(page, move.from)));
        await page.mouse.down();
        await page.mouse.move(...(await middleOf(page, move.to)), { steps: 3 });
        await page.mouse.up();
    },
    async tap(page, move) {
        for (const point of [move.from, move.to]) await page.touchscreen.tap(...(await middleOf(page, point)));
    },
};

export async function byTyping(page, move) {
    await page.focus("#typed");
    await page.keyboard.type(move.text);
    await page.keyboard.press("Enter");
}

// Walks the board's cursor to both points by arrow keys.
export async function byArrows(page, move) {
    const columns = { surakarta: 6, xiangqi: 9 }[await page.locator(".game-view").getAttribute("data-game")];
    await page.locator(".board-host .cell[tabindex='0']").focus();
    for (const point of [move.from, move.to]) {
        const [from, to] = await page.evaluate((wanted) => {
            const cells = [...document.querySelectorAll(".board-host .cell")];
            return [cells.indexOf(document.activeElement), cells.findIndex((cell) => cell.dataset.point === String(wanted))];
        }, point);
        const down = Math.floor(to / columns) - Math.floor(from / columns);
        const right = (to % columns) - (from % columns);
        for (let i = 0; i < Math.abs(down); i++) await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
        for (let i = 0; i < Math.abs(right); i++) await page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
        await page.keyboard.press("Enter");
    }
}

// Makes a move and waits until it stands in the list.
export async function makeMove(page, table, move, by) {
    await by(page, move);
    await until(page, (count) => document.querySelectorAll(".moves .move").length > count || document.querySelector(".result .outcome"), table.moves.length);
}

// Plays to the end; returns the table then.
export async function playOut(page, game, by, seed) {
    const roll = dice(seed);
    for (;;) {
        const table = await turn(page, game);
        if (table.result) return table;
        await makeMove(page, table, choose(table, roll), by);
    }
}
