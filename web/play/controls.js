// What a player can do besides moving: resign, draw, takeback, rematch; the other's offers; what comes after.

import { el, clear, announce, ask, toast } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { say } from "../lib/socket.js";
import { playerName } from "../lib/words.js";
import { resultWords } from "./speak.js";
import { openSetup } from "./setup.js";
import "./peoplewords.js";

export class Controls {
    // onFlip: turn the board round.
    constructor(model, onFlip) {
        this.model = model;
        this.onFlip = onFlip;
        this.result = el("div.result", { role: "status" });
        this.offers = el("div.offers", { role: "status" });
        this.buttons = el("div.row.controls");
        this.node = el("div.stack", this.result, this.offers, this.buttons);
        this.refusals = new Map(); // kind of an offer -> words: the other side has said no
        this.draw();
    }

    say(verb) {
        if (!say(verb, { game: this.model.id, ref: `${verb}-${this.model.id}` })) toast(t("game.notNow"), "error");
    }

    async resign() {
        const sure = await ask(t("game.resignSure"), [
            { value: "", text: t("game.resignNo") },
            { value: "yes", text: t("game.resign"), kind: "primary" },
        ]);
        if (sure) this.say("resign");
    }

    async abort() {
        const sure = await ask(t("game.abortSure"), [
            { value: "", text: t("game.resignNo") },
            { value: "yes", text: t("game.abort"), kind: "primary" },
        ]);
        if (sure) this.say("abort");
    }

    button(key, onclick, more = {}, sign = null) {
        return el("button", { onclick, ...more }, sign && icon(sign), t(key));
    }

    offerCard(kind) {
        const by = this.model.offers[kind];
        if (by < 0) return this.refusals.has(kind) ? el("p.muted", { text: this.refusals.get(kind) }) : null;
        if (by === this.model.you) return el("p.muted", { text: t(`game.${kind}Waiting`) });
        return el("div.offer",
            el("p", { text: t(`game.${kind}Asked`, { name: playerName(this.model.names[by]) }) }),
            el("div.row",
                el("button.primary", { text: t("game.accept"), onclick: () => this.say(kind) }),
                el("button", { text: t("game.decline"), onclick: () => this.say("refuse") })));
    }

    offered(kind) {
        this.refusals.delete(kind);
        this.draw();
    }

    // by: the side that has said no.
    refused(kind, by) {
        const { model } = this;
        if (model.isMine && by !== model.you) {
            this.refusals.set(kind, t(`offer.refused.${kind}`, { name: playerName(model.names[by]) }));
            announce(this.refusals.get(kind));
        }
        this.draw();
    }

    // A move was played: who said no to what is no longer news.
    moved() {
        this.refusals.clear();
    }

    playing() {
        const { model } = this;
        const mayTakeBack = !model.rated && !model.tournament && model.moves.some((_, i) => model.positions[i].side === model.you);
        return [
            this.button("game.takeback", () => this.say("takeback"), { disabled: !mayTakeBack || model.offers.takeback === model.you }, "undo"),
            this.button("game.draw", () => this.say("draw"), { disabled: model.offers.draw === model.you }, "draw"),
            model.ply < 2 && !model.tournament
                ? this.button("game.abort", () => this.abort(), { class: "danger" }, "close")
                : this.button("game.resign", () => this.resign(), { class: "danger" }, "flag"),
        ];
    }

    after() {
        const { model } = this;
        return [
            model.isMine && !model.tournament && this.button("game.rematch", () => this.say("rematch"), { class: "primary", disabled: model.offers.rematch === model.you }),
            model.isMine && model.ply > 1
                ? el("a.button", { href: `/study/game/${model.id}?coach=1`, text: t("game.coach") })
                : el("a.button", { href: `/study/game/${model.id}`, text: t("game.analyse") }),
            model.isMine && this.button("game.new", () => openSetup(model.game)),
            model.tournament > 0 && el("a.button", { href: `/tournament/${model.tournament}`, text: t("game.tournament") }),
        ];
    }

    draw() {
        const { model } = this;
        const focused = document.activeElement?.textContent;
        clear(this.result);
        if (model.isOver) {
            const mine = model.isMine && /wins/.test(model.result.outcome) ? ((model.result.outcome === "first wins") === (model.you === 0) ? "won" : "lost") : "";
            this.result.append(el("p.outcome", { class: mine, text: resultWords(model.game, model.result) }));
            if (model.result.words && language() === "en") this.result.append(el("p", el("small", { text: model.result.words })));
        }
        const kinds = !model.isMine ? [] : model.isOver ? ["rematch"] : ["draw", "takeback"];
        clear(this.offers).append(...kinds.map((kind) => this.offerCard(kind)).filter(Boolean));
        clear(this.buttons).append(
            ...(model.isOver ? this.after() : model.isMine ? this.playing() : []).filter(Boolean),
            this.button("game.flip", this.onFlip, {}, "flip"));
        for (const button of this.buttons.children) if (button.textContent === focused) button.focus();
    }
}
