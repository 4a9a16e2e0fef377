// Engines in this browser: loads the program of a game when it is first asked for, and runs it in workers.

// A function that returns a vector: the shortest program that only browsers with SIMD accept.
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11);
const modules = new Map(); // game -> promise of its compiled program, null where there is none
const found = new Map(); // game -> what that promise gave

async function load(game) {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") return null;
    const kind = WebAssembly.validate(SIMD) ? "" : "-plain";
    const response = await fetch(new URL(`../engines/kraton-${game}${kind}.wasm`, import.meta.url));
    if (!response.ok) return null;
    return WebAssembly.compile(await response.arrayBuffer());
}

// Resolves to the program of a game, or null where this server has none or the browser cannot run it. A failed download
// is tried again by the next who asks.
export function program(game) {
    if (!modules.has(game)) {
        const asked = load(game);
        modules.set(game, asked);
        asked.then((module) => found.set(game, module), () => modules.delete(game));
    }
    return modules.get(game).catch(() => null);
}

// The program is there, but does not run.
export function giveUp(game) {
    found.set(game, null);
    modules.set(game, Promise.resolve(null));
}

// Whether the game's program may be there: true until the contrary is known.
export const mayThink = (game) => found.get(game) !== null;

// One engine in a worker of its own. Questions are answered one after the other.
export class Thinker {
    constructor(module) {
        this.module = module;
        this.last = 0;
        this.pending = new Map(); // id -> {resolve, reject, onLine}
        this.#begin();
    }

    #begin() {
        this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        this.worker.onmessage = ({ data }) => this.#hear(data);
        this.worker.onerror = (event) => {
            event.preventDefault();
            this.#fail(new Error(event.message || "the engine's worker cannot be started"));
        };
        this.worker.postMessage({ module: this.module });
    }

    #hear({ id, line, done, fault }) {
        const question = this.pending.get(id);
        if (!question) return;
        if (line !== undefined) {
            question.onLine(line);
            return;
        }
        this.pending.delete(id);
        if (done) question.resolve(true);
        else question.reject(new Error(fault));
    }

    #fail(error) {
        for (const { reject } of this.pending.values()) reject(error);
        this.pending.clear();
    }

    // Says these lines; resolves to true when all are answered, to false where stop() came first.
    ask(lines, onLine = () => {}) {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.pending.set(id, { resolve, reject, onLine });
            this.worker.postMessage({ id, lines });
        });
    }

    // The same for one line that is answered by one: resolves to that; `refused …` is an error.
    async answer(line) {
        let heard = "";
        if (!(await this.ask([line], (each) => (heard = each)))) return null;
        if (heard.startsWith("refused ")) throw new Error(heard.slice("refused ".length));
        return heard;
    }

    get isBusy() {
        return this.pending.size > 0;
    }

    // Forgets all questions. The engine begins anew, without what it has learnt.
    stop() {
        if (!this.isBusy) return;
        this.worker.terminate();
        for (const { resolve } of this.pending.values()) resolve(false);
        this.pending.clear();
        this.#begin();
    }

    close() {
        this.worker.terminate();
        for (const { resolve } of this.pending.values()) resolve(false);
        this.pending.clear();
    }
}
