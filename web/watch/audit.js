// /audit: what arbiters have done, to what or whom, and why. Open to everybody.
import { el } from "../lib/dom.js";
import { t, hasWord } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { playerLink, styled, when } from "./common.js";
import "./archive_words.js";

const PAGE = 100;

function subject(text) {
    const game = /^game (\d+)$/.exec(text);
    if (game) return el("a", { href: `/game/${game[1]}`, text: t("watch.gameNumber", { number: game[1] }) });
    return playerLink(text);
}

function row(entry) {
    const key = `watch.did.${entry.action}`;
    return el("tr", {}, el("td", { text: when(entry.at) }), el("td", {}, playerLink(entry.arbiter)),
        el("td", { text: hasWord(key) ? t(key) : entry.action }), el("td", {}, subject(entry.subject)), el("td", { text: entry.reason }));
}

export async function show(host, { signal }) {
    await styled(signal, "archive");
    const body = el("tbody");
    const said = el("p.empty");
    const more = el("button", { type: "button", hidden: true, text: t("watch.older"), onclick: () => read() });
    const head = ["watch.when", "watch.arbiterName", "watch.action", "watch.subject", "watch.reason"];
    host.append(el("section.page.watch-page", {}, el("header.page-head", {}, el("h1", { text: t("watch.audit") })),
        el("p.hint", { text: t("watch.auditHint") }),
        el("div.scroll", {}, el("table.audit", {}, el("thead", {}, el("tr", {}, ...head.map((key) => el("th", { scope: "col", text: t(key) })))), body)), said, more));
    let before;
    async function read() {
        try {
            const { audit } = await get("/audit", { before, limit: PAGE });
            body.append(...audit.map(row));
            before = audit[audit.length - 1]?.id;
            more.hidden = audit.length < PAGE;
            said.textContent = body.childElementCount ? "" : t("watch.noAudit");
            said.hidden = body.childElementCount > 0;
        } catch (error) {
            said.hidden = false;
            said.textContent = sayError(error);
        }
    }
    await read();
    return { title: t("watch.audit"), close() {} };
}
