// Panels of which one is seen: tabs as screen readers know them. A panel is made when it is first looked at.

import { el } from "../lib/dom.js";

let number = 0;

export class Tabs {
    constructor(host) {
        this.bar = el("div.tabs", { role: "tablist" });
        this.host = host;
        this.tabs = [];
        this.onOpen = null; // told the key
        host.append(this.bar);
        this.bar.addEventListener("keydown", (event) => this.#key(event));
    }

    // make(panel) -> {show(isShown)?, destroy()?}
    add(key, title, make) {
        const id = `tab-${++number}`;
        const panel = el("div.panel", { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, hidden: true });
        const button = el("button", {
            role: "tab", id, "aria-controls": `${id}-panel`, "aria-selected": "false", tabindex: "-1",
            text: title, "data-tab": key, onclick: () => this.open(key),
        });
        this.bar.append(button);
        this.host.append(panel);
        this.tabs.push({ key, button, panel, make, made: null });
    }

    open(key) {
        for (const tab of this.tabs) {
            const isOpen = tab.key === key;
            tab.button.setAttribute("aria-selected", String(isOpen));
            tab.button.tabIndex = isOpen ? 0 : -1;
            tab.panel.hidden = !isOpen;
            if (isOpen) tab.made ??= tab.make(tab.panel) ?? {};
            tab.made?.show?.(isOpen);
        }
        this.current = key;
        this.onOpen?.(key);
    }

    made(key) {
        return this.tabs.find((tab) => tab.key === key)?.made;
    }

    #key(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = this.tabs.findIndex((tab) => tab.key === this.current);
        const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
        this.open(next.key);
        next.button.focus();
    }

    destroy() {
        for (const tab of this.tabs) tab.made?.destroy?.();
    }
}
