// A phone 360 pixels wide and the longest names there can be: no view scrolls sideways, nothing is cut off, and what a
// table or a card has to say is seen without scrolling; in both languages.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { game as rulesOf } from "../../web/rules/index.js";
import { Server, check, comes, kraton, main, openBrowser, shot, until, visit, visitor } from "./kit.mjs";
import { Program } from "./games.mjs";
import { dice } from "./table.mjs";

const WIDTH = 360;
const CLOCK = "7200+5"; // no flag falls in a test
const OWNER = "W".repeat(24); // as wide as a name can be
const RIVAL = "W".repeat(23) + "X";
const PROGRAMS = ["M".repeat(24), "W".repeat(23) + "Q", "W".repeat(23) + "M", "W".repeat(23) + "O"];

// --- what is to be seen ----------------------------------------------------------------------------

// So many moves of both, captures first, so that there is something to count.
async function play(game, id, players, plies) {
    const rules = rulesOf(game), roll = dice(5);
    let position = rules.parse(rules.start);
    for (let ply = 0; ply < plies; ply++) {
        const legal = rules.moves(position).filter((move) => rules.moves(rules.play(position, move)).length > 0); // the game goes on
        const captures = legal.filter((move) => move.capture), list = captures.length ? captures : legal;
        const move = list[roll(list.length)];
        await players[ply % 2].play(id, move.text);
        position = rules.play(position, move);
    }
}

// Games live and over, tournaments of every look, an offer, a challenge: all by those names.
async function prepare(server, cookie, programs) {
    const post = async (path, body) => {
        const answer = await server.rest("POST", path, body, { cookie });
        if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
        return answer.body;
    };
    const names = programs.map(({ name }) => name);
    const begin = async (game, first, second) => (await post("/arbiter/games", { first, second, game, tc: CLOCK, reason: "a".repeat(40) })).id;
    const isOver = (id) => comes(async () => (await server.rest("GET", `/games/${id}`)).body.ended);
    const surakarta = await begin("surakarta", names[0], names[1]);
    await play("surakarta", surakarta, programs, 40);
    const xiangqi = await begin("xiangqi", names[2], names[3]);
    await play("xiangqi", xiangqi, programs.slice(2), 60);
    const own = await begin("xiangqi", OWNER, names[3]);
    const over = await begin("surakarta", names[0], OWNER);
    await programs[0].play(over, "b5-b4");
    programs[0].say(`resign game=${over}`);
    await isOver(over);
    for (const [first, second] of [[OWNER, RIVAL], [RIVAL, OWNER]]) {
        const { id } = await post("/arbiter/games", { first, second, game: "xiangqi", tc: CLOCK, rated: true, reason: "rated" });
        await post(`/arbiter/games/${id}/forfeit`, { side: "first", reason: "rated" });
    }

    const tournament = async (kind, entrants, more = {}) => {
        const { id } = await post("/tournaments", { name: `${kind} ${"W".repeat(40)}`, game: "xiangqi", kind, tc: CLOCK, games: 2, ...more });
        for (const player of entrants) await post(`/tournaments/${id}/enter`, { player });
        return id;
    };
    const live = async (id) => (await server.rest("GET", `/tournaments/${id}`)).body.pairings.filter((one) => one.points === undefined && one.game);
    const resign = async (id) => {
        for (const { game, first } of await live(id)) programs.find(({ name }) => name === first).say(`resign game=${game}`);
    };
    const everybody = await tournament("round-robin", names);
    await post(`/tournaments/${everybody}/start`, {});
    await comes(async () => (await resign(everybody), (await server.rest("GET", `/tournaments/${everybody}`)).body.state === "over"), 300);
    const open = await tournament("swiss", names.slice(0, 3));
    const knockout = await tournament("knockout", names);
    await post(`/tournaments/${knockout}/start`, {});
    const match = await tournament("round-robin", names.slice(0, 2), { games: 40, concurrency: 2, sprt: "elo0=0,elo1=5" });
    await post(`/tournaments/${match}/start`, {});
    await comes(async () => {
        await resign(match);
        const { match: figures } = (await server.rest("GET", `/tournaments/${match}`)).body;
        return figures.wins + figures.losses >= 6;
    }, 300);
    programs[2].say("seek game=xiangqi tc=7200+5 side=first");
    await programs[2].hears("seeking");
    return { surakarta, xiangqi, own, over, everybody, open, knockout, match };
}

// --- what must not be --------------------------------------------------------------------------------

// Texts, signs and fields that are not seen whole: outside of the window, or of an element that hides what is outside of
// it. What scrolls by itself may be wider inside, and a text may end in dots.
function cutOff() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const boxOf = (node) => {
        if (node.nodeType === Node.ELEMENT_NODE) return node.matches("button, input, select, textarea, img, svg:not(svg svg), .button") ? node.getBoundingClientRect() : null;
        if (!node.data.trim()) return null;
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    while (walker.nextNode()) {
        const node = walker.currentNode, first = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        const box = boxOf(node);
        if (!box?.width || !first.checkVisibility({ visibilityProperty: true }) || first.closest("svg svg, .unseen, .board-unseen, .skip, option, [aria-live=polite].says, #says")) continue;
        if (first.closest(".choice, .chip") && first.matches("input")) continue; // drawn by its label
        let { left, right, top, bottom } = box;
        for (let up = node.nodeType === Node.TEXT_NODE ? first : first.parentElement; up; up = up.parentElement) {
            const style = getComputedStyle(up), edge = up.getBoundingClientRect();
            if (style.clipPath !== "none" && style.position === "absolute") break; // for screen readers
            if (up === document.body || up === document.documentElement) continue;
            const hides = (overflow) => overflow === "hidden" || overflow === "clip" || /paint|content|strict/.test(style.contain);
            const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
            const wide = left < edge.left - 1.5 || right > edge.right + 1.5, high = top < edge.top - 1.5 || bottom > edge.bottom + 1.5;
            const dots = style.textOverflow === "ellipsis";
            if ((wide && hides(style.overflowX) && !scrolls(style.overflowX) && !dots) || (high && hides(style.overflowY) && !scrolls(style.overflowY)))
                found.push(`${up.tagName.toLowerCase()}.${up.className.baseVal ?? up.className} cuts ${(node.data ?? first.className.baseVal ?? first.className ?? first.tagName).slice(0, 30)}`);
            if (scrolls(style.overflowX) || hides(style.overflowX)) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
            if (scrolls(style.overflowY) || hides(style.overflowY)) [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
            if (style.position === "fixed") break;
        }
        if (left < -1 || right > innerWidth + 1) found.push(`outside: ${(node.data ?? first.className.baseVal ?? first.className).slice(0, 30)}`);
    }
    return [...new Set(found)];
}

async function fits(page, name, language) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(`${name} (${language}): does not scroll sideways`, wide <= page.viewportSize().width, `${wide} px`);
    const cut = await page.evaluate(cutOff);
    check(`${name} (${language}): nothing is cut off`, cut.length === 0, cut.slice(0, 6).join("; "));
    await shot(page, `phone-${name}-${language}`, { fullPage: true });
}

// Whether an element is seen whole without scrolling anything sideways.
const wider = (page, selector) => page.locator(selector).evaluateAll((list) => list.map((each) => each.scrollWidth - each.clientWidth));

// Of both players: whether all they have captured lies within its place in the bar.
function capturedSeen(page) {
    return page.locator(".player .captured").evaluateAll((list) => list.map((node) => {
        const edge = node.getBoundingClientRect(), bar = node.parentElement.getBoundingClientRect(), parts = [...node.children].map((each) => each.getBoundingClientRect());
        const left = Math.max(edge.left, bar.left) - 1, right = Math.min(edge.right, bar.right) + 1;
        return parts.length > 0 && parts.every((one) => one.width > 0 && one.left >= left && one.right <= right && one.top >= bar.top - 1 && one.bottom <= bar.bottom + 1);
    }));
}

async function look(browser, server, cookie, made, programs, language) {
    const page = await visitor(browser, { width: WIDTH, height: 780, cookie, url: server.url, prefs: { language, theme: language === "zh" ? "dark" : "light" } });
    const see = async (name, path, selector) => {
        await visit(page, server.url + path);
        if (selector) await page.locator(selector).first().waitFor();
        await fits(page, name, language);
    };
    await see("start", "/", ".home .live-card");
    await page.locator(".lobby tbody tr").waitFor();
    await fits(page, "start-lobby", language);
    check(`the lobby is seen whole (${language})`, (await wider(page, ".lobby .scroll")).every((over) => over <= 0), String(await wider(page, ".lobby .scroll")));
    for (const game of ["surakarta", "xiangqi"]) {
        await page.locator(`.pick[data-game=${game}] button.primary`).click();
        for (const opponent of ["bot", "friend", "lobby"]) {
            await page.locator(`dialog.setup input[value=${opponent}]`).check({ force: true });
            const over = await page.locator("dialog.setup").evaluate((node) => [node.scrollWidth - node.clientWidth, node.getBoundingClientRect().right - innerWidth]);
            check(`the dialog to play ${game} against ${opponent} is seen whole (${language})`, over.every((each) => each <= 0), String(over));
            await fits(page, `setup-${game}-${opponent}`, language);
        }
        await page.locator("dialog.setup button.icon").click();
    }
    await see("watch", "/watch", ".live-card");
    await see("tournaments", "/tournaments", ".tournament-row");
    await see("tournament-over", `/tournament/${made.everybody}`, ".standings");
    await see("tournament-open", `/tournament/${made.open}`, ".entrants");
    await see("tournament-knockout", `/tournament/${made.knockout}`, ".bracket");
    await page.locator(".live-card").first().waitFor();
    await fits(page, "tournament-knockout-live", language);
    await see("match", `/tournament/${made.match}`, ".match-panel .elo-chart");
    check(`the match is seen whole (${language})`, (await wider(page, ".match-panel, .match-panel *")).every((over) => over <= 1));
    const widest = await page.locator(".match-panel .figure b").evaluateAll((list) => list.map((each) => {
        each.textContent = "\u2212120.4 \u00b1 264.5"; // as wide as an Elo difference gets
        const range = document.createRange();
        range.selectNodeContents(each);
        return range.getBoundingClientRect().right - each.closest(".figure").getBoundingClientRect().right;
    }));
    check(`the widest figures of a match fit (${language})`, widest.length > 0 && widest.every((over) => over <= 0), String(widest));
    await see("archive", "/archive", ".found tbody tr");
    await see("archive-search", `/archive?player=${OWNER}`, ".found tbody tr");
    for (const game of ["surakarta", "xiangqi"]) await see(`ratings-${game}`, `/ratings/${game}`, ".rating-columns section");
    await see("audit", "/audit", ".audit tbody tr");
    for (const [name, path] of [["player", `/player/${PROGRAMS[0]}`], ["me", "/me"]]) {
        await see(name, path, ".me-grid tbody tr");
        check(`${name}: the table of games is seen whole (${language})`, (await wider(page, ".me-grid .scroll")).every((over) => over <= 0), String(await wider(page, ".me-grid .scroll")));
    }
    for (const game of ["surakarta", "xiangqi"]) {
        for (const width of [WIDTH, 700, 1000, 1440]) {
            await page.setViewportSize({ width, height: 780 });
            await see(`game-${game}-${width}`, `/game/${made[game]}`, ".player .captured svg");
            const seen = await capturedSeen(page);
            check(`what was captured is seen at ${width} pixels, ${game} (${language})`, seen.length === 2 && seen.every(Boolean), String(seen));
        }
        await page.setViewportSize({ width: WIDTH, height: 780 });
    }
    await see("own-game", `/game/${made.own}`, ".game-view");
    await see("replay", `/study/game/${made.over}`, ".graph");
    programs[1].say(`challenge to=${OWNER} game=surakarta tc=7200+5 side=first`);
    await page.locator(".invite").waitFor();
    await fits(page, "challenged", language);
    await page.locator(".invite button").first().click();
    await until(page, () => !document.querySelector(".invite"));
    await page.evaluate(async (name) => (await window.moduleOf("/lib/dom.js")).toast(`Welcome, ${name}.`), OWNER);
    await page.locator(".toast").last().waitFor();
    await fits(page, "toast", language);
    check(`no errors in the console (${language})`, page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const cookie = await server.register(OWNER);
    await server.register(RIVAL);
    spawnSync(kraton, ["serve", "--data", join(server.folder, "data"), "--arbiter", OWNER]);
    const programs = [];
    for (const name of PROGRAMS) programs.push(keep(await Program.join(server, cookie, name)));
    const made = await prepare(server, cookie, programs);
    for (const language of ["en", "zh"]) await look(browser, server, cookie, made, programs, language);
});
