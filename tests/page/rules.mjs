// The page's rules against the program's: perft counts, and on random positions every legal move
// with its routes (asked of a server's /position) and its spellings (asked of `kraton moves`).
// node tests/page/rules.mjs KRATON
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { games, rowOf } from "../../web/games/index.js";
import { RulesError, game } from "../../web/rules/index.js";

const kraton = process.argv[2] ?? "build/release/kraton";
let failures = 0;

function expect(what, found, wanted) {
    if (found === wanted) return true;
    failures++;
    console.log(`FAILED: ${what}\n  found  ${found}\n  wanted ${wanted}`);
    return false;
}

// A small generator of numbers, the same every time.
let seed = 20261115;
function random(n) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 4294967296) * n);
}

// --- counts -------------------------------------------------------------------------------------

function perft(rules, position, depth) {
    const list = rules.moves(position);
    if (depth === 1) return list.length;
    return list.reduce((sum, move) => sum + perft(rules, rules.play(position, move), depth - 1), 0);
}

const COUNTS = [
    ["surakarta", "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1", [16, 256, 5382, 111122]],
    ["xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", [44, 1920, 79666]],
    ["xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", [38, 1128, 43929]],
    ["xiangqi", "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1", [7, 281, 8620]],
    ["xiangqi", "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", [25, 424, 9850]],
    ["xiangqi", "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1", [28, 516, 14808]],
    ["xiangqi", "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1", [58, 1651, 90744]],
    ["xiangqi", "3C5/1P2P4/2P1k1P2/7C1/1cP1N1N2/5R2n/R8/2p1B1r1B/2p1A4/4K4 w - - 0 1", [111]],
];

function checkCounts() {
    for (const [name, fen, counts] of COUNTS)
        counts.forEach((count, i) => expect(`perft ${i + 1} of ${fen}`, perft(game(name), game(name).parse(fen), i + 1), count));
    console.log(`perft: ${COUNTS.length} positions`);
}

// --- random positions ---------------------------------------------------------------------------

// Positions out of random games that like to capture, so that boards grow empty.
function* randomPositions(name, count) {
    const rules = game(name);
    for (let position = rules.parse(rules.start), plies = 0; count > 0;) {
        const list = rules.moves(position), captures = list.filter((move) => move.capture);
        if (!list.length || plies++ > 150) {
            [position, plies] = [rules.parse(rules.start), 0];
            continue;
        }
        const from = captures.length && random(3) === 0 ? captures : list;
        position = { ...rules.play(position, from[random(from.length)]), halfmove: 0 };
        if (random(8) === 0) {
            count--;
            yield position;
        }
    }
}

// Boards of random pieces: many pawns on a file, pieces that meet themselves on a circuit.
function* scatteredPositions(name, count) {
    const rules = game(name);
    while (count > 0) {
        const position = { ...rules.parse(rules.start), board: new Int8Array(rules.points), side: random(2), halfmove: 0, fullmove: 1 };
        const place = (piece) => (position.board[random(rules.points)] = piece);
        if (name === "surakarta") {
            for (let n = 1 + random(10); n > 0; n--) place(random(2) ? 1 : 9);
        } else {
            position.board[rules.pointOf("def"[random(3)] + random(3))] = 7;
            position.board[rules.pointOf("def"[random(3)] + (7 + random(3)))] = 15;
            for (const piece of [4, 4, 4, 4, 4, 12, 12, 12, 1, 9, 2, 2, 10, 3, 11]) if (random(4)) place(piece);
        }
        try {
            rules.parse(rules.write(position));
        } catch (error) {
            if (!(error instanceof RulesError)) throw error;
            continue;
        }
        count--;
        yield position;
    }
}

// --- against the server -------------------------------------------------------------------------

async function startServer(folder) {
    const child = spawn(kraton, ["serve", "--port", "0", "--bot-port", "0", "--data", folder, "--bots", "0"]);
    let said = "";
    for await (const chunk of child.stdout) {
        said += chunk;
        const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (port) return { child, api: `http://127.0.0.1:${port[1]}/api/v1` };
    }
    throw new Error(`the server did not start: ${said}`);
}

const routeText = (route) => `${route.circuit}:${route.points.join(",")}:${route.loops}`;
const moveText = (move, text) =>
    `${text} ${move.from}>${move.to}${move.capture ? "x" : ""} ${(move.routes ?? []).map(routeText).join(" ")}`.trim();

async function ask(api, path, params) {
    for (;;) {
        const answer = await fetch(`${api}${path}?${new URLSearchParams(params)}`, { headers: { connection: "close" } });
        if (answer.status !== 429) return answer.json();
        await new Promise((done) => setTimeout(done, 100)); // a connection may ask only so often
    }
}

async function compareMoves(api, name, position) {
    const rules = game(name), fen = rules.write(position);
    const judged = await ask(api, `/position/${name}`, { fen });
    if (judged.error) return expect(`${name} ${fen}`, judged.words, "a position");
    expect(`${name} written back`, fen, judged.fen);
    expect(`${name} check in ${fen}`, rules.inCheck(position), judged.check);
    const ours = rules.moves(position);
    expect(`${name} ${fen}`, ours.map((move) => moveText(move, move.text)).sort().join("\n"),
        judged.legal.map((move) => moveText(move, move.move)).sort().join("\n"));
    for (const move of ours) expect("found again", rules.find(position, move.text)?.text, move.text);
    return ours.reduce((n, move) => n + move.routes.length, 0);
}

const SPELLINGS = { surakarta: ["sau"], xiangqi: ["iccs", "wxf", "chinese"] };

async function compareSpellings(name, position) {
    const rules = game(name), fen = rules.write(position), list = rules.moves(position);
    for (const notation of SPELLINGS[name]) {
        const { stdout: written } = await promisify(execFile)(kraton, ["moves", name, "--fen", fen, "--notation", notation]);
        const ours = list.map((move) => rules.spell(position, move, notation));
        expect(`${name} ${notation} in ${fen}`, [...ours].sort().join("\n"), written.trim().split("\n").sort().join("\n"));
        list.forEach((move, i) => expect(`${ours[i]} in ${fen}`, rules.find(position, ours[i])?.text, move.text));
    }
}

const BAD = {
    surakarta: ["", "bbbbbb", "bbbbbb/bbbbbb/6/6/wwwwww/wwwwwww b", "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww x", "6/6/6/6/6/6 b",
        "bbbbbb/bbbbbb/b5/6/wwwwww/wwwwww b", "bbbbbb/bbbbbb/6/7/wwwwww/wwwwww b", "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 2"],
    xiangqi: ["9/9", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR", "4k4/9/9/9/9/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/9/9 w", "3k5/9/9/4K4/9/9/9/9/9/9 w", "3k5/9/9/9/9/9/9/9/3r5/4K4 w - 0 1", "3kR4/9/9/9/9/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/9/B3K4 w", "3k5/9/9/9/9/PPPPPP3/9/9/9/4K4 w"],
};

async function compareErrors(api) {
    for (const [name, list] of Object.entries(BAD))
        for (const fen of list.filter(Boolean)) {
            const judged = await ask(api, `/position/${name}`, { fen });
            let words = "a position";
            try {
                game(name).parse(fen);
            } catch (error) {
                words = error.words;
            }
            expect(`refusal of ${fen}`, words, judged.words);
        }
}

// --- rows ---------------------------------------------------------------------------------------

// The page's rows against the server's table: the same games, and nothing said differently.
async function compareRows(api) {
    const entries = (await (await fetch(new URL("/api/games", api), { headers: { connection: "close" } })).json()).games;
    expect("games of the page", games.map(({ name }) => name).sort().join(), entries.map(({ name }) => name).sort().join());
    for (const entry of entries) {
        const { colours, notation, words } = rowOf(entry.name), rules = game(entry.name);
        expect(`${entry.name}: start`, rules.start, entry.start);
        expect(`${entry.name}: board`, `${rules.columns} ${rules.rows}`, `${entry.board.files} ${entry.board.ranks}`);
        expect(`${entry.name}: sides`, colours.join().toLowerCase(), entry.sides.join().toLowerCase());
        expect(`${entry.name}: circuits`, Boolean(rules.circuits), entry.has.circuits);
        const known = [...entry.notations, ...entry.formats.map(({ name }) => name)]; // records may have a notation of their own
        for (const name of [...notation.choices, ...rules.notations])
            expect(`${entry.name}: notation ${name}`, known.includes(name), true);
        for (const { name } of entry.rule_sets)
            for (const language of ["en", "zh"]) expect(`${language} words for rules ${name}`, Boolean(words[language][`rules.${name}`]), true);
    }
    console.log(`rows: ${entries.length} games as the server has them`);
}

// Does it for all of them, eight at a time.
async function sideBySide(list, work) {
    const results = [];
    for (let i = 0; i < list.length; i += 8) results.push(...(await Promise.all(list.slice(i, i + 8).map(work))));
    return results;
}

checkCounts();
const folder = mkdtempSync(join(tmpdir(), "kraton-rules-"));
const server = await startServer(join(folder, "data"));
try {
    await compareRows(server.api);
    for (const { name } of games) {
        const positions = [...randomPositions(name, 250), ...scatteredPositions(name, 150)];
        const counts = await sideBySide(positions, (position) => compareMoves(server.api, name, position));
        const routes = counts.reduce((sum, count) => sum + count, 0);
        await sideBySide(positions.filter((_, i) => i % 8 === 0 || i > 380), (position) => compareSpellings(name, position));
        console.log(`${name}: ${positions.length} positions, ${routes} routes as the server has them`);
    }
    await compareErrors(server.api);
} finally {
    server.child.kill();
    rmSync(folder, { recursive: true, force: true });
}
console.log(failures ? `${failures} failures` : "the page's rules are the program's");
process.exit(failures ? 1 : 0);
