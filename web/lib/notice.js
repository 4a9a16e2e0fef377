// What the server says of itself: it is about to stop, its disk is full, there is room again.

import { toast } from "./dom.js";
import { t, hasWord } from "./i18n.js";
import { on } from "./socket.js";

const listeners = new Set();
let full = false;

// The server keeps nothing for the time being: games stand still.
export const isFull = () => full;

// Calls fn(whether it is full) on every change; returns how to stop it.
export function onFull(fn) {
    listeners.add(fn);
    return () => listeners.delete(fn);
}

function setFull(now) {
    if (now === full) return;
    full = now;
    for (const fn of [...listeners]) fn(full);
}

on("kraton", () => setFull(false)); // another connection, perhaps another server: it will say
on("notice", (m) => {
    if (m.reason === "full" || m.reason === "room") setFull(m.reason === "full");
    const key = `notice.${m.reason}`;
    if (m.reason !== "full") toast(hasWord(key) ? t(key) : m.words);
});
