// REST: docs/api.md. Every failure is an ApiError whose code says what happened.

import { t, hasWord, language } from "./i18n.js";

export class ApiError extends Error {
    constructor(code, words, status) {
        super(words);
        this.code = code;
        this.words = words;
        this.status = status;
    }
}

async function ask(method, path, body) {
    let response;
    try {
        response = await fetch(path, {
            method,
            credentials: "same-origin",
            headers: body === undefined ? {} : { "Content-Type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch {
        throw new ApiError("offline", "the server does not answer", 0);
    }
    const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
    let answer;
    try {
        answer = isJson ? await response.json() : await response.text();
    } catch {
        throw new ApiError("offline", "the answer broke off", 0);
    }
    if (response.ok) return answer;
    throw new ApiError(answer.error ?? "http", answer.words ?? response.statusText, response.status);
}

function withQuery(path, params = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
        if (value !== undefined && value !== null && value !== "") query.set(name, value);
    const text = query.toString();
    return text ? `${path}?${text}` : path;
}

const ROOT = "/api/v1";

export const getAt = (path) => ask("GET", path); // outside the versioned interface
export const get = (path, params) => ask("GET", ROOT + withQuery(path, params));
export const post = (path, body = {}) => ask("POST", ROOT + path, body);
export const del = (path, body) => ask("DELETE", ROOT + path, body);

// Plain words for an error, in the visitor's language where we have them.
export function sayError(error) {
    const missing = `error.${error.code}.missing`;
    const key = error.status === 404 && hasWord(missing) ? missing : `error.${error.code}`;
    if (error instanceof ApiError || error.code) {
        if (language() === "zh" && hasWord(key)) return t(key, { words: error.words });
        if (error.code === "offline" || error.code === "full" || !error.words) return hasWord(key) ? t(key) : t("error.unknown");
        return error.words[0].toUpperCase() + error.words.slice(1) + (/[.!?]$/.test(error.words) ? "" : ".");
    }
    return t("error.unknown");
}
