// What the visitor prefers, kept in this browser. Works without storage too: it just forgets.

const defaults = {
    theme: "auto",
    language: "",
    sound: true,
    volume: 70, // of 100
    haptics: true,
    animate: true,
    coordinates: true,
    boardTheme: "wood",
    pieces: "traditional",
};
const listeners = new Map();
const cache = new Map();

function read(name) {
    try {
        const text = localStorage.getItem("kraton." + name);
        return text === null ? undefined : JSON.parse(text);
    } catch {
        return undefined;
    }
}

// Who reads Chinese reads 炮二平五, until something else is chosen.
function defaultOf(name) {
    if (name !== "notation") return defaults[name];
    return /^zh/i.test(prefs.get("language") || navigator.language) ? "chinese" : "native";
}

export const prefs = {
    get(name) {
        if (!cache.has(name)) cache.set(name, read(name));
        return cache.get(name) ?? defaultOf(name);
    },

    set(name, value) {
        cache.set(name, value);
        try {
            localStorage.setItem("kraton." + name, JSON.stringify(value));
        } catch {
            // A private window may refuse; the choice then holds until the page is closed.
        }
        for (const listener of listeners.get(name) ?? []) listener(value);
    },

    // Calls fn(value) on every change; returns how to stop it.
    on(name, fn) {
        if (!listeners.has(name)) listeners.set(name, new Set());
        listeners.get(name).add(fn);
        return () => listeners.get(name).delete(fn);
    },
};

// What this window keeps while it is open; where storage is refused, while the page is.
const kept = new Map();

export const session = {
    get(name) {
        try {
            return JSON.parse(sessionStorage.getItem("kraton." + name)) ?? kept.get(name) ?? null;
        } catch {
            return kept.get(name) ?? null;
        }
    },

    set(name, value) {
        try {
            sessionStorage.setItem("kraton." + name, JSON.stringify(value));
        } catch {
            kept.set(name, value);
        }
    },

    remove(name) {
        kept.delete(name);
        try {
            sessionStorage.removeItem("kraton." + name);
        } catch {
            // It was never there.
        }
    },
};
