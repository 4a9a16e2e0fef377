// A server with something to see in every view, and a walk through all views by clicks. Everything is the same on every
// run: names, games, results. Shared by walk.mjs and golden.mjs.
import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { Server, comes, kraton, leave, settled, until, visitor } from "./kit.mjs";

const LONG_NAME = "Magnificent_Program_No_1"; // as long as a name may be
const OWNERS = { Alpha: "Ann", [LONG_NAME]: "Benjamin", Gamma: "Chen" }; // programs of one owner play each other unrated
const PROGRAMS = Object.keys(OWNERS);
const CLOCK = "7200+5"; // no flag falls in a test
const GAMES = {
    surakarta: "c5-d4 b2-c3 a5-a4 b1-b2 b6-c5 a2-b3 f5-e4 e2-e3 f6-f5 e1-e2 d4-d3 e3-d4 e4-f3 d4xd6 f3xd1 c3-d4 b5xb3".split(" "),
    xiangqi: "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 c2d4 i8g8 g6f6 g7h5".split(" "),
};

// The puzzles there are, and the day's, change; these do not.
const PUZZLES = {
    surakarta: { number: 14, kind: "loop", rating: 1060, fen: "b4b/b1w1b1/6/w2wbb/4ww/6 w 0 1", moves: ["e2xa5", "f3xd3", "f2xe3"] },
    xiangqi: { number: 12, kind: "mate", rating: 1170, fen: "9/3kCR3/4b4/p5p1p/3N5/P8/9/3r5/1c3K3/2BA1A3 w - - 0 1", moves: ["e8e9", "d8d9", "d5c7", "d9e9", "f8e8"] },
};

// --- the server -------------------------------------------------------------------------------------

// A program that plays the moves written for it. A turn may be announced before the moves are known here, and the moves
// may be known before the turn.
class Puppet {
    static async join(server, cookie, name) {
        const puppet = new Puppet();
        puppet.turns = new Map(); // game -> ply, while it is this program's turn
        puppet.scripts = new Map(); // game -> {moves, resigns}
        puppet.isWelcome = false;
        const { token } = (await server.rest("POST", "/tokens", { program: name }, { cookie })).body;
        puppet.socket = connect({ port: server.botPort, host: "127.0.0.1", noDelay: true });
        let rest = "";
        puppet.socket.on("data", (bytes) => {
            const lines = (rest + bytes).split("\n");
            rest = lines.pop();
            lines.forEach((line) => puppet.hear(line));
        });
        puppet.say(`login token=${token}`);
        await comes(() => puppet.isWelcome, 5);
        return puppet;
    }

    say(line) { this.socket.write(`${line}\n`); }

    hear(line) {
        const [verb, ...fields] = line.split(" ");
        const value = (name) => Number(fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1));
        if (verb === "welcome") this.isWelcome = true;
        if (verb === "ping") this.say("pong");
        if (verb === "turn") {
            this.turns.set(value("game"), value("ply"));
            this.act(value("game"));
        }
    }

    // resigns: this program gives up where the moves end, if it is to move there.
    script(game, moves, resigns) {
        this.scripts.set(game, { moves, resigns });
        this.act(game);
    }

    act(game) {
        const script = this.scripts.get(game);
        const ply = this.turns.get(game);
        if (!script || ply === undefined) return;
        if (ply < script.moves.length) {
            this.turns.delete(game);
            this.say(`move game=${game} ply=${ply} move=${script.moves[ply]}`);
        } else if (script.resigns) {
            this.turns.delete(game);
            this.say(`resign game=${game}`);
        }
    }

    close() { this.socket.destroy(); }
}

export class World {
    static async make() {
        const world = new World();
        world.server = await Server.start();
        world.cookies = {};
        world.puppets = {};
        for (const [program, owner] of Object.entries(OWNERS)) {
            world.cookies[owner] = await world.server.register(owner);
            world.puppets[program] = await Puppet.join(world.server, world.cookies[owner], program);
        }
        spawnSync(kraton, ["serve", "--data", join(world.server.folder, "data"), "--arbiter", "Ann"]);
        for (const game of ["surakarta", "xiangqi"]) await world.play(game, ["Alpha", LONG_NAME], GAMES[game].length, true);
        await world.tournament({ name: "Spring cup", game: "surakarta", kind: "round-robin" }, PROGRAMS, true);
        await world.tournament({ name: "Two programs", game: "xiangqi", kind: "round-robin", sprt: "elo0=0,elo1=150" }, ["Alpha", "Gamma"], false);
        for (const game of ["surakarta", "xiangqi"]) await world.play(game, [LONG_NAME, "Gamma"], GAMES[game].length - 4, false);
        return world;
    }

    // What the server answers to somebody. Ann is arbiter.
    async ask(method, path, body, who = "Ann") {
        const answer = await this.server.rest(method, path, body, { cookie: this.cookies[who] });
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body;
    }

    // Resolves when so many moves are made and, where it ends so, the side to move has resigned.
    async perform(id, game, names, plies, isResigned) {
        const moves = GAMES[game].slice(0, plies);
        for (const name of names) this.puppets[name].script(id, moves, isResigned);
        const isThere = async () => {
            if (!isResigned) return (await this.ask("GET", "/games/live")).games.some((one) => one.id === id && one.plies === plies);
            return (await this.server.rest("GET", `/games/${id}`)).body.ended;
        };
        if (!(await comes(isThere, 10))) throw new Error(`game ${id} did not come to move ${plies}`);
    }

    async play(game, [first, second], plies, isResigned) {
        const { id } = await this.ask("POST", "/arbiter/games", { first, second, game, tc: CLOCK, rated: true, reason: "to be seen" });
        await this.perform(id, game, [first, second], plies, isResigned);
    }

    async tournament(terms, names, isOver) {
        const { id } = await this.ask("POST", "/tournaments", { tc: CLOCK, concurrency: 1, ...terms, games: isOver ? 2 : 40 });
        for (const player of names) await this.ask("POST", `/tournaments/${id}/enter`, { player }, OWNERS[player]);
        await this.ask("POST", `/tournaments/${id}/start`);
        // One game at a time, so that they end in the order of their numbers. The length of a game decides who resigns.
        for (let count = 0; ; count++) {
            let state;
            const next = await comes(async () => {
                state = await this.ask("GET", `/tournaments/${id}`);
                return state.state === "over" ? "over" : state.pairings.find((one) => one.game && one.points === undefined);
            }, 10);
            if (next === "over") return;
            const isLive = !isOver && count === 7;
            await this.perform(next.game, terms.game, [next.first, next.second], 6 + ((count * 5) % 7), !isLive);
            if (isLive) return;
        }
    }

    async stop() {
        Object.values(this.puppets).forEach((puppet) => puppet.close());
        await this.server.stop();
    }
}

// --- the visitor ------------------------------------------------------------------------------------

// What would look different on another day or another machine is fixed or not shown: the fonts are those of
// tools/setup.sh; clocks that run, the server's port and words that go away by themselves are invisible.
const STILL = `
    :root { --font: "DejaVu Sans", "Droid Sans Fallback", sans-serif; --mono: "DejaVu Sans Mono", "Droid Sans Fallback", monospace; }
    .board .coordinate, .board .tag text { font-family: "DejaVu Sans", sans-serif; }
    *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
    .time, .card-clock, #link, .recovery code, #programs pre { color: transparent !important; }
    #programs pre ~ p { display: none !important; } /* its length changes with the port */
    #toasts { display: none !important; }
`;

// Somebody new, for whom every moment is the same one and every move took a whole number of seconds. The engine of the study is off: what it finds depends on its speed.
export async function stillVisitor(browser, { prefs, ...options }) {
    const page = await visitor(browser, { timezoneId: "UTC", ...options, prefs: { "study.engine": false, ...prefs } });
    await page.context().addInitScript(({ style, puzzles }) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        document.adoptedStyleSheets.push(sheet);
        globalThis.Date = class extends Date {
            constructor() { super("2026-01-23T14:30:00Z"); }
        };
        const load = globalThis.fetch;
        globalThis.fetch = async (...request) => {
            const answer = await load(...request);
            const { pathname } = new URL(answer.url);
            const isMoves = /\/games\/\d+\/moves$/.test(pathname), isPuzzle = pathname.includes("/puzzles");
            if (!answer.ok || (!isMoves && !isPuzzle)) return answer;
            const body = await answer.json();
            if (isMoves) body.moves.forEach((move, ply) => (move.used = (1 + ((ply * 5) % 7)) * 1e6));
            for (const { game, daily } of body.games ?? []) Object.assign(daily, puzzles[game]);
            for (const one of body.games ?? []) one.count = 200;
            if (isPuzzle && body.game) Object.assign(body, puzzles[body.game]);
            return new Response(JSON.stringify(body), answer);
        };
    }, { style: STILL, puzzles: PUZZLES });
    return page;
}

// --- the walk ---------------------------------------------------------------------------------------

async function click(page, selector) {
    await page.locator(selector).first().click();
}

// Follows a link to another view.
async function go(page, selector) {
    const before = page.url();
    await click(page, selector);
    await until(page, (from) => location.href !== from && document.documentElement.dataset.ready, before);
}

const menu = (page, path) => go(page, `.bar nav a[href="${path}"]`);
const foot = (page, path) => go(page, `.foot a[href="${path}"]`);

async function register(page) {
    await page.locator("main input[name=name]").fill("Visitor");
    await page.locator("main input[name=password]").fill("correct horse");
    await click(page, "main form button.primary");
    await until(page, () => document.querySelector("main h1")?.textContent === "Visitor");
}

async function openSetup(page, game) {
    await click(page, `.pick[data-game="${game}"] button.primary`);
    await page.waitForSelector("dialog.setup[open]");
}

async function startGame(page) {
    await click(page, "dialog.setup button[type=submit]");
    await page.waitForURL(/\/(game|join)\/\d+/);
    await settled(page);
}

// Opens the start at `/` and comes to every view by clicks only, in one visit. Yields {name, boards} at each: how many
// boards are to be seen there; isCovered: a dialog lies over them.
export async function* tour(page, world) {
    await page.goto(world.server.url + "/");
    await settled(page);
    yield { name: "start", boards: 7 };

    await go(page, "#who");
    yield { name: "me-guest", boards: 0 };
    await register(page);
    yield { name: "me", boards: 0 };

    for (const game of ["surakarta", "xiangqi"]) {
        await menu(page, "/");
        await openSetup(page, game);
        yield { name: `setup-${game}`, boards: 7, isCovered: true };
        await startGame(page);
        yield { name: `game-${game}`, boards: 1 };
        await leave(page);
        yield { name: `result-${game}`, boards: 1 };
    }
    await menu(page, "/");
    await openSetup(page, "surakarta");
    await page.locator("dialog.setup input[name=opponent][value=friend]").check({ force: true });
    await startGame(page);
    yield { name: "join", boards: 0 };
    await go(page, "main button.danger");

    await menu(page, "/watch");
    yield { name: "watch", boards: 9 };
    for (const game of ["surakarta", "xiangqi"]) {
        await go(page, `.live-card[href^="/game/"]:has(.board.${game})`);
        yield { name: `spectate-${game}`, boards: 1 };
        await menu(page, "/watch");
    }
    await go(page, '.more-links a[href="/ratings/surakarta"]');
    yield { name: "ratings", boards: 0 };
    await go(page, "main a.player");
    yield { name: "player", boards: 0 };
    await go(page, '.past a[href="/game/1"]');
    yield { name: "finished", boards: 1 };

    await menu(page, "/tournaments");
    yield { name: "tournaments", boards: 0 };
    await click(page, ".new-tournament summary");
    yield { name: "tournament-form", boards: 0 };
    await go(page, '.tournament-row[data-id="1"] a');
    yield { name: "tournament-over", boards: 0 };
    await menu(page, "/tournaments");
    await go(page, '.tournament-row[data-id="2"] a');
    yield { name: "tournament-live", boards: 1 };

    await foot(page, "/archive");
    yield { name: "archive", boards: 0 };
    for (const game of [1, 2]) {
        await go(page, `.found tr[data-game="${game}"] td.result a`);
        yield { name: game === 1 ? "replay-surakarta" : "replay-xiangqi", boards: 1 };
        await foot(page, "/archive");
    }
    await go(page, '.more-links a[href="/audit"]');
    yield { name: "audit", boards: 0 };

    await menu(page, "/study");
    yield { name: "study-surakarta", boards: 1 };
    for (const tab of ["endgame", "editor", "records"]) {
        await click(page, `[role=tab][data-tab="${tab}"]`);
        yield { name: `study-${tab}`, boards: 1 };
    }
    await go(page, '.choices a[href="/study/xiangqi"]');
    yield { name: "study-xiangqi", boards: 1 };

    await menu(page, "/puzzles");
    yield { name: "puzzles", boards: 2 };
    for (const game of ["surakarta", "xiangqi"]) {
        await go(page, `main section[data-game=${game}] a.button`);
        yield { name: `puzzle-${game}`, boards: 1 };
        await menu(page, "/puzzles");
    }

    await menu(page, "/learn");
    yield { name: "learn", boards: 2 };
    for (const game of ["surakarta", "xiangqi"]) {
        await go(page, `main a[href="/learn/${game}"]`);
        yield { name: `learn-${game}`, boards: 1 };
        await menu(page, "/learn");
    }
    // An address that leads nowhere, as a link of somebody else's might.
    await page.evaluate(() => {
        const link = Object.assign(document.createElement("a"), { href: "/nothing/here", id: "astray", textContent: "." });
        document.querySelector("main").append(link);
        link.click();
    });
    await page.waitForSelector("main .empty");
    yield { name: "not-found", boards: 0 };
    await menu(page, "/");
    yield { name: "start-again", boards: 7 };
    // The start is gone to without a server: what it loads later would be there or not, as fast as the machine is.
    await menu(page, "/learn");
    await world.server.kill();
    await until(page, () => !document.getElementById("offline").hidden);
    await menu(page, "/");
    yield { name: "offline", boards: 0, isOffline: true };
}
