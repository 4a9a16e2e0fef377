// Moves typed in any notation of the game. What cannot be played stays in the field, with the reason.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

export class TypedMove {
    // onMove(move): a legal one was typed.
    constructor(model, onMove) {
        this.model = model;
        this.onMove = onMove;
        this.says = el("p.says#typed-says", { role: "alert" });
        this.input = el("input#typed", {
            autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
            placeholder: t(`game.typeExample.${model.game}`), "aria-describedby": "typed-says",
            oninput: () => this.refuse(""),
        });
        this.node = el("form.typed", { onsubmit: (event) => this.submit(event) },
            el("label", { for: "typed", text: t("game.type") }),
            el("div.row.tight", this.input, el("button", { type: "submit", text: t("game.typeGo") })),
            this.says);
    }

    refuse(words) {
        this.says.textContent = words;
        if (words) this.input.setAttribute("aria-invalid", "true");
        else this.input.removeAttribute("aria-invalid");
    }

    submit(event) {
        event.preventDefault();
        const typed = this.input.value.trim();
        if (!typed) return;
        if (!this.model.isMyTurn) {
            this.refuse(t("game.notYourTurn"));
            return;
        }
        const move = this.model.rules.find(this.model.position, typed);
        if (!move) {
            this.refuse(t("game.noSuchMove", { typed }));
            return;
        }
        this.input.value = "";
        this.refuse("");
        this.onMove(move);
    }
}
