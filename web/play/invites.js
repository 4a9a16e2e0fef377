// Challenges and games that begin while one is elsewhere: a card in the corner.

import { el, announce } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { say, on } from "../lib/socket.js";
import { gameName, controlWords } from "../lib/words.js";
import "./words.js";

const cards = new Map(); // number of the offer -> card

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

on("gone", ({ id }) => remove(id));

export function showInvite({ id, from, game, tc }) {
    remove(id);
    const answer = (verb) => () => {
        say(verb, { id });
        remove(id);
    };
    cards.set(id, put(t("invite.words", { name: from, game: gameName(game), clock: controlWords(tc) }), [
        el("button", { text: t("invite.decline"), onclick: answer("decline") }),
        el("button.primary", { text: t("invite.accept"), onclick: answer("accept") }),
    ]));
}

export function showBegun(seat) {
    const card = put(t("begun.words"), [el("a.button.primary", { href: `/game/${seat.id}`, text: t("begun.go"), onclick: () => card.remove() })]);
}
