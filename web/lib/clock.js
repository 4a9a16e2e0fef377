// A game's two clocks: the server's figures whenever they come, counted down here in between.

export class GameClock {
    constructor() {
        this.left = [-1, -1]; // microseconds; -1: no clock
        this.running = -1; // side whose clock runs
        this.since = 0;
    }

    // late: how many milliseconds ago the figures were true.
    set(left, running, late = 0) {
        this.left = left;
        this.running = running;
        this.since = performance.now() - late;
    }

    stop() {
        this.left = [this.now(0), this.now(1)];
        this.running = -1;
    }

    now(side) {
        const left = this.left[side];
        if (left < 0 || side !== this.running) return left;
        return Math.max(0, left - (performance.now() - this.since) * 1000);
    }
}

// 1:02:03, 4:05, 0:09.4; "∞" where there is no clock.
export function formatClock(us) {
    if (us < 0) return "∞";
    if (us < 10_000_000) {
        const tenths = Math.floor(us / 100_000);
        return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
    }
    const seconds = Math.floor(us / 1_000_000);
    const two = (n) => String(n).padStart(2, "0");
    const minutes = Math.floor(seconds / 60) % 60;
    const hours = Math.floor(seconds / 3600);
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
