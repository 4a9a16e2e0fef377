// Who is here: people and programs with their ratings, free or playing, and a challenge to each.

import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { me } from "../lib/socket.js";
import { gameName } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { openSetup } from "./setup.js";
import "./peoplewords.js";

const EVERY_MS = 10_000;

function ratingWords({ ratings }) {
    return ratings.map(({ game, rating, deviation }) => `${gameName(game)} ${Math.round(rating)}${deviation > 110 ? "?" : ""}`).join(" · ");
}

function row(player) {
    const isFree = player.playing === 0;
    const game = player.ratings[0]?.game ?? gameNames[0];
    return el("li.row.apart",
        el("span.who",
            el("a.name", { href: `/player/${encodeURIComponent(player.name)}`, text: player.name }), " ", el("small", { text: ratingWords(player) })),
        el("span.row",
            el("span.badge", { class: isFree ? "live" : "", text: t(isFree ? "here.free" : "here.busy") }),
            me()?.name !== player.name && el("button", {
                type: "button", text: t("people.challenge"), "aria-label": t("people.challengeLabel", { name: player.name }),
                onclick: () => openSetup(game, { player }),
            })));
}

function group(key, players) {
    return players.length > 0 && el("div.stack", el("h3", { text: t(key) }), el("ul.plain.here-list", players.map(row)));
}

export async function showHere(host) {
    const list = el("div.stack");
    const section = el("section.card.stack.here", { "aria-labelledby": "here-title", hidden: true }, el("h2#here-title", { text: t("here.title") }), list);
    host.append(section);
    let shown = "";
    const refresh = async () => {
        try {
            const { here, guests, more } = await get("/players");
            const told = JSON.stringify([here, guests, more, me()?.name]);
            section.hidden = here.length === 0 && guests === 0;
            if (told === shown) return;
            shown = told;
            const byRating = (a, b) => (b.ratings[0]?.rating ?? 0) - (a.ratings[0]?.rating ?? 0) || a.name.localeCompare(b.name);
            const of = (kind) => here.filter((player) => player.kind === kind).sort(byRating);
            const others = [guests && t("here.guests", { count: guests }), more && t("here.more", { count: more })].filter(Boolean);
            clear(list).append(...[
                group("here.people", of("person")), group("here.programs", of("program")),
                here.length === 0 && el("p.muted", { text: t("here.nobody") }),
                others.length > 0 && el("p.muted", { text: others.join(" · ") }),
            ].filter(Boolean));
        } catch {
            // The start works without it; the next time may be better.
        }
    };
    const timer = setInterval(() => document.visibilityState === "visible" && refresh(), EVERY_MS);
    await refresh();
    return () => clearInterval(timer);
}
