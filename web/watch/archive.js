// /archive: finished games, searched by player, opponent, game, opening, result and position. The
// search is the address, so it can be kept and sent to others.
import { clear, el, toast } from "../lib/dom.js";
import { formatMoment, t } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { sideMark } from "../lib/icons.js";
import { controlWords, gameName, outcomeScore, reasonWords, sideName } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { navigate } from "../app.js";
import { field, gamePath, playerLink, saveFile, select, styled, when } from "./common.js";
import { allRecords } from "./records.js";
import "./archive_words.js";

const PAGE = 50;
const FIELDS = ["player", "opponent", "game", "opening", "result", "rated", "fen", "tournament"];

function asked(query) {
    return Object.fromEntries(FIELDS.filter((name) => query[name]).map((name) => [name, query[name]]));
}

function searchForm(search, onSearch) {
    const input = (name, attributes = {}) => el("input", { name, value: search[name] ?? "", autocomplete: "off", spellcheck: "false", ...attributes });
    const outcome = (value, number) => [value, search.game ? t("watch.sideWins", { side: sideName(search.game, number) }) : t(`watch.result.${value}`)];
    const results = [["", t("watch.any")], outcome("first wins", 0), outcome("second wins", 1), ["draw", t("watch.result.draw")]];
    return el("form.card.search-form", {
        role: "search",
        onsubmit: (event) => {
            event.preventDefault();
            onSearch(Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value)));
        },
    },
        el("div.fields", {},
            field(t("watch.player"), input("player")), field(t("watch.opponent"), input("opponent")),
            field(t("watch.game"), select("game", [["", t("watch.any")], ...gameNames.map((one) => [one, gameName(one)])], search.game ?? "")),
            field(t("watch.resultLabel"), select("result", results, search.result ?? "")),
            field(t("watch.opening"), input("opening", { placeholder: "C0, 中炮…" })),
            search.tournament ? el("input", { type: "hidden", name: "tournament", value: search.tournament }) : "",
            el("div.wide", {}, field(t("watch.position"), input("fen", { placeholder: "FEN", class: "mono" }), t("watch.positionHint")))),
        el("div.row.apart", {},
            el("label.check", {}, el("input", { type: "checkbox", name: "rated", value: "1", checked: search.rated === "1" }), t("watch.ratedOnly")),
            el("button.primary", { type: "submit", text: t("watch.search") })));
}

// A search within a tournament says so, and can be widened.
function tournamentOf(search) {
    if (!search.tournament) return "";
    const { tournament, ...wider } = search;
    return el("span.row", {}, el("a.button", { href: `/tournament/${tournament}`, text: t("watch.ofTournament", { number: tournament }) }),
        el("a", { href: `/archive?${new URLSearchParams(wider)}`, text: t("watch.everywhere") }));
}

function resultCell(game) {
    const words = reasonWords(game.reason);
    return el("td.result", {}, el("a", { href: gamePath(game.id, true), title: game.words || words },
        el("b", { text: outcomeScore(game.outcome) }), el("small", { text: words })));
}

function side(game, number) {
    const name = number ? game.second_name : game.first_name;
    const hasWon = game.outcome === (number ? "second wins" : "first wins");
    return el("td", { class: hasWon ? "winner" : "" }, sideMark(game.game, number), playerLink(name));
}

function gameRow(game) {
    return el("tr", { "data-game": game.id },
        el("td.when", {}, el("a", { href: gamePath(game.id, true), text: game.imported ? formatMoment(game.ended, { dateStyle: "medium" }) : when(game.ended) })),
        el("td.game", { text: gameName(game.game) }), side(game, 0), resultCell(game), side(game, 1),
        el("td.number", { text: String(Math.ceil(game.plies / 2)) }),
        el("td.terms", {}, game.imported ? "" : controlWords(game.tc), game.rated ? el("span.badge", { text: t("watch.rated") }) : ""));
}

function resultTable(body) {
    const head = ["watch.when", "watch.game", "watch.first", "watch.resultLabel", "watch.second", "watch.movesLabel", "watch.terms"];
    return el("div.scroll", { tabindex: 0, role: "region", "aria-label": t("watch.archive") }, el("table.found", {},
        el("thead", {}, el("tr", {}, ...head.map((key) => el("th", { scope: "col", class: key === "watch.movesLabel" ? "number" : "", text: t(key) })))), body));
}

function downloads(search) {
    const types = { pgn: "application/x-chess-pgn", json: "application/json" };
    const button = (format) => el("button", {
        type: "button", text: t("watch.download", { format: format.toUpperCase() }),
        onclick: async (event) => {
            event.target.disabled = true;
            try {
                saveFile(`kraton-games.${format}`, types[format], await allRecords(search, format));
            } catch (error) {
                toast(sayError(error), "error");
            }
            event.target.disabled = false;
        },
    });
    return el("span.row", {}, ...Object.keys(types).map(button));
}

export async function show(host, { query, signal }) {
    await styled(signal, "archive");
    const search = asked(query);
    const body = el("tbody");
    const found = el("div.found-games", { "aria-live": "polite" });
    const more = el("button", { type: "button", hidden: true, text: t("watch.older"), onclick: () => read() });
    host.append(el("section.page.watch-page", {}, el("header.page-head", {}, el("h1", { text: t("watch.archive") }), tournamentOf(search)),
        searchForm(search, (next) => navigate(`/archive?${new URLSearchParams(next)}`)), found, el("div.row.center", {}, more),
        el("p.row.center.more-links", {}, el("a", { href: "/audit", text: t("watch.audit") }))));
    let before;
    let isOpen = true;

    async function read() {
        more.disabled = true;
        try {
            let list;
            do { // an answer without games and with `before`: the search goes on
                list = await get("/games", { ...search, before, limit: PAGE });
                if (!isOpen) return;
                before = list.before;
            } while (before && !list.games.length);
            more.hidden = !before;
            body.append(...list.games.map(gameRow));
            if (!body.isConnected && body.childElementCount)
                clear(found).append(el("div.row.end", {}, downloads(search)), resultTable(body));
            else if (!body.childElementCount) clear(found).append(el("p.empty", { text: t("watch.noneFound") }));
        } catch (error) {
            if (isOpen) clear(found).append(el("p.error", { role: "alert", text: sayError(error) }));
        }
        more.disabled = false;
    }
    await read();
    return { title: t("watch.archive"), close: () => void (isOpen = false) };
}
