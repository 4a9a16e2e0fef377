// What the server says of the games: rule sets, record formats, whether there are tables (docs/api.md, /api/games).
// Asked for once, by the first view that needs it; after a failure, again.
import { getAt } from "./api.js";

let asked = null;

// Resolves to a function: the server's entry for a game.
export function catalogue() {
    asked ??= getAt("/api/games").then(({ games }) => {
        const byName = new Map(games.map((entry) => [entry.name, entry]));
        return (name) => byName.get(name);
    });
    asked.catch(() => (asked = null));
    return asked;
}

export const ruleSetNames = (entry) => entry.rule_sets.map(({ name }) => name);
export const writes = (entry, format) => entry.formats.some(({ name, written }) => name === format && written);
