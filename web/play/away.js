// The opponent has no connection: says so, counts down, then offers the win or a draw.

import { el, announce } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { say } from "../lib/socket.js";
import { playerName } from "../lib/words.js";
import "./gamewords.js";

export class AwayNotice {
    constructor(model) {
        this.model = model;
        this.words = el("span", { role: "status" });
        const claim = (result) => () => say("claim", { game: model.id, result, ref: `claim-${model.id}` });
        this.buttons = [
            el("button.primary", { type: "button", text: t("game.claimWin"), onclick: claim("win") }),
            el("button", { type: "button", text: t("game.claimDraw"), onclick: claim("draw") }),
        ];
        this.node = el("div.away-notice", { hidden: true }, this.words, ...this.buttons);
        this.until = null;
    }

    // m: `away` of the server; `after` is missing where nothing can be claimed.
    show(m) {
        if (!this.model.isMine || m.side === ["first", "second"][this.model.you]) return;
        this.until = m.after === undefined ? Infinity : performance.now() + m.after / 1000;
        this.node.hidden = false;
        announce(t("game.away", { name: playerName(this.model.names[this.model.you ^ 1]) }));
        this.tick();
    }

    hide() {
        this.node.hidden = true;
        this.until = null;
    }

    tick() {
        if (this.until === null) return;
        const left = Math.max(0, Math.ceil((this.until - performance.now()) / 1000));
        const name = playerName(this.model.names[this.model.you ^ 1]);
        const words = left > 0 && Number.isFinite(left) ? t("game.awayFor", { name, left }) : t("game.away", { name });
        if (this.words.textContent !== words) this.words.textContent = words;
        for (const button of this.buttons) button.hidden = left > 0;
    }
}
