// One game as the server tells it: positions, clocks, offers, result. Knows nothing of the screen.

import { game as rulesOf } from "../rules/index.js";
import { sideOf, typeOf } from "../rules/position.js";
import { rowOf } from "../games/index.js";
import { GameClock } from "../lib/clock.js";
import { lag } from "../lib/socket.js";

const sideNumber = { first: 0, second: 1 };

export class GameModel {
    constructor(id) {
        this.id = id;
        this.clock = new GameClock();
        this.loaded = false;
    }

    // The whole game: from the server's `game`, or from GET /games/N.
    load(m) {
        this.game = m.game;
        this.rules = rulesOf(m.game);
        this.tc = m.tc;
        this.rated = m.rated;
        this.names = [m.first_name, m.second_name];
        this.you = sideNumber[m.you] ?? -1;
        this.tournament = m.tournament ?? 0;
        this.positions = [this.rules.parse(m.fen || this.rules.start)];
        this.moves = [];
        this.offers = { draw: -1, takeback: -1, rematch: -1 };
        this.pending = null;
        this.result = null;
        this.clockState = m.clock ?? "over";
        for (const text of m.moves) this.push(text);
        this.setClocks(m);
        this.loaded = true;
    }

    get ply() { return this.moves.length; }
    get position() { return this.positions[this.ply]; }
    get side() { return this.position.side; }
    get isOver() { return this.result !== null; }
    get isMine() { return this.you >= 0; }
    get isMyTurn() { return this.isMine && !this.isOver && !this.pending && this.side === this.you; }

    push(text) {
        const move = this.rules.find(this.position, text);
        if (!move) throw new Error(`the server says ${text}, which is no move here`);
        this.positions.push(this.rules.play(this.position, move));
        this.moves.push(move);
        this.offers.takeback = -1;
    }

    setClocks(m) {
        if (m.first === undefined) return;
        const runs = this.clockState === "running" && !this.isOver;
        this.clock.set([m.first, m.second], runs ? this.side : -1, lag() / 2);
    }

    // Of a finished game: what each side had left after its last move, as whoever saw the end sees it.
    setLastClocks(timed) {
        const left = [-1, -1];
        timed.forEach(({ remaining }, ply) => (left[this.positions[ply].side] = remaining ?? -1));
        this.clock.set(left, -1);
    }

    // Plays it here before the server has said so; forget() takes it back.
    expect(move) {
        this.pending = move;
    }

    forget() {
        this.pending = null;
    }

    // The position to show: the last one, or behind a move that is on its way.
    shown() {
        return this.pending ? this.rules.play(this.position, this.pending) : this.position;
    }

    // Each returns whether this game's state fits what was said; false: ask for all of it again.
    moved(m) {
        if (m.ply !== this.ply + 1) return m.ply <= this.ply && this.moves[m.ply - 1].text === m.move;
        this.pending = null;
        this.push(m.move);
        const by = sideNumber[m.by];
        if (this.offers.draw !== by) this.offers.draw = -1;
        if (m.draw) this.offers.draw = by;
        this.setClocks(m);
        return true;
    }

    tookBack(m) {
        if (m.ply > this.ply) return false;
        this.positions.length = m.ply + 1;
        this.moves.length = m.ply;
        this.pending = null;
        this.offers.takeback = -1;
        this.setClocks(m);
        return true;
    }

    turned(m) {
        if (m.ply !== this.ply) return false;
        this.setClocks(m);
        return true;
    }

    setClockState(m) {
        this.clockState = m.state;
        this.setClocks(m);
    }

    offered(m) {
        this.offers[m.kind] = sideNumber[m.by];
    }

    refused(m) {
        this.offers[m.kind] = -1;
    }

    renamed(m) {
        this.names[sideNumber[m.side]] = m.name;
    }

    end(m) {
        this.result = { outcome: m.outcome, reason: m.reason, side: m.side, words: m.words };
        this.clockState = "over";
        this.pending = null;
        this.clock.stop();
        this.offers.draw = this.offers.takeback = -1;
    }

    // How much the pieces of a side are worth more than the other's; 0 where they are not.
    lead(side, ply = this.ply) {
        const { worth } = rowOf(this.game);
        let sum = 0;
        for (const piece of this.positions[ply].board) if (piece) sum += sideOf(piece) === side ? worth[typeOf(piece)] : -worth[typeOf(piece)];
        return Math.max(0, sum);
    }

    // What each side has lost against the first position, as piece codes: [of side 0, of side 1].
    captured(ply = this.ply) {
        const count = new Map();
        for (const piece of this.positions[0].board) if (piece) count.set(piece, (count.get(piece) ?? 0) + 1);
        for (const piece of this.positions[ply].board) if (piece) count.set(piece, count.get(piece) - 1);
        const lost = [[], []];
        for (const [piece, times] of count) for (let i = 0; i < times; i++) lost[piece >> 3].push(piece);
        return lost;
    }
}
