// Challenges and games that begin while one is elsewhere: a card in the corner.

import { el, announce, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { say, on } from "../lib/socket.js";
import { gameName, sideName, controlWords } from "../lib/words.js";
import "./words.js";
import "./gamewords.js";
import "./peoplewords.js";

const cards = new Map(); // number of the offer -> card
const asked = new Map(); // number of an offer of one's own -> who was asked, and the terms

function put(words, buttons) {
    const card = el("aside.card.invite", el("p", { text: words }), el("div.row.end", buttons));
    document.getElementById("invites").append(card);
    announce(words);
    return card;
}

function remove(id) {
    cards.get(id)?.remove();
    cards.delete(id);
}

on("gone", ({ id, reason }) => {
    if (reason === "declined" && asked.has(id)) sayDeclined(asked.get(id).name);
    asked.delete(id);
    remove(id);
});
// After coming back the server tells of all offers that still stand.
on("welcome", () => [...cards.keys()].forEach(remove));
on("seeking", ({ id }) => {
    const kept = asked.get(id);
    if (kept) showAsked(id, kept.name, kept.terms);
});

const ratedWords = (rated) => t(rated ? "game.rated" : "game.unrated");

export function sayDeclined(name) {
    toast(t("asked.declined", { name }));
}

// A challenge of one's own, until it is answered or cancelled.
export function showAsked(id, name, terms) {
    const { game, tc, rated } = terms;
    remove(id);
    asked.set(id, { name, terms });
    const cancel = () => {
        asked.delete(id);
        say("unseek", { id });
        remove(id);
    };
    cards.set(id, put(t("asked.words", { name, game: gameName(game), clock: controlWords(tc), rated: ratedWords(rated) }), [
        el("button", { text: t("asked.cancel"), onclick: cancel }),
    ]));
}

export function showInvite({ id, from, game, tc, rated, side }) {
    remove(id);
    const answer = (verb) => () => {
        say(verb, { id });
        remove(id);
    };
    const own = side === "any" ? t("setup.any") : sideName(game, side === "first" ? 1 : 0);
    cards.set(id, put(t("invite.terms", { name: from, game: gameName(game), clock: controlWords(tc), rated: ratedWords(rated), side: own }), [
        el("button", { text: t("invite.decline"), onclick: answer("decline") }),
        el("button.primary", { text: t("invite.accept"), onclick: answer("accept") }),
    ]));
}

export function showBegun(seat) {
    const card = put(t("begun.words"), [el("a.button.primary", { href: `/game/${seat.id}`, text: t("begun.go"), onclick: () => card.remove() })]);
}
