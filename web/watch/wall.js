// A wall of live games. Only what is on the screen is watched on the wire: a card that scrolls away
// is unwatched, and coming back it is brought up to date by the server's `game`.
import { say, on } from "../lib/socket.js";
import { gameNames } from "../games/index.js";
import { Card } from "./card.js";
import { ratingsOf } from "./ratings_known.js";

const LINGER = 6000; // how long a finished game stays to be seen

export class Wall {
    constructor(host, options = {}) {
        this.host = host;
        this.options = options; // showGame; onEnd(id): a game has ended; onStale(): the list is wanted
        this.cards = new Map();
        this.watched = new Set();
        this.observer = new IntersectionObserver((seen) => seen.forEach((one) => this.see(one)), { rootMargin: "100px" });
        this.timer = setInterval(() => this.tick(), 250);
        this.stop = [
            on("game", (m) => this.tell(m.id, (card) => card.setGame(m))),
            on("moved", (m) => this.tell(m.game, (card) => card.setMoved(m))),
            on("clock", (m) => this.tell(m.game, (card) => {
                card.setClocks(m);
                card.setState(m.state);
            })),
            on("tookback", (m) => this.tell(m.game, (card) => {
                card.isStale = true;
                card.setClocks(m);
            })),
            on("renamed", (m) => this.tell(m.game, (card) => card.setName(m.side === "second" ? 1 : 0, m.name))),
            on("result", (m) => this.end(m)),
        ];
    }

    // Shows these games, in this order; cards that are there already stay.
    set(rows) {
        const wanted = new Map(rows.map((row) => [row.id, row]));
        for (const card of this.cards.values())
            if (!wanted.has(card.id) && !card.isOver) this.remove(card);
        rows.forEach((row) => {
            const card = this.cards.get(row.id);
            if (card) card.setRow(row);
            else this.add(row);
        });
        this.rate();
    }

    add(row) {
        const card = new Card(row, this.options);
        this.cards.set(row.id, card);
        this.host.append(card.node);
        this.observer.observe(card.node);
    }

    remove(card) {
        this.unwatch(card.id);
        this.observer.unobserve(card.node);
        this.cards.delete(card.id);
        card.close();
    }

    see(entry) {
        const id = Number(entry.target.dataset.game);
        const card = this.cards.get(id);
        if (!card || card.isOver) return;
        if (!entry.isIntersecting) {
            this.unwatch(id);
        } else if (!this.watched.has(id)) {
            this.watched.add(id);
            say("watch", { game: id });
        }
    }

    unwatch(id) {
        if (this.watched.delete(id)) say("unwatch", { game: id });
    }

    tell(id, act) {
        const card = this.cards.get(id);
        if (!card || card.isOver) return;
        act(card);
        if (card.isStale && this.options.onStale) this.options.onStale();
    }

    end(message) {
        const card = this.cards.get(message.game);
        if (!card || card.isOver) return;
        this.unwatch(card.id);
        card.setResult(message);
        if (this.options.onEnd) this.options.onEnd(card.id);
        setTimeout(() => {
            if (this.cards.get(card.id) !== card) return;
            this.remove(card);
            if (this.options.onChange) this.options.onChange();
        }, LINGER);
    }

    async rate() {
        for (const game of gameNames) {
            const cards = [...this.cards.values()].filter((card) => card.game === game);
            if (!cards.length) continue;
            const ratings = await ratingsOf(game);
            cards.forEach((card) => card.setRatings(ratings));
        }
    }

    tick() {
        for (const id of this.watched) this.cards.get(id)?.tick();
    }

    close() {
        clearInterval(this.timer);
        this.observer.disconnect();
        this.stop.forEach((stop) => stop());
        for (const card of [...this.cards.values()]) this.remove(card);
    }
}
