// Standings with their tie-breaks and the crosstable, in one table: places down the side, opponents
// by place along the top.
import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { playerLink, points } from "./common.js";
import "./tournament_words.js";

const CROSS_MOST = 24; // wider than that nobody reads it

function head(tournament, count) {
    const sortKey = tournament.kind === "swiss" ? "watch.buchholz" : "watch.sonneborn";
    const figure = (key) => el("th.number", { scope: "col" }, el("abbr", { title: t(`${key}Long`), text: t(key) }));
    const opponents = Array.from({ length: count }, (_, i) => el("th.number.cross", { scope: "col", text: String(i + 1) }));
    return el("thead", {}, el("tr", {}, el("th.number", { scope: "col", text: "#" }), el("th", { scope: "col", text: t("watch.player") }),
        figure("watch.points"), ...opponents, figure("watch.played"), figure("watch.won"), figure("watch.drawn"), figure("watch.lost"),
        figure(sortKey)));
}

// What one has won from another, linked to their games.
function crossCell(tournament, value, i, j) {
    if (i === j) return el("td.number.cross.self");
    if (value === null) return el("td.number.cross");
    const [player, opponent] = [i, j].map((place) => tournament.standings[place].player);
    const href = `/archive?${new URLSearchParams({ player, opponent, tournament: tournament.id })}`;
    return el("td.number.cross", {}, el("a", { href, title: `${player} – ${opponent}`, text: points(value) }));
}

function row(tournament, standing, i, count) {
    const cells = (tournament.crosstable[i] ?? []).slice(0, count).map((value, j) => crossCell(tournament, value, i, j));
    const tiebreak = tournament.kind === "swiss" ? standing.buchholz : standing.sonneborn_berger;
    const number = (text) => el("td.number", { text });
    return el("tr", { class: standing.withdrawn ? "withdrawn" : "", "data-player": standing.player },
        number(String(standing.place)),
        el("th", { scope: "row" }, playerLink(standing.player), standing.withdrawn ? el("small", { text: ` ${t("watch.withdrawn")}` }) : ""),
        el("td.number.sum", {}, el("b", { text: points(standing.points) })), ...cells, number(standing.played), number(standing.wins),
        number(standing.draws), number(standing.losses), number(String(Math.round(tiebreak * 100) / 100)));
}

export function standingsTable(tournament) {
    const { standings } = tournament;
    const count = standings.length <= CROSS_MOST ? standings.length : 0;
    return el("div.scroll", { tabindex: 0, role: "region", "aria-label": t("watch.standings") },
        el("table.standings", {}, head(tournament, count),
            el("tbody", {}, ...standings.map((one, i) => row(tournament, one, i, count)))));
}

export function entrantsList(tournament, extra = (_name) => "") {
    if (!tournament.players.length) return el("p.empty", { text: t("watch.nobodyYet") });
    return el("ol.entrants", {}, ...tournament.players.map((name) => el("li", {}, playerLink(name), " ", extra(name))));
}
