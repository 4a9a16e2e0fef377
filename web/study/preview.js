// A small board beside an engine's line: how it would look after the move pointed at.

import { el } from "../lib/dom.js";
import { prefs } from "../lib/store.js";
import { Board } from "../board/board.js";

export class Preview {
    constructor(host, game) {
        this.node = el("div.preview", { hidden: true, "aria-hidden": "true" });
        host.append(this.node);
        this.game = game;
        this.board = null; // made when it is first needed
    }

    show(position, last, orientation) {
        this.board ??= new Board(this.node, { game: this.game, small: true });
        this.board.configure({ orientation, theme: prefs.get("boardTheme"), pieces: prefs.get("pieces") });
        this.board.set(position, { last });
        this.node.hidden = false;
    }

    hide() {
        this.node.hidden = true;
    }

    destroy() {
        this.board?.destroy();
    }
}
