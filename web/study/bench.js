// The workbench both views of a study share: the board with its bar, the engine's lines, the moves with their controls,
// the panels in tabs, the keys.

import { el, clear, useStyle, announce, toast } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { prefs } from "../lib/store.js";
import { play as playSound } from "../lib/sound.js";
import { ruleSetNames } from "../lib/catalogue.js";
import { outcomeWords } from "../lib/words.js";
import { rowOf } from "../games/index.js";
import { Board } from "../board/board.js";
import { boardOptions, boardPrefs, onBoardOptions } from "../play/boardprefs.js";
import { TypedMove } from "../play/typed.js";
import "../play/gamewords.js";
import { EngineLines } from "./lines.js";
import { MoveList } from "./list.js";
import { MARKS } from "./record.js";
import { Judge } from "./judge.js";
import { Tabs } from "./tabs.js";
import { useKeys, useWheel, walkKeys } from "../lib/keys.js";
import { sayFault } from "./faults.js";

export const style = (owner) => useStyle("/study/study.css", owner);

export class Bench {
    // engineKey: the preference that remembers whether the engine thinks along.
    constructor(host, desk, { orientation = 0, engineKey, engineOn }) {
        this.desk = desk;
        this.isQuick = false; // a walk too quick to animate
        this.isPaused = false;
        this.best = this.hinted = null; // moves shown as arrows
        this.onSpace = null; // what the space bar does
        this.onFlip = this.onTab = null; // told of a turned board, of an opened panel
        this.hasTabbed = false; // came to where the focus is by keyboard
        this.closers = [];
        this.#layout(host);
        this.board = new Board(this.boardHost, {
            game: desk.rules.name, orientation, interactive: "both",
            label: t("study.board"), ...boardOptions(desk.rules.name),
        });
        this.orientation = orientation;
        this.board.onMove = (move) => desk.play(move);
        this.list = new MoveList(this.listHost, desk);
        const onBest = (move) => {
            this.best = move;
            this.#drawArrows();
        };
        this.lines = new EngineLines(this.linesHost, this.barHost, desk, { key: engineKey, isOn: engineOn, onBest });
        this.#turnBar();
        this.judge = new Judge(desk, (outcome) => this.#drawOutcome(outcome));
        this.#listen();
        this.#drawPosition(null);
    }

    destroy() {
        for (const close of this.closers.reverse()) close();
        this.tabs.destroy();
        this.lines.destroy();
        this.judge.destroy();
        this.board.destroy();
    }

    onClose(fn) {
        this.closers.push(fn);
    }

    // --- layout ------------------------------------------------------------------------------------

    #layout(host) {
        this.head = el("div.study-head");
        this.barHost = el("div.bar-host");
        this.boardHost = el("div.board-host");
        this.above = el("div.player.above");
        this.below = el("div.player.below");
        this.outcome = el("p.outcome", { role: "status", hidden: true });
        this.under = el("div.under");
        this.linesHost = el("section.card.engine", { "aria-label": t("study.engine") });
        this.listHost = el("div.list-host");
        this.panelHost = el("section.card.panels");
        this.tabs = new Tabs(this.panelHost);
        this.tabs.onOpen = (key) => this.#tabOpened(key);
        host.classList.add("study-main");
        const { colours: [first, second], box: [width, height] } = rowOf(this.desk.rules.name);
        this.root = el("div.study", {
            class: [this.desk.isFixed && "replay", height > width && "tall"].filter(Boolean).join(" "),
            "data-game": this.desk.rules.name, "data-first": first, "data-second": second,
        },
            this.head,
            el("div.study-board", this.above, this.barHost, this.boardHost, this.below),
            this.linesHost,
            el("section.card.game", { "aria-label": t("study.moves") }, this.listHost, this.outcome, this.#controls(), this.#editRow()),
            this.under, this.panelHost);
        host.append(this.root);
    }

    // The layout makes room for what is open.
    #tabOpened(key) {
        this.root.dataset.panel = key;
        this.onTab?.(key);
    }

    #controls() {
        const { desk } = this;
        const button = (mark, key, action) => el("button.icon", { "aria-label": t(key), title: t(key), onclick: action }, icon(mark));
        this.moreControls = el("span.more");
        return el("div.controls",
            button("first", "study.first", () => desk.first()),
            button("back", "study.previous", () => desk.previous()),
            button("next", "study.next", () => desk.next()),
            button("last", "study.last", () => desk.last()),
            this.moreControls,
            button("flip", "study.flip", () => this.flip()));
    }

    #editRow() {
        const { desk } = this;
        this.promote = el("button.quiet", { text: t("study.promote"), title: t("study.promoteHint"), onclick: () => desk.promote() });
        this.remove = el("button.quiet", { text: t("study.delete"), title: t("study.deleteHint"), onclick: () => desk.remove() });
        this.say = el("button.quiet", { text: t("study.comment"), onclick: () => this.#openComment() });
        this.back = el("button.quiet", { text: t("study.undo"), title: t("study.undoHint"), hidden: true, onclick: () => desk.undo() });
        this.commentHost = el("div.comment-host");
        return el("div.edit-row", el("div.row", this.promote, this.remove, this.say, this.back, this.#typed()), this.commentHost);
    }

    // Every move can be typed, in any notation of the game.
    #typed() {
        const { desk } = this;
        const table = { game: desk.rules.name, isMyTurn: true, rules: desk.rules, get position() { return desk.position; } };
        return new TypedMove(table, (move) => desk.play(move)).node;
    }

    // The last of the panels: how the board looks and moves are written.
    addLooks() {
        const { desk } = this;
        this.tabs.add("looks", t("study.looks"), (panel) => {
            const looks = boardPrefs(desk.rules.name);
            looks.open = true;
            panel.append(looks);
            if (!rowOf(desk.rules.name).notation.everywhere) panel.append(this.#notation());
            if (!desk.isFixed) panel.append(this.#rules());
        });
        this.onClose(prefs.on(desk.notationKey, () => {
            desk.respelled();
            this.lines.draw();
        }));
    }

    #notation() {
        const { desk } = this;
        const choose = el("select", { value: desk.notation, onchange: () => prefs.set(desk.notationKey, choose.value) },
            rowOf(desk.rules.name).notation.choices.map((name) => el("option", { value: name, text: t(`notation.${desk.rules.name}.${name}`) })));
        return el("label.field.notation", t("prefs.notation"), choose);
    }

    // By which rules games end; a finished game has its own.
    #rules() {
        const { desk } = this;
        const names = ruleSetNames(desk.entry); // the default comes first
        const choose = el("select#study-rules", { value: desk.ruleSet || names[0] },
            names.map((name) => el("option", { value: name, text: t(`rules.${name}`) })));
        choose.addEventListener("change", () => {
            prefs.set(`study.rules.${desk.rules.name}`, choose.value);
            desk.setRules(choose.value);
        });
        return el("label.field.notation", t("study.rules"), choose);
    }

    #openComment() {
        if (this.commentHost.childElementCount) {
            clear(this.commentHost);
            return;
        }
        const { node } = this.desk;
        const text = el("textarea", { rows: 2, maxlength: 2000, value: node.comment, "aria-label": t("study.comment") });
        text.addEventListener("input", () => this.desk.comment(node, text.value.trim()));
        if (node.parent) this.commentHost.append(this.#markRow(node));
        this.commentHost.append(text);
        text.focus();
    }

    // The six marks of a move; it has one of them at most.
    #markRow(node) {
        const buttons = Object.entries(MARKS).map(([number, sign]) => {
            const mark = Number(number);
            const has = () => Boolean(node.marks?.includes(mark));
            const button = el("button.quiet", { type: "button", text: sign, "aria-pressed": String(has()), onclick: () => {
                const others = (node.marks ?? []).filter((each) => !MARKS[each]);
                this.desk.mark(node, has() ? others : [mark, ...others]);
                buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button && has())));
            } });
            return button;
        });
        return el("div.row.marks", { role: "group", "aria-label": t("study.marks") }, buttons);
    }

    // --- following the desk ------------------------------------------------------------------------

    #listen() {
        const { desk } = this;
        const keys = (event) => this.#key(event);
        const pointer = () => (this.hasTabbed = false);
        document.addEventListener("keydown", keys, true);
        document.addEventListener("pointerdown", pointer, true);
        this.onClose(() => document.removeEventListener("keydown", keys, true));
        this.onClose(() => document.removeEventListener("pointerdown", pointer, true));
        const life = new AbortController();
        this.onClose(() => life.abort());
        // They are only listed here: #key acts.
        useKeys(life.signal, [...walkKeys({}),
            { sign: "study.upDown", words: "study.siblings" }, { key: "l", words: "study.engineKey" }, { key: " ", words: "study.spaceKey" }]);
        useWheel(this.boardHost, life.signal, (by) => {
            const before = desk.node;
            if (this.isPaused) return false;
            if (by > 0) desk.next();
            else desk.previous();
            return desk.node !== before;
        });
        this.onClose(desk.on("tree", () => {
            this.list.draw();
            this.#drawButtons();
        }));
        this.onClose(desk.on("update", (node) => this.list.update(node)));
        this.onClose(desk.on("node", (from) => {
            this.list.mark(desk.node);
            clear(this.commentHost);
            this.hinted = null;
            if (!this.isPaused) this.#drawPosition(from);
        }));
        this.onClose(onBoardOptions(() => this.board.configure(boardOptions(desk.rules.name))));
    }

    // One step forward is shown as a move, everything else at once.
    #drawPosition(from) {
        const { desk } = this;
        const { node, tree, rules, position } = desk;
        const last = this.#lastMove(node);
        const isStep = from && node.parent === from;
        const how = { last, check: rules.inCheck(position) };
        if (isStep && !this.isQuick) {
            how.animateFrom = node.move;
            playSound(how.check ? "check" : node.move.capture ? "capture" : "move");
            announce(`${tree.mover(node).number}. ${desk.spell(node)}`);
        }
        this.board.set(position, how);
        this.#drawButtons();
    }

    // With its route, where it is a capture round the loops.
    #lastMove({ move, parent }) {
        const route = move?.capture && this.board.routeOf(this.desk.tree.position(parent), { from: move.from, to: move.to });
        return move && { from: move.from, to: move.to, routes: route ? [route] : [] };
    }

    #drawButtons() {
        const { desk } = this;
        const { node, tree } = desk;
        this.promote.disabled = tree.isMain(node) || desk.isFixed;
        this.remove.disabled = !node.parent || (desk.isFixed && tree.isMain(node));
        this.back.hidden = !desk.before;
    }

    // While the board serves another purpose, the editor's.
    pause(isPaused) {
        this.isPaused = isPaused;
        this.board.arrows([]);
        if (isPaused) return;
        this.board.configure({ interactive: "both" });
        this.#drawPosition(null);
        this.lines.draw();
    }

    // The engine's best move, and the one pointed at in an explorer.
    #drawArrows() {
        if (this.isPaused) return;
        const { rules, position } = this.desk;
        const arrows = [[this.best, "best"], [this.hinted, "second"]].flatMap(([text, name]) => {
            const move = text ? rules.find(position, text) : null;
            return move ? [{ from: move.from, to: move.to, class: name }] : [];
        });
        this.board.arrows(arrows);
    }

    // What explorers need of the workbench.
    get hints() {
        return { onHint: (move) => {
            this.hinted = move;
            this.#drawArrows();
        } };
    }

    #drawOutcome(found) {
        const isOver = Boolean(found) && found.outcome !== "ongoing";
        this.outcome.hidden = !isOver;
        if (!isOver) return;
        const colon = language() === "zh" ? "：" : ": ";
        this.outcome.textContent = outcomeWords(this.desk.rules.name, found.outcome) + colon + sayFault(found.words);
    }

    // The position and the way to it, given to others.
    async share() {
        const { rules, tree, node, fen } = this.desk, { openShare } = await import("../share/share.js");
        const line = tree.moves(node).join(",");
        const start = tree.fen === rules.start ? "" : `fen=${encodeURIComponent(tree.fen.replaceAll(" ", "_"))}`;
        const query = [start, line && `moves=${line}`].filter(Boolean).join("&");
        const tail = `/${rules.name}${query ? `?${query}` : ""}`;
        openShare({
            options: { game: rules.name, orientation: this.orientation, ...boardOptions(rules.name) }, position: this.desk.position,
            shown: { last: node.move ?? null }, link: `/study${tail}`, embed: `/embed${tail}`, name: `kraton-${fen.split(" ")[0].replaceAll("/", "-")}`,
        });
    }

    // The side at the bottom of the board.
    get bottom() {
        return this.orientation ^ rowOf(this.desk.rules.name).bottom;
    }

    #turnBar() {
        this.lines.setBottom(this.bottom, this.orientation);
    }

    flip() {
        this.orientation ^= 1;
        this.board.flip();
        this.#turnBar();
        this.onFlip?.(this.orientation);
    }

    // --- keys --------------------------------------------------------------------------------------

    // Arrows walk through the game unless somebody types, or steers the board by keyboard.
    #key(event) {
        const { target } = event;
        if (event.key === "Tab") this.hasTabbed = true;
        if (this.isPaused || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
        if (target.closest?.("input, textarea, select, dialog, [role=tab], [role=radio]")) return;
        if (this.boardHost.contains(target) && this.hasTabbed) return;
        const action = this.#actionOf(event.key);
        if (!action || (event.key === " " && target.closest?.("button, a, summary"))) return;
        event.preventDefault();
        event.stopPropagation();
        action();
    }

    #actionOf(key) {
        const { desk } = this;
        return {
            ArrowLeft: () => desk.previous(), ArrowRight: () => desk.next(),
            ArrowUp: () => desk.sibling(-1), ArrowDown: () => desk.sibling(1),
            Home: () => desk.first(), End: () => desk.last(),
            f: () => this.flip(),
            " ": this.onSpace,
            l: () => this.lines.turn(!this.lines.isOn),
        }[key];
    }
}

// What went wrong without anything being lost.
export const complain = (words) => toast(words, "error");
