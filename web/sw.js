// The service worker: keeps the page's files of one version, so that it starts at once and works without a server. The
// server puts VERSION and FILES, the paths of all files, before these lines (src/server/pages.c); so this file changes with
// every version, the browser installs it anew, and the new version comes as a whole.
// @ts-nocheck: the types are those of documents
/* global VERSION, FILES, Request, caches */

const CACHE = `kraton-${VERSION}`;
const ANSWERS = "kraton-answers"; // of the server, for the time without it
const SHELL = "/index.html";
const PUZZLES = 20; // of each game that are kept for the time without a connection
const files = FILES.filter((path) => !/^\/(sw\.js|package\.json|embed|bundle\/embed)|^\/engines\/|\.png$/.test(path));
// Browsers with SIMD need no others, and they are nearly all there are.
const engines = FILES.filter((path) => path.startsWith("/engines/") && !path.includes("-plain"));
const own = (path) => `/v/${VERSION}${path}`;

async function install() {
    const cache = await caches.open(CACHE);
    await cache.addAll(files.filter((path) => path !== SHELL).map(own));
    await cache.add(new Request(SHELL, { cache: "no-cache" }));
}

// The version before stays for pages that are still open, older ones go.
async function activate() {
    const versions = (await caches.keys()).filter((name) => /^kraton-[0-9a-f]{16}$/.test(name) && name !== CACHE);
    await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
    await globalThis.clients.claim();
}

// What is large or may be missing comes later, when the page asks for it: engines, some puzzles.
async function keepMore() {
    const cache = await caches.open(CACHE);
    for (const path of engines) if (!(await cache.match(own(path)))) await cache.add(own(path)).catch(() => {});
    const answers = await caches.open(ANSWERS);
    const keep = async (path) => (await answers.match(path)) || answers.add(path).catch(() => {});
    await keep("/api/games");
    await keep("/api/v1/puzzles");
    const { games = [] } = (await (await answers.match("/api/games"))?.json()) ?? {};
    for (const { name } of games) for (let n = 1; n <= PUZZLES; n++) await keep(`/api/v1/puzzles/${name}/${n}`);
}

// --- answering --------------------------------------------------------------------------------------

async function fromFiles(request) {
    return (await caches.match(request)) ?? fetch(request);
}

// The page itself, for every place in it.
async function fromShell(request) {
    const cache = await caches.open(CACHE);
    return (await cache.match(SHELL)) ?? fetch(request);
}

// Without a server the next puzzle is the next that is kept.
async function nextPuzzle(game, after) {
    const answers = await caches.open(ANSWERS);
    const number = new RegExp(`/puzzles/${game}/(\\d+)$`);
    const numbers = (await answers.keys()).map(({ url }) => Number(number.exec(url)?.[1])).filter(Boolean).sort((a, b) => a - b);
    if (!numbers.length) return null;
    return answers.match(`/api/v1/puzzles/${game}/${numbers.find((n) => n > after) ?? numbers[0]}`);
}

async function fromServer(request, { pathname, search, searchParams }) {
    const answers = await caches.open(ANSWERS);
    try {
        const response = await fetch(request);
        if (response.ok && !search) await answers.put(request, response.clone());
        return response;
    } catch (error) {
        const [, game] = /^\/api\/v1\/puzzles\/(\w+)$/.exec(pathname) ?? [];
        const kept = game ? await nextPuzzle(game, Number(searchParams.get("after") ?? 0)) : await answers.match(request);
        if (kept) return kept;
        throw error;
    }
}

globalThis.addEventListener("install", (event) => event.waitUntil(install()));
globalThis.addEventListener("activate", (event) => event.waitUntil(activate()));
globalThis.addEventListener("message", (event) => {
    if (event.data === "take over") globalThis.skipWaiting();
    else if (event.data === "keep more") event.waitUntil(keepMore());
});
globalThis.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== globalThis.location.origin) return;
    if (request.mode === "navigate") {
        if (!/^\/(api|docs|metrics|embed)\b|\./.test(url.pathname)) event.respondWith(fromShell(request));
    } else if (/^\/(v\/|icon\.svg$)/.test(url.pathname)) event.respondWith(fromFiles(request));
    else if (/^\/api\/(games$|v1\/puzzles\b)/.test(url.pathname)) event.respondWith(fromServer(request, url));
});
