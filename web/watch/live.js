// /watch: the games being played, as small boards that move as they do. The list itself is read
// again every few seconds, and at once when a tournament begins or ends a game.
import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { say, on } from "../lib/socket.js";
import { gameName } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { finishedGames } from "./finished.js";
import { Wall } from "./wall.js";
import { livelyFirst, throttle, styled } from "./common.js";

const MOST = 60;
const EVERY = 4000;
const FEW = 8; // live games; with fewer the last finished ones are shown too
const FINISHED = 8;

function emptyState() {
    return el("div.empty", {},
        el("p", { text: t("watch.nothing") }),
        el("p", {}, el("a.button.primary", { href: "/", text: t("watch.play") }), " ",
            el("a.button", { href: "/tournaments", text: t("watch.toTournaments") })));
}

function moreLinks() {
    return el("p.row.center.more-links", {}, el("a", { href: "/archive", text: t("watch.toArchive") }),
        ...gameNames.map((game) => el("a", { href: `/ratings/${game}`, text: t("watch.toRatings", { game: gameName(game) }) })));
}

function filters(chosen) {
    const one = (game, words) => el("a.tab", {
        href: game ? `/watch?game=${game}` : "/watch", text: words,
        "aria-current": game === chosen ? "page" : null,
    });
    return el("div.tabs", { role: "group", "aria-label": t("watch.filter") },
        one("", t("watch.all")), ...gameNames.map((game) => one(game, gameName(game))));
}

export async function show(host, { query, signal }) {
    await styled(signal);
    const chosen = gameNames.includes(query.game) ? query.game : "";
    const grid = el("div.wall");
    const count = el("span.count", { "aria-live": "polite" });
    const note = el("div");
    const before = el("div");
    host.append(el("section.page.watch-page", {},
        el("header.page-head", {}, el("h1", {}, t("watch.live"), " ", count), filters(chosen)), note, grid, before, moreLinks()));

    let isOpen = true;
    let finished = null;
    const soon = throttle(() => refresh(), 1000);
    const wall = new Wall(grid, { showGame: !chosen, onStale: soon, onEnd: soon, onChange: () => state() });
    const state = (live = 0) => {
        const shown = wall.cards.size;
        count.textContent = live > MOST ? `${shown} / ${live}` : shown || "";
        if (shown) clear(note);
        else if (!note.querySelector(".empty")) clear(note).append(emptyState());
        before.hidden = shown >= FEW;
        if (shown < FEW && !finished) showFinished();
    };
    async function showFinished() {
        finished = finishedGames(chosen, FINISHED).catch(() => null);
        const section = await finished;
        if (section && isOpen) before.append(section.node);
    }
    async function refresh() {
        try {
            const { games, live } = await get("/games/live", { limit: MOST });
            if (!isOpen) return;
            wall.set(livelyFirst(games.filter((one) => !chosen || one.game === chosen)));
            state(live);
        } catch (error) {
            if (isOpen && !wall.cards.size) clear(note).append(el("p.error", { role: "alert", text: sayError(error) }));
        }
    }
    say("lobby", { on: true });
    const stop = on("tournament", soon);
    const timer = setInterval(() => document.visibilityState === "visible" && refresh(), EVERY);
    await refresh();
    return {
        title: t("watch.live"),
        close() {
            isOpen = false;
            clearInterval(timer);
            soon.cancel();
            stop();
            say("lobby", { on: false });
            wall.close();
            finished?.then((section) => section?.close());
        },
    };
}
