// How the board looks and sounds, chosen beside it.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";

function select(name, key, values) {
    return el("label.field", t(key),
        el("select", { value: prefs.get(name), onchange: (event) => prefs.set(name, event.target.value) },
            values.map((value) => el("option", { value, text: t(`${key}.${value}`) }))));
}

function check(name, key) {
    return el("label.check",
        el("input", { type: "checkbox", checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }),
        t(key));
}

// What Board takes of them. Who reads moves as players say them counts files as players do.
export function boardOptions(game) {
    const counted = game === "xiangqi" && prefs.get("notation") !== "native";
    return {
        theme: prefs.get("boardTheme"),
        pieces: prefs.get("pieces"),
        coordinates: prefs.get("coordinates") && (counted ? "chinese" : true),
        animate: prefs.get("animate"),
    };
}

// Calls fn on every change of what boardOptions gives; returns how to stop it.
export function onBoardOptions(fn) {
    const stops = ["boardTheme", "pieces", "coordinates", "notation", "animate"].map((name) => prefs.on(name, fn));
    return () => stops.forEach((stop) => stop());
}

export function boardPrefs(game) {
    return el("details.prefs",
        el("summary", { text: t("prefs.title") }),
        el("div.stack",
            select("boardTheme", "prefs.theme", ["wood", "paper", "green", "dark"]),
            game === "xiangqi" && select("pieces", "prefs.pieces", ["traditional", "western"]),
            game === "xiangqi" && select("notation", "prefs.notation", ["native", "wxf", "chinese"]),
            check("coordinates", "prefs.coordinates"),
            check("animate", "prefs.animate"),
            check("sound", "prefs.sound")));
}
