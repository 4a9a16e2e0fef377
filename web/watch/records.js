// Records of many games: the server hands out so many at a time, this asks until it has them all.
import { get } from "../lib/api.js";

const PAGE = 200; // the most the server gives at once
const PAGES = 25;

export async function allRecords(query, format, onProgress = (_count) => {}) {
    const texts = [];
    let before;
    for (let page = 0; page < PAGES; page++) {
        const list = await get("/games", { ...query, before, limit: PAGE });
        if (!list.games.length) break;
        const records = await get("/games", { ...query, before, limit: PAGE, format });
        texts.push(typeof records === "string" ? records : JSON.stringify(records, null, 1));
        onProgress(page * PAGE + list.games.length);
        before = list.before;
        if (!before) break;
    }
    return texts.join("\n");
}
