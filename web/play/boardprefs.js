// How the board looks and sounds, chosen beside it.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";
import { canShake, play } from "../lib/sound.js";
import { rowOf } from "../games/index.js";

function select(name, key, values, words = key) {
    return el("label.field", t(key),
        el("select", { value: prefs.get(name), onchange: (event) => prefs.set(name, event.target.value) },
            values.map((value) => el("option", { value, text: t(`${words}.${value}`) }))));
}

function check(name, key) {
    return el("label.check",
        el("input", { type: "checkbox", checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }),
        t(key));
}

function volume() {
    const change = (event) => {
        prefs.set("volume", Number(event.target.value));
        play("move");
    };
    return el("label.field", t("prefs.volume"), el("input", { type: "range", min: 5, max: 100, step: 5, value: prefs.get("volume"), onchange: change }));
}

// The notation that holds on every board of a game; a game that has its notations only in the study has the native one.
export function pageNotation(game) {
    const { choices, everywhere } = rowOf(game).notation;
    const wanted = prefs.get("notation");
    return everywhere && choices.includes(wanted) ? wanted : "native";
}

// What Board takes of them. Who reads moves as players say them counts files as players do.
export function boardOptions(game) {
    const counted = rowOf(game).notation.countsFiles && pageNotation(game) !== "native";
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
    const { pieceSets, notation } = rowOf(game);
    return el("details.prefs",
        el("summary", { text: t("prefs.title") }),
        el("div.stack",
            select("boardTheme", "prefs.theme", ["wood", "paper", "green", "dark"]),
            pieceSets.length > 1 && select("pieces", "prefs.pieces", pieceSets),
            notation.everywhere && select("notation", "prefs.notation", notation.choices, `notation.${game}`),
            check("coordinates", "prefs.coordinates"),
            check("animate", "prefs.animate"),
            check("sound", "prefs.sound"),
            volume(),
            canShake() && check("haptics", "prefs.haptics")));
}
