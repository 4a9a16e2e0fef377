// A game playing itself through, at a speed of one's choice. Fast walks skip animations and sounds.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { prefs } from "../lib/store.js";

const SPEEDS = [0.5, 1, 2, 5, 10, 30, 60]; // plies a second
const QUICK = 5; // from here on nothing is animated

export class Autoplay {
    constructor(host, bench) {
        this.bench = bench;
        this.desk = bench.desk;
        this.speed = prefs.get("study.speed") ?? 1;
        this.frame = 0;
        this.button = el("button.icon.autoplay", { onclick: () => this.toggle() });
        const choose = el("select.speed", { "aria-label": t("study.speed"), value: String(this.speed) },
            SPEEDS.map((speed) => el("option", { value: speed, text: t("study.perSecond", { n: speed }) })));
        choose.addEventListener("change", () => this.#setSpeed(Number(choose.value)));
        host.append(this.button, choose);
        this.#draw();
    }

    destroy() {
        this.stop();
    }

    #setSpeed(speed) {
        this.speed = speed;
        prefs.set("study.speed", speed);
        this.bench.isQuick = Boolean(this.frame) && speed >= QUICK;
    }

    toggle() {
        if (this.frame) this.stop();
        else this.start();
    }

    start() {
        if (!this.desk.node.children.length) this.desk.first();
        this.due = performance.now();
        this.bench.isQuick = this.speed >= QUICK;
        const step = (now) => {
            this.frame = requestAnimationFrame(step);
            if (now < this.due) return;
            // A picture that came late is made up for, a tab that slept is not.
            this.due = Math.max(this.due + 1000 / this.speed, now - 200);
            this.desk.next();
            if (!this.desk.node.children.length) this.stop();
        };
        this.frame = requestAnimationFrame(step);
        this.#draw();
    }

    stop() {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.bench.isQuick = false;
        this.#draw();
    }

    #draw() {
        const key = this.frame ? "study.pause" : "study.autoplay";
        this.button.replaceChildren(icon(this.frame ? "pause" : "play"));
        this.button.setAttribute("aria-label", t(key));
        this.button.title = t(key);
    }
}
