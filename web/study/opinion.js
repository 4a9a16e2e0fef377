// One question to the engine, apart from the lines of the panel: what it thinks of a position, and how the game goes on.

import { say, on, onState } from "../lib/socket.js";
import { ApiError } from "../lib/api.js";
import { fromFirst } from "./score.js";

const AGAIN_MS = 1200; // where too much was asked

// Resolves with {seen, pv} of a node of the desk's tree; fails where the engine does not answer. The panel's lines must be
// off: the server has one question of a visitor at a time.
export function askEngine(desk, node, ms) {
    const { tree, rules, ruleSet } = desk;
    const { fen, moves } = tree.since(node);
    const { side } = tree.position(node);
    const question = { game: rules.name, fen, moves: moves.join(" "), ms, lines: 1, ref: "coach", ...(ruleSet ? { rules: ruleSet } : {}) };
    return new Promise((resolve, reject) => {
        const stops = [];
        let id = 0;
        let found = null;
        let timer = 0;
        const end = (act) => {
            clearTimeout(timer);
            stops.forEach((stop) => stop());
            act();
        };
        const fail = (code, words = "") => end(() => reject(new ApiError(code, words, 0)));
        stops.push(
            on("analysing", (m) => (id ||= m.id)),
            on("line", (m) => {
                if (m.id === id && m.n === 1) found = { seen: fromFirst(m, side), pv: m.pv };
            }),
            on("analysed", (m) => {
                if (m.id === id) end(() => (found ? resolve(found) : reject(new ApiError("engines", m.words ?? "", 0))));
            }),
            on("error", (m) => {
                if (m.ref !== "coach") return;
                if (m.code === "quota") timer = setTimeout(() => say("analyse", question), AGAIN_MS);
                else fail(m.code, m.words);
            }),
            onState(() => fail("offline")));
        if (!say("analyse", question)) fail("offline");
    });
}
