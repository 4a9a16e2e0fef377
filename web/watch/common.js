// What the views of watching share: how players, points and moments are written, form
// fields, the style sheet, and a way to do something often but not too often.
import { el, useStyle } from "../lib/dom.js";
import { formatMoment } from "../lib/i18n.js";
import { playerName } from "../lib/words.js";
import "./words.js";

export const HOUSE = Array.from({ length: 10 }, (_, i) => `House-${i + 1}`);

// The sheet that all views of watching share, and those the owner needs besides.
export const styled = (owner, ...more) => Promise.all(["watch", ...more].map((name) => useStyle(`/watch/${name}.css`, owner)));

// Calls `act` soon, and again at most every so many milliseconds however often it is asked for.
export function throttle(act, pause) {
    const pauseNow = typeof pause === "function" ? pause : () => pause;
    let timer = 0;
    let last = -Infinity;
    const call = () => {
        if (timer) return;
        timer = setTimeout(() => {
            timer = 0;
            last = performance.now();
            act();
        }, Math.max(0, last + pauseNow() - performance.now()));
    };
    call.cancel = () => clearTimeout(timer);
    return call;
}

export const playerLink = (name) => el("a.player", { href: `/player/${encodeURIComponent(name)}`, text: playerName(name) });

// Points as people write them: 1½, not 1.5.
export function points(value) {
    if (value === null || value === undefined) return "";
    const whole = Math.floor(value);
    return value === whole ? String(whole) : `${whole || ""}½`;
}

// Today the hour is enough.
export function when(moment) {
    const isToday = moment && new Date(moment).toDateString() === new Date().toDateString();
    return moment ? formatMoment(moment, isToday ? { timeStyle: "short" } : undefined) : "";
}

// A link to where a game is seen: its board while it is played, its replay afterwards.
export const gamePath = (id, isOver) => (isOver ? `/study/game/${id}` : `/game/${id}`);

export function field(label, control, hint) {
    return el("label.field", {}, el("span", { text: label }), control, hint ? el("small.hint", { text: hint }) : "");
}

export function select(name, options, value, attributes = {}) {
    const list = options.map(([key, words]) => el("option", { value: key, text: words, selected: key === value }));
    return el("select", { name, ...attributes }, ...list);
}

// Saves text the page has put together as a file.
export function saveFile(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const IDLE_S = 600; // nobody thinks that long: a player has gone

export const isLively = ({ idle = 0 }) => idle < IDLE_S;

// Games that go on first, those that stand still after them.
export const livelyFirst = (games) => [...games.filter(isLively), ...games.filter((game) => !isLively(game))];
