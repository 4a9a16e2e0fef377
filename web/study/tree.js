// A game with variations: a tree whose first children are the main line. Positions are worked out when somebody looks
// at them, so that a game of a thousand moves is there at once.

const KEPT = ["marks", "used", "remaining"]; // of a node, besides its comment

export class MoveTree {
    constructor(rules, fen = rules.start) {
        this.rules = rules;
        this.count = 0;
        this.root = this.#make(null, null);
        this.root.known = rules.parse(fen);
        this.fen = rules.write(this.root.known);
        this.byId = new Map([[this.root.id, this.root]]);
    }

    #make(parent, move) {
        return { id: this.count++, parent, move, ply: parent ? parent.ply + 1 : 0, children: [], known: null, comment: "" };
    }

    // --- looking -----------------------------------------------------------------------------------

    node(id) {
        return this.byId.get(id);
    }

    // The position at a node, by way of the nearest one known. What lies between is not kept but for every
    // sixteenth, so a long game takes little memory and no jump is far.
    position(node) {
        const way = [];
        let at = node;
        for (; !at.known; at = at.parent) way.push(at);
        let position = at.known;
        for (let i = way.length - 1; i >= 0; i--) {
            way[i].move.capture = position.board[way[i].move.to] !== 0;
            position = this.rules.play(position, way[i].move);
            if (way[i].ply % 16 === 0 || i === 0) way[i].known = position;
        }
        return position;
    }

    // Whose move led here (0 or 1) and its number in the game.
    mover(node) {
        const half = this.root.known.side + node.ply - 1;
        return { side: half & 1, number: this.root.known.fullmove + (half >> 1) };
    }

    // The nodes from the root (left out) to this one.
    path(node) {
        const way = [];
        for (let at = node; at.parent; at = at.parent) way.push(at);
        return way.reverse();
    }

    moves(node) {
        return this.path(node).map((each) => each.move.text);
    }

    // The last position that cannot be come to again, and the moves since: all a judge or an engine needs.
    since(node, most = 400) {
        let at = node;
        const moves = [];
        while (at.parent && !at.move.capture && moves.length < most) {
            moves.push(at.move.text);
            at = at.parent;
        }
        return { fen: this.rules.write(this.position(at)), moves: moves.reverse() };
    }

    mainline(from = this.root) {
        const line = [];
        for (let at = from.children[0]; at; at = at.children[0]) line.push(at);
        return line;
    }

    isMain(node) {
        for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
        return true;
    }

    end(node) {
        while (node.children.length) node = node.children[0];
        return node;
    }

    // --- changing ----------------------------------------------------------------------------------

    // The node of that move, which is made where there is none yet.
    play(node, move) {
        const there = node.children.find((child) => child.move.text === move.text);
        if (there) return there;
        const { from, to, text, capture } = move;
        const made = this.#make(node, { from, to, text, capture });
        node.children.push(made);
        this.byId.set(made.id, made);
        return made;
    }

    // Plays moves given as text; returns where that led, and the first word that is no move there.
    playTexts(node, texts) {
        for (const text of texts) {
            const move = this.rules.find(this.position(node), text);
            if (!move) return { node, bad: text };
            node = this.play(node, move);
        }
        return { node, bad: null };
    }

    // One step towards the main line: before its elder siblings, or the variation's first move before its own.
    promote(node) {
        let at = node;
        while (at.parent && at.parent.children[0] === at) at = at.parent;
        if (!at.parent) return;
        const among = at.parent.children;
        among.splice(among.indexOf(at), 1);
        among.unshift(at);
    }

    // Takes the node and all behind it away; returns what puts it back.
    remove(node) {
        const among = node.parent.children;
        const place = among.indexOf(node);
        const all = [node];
        for (let i = 0; i < all.length; i++) all.push(...all[i].children);
        among.splice(place, 1);
        for (const each of all) this.byId.delete(each.id);
        return () => {
            among.splice(place, 0, node);
            for (const each of all) this.byId.set(each.id, each);
        };
    }

    // --- keeping -----------------------------------------------------------------------------------

    // {fen, comment, nodes: [[parent's place, move, comment, {marks, used, remaining}]]}: parents before children.
    save() {
        const nodes = [];
        const place = new Map([[this.root, -1]]);
        const wait = [...this.root.children].reverse();
        for (let at; (at = wait.pop());) {
            place.set(at, nodes.length);
            const more = Object.fromEntries(KEPT.filter((name) => at[name] !== undefined).map((name) => [name, at[name]]));
            const row = [place.get(at.parent), at.move.text, at.comment, more];
            nodes.push(Object.keys(more).length ? row : row.slice(0, at.comment ? 3 : 2));
            wait.push(...[...at.children].reverse());
        }
        return { fen: this.fen, comment: this.root.comment, nodes };
    }

    static load(rules, saved) {
        const tree = new MoveTree(rules, saved.fen);
        tree.root.comment = saved.comment ?? "";
        const made = [];
        for (const [parent, text, comment, more] of saved.nodes) {
            const node = tree.play(parent < 0 ? tree.root : made[parent], readNative(rules, text));
            Object.assign(node, { comment: comment ?? "" }, more);
            made.push(node);
        }
        return tree;
    }
}

// A move by its native text (c2-c3, c2xf4, h2e2), without asking whether it can be played. Some games'
// text does not say whether it captures; the board does when it comes to that.
export function readNative(rules, text) {
    const found = /^([a-i]\d+)([-x]?)([a-i]\d+)$/.exec(text);
    const from = found ? rules.pointOf(found[1]) : -1;
    const to = found ? rules.pointOf(found[3]) : -1;
    if (!(from >= 0) || !(to >= 0)) throw new Error(`no move: ${text}`);
    return { from, to, text, capture: found[2] === "x" };
}
