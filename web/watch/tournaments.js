// /tournaments: what is being played, what can be entered, what is over; and making a new one.
import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { on, onState, say } from "../lib/socket.js";
import { styled, throttle, when } from "./common.js";
import { badge, termsLine } from "./tournament_line.js";
import { termsForm } from "./terms.js";
import "./tournament_words.js";

const PAGE = 30;

function progress(news) {
    if (!news || !news.games) return "";
    return el("span.tiny-progress", { title: t("watch.progress", { played: news.played, games: news.games }) },
        el("progress", { max: news.games, value: news.played, "aria-label": t("watch.progressLabel") }),
        el("span", { text: `${news.played}/${news.games}` }));
}

function line(row, news) {
    return el("li.tournament-row", { "data-id": row.id },
        el("a.tournament-name", { href: `/tournament/${row.id}`, text: row.name }),
        badge(news?.state ?? row.state),
        el("span.tournament-terms", { text: termsLine(row) }),
        el("span.tournament-when", {}, progress(news) || when(row.ended || row.started || row.created)));
}

/** @type {[string, (state: string) => boolean][]} */
const GROUPS = [
    ["running", (state) => state === "running" || state === "paused"],
    ["open", (state) => state === "open"],
    ["over", (state) => state === "over" || state === "called off"],
];

export async function show(host, { query, signal }) {
    await styled(signal, "tournament");
    const news = new Map();
    const lists = el("div.tournament-lists");
    const more = el("button", { type: "button", hidden: true, text: t("watch.older"), onclick: () => older() });
    const making = el("details.card.new-tournament", { open: "new" in query },
        el("summary", {}, el("span.button.primary", { text: t("watch.new") })), termsForm());
    host.append(el("section.page.watch-page", {},
        el("header.page-head", {}, el("h1", { text: t("watch.tournaments") })), making, lists, more));
    let rows = [];
    let isOpen = true;

    function draw() {
        clear(lists);
        for (const [group, belongs] of GROUPS) {
            const found = rows.filter((row) => belongs(news.get(row.id)?.state ?? row.state));
            if (found.length)
                lists.append(el("h2", { text: t(`watch.group.${group}`) }),
                    el("ul.tournament-list", {}, ...found.map((row) => line(row, news.get(row.id)))));
        }
        if (!rows.length) lists.append(el("p.empty", { text: t("watch.noTournaments") }));
    }
    async function read(before) {
        try {
            const { tournaments } = await get("/tournaments", { limit: PAGE, before });
            if (!isOpen) return;
            more.hidden = tournaments.length < PAGE;
            const known = new Set(rows.map((row) => row.id));
            const fresh = tournaments.filter((row) => !known.has(row.id));
            const renewed = rows.map((row) => tournaments.find((one) => one.id === row.id) ?? row);
            rows = [...renewed, ...fresh].sort((a, b) => b.id - a.id);
            draw();
        } catch (error) {
            if (isOpen && !rows.length) clear(lists).append(el("p.error", { role: "alert", text: sayError(error) }));
        }
    }
    const older = () => read(rows[rows.length - 1].id);
    const drawSoon = throttle(draw, 500);
    const readSoon = throttle(() => read(), 1000);
    const stops = [onState((state) => state === "online" && readSoon()), on("tournament", (message) => {
        const isNew = !rows.some((row) => row.id === message.id) || news.get(message.id)?.state !== message.state;
        news.set(message.id, message);
        if (isNew) readSoon();
        else drawSoon();
    })];
    say("lobby", { on: true });
    await read();
    return {
        title: t("watch.tournaments"),
        close() {
            isOpen = false;
            drawSoon.cancel();
            readSoon.cancel();
            stops.forEach((stop) => stop());
            say("lobby", { on: false });
        },
    };
}
