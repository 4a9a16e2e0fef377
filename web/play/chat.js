// Words between the two players of a game: off until both want them, said to nobody else, not kept. Set phrases are shown
// in the reader's own language.

import { el, clear, announce, toast } from "../lib/dom.js";
import { t, wordsOf } from "../lib/i18n.js";
import { say } from "../lib/socket.js";
import { play } from "../lib/sound.js";
import { playerName } from "../lib/words.js";
import { isHouse, muteButton, reportButton } from "./people.js";

const PHRASES = ["luck", "hello", "moment", "nice", "thanks", "sorry", "played"];
const MOST_LINES = 100; // the oldest go

// A set phrase of any language in the reader's own; other words as they are.
function translate(words) {
    const key = PHRASES.find((each) => wordsOf(`phrase.${each}`).includes(words));
    return key ? t(`phrase.${key}`) : words;
}

export class Chat {
    // Nothing to see for spectators and against the computer.
    constructor(model) {
        this.model = model;
        this.on = [false, false];
        this.log = el("div.chat-log", { role: "log", tabindex: 0, "aria-label": t("chat.title") });
        const words = t("chat.words");
        this.input = el("input", { name: "words", maxlength: 120, autocomplete: "off", enterkeyhint: "send", "aria-label": words, placeholder: words });
        this.body = el("div.stack.chat-body");
        this.node = el("section.card.stack.chat", { "aria-label": t("chat.title"), hidden: !this.isPossible }, this.body);
        if (this.isPossible) this.people = el("div.row", muteButton(this.otherName), reportButton(this.otherName, model.id));
        this.draw();
    }

    get isPossible() { return this.model.isMine && !isHouse(this.otherName) && this.model.names[0] !== this.model.names[1]; }
    get otherName() { return this.model.names[this.model.you ^ 1]; }
    get isOn() { return this.on[0] && this.on[1]; }

    say(fields) {
        if (!say("chat", { game: this.model.id, ref: `chat-${this.model.id}`, ...fields })) toast(t("game.notNow"), "error");
    }

    // The whole game is told again: what was on is said after it.
    reset() {
        this.on = [false, false];
        this.node.hidden = !this.isPossible;
        this.draw();
    }

    // m: `chat` of the server.
    switched(m) {
        const side = m.by === "first" ? 0 : 1;
        const isNews = side !== this.model.you && m.on && !this.on[side] && !this.on[this.model.you];
        this.on[side] = m.on;
        this.draw();
        if (isNews) announce(t("chat.asked", { name: playerName(this.otherName) }));
    }

    // m: `said` of the server.
    heard(m) {
        const isMine = (m.by === "first" ? 0 : 1) === this.model.you;
        const words = translate(m.words);
        const who = isMine ? t("chat.you") : playerName(this.otherName);
        this.log.append(el("p", { class: isMine ? "mine" : "" }, el("b", { text: who }), " ", el("span", { text: words })));
        while (this.log.childElementCount > MOST_LINES) this.log.firstElementChild.remove();
        this.log.scrollTop = this.log.scrollHeight;
        if (!isMine) play("say");
    }

    phrases() {
        const words = PHRASES.map((each) => t(`phrase.${each}`));
        return el("div.phrases", words.map((text) => el("button.phrase", { type: "button", text, onclick: () => this.say({ words: text }) })));
    }

    form() {
        const send = (event) => {
            event.preventDefault();
            const words = this.input.value.trim();
            if (!words) return;
            this.say({ words });
            this.input.value = "";
        };
        return el("form.row.tight", { onsubmit: send }, this.input, el("button", { type: "submit", text: t("chat.send") }));
    }

    draw() {
        if (!this.isPossible) return;
        const { you } = this.model;
        const name = playerName(this.otherName);
        const wants = this.on[you];
        const words = this.isOn ? "" : this.on[you ^ 1] ? t("chat.asked", { name }) : wants ? t("chat.waiting", { name }) : "";
        const isAsked = this.on[you ^ 1] && !wants;
        const turn = el("button", {
            type: "button", class: isAsked ? "primary" : "", text: t(wants ? "chat.off" : isAsked ? "chat.accept" : "chat.on"),
            onclick: () => this.say({ on: !wants }),
        });
        const parts = this.isOn ? [this.log, this.phrases(), this.form()] : [words && el("p.muted", { text: words })];
        clear(this.body).append(...parts.filter(Boolean), el("div.row", turn, this.people));
        this.log.scrollTop = this.log.scrollHeight;
    }
}
