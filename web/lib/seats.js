// The games this visitor is playing, as the server tells of them; and the news that one begins.

import { on, connectionState } from "./socket.js";

const games = new Map(); // number -> {id, game, you, names, toMove, over}
const listeners = new Set();
const begunListeners = new Set();

function tell() {
    for (const fn of [...listeners]) fn();
}

export function liveSeats() {
    return [...games.values()].filter((seat) => !seat.over).sort((a, b) => b.id - a.id);
}

export const seatOf = (id) => games.get(id);

export function onSeats(fn) {
    listeners.add(fn);
    return () => listeners.delete(fn);
}

// Calls fn(seat) when a game of the visitor's has just begun.
export function onBegun(fn) {
    begunListeners.add(fn);
    return () => begunListeners.delete(fn);
}

// Whose move it is: who began, and how many plies are on the board.
const sideToMove = (begins, ply) => (begins === "second" ? 1 : 0) ^ (ply & 1);

// Until the connection stands, what comes are the games of before.
on("welcome", () => {
    games.clear();
    tell();
});
on("game", (m) => {
    if (m.you === "none") return;
    const isNew = !games.has(m.id) && m.ply === 0 && m.clock !== "over" && connectionState() === "online";
    const seat = {
        id: m.id,
        game: m.game,
        tc: m.tc,
        rated: m.rated,
        you: m.you === "first" ? 0 : 1,
        names: [m.first_name, m.second_name],
        begins: m.begins,
        toMove: sideToMove(m.begins, m.ply),
        over: m.clock === "over",
    };
    games.set(m.id, seat);
    tell();
    if (isNew) for (const fn of [...begunListeners]) fn(seat);
});
for (const verb of ["moved", "tookback"])
    on(verb, (m) => {
        const seat = games.get(m.game);
        if (!seat) return;
        seat.toMove = sideToMove(seat.begins, m.ply);
        tell();
    });
on("renamed", (m) => {
    const seat = games.get(m.game);
    if (!seat) return;
    seat.names[m.side === "second" ? 1 : 0] = m.name;
    tell();
});
on("result", (m) => {
    const seat = games.get(m.game);
    if (!seat) return;
    seat.over = true;
    tell();
});
