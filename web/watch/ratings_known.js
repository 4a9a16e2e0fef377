// Ratings beside names: the lists of the server, read once a minute at most, since a wall of fifty
// games would otherwise ask for a hundred players one by one.
import { get } from "../lib/api.js";

const FRESH = 60000;
const lists = new Map();

async function readList(game, kind) {
    const { ratings } = await get(`/ratings/${game}`, { kind, limit: 500 });
    return ratings.map((one) => [one.player, Math.round(one.rating)]);
}

async function readGame(game) {
    const both = await Promise.all([readList(game, "person"), readList(game, "program")]);
    return new Map(both.flat());
}

// A map from names to ratings in that game; empty where the server cannot be asked.
export function ratingsOf(game) {
    const known = lists.get(game);
    if (known && performance.now() - known.at < FRESH) return known.names;
    const names = readGame(game).catch(() => new Map());
    lists.set(game, { at: performance.now(), names });
    return names;
}
