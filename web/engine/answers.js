// What the server's interface answers about positions, found out by the engine's program in this browser: endgames of few
// pieces always, how a game stands where the server cannot be asked.

import { get as ask, ApiError } from "../lib/api.js";
import { program, Thinker } from "./thinker.js";

const TABLE_PIECES = 5; // src/wasm/tables.h
const clerks = new Map(); // game -> Thinker that never searches, so that answers come at once

async function clerkOf(game) {
    const module = await program(game);
    if (module && !clerks.has(game)) clerks.set(game, new Thinker(module));
    return module && clerks.get(game);
}

// `judged OUTCOME;WORDS`
export async function judge(game, { fen = "", moves = "", rules = "" }) {
    const clerk = await clerkOf(game);
    if (!clerk) return null;
    const [outcome, words] = (await clerk.answer(`judge ${rules};${fen};${moves}`)).slice("judged ".length).split(";");
    return { outcome, words };
}

// `probed PIECES;CONVENTION;VALUE;DISTANCE;MOVE CAPTURES VALUE DISTANCE;…`
async function probe(game, { fen, rules = "" }) {
    const clerk = await clerkOf(game);
    if (!clerk) return null;
    const [pieces, convention, value, distance, ...moves] = (await clerk.answer(`probe ${rules};${fen};`)).slice("probed ".length).split(";");
    const known = (text) => (text === "-1" ? null : Number(text));
    return {
        pieces: Number(pieces), rules: convention, value, distance: known(distance),
        moves: moves.map((each) => {
            const [move, captures, worth, far] = each.split(" ");
            return { move, capture: captures === "1", value: worth, distance: known(far) };
        }),
    };
}

const pieceCount = (fen) => fen.split(" ")[0].replace(/[^a-z]/gi, "").length;

// As get() of lib/api.js, for /tables/GAME and /position/GAME.
export async function get(path, params) {
    const [, kind, game] = path.split("/");
    if (kind === "tables" && game && pieceCount(params.fen) <= TABLE_PIECES) {
        const found = await probe(game, params).catch(() => null); // the server says why not
        if (found) return found;
    }
    try {
        return await ask(path, params);
    } catch (error) {
        if (error.code !== "offline" || kind !== "position") throw error;
        const stands = await judge(game, params).catch((fault) => {
            throw new ApiError("position", fault.message, 400);
        });
        if (!stands) throw error;
        return stands;
    }
}
