// The page's words in English and Chinese. Views bring their own with addWords.

import { prefs } from "./store.js";

const words = { en: {}, zh: {} };
const listeners = new Set();

export function language() {
    const chosen = prefs.get("language");
    return chosen in words ? chosen : /^zh/i.test(navigator.language) ? "zh" : "en";
}

export function addWords(more) {
    Object.assign(words.en, more.en);
    Object.assign(words.zh, more.zh);
}

// Whether there is one in the language spoken, or in English.
export function hasWord(key) {
    return key in words[language()] || key in words.en;
}

// The words of a key in every language.
export const wordsOf = (key) => Object.values(words).map((all) => all[key]);

// The words of a key, {name} replaced by values.name. A missing key shows itself.
export function t(key, values = {}) {
    const text = words[language()][key] ?? words.en[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

export function setLanguage(chosen) {
    prefs.set("language", chosen);
    document.documentElement.lang = chosen === "zh" ? "zh-Hans" : "en";
    for (const listener of listeners) listener(chosen);
}

export function onLanguage(fn) {
    listeners.add(fn);
    return () => listeners.delete(fn);
}

/** A moment of the server's as people here write it.
 * @param {Intl.DateTimeFormatOptions} [options] */
export function formatMoment(iso, options = { dateStyle: "medium", timeStyle: "short" }) {
    const moment = new Date(iso);
    return isNaN(moment.getTime()) ? "" : new Intl.DateTimeFormat(language() === "zh" ? "zh-CN" : "en-GB", options).format(moment);
}
