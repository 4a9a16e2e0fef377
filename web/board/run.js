// A piece's way from one point to another: straight, or along a capture's path through the loops. The piece says
// how far it is: data-progress from 0 to 1, and data-loops-passed.

const SLIDE = 190; // milliseconds for a straight way
const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);
const easeRun = (t) => 0.5 - Math.cos(Math.PI * t) / 2;

export const prefersStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// About 700 ms for the usual capture; long ones take longer, but nobody waits two seconds.
const runTime = (length) => Math.min(1600, 380 + length * 0.28);

function animate(milliseconds, frame, done) {
    let start = null, stopped = false;
    const tick = (now) => {
        if (stopped) return;
        start ??= now;
        const t = Math.min((now - start) / milliseconds, 1);
        frame(t);
        if (t < 1) requestAnimationFrame(tick);
        else done();
    };
    requestAnimationFrame(tick);
    return () => (stopped = true);
}

// Moves `place(x, y)` from a to b. Returns how to stop it; `done` is called only at its own end.
export function slide(place, [x0, y0], [x1, y1], done) {
    return animate(SLIDE, (t) => {
        const part = ease(t);
        place(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
    }, done);
}

// Runs a piece along a route's path ({d, length, loopEnds}); `track` is the path as an element.
export function run(piece, place, track, path, done) {
    const total = track.getTotalLength();
    return animate(runTime(total), (t) => {
        const gone = easeRun(t) * total, here = track.getPointAtLength(gone);
        place(here.x, here.y);
        showProgress(piece, gone / total, path.loopEnds.filter((end) => gone >= end - 0.5).length);
    }, done);
}

export function showProgress(piece, progress, loops) {
    piece.dataset.progress = String(Math.round(progress * 1000) / 1000);
    piece.dataset.loopsPassed = String(loops);
}
