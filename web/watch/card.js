// One live game as a card: a small board between two players with their clocks. It shows what it is
// told; who follows the game on the wire is the wall's business.
import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatClock } from "../lib/clock.js";
import { prefs } from "../lib/store.js";
import { Board } from "../board/board.js";
import { game as rulesOf } from "../rules/index.js";
import { controlWords, gameName, outcomeScore, playerName, reasonWords } from "../lib/words.js";
import { rowOf } from "../games/index.js";
import { gamePath, when } from "./common.js";

function playerRow(name) {
    const clock = el("span.card-clock");
    const rating = el("span.card-rating");
    const label = el("span.card-name", { text: playerName(name) });
    return { row: el("div.card-player", {}, label, rating, clock), label, clock, rating };
}

export class Card {
    constructor(row, options = {}) {
        this.id = row.id;
        this.game = row.game;
        this.rules = rulesOf(row.game);
        this.names = [row.first_name, row.second_name];
        this.players = this.names.map(playerRow);
        this.boardHost = el("div.card-board");
        this.footer = el("div.card-footer", {},
            el("span", { text: options.showGame === false ? "" : gameName(row.game) }),
            el("span.card-ply"), el("span", { text: controlWords(row.tc) }));
        const above = rowOf(row.game).bottom ^ 1;
        this.node = el("a.card.live-card", { href: gamePath(row.id), "data-game": row.id },
            this.players[above].row, this.boardHost, this.players[above ^ 1].row, this.footer);
        this.board = new Board(this.boardHost, {
            game: row.game, coordinates: false, interactive: "none", small: true, animate: false,
            theme: prefs.get("boardTheme"), pieces: prefs.get("pieces"), label: this.names.map(playerName).join(" – "),
        });
        this.clocks = null;
        this.isOver = false;
        this.setRow(row);
    }

    // A line of the server's list: it counts where the card does not know more already.
    setRow(row) {
        if (this.isOver || (this.position && this.ply >= row.plies && !this.isStale)) return;
        this.isStale = false;
        this.ply = row.plies;
        this.place(this.rules.parse(row.position), row.last);
    }

    // The whole game, as it comes when one begins to watch.
    setGame(message) {
        if (message.ply < this.ply) this.restart(message);
        for (const text of message.moves.slice(this.ply)) this.play(text);
        this.setClocks(message);
        this.setState(message.clock);
        this.draw();
    }

    restart(message) {
        this.position = this.rules.parse(message.fen || this.rules.start);
        this.ply = 0;
        this.last = null;
    }

    setMoved(message) {
        if (message.ply === this.ply + 1) this.play(message.move);
        else if (message.ply !== this.ply) this.isStale = true;
        this.setClocks(message);
        this.draw();
    }

    play(text) {
        const move = this.rules.find(this.position, text);
        if (!move) {
            this.isStale = true;
            return;
        }
        this.position = this.rules.play(this.position, move);
        this.last = move;
        this.ply++;
    }

    // Where the list names the last move, its two points are worth showing too.
    place(position, last) {
        this.position = position;
        const named = (last || "").match(/[a-i]\d/gi);
        this.last = named && named.length === 2
            ? { from: this.rules.pointOf(named[0]), to: this.rules.pointOf(named[1]) } : null;
        this.draw();
    }

    draw() {
        this.board.set(this.position, { last: this.last });
        this.footer.querySelector(".card-ply").textContent = t("watch.moves", { count: Math.ceil(this.ply / 2) });
    }

    setClocks(message) {
        this.clocks = [message.first, message.second];
        this.since = performance.now();
        this.state = this.state || "running";
        this.tick();
    }

    setState(state) {
        this.state = state;
        this.tick();
    }

    setName(side, name) {
        this.names[side] = name;
        this.players[side].label.textContent = playerName(name);
    }

    setRatings(ratings) {
        this.names.forEach((name, side) => {
            this.players[side].rating.textContent = ratings.get(name) || "";
        });
    }

    // The points beside the names, and the reason below; a game that was followed to its end says it aloud.
    setResult(message, isLoud = true) {
        const share = { "first wins": ["1", "0"], "second wins": ["0", "1"], draw: ["½", "½"] }[message.outcome] ?? ["", ""];
        this.isOver = true;
        this.node.classList.add("is-over");
        this.node.href = gamePath(this.id, true);
        this.players.forEach(({ clock, row }, side) => {
            clock.textContent = share[side];
            row.classList.remove("is-turn");
        });
        this.footer.replaceChildren(el("span", { text: reasonWords(message.reason) }), el("span", { text: when(message.ended) }));
        if (isLoud)
            this.boardHost.append(el("div.card-result", {},
                el("b", { text: outcomeScore(message.outcome) }), el("span", { text: reasonWords(message.reason) })));
    }

    tick() {
        if (!this.clocks || this.isOver) return;
        const runs = this.state === "running";
        const gone = (performance.now() - this.since) * 1000;
        this.players.forEach(({ clock, row }, side) => {
            const left = this.clocks[side];
            const isTurn = runs && this.position.side === side;
            const words = left < 0 ? "" : formatClock(Math.max(0, left - (isTurn ? gone : 0)));
            if (clock.textContent !== words) clock.textContent = words; // most ticks change nothing: no new layout
            if (row.classList.contains("is-turn") !== isTurn) row.classList.toggle("is-turn", isTurn);
        });
    }

    close() {
        this.board.destroy();
        this.node.remove();
    }
}
