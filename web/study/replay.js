// /study/game/N: a finished game gone through again. The same workbench as the analysis board, with the course of the
// game as a graph, mistakes marked, the clock of every move, and a game that plays itself.

import { el, clear } from "../lib/dom.js";
import { t, formatMoment } from "../lib/i18n.js";
import { get, sayError } from "../lib/api.js";
import { formatClock } from "../lib/clock.js";
import { sideMark } from "../lib/icons.js";
import { controlWords, gameName, outcomeWords, reasonWords, playerName } from "../lib/words.js";
import { catalogue } from "../lib/catalogue.js";
import { navigate } from "../app.js";
import { Autoplay } from "./autoplay.js";
import { Bench, style } from "./bench.js";
import { Coach, accuracy } from "./coach.js";
import { Desk } from "./desk.js";
import { addressOf, saveDraft } from "./draft.js";
import { Graph } from "./graph.js";
import { Review } from "./review.js";
import { scoreText } from "./score.js";
import { readRecord } from "./record.js";
import { EndgameExplorer, OpeningExplorer, Transfer, openEndgames, panelStyle } from "./panels.js";
import "./words.js";

const MARKS = [["?!", "dubious"], ["?", "mistake"], ["??", "blunder"]];
const SETTLE_MS = 300;

class Replay {
    constructor(host, game, timed, entry, ply, wantsCoach) {
        // An imported game says itself where and when it was played, and has variations and comments.
        const own = { site: "Kraton", date: (game.started ?? "").slice(0, 10).replaceAll("-", ".") };
        const { rules, tree, headers } = readRecord({ ...own, ...game, first: game.first_name, second: game.second_name, result: game.outcome });
        this.game = game;
        this.desk = new Desk(rules, entry, tree);
        this.desk.ruleSet = game.rules;
        this.desk.headers = headers;
        this.line = [tree.root, ...tree.mainline()];
        timed.forEach((move, at) => Object.assign(this.line[at + 1] ?? {}, { used: move.used, remaining: move.remaining }));
        this.desk.isFixed = true;
        this.bench = new Bench(host, this.desk, { engineKey: "study.replayEngine", engineOn: false });
        this.bench.onFlip = () => this.#drawPlayers();
        this.review = new Review(this.desk, game.id, () => this.#drawReview());
        this.review.takeSpoken(timed);
        this.#head();
        this.#under();
        this.#panels();
        this.autoplay = new Autoplay(this.bench.moreControls, this.bench);
        this.bench.onSpace = () => this.autoplay.toggle();
        this.desk.on("node", () => this.#follow());
        this.#follow();
        this.desk.go(this.line[ply]);
        this.#drawGraph();
        if (game.ended) this.#begin(wantsCoach);
    }

    // Whoever comes from the end of a game wants the coach: the review is asked for.
    async #begin(wantsCoach) {
        await this.review.look();
        if (wantsCoach && this.review.state === "none") this.review.ask();
    }

    close() {
        clearTimeout(this.timer);
        this.autoplay.destroy();
        this.review.destroy();
        this.coach.destroy();
        this.graph.destroy();
        this.bench.destroy();
    }

    // --- what stands around it ---------------------------------------------------------------------

    #head() {
        const { game } = this;
        const over = Boolean(game.ended);
        const result = outcomeWords(game.game, game.outcome, over) + (game.reason ? ` · ${reasonWords(game.reason)}` : "");
        this.bench.head.append(
            el("h1", { text: [game.first_name, game.second_name].map(playerName).join(" – ") }),
            el("p.muted", { text: [gameName(game.game), ...this.#occasion(result)].filter(Boolean).join(" · ") }),
            el("span.row", over ? null : el("a.button", { href: `/game/${game.id}`, text: t("study.isLive") }),
                el("button", { text: t("study.ownStudy"), onclick: () => this.#continue() })));
    }

    // A recorded game says itself where and when it was played.
    #occasion(result) {
        const { game } = this;
        return game.imported ? [game.event, game.site, game.date, result] : [controlWords(game.tc), result, formatMoment(game.started)];
    }

    // The game with everything tried here, as a study of one's own.
    #continue() {
        saveDraft(this.desk);
        navigate(addressOf(this.desk));
    }

    #panels() {
        const { tabs } = this.bench;
        tabs.add("openings", t("study.openings"), (panel) => new OpeningExplorer(panel, this.desk, this.bench.hints));
        if (this.desk.entry.has.tables) tabs.add("endgame", t("study.endgame"), (panel) => new EndgameExplorer(panel, this.desk, this.bench.hints));
        tabs.add("records", t("study.export"), (panel) => new Transfer(panel, this.desk, { mayImport: false }));
        this.bench.addLooks();
        tabs.open("openings");
        if (this.desk.entry.has.tables) this.bench.onClose(openEndgames(this.desk, tabs));
    }

    #drawPlayers() {
        const { bench, game } = this;
        const names = [game.first_name, game.second_name];
        const plate = (host, side) => host.replaceChildren(
            sideMark(game.game, side),
            el("a", { href: `/player/${encodeURIComponent(names[side])}`, text: playerName(names[side]) }),
            el("span.time", { text: this.#clockOf(side) }));
        plate(bench.above, 1 - bench.bottom);
        plate(bench.below, bench.bottom);
    }

    // What a side had left after its last move up to here.
    #clockOf(side) {
        let node = this.desk.node;
        while (node.parent && (this.desk.tree.mover(node).side !== side || node.remaining === undefined)) node = node.parent;
        return node.remaining >= 0 ? formatClock(node.remaining) : "";
    }

    // --- the graph ---------------------------------------------------------------------------------

    #under() {
        this.graph = new Graph(this.bench.under, {
            label: t("study.graph"),
            onPick: (ply) => this.desk.go(this.line[ply]),
            onHover: (ply) => this.#say(ply),
        });
        this.words = el("p.graph-words.muted");
        this.summary = el("div.summary");
        this.bench.under.classList.add("card");
        this.bench.under.append(this.words, this.summary);
        this.coach = new Coach(this.bench.under, this.desk, this.bench, this.review, this.game);
    }

    #drawGraph() {
        this.graph.set(this.line.map((node) => ({
            seen: node.seen, mark: node.mark, used: node.used, side: node.parent ? this.desk.tree.mover(node).side : 0,
        })));
        this.#drawSummary();
        this.#say(null);
        this.bench.lines.draw(); // the bar shows the score of where one stands
    }

    // Marked moves name the better one below them, so the list is made anew.
    #drawReview() {
        if (this.review.hasNewMarks) this.bench.list.draw();
        this.#drawGraph();
        this.coach.draw();
    }

    // The ply pointed at, or the one one stands on.
    #say(ply) {
        const node = ply === null ? this.#lastMain() : this.line[ply];
        const parts = [];
        if (node.parent) {
            const { side, number } = this.desk.tree.mover(node);
            parts.push(`${number}${side ? "…" : "."} ${this.desk.spell(node)}${node.mark ?? ""}`);
        } else {
            parts.push(t("study.start"));
        }
        if (node.seen) parts.push(scoreText(node.seen));
        if (node.mark && node.parent.best) parts.push(t("study.bestWas", { move: this.desk.spellText(node.parent, node.parent.best) }));
        if (node.used !== undefined) parts.push(t("study.took", { time: (node.used / 1e6).toFixed(node.used < 1e7 ? 1 : 0) }));
        this.words.textContent = parts.join(" · ");
    }

    // Within a variation the graph stays where it left the game.
    #lastMain() {
        let { node } = this.desk;
        while (this.line[node.ply] !== node) node = node.parent;
        return node;
    }

    #drawSummary() {
        const { review, game } = this;
        const rows = [];
        if (review.hasScores) {
            const counts = review.count();
            rows.push(el("dl.counts", [0, 1].map((side) => el("div",
                el("dt", { text: playerName(side ? game.second_name : game.first_name) }),
                this.#accuracy(side),
                MARKS.map(([mark, kind], at) => el("dd", this.#countButton(mark, kind, side, counts[side][at])))))));
        }
        if (review.state === "running" || review.state === "waiting")
            rows.push(this.#progress());
        else if (game.ended && review.state !== "done")
            rows.push(el("button.primary", { text: t("study.review"), onclick: () => review.ask() }));
        if (review.problem && review.problem.status !== 404) rows.push(el("p.says", { role: "alert", text: sayError(review.problem) }));
        clear(this.summary).append(...rows);
    }

    #accuracy(side) {
        const figure = accuracy(this.line, this.desk.tree, side);
        return figure !== null && el("dd.accuracy", { title: t("coach.accuracyWhy"), text: t("coach.accuracy", { n: Math.round(figure) }) });
    }

    #progress() {
        const { known, total, state } = this.review;
        const words = t(state === "waiting" ? "study.reviewWaits" : "study.reviewing", { n: known, all: total });
        return el("p.progress", el("progress", { max: total, value: known, "aria-label": words }), el("span.muted", { text: words }));
    }

    #countButton(mark, kind, side, n) {
        const says = t("study.toNext", { kind: t(`study.${kind}`), n });
        return el(`button.count.${kind}`, { "aria-label": says, title: says, disabled: !n, onclick: () => this.#toNext(mark, side) },
            el("b", { text: mark }), ` ${n}`);
    }

    // The next such move of that side; behind the last comes the first.
    #toNext(mark, side) {
        const wanted = this.line.filter((node) => node.mark === mark && this.desk.tree.mover(node).side === side);
        this.desk.go(wanted.find((node) => node.ply > this.desk.node.ply) ?? wanted[0]);
    }

    #follow() {
        const node = this.#lastMain();
        this.graph.cursor(node.ply);
        this.#say(null);
        this.#drawPlayers();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.#keepAddress(node.ply), SETTLE_MS);
    }

    #keepAddress(ply) {
        history.replaceState(null, "", `/study/game/${this.game.id}${ply ? `?ply=${ply}` : ""}`);
    }
}

export async function show(host, { params, query, signal }) {
    const id = Number(params[0]);
    const [game, timed, entryOf] = await Promise.all([get(`/games/${id}`), get(`/games/${id}/moves`), catalogue(), style(signal), panelStyle(signal)]);
    const replay = new Replay(host, game, timed.moves, entryOf(game.game), Number(query.ply) || 0, query.coach === "1");
    return { close: () => replay.close(), title: [game.first_name, game.second_name].map(playerName).join(" – ") };
}
