// A game at /game/N: played by whoever sits at it, watched by everybody else, looked at when it is over.

import { el, clear, announce, toast, useStyle, closeDialogs } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { get, sayError, ApiError } from "../lib/api.js";
import { say, on, onState, connectionState, me, ready } from "../lib/socket.js";
import { isFull, onFull } from "../lib/notice.js";
import { play } from "../lib/sound.js";
import { prefs, session } from "../lib/store.js";
import { gameName, playerName, controlWords } from "../lib/words.js";
import { rowOf } from "../games/index.js";
import { Board } from "../board/board.js";
import { GameModel } from "./model.js";
import { PlayerBar } from "./players.js";
import { AwayNotice } from "./away.js";
import { Chat } from "./chat.js";
import { MoveList } from "./movelist.js";
import { Controls } from "./controls.js";
import { TypedMove } from "./typed.js";
import { boardPrefs, boardOptions, onBoardOptions } from "./boardprefs.js";
import { moveWords, resultWords } from "./speak.js";
import { useKeys, useWheel, walkKeys } from "../lib/keys.js";
import "./words.js";
import "./gamewords.js";

const TICK_MS = 100;
const FRAME_MS = 16;

// Which way round a side sees its own pieces below.
const facing = (game, side) => side ^ rowOf(game).bottom;

class GameView {
    constructor(host, model) {
        this.model = model;
        this.at = this.newest = model.ply; // the ply shown, and the last one there was when it was
        this.orientation = model.isMine ? facing(model.game, model.you) : 0;
        this.host = host;
        host.classList.add("flush");
        this.build();
        this.place();
        this.follow();
    }

    build() {
        const { model } = this;
        this.bars = [0, 1].map((side) => new PlayerBar(model, side));
        this.boardHost = el("div.board-host", { "data-game": model.game });
        this.heading = el("h1.unseen", { text: this.title });
        this.status = el("p.status");
        this.away = new AwayNotice(model);
        this.chat = new Chat(model);
        this.list = new MoveList(model, (ply) => this.go(ply));
        this.controls = new Controls(model, () => this.flip());
        this.typed = new TypedMove(model, (move) => this.send(move));
        this.words = el("p", { lang: language() === "zh" ? "zh-Hans" : "en" });
        this.above = el("div");
        this.below = el("div");
        const inWords = el("details.inwords", el("summary", { text: t("game.inWords") }), this.words);
        clear(this.host).append(el("section.game-view.table-view", { "data-game": model.game, style: { "--board-shape": rowOf(model.game).box.join(" / ") } },
            this.heading,
            el("div.board-column", this.above, this.boardHost, this.below),
            el("div.side-column",
                el("div.card.stack",
                    el("p.terms", el("strong", { text: gameName(model.game) }), ` · ${controlWords(model.tc)} · ${t(model.rated ? "game.rated" : "game.unrated")}`),
                    this.status, this.away.node, this.controls.node, this.list.node, this.typed.node),
                this.chat.node,
                el("div.card.stack", boardPrefs(model.game), inWords,
                    el("div.row", el("button", { text: t("app.share"), onclick: () => this.share() }))))));
        this.board = new Board(this.boardHost, { game: model.game, orientation: this.orientation, interactive: "none", premove: true, ...boardOptions(model.game) });
        this.board.onMove = (move) => this.send(move);
    }

    get title() {
        const { names, game } = this.model;
        return `${gameName(game)}: ${playerName(names[0])} – ${playerName(names[1])}`;
    }

    // The bars by the way the board is turned.
    place() {
        const below = facing(this.model.game, this.orientation);
        clear(this.below).append(this.bars[below].node);
        clear(this.above).append(this.bars[below ^ 1].node);
    }

    flip() {
        this.orientation ^= 1;
        this.board.flip();
        this.place();
    }

    // Returns whether there was anywhere to go.
    go(ply) {
        const before = this.at;
        this.at = Math.max(0, Math.min(ply, this.model.ply));
        if (this.at !== before) this.draw();
        return this.at !== before;
    }

    // Keys and wheel, while the view is shown.
    useInput(signal) {
        useKeys(signal, walkKeys({
            back: () => this.go(this.at - 1), next: () => this.go(this.at + 1),
            first: () => this.go(0), last: () => this.go(this.model.ply), flip: () => this.flip(),
        }));
        useWheel(this.boardHost, signal, (by) => this.go(this.at + by));
    }

    // Something new: the last position is shown again. A spectator who looks back is left there.
    follow(animated) {
        if (this.model.isMine || this.at >= this.newest || this.at > this.model.ply) this.at = this.model.ply;
        this.newest = this.model.ply;
        this.list.follow();
        this.controls.draw();
        this.draw(animated);
    }

    draw(animated) {
        const { model, at } = this;
        const latest = at === model.ply;
        const position = latest ? model.shown() : model.positions[at];
        const last = latest && model.pending ? model.pending : model.moves[at - 1];
        const plays = latest && model.isMine && !model.isOver;
        this.wanted = { position, last, animated, interactive: plays ? ["first", "second"][model.you] : "none" };
        this.drawBoard();
        this.bars.forEach((bar) => bar.drawCaptured(at));
        this.list.show(at);
        this.words.textContent = model.rules.describe(position, language());
        this.typed.node.hidden = !plays;
        this.drawStatus();
        this.tick();
    }

    // An answer that comes while our own piece is still running waits until it has arrived; where nobody looks nothing
    // runs, and a move made in advance must go out all the same.
    drawBoard() {
        clearTimeout(this.waits);
        const { position, last, animated, interactive } = this.wanted;
        const fen = this.model.rules.write(position);
        if (fen === this.fen && interactive === this.interactive) return;
        if (animated && this.board.finishMoving && !document.hidden) {
            this.waits = setTimeout(() => this.drawBoard(), FRAME_MS);
            return;
        }
        if (interactive !== this.interactive) this.board.configure({ interactive });
        if (fen !== this.fen) this.board.set(position, { last, animateFrom: animated });
        this.fen = fen;
        this.interactive = interactive;
    }

    // The position that is shown, as a picture; the game as a link, a record, a board for another page.
    async share() {
        const { model, at } = this, { openShare } = await import("../share/share.js");
        openShare({
            options: { game: model.game, orientation: this.orientation, ...boardOptions(model.game) },
            position: model.positions[at], shown: { last: model.moves[at - 1] ?? null },
            link: `/game/${model.id}`, embed: `/embed/game/${model.id}`, name: `kraton-${model.id}`, record: `/api/v1/games/${model.id}/record`,
        });
    }

    statusWords() {
        const { model, at } = this;
        if (at !== model.ply) return t("game.looking", { ply: at });
        if (model.isOver) return "";
        if (connectionState() !== "online") return t(model.pending ? "game.keptMove" : "game.waitingLine");
        if (isFull()) return t(model.pending ? "game.fullKept" : "game.full");
        if (model.clockState === "paused") return t("game.paused");
        if (model.clockState === "waiting") return t("game.restarted");
        if (!model.isMine) return t("game.toMove", { name: playerName(model.names[model.side]) });
        return model.isMyTurn ? t("game.yourMove") : t("game.theirMove", { name: playerName(model.names[model.you ^ 1]) });
    }

    drawStatus() {
        const words = this.statusWords();
        this.status.textContent = words;
        this.status.hidden = !words;
        this.status.classList.toggle("mine", this.model.isMyTurn && this.at === this.model.ply);
        document.title = `${this.model.isMyTurn ? "● " : ""}${this.title} · Kraton`;
    }

    tick() {
        this.bars.forEach((bar) => bar.tick());
        this.away.tick();
    }

    // --- moving -------------------------------------------------------------------------------------

    send(move) {
        const { model } = this;
        if (!model.isMyTurn) return;
        const before = model.position;
        model.expect(move);
        say("move", { game: model.id, ply: model.ply, move: move.text, ref: `move-${model.id}` });
        play(move.capture ? "capture" : "move");
        announce(moveWords(model.rules, before, move, model.shown()));
        this.controls.draw();
        this.at = model.ply;
        this.draw(move);
    }

    onMoved(m) {
        const { model } = this;
        const expected = model.pending?.text === m.move;
        const before = model.position;
        if (!model.moved(m)) return this.reload();
        this.controls.moved();
        const move = model.moves[model.ply - 1];
        if (!expected && move) {
            play(model.rules.inCheck?.(model.position) ? "check" : move.capture ? "capture" : "move");
            announce(moveWords(model.rules, before, move, model.position));
        }
        this.follow(expected ? undefined : move);
    }

    onRefused(m) {
        if (m.code === "full") return this.drawStatus(); // the move waits until there is room
        this.model.forget();
        if (m.code === "ply" || m.code === "turn") this.reload();
        else toast(sayError(new ApiError(m.code, m.words, 0)), "error");
        this.follow();
    }

    reload() {
        say("watch", { game: this.model.id });
    }

    onRenamed(m) {
        this.model.renamed(m);
        this.heading.textContent = this.title;
        for (const bar of this.bars) bar.drawName();
        this.drawStatus();
    }

    onResult(m) {
        const was = this.model.isOver;
        this.model.end(m);
        this.board.cancelPremove();
        this.follow();
        if (was) return;
        play("end");
        announce(resultWords(this.model.game, this.model.result));
    }

    close() {
        clearTimeout(this.waits);
        this.board.destroy();
    }
}

// --- messages ---------------------------------------------------------------------------------------

// Calls back with what the server says of this game; `view` is made when the game is known.
function hearGame(id, host) {
    const model = new GameModel(id);
    const unsent = `unsent.${id}`; // the move made without a connection before one went away from here
    let view = null;
    const told = (act) => (m) => {
        if (m.game === id && view) act(m);
    };
    const draw = () => view?.follow();
    const stops = [
        on("game", (m) => {
            if (m.id !== id) return;
            const wasLoaded = model.loaded;
            const kept = wasLoaded ? model.pending && { ply: model.ply, text: model.pending.text } : session.get(unsent);
            session.remove(unsent);
            model.load(m);
            if (view) view.chat.reset(), view.follow();
            else view = new GameView(host, model);
            if (kept && kept.ply === m.ply && m.clock !== "over") view.send(model.rules.find(model.position, kept.text)); // it may have been lost with the line
            if (!wasLoaded && m.ply === 0 && model.isMine && !model.isOver) play("start");
        }),
        on("moved", told((m) => view.onMoved(m))),
        on("turn", told((m) => model.turned(m) || view.reload())),
        on("tookback", told((m) => {
            view.board.cancelPremove();
            if (!model.tookBack(m)) return view.reload();
            announce(t("game.tookBack"));
            draw();
        })),
        on("clock", told((m) => (model.setClockState(m), draw()))),
        on("offer", told((m) => {
            model.offered(m);
            view.controls.offered(m.kind);
            if (m.by !== ["first", "second"][model.you] && model.isMine) announce(t(`game.${m.kind}Asked`, { name: playerName(model.names[model.you ^ 1]) }));
        })),
        on("refused", told((m) => {
            model.refused(m);
            view.controls.refused(m.kind, m.by === "first" ? 0 : 1);
        })),
        on("chat", told((m) => view.chat.switched(m))),
        on("said", told((m) => view.chat.heard(m))),
        on("renamed", told((m) => view.onRenamed(m))),
        on("away", told((m) => view.away.show(m))),
        on("back", told(() => view.away.hide())),
        on("result", told((m) => (view.away.hide(), view.onResult(m)))),
        on("error", (m) => {
            if (m.ref === `move-${id}`) view.onRefused(m);
            else if (/^(resign|draw|takeback|rematch|claim|refuse|abort|chat)-/.test(m.ref ?? "") && m.ref.endsWith(`-${id}`))
                toast(sayError(new ApiError(m.code, m.words, 0)), "error");
        }),
        onState((state) => {
            if (state === "offline") {
                model.clock.running = -1;
                announce(t("app.offline"));
            }
            view?.drawStatus();
        }),
        onFull((full) => {
            const kept = !full && model.loaded && connectionState() === "online" && model.pending;
            if (kept) {
                model.forget();
                view.send(kept);
            }
            view?.drawStatus();
        }),
        prefs.on("notation", () => view?.list.redraw()),
        onBoardOptions(() => view?.board.configure(boardOptions(model.game))),
    ];
    const timer = setInterval(() => view?.tick(), TICK_MS);
    return {
        model,
        archived(game, timed) {
            model.load({ ...game, clock: "over", you: "none" });
            model.setLastClocks(timed);
            model.end(game);
            view = new GameView(host, model);
        },
        get view() { return view; },
        close() {
            clearInterval(timer);
            stops.forEach((stop) => stop());
            if (model.pending) session.set(unsent, { ply: model.ply, text: model.pending.text });
            view?.close();
        },
    };
}

// Asks the server for a game under way; false where it is none.
function watchLive(id) {
    const number = Number(id);
    return new Promise((resolve, reject) => {
        const stops = [];
        const done = (found) => {
            stops.forEach((stop) => stop());
            resolve(found);
        };
        stops.push(
            on("game", (m) => m.id === number && done(true)),
            on("error", (m) => m.ref === `watch-${id}` && done(false)),
            onState((state) => {
                if (state !== "offline") return;
                stops.forEach((stop) => stop());
                reject(new ApiError("offline", "", 0));
            }));
        say("watch", { game: number, ref: `watch-${id}` });
    });
}

export async function show(host, { params, signal }) {
    const id = Number(params[0]);
    if (!Number.isSafeInteger(id) || id < 1) throw new ApiError("game", t("game.none"), 404);
    await Promise.all([useStyle("/play/play.css", signal), ready()]);
    const table = hearGame(id, host);
    const close = () => {
        say("unwatch", { game: id });
        table.close();
        closeDialogs("dialog:is(.ask, .report)");
    };
    try {
        if (!(await watchLive(id))) {
            say("unwatch", { game: id });
            const [game, { moves }] = await Promise.all([get(`/games/${id}`), get(`/games/${id}/moves`)]);
            table.archived(game, moves);
        }
    } catch (error) {
        close();
        throw error;
    }
    table.view.useInput(signal);
    if (me()?.arbiter) import("../watch/arbiter.js").then(({ gameTools }) => gameTools(host.querySelector(".side-column"), id, signal));
    return { title: table.view.title, close };
}
