// What the tests of the page share: a server on a scratch folder, a browser, screenshots, a line that can
// be cut, and checks that print one line per thing seen.
//
//     node tests/page/NAME.mjs build/release/kraton [FOLDER FOR SCREENSHOTS] [--option of that test]
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [program = "build/release/kraton", folder] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
export const kraton = resolve(program);
export const shots = resolve(folder ?? join(dirname(kraton), "page-shots"));
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE = 120_000; // milliseconds until a wait is given up; a busy machine needs them
const LONG = { tc: "1800+20" }; // no flag falls in a test

// --- the server -------------------------------------------------------------------------------------

export class Server {
    static async start(...options) {
        const server = new Server();
        server.folder = mkdtempSync(join(tmpdir(), "kraton-page-"));
        server.options = options;
        await server.run(0, 0);
        return server;
    }

    // The same with its data on a disk of its own, so small that it can be filled; null where none can be mounted.
    static async startOnSmallDisk(megabytes, ...options) {
        const server = new Server();
        server.folder = mkdtempSync(join(tmpdir(), "kraton-page-"));
        server.options = options;
        try {
            execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", server.folder], { stdio: "ignore" });
        } catch {
            rmSync(server.folder, { recursive: true });
            return null;
        }
        server.isMounted = true;
        await server.run(0, 0);
        return server;
    }

    fill(megabytes) { writeFileSync(join(this.folder, "heap"), Buffer.alloc(megabytes << 20)); }

    empty() { rmSync(join(this.folder, "heap")); }

    async run(port, botPort) {
        const args = ["serve", "--port", port, "--bot-port", botPort, "--data", join(this.folder, "data"), "--bots", 2, ...this.options];
        // The signal of a file that grew too large is ignored: see forbidWriting.
        this.process = spawn("sh", ["-c", 'trap "" XFSZ; exec "$0" "$@"', kraton, ...args.map(String)], { stdio: ["ignore", "pipe", "pipe"] });
        this.log = "";
        this.process.stderr.on("data", (bytes) => (this.log += bytes));
        const line = await new Promise((done, fail) => {
            this.process.stdout.once("data", (bytes) => done(String(bytes)));
            this.process.once("exit", (status) => fail(new Error(`the server ended with ${status}: ${this.log}`)));
        });
        const [, web, programs] = /:(\d+)\/ .*:(\d+) to programs/.exec(line);
        this.port = Number(web);
        this.botPort = Number(programs);
        this.url = `http://127.0.0.1:${web}`;
    }

    async end(signal) {
        const gone = new Promise((done) => this.process.once("exit", done));
        this.process.kill(signal);
        await gone;
    }

    kill() { return this.end("SIGKILL"); }

    // From now on no file of the server's can grow, as on a disk that dies; resolves when it has stopped.
    forbidWriting() {
        execFileSync("prlimit", ["--pid", String(this.process.pid), "--fsize=0"]);
        return new Promise((done) => this.process.once("exit", done));
    }

    // The same again, on the same ports.
    restart() { return this.run(this.port, this.botPort); }

    async stop() {
        if (this.process.exitCode === null && this.process.signalCode === null) await this.end("SIGTERM");
        if (this.isMounted) execFileSync("umount", ["-l", this.folder]);
        rmSync(this.folder, { recursive: true, force: true });
    }

    async rest(method, path, body, headers = {}) {
        const answer = await fetch(`${this.url}/api/v1${path}`, { method, body: body && JSON.stringify(body), headers });
        const type = answer.headers.get("content-type") ?? "";
        return { status: answer.status, headers: answer.headers, body: type.includes("json") ? await answer.json() : await answer.text() };
    }

    // An account, and the cookie that speaks for it.
    async register(name, password = "correct horse") {
        const answer = await this.rest("POST", "/register", { name, password });
        return answer.headers.get("set-cookie").split(";")[0];
    }
}

// A line between browser and server that can be cut and mended, as real networks are.
export class Line {
    static async to(port) {
        const line = new Line();
        line.pairs = new Set();
        line.isCut = false;
        line.listener = createServer((near) => line.join(near, port));
        await new Promise((done) => line.listener.listen(0, "127.0.0.1", done));
        line.url = `http://127.0.0.1:${line.listener.address().port}`;
        return line;
    }

    join(near, port) {
        if (this.isCut) {
            near.destroy();
            return;
        }
        const far = connect({ port, host: "127.0.0.1", noDelay: true });
        near.setNoDelay(true);
        const pair = [near, far];
        this.pairs.add(pair);
        const end = () => {
            this.pairs.delete(pair);
            pair.forEach((socket) => socket.destroy());
        };
        for (const socket of pair) socket.on("error", end).on("close", end);
        near.pipe(far).pipe(near);
    }

    cut() {
        this.isCut = true;
        for (const pair of this.pairs) pair.forEach((socket) => socket.destroy());
    }

    mend() { this.isCut = false; }

    close() {
        this.cut();
        this.listener.close();
    }
}

// --- the browser ------------------------------------------------------------------------------------

export function openBrowser(...more) {
    return chromium.launch({
        executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox", "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio", ...more],
    });
}

// A visitor of its own: a page in a context with its own cookies, without a service worker unless asked for. prefs are the
// page's (lib/store.js).
export async function visitor(browser, { width = 1280, height = 860, prefs = {}, cookie, url, ...context } = {}) {
    const own = await browser.newContext({ viewport: { width, height }, locale: "en-GB", serviceWorkers: "block", ...context });
    own.setDefaultTimeout(PATIENCE);
    await own.addInitScript((kept) => {
        for (const [name, value] of Object.entries(kept))
            if (localStorage.getItem("kraton." + name) === null) localStorage.setItem("kraton." + name, JSON.stringify(value));
    }, { animate: false, sound: false, "setup.surakarta": LONG, "setup.xiangqi": LONG, ...prefs });
    await own.addInitScript(() => {
        // A module of the page's own, by its path in web/: the same that the page uses, joined with others or not.
        window.moduleOf = async (path) => {
            const { files } = document.documentElement.dataset;
            const isJoined = document.querySelector('script[src*="/bundle/"]');
            return isJoined ? (await import(`${files}/bundle/core.js`)).load(path.slice(1)) : import(files + path);
        };
    });
    if (cookie) {
        const [name, value] = cookie.split("=");
        await own.addCookies([{ name, value, url }]);
    }
    const page = await own.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text())) page.faults.push(message.text());
    });
    return page;
}

// Goes there and waits until the view stands.
export async function visit(page, url) {
    await page.goto(url);
    await settled(page);
}

export function settled(page) {
    return page.waitForSelector("html[data-ready]", { state: "attached" });
}

// Asks until it holds; false where it never does. Patience is counted in questions: while the whole machine stands still,
// none is asked.
export async function comes(condition, pause = 100) {
    for (let asked = 0; asked < PATIENCE / pause; asked++) {
        const value = await condition();
        if (value) return value;
        await new Promise((done) => setTimeout(done, pause));
    }
    return false;
}

// Waits until fn(argument) holds in the page. (Playwright's own waiting is stopped by the page's security policy.)
export async function until(page, fn, argument) {
    const value = await comes(() => page.evaluate(fn, argument), 15);
    if (!value) throw new Error(`waited in vain for ${fn}`);
    return value;
}

// Begins a game against the computer, by the dialog of the start; resolves to its path.
export async function startGame(page, url, game) {
    await visit(page, url + "/");
    await page.locator(`.pick[data-game=${game}] button.primary`).click();
    await page.locator("dialog.setup button[type=submit]").click();
    await page.waitForURL(/\/game\/\d+/);
    return new URL(page.url()).pathname;
}

// Ends the game shown: resigns, or calls it off where it has not begun.
export async function leave(page) {
    await page.locator(".game-view button.danger").click();
    await page.locator("dialog.ask button.primary").click();
    await page.waitForSelector(".result .outcome");
}

export async function shot(page, name, options = {}) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`), ...options });
}

// What axe-core finds, of any severity, as lines.
export async function axe(page) {
    await page.evaluate(axeSource);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    return found.violations
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`);
}

// --- checking ---------------------------------------------------------------------------------------

let failures = 0;

export function check(what, good, details = "") {
    if (!good) failures++;
    console.log(`${good ? "ok      " : "FAILED  "}${what}${!good && details ? `: ${details}` : ""}`);
    return good;
}

export const note = (words) => console.log(`        ${words}`);

// Runs the test: what it throws is a failure; everything it started is ended.
export async function main(test) {
    const started = [];
    const keep = (thing) => {
        started.push(thing);
        return thing;
    };
    try {
        await test(keep);
    } catch (error) {
        check("no exception", false, error.stack);
    }
    for (const thing of started.reverse())
        try {
            await (thing.stop ?? thing.close).call(thing);
        } catch (error) {
            check("the end", false, String(error));
        }
    process.exitCode = failures ? 1 : 0;
}
