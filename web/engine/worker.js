// The worker that an engine runs in. Messages to it: {module} first, then {id, lines}; from it: {id, line} for every line
// of the answer, and {id, done: true} when all are answered, or {id, fault}. A search cannot be told to stop, since this is
// the only thread: whoever does not want to wait ends the worker (thinker.js).
import { start } from "./program.js";

let current = 0;
let ready = null;

globalThis.onmessage = async ({ data }) => {
    if (data.module) {
        ready = start(data.module, (line) => globalThis.postMessage({ id: current, line }));
        ready.catch(() => {}); // told with the first question
        return;
    }
    try {
        const hear = await ready;
        current = data.id;
        for (const line of data.lines) hear(line);
        globalThis.postMessage({ id: data.id, done: true });
    } catch (error) {
        globalThis.postMessage({ id: data.id, fault: String(error) });
    }
};
