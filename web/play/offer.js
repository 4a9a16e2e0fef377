// Saying what game one wants, and waiting for the server's word on it.

import { say, on, onState, ensureGuest } from "../lib/socket.js";
import { ApiError } from "../lib/api.js";

let count = 0;

// Says it and resolves with the first answer among `verbs`; what the server refuses is thrown.
export function request(verb, fields, ...verbs) {
    const ref = `offer${++count}`;
    return new Promise((resolve, reject) => {
        const stops = [];
        const done = (act) => (value) => {
            stops.forEach((stop) => stop());
            act(value);
        };
        stops.push(on("error", (m) => {
            if (m.ref === ref) done(reject)(new ApiError(m.code, m.words, 0));
        }));
        stops.push(onState(() => done(reject)(new ApiError("offline", "", 0))));
        // Games that are only watched here tell of themselves at any time, and so do offers of others.
        const isMeant = (m) => m.you !== "none" && (m.t !== "gone" || m.reason === "declined");
        for (const each of verbs) stops.push(on(each, (m) => isMeant(m) && done(resolve)(m)));
        if (!say(verb, { ...fields, ref })) done(reject)(new ApiError("offline", "", 0));
    });
}

const SIDES = { first: "first", second: "second", any: "any" };

// A choice ({game, opponent, level, side, tc, rated, fen}) as the fields of seek and challenge.
function termsOf({ game, side, tc, rated, fen }) {
    return { game, tc, side: SIDES[side] ?? "any", rated: Boolean(rated), ...(fen ? { fen } : {}) };
}

// Begins against a house bot; the game itself is announced by `game`.
export async function playBot(choice) {
    await ensureGuest();
    const answer = await request("challenge", { ...termsOf({ ...choice, rated: false }), to: `House-${choice.level}` }, "game", "gone");
    if (answer.t === "gone") throw new ApiError("declined", "", 0); // it plays enough
    return answer;
}

// Opens a seek for everybody, or a private one; resolves with {id} or with the game that began at once.
export async function seek(choice, isPrivate) {
    await ensureGuest();
    return request("seek", { ...termsOf(choice), private: isPrivate }, "seeking", "game");
}

// Asks one player; resolves with the game that began at once, or when a card shows that the other has been asked.
export async function challenge(to, choice) {
    await ensureGuest();
    const answer = await request("challenge", { ...termsOf(choice), to }, "seeking", "game", "gone");
    const { showAsked, sayDeclined } = await import("./invites.js");
    if (answer.t === "seeking") showAsked(answer.id, to, choice);
    else if (answer.t === "gone") sayDeclined(to);
}

export async function accept(id) {
    await ensureGuest();
    return request("accept", { id }, "game");
}
