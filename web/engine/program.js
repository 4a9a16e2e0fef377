// An engine program (src/wasm/main.c) in this thread: lines go in by hear(), answers come out by onLine(line) before it
// returns. The program asks its surroundings, by the names of WASI, for nothing but the clock and standard output.

const OUTPUT = [1, 2]; // standard output and error
const SUCCESS = 0;
const BAD_FILE = 8; // WASI's EBADF

/** @returns {Promise<(line: string) => void>} hear */
export async function start(/** @type {WebAssembly.Module} */ module, onLine) {
    let instance = null;
    let partial = "";
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    // Growing memory makes a new buffer.
    const buffer = () => instance.exports.memory.buffer;
    const view = () => new DataView(buffer());
    const write = (text) => {
        const lines = (partial + text).split("\n");
        partial = lines.pop();
        for (const line of lines) onLine(line);
    };
    const wasi = {
        clock_time_get(clock, precision, at) {
            view().setBigUint64(at, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
            return SUCCESS;
        },
        fd_write(file, pieces, count, written) {
            if (!OUTPUT.includes(file)) return BAD_FILE;
            let sum = 0;
            for (let i = 0; i < count; i++) {
                const at = view().getUint32(pieces + 8 * i, true);
                const size = view().getUint32(pieces + 8 * i + 4, true);
                write(decoder.decode(new Uint8Array(buffer(), at, size), { stream: true }));
                sum += size;
            }
            view().setUint32(written, sum, true);
            return SUCCESS;
        },
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return SUCCESS;
        },
        environ_get: () => SUCCESS,
        fd_read: () => BAD_FILE,
        fd_seek: () => BAD_FILE,
        fd_close: () => BAD_FILE,
        fd_fdstat_get: () => BAD_FILE,
        proc_exit(status) {
            throw new Error(`the engine ended with ${status}`);
        },
    };
    instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
    const exports = /** @type {any} */ (instance.exports);
    exports._initialize();
    return function hear(line) {
        const bytes = encoder.encode(line);
        if (bytes.length > exports.wasm_input_size()) throw new RangeError("the line is too long for the engine");
        new Uint8Array(buffer()).set(bytes, exports.wasm_input());
        exports.wasm_hear(bytes.length);
    };
}
