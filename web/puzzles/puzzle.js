// A puzzle at /puzzles/GAME/N, or the next one at /puzzles/GAME: a board, one move to find, the line behind it. The first
// try counts; the server judges it and keeps the solver's rating.

import { el, clear, announce, useStyle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, sayError, ApiError } from "../lib/api.js";
import { ensureGuest, ready } from "../lib/socket.js";
import { useKeys } from "../lib/keys.js";
import { sideMark } from "../lib/icons.js";
import { play as playSound } from "../lib/sound.js";
import { gameName, sideName } from "../lib/words.js";
import { games, isGame, rowOf } from "../games/index.js";
import { game as rulesOf } from "../rules/index.js";
import { Board } from "../board/board.js";
import { boardOptions, boardPrefs, onBoardOptions, pageNotation } from "../play/boardprefs.js";
import { moveWords } from "../play/speak.js";
import "../play/words.js";
import "../play/gamewords.js";
import "./words.js";

const REPLY_MS = 600; // the answer to a right move comes after a moment,
const BACK_MS = 900; // a wrong one is taken back

class PuzzleView {
    constructor(host, puzzle) {
        this.puzzle = puzzle;
        this.rules = rulesOf(puzzle.game);
        this.start = this.rules.parse(puzzle.fen);
        this.side = this.start.side;
        this.orientation = this.side ^ rowOf(puzzle.game).bottom;
        this.isCounted = false; // the try has gone to the server
        this.hints = 0;
        this.timer = 0;
        this.build(host);
        this.restart();
    }

    // --- what is seen ---

    build(host) {
        const { puzzle } = this;
        this.boardHost = el("div.board-host", { "data-game": puzzle.game });
        host.classList.add("flush");
        this.says = el("p.puzzle-says", { role: "status" });
        this.rating = el("p.puzzle-rating");
        this.line = el("p.puzzle-line");
        this.buttons = el("div.row.controls");
        clear(host).append(el("section.game-view.puzzle-view", { "data-game": puzzle.game, style: { "--board-shape": rowOf(puzzle.game).box.join(" / ") } },
            el("h1.unseen", { text: t("puzzles.ofGame", { game: gameName(puzzle.game), number: puzzle.number }) }),
            el("div.board-column", this.boardHost),
            el("div.side-column",
                el("div.card.stack",
                    el("div.row.apart",
                        el("nav.choices", { "aria-label": t("puzzles.title") }, games.map(({ name }) =>
                            el("a.choice", { href: `/puzzles/${name}`, "aria-current": name === puzzle.game ? "page" : null, text: gameName(name) }))),
                        this.rating),
                    el("p.terms", el("strong", { text: t("puzzles.number", { number: puzzle.number }) }), ` · ${t("puzzles.difficulty", { rating: puzzle.rating })}`),
                    this.says, this.line, this.buttons),
                el("div.card.stack", boardPrefs(puzzle.game)))));
        this.board = new Board(this.boardHost, { game: puzzle.game, orientation: this.orientation, interactive: "none", ...boardOptions(puzzle.game) });
        this.board.onMove = (move) => this.played(move);
        this.drawRating();
    }

    drawRating(change) {
        const { rating, tries, solved } = this.puzzle.solver;
        const isKnown = tries > 0;
        clear(this.rating).append(isKnown ? el("strong", { text: t("puzzles.yours", { rating }) }) : "");
        if (change) this.rating.append(" ", el("span.change", { class: change > 0 ? "up" : "down", text: change > 0 ? `+${change}` : `−${-change}` }));
        this.rating.title = isKnown ? t("puzzles.solvedOf", { tries, solved }) : "";
        this.rating.hidden = !isKnown;
    }

    say(words, mood = "") {
        clear(this.says).append(mood === "" ? sideMark(this.puzzle.game, this.side) : "", words);
        this.says.dataset.mood = mood;
    }

    drawButtons() {
        const { puzzle } = this;
        const next = el("a.button", { class: this.isOver ? "primary" : "", href: `/puzzles/${puzzle.game}?after=${puzzle.number}`, text: t("puzzles.next") });
        const study = () => `/study/${puzzle.game}?fen=${encodeURIComponent(puzzle.fen.replace(/ /g, "_"))}&moves=${puzzle.moves.join(",")}`;
        const share = el("button", { text: t("app.share"), onclick: () => this.share() });
        clear(this.buttons).append(...(this.isOver
            ? [next, el("button", { text: t("puzzles.retry"), onclick: () => this.restart() }), el("a.button", { href: study(), text: t("puzzles.study") }), share]
            : [el("button", { text: t("puzzles.hint"), disabled: this.hints > 1, onclick: () => this.hint() }),
                el("button", { text: t("puzzles.show"), onclick: () => this.demonstrate() }), next]));
        this.next = next;
    }

    // The moves found so far, in the notation chosen.
    drawLine() {
        const notation = pageNotation(this.rules.name);
        let position = this.start;
        clear(this.line);
        this.found.forEach((move, i) => {
            const text = notation === "native" ? move.text : this.rules.spell(position, move, notation);
            this.line.append(el("span.ply", { class: i % 2 ? "reply" : "", text }), " ");
            position = this.rules.play(position, move);
        });
        this.line.hidden = this.found.length === 0;
    }

    // --- solving ---

    restart() {
        clearTimeout(this.timer);
        this.position = this.start;
        this.found = []; // moves of both sides
        this.hasErred = false;
        this.isOver = false;
        this.hints = 0;
        this.board.mark([]);
        this.board.arrows([]);
        this.board.set(this.position, {});
        this.await();
        this.say(t("puzzles.find", { side: sideName(this.puzzle.game, this.side) }));
        this.drawLine();
        this.drawButtons();
    }

    await() {
        this.board.configure({ interactive: ["first", "second"][this.side] });
    }

    get wanted() { return this.puzzle.moves[this.found.length]; }

    // The solver's move: right if it is the one, or ends the game at once.
    played(move) {
        const after = this.rules.play(this.position, move);
        const isMate = this.rules.moves(after).length === 0;
        this.board.set(after, { last: move, animateFrom: move });
        this.board.configure({ interactive: "none" });
        playSound(this.rules.inCheck(after) ? "check" : move.capture ? "capture" : "move");
        announce(moveWords(this.rules, this.position, move, after));
        if (move.text === this.wanted || isMate) this.right(move, after, isMate);
        else this.wrong(move);
    }

    right(move, after, isMate) {
        this.position = after;
        this.found.push(move);
        this.hints = 0;
        this.drawLine();
        if (isMate || this.found.length >= this.puzzle.moves.length) {
            this.end();
            return;
        }
        this.say(t("puzzles.goOn"), "good");
        this.drawButtons();
        this.timer = setTimeout(() => this.reply(), REPLY_MS);
    }

    reply() {
        const move = this.rules.find(this.position, this.wanted);
        const before = this.position;
        this.position = this.rules.play(this.position, move);
        this.found.push(move);
        this.board.set(this.position, { last: move, animateFrom: move });
        playSound(this.rules.inCheck(this.position) ? "check" : move.capture ? "capture" : "move");
        announce(moveWords(this.rules, before, move, this.position));
        this.drawLine();
        this.await();
    }

    wrong(move) {
        this.hasErred = true;
        this.board.mark([{ point: move.to, class: "bad" }]);
        this.say(t("puzzles.wrong"), "bad");
        this.count([...this.solverMoves, move.text]);
        this.timer = setTimeout(() => {
            this.board.mark([]);
            this.board.set(this.position, { last: this.found[this.found.length - 1] ?? null });
            this.await();
        }, BACK_MS);
    }

    get solverMoves() {
        return this.found.filter((_, i) => i % 2 === 0).map((move) => move.text);
    }

    end() {
        this.isOver = true;
        this.board.mark([{ point: this.found[this.found.length - 1].to, class: "good" }]);
        const { kind } = this.puzzle, proof = kind === "draw" || kind === "win" ? ` ${t(`puzzles.why.${kind}`)}` : "";
        const words = this.isShown ? "puzzles.shown" : this.hasErred ? "puzzles.solvedLater" : "puzzles.solved";
        this.say(t(words) + proof, this.isShown || this.hasErred ? "late" : "good");
        if (!this.isShown && !this.hasErred) playSound("end");
        this.count(this.solverMoves);
        this.drawButtons();
        this.next.focus({ preventScroll: true });
    }

    // Tells the server of the try, once.
    async count(moves) {
        if (this.isCounted) return;
        this.isCounted = true;
        try {
            await ensureGuest();
            const { solver, change, counts } = await post(`/puzzles/${this.puzzle.game}/${this.puzzle.number}`, { moves: moves.join(" ") });
            this.puzzle.solver = solver;
            this.drawRating(change);
            if (!counts) this.says.append(el("small", { text: ` ${t("puzzles.uncounted")}` }));
        } catch (error) {
            this.says.append(el("small", { text: ` ${sayError(error)}` }));
        }
    }

    // First what kind it is, then the piece.
    hint() {
        const { puzzle } = this;
        this.hints++;
        if (this.hints === 1) {
            const count = Math.ceil((puzzle.moves.length - this.found.length) / 2);
            this.say(t(`puzzles.kind.${puzzle.kind}`, { count }));
        } else {
            const move = this.rules.find(this.position, this.wanted);
            this.board.mark([{ point: move.from, class: "held" }]);
            this.say(t("puzzles.hintPiece"));
        }
        this.drawButtons();
    }

    demonstrate() {
        this.count(this.solverMoves);
        this.isShown = true;
        this.board.mark([]);
        this.board.configure({ interactive: "none" });
        clearTimeout(this.timer);
        const step = () => {
            const move = this.rules.find(this.position, this.wanted), before = this.position;
            this.position = this.rules.play(this.position, move);
            this.found.push(move);
            this.board.set(this.position, { last: move, animateFrom: move });
            announce(moveWords(this.rules, before, move, this.position));
            this.drawLine();
            if (this.found.length >= this.puzzle.moves.length) this.end();
            else this.timer = setTimeout(step, REPLY_MS * 1.6);
        };
        step();
    }

    // The puzzle as it begins: nobody's solution is given away.
    async share() {
        const { puzzle } = this, { openShare } = await import("../share/share.js");
        openShare({
            options: { game: puzzle.game, orientation: this.orientation, ...boardOptions(puzzle.game) }, position: this.start,
            link: `/puzzles/${puzzle.game}/${puzzle.number}`, name: `kraton-puzzle-${puzzle.game}-${puzzle.number}`,
            embed: `/embed/${puzzle.game}?fen=${encodeURIComponent(puzzle.fen.replaceAll(" ", "_"))}`,
        });
    }

    flip() {
        this.board.flip();
    }

    close() {
        clearTimeout(this.timer);
        this.board.destroy();
    }
}

export async function show(host, { params, query, signal }) {
    const [game, number] = params;
    if (!isGame(game)) throw new ApiError("path", t("app.notFound"), 404);
    await Promise.all([useStyle("/play/play.css", signal), useStyle("/puzzles/puzzles.css", signal), ready().catch(() => {})]);
    const puzzle = number ? await get(`/puzzles/${game}/${encodeURIComponent(number)}`) : await get(`/puzzles/${game}`, { after: query.after });
    // The address names the puzzle, so that it can be given to somebody.
    if (!number) history.replaceState(null, "", `/puzzles/${game}/${puzzle.number}`);
    const view = new PuzzleView(host, puzzle);
    useKeys(signal, [
        { key: "f", words: "keys.flip", act: () => view.flip() },
        { key: "n", words: "puzzles.nextKey", act: () => view.next.click() },
        { key: "h", words: "puzzles.hintKey", act: () => !view.isOver && view.hints < 2 && view.hint() },
    ]);
    const stop = onBoardOptions(() => (view.board.configure(boardOptions(game)), view.drawLine()));
    return {
        title: t("puzzles.ofGame", { game: gameName(game), number: puzzle.number }),
        close() {
            stop();
            view.close();
        },
    };
}
