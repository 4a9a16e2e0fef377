// One board of a lesson. A task says what to reach and answers with praise or another try; a free one lets its
// side move again and again; a tour runs a stone round a circuit; ways shows where any piece would run.
import { el } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";
import { Board } from "../board/board.js";
import { game as gameRules } from "../rules/index.js";

// Whose move it is does not change while somebody tries things out.
const sameSide = (position, side) => ({ ...position, side });

const goals = {
    capture: (rules, goal, move) => move.capture && move.to === rules.pointOf(goal),
    reach: (rules, goal, move) => move.to === rules.pointOf(goal),
    clear: (rules, goal, move, position) => !position.board.some((piece) => piece && (piece >> 3) !== goal),
    all: (rules, goal, move, position, start) => goal.every((name) => position.board[rules.pointOf(name)] !== start.board[rules.pointOf(name)]),
    mate: (rules, goal, move, position) => rules.moves(position).length === 0,
};

function learned(game, id) {
    const kept = prefs.get("learned") ?? {};
    return { is: Boolean(kept[`${game}.${id}`]), keep: () => prefs.set("learned", { ...(prefs.get("learned") ?? {}), [`${game}.${id}`]: true }) };
}

class Example {
    constructor(game, example, looks, onDone) {
        this.onDone = onDone;
        this.rules = gameRules(game);
        this.example = example;
        this.start = this.rules.parse(example.fen);
        this.side = this.start.side;
        this.done = learned(game, example.id);
        this.says = el("p.lesson-says", { role: "status" });
        this.place = el("div.lesson-board");
        this.tools = el("div.row.lesson-tools");
        this.node = el("figure.lesson-example", { class: this.done.is ? "done" : "", "data-example": example.id },
            el("figcaption", el("span.tick", { "aria-hidden": "true", text: "✓" }), el("span", { text: example[language()] })), this.place, this.says, this.tools);
        this.board = new Board(this.place, { game, ...looks, animate: looks.animate || example.kind === "tour", label: example[language()] });
        this.board.onMove = (move) => this.played(move);
        this.addTools();
        this.reset();
    }

    tool(name, key, onclick) {
        this.tools.append(el("button", { class: name, text: t(key), onclick: () => onclick.call(this) }));
    }

    addTools() {
        const { kind, solution } = this.example;
        if (kind === "tour") {
            this.tool("inner", "learn.inner", () => this.tour(0));
            this.tool("outer", "learn.outer", () => this.tour(1));
            return;
        }
        this.tool("again", "learn.again", this.reset);
        if (solution) this.tool("show", "learn.show", this.demonstrate);
    }

    reset() {
        clearTimeout(this.timer);
        this.plies = 0;
        this.position = this.start;
        this.board.configure({ interactive: this.mode() });
        this.board.set(this.position);
        this.node.classList.remove("solved");
        this.board.mark((this.example.marks ?? []).map((name) => ({ point: this.rules.pointOf(name), class: "goal" })));
        this.say("");
        if (this.example.kind === "ways") this.showWays();
    }

    mode() {
        if (this.example.kind === "ways" || this.example.kind === "tour") return "none";
        return this.example.both ? "both" : this.side ? "second" : "first";
    }

    say(words, mood = "") {
        this.says.textContent = words;
        this.says.dataset.mood = mood;
    }

    // --- playing ---

    played(move) {
        const after = this.rules.play(this.position, move), { kind, goal } = this.example;
        this.plies++;
        const name = Object.keys(goal ?? {})[0];
        const reached = Boolean(name) && goals[name](this.rules, goal[name], move, after, this.start);
        this.position = kind === "game" || reached && name === "mate" ? after : sameSide(after, this.side);
        this.board.set(this.position, { last: move, animateFrom: move });
        if (!goal) this.say(this.comment(move), "fine");
        else if (reached) this.succeed();
        else if (this.plies >= (this.example.solution?.length ?? 1)) this.fail();
        else this.say(t("learn.goOn", { n: this.example.solution.length - this.plies }));
    }

    comment(move) {
        if (!move.capture) return t("learn.stepped", { from: this.rules.pointName(move.from), to: this.rules.pointName(move.to) });
        const loops = move.routes[0]?.loops;
        return loops ? t(loops === 1 ? "learn.oneLoop" : "learn.loops", { n: loops }) : t("learn.took");
    }

    succeed() {
        this.node.classList.add("solved", "done");
        this.done.keep();
        this.onDone();
        this.board.mark([]);
        this.board.configure({ interactive: "none" });
        this.say(this.example[`${language()}Done`] ?? t("learn.right"), "good");
    }

    fail() {
        this.say(t("learn.wrong"), "bad");
        this.timer = setTimeout(() => this.reset(), 1800);
    }

    demonstrate() {
        this.reset();
        const left = [...this.example.solution];
        const next = () => {
            const move = left.length && this.rules.find(this.position, left.shift());
            if (!move) return;
            this.played(move);
            if (left.length) this.timer = setTimeout(next, 1900);
        };
        next();
    }

    configure(options) {
        this.board.configure(options);
    }

    destroy() {
        clearTimeout(this.timer);
        this.board.destroy();
    }

    // --- circuits ---

    // A stone once round a circuit, over all its four loops.
    tour(circuit) {
        const stations = this.rules.circuits[circuit], points = [...stations, stations[0]];
        const position = { ...this.start, board: new Int8Array(this.rules.points) };
        position.board[points[0]] = 1;
        const way = { from: points[0], to: points[0], routes: [{ circuit, points, loops: 4 }] };
        this.board.set(position);
        this.board.set(position, { animateFrom: way });
        this.say(t(circuit ? "learn.outerSaid" : "learn.innerSaid"));
    }

    // Clicking any piece shows where its circuits would lead it, and which of these ways capture.
    showWays() {
        this.board.onPoint = (point) => {
            const piece = this.position.board[point];
            if (!piece) return;
            const mover = sameSide(this.position, piece >> 3), ways = this.rules.ways(mover, point);
            const moves = this.rules.moves(mover).filter((move) => move.from === point);
            const captures = moves.reduce((n, move) => n + move.routes.length, 0), words = { point: this.rules.pointName(point), ways: ways.length, captures };
            this.board.marks.select({ from: point, moves, reach: [], ways });
            this.say(t(!ways.length ? "learn.corner" : captures ? "learn.ways" : "learn.noWays", words));
        };
    }
}

export function drawExample(game, example, looks, boards, onDone) {
    const made = new Example(game, example, looks, onDone);
    boards.push(made);
    return made.node;
}
