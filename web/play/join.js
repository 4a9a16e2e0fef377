// A friend's link. For whoever made it: the link, and waiting. For the friend: what game it is, and Play.

import { el, clear, toast, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { say, onState, ready } from "../lib/socket.js";
import { session } from "../lib/store.js";
import { onBegun } from "../lib/seats.js";
import { rowOf } from "../games/index.js";
import { gameName, sideName, controlWords } from "../lib/words.js";
import { accept, seek } from "./offer.js";
import { navigate } from "../app.js";
import "./words.js";

// What was chosen for a link of this browser's own; kept while its window is open.
const ownChoice = (id) => session.get(`link.${id}`);

async function isOpen(id) {
    try {
        await get(`/seeks/${id}`);
        return true;
    } catch (error) {
        if (error.code === "offer") return false;
        throw error;
    }
}

// The offer dies with the connection; whoever waits gets a new one and is told so.
async function renew(id, choice) {
    session.remove(`link.${id}`);
    const answer = await seek(choice, true);
    if (answer.t !== "seeking") return;
    session.set(`link.${answer.id}`, { ...choice, renewed: true });
    await navigate(`/join/${answer.id}`, { replace: true });
}

async function copy(input) {
    try {
        await navigator.clipboard.writeText(input.value);
    } catch {
        input.select();
        document.execCommand("copy");
    }
    toast(t("app.copied"));
}

function showWaiting(host, id, choice) {
    const url = `${location.origin}/join/${id}`;
    const link = el("input#link", { value: url, readonly: true, onfocus: (event) => event.target.select() });
    const withdraw = () => {
        say("unseek", { id });
        session.remove(`link.${id}`);
        navigate("/");
    };
    host.append(el("section.card.narrow.stack",
        el("h1", { text: t("join.title") }),
        choice.renewed && el("p.warning", { text: t("join.renewed"), role: "status" }),
        el("p", { text: `${gameName(choice.game)} · ${controlWords(choice.tc)}` }),
        el("p", { text: t("join.send") }),
        el("label.field", t("join.link"), link),
        el("div.row",
            el("button.primary", { text: t("app.copy"), onclick: () => copy(link) }),
            navigator.share && el("button", { text: t("join.share"), onclick: () => navigator.share({ url, text: t("join.shareText", { game: gameName(choice.game) }) }).catch(() => {}) }),
            el("button.danger", { text: t("join.withdraw"), onclick: withdraw })),
        el("p.waiting", { role: "status" }, el("span.pulse"), t("join.waiting")),
        el("p", el("small", { text: t("join.keep") }))));
    const stops = [
        onBegun(() => session.remove(`link.${id}`)),
        onState(async (state) => {
            if (state === "online" && !(await isOpen(id).catch(() => true))) renew(id, choice);
        }),
    ];
    return () => stops.forEach((stop) => stop());
}

function showExpired(host) {
    clear(host).append(el("section.card.narrow.stack",
        el("h1", { text: t("join.title") }),
        el("p", { text: t("join.expired"), role: "status" }),
        el("div.row", el("a.button.primary", { href: "/", text: t("join.new") }))));
}

function showInvitation(host, offer) {
    const says = el("p.says", { role: "alert" });
    const side = offer.side === "any" ? t("setup.any") : sideName(offer.game, offer.side === "first" ? 1 : 0);
    const take = async (event) => {
        event.target.disabled = true;
        says.textContent = "";
        try {
            await accept(offer.id);
        } catch (error) {
            if (error.code === "offer") showExpired(host);
            says.textContent = sayError(error);
            event.target.disabled = false;
        }
    };
    host.append(el("section.card.narrow.stack",
        el("h1", { text: t("join.invites", { name: offer.from, game: gameName(offer.game) }) }),
        el("p", { text: t("join.terms", { clock: controlWords(offer.tc), side }) }),
        says,
        el("div.row",
            el("button.primary.big", { text: t("join.accept"), onclick: take }),
            rowOf(offer.game).load.lessons && el("a.button", { href: `/learn/${offer.game}`, text: t("home.rules") }))));
}

export async function show(host, { params, signal }) {
    await useStyle("/play/play.css", signal);
    const id = Number(params[0]);
    const choice = ownChoice(id);
    let stop = () => {};
    await ready();
    if (choice && (await isOpen(id))) stop = showWaiting(host, id, choice);
    else if (choice) await renew(id, choice);
    else
        try {
            showInvitation(host, await get(`/seeks/${params[0]}`));
        } catch (error) {
            if (error.code !== "offer") throw error;
            showExpired(host);
        }
    return { title: t("join.title"), close: stop };
}
