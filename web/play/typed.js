// Moves typed in any notation of the game. What cannot be played stays in the field, with the reason.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { whyWords } from "../board/why.js";
import { sideOf } from "../rules/position.js";

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

    // Two points whose move breaks a rule: which one it is.
    async explain(typed) {
        const { rules, position } = this.model;
        const [, from, to] = /^([a-z]\d)[-x ]?([a-z]\d)$/i.exec(typed) ?? [];
        const points = [from, to].map((name) => (name ? rules.pointOf(name) : -1));
        if (points.some((point) => point < 0) || !position.board[points[0]] || sideOf(position.board[points[0]]) !== position.side) return;
        const words = await whyWords(rules.name, position, ...points);
        if (this.input.value.trim() === typed) this.refuse(words);
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
            this.explain(typed);
            return;
        }
        this.input.value = "";
        this.refuse("");
        this.onMove(move);
    }
}
