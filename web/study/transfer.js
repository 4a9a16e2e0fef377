// Records in and out of a study: pasted, dropped or opened files of any format the server reads, and the position or the
// game as FEN, PGN, moves, XQF or contest record, copied or saved. What was typed stays until it has been understood.

import { el, clear, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { ApiError, sayError } from "../lib/api.js";
import { writes } from "../lib/catalogue.js";
import { gameNames } from "../games/index.js";
import { game as rulesOf, RulesError } from "../rules/index.js";
import { MoveTree } from "./tree.js";
import { readRecord, writeRecord } from "./record.js";
import { sayFault } from "./faults.js";

const LOOKS_LIKE_FEN = /^[a-zA-Z0-9]+(\/[a-zA-Z0-9]+){3,}(\s+\S+){0,5}$/;
const MOST_BYTES = 4 << 20; // of a body, as docs/api.md says

// --- reading ----------------------------------------------------------------------------------------

async function askServer(bytes, query) {
    let response;
    try {
        response = await fetch(`/api/v1/record?${new URLSearchParams(query)}`, { method: "POST", credentials: "same-origin", body: bytes });
    } catch {
        throw new ApiError("offline", "the server does not answer", 0);
    }
    if (response.ok) return response;
    const answer = await response.json().catch(() => ({}));
    throw new ApiError(answer.error ?? "http", answer.words ?? response.statusText, response.status);
}

// A lone FEN, of the game one is at or of another; throws where it looks like one and is none.
function readFen(text, own) {
    if (!LOOKS_LIKE_FEN.test(text)) return null;
    const ranks = text.split(/\s/)[0].split("/").length;
    const rules = [own, ...gameNames].map(rulesOf).find(({ rows }) => rows === ranks) ?? rulesOf(own);
    rules.parse(text);
    return { rules, fen: text };
}

// As much of a collection as the server takes at once, cut between two games where that can be seen. Files that are no
// text cannot be cut.
function cutToSize(bytes) {
    if (bytes.length <= MOST_BYTES) return bytes;
    if (bytes.subarray(0, 4096).includes(0)) throw new RulesError(t("study.tooLong"));
    const start = new TextDecoder("latin1").decode(bytes.subarray(0, MOST_BYTES)); // a character a byte
    const place = ["\n\n[", "\r\n\r\n[", "\n"].map((mark) => start.lastIndexOf(mark)).find((at) => at > 0);
    return bytes.subarray(0, place ?? MOST_BYTES);
}

// What a text or a file holds: [{rules, tree, headers, faults}], at least one.
export async function readStudies(bytes, name, own) {
    const text = new TextDecoder().decode(bytes);
    const fen = readFen(text.trim(), own);
    if (fen) return [{ rules: fen.rules, tree: new MoveTree(fen.rules, fen.fen), headers: {}, faults: [] }];
    const query = { game: own, ...(name ? { name } : {}) };
    const taken = cutToSize(bytes);
    const answer = await (await askServer(taken, query)).json();
    if (taken.length < bytes.length) answer.faults.unshift(t("study.onlySome"));
    return answer.games.map((found) => ({ ...readRecord(found), faults: [...answer.faults, ...(found.remarks ?? [])] }));
}

// --- writing ----------------------------------------------------------------------------------------

// The contest's own: SU-FIRST vs SECOND-RESULT-YYYYMMDDhhmm.txt
function contestName({ first, second, result, date }) {
    const verdict = { "first wins": "先手胜", "second wins": "后手胜", draw: "平局" }[result] ?? "未决胜";
    const [year, ...rest] = (date ?? "").match(/\d+/g) ?? [];
    const stamp = (year ?? "").padStart(4, "0") + [0, 1, 2, 3].map((at) => (rest[at] ?? "").padStart(2, "0")).join("");
    return `SU-${first || "先手方"} vs ${second || "后手方"}-${verdict}-${stamp}.txt`.replace(/[\\/:*?"<>|]/g, "_");
}

function save(bytes, name) {
    const link = el("a", { href: URL.createObjectURL(new Blob([bytes])), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // Without a secure page there is no clipboard; the old way still works.
        const area = el("textarea.unseen", { value: text });
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    toast(t("study.copied"));
}

const copyBytes = (bytes) => copy(new TextDecoder().decode(bytes));

// --- the panel --------------------------------------------------------------------------------------

export class Transfer {
    // onStudies(study) takes what was read.
    constructor(host, desk, { onStudies = null, mayImport = true }) {
        this.desk = desk;
        this.onStudies = onStudies;
        if (mayImport) host.append(this.#importer());
        this.exporter = el("div.export");
        host.append(this.exporter);
        this.#drawExport();
        this.stops = [desk.on("node", () => this.#drawFen()), desk.on("tree", () => this.#drawFen())];
    }

    destroy() {
        this.stops.forEach((stop) => stop());
    }

    #importer() {
        this.text = el("textarea", { id: "study-import", rows: 3, spellcheck: "false", placeholder: t("study.importHint") });
        this.says = el("p.says", { role: "alert" });
        this.choices = el("div.stack");
        const file = el("input", { type: "file", class: "unseen", accept: ".pgn,.xqf,.cbr,.cbl,.ubb,.txt,.html,.json,.moves,.fen,text/plain", tabindex: "-1", "aria-hidden": "true" });
        file.addEventListener("change", () => this.#open(file.files[0]).finally(() => (file.value = "")));
        const form = el("form.import",
            el("label.field", { for: "study-import" }, t("study.import")), this.text, this.says,
            el("div.row", el("button.primary", { type: "submit", text: t("study.read") }),
                el("button", { type: "button", text: t("study.openFile"), onclick: () => file.click() }), file),
            this.choices);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.take(new TextEncoder().encode(this.text.value));
        });
        return form;
    }

    async #open(file) {
        if (file) await this.take(new Uint8Array(await file.arrayBuffer()), file.name);
    }

    // A file dropped anywhere on the study.
    drop(file) {
        return this.#open(file);
    }

    async take(bytes, name) {
        this.says.textContent = "";
        clear(this.choices);
        try {
            if (!bytes.length) throw new RulesError(t("study.nothingTyped"));
            const studies = await readStudies(bytes, name, this.desk.rules.name);
            if (studies.length === 1) this.#chosen(studies[0]);
            else this.#choose(studies);
        } catch (error) {
            if (name) this.says.textContent = `${name}: `;
            this.says.textContent += error instanceof RulesError || error.code === "record" ? sayFault(error.words) : sayError(error);
        }
    }

    #choose(studies) {
        this.choices.append(el("p", { text: t("study.whichGame", { n: studies.length }) }), ...studies.map((study, at) =>
            el("button.found", { type: "button", text: this.#title(study, at), onclick: () => this.#chosen(study) })));
    }

    #title({ headers, tree }, at) {
        const names = headers.first || headers.second ? `${headers.first || "?"} – ${headers.second || "?"}` : t("study.gameNumber", { n: at + 1 });
        return `${names} · ${t("study.plies", { n: tree.mainline().length })}${headers.date ? ` · ${headers.date}` : ""}`;
    }

    #chosen(study) {
        this.text.value = "";
        clear(this.choices);
        if (study.faults.length) toast(sayFault(study.faults[0]));
        this.onStudies(study);
    }

    // --- out ---------------------------------------------------------------------------------------

    #drawExport() {
        this.fen = el("input.mono#study-fen", { readonly: true, value: this.desk.fen, onfocus: (event) => event.target.select() });
        const out = (key, action) => el("button", { type: "button", text: t(key), onclick: action });
        this.exporter.append(
            el("label.field", { for: "study-fen" }, t("study.fen")),
            el("div.row.fen-row", this.fen, out("study.copy", () => copy(this.fen.value))),
            el("p.row", out("study.copyLink", () => copy(location.href)),
                out("study.copyPgn", () => this.#written("pgn", copyBytes)), out("study.savePgn", () => this.#save("pgn")),
                out("study.copyMoves", () => this.#written("moves", copyBytes)), out("study.saveMoves", () => this.#save("moves", "txt")),
                writes(this.desk.entry, "xqf") && out("study.saveXqf", () => this.#save("xqf")),
                writes(this.desk.entry, "contest") &&
                    out("study.saveContest", () => this.#written("contest", (bytes) => save(bytes, contestName(this.desk.headers))))),
            (this.outSays = el("p.says", { role: "alert" })));
    }

    #drawFen() {
        this.fen.value = this.desk.fen;
    }

    #fileName() {
        const { first, second } = this.desk.headers;
        return (first && second ? `${first}-${second}` : `kraton-${this.desk.rules.name}`).replace(/[\\/:*?"<>|\s]+/g, "_");
    }

    // The server writes records: it knows the forms, and GBK.
    async #written(as, use) {
        this.outSays.textContent = "";
        try {
            use(await (await askServer(JSON.stringify(writeRecord(this.desk)), { as, format: "json" })).arrayBuffer());
        } catch (error) {
            this.outSays.textContent = error.code === "record" ? sayFault(error.words) : sayError(error);
        }
    }

    #save(format, extension = format) {
        return this.#written(format, (bytes) => save(bytes, `${this.#fileName()}.${extension}`));
    }
}
