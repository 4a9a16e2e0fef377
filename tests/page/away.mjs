// The opponent loses its connection: a notice with a countdown, then the win or a draw can be claimed. A new account is
// shown its code of recovery.
import { connect } from "node:net";
import { Server, openBrowser, visitor, visit, until, check, main } from "./kit.mjs";

// A program's connection that plays a guest.
function program(port) {
    const socket = connect({ port, host: "127.0.0.1" });
    const heard = [];
    let rest = "";
    socket.setEncoding("utf8").on("data", (bytes) => {
        const lines = (rest + bytes).split("\n");
        rest = lines.pop();
        heard.push(...lines);
    });
    const hear = async (verb) => {
        for (;;) {
            const at = heard.findIndex((line) => line.split(" ")[0] === verb);
            if (at >= 0) return heard.splice(0, at + 1).pop();
            await new Promise((done) => setTimeout(done, 20));
        }
    };
    return { say: (line) => socket.write(line + "\n"), hear, close: () => socket.destroy() };
}

main(async (keep) => {
    const server = keep(await Server.start("--away", 2));
    const page = await visitor(keep(await openBrowser()));
    await visit(page, server.url + "/me");
    const other = program(server.botPort);
    other.say("login guest=yes");
    await other.hear("welcome");
    other.say("seek game=surakarta tc=600 side=second");
    const id = /id=(\d+)/.exec(await other.hear("seeking"))[1];
    await visit(page, `${server.url}/join/${id}`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForSelector(".game-view");
    const game = /id=(\d+)/.exec(await other.hear("game"))[1];
    const type = async (move) => {
        await page.evaluate(async ([number, text]) => (await window.moduleOf("/lib/socket.js")).say("move", { game: number, move: text }), [Number(game), move]);
    };
    await type("b5-b4");
    await other.hear("turn");
    other.say(`move game=${game} move=b2-b3`);
    await until(page, () => document.querySelectorAll(".moves .move").length === 2);
    check("no notice while it is here", await page.locator(".away-notice").isHidden());
    other.close();
    await page.waitForSelector(".away-notice:not([hidden])");
    check("it says who", /has no connection/.test(await page.locator(".away-notice").textContent()));
    await page.getByRole("button", { name: "Claim the win" }).click();
    await until(page, () => /the player was away/.test(document.body.textContent));
    check("the notice is gone", await page.locator(".away-notice").isHidden());

    await visit(page, server.url + "/me");
    await page.locator("main input[name=name]").fill("阿兰");
    await page.locator("main input[name=password]").fill("correct horse 7");
    await page.locator("main input[name=password]").press("Enter");
    await page.waitForSelector(".recovery");
    check("the code is shown", /[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/.test(await page.locator(".recovery").textContent()));
});
