// The page's frame: header, footer, theme, language, connection, and the router. Views are modules that
// export show(host, {path, params, query, signal}) -> {close(), title}; each is loaded when it is first gone to. The
// signal is aborted when the view is left: it owns the view's style sheets (useStyle in lib/dom.js).

import { el, clear, toast } from "./lib/dom.js";
import { t, language, setLanguage, onLanguage } from "./lib/i18n.js";
import { icon } from "./lib/icons.js";
import { prefs } from "./lib/store.js";
import { connect, connectionState, on, onFault, onState, onMe, me } from "./lib/socket.js";
import { sayError } from "./lib/api.js";
import { liveSeats, onBegun, onSeats, seatOf } from "./lib/seats.js";
import { isFull, onFull } from "./lib/notice.js";
import { showKeys } from "./lib/keys.js";
import { keepOffline } from "./lib/offline.js";
import { gameName, playerName } from "./lib/words.js";

/** In the order they are tried; a star takes one part of the path. @type {[string, () => Promise<any>][]} */
const routes = [
    ["/", () => import("./play/home.js")],
    ["/game/*", () => import("./play/game.js")],
    ["/solo/*", () => import("./solo/solo.js")],
    ["/join/*", () => import("./play/join.js")],
    ["/me", () => import("./play/me.js")],
    ["/player/*", () => import("./play/player.js")],
    ["/watch", () => import("./watch/live.js")],
    ["/tournaments", () => import("./watch/tournaments.js")],
    ["/tournament/*", () => import("./watch/tournament.js")],
    ["/archive", () => import("./watch/archive.js")],
    ["/ratings", () => import("./watch/ratings.js")],
    ["/ratings/*", () => import("./watch/ratings.js")],
    ["/audit", () => import("./watch/audit.js")],
    ["/study/game/*", () => import("./study/replay.js")],
    ["/study", () => import("./study/study.js")],
    ["/study/*", () => import("./study/study.js")],
    ["/puzzles", () => import("./puzzles/puzzles.js")],
    ["/puzzles/*", () => import("./puzzles/puzzle.js")],
    ["/puzzles/*/*", () => import("./puzzles/puzzle.js")],
    ["/learn", () => import("./learn/learn.js")],
    ["/learn/*", () => import("./learn/learn.js")],
];

const menu = [["/", "app.play"], ["/watch", "app.watch"], ["/tournaments", "app.tournaments"], ["/study", "app.study"], ["/puzzles", "app.puzzles"], ["/learn", "app.learn"]];
const main = document.getElementById("main");
let view = null;
let life = new AbortController(); // of the view that is shown, or about to be
let turn = 0; // of the router; a view that loads too slowly finds it changed
const FAULT_MS = 10_000; // a second fault within that time: showing the view anew does not help
let again = null; // how to show the view that could not be shown for want of a server

// --- routes -----------------------------------------------------------------------------------------

// A path may have been typed by hand: what is no escape stays as it is.
function decode(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

function match(pattern, path) {
    const want = pattern.split("/");
    const have = path.split("/");
    if (want.length !== have.length) return null;
    const params = [];
    for (let i = 0; i < want.length; i++)
        if (want[i] === "*" && have[i]) params.push(decode(have[i]));
        else if (want[i] !== have[i]) return null;
    return params;
}

function findRoute(path) {
    for (const [pattern, load] of routes) {
        const params = match(pattern, path);
        if (params) return { load, params };
    }
    return null;
}

function showNothing(words, retry) {
    clear(main).append(el("section.empty",
        el("h1", { text: words }),
        el("p.row.center",
            retry && el("button.primary", { text: t("app.again"), onclick: retry }),
            el("a.button", { href: "/", text: t("app.home") }))));
    return { close() {}, title: "" };
}

async function show() {
    const mine = ++turn;
    const path = location.pathname.replace(/(.)\/+$/, "$1");
    const route = findRoute(path);
    const query = Object.fromEntries(new URLSearchParams(location.search));
    let module = null;
    let failure = null;
    try {
        module = route && (await route.load());
    } catch (error) {
        failure = error;
    }
    if (mine !== turn) return;
    view?.close();
    life.abort();
    life = new AbortController();
    view = null;
    again = null;
    main.className = "";
    let next;
    if (failure) {
        again = () => location.reload(); // a module that failed once fails until the page is loaded anew
        next = showNothing(t(connectionState() === "online" ? "app.broken" : "error.offline"), again);
    } else if (!module) next = showNothing(t("app.notFound"));
    else
        try {
            next = await module.show(clear(main), { path, params: route.params, query, signal: life.signal });
        } catch (error) {
            if (!error.code) console.error(error);
            if (error.code === "offline") again = show;
            next = showNothing(sayError(error), show);
        }
    if (mine !== turn) {
        next?.close();
        return;
    }
    view = next;
    document.title = view.title ? `${view.title} · Kraton` : "Kraton";
    markMenu(path);
    markSeat();
    document.documentElement.dataset.ready = path;
    performance.mark("ready");
}

// A handler has thrown: the view is shown anew, with what the server knows. If that does not help, the visitor decides.
let lastFault = -Infinity;

function recover() {
    const isAgain = performance.now() - lastFault < FAULT_MS;
    lastFault = performance.now();
    if (!isAgain) {
        toast(t("app.recovered"), "error");
        show();
        return;
    }
    turn++;
    view?.close();
    life.abort();
    view = showNothing(t("app.fault"), () => location.reload());
}

export function navigate(path, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", path);
    delete document.documentElement.dataset.ready;
    scrollTo(0, 0);
    return show();
}

function intercept(event) {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || link.target || link.hasAttribute("download") || url.pathname.startsWith("/api/") || /\.\w+$/.test(url.pathname)) return;
    event.preventDefault();
    const place = url.hash && url.pathname === location.pathname && document.getElementById(url.hash.slice(1));
    if (place) {
        place.focus();
        place.scrollIntoView();
        return;
    }
    navigate(url.pathname + url.search + url.hash).then(() => main.focus({ preventScroll: true }));
}

// --- the frame --------------------------------------------------------------------------------------

const themes = ["auto", "light", "dark"];

function applyTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}

function toggle(sign, label, onclick, extra = {}) {
    return el("button.icon", { "aria-label": label, title: label, onclick, ...extra }, icon(sign));
}

function themeButton() {
    const theme = prefs.get("theme");
    return toggle(theme, t("app.theme", { theme: t(`app.theme.${theme}`) }), () => {
        prefs.set("theme", themes[(themes.indexOf(theme) + 1) % themes.length]);
        drawFrame();
    }, { id: "theme" });
}

function soundButton() {
    const isOn = prefs.get("sound");
    return toggle(isOn ? "sound" : "silent", t(isOn ? "app.sound.on" : "app.sound.off"), () => {
        prefs.set("sound", !isOn);
        drawFrame();
    }, { id: "sound", "aria-pressed": String(isOn) });
}

function markMenu(path) {
    for (const link of document.querySelectorAll(".bar nav a, #who")) {
        const target = link.getAttribute("href");
        const here = target === "/" ? path === "/" || /^\/(game|join)\//.test(path) : path === target || path.startsWith(target.replace(/s$/, "") + "/") || path.startsWith(target + "/");
        if (here) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

function markConnection() {
    const state = connectionState();
    const dot = document.getElementById("connection");
    dot.dataset.state = state;
    dot.title = t(`app.${state}`);
    dot.firstElementChild.textContent = t(`app.${state}`);
    const warning = document.getElementById("offline");
    const isLost = state === "offline" || (state === "connecting" && !warning.hidden && !isFull());
    warning.hidden = !isLost && !isFull();
    document.body.classList.toggle("offline", !warning.hidden);
    warning.textContent = t(isLost ? "app.offline" : "app.full");
}

function markMe(member) {
    const link = document.getElementById("who");
    link.textContent = member && member.kind === "person" ? member.name : t("app.me");
}

// The game being played, one tap away wherever one is. The start has a list of its own.
function markSeat() {
    const bar = /** @type {HTMLAnchorElement} */ (document.getElementById("seat"));
    const seats = liveSeats();
    const path = location.pathname;
    const seat = seats.find(({ toMove, you }) => toMove === you) ?? seats[0];
    bar.hidden = !seat || path === "/" || seats.some(({ id }) => path === `/game/${id}`);
    if (bar.hidden) return;
    const isMine = seat.toMove === seat.you;
    bar.href = `/game/${seat.id}`;
    bar.classList.toggle("mine", isMine);
    clear(bar).append(el("span.dot"), el("strong", { text: t(isMine ? "app.seat.yours" : "app.seat.theirs") }),
        el("span.what", { text: t("app.seat.game", { game: gameName(seat.game), name: playerName(seat.names[seat.you ^ 1]) }) }),
        el("span.go", { text: t("app.seat.go") }));
}

function drawFrame() {
    const focused = document.activeElement?.id;
    document.querySelector(".skip").textContent = t("app.skip");
    clear(document.querySelector("header.bar")).append(
        el("a.brand", { href: "/" }, el("img", { src: new URL("icon.svg", import.meta.url).pathname, alt: "", width: 28, height: 28 }), el("span", { text: "Kraton" })),
        el("nav", { "aria-label": t("app.menu") }, menu.map(([href, key]) => el("a", { href, text: t(key) }))),
        el("div.tools",
            el("span#connection", { role: "img" }, el("span.unseen")),
            soundButton(),
            themeButton(),
            el("button.icon.language#language", { text: t("app.language"), "aria-label": t("app.languageLabel"), lang: language() === "zh" ? "en" : "zh", onclick: () => setLanguage(language() === "zh" ? "en" : "zh") }),
            el("a#who", { href: "/me" })),
        el("p#offline.warning", { hidden: true, role: "status" }),
        el("a#seat", { hidden: true }));
    clear(document.querySelector("footer.foot")).append(
        el("p", { text: t("app.footer") }),
        el("p.row",
            el("button.quiet.keys-button", { text: t("keys.title"), title: "?", onclick: showKeys }),
            el("a", { href: "/archive", text: t("app.archive") }), el("a", { href: "/me#programs", text: t("app.programs") })));
    markConnection();
    markMe(me());
    markMenu(location.pathname);
    markSeat();
    if (focused) document.getElementById(focused)?.focus();
}

// --- news that may come anywhere --------------------------------------------------------------------

// A game of one's own has begun: there we go, unless another one is being played here.
async function goToGame(seat) {
    const here = /^\/game\/(\d+)/.exec(location.pathname);
    const current = here && seatOf(Number(here[1]));
    if (!current || current.over) navigate(`/game/${seat.id}`);
    else (await import("./play/invites.js")).showBegun(seat);
}

async function showInvite(challenge) {
    (await import("./play/invites.js")).showInvite(challenge);
}

/** The view is shown anew in another language: its fields are the same, what was typed into them is kept.
 * @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
const fields = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (main.querySelectorAll("input, textarea"))]
    .filter(({ type }) => /^(text|search|password|textarea)$/.test(type));

function takeTyped() {
    return fields().map((field) => ({ name: field.name || field.id, value: field.value }));
}

function giveBack(typed) {
    for (const field of fields()) {
        const kept = typed.find(({ name }) => name && name === (field.name || field.id));
        if (kept && !field.value && !field.readOnly) field.value = kept.value;
    }
}

document.documentElement.lang = language() === "zh" ? "zh-Hans" : "en";
applyTheme(prefs.get("theme"));
prefs.on("theme", applyTheme);
drawFrame();
onState((state) => {
    markConnection();
    if (state === "online") again?.();
});
onMe((member) => {
    markMe(member);
    // lib/store keeps the account's name until it is logged out here.
    if (!member && prefs.get("account") && location.pathname !== "/me") toast(t("app.expired"));
});
onSeats(markSeat);
onFault(recover);
onBegun(goToGame);
on("challenge", showInvite);
onFull(markConnection);
onLanguage(() => {
    drawFrame();
    const typed = takeTyped();
    show().then(() => giveBack(typed));
});
document.addEventListener("click", intercept);
window.addEventListener("popstate", show);
connect();
show();
keepOffline();
