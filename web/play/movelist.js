// The moves of a game, two a row, in the notation chosen; each leads back to its position.

import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { pageNotation } from "./boardprefs.js";

export class MoveList {
    // onGo(ply): somebody wants to see the position behind that many plies.
    constructor(model, onGo) {
        this.model = model;
        this.onGo = onGo;
        this.buttons = [];
        this.list = el("ol.moves", { "aria-label": t("game.moves"), tabindex: 0 });
        this.step = {};
        const go = (name, ply) => (this.step[name] = el("button.icon", { "aria-label": t(`game.${name}`), title: t(`game.${name}`), onclick: () => onGo(ply()) }, icon(name)));
        this.node = el("div.record",
            this.list,
            el("div.steps",
                go("first", () => 0),
                go("back", () => this.at - 1),
                go("next", () => this.at + 1),
                go("last", () => this.model.ply)));
        this.redraw();
    }

    text(ply) {
        const { rules, positions, moves } = this.model;
        const notation = pageNotation(rules.name);
        return notation === "native" ? moves[ply - 1].text : rules.spell(positions[ply - 1], moves[ply - 1], notation);
    }

    // Number of the row a ply stands in; where the second side began, its first row has one move.
    get shift() { return this.model.positions[0].side; }

    addRow() {
        const number = this.list.childElementCount + 1;
        this.row = el("li", el("span.number", { text: `${number}.`, "aria-hidden": "true" }));
        if (number === 1 && this.shift) this.row.append(el("span", { text: "…" }));
        this.list.append(this.row);
    }

    addMove(ply) {
        if ((ply - 1 + this.shift) % 2 === 0 || !this.row) this.addRow();
        const button = el("button.move", { text: this.text(ply), tabindex: -1, onclick: () => this.onGo(ply), "data-ply": ply });
        this.buttons[ply] = button;
        this.row.append(button);
    }

    redraw() {
        clear(this.list);
        this.row = null;
        this.buttons = [];
        for (let ply = 1; ply <= this.model.ply; ply++) this.addMove(ply);
        this.show(this.model.ply);
    }

    // One more, or fewer after a takeback.
    follow() {
        if (this.buttons.length - 1 > this.model.ply) this.redraw();
        for (let ply = Math.max(1, this.buttons.length); ply <= this.model.ply; ply++) this.addMove(ply);
    }

    show(ply) {
        this.at = ply;
        this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
        const button = this.buttons[ply];
        if (button) {
            button.setAttribute("aria-current", "true");
            const top = button.parentElement.offsetTop - this.list.offsetTop;
            if (top < this.list.scrollTop || top > this.list.scrollTop + this.list.clientHeight - 40) this.list.scrollTop = top - this.list.clientHeight / 2;
            this.list.scrollLeft = button.offsetLeft - this.list.offsetLeft - this.list.clientWidth / 2; // on a phone it is one line
        } else {
            this.list.scrollTop = this.list.scrollLeft = 0;
        }
        this.step.first.disabled = this.step.back.disabled = ply === 0;
        this.step.next.disabled = this.step.last.disabled = ply === this.model.ply;
    }
}
