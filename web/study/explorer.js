// Two explorers of the position one stands on: openings by name with what was played here and how it went, and
// endgames with what the tables say of every move, best first.

import { el, clear } from "../lib/dom.js";
import { t, language } from "../lib/i18n.js";
import { sayError } from "../lib/api.js";
import { get } from "../engine/answers.js";
import { sideName } from "../lib/words.js";

const SETTLE_MS = 150;
const NAMED_PLIES = 100; // no opening is longer

// What both do: ask when one has come to rest, keep the answer with the node, show it unless one has gone on.
class Explorer {
    key = ""; // of the node's property that keeps the answer

    /** @returns {Promise<any>} */
    async ask(_node) { throw new Error("a kind of explorer knows what to ask"); }

    draw(_answer) { throw new Error("a kind of explorer knows how to draw it"); }

    // onHint(move or null): one is pointed at.
    constructor(host, desk, { onHint }) {
        this.desk = desk;
        this.node = el("div.explorer", { onclick: (event) => this.#pick(event) });
        const hint = (event) => onHint(event.target.closest("[data-move]")?.dataset.move ?? null);
        for (const kind of ["pointerover", "focusin"]) this.node.addEventListener(kind, hint);
        for (const kind of ["pointerleave", "focusout"]) this.node.addEventListener(kind, () => onHint(null));
        this.isShown = false;
        this.timer = 0;
        host.append(this.node);
        this.stop = desk.on("node", () => this.look());
    }

    destroy() {
        clearTimeout(this.timer);
        this.stop();
    }

    show(isShown) {
        this.isShown = isShown;
        if (isShown) this.look();
    }

    #pick(event) {
        const row = event.target.closest("[data-move]");
        if (row) this.desk.playTexts([row.dataset.move]);
    }

    look() {
        clearTimeout(this.timer);
        if (!this.isShown) return;
        const { node } = this.desk;
        const known = node[this.key];
        if (known) this.draw(known);
        else this.timer = setTimeout(() => this.#ask(node), SETTLE_MS);
    }

    async #ask(node) {
        let answer;
        try {
            answer = { found: await this.ask(node) };
        } catch (error) {
            answer = { error };
        }
        if (!answer.error || answer.error.code !== "offline") node[this.key] = answer;
        if (node === this.desk.node && this.isShown) this.draw(answer);
    }

    drawError(error) {
        clear(this.node).append(el("p.muted", { text: sayError(error) }),
            error.code === "offline" && el("button", { text: t("app.again"), onclick: () => this.look() }));
    }
}

// --- endgames ---------------------------------------------------------------------------------------

export class EndgameExplorer extends Explorer {
    key = "tables";

    ask(node) {
        const { tree, rules, ruleSet } = this.desk;
        return get(`/tables/${rules.name}`, { fen: rules.write(tree.position(node)), rules: ruleSet });
    }

    draw({ found, error }) {
        const pieces = this.desk.position.board.filter(Boolean).length;
        if (error) {
            if (error.code !== "tables") this.drawError(error);
            else this.#drawNone(/rules/.test(error.words) ? "study.noTablesRules" : "study.noTables", pieces);
            return;
        }
        const rows = found.moves.map((move) =>
            el("button.table-move", { class: move.value, "data-move": move.move },
                el("span.name", { text: move.move }),
                el("span.value", { text: t(`study.${move.value}`) }),
                el("span.distance", { text: this.#distance(move), "data-plies": move.distance ?? "" })));
        const { side } = this.desk.position;
        const winner = sideName(this.desk.rules.name, found.value === "loss" ? side ^ 1 : side);
        const way = this.#distance(found);
        clear(this.node).append(
            el("p.verdict", { class: found.value },
                el("strong", { text: t(found.value === "draw" ? "study.verdict.draw" : "study.verdict.wins", { side: winner }) }),
                way && el("span", { text: t("study.verdict.way", { way }) })),
            rows.length ? el("div.table-moves", rows) : el("p.muted", { text: t("study.noMovesLeft") }));
    }

    // Says how far the tables go, too, when that is known.
    async #drawNone(key, pieces) {
        const words = el("p.muted", { text: t(key, { pieces }) });
        clear(this.node).append(words);
        if (key !== "study.noTables") return;
        const { tables } = await get("/tables").catch(() => ({ tables: [] }));
        const most = Math.max(0, ...tables.map((each) => each.pieces));
        if (most && words.isConnected) words.append(" ", t("study.tablesTo", { n: most }));
    }

    // How far the capture is that keeps the value, in moves of whoever makes it; 0 where waiting keeps it.
    #distance({ distance }) {
        if (distance === null) return "";
        const moves = Math.ceil(distance / 2);
        return distance === 0 ? t("study.byWaiting") : t(moves === 1 ? "study.captureNow" : "study.captureIn", { n: moves });
    }
}

// Opens the panel of endgames when one comes to a position that the tables know, and what was open before when one leaves
// it. Whoever has opened another panel meanwhile is left alone. Returns how to stop it.
export function openEndgames(desk, tabs) {
    let most = 0; // pieces
    let before = null; // the panel that was open
    const look = () => {
        const isKnown = desk.position.board.filter(Boolean).length <= most;
        if (isKnown && before === null && ["openings", "looks"].includes(tabs.current)) {
            before = tabs.current;
            tabs.open("endgame");
        } else if (!isKnown && before !== null) {
            if (tabs.current === "endgame") tabs.open(before);
            before = null;
        }
    };
    get("/tables").then(({ tables }) => {
        most = Math.max(0, ...tables.map(({ pieces }) => pieces));
        look();
    }).catch(() => {});
    return desk.on("node", look);
}

// --- openings ---------------------------------------------------------------------------------------

export class OpeningExplorer extends Explorer {
    key = "openings";

    ask(node) {
        const { tree, rules } = this.desk;
        // With the way there the name is that of the last position that has one.
        const way = { fen: tree.fen, moves: tree.moves(node).join(" ") };
        return get(`/openings/${rules.name}`, node.ply <= NAMED_PLIES ? way : { fen: rules.write(tree.position(node)) });
    }

    draw({ found, error }) {
        if (error) {
            this.drawError(error);
            return;
        }
        const all = found.moves.reduce((sum, move) => sum + move.games, 0);
        clear(this.node).append(this.#name(found.name), found.moves.length
            ? el("div.opening-moves", found.moves.map((move) => this.#row(move, all)))
            : el("p.muted", { text: t("study.neverPlayed") }));
    }

    #name(name) {
        if (!name) return this.desk.entry.has.opening_names ? el("p.opening-name.muted", { text: t("study.noName") }) : "";
        const own = language() === "zh" ? name.zh : name.en;
        const other = language() === "zh" ? name.en : name.zh;
        return el("p.opening-name", name.code && el("span.badge", { text: name.code }), el("strong", { text: own || other }),
            own && other && el("span.muted", { text: other, lang: language() === "zh" ? "en" : "zh" }));
    }

    #row(move, all) {
        const percent = (n, of) => `${((n / Math.max(1, of)) * 100).toFixed(0)}%`;
        const [first, draws, second] = [move.first, move.draws, move.second].map((n) => percent(n, move.games));
        const says = t("study.openingSays", { n: move.games, first, draws, second });
        const leads = move.name ? move.name[language() === "zh" ? "zh" : "en"] : "";
        return el("button.opening-move", { "data-move": move.move, title: move.games ? says : t("study.neverPlayedMove") },
            el("span.name", { text: this.desk.spellText(this.desk.node, move.move) }),
            el("span.leads", { text: leads }),
            move.games > 0 && el("span.count", { text: move.games, title: percent(move.games, all) }),
            move.games > 0 && el("span.bar", { role: "img", "aria-label": says },
                ["first", "draws", "second"].map((kind) => part(kind, move[kind], move.games))));
    }
}

// A part of the bar, with its share where there is room for it.
function part(kind, n, games) {
    const text = n / games >= 0.16 ? `${((n / games) * 100).toFixed(0)}%` : "";
    return n > 0 && el(`span.${kind}`, { style: { "flex-grow": n }, text });
}
