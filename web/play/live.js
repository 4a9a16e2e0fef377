// A few games being played now, under the start: small boards that move. Loaded when the start stands.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { seatOf } from "../lib/seats.js";
import { Wall } from "../watch/wall.js";
import { isLively, styled } from "../watch/common.js";

const MOST = 4;
const EVERY_MS = 8000;

export async function showLive(host, signal) {
    await styled(signal);
    const wallHost = el("div.wall");
    const section = el("section.card.stack", { hidden: true, "aria-labelledby": "live-title" },
        el("div.row.apart", el("h2#live-title", { text: t("home.live") }), el("a", { href: "/watch", text: t("home.watch") })),
        wallHost);
    host.append(section);
    const showOrHide = () => (section.hidden = wall.cards.size === 0);
    const wall = new Wall(wallHost, { showGame: true, onChange: showOrHide });
    const refresh = async () => {
        try {
            const { games } = await get("/games/live", { limit: 30 });
            wall.set(games.filter((game) => isLively(game) && !seatOf(game.id)).slice(0, MOST));
            showOrHide();
        } catch {
            // The start works without it; the next time may be better.
        }
    };
    const timer = setInterval(() => document.visibilityState === "visible" && refresh(), EVERY_MS);
    await refresh();
    return () => {
        clearInterval(timer);
        wall.close();
    };
}
