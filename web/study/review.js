// What is known of every position of a finished game: the scores its programs sent, or our engine's review of the whole
// game, which the server makes once and keeps. Scores and marks go to the tree's nodes.

import { get, post } from "../lib/api.js";
import { fromFirst } from "./score.js";

const POLL_MS = 600;

export class Review {
    // onChange() whenever there is more; its state: none, waiting, running, done.
    constructor(desk, id, onChange) {
        this.desk = desk;
        this.id = id;
        this.onChange = onChange;
        this.line = [desk.tree.root, ...desk.tree.mainline()];
        this.state = "none";
        this.known = 0;
        this.problem = null;
        this.timer = 0;
    }

    destroy() {
        clearTimeout(this.timer);
        this.isGone = true;
    }

    // The programs' own opinions: each is of the position behind its move.
    takeSpoken(moves) {
        moves.forEach((move, at) => {
            const node = this.line[at + 1];
            const seen = node && fromFirst(move, this.desk.tree.mover(node).side);
            if (seen) Object.assign(node, { seen, mark: move.mark ?? "" });
        });
        this.#tell(1);
    }

    get hasScores() {
        return this.line.some((node) => node.seen);
    }

    // --- ours --------------------------------------------------------------------------------------

    // Whether there is one already; it is not asked for.
    look() {
        return this.#take(() => get(`/games/${this.id}/analysis`));
    }

    ask() {
        return this.#take(() => post(`/games/${this.id}/analysis`));
    }

    async #take(request) {
        try {
            const answer = await request();
            if (this.isGone) return;
            this.problem = null;
            this.#use(answer);
        } catch (error) {
            if (this.isGone) return;
            this.problem = error;
            this.state = "none";
        }
        this.onChange();
    }

    #use({ state, plies, done, positions }) {
        this.state = state;
        this.total = plies + 1;
        this.known = done;
        let least = this.line.length;
        for (const { ply, best, mark, ...score } of positions) {
            const node = this.line[ply];
            if (!node) continue;
            node.seen = fromFirst(score, 0); // the server's are from the first side's view
            node.best = best;
            node.mark = mark ?? "";
            least = Math.min(least, ply);
        }
        this.#tell(least);
        clearTimeout(this.timer);
        // Positions are looked at in order: only what is new is asked for.
        if (state === "running" || state === "waiting")
            this.timer = setTimeout(() => this.#take(() => get(`/games/${this.id}/analysis`, { from: Math.max(0, done - 1) })), POLL_MS);
    }

    // Tells the views which nodes have another score or mark.
    #tell(from) {
        this.hasNewMarks = false;
        for (let ply = Math.max(1, from); ply < this.line.length; ply++) {
            const before = this.line[ply - 1];
            const node = this.line[ply];
            const told = JSON.stringify([node.seen, node.mark, node.mark && before.best]);
            if (told === node.told) continue;
            if (node.mark || node.markTold) this.hasNewMarks = true;
            Object.assign(node, { told, markTold: node.mark });
            this.desk.updated(node);
        }
    }

    // How often each side erred: [[dubious, mistakes, blunders], ...]
    count() {
        const counts = [[0, 0, 0], [0, 0, 0]];
        for (const node of this.line.slice(1)) {
            const kind = ["?!", "?", "??"].indexOf(node.mark);
            if (kind >= 0) counts[this.desk.tree.mover(node).side][kind]++;
        }
        return counts;
    }
}
