// One's own page: register, log in and out, password, tokens, games, ratings; a session that has expired; others' pages.
import { spawn } from "node:child_process";
import { Server, openBrowser, visitor, visit, settled, shot, axe, until, check, leave, main, kraton } from "./kit.mjs";

const textOf = (page) => page.locator("main").textContent();

// Two accounts play a rated game; the first one's page shows where it led.
// Ten plies by the two pages: a shorter game is not rated.
async function playTen(server, pages) {
    const id = Number(pages.Bella.url().match(/game\/(\d+)/)[1]);
    const game = async () => (await server.rest("GET", `/games/${id}`)).body;
    const { first_name: first, second_name: second } = await game();
    const played = [];
    while (played.length < 10) {
        const { legal } = (await server.rest("GET", `/position/surakarta?moves=${played.join("+")}`)).body;
        const { move } = legal[0];
        const page = pages[played.length % 2 ? second : first];
        await page.evaluate(async ([game, ply, move]) => (await window.moduleOf("/lib/socket.js")).say("move", { game, ply, move }), [id, played.length, move]);
        played.push(move);
        while ((await game()).moves.length < played.length);
    }
}

async function rated(browser, server) {
    const [ada, bob] = await Promise.all(["Bella", "Carl"].map(async (name) => visitor(browser, { cookie: await server.register(name), url: server.url })));
    for (let i = 0; i < 3; i++) {
        await visit(ada, server.url + "/");
        await visit(bob, server.url + "/");
        await ada.getByRole("button", { name: "Offer Surakarta" }).click();
        const box = ada.getByRole("checkbox", { name: /^Rated/ });
        check(i ? "the choice of rated is kept" : "rated is offered to accounts", (await box.isChecked()) === i > 0);
        await box.check();
        await ada.getByRole("button", { name: "Offer it in the lobby" }).click();
        await bob.locator(".lobby tbody button.primary").click();
        await bob.waitForSelector(".game-view");
        await ada.waitForSelector(".game-view");
        await playTen(server, { Bella: ada, Carl: bob });
        check("a rated game has no takebacks", await bob.getByRole("button", { name: "Take back" }).isDisabled());
        await leave(bob);
    }
    await visit(ada, server.url + "/me");
    await ada.waitForSelector(".graph .line");
    await ada.waitForSelector("tbody tr");
    check("the rating is drawn", /Surakarta: \d+ ± \d+ after 3 games/.test(await textOf(ada)), await textOf(ada));
    await shot(ada, "me-rated", { fullPage: true });
    await visit(bob, server.url + "/player/Bella");
    await bob.waitForSelector(".graph .line");
    await shot(bob, "player", { fullPage: true });
    check("and seen by others", (await bob.locator("tbody tr").count()) === 3);
    await bob.getByRole("button", { name: "Challenge: Xiangqi" }).click();
    await bob.getByRole("button", { name: "Challenge", exact: true }).click();
    await ada.getByRole("button", { name: "Accept" }).click();
    await Promise.all([ada, bob].map((page) => page.waitForSelector(".game-view")));
    check("a challenge reaches its player anywhere", true);
    check("no errors in the console", ada.faults.length + bob.faults.length === 0, [...ada.faults, ...bob.faults].join("; "));
}

// What a guest sees before it registers or logs in.
async function guestLooks(browser, server) {
    const cookie = (await server.rest("POST", "/guest")).headers.get("set-cookie").split(";")[0];
    const page = await visitor(browser, { cookie, url: server.url });
    await visit(page, server.url + "/me");
    await shot(page, "me-guest", { fullPage: true });
    await page.getByRole("button", { name: "I have an account" }).click();
    await page.locator("main .warning").waitFor();
    await shot(page, "me-guest-login", { fullPage: true });
    const serious = await axe(page);
    check("/me of a guest: axe finds nothing serious", serious.length === 0, serious.join("; "));
}

// A guest in the middle of a game registers: in both tabs it is the account, and the game goes on.
async function guestRegisters(browser, server) {
    const page = await visitor(browser);
    const friend = await visitor(browser);
    await Promise.all([page, friend].map((each) => visit(each, server.url + "/")));
    const begin = async () => {
        await visit(page, server.url + "/");
        await visit(friend, server.url + "/");
        await page.getByRole("button", { name: "Offer Surakarta" }).click();
        await page.getByRole("button", { name: "Offer it in the lobby" }).click();
        await friend.locator(".lobby tbody button.primary").click();
        await Promise.all([page, friend].map((each) => each.waitForSelector(".game-view")));
    };
    await begin();
    await leave(friend);
    await page.waitForSelector(".result .outcome");
    await begin();

    const tab = await page.context().newPage();
    const second = await page.context().newPage();
    await visit(second, server.url + "/me");
    await visit(tab, server.url + "/me");
    await tab.waitForSelector("tbody tr");
    const guest = /guest-[0-9a-f]+/.exec(await textOf(tab))[0];
    check("the page says what becomes of the guest", (await textOf(tab)).includes(`${guest} becomes your account`), await textOf(tab));
    await tab.getByRole("button", { name: "I have an account" }).click();
    const warning = await tab.locator("main .warning").textContent();
    check("and that logging in leaves its games behind", warning.includes(`stay with ${guest}`) && warning.includes("cannot be continued"), warning);
    const names = (await page.locator(".player .name").allTextContents()).map((words) => /guest-[0-9a-f]+/.exec(words)[0]);
    const asking = await page.context().newPage();
    await visit(asking, `${server.url}/player/${names.find((name) => name !== guest)}`);
    await asking.getByRole("button", { name: "Challenge: Xiangqi" }).click();
    await asking.getByRole("button", { name: "Challenge", exact: true }).click();
    await friend.locator(".invite", { hasText: guest }).waitFor();
    await tab.getByRole("button", { name: "I want an account" }).click();
    await tab.getByLabel("Name", { exact: false }).first().fill("Grace");
    await tab.getByLabel("Password").fill("correct horse");
    await tab.getByRole("button", { name: "Register" }).click();
    await tab.getByRole("heading", { level: 1, name: "Grace" }).waitFor();
    await tab.waitForSelector("tbody tr");
    check("the guest's game is the account's", (await tab.locator("tbody tr").count()) === 1 && (await tab.locator("tbody").textContent()).includes("Grace"));
    await second.getByRole("heading", { level: 1, name: "Grace" }).waitFor();
    check("the other tab knows", (await second.locator("#who").textContent()) === "Grace");
    for (const each of [page, friend]) await each.locator(".player .name", { hasText: "Grace" }).waitFor();
    check("both players see the name at the board", (await page.locator("#who").textContent()) === "Grace");
    await friend.locator(".invite", { hasText: "Grace" }).waitFor();
    check("the challenge has the new name, and is there once", (await friend.locator(".invite").count()) === 1);
    await friend.locator(".invite").getByRole("button", { name: "Decline" }).click();
    await leave(page);
    await friend.waitForSelector(".result .outcome");
    check("the game goes on to its end", true);
    await tab.reload();
    await until(tab, () => document.querySelectorAll("tbody tr").length === 2);
    check("and is the account's too", (await tab.locator("#who").textContent()) === "Grace");
    const faults = [page, friend].flatMap((each) => each.faults);
    check("no errors in the console", faults.length === 0, faults.join("; "));
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const page = await visitor(browser);

    await visit(page, server.url + "/me");
    await page.getByLabel("Name", { exact: false }).first().fill("Ada");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    check("registered", (await page.locator("#who").textContent()) === "Ada");

    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Register" }).waitFor();
    check("logged out", (await page.locator("#who").textContent()) === "You");
    await page.getByRole("button", { name: "I have an account" }).click();
    await page.getByLabel("Name").first().fill("Ada");
    await page.getByLabel("Password").fill("wrong horse");
    await page.getByRole("button", { name: "Log in" }).click();
    await until(page, () => document.querySelector(".says").textContent);
    check("a wrong password is refused in words, and what was typed stays", (await page.getByLabel("Name").first().inputValue()) === "Ada");
    await page.click("#language");
    await page.getByRole("button", { name: "登录" }).waitFor();
    check("and outlives a change of language", (await page.getByLabel("名字").first().inputValue()) === "Ada");
    await page.getByRole("button", { name: "登录" }).click();
    await until(page, () => document.querySelector(".says").textContent);
    check("in Chinese it is refused in Chinese", (await page.locator(".says").first().textContent()) === "名字或密码不对。", await page.locator(".says").first().textContent());
    await page.click("#language");
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    check("logged in", true);

    await page.getByText("Change the password").first().click();
    await page.getByLabel("Old password").fill("correct horse");
    await page.getByLabel("New password").fill("battery staple");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed").waitFor();
    check("the password is changed", (await server.rest("POST", "/login", { name: "Ada", password: "battery staple" })).status === 200);

    await page.getByLabel("Name of the program").fill("Adabot");
    await page.getByRole("button", { name: "Make a token" }).click();
    const token = await page.locator(".secret").textContent();
    check("a token, shown once", /^krt_/.test(token), token);
    const lines = await page.locator("#programs pre").textContent();
    check("how to connect has the real port", lines.includes(`127.0.0.1:${server.botPort}`) && lines.includes(token), lines);
    await shot(page, "me", { fullPage: true });
    const serious = await axe(page);
    check("/me: axe finds nothing serious", serious.length === 0, serious.join("; "));

    // The lines shown are typed as they stand, and the program comes.
    const engine = kraton.replace(/kraton$/, "kraton-xiangqi");
    const command = lines.replace("kraton join", `exec ${kraton} join`).replace("./my-engine", engine);
    const joined = spawn("sh", ["-c", command], { stdio: "ignore" });
    keep({ stop: () => joined.kill() });
    const other = await visitor(browser);
    await visit(other, server.url + "/");
    await other.waitForSelector(".lobby tbody tr");
    check("the program's offer stands in the lobby", (await other.locator(".lobby tbody").textContent()).includes("Adabot"));
    await other.locator(".lobby tbody button.primary").click();
    await other.waitForSelector(".game-view");
    await until(other, () => document.querySelectorAll(".moves .move").length > 0 || document.querySelector(".status.mine"));
    check("and it plays", true);
    await visit(other, server.url + "/player/Adabot");
    check("a program's page names its owner", (await textOf(other)).includes("Ada"));
    const again = await axe(other);
    check("/player: axe finds nothing serious", again.length === 0, again.join("; "));

    await page.getByRole("button", { name: "Revoke" }).click();
    await page.locator("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The tokens of Adabot are revoked").waitFor();
    check("revoked", true);

    // Logged out elsewhere: the page notices and says so.
    await server.rest("POST", "/password", { old: "battery staple", new: "third password" }, { cookie: (await server.rest("POST", "/login", { name: "Ada", password: "battery staple" })).headers.get("set-cookie").split(";")[0], origin: server.url });
    await page.reload();
    await settled(page);
    check("an expired session is said in words", (await textOf(page)).includes("no longer logged in"), await textOf(page));
    await page.getByLabel("Name").first().fill("Ada");
    await page.getByLabel("Password").fill("third password");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();

    await page.getByText("Close the account").first().click();
    await page.locator("details[open] input").fill("third password");
    await page.getByRole("button", { name: "Close the account" }).click();
    await page.locator("dialog").getByRole("button", { name: "Close the account" }).click();
    await page.getByRole("button", { name: "Register" }).waitFor();
    check("the account is closed", (await server.rest("POST", "/login", { name: "Ada", password: "third password" })).status === 403);

    await rated(browser, server);
    await guestLooks(browser, server);
    await guestRegisters(browser, server);
    await visit(other, server.url + "/player/Nobody");
    check("nobody of that name: in words", (await textOf(other)).includes("Nobody has that name"));
    check("no errors in the console", page.faults.length + other.faults.length === 0, [...page.faults, ...other.faults].join("; "));
});
