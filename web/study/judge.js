// How the game stands where one is: mate, repetition and counting are the server's or the engine's to say, by the moves since the last
// capture. Asked when one has come to rest, and once a node.

import { get } from "../engine/answers.js";

const SETTLE_MS = 120;

export class Judge {
    // onOutcome(answer of GET /position or null)
    constructor(desk, onOutcome) {
        this.desk = desk;
        this.onOutcome = onOutcome;
        this.timer = 0;
        this.stop = desk.on("node", () => this.look());
        this.look();
    }

    destroy() {
        clearTimeout(this.timer);
        this.stop();
    }

    look() {
        clearTimeout(this.timer);
        const { node } = this.desk;
        this.onOutcome(node.outcome ?? null);
        if (!node.outcome) this.timer = setTimeout(() => this.#ask(node), SETTLE_MS);
    }

    async #ask(node) {
        const { tree, rules, ruleSet } = this.desk;
        const { fen, moves } = tree.since(node);
        try {
            const { outcome, words } = await get(`/position/${rules.name}`, { fen, moves: moves.join(" "), rules: ruleSet });
            node.outcome = { outcome, words };
        } catch {
            return; // the board knows all but who has won by counting
        }
        if (node === this.desk.node) this.onOutcome(node.outcome);
    }
}
