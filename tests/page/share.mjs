// Giving away: the picture of a position as SVG and PNG, the record as a file, a board in another site's page, which
// alone may be framed.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { Server, openBrowser, visitor, visit, until, shot, axe, check, main } from "./kit.mjs";
import { startBotGame, gameNumber, turn, makeMove, choose, dice, byTyping } from "./table.mjs";

const QUICK = { opponent: "bot", level: 1, side: "first", tc: "1800+20", rated: false };

async function saved(page, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

// Size and colours of a PNG, looked at by the browser: how many different colours, and whether anything is drawn.
function lookAt(page, bytes) {
    return page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        let dark = 0, clear = 0;
        for (let i = 0; i < pixels.length; i += 4) {
            colours.add((pixels[i] >> 4) * 256 + (pixels[i + 1] >> 4) * 16 + (pixels[i + 2] >> 4));
            dark += pixels[i] + pixels[i + 1] + pixels[i + 2] < 120;
            clear += pixels[i + 3] < 250;
        }
        const all = pixels.length / 4;
        return { width: canvas.width, height: canvas.height, colours: colours.size, dark: dark / all, clear: clear / all };
    }, bytes.toString("base64"));
}

async function game(browser, server, name) {
    const page = await visitor(browser, { acceptDownloads: true, prefs: { [`setup.${name}`]: QUICK } });
    await visit(page, server.url + "/");
    await startBotGame(page, name);
    const table = await turn(page, name);
    await makeMove(page, table, choose(table, dice(1)), byTyping);
    await turn(page, name);
    const id = gameNumber(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.locator("dialog.share img").waitFor();
    await page.locator("dialog.share a.button", { hasText: "PGN" }).waitFor();
    const serious = await axe(page);
    check(`${name}: the dialog: axe finds nothing serious`, serious.length === 0, serious.join("; "));
    const svg = await saved(page, () => page.getByRole("button", { name: "SVG" }).click());
    const text = svg.bytes.toString();
    check(`${name}: an SVG by the game's number`, svg.name === `kraton-${id}.svg` && text.startsWith("<svg"));
    check(`${name}: which stands alone`, !/<use|var\(|class=/.test(text) && text.includes("radialGradient"), text.slice(0, 300));
    const png = await saved(page, () => page.getByRole("button", { name: "PNG" }).click());
    const seen = await lookAt(page, png.bytes);
    check(`${name}: a PNG 1200 pixels wide with a board on it`, seen.width === 1200 && seen.colours > 50 && seen.dark > 0.005 && seen.dark < 0.25 && seen.clear < 0.02, JSON.stringify(seen));
    const pgn = await saved(page, () => page.locator("dialog.share a.button", { hasText: "PGN" }).click());
    check(`${name}: the record as PGN`, pgn.name === `kraton-${id}.pgn` && pgn.bytes.toString().includes("[Event"), pgn.bytes.toString().slice(0, 200));
    check(`${name}: code for another page`, (await page.locator("dialog.share [name=embed]").inputValue()).includes(`${server.url}/embed/game/${id}`));
    await shot(page, `share-${name}`);
    await page.getByRole("button", { name: "Close" }).click();
    check(`${name}: no errors`, page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
    return id;
}

// Another site frames the board, and tries to frame the page.
async function framed(browser, server, id) {
    const site = createServer((request, answer) => {
        const path = new URL(request.url, "http://x").searchParams.get("path");
        answer.setHeader("Content-Type", "text/html").end(`<!doctype html><iframe src="${server.url}${path}" width="480" height="560"></iframe>`);
    });
    await new Promise((done) => site.listen(0, "127.0.0.1", done));
    const page = await visitor(browser, { width: 520, height: 600 });
    try {
        const open = async (path) => {
            await page.goto(`http://localhost:${site.address().port}/?path=${encodeURIComponent(path)}`);
            return page.frameLocator("iframe");
        };
        let frame = await open(`/embed/game/${id}`);
        await frame.locator(".board").waitFor();
        check("a game is framed by another site", (await frame.locator(".what").textContent()).includes("Computer, level 1"));
        await frame.locator("button[aria-label='To the start']").click();
        check("it walks through the moves", await frame.locator("button[aria-label='Back']").isDisabled());
        await shot(page, "embed-game");
        frame = await open("/embed/xiangqi?fen=3akab2/3r5/2n1b2c1/4p1p1C/c4r3/2R2N1R1/1p2P1n2/2N1B4/C8/3AKAB2_b_-_-_0_1&moves=g3h5,h4g6");
        await frame.locator(".board .piece").first().waitFor();
        check("a position with moves too", !(await frame.locator("button[aria-label='Back']").isDisabled()));
        check("which can do nothing but lead to the page, in a tab of its own", (await frame.locator("a").getAttribute("target")) === "_blank");
        await shot(page, "embed-position");
        frame = await open("/embed/chess");
        await frame.locator(".empty").waitFor();
        check("what is no game is said", true);
        await page.goto(`http://localhost:${site.address().port}/?path=/`);
        await until(page, () => document.querySelector("iframe"));
        const inner = page.frames().find((each) => each !== page.mainFrame());
        await until(page, () => document.readyState === "complete");
        check("the page itself is not framed", !inner || !(await inner.content()).includes("app.js"));
        for (const [path, isOpen] of [["/", false], ["/game/1", false], ["/embed", false], ["/study/embed/", false], ["/embed/xiangqi", true], ["/api/v1/health", false]]) {
            const { headers } = await fetch(server.url + path);
            const policy = headers.get("content-security-policy");
            check(`${path}: framing is ${isOpen ? "allowed" : "refused"}`,
                isOpen ? policy.includes("frame-ancestors *") && !headers.has("x-frame-options") : policy.includes("frame-ancestors 'none'") && headers.get("x-frame-options") === "DENY", policy);
        }
    } finally {
        site.close();
        await page.context().close();
    }
}

async function elsewhere(browser, server) {
    const page = await visitor(browser, { width: 360, height: 780, prefs: { language: "zh", theme: "dark" } });
    await visit(page, server.url + "/study/xiangqi?moves=h2e2,h9g7");
    await page.getByRole("button", { name: "分享" }).click();
    await page.locator("dialog.share img").waitFor();
    check("the study shares its line", (await page.locator("[name=embed]").inputValue()).includes("/embed/xiangqi?moves=h2e2,h9g7"), await page.locator("[name=embed]").inputValue());
    const wide = await page.evaluate(() => document.querySelector("dialog.share").scrollWidth - document.querySelector("dialog.share").clientWidth);
    check("nothing sticks out of the dialog on a phone", wide <= 0, `${wide} px`);
    await shot(page, "share-zh-360");
    check("no errors", page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    await game(browser, server, "xiangqi");
    const id = await game(browser, server, "surakarta");
    await elsewhere(browser, server);
    await framed(browser, server, id);
});
