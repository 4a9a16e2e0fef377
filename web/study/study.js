// /study/GAME: the analysis board. Any move for both sides, variations, our engine's lines, the explorers, a position
// editor, records in and out. The address holds the position, this browser the whole tree.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";
import { catalogue } from "../lib/catalogue.js";
import { gameName } from "../lib/words.js";
import { gameNames, isGame } from "../games/index.js";
import { navigate } from "../app.js";
import { game as rulesOf, RulesError } from "../rules/index.js";
import { Bench, complain, style } from "./bench.js";
import { Desk } from "./desk.js";
import { Keeper, openStudy, saveDraft } from "./draft.js";
import { sayFault } from "./faults.js";
import { MoveTree } from "./tree.js";
import "./words.js";

function chooseGame(params) {
    const wanted = params[0] ?? prefs.get("study.game");
    return isGame(wanted) ? wanted : gameNames[0];
}

/** What the address asks for; one that makes no sense is said and kept in the editor.
 * @returns {{tree: MoveTree, headers: object, node?: any, draft?: any, bad?: string, badFen?: string, words?: string}} */
function open(rules, query) {
    try {
        return openStudy(rules, query);
    } catch (error) {
        if (!(error instanceof RulesError)) throw error;
        return { tree: new MoveTree(rules), headers: {}, badFen: query.fen, words: error.words };
    }
}

class Study {
    // The board, the engine and the moves; `furnish` adds the rest.
    constructor(host, rules, query, signal) {
        this.signal = signal;
        this.host = host;
        const opened = (this.opened = open(rules, query));
        this.desk = new Desk(rules, null, opened.tree, opened.node);
        this.desk.headers = opened.headers;
        this.desk.ruleSet = prefs.get(`study.rules.${rules.name}`) ?? "";
        this.bench = new Bench(host, this.desk, {
            orientation: prefs.get(`study.orientation.${rules.name}`) ?? 0, engineKey: "study.engine", engineOn: true,
        });
        this.bench.onFlip = (orientation) => prefs.set(`study.orientation.${rules.name}`, orientation);
        this.editor = null;
        this.#head(rules, opened);
    }

    // entry: what the server says of the game; parts: the module of the panels.
    furnish(entry, parts) {
        const { opened } = this;
        this.desk.entry = entry;
        this.parts = parts;
        this.#panels();
        this.#dropping(this.host);
        if (opened.bad) complain(t("study.badMove", { move: opened.bad }));
        if (opened.words) this.#edit({ fen: opened.badFen, words: opened.words });
        else this.keeper = new Keeper(this.desk);
    }

    close() {
        this.keeper?.destroy();
        this.editor?.destroy();
        this.bench.destroy();
    }

    #head(rules, opened) {
        this.bench.head.append(
            el("h1.unseen", { text: t("study.title", { game: gameName(rules.name) }) }),
            el("nav.choices", { "aria-label": t("study.which") }, gameNames.map((name) =>
                el("a.choice", { href: `/study/${name}`, "aria-current": name === rules.name && "page", text: gameName(name) }))),
            el("button", { text: t("study.new"), onclick: () => this.desk.startAt(rules.start) }),
            el("button", { text: t("study.playOn"), onclick: () => this.#playOn() }),
            el("button", { text: t("app.share"), onclick: () => this.bench.share() }),
            opened.draft ? el("button.quiet", { text: t("study.backToDraft"), onclick: (event) => this.#useDraft(opened.draft, event.target) }) : "");
    }

    // Against a bot or a friend, from the position one stands on.
    async #playOn() {
        const { rules, fen } = this.desk;
        const { openSetup, setupStyle } = await import("../play/setup.js");
        await setupStyle(this.signal);
        openSetup(rules.name, "bot", fen === rules.start ? undefined : fen);
    }

    #useDraft(draft, button) {
        button.remove();
        this.desk.replace(draft.tree, draft.headers, draft.node);
    }

    #panels() {
        const { tabs } = this.bench;
        const { EndgameExplorer, OpeningExplorer, Transfer, openEndgames } = this.parts;
        tabs.add("openings", t("study.openings"), (panel) => new OpeningExplorer(panel, this.desk, this.bench.hints));
        if (this.desk.entry.has.tables) tabs.add("endgame", t("study.endgame"), (panel) => new EndgameExplorer(panel, this.desk, this.bench.hints));
        tabs.add("editor", t("study.editor"), (panel) => this.#editorPanel(panel));
        tabs.add("records", t("study.records"), (panel) => new Transfer(panel, this.desk, { onStudies: (study) => this.#take(study) }));
        this.bench.addLooks();
        const last = prefs.get("study.tab");
        tabs.open(last && last !== "editor" && tabs.tabs.some((tab) => tab.key === last) ? last : "openings");
        this.bench.onTab = (key) => key !== "endgame" && prefs.set("study.tab", key); // that one opens by itself
        if (this.desk.entry.has.tables) this.bench.onClose(openEndgames(this.desk, tabs));
    }

    // --- editing -----------------------------------------------------------------------------------

    // The editor is there as long as its panel is: it takes the board over.
    #editorPanel(panel) {
        return {
            show: (isShown) => {
                if (isShown && !this.editor) this.#beginEdit(panel);
                else if (!isShown && this.editor) this.#endEdit(panel);
            },
        };
    }

    #beginEdit(panel) {
        this.bench.pause(true);
        this.editor = new this.parts.Editor(panel, this.desk, this.bench.board, {
            onDone: (fen) => {
                this.bench.tabs.open("openings");
                this.desk.startAt(fen);
                this.keeper ??= new Keeper(this.desk);
            },
            onCancel: () => this.bench.tabs.open("openings"),
            onFlip: () => this.bench.flip(),
        });
    }

    #endEdit(panel) {
        this.editor.destroy();
        this.editor = null;
        panel.replaceChildren();
        this.bench.pause(false);
    }

    #edit({ fen, words }) {
        this.bench.tabs.open("editor");
        this.editor.type(fen, sayFault(words));
    }

    // --- records -----------------------------------------------------------------------------------

    #take({ rules, tree, headers }) {
        if (rules === this.desk.rules) {
            this.desk.replace(tree, headers);
            return;
        }
        saveDraft({ rules, tree, node: tree.root, headers });
        navigate(`/study/${rules.name}`);
    }

    #dropping(host) {
        const over = (event) => event.preventDefault();
        const drop = (event) => {
            const file = event.dataTransfer?.files[0];
            const text = event.dataTransfer?.getData("text");
            if ((!file && !text) || event.target.closest("textarea, input")) return;
            event.preventDefault();
            this.bench.tabs.open("records");
            const transfer = this.bench.tabs.made("records");
            if (file) transfer.drop(file);
            else transfer.take(new TextEncoder().encode(text));
        };
        host.addEventListener("dragover", over);
        host.addEventListener("drop", drop);
        this.bench.onClose(() => {
            host.removeEventListener("dragover", over);
            host.removeEventListener("drop", drop);
        });
    }
}

// The board stands before the panels are loaded: on a slow line that is a second earlier.
export async function show(host, { params, query, signal }) {
    const name = chooseGame(params);
    prefs.set("study.game", name);
    const panels = import("./panels.js").then((parts) => parts.panelStyle(signal).then(() => parts));
    const more = Promise.all([catalogue(), panels]);
    more.catch(() => {}); // told below
    await style(signal);
    const study = new Study(host, rulesOf(name), query, signal);
    try {
        const [entryOf, parts] = await more;
        if (!signal.aborted) study.furnish(entryOf(name), parts);
    } catch (error) {
        study.close();
        throw error;
    }
    return { close: () => study.close(), title: t("study.title", { game: gameName(name) }) };
}
