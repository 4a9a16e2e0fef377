// Analysis by the engine in this browser, or by the server's where there is none. To study/lines.js it looks like the
// connection: the verbs `analyse` and `stop`, and the messages `analysing`, `line`, `analysed` and `error` (docs/protocol.md).

import * as server from "../lib/socket.js";
import { liveSeats } from "../lib/seats.js";
import { game as rulesOf } from "../rules/index.js";
import { giveUp, mayThink, program, Thinker } from "./thinker.js";

const HASH_MB = 32;
const FEW_PIECES = 9; // from here on lines may end in the tables, which are worth making

const handlers = new Map();
const thinkers = new Map(); // game -> Thinker
let last = 0; // of our analyses; their numbers are negative, so that they are nobody else's
let running = null; // {id, thinker} of the analysis here, null: none
let isOurs = false; // the last question stayed here

function tell(verb, message) {
    for (const fn of [...(handlers.get(verb) ?? [])]) fn({ t: verb, ...message });
}

export function on(verb, fn) {
    if (!handlers.has(verb)) handlers.set(verb, new Set());
    handlers.get(verb).add(fn);
    // A connection that ends has nothing to do with an analysis that is made here.
    const off = server.on(verb, (message) => verb === "bye" && isOurs ? undefined : fn(message));
    return () => {
        handlers.get(verb).delete(fn);
        off();
    };
}

export const onState = (fn) => server.onState((state) => isOurs || fn(state));

// Whether somebody can be asked about a game: "online", or the state of the connection.
export const connectionState = (game) => (mayThink(game) ? "online" : server.connectionState());

// --- lines of the engine ----------------------------------------------------------------------------

// `info depth 9 multipv 2 score cp -31 nodes 812 time 5 pv …` as the server's message; null for other lines.
export function readInfo(line) {
    const words = line.split(" ");
    if (words[0] !== "info") return null;
    const after = (name) => words[words.indexOf(name) + 1];
    const pv = words.indexOf("pv");
    const score = words.indexOf("score");
    if (pv < 0 || score < 0 || words.includes("upperbound") || words.includes("lowerbound")) return null;
    return {
        n: words.includes("multipv") ? Number(after("multipv")) : 1, depth: Number(after("depth")),
        [words[score + 1] === "mate" ? "mate" : "score"]: Number(words[score + 2]),
        nodes: Number(after("nodes")), ms: Number(after("time")), pv: words.slice(pv + 1),
    };
}

// UCI names a move by its two points alone.
const plain = (moves) => moves.replace(/([a-z]\d+)[-x]([a-z]\d+)/g, "$1$2");

// The lines that put a question to an engine: {fen, moves, rules, lines, level, hash}, each with a default.
export function setUp({ rules = "", fen = "", moves = "", lines = 1, level = 0, hash = HASH_MB }) {
    return [
        "uci", `setoption name Hash value ${hash}`, `setoption name MultiPV value ${lines}`, `setoption name Level value ${level}`,
        ...(rules ? [`setoption name Rules value ${rules}`] : []),
        `position ${fen ? `fen ${fen}` : "startpos"}${moves ? ` moves ${plain(moves)}` : ""}`,
    ];
}

// Plays moves as far as they can be played; gives them in the game's own notation, and where they lead.
function playAll(rules, position, texts) {
    const played = [];
    for (const text of texts) {
        const move = rules.find(position, text);
        if (!move) break;
        played.push(move.text);
        position = rules.play(position, move);
    }
    return { played, position };
}

async function thinkerOf(game) {
    const module = await program(game);
    if (module && !thinkers.has(game)) thinkers.set(game, new Thinker(module));
    return module && thinkers.get(game);
}

// Endgame tables are made by the engine itself, once.
function tablesFor(thinker, fen) {
    const pieces = fen ? fen.split(" ")[0].replace(/[^a-z]/gi, "").length : Infinity;
    if (pieces > FEW_PIECES || thinker.hasTables) return [];
    thinker.hasTables = true;
    return ["tables"];
}

// --- asking -----------------------------------------------------------------------------------------

function askServer(question) {
    isOurs = false;
    if (!server.say("analyse", question)) tell("error", { code: "offline", words: "the server does not answer", ref: question.ref });
}

async function analyse(question, id) {
    const { game, fen, moves, ms } = question;
    const thinker = await thinkerOf(game);
    if (running?.id !== id) return; // another question, or none, since then
    if (!thinker) {
        running = null;
        askServer(question);
        return;
    }
    running.thinker = thinker;
    tell("analysing", { id });
    const rules = rulesOf(game);
    const { position } = playAll(rules, rules.parse(fen || rules.start), (moves ?? "").split(" ").filter(Boolean));
    const lines = [...tablesFor(thinker, fen), ...setUp(question), `go movetime ${ms}`];
    try {
        const isDone = await thinker.ask(lines, (line) => {
            const info = running?.id === id && readInfo(line);
            if (info) tell("line", { id, ...info, pv: playAll(rules, position, info.pv).played });
        });
        if (!isDone || running?.id !== id) return;
        running = null;
        tell("analysed", { id });
    } catch {
        giveUp(game); // this browser cannot run it after all
        if (running?.id !== id) return;
        running = null;
        tell("analysed", { id });
        askServer(question);
    }
}

function stop() {
    if (running?.thinker) {
        running.thinker.stop();
        running.thinker.hasTables = false;
    }
    running = null;
}

// Nobody is helped in a rated game: not by the server, and not by its page either.
const isPlayingRated = (game) => liveSeats().some((seat) => seat.game === game && seat.rated);

export function say(verb, fields = {}) {
    if (verb === "stop" && !isOurs) return server.say(verb, fields);
    stop();
    if (verb === "stop") return true;
    if (!mayThink(fields.game) || isPlayingRated(fields.game)) {
        isOurs = false;
        return server.say(verb, fields);
    }
    isOurs = true;
    running = { id: --last, thinker: null };
    analyse(fields, running.id);
    return true;
}
