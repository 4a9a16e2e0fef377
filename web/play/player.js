// What everybody may see of a player: who, ratings, games; and a challenge.

import { el, useStyle, closeDialogs } from "../lib/dom.js";
import { t, formatMoment } from "../lib/i18n.js";
import { get, ApiError } from "../lib/api.js";
import { me, ready } from "../lib/socket.js";
import { gameName, playerName } from "../lib/words.js";
import { ratingsCard, gamesCard } from "./history.js";
import { muteButton, reportButton } from "./people.js";
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

// House bots are chosen in the usual dialog, at their level.
function challenge(player, game) {
    const house = /^House-(\d+)$/.exec(player.name);
    if (house) prefs.set(`setup.${game}`, { ...prefs.get(`setup.${game}`), opponent: "bot", level: Number(house[1]) });
    openSetup(game, house ? "bot" : { player });
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
    const isOther = me() && me().name !== player.name && player.kind !== "record" && !house;
    host.append(el("div.stack",
        el("header.row.apart",
            el("div",
                el("h1", { text: playerName(player.name) }),
                el("p.muted", factsOf(player), player.owner && [` · ${t("player.owner")} `, el("a", { href: `/player/${player.owner}`, text: player.owner })])),
            mayChallenge && el("div.row", gameNames.map((game) =>
                el("button", { text: t("player.challenge", { game: gameName(game) }), onclick: () => challenge(player, game) })))),
        isOther && el("div.row", muteButton(player.name), reportButton(player.name)),
        el("div.me-grid", gamesCard(player.name), ratingsCard(player.name, player.ratings))));
    ready().then(() => me()?.arbiter && import("../watch/arbiter.js").then(({ playerTools }) => playerTools(host.firstElementChild, player.name, signal)));
    return { title: playerName(player.name), close: () => closeDialogs("dialog:is(.setup, .report)") };
}
