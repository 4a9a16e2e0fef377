// The puzzles at /puzzles: those of the day, and the way into each game's.

import { el, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { ready } from "../lib/socket.js";
import { gameName } from "../lib/words.js";
import { showDaily } from "./daily.js";
import "./words.js";

export async function show(host, { signal }) {
    await Promise.all([useStyle("/puzzles/puzzles.css", signal), ready().catch(() => {})]);
    const { games } = await get("/puzzles");
    const page = el("div.puzzles",
        el("div", el("h1", { text: t("puzzles.title") }), el("p.muted", { text: t("puzzles.lead") })),
        el("div.puzzles-games", games.map(({ game, count, solver }) => el("section.card.stack", { "data-game": game },
            el("h2", { text: gameName(game) }),
            el("p.muted", { text: t("puzzles.count", { count }) + (solver.tries ? ` · ${t("puzzles.yours", { rating: solver.rating })} · ${t("puzzles.solvedOf", solver)}` : "") }),
            el("a.button.primary", { href: `/puzzles/${game}`, text: t("puzzles.start"), "aria-label": `${t("puzzles.start")}: ${gameName(game)}` })))));
    host.append(page);
    const close = await showDaily(page, signal, { linksToAll: false });
    return { title: t("puzzles.title"), close };
}
