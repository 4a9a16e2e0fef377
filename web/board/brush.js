// Strokes into outlines: a character is a list of strokes on a grid of 100 by 100, each a kind and the
// points its middle line runs through; the brush gives every kind its width along the way. One path comes out.

// Width along a stroke, from its beginning (0) to its end (1).
const PROFILES = {
    h: [[0, 0.74], [0.06, 0.84], [0.2, 0.68], [0.6, 0.66], [0.84, 0.78], [0.94, 1.02], [1, 0.66]], // level
    s: [[0, 0.94], [0.08, 1.12], [0.24, 0.94], [0.7, 0.9], [0.94, 0.98], [1, 0.82]], // upright
    u: [[0, 0.94], [0.08, 1.12], [0.3, 0.94], [0.75, 0.82], [1, 0.2]], // upright, ending in a point
    v: [[0, 0.9], [0.4, 0.9], [0.7, 0.82], [1, 1.04]], // upright, turning level
    w: [[0, 0.4], [0.3, 0.75], [0.7, 0.98], [1, 0.96]], // a bend that ends upright
    p: [[0, 0.9], [0.1, 1.1], [0.35, 0.92], [0.7, 0.62], [1, 0.12]], // falling to the left
    n: [[0, 0.34], [0.2, 0.52], [0.55, 0.9], [0.8, 1.3], [0.9, 1.12], [1, 0.16]], // falling to the right
    d: [[0, 0.3], [0.35, 0.85], [0.75, 1.22], [1, 0.86]], // dot
    t: [[0, 1.15], [0.2, 1.05], [0.6, 0.6], [1, 0.12]], // rising
    g: [[0, 1.05], [0.3, 0.78], [1, 0.1]], // hook
};
const SAMPLES = 10;

function widthAt(profile, t) {
    for (let i = 1; i < profile.length; i++) {
        const [t1, w1] = profile[i], [t0, w0] = profile[i - 1];
        if (t > t1) continue;
        const part = (t - t0) / (t1 - t0), smooth = part * part * (3 - 2 * part);
        return w0 + (w1 - w0) * smooth;
    }
    return profile[profile.length - 1][1];
}

// A point of the smooth curve through all points (Catmull-Rom), t over the whole of it.
function curveAt(points, t) {
    const last = points.length - 1, at = Math.min(t * last, last - 1e-9), i = Math.floor(at), u = at - i;
    const p = (k) => points[Math.min(Math.max(k, 0), last)];
    return [0, 1].map((axis) => {
        const a = p(i - 1)[axis], b = p(i)[axis], c = p(i + 1)[axis], d = p(i + 2)[axis];
        return 0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u * u + (3 * b - a - 3 * c + d) * u * u * u);
    });
}

function outline(kind, points, weight) {
    const left = [], right = [], profile = PROFILES[kind];
    for (let k = 0; k <= SAMPLES; k++) {
        const t = k / SAMPLES, here = curveAt(points, t);
        const before = curveAt(points, Math.max(t - 0.02, 0)), after = curveAt(points, Math.min(t + 0.02, 1));
        const dx = after[0] - before[0], dy = after[1] - before[1], length = Math.hypot(dx, dy) || 1;
        const half = (widthAt(profile, t) * weight) / 2, nx = (-dy / length) * half, ny = (dx / length) * half;
        const edge = (along, across) => [here[0] + ny * along + nx * across, here[1] - nx * along + ny * across];
        if (k === 0) left.push(edge(-0.8, 0), edge(-0.5, 0.75));
        if (k === 0) right.push(edge(-0.5, -0.75));
        left.push(edge(0, 1));
        right.push(edge(0, -1));
        if (k === SAMPLES) left.push(edge(0.5, 0.75), edge(0.8, 0));
        if (k === SAMPLES) right.push(edge(0.5, -0.75));
    }
    return left.concat(right.reverse());
}

const number = (value) => String(Math.round(value * 100) / 100);

// A closed smooth path through the middles of the outline's edges.
function smoothPath(points) {
    const middle = (i) => [0, 1].map((axis) => (points[i % points.length][axis] + points[(i + 1) % points.length][axis]) / 2);
    const pair = (p) => `${number(p[0])} ${number(p[1])}`;
    let d = `M${pair(middle(points.length - 1))}`;
    points.forEach((point, i) => (d += `Q${pair(point)} ${pair(middle(i))}`));
    return d + "Z";
}

// "h 6,38 94,36;s 50,6 50,88" written with a brush of that weight.
export function write(strokes, weight) {
    return strokes.split(";").map((stroke) => {
        const [kind, ...pairs] = stroke.trim().split(/\s+/);
        return smoothPath(outline(kind, pairs.map((pair) => pair.split(",").map(Number)), weight));
    }).join("");
}
