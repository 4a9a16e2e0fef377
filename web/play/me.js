// One's own page: account, ratings, games, programs.

import { el, clear, useStyle, closeDialogs } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { prefs } from "../lib/store.js";
import { ready, me, onMe } from "../lib/socket.js";
import { entranceCard, recoverCard, accountCard } from "./account.js";
import { ratingsCard, gamesCard } from "./history.js";
import { programsCard } from "./programs.js";
import "./words.js";
import "./mewords.js";

let entering = ""; // "login", "register" or "recover", as chosen last

function entrance(member, changed) {
    // Somebody was logged in here, and the server knows nothing of it any more.
    const expired = Boolean(prefs.get("account"));
    const host = el("div");
    const enter = (mode) => {
        entering = mode;
        clear(host).append(mode === "recover" ? recoverCard(changed, enter) : entranceCard(mode, changed, enter));
    };
    enter(entering || (expired ? "login" : "register"));
    return el("section.card.stack",
        expired && el("p.warning", { text: t("me.expired"), role: "status" }),
        el("p", { text: member ? t("me.guest", { name: member.name }) : t("me.nobody") }),
        host);
}

async function draw(host, changed) {
    const member = me();
    const isPerson = member?.kind === "person";
    if (isPerson) entering = "";
    const player = member && (await get(`/players/${member.name}`));
    clear(host).append(el("div.stack",
        el("h1", { text: isPerson ? member.name : t("me.title") }),
        el("div.me-grid",
            el("div.stack", isPerson ? ratingsCard(member.name, player.ratings) : entrance(member, changed), member && gamesCard(member.name)),
            el("div.stack", isPerson && accountCard(member, changed), programsCard(member)))));
    if (location.hash === "#programs") document.getElementById("programs").scrollIntoView();
}

export async function show(host, { signal }) {
    await Promise.all([useStyle("/play/play.css", signal), ready()]);
    let shown; // whose page it is
    const changed = () => {
        shown = me()?.name;
        return draw(host, changed);
    };
    await changed();
    const stop = onMe(() => me()?.name !== shown && changed()); // registered in another tab
    return {
        title: t("me.title"),
        close: () => {
            stop();
            closeDialogs("dialog.ask");
        },
    };
}
