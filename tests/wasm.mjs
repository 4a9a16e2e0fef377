// The engines for browsers against the native ones: the same bench signature, perft, tables and answers, by the program
// that the page itself runs them with.
//
//     node tests/wasm.mjs build/release/kraton
//
// Status 77: they were not built here.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { start } from "../web/engine/program.js";

const kraton = process.argv[2] ?? "build/release/kraton";
const folder = join(dirname(kraton), "engines");
const say = (...args) => execFileSync(kraton, args, { encoding: "utf8" });
let failures = 0;

function check(what, got, wanted) {
    if (got === wanted) console.log(`ok      ${what}: ${got.slice(0, 100)}`);
    else {
        failures++;
        console.log(`FAILED  ${what}: ${got}\n        wanted ${wanted}`);
    }
}

async function open(game, kind) {
    const lines = [];
    const hear = await start(await WebAssembly.compile(readFileSync(join(folder, `kraton-${game}${kind}.wasm`))), (line) => lines.push(line));
    return (line) => {
        lines.length = 0;
        hear(line);
        return lines.join("\n");
    };
}

const signatures = say("bench", "signature"); // of the native engines, with the same networks
const PERFT = {
    surakarta: [[4, ""], [4, "bbbb1b/1bb1bb/3b2/2w3/ww1www/wwww1w b"]],
    xiangqi: [[3, ""], [3, "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1"]],
};

async function compareRules(game, kind) {
    const hear = await open(game, kind);
    check(`${game}${kind} bench`, hear("bench 12 default").split(",")[0], new RegExp(`^${game}: (\\d+ nodes)`, "m").exec(signatures)[1]);
    for (const [depth, fen] of PERFT[game]) {
        const told = say("perft", game, String(depth), ...(fen ? ["--fen", fen] : []));
        check(`${game}${kind} perft ${depth} ${fen}`, hear(`perft ${depth};${fen}`), `perft ${told.trim().split("\n").pop().split(" ")[1]}`);
    }
}

// The tables that are built in memory against those of `kraton tb build`.
const ENDGAMES = ["6/1b4/6/6/4w1/6 b", "6/1b2b1/6/2w3/4w1/6 b", "b5/2b3/6/3w2/6/w4w w", "bb4/6/6/6/4w1/5w w"];

async function compareTables() {
    const tables = mkdtempSync(join(tmpdir(), "kraton-wasm-"));
    const hear = await open("surakarta", "");
    check("tables", hear("tables"), "tables 5");
    for (const rules of ["count", "traditional"]) {
        say("tb", "build", "--pieces", "5", "--rules", rules, "--dir", tables);
        for (const fen of ENDGAMES) {
            const { value, distance, moves } = JSON.parse(say("tb", "probe", fen, "--dir", tables, "--rules", rules, "--json"));
            const list = moves.map((m) => `;${m.move} ${Number(m.move.includes("x"))} ${m.value} ${m.distance ?? -1}`).join("");
            const told = hear(`probe ${rules === "count" ? "icga" : rules};${fen}`);
            check(`${rules} ${fen}`, told, `probed ${fen.split(" ")[0].replace(/[^bw]/g, "").length};${rules};${value};${distance}${list}`);
        }
    }
    rmSync(tables, { recursive: true });
}

// How games stand, what is refused, and that a level plays by itself.
async function compareWords() {
    const hear = await open("xiangqi", "");
    check("judge", hear("judge ;;"), "judged ongoing;");
    check("judge a mate", hear("judge ;3k5/9/9/9/9/9/9/9/r8/1r2K4 w - - 0 1;").split(";")[0], "judged second wins");
    check("judge nonsense", hear("judge ;x;").split(" ")[0], "refused");
    check("no tables", hear("tables").split(" ")[0], "refused");
    hear("uci");
    hear("setoption name Level value 1");
    hear("position startpos moves h2e2");
    check("a level's move", hear("go movetime 200").split("\n").pop().replace(/(bestmove) \w+.*/, "$1"), "bestmove");
}

if (!existsSync(join(folder, "kraton-xiangqi.wasm"))) {
    console.log("the engines for browsers were not built: that takes clang, lld and wasi-libc");
    process.exit(77);
}
for (const game of ["surakarta", "xiangqi"]) for (const kind of ["", "-plain"]) await compareRules(game, kind);
await compareTables();
await compareWords();
process.exit(failures ? 1 : 0);
