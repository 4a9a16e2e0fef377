// A third game: four files make it part of the page (docs/adding-a-game.md). A copy of the page gets a made-up game,
// halma, in three files of its own and one changed line; every view that offers games offers it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server, check, comes, main, openBrowser, shot, visit, visitor } from "./kit.mjs";

// The game is Surakarta under another name, without lessons.
function plant(web) {
    cpSync(fileURLToPath(new URL("../../web", import.meta.url)), web, { recursive: true });
    mkdirSync(join(web, "games/halma"));
    for (const file of ["index.js", "rules.js", "board.js"]) {
        const text = readFileSync(join(web, "games/surakarta", file), "utf8").replaceAll("surakarta", "halma").replaceAll("Surakarta", "Halma");
        writeFileSync(join(web, "games/halma", file), text.replace(/, lessons: \(\) => import\("[^"]*"\)/, ""));
    }
    const list = join(web, "games/index.js");
    const text = readFileSync(list, "utf8").replace("export const games = [", 'import halma from "./halma/index.js";\nexport const games = [halma, ');
    writeFileSync(list, text);
}

// The server does not know it: what it would say of it is added on the way.
async function addEntry(route) {
    const answer = await route.fetch();
    const body = await answer.json();
    body.games.push({ ...body.games.find(({ name }) => name === "surakarta"), name: "halma" });
    await route.fulfill({ response: answer, json: body });
}

await main(async (keep) => {
    const folder = mkdtempSync(join(tmpdir(), "kraton-third-"));
    keep({ close: () => rmSync(folder, { recursive: true, force: true }) });
    const web = join(folder, "web");
    plant(web);
    const server = keep(await Server.start("--web", web));
    const page = await visitor(keep(await openBrowser()));
    await page.route("**/api/games", addEntry);

    await visit(page, server.url);
    const card = page.locator(".pick[data-game=halma]");
    check("the start offers it", (await card.locator("h2").textContent()) === "Halma");
    check("and no rules where it has no lessons", (await page.locator("a[href^='/learn/']").count()) === 2);
    check("with a board of 24 stones", await comes(async () => (await card.locator(".board .piece").count()) === 24));
    await card.locator("button.primary").click();
    check("a new game has its sides", /Black.*White/s.test(await page.locator("dialog.setup").textContent()));
    await shot(page, "third-start");

    await visit(page, `${server.url}/study/halma`);
    check("the study opens it", (await page.locator(".study .board .piece").count()) === 24);
    check("among three games", (await page.locator(".study-head .choice").count()) === 3);
    check("with its panel of endgames", (await page.getByRole("tab").allTextContents()).some((text) => /ndgame/.test(text)));
    await visit(page, `${server.url}/ratings/halma`);
    check("it has ratings of its own", (await page.locator("main").textContent()).includes("Halma"));
    await visit(page, `${server.url}/archive`);
    check("the archive can be searched for it", (await page.locator("select[name=game] option[value=halma]").count()) === 1);
    await visit(page, `${server.url}/learn`);
    check("without lessons it is not taught", (await page.locator(".learn-card").count()) === 2);
});
