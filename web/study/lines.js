// Our engine's opinion of the position one stands on: up to five lines streaming in by the verb `analyse`, from this
// browser or the server (engine/analyst.js), the bar beside the board, an arrow for the best move. What it said of a position is kept with the node and shown again at once.

import { el, clear } from "../lib/dom.js";
import { t, hasWord } from "../lib/i18n.js";
import { say, on, onState, connectionState } from "../engine/analyst.js";
import { prefs } from "../lib/store.js";
import { Preview } from "./preview.js";
import { chance, fromFirst, scoreText, shortNumber } from "./score.js";

const SECONDS = 10; // what the server allows a position
const SETTLE_MS = 180; // walking through a game asks nothing before one stops
const QUOTA_MS = 1500; // until it is tried again where too much was asked
const SHOWN_MOVES = 14; // of a line
const STILL_MS = 2500; // the lines do not change under a pointer that has just moved

export class EngineLines {
    constructor(host, barHost, desk, { key, isOn, onBest }) {
        this.desk = desk;
        this.onBest = onBest;
        this.key = key;
        this.isOn = prefs.get(key) ?? isOn;
        this.count = prefs.get("study.lines") ?? 3;
        this.asked = null; // the node the question is about
        this.id = 0; // of the analysis running
        this.unanswered = 0; // questions the server has not taken up yet: only the last one counts
        this.timer = 0;
        this.frame = 0;
        this.stillUntil = 0;
        this.stillFor = null;
        this.#build(host, barHost);
        this.stops = [
            on("analysing", (m) => this.#begin(m)),
            on("line", (m) => this.#line(m)),
            on("analysed", (m) => this.#end(m)),
            on("error", (m) => this.#refused(m)),
            on("bye", () => this.#lost()),
            onState(() => this.#lost()),
            desk.on("node", () => this.look()),
        ];
        this.look();
    }

    destroy() {
        clearTimeout(this.timer);
        cancelAnimationFrame(this.frame);
        this.stops.forEach((stop) => stop());
        this.preview.destroy();
        if (this.asked) say("stop");
    }

    // --- the panel ---------------------------------------------------------------------------------

    #build(host, barHost) {
        this.toggle = el("button.toggle", { role: "switch", "aria-checked": String(this.isOn), onclick: () => this.turn(!this.isOn) },
            el("span.knob"), el("span", { text: t("study.engine") }));
        this.big = el("output.big", { "aria-live": "off" });
        this.state = el("span.muted.state");
        const choose = el("select", { "aria-label": t("study.lineCount"), value: String(this.count) },
            [1, 2, 3, 4, 5].map((n) => el("option", { value: n, text: t(n === 1 ? "study.line" : "study.lines", { n }) })));
        choose.addEventListener("change", () => this.#setCount(Number(choose.value)));
        this.deeper = el("button.quiet.deeper", { text: t("study.deeper"), hidden: true, onclick: () => this.#ask() });
        this.list = el("ol.lines");
        this.list.addEventListener("click", (event) => this.#pick(event));
        this.list.addEventListener("pointermove", (event) => this.#point(event));
        this.list.addEventListener("pointerleave", () => this.#leave());
        host.append(el("div.engine-head", this.toggle, this.big, this.state, this.deeper, choose), this.list);
        this.preview = new Preview(host, this.desk.rules.name);
        this.fill = el("span.fill");
        this.label = el("span.label");
        this.bar = el("div.evalbar", { role: "img" }, this.fill, this.label);
        barHost.append(this.bar);
    }

    turn(isOn) {
        this.isOn = isOn;
        prefs.set(this.key, isOn);
        this.toggle.setAttribute("aria-checked", String(isOn));
        if (!isOn) this.#stop();
        this.look();
    }

    #setCount(count) {
        this.count = count;
        prefs.set("study.lines", count);
        this.#stop();
        this.look();
    }

    #leave() {
        this.stillUntil = 0;
        this.preview.hide();
        this.draw();
    }

    // A mouse over a line's move shows what it would lead to; meanwhile the lines hold still, to be clicked on.
    #point(event) {
        this.stillUntil = performance.now() + STILL_MS;
        this.stillFor = this.desk.node;
        const button = event.target.closest("button[data-at]");
        if (!button || event.pointerType !== "mouse") {
            this.preview.hide();
            return;
        }
        const { rules } = this.desk;
        let { position } = this.desk;
        let move = null;
        for (const text of this.drawn[Number(button.dataset.line)].slice(0, Number(button.dataset.at) + 1)) {
            move = rules.find(position, text);
            position = rules.play(position, move);
        }
        this.preview.show(position, move, this.orientation);
    }

    // The bar fills from the side of the board the first player sits at.
    setBottom(side, orientation) {
        this.orientation = orientation;
        this.bar.classList.toggle("turned", side === 1);
    }

    #pick(event) {
        const button = event.target.closest("button[data-at]");
        if (!button) return;
        this.desk.playTexts(this.drawn[Number(button.dataset.line)].slice(0, Number(button.dataset.at) + 1));
    }

    // --- asking ------------------------------------------------------------------------------------

    #known() {
        return this.desk.node.analysis ?? null;
    }

    // One stands elsewhere: shows what is known, and asks when one has come to rest.
    look() {
        clearTimeout(this.timer);
        this.problem = "";
        if (this.asked && this.asked !== this.desk.node) this.#stop();
        this.draw();
        const known = this.#known();
        const over = this.desk.node.outcome && this.desk.node.outcome.outcome !== "ongoing";
        const enough = known && known.done && known.count >= this.count;
        if (this.isOn && !this.asked && !enough && !over) this.timer = setTimeout(() => this.#ask(), SETTLE_MS);
    }

    #ask() {
        const { tree, node, rules, ruleSet } = this.desk;
        if (!this.isOn || connectionState(rules.name) !== "online" || !rules.moves(this.desk.position).length) return;
        const { fen, moves } = tree.since(node);
        this.asked = node;
        this.id = 0;
        this.problem = "";
        const question = { game: rules.name, fen, moves: moves.join(" "), ms: SECONDS * 1000, lines: this.count, ref: "study" };
        if (ruleSet) question.rules = ruleSet;
        if (say("analyse", question)) this.unanswered++;
        else this.asked = null; // the line is being taken up again, and then it is asked
        this.draw();
    }

    // A connection that comes or goes has forgotten the question.
    #lost() {
        this.asked = null;
        this.id = this.unanswered = 0;
        this.look();
    }

    #stop() {
        if (this.asked) say("stop");
        this.asked = null;
        this.id = 0;
    }

    // --- hearing -----------------------------------------------------------------------------------

    #begin(message) {
        if (this.unanswered) this.unanswered--;
        if (!this.asked || this.unanswered) return;
        this.id = message.id;
        this.fresh = { lines: [], count: this.count, done: false, depth: 0, nodes: 0, ms: 0 };
    }

    #line(message) {
        if (!this.asked || message.id !== this.id) return;
        const side = this.desk.tree.position(this.asked).side;
        const { fresh } = this;
        fresh.lines[message.n - 1] = { depth: message.depth, seen: fromFirst(message, side), pv: message.pv };
        if (message.n === 1) Object.assign(fresh, { depth: message.depth, nodes: message.nodes ?? 0, ms: message.ms ?? 0 });
        const old = this.asked.analysis;
        // What was found out before stays until this search has come as far.
        if (!old || old === fresh || fresh.depth >= old.depth || old.count !== fresh.count) this.asked.analysis = fresh;
        this.#drawSoon();
    }

    #end(message) {
        if (!this.asked || message.id !== this.id) return;
        const node = this.asked;
        this.asked = null;
        this.id = 0;
        if (node.analysis) node.analysis.done = true;
        if (message.words) this.problem = message.words;
        this.draw();
    }

    #refused(message) {
        if (message.ref !== "study") return;
        if (this.unanswered) this.unanswered--;
        if (!this.asked || this.unanswered) return;
        this.asked = null;
        if (message.code === "quota") {
            this.timer = setTimeout(() => this.#ask(), QUOTA_MS);
            return;
        }
        const key = `study.refused.${message.code}`;
        this.problem = hasWord(key) ? t(key) : message.words;
        this.draw();
    }

    // --- drawing -----------------------------------------------------------------------------------

    #drawSoon() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.draw();
        });
    }

    draw() {
        const known = this.isOn ? this.#known() : null;
        const lines = known ? known.lines.filter(Boolean).slice(0, this.count) : [];
        this.#drawState(known);
        this.#drawBar(lines[0]?.seen ?? this.desk.node.seen ?? null);
        this.onBest(lines[0]?.pv[0] ?? null);
        if (this.stillFor === this.desk.node && performance.now() < this.stillUntil && lines.length) return;
        const rows = lines.map((line, at) => this.#row(line, at));
        while (this.isOn && rows.length < this.count) rows.push(el("li.line.blank", { "aria-hidden": "true" }));
        this.drawn = lines.map((line) => line.pv);
        this.preview.hide();
        clear(this.list).append(...rows);
    }

    #drawState(known) {
        const top = known?.lines.find(Boolean);
        this.big.textContent = top ? scoreText(top.seen) : "";
        let words = "";
        if (this.problem) words = this.problem;
        else if (!this.isOn) words = "";
        else if (connectionState(this.desk.rules.name) !== "online") words = t("study.noConnection");
        else if (known) words = t("study.depth", { depth: known.depth, nodes: shortNumber(known.nodes) });
        else if (this.asked) words = t("study.thinking");
        this.state.textContent = words;
        this.state.classList.toggle("bad", Boolean(this.problem));
        this.list.classList.toggle("busy", Boolean(this.asked));
        this.deeper.hidden = !(this.isOn && known?.done && !this.asked);
    }

    #drawBar(seen) {
        const share = seen ? chance(seen) : 0.5;
        this.bar.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
        this.bar.classList.toggle("unknown", !seen);
        this.bar.classList.toggle("ahead", share >= 0.5);
        this.label.textContent = seen ? scoreText(seen).replace(/^[+−]/, "") : "";
        this.bar.setAttribute("aria-label", seen ? t("study.barSays", { score: scoreText(seen) }) : t("study.barSilent"));
    }

    #row(line, at) {
        const { rules, tree, node, notation } = this.desk;
        let position = tree.position(node);
        const moves = el("span.pv");
        line.pv.slice(0, SHOWN_MOVES).every((text, i) => {
            const move = rules.find(position, text);
            if (!move) return false;
            if (position.side === 0 || i === 0) moves.append(el("span.number", { text: `${position.fullmove}${position.side ? "…" : "."}` }));
            moves.append(el("button", { text: notation === "native" ? text : rules.spell(position, move, notation), "data-line": at, "data-at": i }));
            position = rules.play(position, move);
            return true;
        });
        const kind = chance(line.seen) >= 0.5 ? "first" : "second";
        return el("li.line", el(`span.score.${kind}`, { text: scoreText(line.seen) }), moves);
    }
}
