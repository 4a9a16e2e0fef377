// The bar above and below the board: who plays, rating, what was captured, the clock.

import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { formatClock } from "../lib/clock.js";
import { sideMark } from "../lib/icons.js";
import { play } from "../lib/sound.js";
import { sideName, playerName } from "../lib/words.js";
import { pieceIcon } from "../board/pieces.js";
import { prefs } from "../lib/store.js";
import { rowOf } from "../games/index.js";

const LOW_US = 10_000_000;

export function nameNode(name) {
    return el("a.name", { href: `/player/${name}`, text: playerName(name) });
}

export class PlayerBar {
    constructor(model, side) {
        this.model = model;
        this.side = side;
        this.name = nameNode(model.names[side]);
        this.rating = el("span.rating");
        this.score = el("span.badge.score", { hidden: true });
        this.captured = el("span.captured");
        this.time = el("span.time", { role: "timer", "aria-label": t("game.clockOf", { side: sideName(model.game, side) }) });
        this.node = el("div.player", { "data-side": side },
            sideMark(model.game, side),
            el("span.who", this.name, this.rating, this.score, el("span.unseen", { text: sideName(model.game, side) })),
            this.captured, this.time);
        this.warned = false;
        this.loadRating();
        this.drawCaptured(model.ply);
        this.tick();
    }

    drawName() {
        const name = nameNode(this.model.names[this.side]);
        this.name.replaceWith(name);
        this.name = name;
    }

    async loadRating() {
        if (/^guest-/.test(this.model.names[this.side])) return;
        try {
            const { ratings } = await get(`/players/${this.model.names[this.side]}`);
            const own = ratings.find(({ game }) => game === this.model.game);
            if (own) this.rating.textContent = Math.round(own.rating) + (own.deviation > 110 ? "?" : "");
        } catch {
            // A name without a rating will do.
        }
    }

    // What this side has taken from the other.
    drawCaptured(ply) {
        const taken = this.model.captured(ply)[this.side ^ 1];
        const lead = this.model.lead(this.side, ply);
        clear(this.captured);
        if (!taken.length && !lead) {
            this.captured.removeAttribute("role");
            this.captured.removeAttribute("aria-label");
            return;
        }
        this.captured.setAttribute("role", "img");
        this.captured.setAttribute("aria-label", t("game.captured", { count: taken.length }) + (lead ? t("game.lead", { lead }) : ""));
        const draw = (piece) => pieceIcon(this.model.game, piece, { set: prefs.get("pieces"), size: 20 });
        if (!taken.length) this.captured.append(el("span"));
        else if (rowOf(this.model.game).oneKind) this.captured.append(draw(taken[0]), el("span.times", { text: `× ${taken.length}` }));
        else this.captured.append(...taken.sort((a, b) => a - b).map(draw));
        if (lead) this.captured.append(el("span.lead", { text: `+${lead}` }));
    }

    // How it ended for this side: on a phone the words below the board are out of sight.
    drawScore() {
        const score = { draw: "draw", "first wins": ["won", "lost"][this.side], "second wins": ["lost", "won"][this.side] }[this.model.result?.outcome];
        this.score.hidden = !score;
        if (score) this.score.textContent = t(`game.score.${score}`);
        this.score.dataset.score = score ?? "";
    }

    tick() {
        this.drawScore();
        const { clock, you, isOver } = this.model;
        const left = clock.now(this.side);
        const text = formatClock(left);
        if (this.time.textContent !== text) this.time.textContent = text;
        this.time.hidden = left < 0 && isOver; // a side that never moved, a game without clocks
        const runs = clock.running === this.side;
        this.node.classList.toggle("runs", runs && !isOver);
        const low = left >= 0 && left < LOW_US && !isOver;
        this.time.classList.toggle("low", low);
        if (low && runs && !this.warned && this.side === you) {
            this.warned = true;
            play("low");
        }
        if (left > 2 * LOW_US) this.warned = false;
    }
}
