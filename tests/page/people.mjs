// What players have with each other: challenges with terms, refused offers, calling off, words, mute, report, who is here;
// and their accounts: recovery, sessions, data; a guest who registers keeps everything.
import { readFileSync } from "node:fs";
import { Server, axe, check, comes, leave, main, openBrowser, settled, shot, until, visit, visitor } from "./kit.mjs";

const text = (page, selector) => page.locator(selector).first().textContent();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const quiet = async (page, what) => {
    const found = await axe(page);
    check(`${what}: axe finds nothing`, found.length === 0, found.join("; "));
};

// Nothing sticks out of the screen to the right.
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function say(page, verb, fields) {
    await page.evaluate(async ([verb, fields]) => (await window.moduleOf("/lib/socket.js")).say(verb, fields), [verb, fields]);
}

// Ann challenges Bob, on terms; the first is cancelled, the second declined, the third accepted.
async function challenges(ann, bob, server) {
    await visit(bob, server.url + "/learn");
    await visit(ann, server.url + "/");
    await ann.waitForSelector(".here li:has-text('Bob')");
    check("who is here, and free", /free/.test(await text(ann, ".here li:has-text('Bob')")), await text(ann, ".here"));
    check("nobody challenges oneself", (await ann.locator(".here li:has-text('Ann') button").count()) === 0);
    const ask = async () => {
        await button(ann, "Challenge Bob").click();
        await ann.locator("dialog.setup").getByText("Xiangqi", { exact: true }).click();
        await ann.locator("dialog.setup").getByText("1 min + 1 s").click();
        await ann.locator("dialog.setup").getByText(/^Black/).click();
        await ann.getByRole("checkbox", { name: /^Rated/ }).check();
        await button(ann, "Challenge").click();
        await ann.waitForSelector(".invite");
        await bob.waitForSelector(".invite");
    };
    await ask();
    check("the terms are said", /Xiangqi, 1 min \+ 1 s, rated\. You play Red/.test(await text(bob, ".invite")), await text(bob, ".invite"));
    check("on both sides", /Bob has been asked: Xiangqi, 1 min \+ 1 s, rated/.test(await text(ann, ".invite")), await text(ann, ".invite"));
    await button(ann, "Cancel").click();
    await until(bob, () => !document.querySelector(".invite"));
    check("cancelled, it is gone on both sides", (await ann.locator(".invite").count()) === 0);
    await ask();
    await button(bob, "Decline").click();
    await ann.getByText("Bob does not want to play now.").waitFor();
    await until(ann, () => !document.querySelector(".invite"));
    check("declined, and told so", true);
    await ask();
    await button(bob, "Accept").click();
    await Promise.all([ann, bob].map((page) => page.waitForSelector(".game-view")));
    check("the game has the terms", /Xiangqi · 1 min \+ 1 s · rated/.test(await text(ann, ".terms")), await text(ann, ".terms"));
    check("before the second move nobody resigns", (await button(ann, "Resign").count()) === 0);
    await leave(ann);
    await bob.waitForSelector(".result .outcome");
    check("called off", /called off/.test(await text(bob, ".result")), await text(bob, ".result"));
}

async function begin(ann, bob, server, game = "surakarta") {
    await say(ann, "challenge", { to: "Bob", game, tc: "600", side: "first" });
    await button(bob, "Accept").click();
    await Promise.all([ann, bob].map((page) => page.waitForSelector(".game-view .status")));
    await Promise.all([ann, bob].map(settled));
    return Number(/game\/(\d+)/.exec(ann.url())[1]);
}

async function refusals(ann, bob, server) {
    await visit(bob, server.url + "/learn");
    await visit(ann, server.url + "/learn");
    const game = await begin(ann, bob, server);
    await say(ann, "move", { game, move: "b5-b4" });
    await until(bob, () => document.querySelector(".status.mine"));
    for (const [name, words] of [["Offer a draw", "plays on"], ["Take back", "does not allow"]]) {
        await button(ann, name).click();
        await button(bob, "No, thank you").click();
        await until(ann, (part) => document.querySelector(".offers").textContent.includes(part), words);
        check(`${name}: the refusal is told`, (await bob.locator(".offer").count()) === 0);
        check("and it may be asked again", await button(ann, name).isEnabled());
    }
    await say(bob, "move", { game, move: "b2-b3" });
    await until(ann, () => document.querySelector(".status.mine"));
    check("after a move it is no longer said", (await text(ann, ".offers")) === "");
    return game;
}

async function words(ann, bob, game) {
    check("nobody talks at first", (await ann.locator(".chat-log").count()) === 0);
    await button(ann, "Talk").click();
    await bob.locator(".chat", { hasText: "Ann would like to talk." }).waitFor();
    await button(bob, "同意聊天").or(button(bob, "Talk, too")).click();
    await ann.waitForSelector(".chat-log");
    await button(ann, "Good luck!").click();
    await until(bob, () => /Good luck!/.test(document.querySelector(".chat-log").textContent));
    await ann.locator(".chat input").fill("这步棋 <b>怎么样</b>？");
    await ann.locator(".chat input").press("Enter");
    await until(bob, () => /<b>怎么样<\/b>/.test(document.querySelector(".chat-log").textContent));
    check("words arrive as they are", (await bob.locator(".chat-log b").count()) === 2);
    await bob.reload();
    await bob.waitForSelector(".chat-log");
    check("who comes back can still talk", (await bob.locator(".chat .phrase").count()) > 3);
    await bob.click("#language");
    await bob.waitForSelector(".chat-log");
    await button(ann, "Well played!").click();
    await until(bob, () => /下得好！/.test(document.querySelector(".chat-log").textContent));
    check("a set phrase is read in one's own language", true);
    await quiet(bob, "a game with words");
    await bob.setViewportSize({ width: 360, height: 740 });
    check("nothing is cut at 360 px", await fits(bob));
    await shot(bob, "chat-360", { fullPage: true });
    await bob.setViewportSize({ width: 1280, height: 860 });
    await bob.click("#language");
    await bob.waitForSelector(".chat-log");

    await button(bob, "Mute").click();
    await button(bob, "Unmute").waitFor();
    await button(ann, "Nice move!").click();
    await ann.locator(".toast.error").waitFor();
    check("muted: not heard, and told so", /does not want to talk/.test(await text(ann, ".toast.error")), await text(ann, ".toast.error"));
    await button(bob, "Report…").click();
    await bob.locator("dialog.report select").selectOption("words");
    await bob.locator("dialog.report textarea").fill("rude");
    await quiet(bob, "the report");
    await button(bob, "Send").click();
    await bob.getByText("Arbiters will look at it").waitFor();
    check("reported", true);
    await button(bob, "Stop talking").click();
    await until(ann, () => !document.querySelector(".chat-log"));
    check("turned off for both", (await bob.locator(".chat-log").count()) === 0);
    await leave(ann);
    await bob.waitForSelector(".result .outcome");
    check(`game ${game} is over`, true);
}

async function account(browser, bob, server) {
    await visit(bob, server.url + "/me");
    check("muted players are listed", /Muted players/.test(await text(bob, "main")));
    await button(bob, "Unmute").click();
    await until(bob, () => !/Muted players/.test(document.querySelector("main").textContent));
    const agent = { "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/115.0" };
    const elsewhere = (await server.rest("POST", "/login", { name: "Bob", password: "correct horse" }, agent)).headers.get("set-cookie").split(";")[0];
    await bob.reload();
    await bob.getByText("Where you are logged in").click();
    await bob.getByText("Firefox, Windows").waitFor();
    await shot(bob, "account", { fullPage: true });
    await quiet(bob, "the account");
    await button(bob, "Log out there").click();
    await bob.getByText("Logged out there.").first().waitFor();
    check("the other browser is logged out", (await server.rest("GET", "/me", undefined, { cookie: elsewhere })).status === 401);

    const [file] = await Promise.all([bob.waitForEvent("download"), bob.getByText("Download everything the server knows").click()]);
    const data = JSON.parse(readFileSync(await file.path(), "utf8"));
    check("own data as a file", JSON.stringify(data).includes("Bob"), Object.keys(data).join(", "));

    // A new code, then a new password by it, in a browser that knows nothing.
    await bob.locator("summary", { hasText: "New recovery code" }).click();
    await bob.locator("details[open] input[name=password]").last().fill("correct horse");
    await button(bob, "New recovery code").click();
    const code = await text(bob, ".recovery code");
    const fresh = await visitor(browser, { width: 360, height: 740 });
    await visit(fresh, server.url + "/me");
    await button(fresh, "I have an account").click();
    await button(fresh, "Forgot your password?").click();
    await fresh.locator("input[name=name]").fill("Bob");
    await fresh.locator("input[name=code]").fill("WRONG-WRONG-WRONG-WRONG");
    await fresh.locator("input[name=password]").fill("battery staple");
    await button(fresh, "Set a new password").click();
    await until(fresh, () => document.querySelector(".says").textContent);
    check("a wrong code is refused", (await fresh.inputValue("input[name=name]")) === "Bob");
    check("nothing is cut at 360 px", await fits(fresh));
    await quiet(fresh, "recovery");
    await fresh.locator("input[name=code]").fill(code.toLowerCase());
    await button(fresh, "Set a new password").click();
    await fresh.getByRole("heading", { level: 1, name: "Bob" }).waitFor();
    check("the code gives a new password, and the next code", (await text(fresh, ".recovery code")) !== code);
    check("which works", (await server.rest("POST", "/login", { name: "Bob", password: "battery staple" })).status === 200);
    await shot(fresh, "account-360", { fullPage: true });
}

// What a guest has solved and chosen is the account's.
async function guestKeeps(browser, server) {
    const page = await visitor(browser, { prefs: { boardTheme: "green" } });
    await visit(page, server.url + "/puzzles/xiangqi/1");
    await button(page, "Show the solution").click();
    const tries = () => page.evaluate(async () => (await (await fetch("/api/v1/puzzles")).json()).games.find(({ game }) => game === "xiangqi").solver.tries);
    await comes(async () => (await tries()) === 1);
    await visit(page, server.url + "/me");
    await page.locator("input[name=name]").fill("Keeper");
    await page.locator("input[name=password]").fill("correct horse");
    await button(page, "Register").click();
    await page.getByRole("heading", { level: 1, name: "Keeper" }).waitFor();
    check("who registers keeps the rating of the guest", (await tries()) === 1);
    await visit(page, server.url + "/study/xiangqi");
    check("and the settings", (await page.locator(".board").first().getAttribute("data-theme")) === "green");
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const [ann, bob] = await Promise.all(["Ann", "Bob"].map(async (name) => visitor(browser, { cookie: await server.register(name), url: server.url })));
    await challenges(ann, bob, server);
    const game = await refusals(ann, bob, server);
    await words(ann, bob, game);
    await account(browser, bob, server);
    await guestKeeps(browser, server);
    check("no errors in the console", ann.faults.length + bob.faults.length === 0, [...ann.faults, ...bob.faults].join("; "));
});
