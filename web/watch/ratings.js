// /ratings/GAME: the best of that game, people and programs apart.
import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { gameName } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { playerLink, styled } from "./common.js";
import "./archive_words.js";

const KINDS = ["person", "program"];

function table(ratings) {
    if (!ratings.length) return el("p.empty", { text: t("watch.nobodyRated") });
    const number = (text) => el("td.number", { text });
    return el("table.ratings", {},
        el("thead", {}, el("tr", {}, el("th.number", { scope: "col", text: "#" }), el("th", { scope: "col", text: t("watch.player") }),
            el("th.number", { scope: "col", text: t("watch.rating") }), el("th.number", { scope: "col", text: t("watch.movesGames") }))),
        el("tbody", {}, ...ratings.map((one, i) => el("tr", {}, number(String(i + 1)), el("th", { scope: "row" }, playerLink(one.player)),
            el("td.number", { title: t("watch.deviation", { deviation: Math.round(one.deviation) }) }, el("b", { text: String(Math.round(one.rating)) }),
                el("small", { text: ` ±${Math.round(2 * one.deviation)}` })), number(String(one.games))))));
}

export async function show(host, { params, signal }) {
    await styled(signal, "archive");
    const game = gameNames.includes(params[0]) ? params[0] : gameNames[0];
    const tab = (one) => el("a.tab", { href: `/ratings/${one}`, text: gameName(one), "aria-current": one === game ? "page" : null });
    const columns = el("div.rating-columns");
    host.append(el("section.page.watch-page", {},
        el("header.page-head", {}, el("h1", { text: t("watch.ratings") }),
            el("div.tabs", { role: "group", "aria-label": t("watch.filter") }, ...gameNames.map(tab))), columns));
    try {
        const lists = await Promise.all(KINDS.map((kind) => get(`/ratings/${game}`, { kind })));
        columns.append(...lists.map((list, i) => el("section.card", {}, el("h2", { text: t(`watch.kinds.${KINDS[i]}`) }), table(list.ratings))));
    } catch (error) {
        clear(columns).append(el("p.error", { role: "alert", text: sayError(error) }));
    }
    return { title: t("watch.ratings"), close() {} };
}
