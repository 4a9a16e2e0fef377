// What everybody may see of a player: who, ratings, games; and a challenge.

import { el, toast, useStyle } from "../lib/dom.js";
import { t, formatMoment } from "../lib/i18n.js";
import { get, sayError, ApiError } from "../lib/api.js";
import { me, ensureGuest, ready } from "../lib/socket.js";
import { gameName, playerName } from "../lib/words.js";
import { ratingsCard, gamesCard } from "./history.js";
import { request } from "./offer.js";
import { openSetup } from "./setup.js";
import { prefs } from "../lib/store.js";
import { gameNames } from "../games/index.js";
import "./words.js";

function factsOf(player) {
    const facts = [t(`player.kind.${player.kind}`), t("player.since", { date: formatMoment(player.since, { dateStyle: "medium" }) })];
    if (player.playing) facts.push(t("player.playing"));
    else if (player.here) facts.push(t("player.here"));
    return facts.join(" · ");
}

// A challenge on the terms chosen last; house bots are chosen in the usual dialog, at their level.
async function challenge(name, game) {
    const house = /^House-(\d+)$/.exec(name);
    if (house) {
        prefs.set(`setup.${game}`, { ...prefs.get(`setup.${game}`), opponent: "bot", level: Number(house[1]) });
        openSetup(game, "bot");
        return;
    }
    const { tc = "600+5" } = prefs.get(`setup.${game}`) ?? {};
    try {
        await ensureGuest();
        await request("challenge", { to: name, game, tc, side: "any", rated: false }, "seeking", "game");
        toast(t("player.challenged", { name }));
    } catch (error) {
        toast(sayError(error), "error");
    }
}

export async function show(host, { params, signal }) {
    await useStyle("/play/play.css", signal);
    const name = params[0];
    let player;
    try {
        player = await get(`/players/${encodeURIComponent(name)}`);
    } catch (error) {
        if (error.status === 404) throw new ApiError("player", t("player.none"), 404);
        throw error;
    }
    const house = /^House-(\d+)$/.exec(player.name);
    const mayChallenge = me()?.name !== player.name && (player.here || house);
    host.append(el("div.stack",
        el("header.row.apart",
            el("div",
                el("h1", { text: playerName(player.name) }),
                el("p.muted", factsOf(player), player.owner && [` · ${t("player.owner")} `, el("a", { href: `/player/${player.owner}`, text: player.owner })])),
            mayChallenge && el("div.row", gameNames.map((game) => el("button", { text: t("player.challenge", { game: gameName(game) }), onclick: () => challenge(player.name, game) })))),
        el("div.me-grid", gamesCard(player.name), ratingsCard(player.name, player.ratings))));
    ready().then(() => me()?.arbiter && import("../watch/arbiter.js").then(({ playerTools }) => playerTools(host.firstElementChild, player.name, signal)));
    return { title: playerName(player.name), close: () => document.querySelector("dialog.setup")?.close() };
}
