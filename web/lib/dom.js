// Elements made by one call, without a framework: el("button.big#go", {onclick, text}, child, ...).

const SVG = "http://www.w3.org/2000/svg";

function isAttributes(value) {
    return value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);
}

function setAttribute(node, name, value) {
    if (value === undefined || value === null || value === false) return;
    if (name === "text") node.textContent = value;
    else if (name === "value" || name === "checked" || name === "selected") node[name] = value;
    else if (name === "class") node.classList.add(...String(value).split(" ").filter(Boolean));
    else if (name === "style") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
}

function add(node, children) {
    for (const child of children.flat(2))
        if (child !== undefined && child !== null && child !== false) node.append(child);
}

function make(node, rest) {
    const attributes = isAttributes(rest[0]) ? rest.shift() : {};
    add(node, rest);
    // Values after children: a select takes its value only once its options are there.
    for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
    return node;
}

export function el(what, ...rest) {
    const node = document.createElement(/^[\w-]+/.exec(what)[0]);
    for (const [, mark, name] of what.matchAll(/([.#])([\w-]+)/g))
        if (mark === "#") node.id = name;
        else node.classList.add(name);
    return make(node, rest);
}

export function svg(tag, ...rest) {
    return make(document.createElementNS(SVG, tag), rest);
}

export function clear(node) {
    node.replaceChildren();
    return node;
}

// --- style sheets -----------------------------------------------------------------------------------

// A sheet applies while at least one of its owners lives. An owner is an AbortSignal: the router gives every view one
// and aborts it when the view is left. Code that is not part of a view (a module that draws boards, say) passes PAGE.
// The owner is always named by the caller, so when or by whom a module is loaded makes no difference.
const sheets = new Map(); // path -> {link, ready, owners}

// The owner that never ends.
export const PAGE = new AbortController().signal;

function apply({ link, owners }) {
    if (link.sheet) link.sheet.disabled = owners.size === 0;
}

function load(path) {
    const sheet = { owners: new Set(), link: null, ready: null };
    sheet.ready = new Promise((resolve) => {
        const done = () => (apply(sheet), resolve());
        sheet.link = el("link", { rel: "stylesheet", href: path, onload: done, onerror: done });
    });
    document.head.append(sheet.link);
    return sheet;
}

// Resolves when the sheet applies.
export function useStyle(href, owner) {
    if (!(owner instanceof AbortSignal)) throw new TypeError(`useStyle(${href}) needs an owner`);
    // Files are beside this one: /lib is in the folder of their version.
    const path = new URL(href.startsWith("/") ? `..${href}` : href, import.meta.url).pathname;
    if (!sheets.has(path)) sheets.set(path, load(path));
    const sheet = sheets.get(path);
    if (!owner.aborted && !sheet.owners.has(owner)) {
        sheet.owners.add(owner);
        owner.addEventListener("abort", () => {
            sheet.owners.delete(owner);
            apply(sheet);
        });
    }
    apply(sheet);
    return sheet.ready;
}

// --- words ------------------------------------------------------------------------------------------

// Said to screen readers, and seen by nobody.
export function announce(words) {
    const node = document.getElementById("says");
    const line = el("p", { text: words });
    node.append(line);
    while (node.childElementCount > 3) node.firstElementChild.remove();
}

// A short word that goes away by itself.
export function toast(words, kind = "info") {
    const node = el(`div.toast.${kind}`, { text: words });
    document.getElementById("toasts").append(node);
    setTimeout(() => node.remove(), 6000);
}

// Shows a dialog over everything. Firefox learned it in 2022, Safari too: before, it is a layer that keeps the focus inside.
export function openDialog(dialog) {
    document.body.append(dialog);
    if (dialog.showModal) {
        dialog.showModal(); // eslint-disable-line no-restricted-syntax
        return;
    }
    const before = /** @type {HTMLElement} */ (document.activeElement);
    const cover = el("div.dialog-cover");
    const onKey = (event) => event.key === "Escape" && dialog.close();
    dialog.before(cover);
    dialog.setAttribute("open", "");
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("aria-modal", "true");
    dialog.close = (value) => {
        if (!dialog.hasAttribute("open")) return;
        dialog.returnValue = value;
        dialog.removeAttribute("open");
        document.removeEventListener("keydown", onKey);
        cover.remove();
        before?.focus?.();
        dialog.dispatchEvent(new Event("close"));
    };
    document.addEventListener("keydown", onKey);
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("button, input"))?.focus();
}

// A view that is left takes its dialogs with it.
export function closeDialogs(selector) {
    for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll(selector))) dialog.close();
}

// A modal question; resolves to the value of the button pressed, or null.
export function ask(words, buttons) {
    return new Promise((resolve) => {
        const dialog = el("dialog.ask", { "aria-label": words },
            el("p", { text: words }),
            el("div.row.end", buttons.map(({ value, text, kind }) =>
                el("button", { class: kind || "", text, onclick: () => dialog.close(value) }))));
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue || null);
        });
        openDialog(dialog);
    });
}
