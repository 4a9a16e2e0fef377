// Makes the pictures of the page in the README: a server, a game of each kind played up to a good moment by a
// person and a program, and a browser in which it is the person's move. Wants netpbm, to make them small.
//
//     node tools/page-screenshots.mjs [build/release/kraton] [docs/images]
import { spawnSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { Server, kraton, openBrowser, visit, visitor } from "../tests/page/kit.mjs";

const folder = resolve(process.argv[3] ?? "docs/images");
const SIZE = { width: 1080, height: 720 };
const MOST = 120 * 1024; // bytes a picture
const GAMES = {
    // Black has just run round a loop; the person is White.
    surakarta: {
        person: 1,
        moves: "c5-d4 b2-c3 a5-a4 b1-b2 b6-c5 a2-b3 f5-e4 e2-e3 f6-f5 e1-e2 d4-d3 e3-d4 e4-f3 d4xd6 f3xd1 c3-d4 b5xb3",
    },
    // The Central Cannon against the Screen Horses; the person is Red.
    xiangqi: {
        person: 0,
        moves: "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 c2d4 i8g8 g6f6 g7h5",
    },
};

// Somebody at the line protocol.
class Player {
    constructor(server, token) {
        this.heard = "";
        this.socket = connect(server.botPort, "127.0.0.1");
        this.socket.on("data", (bytes) => (this.heard += bytes));
        this.say(`login token=${token}`);
    }

    say(line) { this.socket.write(`${line}\n`); }

    async hears(words) {
        while (!this.heard.includes(words)) await new Promise((done) => setTimeout(done, 10));
    }

    async play(game, ply, move) {
        await this.hears(`turn game=${game} ply=${ply} `);
        this.say(`move game=${game} ply=${ply} move=${move}`);
    }

    close() { this.socket.destroy(); }
}

async function playUp(server, headers, name, { person, moves }) {
    const token = (await server.rest("POST", "/tokens", { program: "Mimi" }, headers)).body.token;
    const tokens = person ? [token, headers.cookie.split("=")[1]] : [headers.cookie.split("=")[1], token];
    const players = tokens.map((one) => new Player(server, one));
    for (const player of players) await player.hears("welcome");
    const [first, second] = person ? ["Mimi", "Ann"] : ["Ann", "Mimi"];
    const terms = { first, second, game: name, tc: "600+5", reason: "a picture" };
    const { id } = (await server.rest("POST", "/arbiter/games", terms, headers)).body;
    const list = moves.split(" ");
    for (const [ply, move] of list.entries()) await players[ply % 2].play(id, ply, move);
    await players[list.length % 2].hears(`turn game=${id} ply=${list.length} `);
    players.forEach((player) => player.close());
    return id;
}

// 256 colours are enough for wood, paper and letters.
function shrink(path) {
    const command = `pngtopnm "${path}" | pnmquant -nofs -meanpixel -spreadluminosity 256 | pnmtopng -compression 9`;
    const made = spawnSync("sh", ["-c", `set -e; ${command}`], { maxBuffer: 64 << 20 });
    if (made.status !== 0 || !made.stdout.length) throw new Error(`netpbm: ${made.stderr}`);
    writeFileSync(path, made.stdout);
}

async function picture(browser, server, cookie, id, name, prefs) {
    const page = await visitor(browser, { ...SIZE, cookie, url: server.url, prefs: { theme: "light", ...prefs } });
    await visit(page, `${server.url}/game/${id}`);
    await page.mouse.move(0, 0);
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path });
    await page.context().close();
    shrink(path);
    const bytes = statSync(path).size;
    console.log(`${path}: ${bytes} bytes`);
    if (bytes > MOST) throw new Error(`${path} is larger than ${MOST} bytes`);
}

const server = await Server.start();
const browser = await openBrowser();
try {
    const cookie = await server.register("Ann");
    spawnSync(kraton, ["serve", "--data", join(server.folder, "data"), "--arbiter", "Ann"]);
    for (const [name, game] of Object.entries(GAMES)) {
        const id = await playUp(server, { cookie }, name, game);
        await picture(browser, server, cookie, id, `page-${name}`, {});
        await picture(browser, server, cookie, id, `page-${name}-zh`, { language: "zh", notation: "chinese" });
    }
} finally {
    await browser.close();
    await server.stop();
}
