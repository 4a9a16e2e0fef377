// The coach of a finished game: how well each side played, and its mistakes one by one. A mistake is what the server marks
// as one (docs/engines.md). The line that punishes it says why; "try again" asks for a better move and judges it.

import { el, clear, announce } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { me } from "../lib/socket.js";
import { listWords, playerName, sideName } from "../lib/words.js";
import { rowOf } from "../games/index.js";
import { sideOf, typeOf } from "../rules/position.js";
import { askEngine } from "./opinion.js";
import { chance, markOf } from "./score.js";
import "./coachwords.js";

const LINE_MS = 700; // for the line that punishes a mistake,
const TRY_MS = 900; // and for a move that is tried
const LINE_MOVES = 6; // of the line that are shown and counted
const ACCURATE = 0.97; // a try that loses less chance than this leaves is as good as the best

const percent = (share) => `${Math.round(100 * share)} %`;

// A side's chance to win at a node that the review has seen.
const chanceOf = (node, side) => (side ? 1 - chance(node.seen) : chance(node.seen));

// How well a side played, 0 to 100: the mean over its moves of a figure that is 100 where no chance to win was lost and
// falls quickly where some was. null where too few moves were looked at.
export function accuracy(line, tree, side) {
    const figures = line.slice(1)
        .filter((node) => node.seen && node.parent.seen && tree.mover(node).side === side)
        .map((node) => Math.max(0, 100 * (chanceOf(node.parent, side) - chanceOf(node, side))))
        .map((lost) => Math.max(0, Math.min(100, 103.17 * Math.exp(-0.04354 * lost) - 3.17)));
    return figures.length ? figures.reduce((sum, each) => sum + each, 0) / figures.length : null;
}

// What the line costs a side: the pieces it loses and wins, in words. "" where they are worth the same.
function costWords(rules, start, texts, side) {
    const { worth, oneKind } = rowOf(rules.name);
    const taken = [[], []]; // from the side, from the other
    let position = start;
    for (const text of texts) {
        const move = rules.find(position, text);
        if (!move) break;
        const piece = position.board[move.to];
        if (piece) taken[sideOf(piece) === side ? 0 : 1].push(piece);
        position = rules.play(position, move);
    }
    const sum = (pieces) => pieces.reduce((all, piece) => all + worth[typeOf(piece)], 0);
    if (sum(taken[0]) - sum(taken[1]) < 1) return "";
    const named = (pieces) => {
        if (oneKind) return t("coach.pieces", { n: pieces.length });
        const counts = new Map();
        for (const piece of pieces) {
            const name = rules.pieceName(piece, language());
            counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        return listWords([...counts].map(([name, n]) => (n > 1 ? t("coach.several", { name, n }) : t("coach.one", { name }))));
    };
    return taken[1].length ? t("coach.loses.for", { lost: named(taken[0]), won: named(taken[1]) }) : t("coach.loses", { lost: named(taken[0]) });
}

export class Coach {
    // bench, review: of the replay; game: what the server says of it.
    constructor(host, desk, bench, review, game) {
        this.desk = desk;
        this.bench = bench;
        this.review = review;
        this.game = game;
        this.isGone = false;
        this.side = [game.first_name, game.second_name].indexOf(me()?.name);
        if (this.side < 0) this.side = game.outcome === "first wins" ? 1 : 0; // whoever lost has more to learn
        this.at = -1; // which mistake
        this.trying = null; // the node whose move is to be bettered
        this.node = el("section.coach", { "aria-label": t("coach.title"), hidden: true });
        this.says = el("p.coach-says", { role: "status" });
        host.append(this.node);
        this.stop = desk.on("node", (from) => this.#moved(from));
    }

    destroy() {
        this.stop();
        this.isGone = true;
    }

    get mistakes() {
        const { tree } = this.desk;
        return this.review.line.filter((node) => node.mark && node.parent && tree.mover(node).side === this.side);
    }

    get current() { return this.mistakes[this.at]; }

    // --- what is seen ------------------------------------------------------------------------------

    draw() {
        const { review } = this;
        this.node.hidden = !review.hasScores || review.state !== "done";
        if (this.node.hidden) return;
        const count = this.mistakes.length;
        clear(this.node).append(
            el("div.row.apart",
                el("h2", { text: t("coach.title") }),
                el("div.choices", { role: "group", "aria-label": t("coach.whose") }, [0, 1].map((side) => this.#sideButton(side)))),
            count === 0 ? el("p", { text: t("coach.none") }) : this.at < 0 ? this.#opening(count) : this.#mistake(count));
    }

    #sideButton(side) {
        const name = playerName(side ? this.game.second_name : this.game.first_name);
        return el("button.choice", { "aria-pressed": String(side === this.side), onclick: () => this.#choose(side) },
            el("span", { text: `${sideName(this.game.game, side)}: ${name}` }));
    }

    #choose(side) {
        Object.assign(this, { side, at: -1, trying: null });
        this.draw();
    }

    #opening(count) {
        return el("div.stack", el("p", { text: t("coach.count", { n: count }) }),
            el("div.row", el("button.primary", { text: t("coach.begin"), onclick: () => this.#show(0) })));
    }

    #mistake(count) {
        const { current: node, desk } = this;
        const { number } = desk.tree.mover(node);
        const move = `${number}${this.side ? "…" : "."} ${desk.spell(node)}${node.mark}`;
        const fell = t("coach.fell", { before: percent(chanceOf(node.parent, this.side)), after: percent(chanceOf(node, this.side)) });
        return el("div.stack",
            el("p", el("small.muted", { text: t("coach.which", { n: this.at + 1, count }) }), " ", el("strong", { text: move }), " ", fell),
            this.trying ? "" : el("p.coach-why", { text: node.why ?? "" }),
            this.says,
            el("div.row",
                el("button.primary", { text: t(this.trying ? "coach.again" : "coach.try"), onclick: () => this.#try() }),
                node.parent.best && el("button", { text: t("coach.better"), onclick: () => this.#better() }),
                el("button", { text: t("coach.punish"), onclick: () => this.#punish() }),
                count > 1 && el("button", { text: t("coach.next"), onclick: () => this.#show((this.at + 1) % count) })));
    }

    #say(words, mood = "") {
        this.says.textContent = words;
        this.says.dataset.mood = mood;
        if (words) announce(words);
    }

    // --- a mistake ---------------------------------------------------------------------------------

    async #show(at) {
        this.at = at;
        this.trying = null;
        this.#say("");
        const node = this.current;
        this.desk.go(node);
        this.draw();
        if (node.why) return;
        node.why = await this.#whyOf(node);
        if (!this.isGone && this.current === node) this.draw();
    }

    // The engine's answer to a mistake, and what it costs.
    async #whyOf(node) {
        const { desk, bench } = this;
        if (bench.lines.isOn) bench.lines.turn(false);
        let line = node.best ? [node.best] : [];
        try {
            line = (await askEngine(desk, node, LINE_MS)).pv.slice(0, LINE_MOVES);
        } catch {
            // The review's own answer will do.
        }
        node.punishment = line;
        if (!line.length) return t("coach.over");
        const position = desk.tree.position(node);
        const spelled = this.#spellLine(position, line);
        const mate = node.seen?.mate;
        const isMated = mate !== undefined && (mate > 0) === (this.side === 1);
        const cost = isMated ? t("coach.mate", { n: Math.abs(mate) }) : costWords(desk.rules, position, line, this.side);
        return t("coach.line", { side: sideName(this.game.game, this.side ^ 1), line: spelled }) + (cost ? ` ${cost}` : ` ${t("coach.position")}`);
    }

    #spellLine(start, texts) {
        const { rules, notation } = this.desk;
        let position = start;
        return texts.map((text) => {
            const move = rules.find(position, text);
            const words = !move || notation === "native" ? text : rules.spell(position, move, notation);
            if (move) position = rules.play(position, move);
            return words;
        }).join(" ");
    }

    #punish() {
        const node = this.current;
        this.trying = null;
        this.desk.go(node);
        if (node.punishment?.length) this.desk.playTexts(node.punishment);
        this.draw();
    }

    #better() {
        const { parent } = this.current;
        this.trying = null;
        this.desk.go(parent);
        this.desk.playTexts([parent.best]);
        this.#say(t("coach.best", { move: this.desk.spell(this.desk.node) }), "good");
        this.draw();
    }

    // --- trying again ------------------------------------------------------------------------------

    #try() {
        if (this.bench.lines.isOn) this.bench.lines.turn(false);
        this.trying = this.current;
        this.desk.go(this.trying.parent);
        this.#say(t("coach.find", { side: sideName(this.game.game, this.side) }));
        this.draw();
    }

    // A move was played where a better one was asked for.
    #moved(from) {
        const { trying, desk } = this;
        if (!trying || from !== trying.parent || desk.node.parent !== from) return;
        if (desk.node === trying) this.#say(t("coach.same"), "bad");
        else this.#judge(desk.node, trying);
    }

    async #judge(node, mistake) {
        const best = mistake.parent.best;
        const move = this.desk.spell(node);
        if (node.move.text === best) {
            this.#say(t("coach.best", { move }), "good");
            return;
        }
        this.#say(t("coach.thinking"));
        try {
            node.seen ??= (await askEngine(this.desk, node, TRY_MS)).seen;
        } catch {
            if (this.trying === mistake) this.#say(t("coach.unknown", { move: this.desk.spellText(mistake.parent, best) }));
            return;
        }
        if (this.isGone || this.trying !== mistake) return;
        const lost = chanceOf(mistake.parent, this.side) - chanceOf(node, this.side);
        const mark = markOf(lost);
        if (!mark) this.#say(t(lost <= 1 - ACCURATE ? "coach.asGood" : "coach.good", { move }), "good");
        else this.#say(t("coach.notYet", { move: move + mark, chance: percent(chanceOf(node, this.side)) }), "bad");
    }
}
