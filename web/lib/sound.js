// Sounds, synthesised: wood for a move, two knocks for a capture, a bell at the end. Nothing is loaded. A phone that can
// shakes a little as well.

import { prefs } from "./store.js";

let audio = null;

function context() {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
    return audio;
}

function shape(ctx, node, at, loud, length) {
    const gain = ctx.createGain();
    gain.gain.setValueAtTime(Math.max(0.0001, (loud * prefs.get("volume")) / 100), at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    node.connect(gain).connect(ctx.destination);
}

function tone(pitch, delay, length, loud, type = "sine") {
    const ctx = context();
    const at = ctx.currentTime + delay;
    const node = ctx.createOscillator();
    node.type = type;
    node.frequency.setValueAtTime(pitch, at);
    shape(ctx, node, at, loud, length);
    node.start(at);
    node.stop(at + length);
}

// A short filtered noise: a piece set down on wood.
function knock(pitch, delay, loud) {
    const ctx = context();
    const at = ctx.currentTime + delay;
    const length = 0.07;
    const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * length), ctx.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
    const noise = ctx.createBufferSource();
    noise.buffer = buffer;
    const filter = ctx.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    filter.Q.value = 2.5;
    shape(ctx, noise.connect(filter), at, loud, length);
    noise.start(at);
}

const sounds = {
    move: () => knock(900, 0, 0.9),
    capture: () => (knock(700, 0, 1), knock(1300, 0.06, 0.8)),
    check: () => (knock(900, 0, 0.9), tone(880, 0.03, 0.18, 0.12)),
    start: () => (tone(523, 0, 0.25, 0.1), tone(784, 0.12, 0.35, 0.1)),
    end: () => (tone(784, 0, 0.3, 0.1), tone(659, 0.14, 0.3, 0.1), tone(523, 0.28, 0.6, 0.1)),
    say: () => tone(990, 0, 0.12, 0.06),
    low: () => (tone(1200, 0, 0.08, 0.08, "triangle"), tone(1200, 0.14, 0.08, 0.08, "triangle")),
};

// Milliseconds of shaking and rest.
const SHAKES = { move: 12, capture: [14, 30, 14], check: [20, 40, 20], end: [40, 60, 40], low: [30, 50, 30] };

export const canShake = () => "vibrate" in navigator;

function shake(name) {
    if (prefs.get("haptics") && canShake() && SHAKES[name]) navigator.vibrate(SHAKES[name]);
}

export function play(name) {
    if (navigator.userActivation?.hasBeenActive !== false) shake(name);
    if (!prefs.get("sound") || !("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
    try {
        sounds[name]();
    } catch {
        // A browser without a sound device plays on in silence.
    }
}
