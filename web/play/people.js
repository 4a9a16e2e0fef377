// What one can do about another player besides playing: mute, report, challenge. The words of the two at a board: chat.js.

import { el, clear, toast, openDialog } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, sayError } from "../lib/api.js";
import { ensureGuest, on } from "../lib/socket.js";
import { playerName } from "../lib/words.js";
import { request } from "./offer.js";
import "./peoplewords.js";

export const isHouse = (name) => /^House-\d+$/.test(name);

let muted = null; // names; asked for once, then kept up to date by the server's answers

on("muted", (m) => {
    muted?.[m.on ? "add" : "delete"](m.player);
});
on("welcome", () => (muted = null));

async function mutedNames() {
    muted ??= new Set((await get("/mutes")).muted);
    return muted;
}

async function setMute(player, isOn) {
    await ensureGuest();
    await request("mute", { player, on: isOn }, "muted");
    toast(t(isOn ? "people.muted" : "people.unmuted", { name: player }));
}

// A button that mutes and unmutes. onChange() after it did.
export function muteButton(player, onChange = () => {}) {
    const button = el("button", { type: "button", text: t("people.mute"), title: t("people.muteWhy", { name: player }) });
    const draw = (names) => {
        button.textContent = t(names.has(player) ? "people.unmute" : "people.mute");
        button.setAttribute("aria-pressed", String(names.has(player)));
    };
    mutedNames().then(draw).catch(() => {});
    button.addEventListener("click", async () => {
        button.disabled = true;
        try {
            await setMute(player, !(await mutedNames().catch(() => new Set())).has(player));
            draw(await mutedNames());
            onChange();
        } catch (error) {
            toast(sayError(error), "error");
        }
        button.disabled = false;
    });
    return button;
}

// The players one has muted, each with a way back. Nothing where there are none.
export function mutesList() {
    const host = el("div");
    const draw = async () => {
        const names = [...(await mutedNames())].sort();
        clear(host).append(...(names.length ? [el("h3", { text: t("people.mutes") }), el("ul.plain", names.map((name) =>
            el("li.row.apart", el("span", { text: name }), muteButton(name, draw))))] : []));
    };
    draw().catch(() => {});
    return host;
}

// --- reports ----------------------------------------------------------------------------------------

const CAUSES = ["engine", "words", "left", "other"];

function openReport(player, game) {
    const says = el("p.says", { role: "alert" });
    const cause = el("select", { name: "cause" }, CAUSES.map((each) => el("option", { value: each, text: t(`people.cause.${each}`) })));
    const words = el("textarea", { name: "words", rows: 3, maxlength: 400 });
    const send = async (event) => {
        event.preventDefault();
        says.textContent = "";
        try {
            await ensureGuest();
            await post("/reports", { player, words: `${cause.value}: ${words.value.trim()}`, ...(game ? { game } : {}) });
            dialog.close();
            toast(t("people.reported"));
        } catch (error) {
            says.textContent = sayError(error);
        }
    };
    const dialog = el("dialog.report", { "aria-labelledby": "report-title" },
        el("form.stack", { onsubmit: send },
            el("h2#report-title", { text: t("people.reportTitle", { name: player }) }),
            el("p.muted", { text: t("people.reportWhy") }),
            el("label.field", t("people.cause"), cause),
            el("label.field", t("people.details"), words),
            says,
            el("div.row.end",
                el("button", { type: "button", text: t("app.cancel"), onclick: () => dialog.close() }),
                el("button.primary", { type: "submit", text: t("people.send") }))));
    dialog.addEventListener("close", () => dialog.remove());
    openDialog(dialog);
}

// game: the number of the game it is about, if any.
export function reportButton(player, game) {
    const title = t("people.reportTitle", { name: playerName(player) });
    return el("button", { type: "button", text: t("people.report"), title, onclick: () => openReport(player, game) });
}
