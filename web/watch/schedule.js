// The games of a tournament round by round, each linked to its board; a knockout also as a bracket.
import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { playerName } from "../lib/words.js";
import { gamePath, playerLink, points } from "./common.js";
import "./tournament_words.js";

function byRound(pairings) {
    const rounds = new Map();
    for (const one of pairings) {
        if (!rounds.has(one.round)) rounds.set(one.round, []);
        rounds.get(one.round).push(one);
    }
    return rounds;
}

function result(one) {
    const isOver = one.points !== undefined;
    const text = isOver ? `${points(one.points)}–${points(one.second_points ?? 1 - one.points)}` : t("watch.playing");
    if (!one.game) return el("span.game-result", { text: isOver ? `${text} ${t("watch.unplayed")}` : "" });
    return el("a.game-result", { href: gamePath(one.game, isOver), class: isOver ? "" : "is-live", text });
}

function gameLine(one) {
    return el("li", { "data-game": one.game ?? "" }, el("span.game-number", { text: one.number }),
        el("span.game-first", {}, playerLink(one.first)), result(one), el("span.game-second", {}, playerLink(one.second)));
}

const LONG = 20; // of more games than that the latest come first,
const MOST = 200; // and so many of them at most

// Rounds that are over are folded away, unless somebody has opened them.
export function scheduleList(tournament, opened) {
    const rounds = [...byRound(tournament.pairings)].reverse();
    return el("div.rounds", {}, ...rounds.map(([round, games], i) => {
        const done = games.filter((one) => one.points !== undefined).length;
        const isLong = games.length > LONG;
        const remember = (event) => opened.set(round, !event.currentTarget.parentElement.open);
        return el("details.round", { open: opened.get(round) ?? i === 0 },
            el("summary", { onclick: remember }, t("watch.round", { round }), " ", el("small", { text: `${done}/${games.length}` })),
            el("ol.games", { tabindex: isLong ? 0 : null }, ...(isLong ? [...games].reverse().slice(0, MOST) : games).map(gameLine)),
            games.length > MOST ? el("p", {}, el("a", { href: `/archive?tournament=${tournament.id}`, text: t("watch.allGames") })) : "");
    }));
}

// --- the bracket --------------------------------------------------------------------------------

function meetings(games) {
    const found = new Map();
    for (const one of games) {
        const names = [one.first, one.second].sort();
        const key = names.join(" ");
        if (!found.has(key)) found.set(key, { names: [one.first, one.second], half: {}, games: [], isOver: true });
        const meeting = found.get(key);
        meeting.games.push(one);
        if (one.points === undefined) meeting.isOver = false;
        else {
            meeting.half[one.first] = (meeting.half[one.first] ?? 0) + one.points;
            meeting.half[one.second] = (meeting.half[one.second] ?? 0) + (one.second_points ?? 1 - one.points);
        }
    }
    return [...found.values()];
}

function meetingBox(meeting, next) {
    const live = meeting.games.find((one) => one.points === undefined && one.game) ?? [...meeting.games].reverse().find((one) => one.game);
    const isOver = live?.points !== undefined;
    const side = (name) => el("span.bracket-side", { class: next.has(name) ? "goes-on" : "" },
        el("span", { text: playerName(name) }), el("b", { text: points(meeting.half[name] ?? 0) || "0" }));
    const box = live ? el("a.bracket-box", { href: gamePath(live.game, isOver), class: isOver ? "" : "is-live" }) : el("div.bracket-box");
    box.append(...meeting.names.map(side));
    return box;
}

// A player who goes on without a game.
function byeBox(name) {
    return el("div.bracket-box.bye", {}, el("span.bracket-side.goes-on", {}, el("span", { text: playerName(name) })),
        el("span.bracket-side", {}, el("span", { text: t("watch.bye") })));
}

// The meetings of each round in the order of those they lead to, so that lines can join them two by two. Whoever plays in
// a round without a meeting in the one before had a bye: {bye: name}. A cell without either only keeps the lines straight.
function arrange(rounds) {
    const cells = rounds.map(() => []);
    for (let i = rounds.length - 1; i >= 0; i--) {
        const left = new Set(rounds[i]);
        const cellOf = (name) => {
            const meeting = rounds[i].find((one) => left.has(one) && one.names.includes(name));
            left.delete(meeting);
            return meeting ? { meeting } : { bye: name };
        };
        for (const next of cells[i + 1] ?? []) {
            if (next.meeting) cells[i].push(...next.meeting.names.map(cellOf));
            else cells[i].push(next.bye ? cellOf(next.bye) : {}, {});
        }
        cells[i].push(...[...left].map((meeting) => ({ meeting })));
    }
    return cells;
}

// Rounds from left to right, then the champion; who goes on is known by playing in the next one, in the last by winning.
export function bracket(tournament) {
    const rounds = [...byRound(tournament.pairings)].map(([round, games]) => [round, meetings(games)]);
    const cells = arrange(rounds.map(([, list]) => list));
    const champion = tournament.state === "over" ? tournament.standings?.[0]?.player : undefined;
    const columns = rounds.map(([round], i) => {
        const following = rounds[i + 1]?.[1].flatMap((meeting) => meeting.names);
        const next = new Set(following ?? (champion ? [champion] : []));
        const leads = cells[i].length === 2 * (cells[i + 1]?.length ?? 0) ? "is-paired" : !cells[i + 1] && champion && cells[i].length === 1 ? "is-last" : "";
        const boxOf = ({ meeting, bye }) => (meeting ? meetingBox(meeting, next) : bye ? byeBox(bye) : "");
        return el("div.bracket-round", { class: leads }, el("h3", { text: t("watch.round", { round }) }),
            el("div.bracket-column", {}, ...cells[i].map((cell) => el("div.bracket-cell", { class: cell.meeting || cell.bye ? "" : "blank" }, boxOf(cell)))));
    });
    if (champion)
        columns.push(el("div.bracket-round.of-champion", {}, el("h3", { text: t("watch.champion") }),
            el("div.bracket-column", {}, el("div.bracket-cell", {}, el("a.bracket-box.champion", { href: `/player/${encodeURIComponent(champion)}`, text: playerName(champion) })))));
    return el("div.scroll", { tabindex: 0, role: "region", "aria-label": t("watch.bracket") }, el("div.bracket", {}, ...columns));
}
