// A game against the computer that needs no server, at /solo/GAME: the engine in this browser plays and judges. The game is
// kept in the browser and goes on where it was left.

import { el, clear, announce, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { ApiError } from "../lib/api.js";
import { useKeys } from "../lib/keys.js";
import { play as playSound } from "../lib/sound.js";
import { prefs } from "../lib/store.js";
import { gameName, outcomeWords } from "../lib/words.js";
import { isGame, rowOf } from "../games/index.js";
import { game as rulesOf } from "../rules/index.js";
import { Board } from "../board/board.js";
import { boardOptions, boardPrefs, onBoardOptions, pageNotation } from "../play/boardprefs.js";
import { moveWords } from "../play/speak.js";
import { judge } from "../engine/answers.js";
import { setUp } from "../engine/analyst.js";
import { program, Thinker } from "../engine/thinker.js";
import "../play/words.js";
import "../play/gamewords.js";
import "./words.js";

const MOVE_MS = 3000; // as long as house bots think where there is no clock
const HINT_MS = 1000;
const HASH_MB = 16;

class SoloView {
    constructor(host, game, kept) {
        this.game = game;
        this.rules = rulesOf(game);
        this.kept = kept; // {level, side, fen, moves, resigned}
        this.orientation = kept.side ^ rowOf(game).bottom;
        this.thinker = null;
        this.isClosed = false;
        this.build(host);
        this.replay();
        this.begin();
    }

    // --- what is seen ---

    build(host) {
        this.boardHost = el("div.board-host", { "data-game": this.game });
        this.status = el("p.status", { role: "status" });
        this.list = el("p.puzzle-line");
        this.buttons = el("div.row.controls");
        clear(host).append(el("section.game-view", { "data-game": this.game, style: { "--board-shape": rowOf(this.game).box.join(" / ") } },
            el("h1.unseen", { text: t("solo.title", { game: gameName(this.game) }) }),
            el("div.board-column", this.boardHost),
            el("div.side-column",
                el("div.card.stack",
                    el("p.terms", el("strong", { text: gameName(this.game) }), ` · ${t("solo.level", { level: this.kept.level })}`),
                    this.status, this.buttons, this.list),
                el("div.card.stack", boardPrefs(this.game)))));
        this.board = new Board(this.boardHost, { game: this.game, orientation: this.orientation, interactive: "none", ...boardOptions(this.game) });
        this.board.onMove = (move) => this.played(move);
    }

    // The positions of the moves kept; what no longer can be played is left out.
    replay() {
        this.positions = [this.rules.parse(this.kept.fen || this.rules.start)];
        this.moves = [];
        for (const text of this.kept.moves) {
            const move = this.rules.find(this.position, text);
            if (!move) break;
            this.moves.push(move);
            this.positions.push(this.rules.play(this.position, move));
        }
    }

    get position() {
        return this.positions[this.positions.length - 1];
    }

    get isMine() {
        return this.position.side === this.kept.side;
    }

    draw(animated) {
        const plays = this.isMine && !this.outcome && this.thinker;
        this.board.configure({ interactive: plays ? ["first", "second"][this.kept.side] : "none" });
        this.board.set(this.position, { last: this.moves[this.moves.length - 1] ?? null, animateFrom: animated });
        this.drawMoves();
        this.drawButtons();
    }

    drawMoves() {
        const notation = pageNotation(this.game);
        clear(this.list).append(...this.moves.flatMap((move, i) =>
            [el("span.ply", { text: notation === "native" ? move.text : this.rules.spell(this.positions[i], move, notation) }), " "]));
    }

    drawButtons() {
        const from = this.kept.fen ? `fen=${encodeURIComponent(this.kept.fen.replace(/ /g, "_"))}&` : "";
        const study = `/study/${this.game}?${from}moves=${this.moves.map(({ text }) => text).join(",")}`;
        const isOpen = !this.outcome && this.thinker;
        clear(this.buttons).append(...(this.outcome
            ? [el("button.primary", { text: t("solo.again"), onclick: () => this.restart() }), el("a.button", { href: study, text: t("solo.study") })]
            : [el("button", { text: t("solo.hint"), disabled: !isOpen || !this.isMine, onclick: () => this.hint() }),
                el("button", { text: t("game.takeback"), disabled: !isOpen || this.moves.length < 2, onclick: () => this.takeBack() }),
                el("button.danger", { text: t("game.resign"), disabled: !isOpen || !this.moves.length, onclick: () => this.resign() })]));
    }

    say(words, isMine = false) {
        this.status.textContent = words;
        this.status.classList.toggle("mine", isMine);
    }

    // --- the game ---

    keep() {
        this.kept.moves = this.moves.map(({ text }) => text);
        prefs.set(`solo.${this.game}`, this.kept);
    }

    async begin() {
        this.draw();
        this.say(t("solo.loading"));
        const module = await program(this.game);
        if (this.isClosed) return;
        if (!module) {
            this.say(t("solo.absent"));
            return;
        }
        this.thinker ??= new Thinker(module);
        await this.goOn();
    }

    // Who is to move, or how it ended; the computer moves where it is its turn.
    async goOn(animated) {
        const { fen = "" } = this.kept;
        const ply = this.moves.length;
        let stands;
        try {
            stands = await judge(this.game, { fen, moves: this.kept.moves.join(" ") });
        } catch (error) {
            this.say(t("solo.fault", { words: error.message }));
            return;
        }
        if (this.isClosed || ply !== this.moves.length) return;
        this.outcome = this.kept.resigned ? { outcome: ["second wins", "first wins"][this.kept.side] } : stands.outcome === "ongoing" ? null : stands;
        this.draw(animated);
        if (this.outcome) this.end();
        else if (this.isMine) this.say(t("game.yourMove"), true);
        else this.reply();
    }

    async think(limits, level) {
        const lines = [...setUp({ fen: this.kept.fen, moves: this.kept.moves.join(" "), level, hash: HASH_MB }), limits];
        let answer = "";
        const isDone = await this.thinker.ask(lines, (line) => {
            if (line.startsWith("bestmove ")) answer = line.split(" ")[1];
        });
        return isDone && !this.isClosed ? this.rules.find(this.position, answer) : null;
    }

    async reply() {
        this.say(t("solo.thinking"));
        try {
            const move = await this.think(`go movetime ${MOVE_MS}`, this.kept.level);
            if (move) this.make(move, move);
        } catch (error) {
            this.say(t("solo.fault", { words: error.message }));
        }
    }

    played(move) {
        if (!this.isMine || this.outcome) return;
        this.thinker.stop(); // a hint that is still being looked for
        this.make(move);
    }

    make(move, animated) {
        const before = this.position;
        this.moves.push(move);
        this.positions.push(this.rules.play(before, move));
        this.keep();
        this.board.mark([]);
        playSound(this.rules.inCheck?.(this.position) ? "check" : move.capture ? "capture" : "move");
        announce(moveWords(this.rules, before, move, this.position));
        this.draw(animated);
        this.goOn();
    }

    async hint() {
        this.say(t("solo.thinking"));
        const move = await this.think(`go movetime ${HINT_MS}`, 0);
        if (!move || !this.isMine) return;
        this.board.mark([{ point: move.from, class: "held" }, { point: move.to, class: "good" }]);
        this.say(t("game.yourMove"), true);
    }

    // To the visitor's own last move.
    takeBack() {
        this.thinker.stop();
        do {
            this.moves.pop();
            this.positions.pop();
        } while (this.moves.length && !this.isMine);
        this.keep();
        this.board.mark([]);
        this.goOn();
    }

    resign() {
        this.thinker.stop();
        this.kept.resigned = true;
        this.keep();
        this.goOn();
    }

    end() {
        const words = outcomeWords(this.game, this.outcome.outcome);
        this.say(this.kept.resigned ? `${words} · ${t("solo.resigned")}` : words);
        announce(words);
        playSound("end");
    }

    restart() {
        this.kept = { ...this.kept, moves: [], resigned: false };
        this.outcome = null;
        this.keep();
        this.replay();
        this.board.mark([]);
        this.goOn();
    }

    close() {
        this.isClosed = true;
        this.thinker?.close();
        this.board.destroy();
    }
}

export async function show(host, { params: [game], query, signal }) {
    if (!isGame(game)) throw new ApiError("path", t("app.notFound"), 404);
    await Promise.all([useStyle("/play/play.css", signal), useStyle("/puzzles/puzzles.css", signal)]);
    let kept = prefs.get(`solo.${game}`);
    if (!kept || query.level) {
        const side = query.side === "any" ? Math.floor(Math.random() * 2) : Number(query.side === "second");
        kept = { level: Math.min(10, Math.max(1, Number(query.level) || 3)), side, fen: (query.fen ?? "").replaceAll("_", " "), moves: [], resigned: false };
        prefs.set(`solo.${game}`, kept);
        history.replaceState(null, "", `/solo/${game}`); // a reload goes on with the game
    }
    const view = new SoloView(host, game, kept);
    useKeys(signal, [{ key: "f", words: "keys.flip", act: () => view.board.flip() }]);
    const stop = onBoardOptions(() => (view.board.configure(boardOptions(game)), view.drawMoves()));
    return {
        title: t("solo.title", { game: gameName(game) }),
        close() {
            stop();
            view.close();
        },
    };
}
