// The one WebSocket of the page: docs/protocol.md, as JSON. It reconnects by itself, says again what was
// subscribed to, and tells whoever asks how the connection is.

import { post, ApiError } from "./api.js";

const PING_MS = 10_000; // the connection is asked for a sign of life so often,
const SILENCE_MS = 5_000; // and given up after so long without one
const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];
// What may be said later than meant. Moves are not among them: whoever made one sees the game first (play/game.js).
const QUEUED = new Set(["resign", "resume", "games"]);

const handlers = new Map();
const stateListeners = new Set();
const meListeners = new Set();
const faultListeners = new Set();
const watched = new Set();
let lobbyOn = false;
let socket = null;
let state = "connecting";
let member = null;
let knowsMember = false;
let waiting = [];
let attempts = 0;
let retryTimer = 0;
let pingTimer = 0;
let silenceTimer = 0;
let pingSent = 0;
let roundTrip = 0;

export const me = () => member;
export const connectionState = () => state;
// Half of it is how old the server's figures are, in milliseconds.
export const lag = () => roundTrip;

function setState(next) {
    if (next === state) return;
    state = next;
    for (const fn of [...stateListeners]) fn(state);
}

export function onState(fn) {
    stateListeners.add(fn);
    return () => stateListeners.delete(fn);
}

// Calls fn(member or null) whenever it changes who this browser speaks for.
export function onMe(fn) {
    meListeners.add(fn);
    return () => meListeners.delete(fn);
}

function setMember(next) {
    const changed = !knowsMember || member?.id !== next?.id || member?.name !== next?.name;
    member = next;
    knowsMember = true;
    if (changed) for (const fn of [...meListeners]) fn(member);
}

// A guest has registered: the same player has another name. For this connection, and for the answer of POST /register.
export function renamed({ id, name, kind }) {
    if (member?.id === id) setMember({ ...member, name, kind });
}

// Calls fn(error, message) when a handler of a message has thrown: what it shows may be wrong from then on.
export function onFault(fn) {
    faultListeners.add(fn);
    return () => faultListeners.delete(fn);
}

export function on(verb, fn) {
    if (!handlers.has(verb)) handlers.set(verb, new Set());
    handlers.get(verb).add(fn);
    return () => handlers.get(verb).delete(fn);
}

// --- saying -----------------------------------------------------------------------------------------

function send(message) {
    socket.send(JSON.stringify(message));
}

function remember(verb, fields) {
    if (verb === "lobby") lobbyOn = fields.on !== false;
    else if (verb === "watch") watched.add(fields.game);
    else if (verb === "unwatch") watched.delete(fields.game);
    else return false;
    return true;
}

// Returns false where it could neither be said nor kept for later.
export function say(verb, fields = {}) {
    const message = { t: verb, ...fields };
    const kept = remember(verb, fields);
    if (socket && socket.readyState === WebSocket.OPEN) {
        send(message);
        return true;
    }
    connect();
    if (kept) return true;
    if (!QUEUED.has(verb)) return false;
    waiting.push(message);
    return true;
}

// --- hearing ----------------------------------------------------------------------------------------

function onPong() {
    roundTrip = performance.now() - pingSent;
    clearTimeout(silenceTimer);
    if (!knowsMember) setMember(null);
    if (state === "connecting") cameOnline();
}

function cameOnline() {
    attempts = 0;
    setState("online");
    if (lobbyOn) send({ t: "lobby", on: true });
    for (const game of watched) send({ t: "watch", game });
    const later = waiting;
    waiting = [];
    later.forEach(send);
}

function hear(event) {
    const message = JSON.parse(event.data);
    if (message.t === "welcome") setMember({ name: message.name, kind: message.kind, id: message.id, arbiter: message.role === "arbiter" });
    else if (message.t === "renamed") renamed(message);
    else if (message.t === "pong") onPong();
    else if (message.t === "bye") socket.farewell = message.reason;
    const faults = [];
    for (const fn of [...(handlers.get(message.t) ?? [])])
        try {
            fn(message);
        } catch (error) {
            faults.push(error); // the others still hear it
        }
    for (const error of faults) {
        console.error(error);
        for (const fn of [...faultListeners]) fn(error, message);
    }
}

function ping() {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    pingSent = performance.now();
    send({ t: "ping", n: 1 });
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => lose(socket), SILENCE_MS);
}

// --- the line ---------------------------------------------------------------------------------------

function lose(lost) {
    if (socket !== lost) return;
    clearInterval(pingTimer);
    clearTimeout(silenceTimer);
    socket = null;
    lost.onclose = lost.onmessage = null;
    lost.close();
    // Thrown out for doing nothing: nobody is missing anything, the next word connects again.
    if (lost.farewell === "login" && !lobbyOn && !watched.size) return;
    setState("offline");
    retryTimer = setTimeout(connect, BACKOFF_MS[Math.min(attempts++, BACKOFF_MS.length - 1)]);
}

// The connection that theme.js opened before this file was there, with what came by it; once, and where it still stands.
function takeEarly() {
    const early = window["earlyLine"];
    delete window["earlyLine"];
    return early && early.socket.readyState <= WebSocket.OPEN ? early : null;
}

export function connect() {
    clearTimeout(retryTimer);
    if (socket) return;
    setState("connecting"); // also where it was let go for doing nothing: who waits hears when it is back
    knowsMember = false;
    const early = takeEarly();
    const opened = early?.socket ?? new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/ws`);
    socket = opened;
    opened.onmessage = hear;
    opened.onclose = () => lose(opened);
    silenceTimer = setTimeout(() => lose(opened), SILENCE_MS);
    const begin = () => {
        ping();
        pingTimer = setInterval(ping, PING_MS);
    };
    if (opened.readyState === WebSocket.OPEN) begin();
    else opened.onopen = begin;
    early?.heard.forEach(hear);
}

// Drops the line and takes it up again: after logging in or out the server must look at the cookie anew.
export async function reconnect() {
    const old = socket;
    if (old) {
        clearInterval(pingTimer);
        clearTimeout(silenceTimer);
        old.onclose = old.onmessage = null;
        old.close();
        socket = null;
    }
    state = "connecting";
    connect();
    await ready();
}

// Resolves when it is known who this browser speaks for; fails where the server does not answer.
export function ready() {
    if (knowsMember && state === "online") return Promise.resolve(member);
    return new Promise((resolve, reject) => {
        const stop = onState((now) => {
            if (now === "connecting") return;
            stop();
            if (now === "online") resolve(member);
            else reject(new ApiError("offline", "the server does not answer", 0));
        });
        connect();
    });
}

// Somebody to play as: the one logged in, the guest this browser has been, or a new guest.
export async function ensureGuest() {
    if (member && state === "online") return member;
    const before = member;
    const guest = await post("/guest");
    if (!before || before.id !== guest.id || state !== "online") await reconnect();
    return member;
}

window.addEventListener("online", () => {
    if (!socket) connect();
    else ping();
});
window.addEventListener("offline", ping);
document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !socket && state === "offline") connect();
});
