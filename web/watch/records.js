// Records of many games: the server hands out so many at a time, this asks until it has them all.
import { get } from "../lib/api.js";

const PAGE = 200; // the most the server gives at once
const PAGES = 25;

export async function allRecords(query, format, onProgress = (_count) => {}) {
    const texts = [];
    let before, found = 0;
    for (let page = 0; page < PAGES; page++) {
        const list = await get("/games", { ...query, before, limit: PAGE });
        if (list.games.length) { // a search that takes long may have none yet
            const records = await get("/games", { ...query, before, limit: list.games.length, format });
            texts.push(typeof records === "string" ? records : JSON.stringify(records, null, 1));
            found += list.games.length;
            onProgress(found);
        }
        before = list.before;
        if (!before) break;
    }
    return texts.join("\n");
}
