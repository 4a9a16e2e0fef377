// Boards in a browser: moves by click, drag, touch and keyboard, captures running through their loops, routes, moves in
// advance, reduced motion, a thousand moves replayed, dozens of small boards; pictures of everything to look at.
import { Server, axe, check, main, note, openBrowser, shot, visit, visitor } from "./kit.mjs";

// Puts a board on the page whose moves are played on it; what was played is in window.played.
async function mount(page, options, fen) {
    await page.evaluate(async ({ options, fen }) => {
        const { Board } = await window.moduleOf("/board/board.js");
        const host = document.createElement("div");
        host.style.width = "min(100%, 620px)";
        const title = document.createElement("h1"); // as every page has one
        title.textContent = "Board";
        title.className = "unseen";
        document.getElementById("main").replaceChildren(title, host);
        window.board?.destroy();
        const board = (window.board = new Board(host, options));
        window.played = [];
        if (fen) board.set(board.rules.parse(fen));
        board.onMove = (move) => {
            window.played.push(move.text);
            board.set(board.rules.play(board.position, move), { last: move, animateFrom: move });
        };
    }, { options, fen });
}

const fenOf = (page) => page.evaluate(() => board.rules.write(board.position));
const playedOn = (page) => page.evaluate(() => window.played.join(" "));

function spot(page, name) {
    return page.evaluate((point) => {
        const [x, y] = board.at(board.rules.pointOf(point));
        const on = new DOMPoint(x, y).matrixTransform(board.svg.getScreenCTM());
        return [on.x, on.y];
    }, name);
}

async function click(page, ...names) {
    for (const name of names) await page.mouse.click(...(await spot(page, name)));
}

async function drag(page, from, to) {
    await page.mouse.move(...(await spot(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await spot(page, to)), { steps: 6 });
    await page.mouse.up();
}

// --- moving -----------------------------------------------------------------------------------------

async function moveByHand(page) {
    await mount(page, { game: "surakarta", interactive: "both", animate: false });
    await click(page, "b5", "b4");
    await click(page, "c2", "c3");
    await drag(page, "c5", "d4");
    await drag(page, "f2", "a6");
    check("Surakarta by click and drag, nothing illegal", (await playedOn(page)) === "b5-b4 c2-c3 c5-d4", await playedOn(page));
    await mount(page, { game: "xiangqi", interactive: "both", animate: false });
    await click(page, "h2", "e2", "h9", "g7");
    await drag(page, "h0", "g2");
    check("Xiangqi by click and drag", (await playedOn(page)) === "h2e2 h9g7 h0g2", await playedOn(page));
    await mount(page, { game: "xiangqi", interactive: "second", animate: false });
    await click(page, "h2", "e2");
    check("the other side's pieces stay", (await playedOn(page)) === "");
    await mount(page, { game: "xiangqi", interactive: "first", orientation: 1, animate: false });
    await drag(page, "b2", "e2");
    check("on a board turned round", (await playedOn(page)) === "b2e2", await playedOn(page));
}

async function touchDrag(page, from, to) {
    const wire = await page.context().newCDPSession(page);
    const [x0, y0] = await spot(page, from), [x1, y1] = await spot(page, to);
    const touch = (type, touchPoints) => wire.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: x0, y: y0 }]);
    for (const part of [0.3, 0.6, 1]) await touch("touchMove", [{ x: x0 + (x1 - x0) * part, y: y0 + (y1 - y0) * part }]);
    await shot(page, "board-360-drag");
    await touch("touchEnd", []);
}

async function moveByTouch(browser, url) {
    const page = await visitor(browser, { width: 360, height: 740, hasTouch: true, isMobile: true });
    await visit(page, `${url}/learn`);
    await mount(page, { game: "surakarta", interactive: "both", animate: false });
    for (const name of ["b5", "b4", "e2", "e3"]) await page.touchscreen.tap(...(await spot(page, name)));
    check("by touch at 360 pixels", (await playedOn(page)) === "b5-b4 e2-e3", await playedOn(page));
    await touchDrag(page, "c5", "c4");
    check("by dragging with a finger", (await playedOn(page)) === "b5-b4 e2-e3 c5-c4", await playedOn(page));
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    check("nothing is wider than the screen", fits);
    await shot(page, "board-360-surakarta");
    await mount(page, { game: "xiangqi", interactive: "both", animate: false, theme: "paper" });
    await page.touchscreen.tap(...(await spot(page, "b0")));
    await shot(page, "board-360-xiangqi");
    check("no faults", page.faults.length === 0, page.faults.join(" | "));
}

async function moveByKeyboard(page) {
    await mount(page, { game: "surakarta", interactive: "both", animate: false });
    await page.evaluate(() => board.focus());
    for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    const said = await page.evaluate(() => document.querySelector(".board [aria-live]").textContent);
    check("picking up is announced with its targets", /black stone on b5.*a4, b4, c4/i.test(said), said);
    const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    check("the focus says point and piece", label === "b5, black stone", label);
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    check("Surakarta by keyboard", (await playedOn(page)) === "b5-b4", await playedOn(page));
    await mount(page, { game: "xiangqi", interactive: "both", animate: false, orientation: 1 });
    await page.evaluate(() => board.focus());
    await page.keyboard.press("Escape");
    const start = await page.evaluate(() => Number(document.activeElement.dataset.point));
    await page.keyboard.press("ArrowRight");
    const next = await page.evaluate(() => Number(document.activeElement.dataset.point));
    check("arrows go as seen on a board turned round", next === start - 1 || start % 9 === 0, `${start} to ${next}`);
    const text = await page.evaluate(() => document.getElementById(board.svg.getAttribute("aria-describedby")).textContent);
    check("the position can be read out", /Red to move\. Red: general e0; advisor d0, f0/.test(text), text);
}

// --- captures ---------------------------------------------------------------------------------------

const CAPTURE = "1bb1bb/bb2bb/2w3/3b2/w1ww1w/wwww1w w 0 9";

// What the moving piece says of itself, picture by picture, on its way after it was let go: one every 20 ms, however busy
// the machine is.
async function watchRun(page, letGo) {
    await page.evaluate(() => {
        window.due = [];
        window.realFrame = requestAnimationFrame;
        window.requestAnimationFrame = (draw) => window.due.push(draw);
    });
    await letGo();
    return page.evaluate(() => {
        const seen = [];
        for (let now = 0; window.due.length; now += 20) {
            window.due.splice(0).forEach((draw) => draw(now));
            const { progress, loopsPassed } = board.node.querySelector("[data-progress]").dataset;
            seen.push([Number(progress), Number(loopsPassed)]);
        }
        window.requestAnimationFrame = window.realFrame;
        return seen;
    });
}

async function capture(page) {
    await mount(page, { game: "surakarta", interactive: "both" }, CAPTURE);
    await page.mouse.move(...(await spot(page, "c4")));
    const hovered = await page.evaluate(() => board.node.querySelectorAll(".route").length);
    check("hovering over a piece shows the routes of its captures", hovered >= 2, String(hovered));
    await click(page, "c4");
    await shot(page, "board-routes");
    const seen = await watchRun(page, () => click(page, "d3"));
    const running = seen.filter(([progress]) => progress > 0 && progress < 1);
    note(`the run takes ${20 * (seen.length - 1)} ms, loops passed: ${[...new Set(seen.map(([, loops]) => loops))].join(", ")}`);
    check("a capture is seen running", running.length > 3, JSON.stringify(seen));
    check("progress and loops only grow", seen.every(([p, l], i) => !i || (p >= seen[i - 1][0] && l >= seen[i - 1][1])));
    const before = seen.some(([p, loops]) => p > 0 && p < 1 && loops === 0), after = seen.some(([p, loops]) => p < 1 && loops === 1);
    check("the loop is passed on the way", before && after && seen.at(-1)[1] === 1, JSON.stringify(seen));
    check("the capture is on the board", (await fenOf(page)).startsWith("1bb1bb/bb2bb/6/3w2"), await fenOf(page));
    await shot(page, "board-captured");
    await mount(page, { game: "surakarta", interactive: "both" }, "6/2b3/6/6/6/3w2 b 0 1");
    await click(page, "c5");
    const ways = await page.evaluate(() => [...board.node.querySelectorAll(".route")].map((node) => getComputedStyle(node).strokeDasharray));
    check("two routes to one stone are told apart", ways.length === 2 && ways[0] !== ways[1], ways.join(" | "));
    await shot(page, "board-two-routes");
}

// Every route drawn begins and ends on its points, is as long as it is said to be, and leaves the square once a loop.
async function geometry(page) {
    const found = await page.evaluate(async () => {
        const { drawing } = await window.moduleOf("/games/surakarta/board.js");
        const { game } = await window.moduleOf("/rules/index.js");
        const rules = game("surakarta"), track = document.createElementNS("http://www.w3.org/2000/svg", "path");
        let position = rules.parse(rules.start), seed = 5, routes = 0, wrong = 0;
        const near = (a, b) => Math.abs(a - b) < 1.5;
        function outings(length) {
            let count = 0, wasOut = false;
            for (let at = 0; at <= length; at += 5) {
                const { x, y } = track.getPointAtLength(at), out = x < -2 || y < -2 || x > 502 || y > 502;
                count += out && !wasOut;
                wasOut = out;
            }
            return count;
        }
        for (let ply = 0; ply < 300; ply++) {
            const moves = rules.moves(position);
            for (const route of moves.flatMap((move) => move.routes))
                for (const orientation of [0, 1]) {
                    const path = drawing.routePath(route, orientation);
                    track.setAttribute("d", path.d);
                    const ends = [track.getPointAtLength(0), track.getPointAtLength(path.length)];
                    const points = [route.points[0], route.points.at(-1)].map((point) => drawing.at(point, orientation));
                    const good = near(track.getTotalLength(), path.length) && path.loopEnds.length === route.loops && outings(path.length) === route.loops &&
                        ends.every(({ x, y }, i) => near(x, points[i][0]) && near(y, points[i][1]));
                    routes++;
                    wrong += !good;
                }
            seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
            const move = moves[Math.floor((seed / 4294967296) * moves.length)];
            position = move ? rules.play(position, move) : rules.parse(rules.start);
        }
        return { routes, wrong };
    });
    check(`${found.routes} routes lie where they should`, found.routes > 200 && found.wrong === 0, JSON.stringify(found));
}

// An arrow of a capture goes the way the capture goes, for either side, on a board turned round too; every other arrow is
// straight.
async function captureArrows(page) {
    const seen = (name, orientation) => page.evaluate(({ name, orientation }) => {
        board.configure({ orientation });
        const [from, to] = name.split("x").map(board.rules.pointOf), { position } = board;
        board.arrows([{ from, to, class: "best" }]);
        const side = position.board[from] > 8 ? 1 : 0;
        const route = board.rules.moves({ ...position, side }).find((move) => move.text === name)?.routes[0];
        const shaft = board.node.querySelector(".arrow .shaft"), total = shaft.getTotalLength();
        const spots = Array.from({ length: Math.floor(total) + 1 }, (_, at) => shaft.getPointAtLength(at));
        const head = board.node.querySelector(".arrow :not(.shaft, .flow)").transform.baseVal[0].matrix, [x, y] = board.at(to);
        return {
            arcs: shaft.getAttribute("d").split("A").length - 1, loops: route?.loops ?? 0,
            missed: (route?.points ?? [from, to]).map((point) => board.at(point)).filter(([x, y]) => !spots.some((spot) => Math.hypot(spot.x - x, spot.y - y) < 2)).length,
            gap: Math.hypot(head.e - x, head.f - y), d: shaft.getAttribute("d"),
        };
    }, { name, orientation });
    for (const [fen, name, what] of [
        [CAPTURE, "c4xd3", "the side to move's"],
        [CAPTURE.replace(" w ", " b "), "c4xd3", "the other side's"],
        ["6/2b3/6/6/6/3w2 b 0 1", "c5xd1", "one of two ways"],
    ])
        for (const orientation of [0, 1]) {
            await mount(page, { game: "surakarta", interactive: "both", animate: false }, fen);
            const { arcs, loops, missed, gap } = await seen(name, orientation);
            check(`an arrow of a capture goes its route: ${what}${orientation ? ", turned round" : ""}`, loops > 0 && arcs === loops && missed === 0 && gap < 20, JSON.stringify({ arcs, loops, missed, gap }));
            if (name === "c4xd3") await shot(page, `board-capture-arrow-${orientation}`);
        }
    const { d } = await seen("c5xd1", 0);
    await click(page, "c5", "d1");
    check("of two ways, the one shown when the move is played", d === (await page.locator(".route.past").getAttribute("d")), d);
    await mount(page, { game: "surakarta", interactive: "both", animate: false }, CAPTURE);
    check("an arrow of no move is straight", (await seen("c4xe5", 0)).arcs === 0);
    await page.mouse.move(...(await spot(page, "c4")));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await spot(page, "d3")));
    await page.mouse.up({ button: "right" });
    check("an arrow drawn by hand goes the route too", /A/.test(await page.locator(".arrow.own .shaft, .arrow .shaft").first().getAttribute("d")));
}

async function standStill(browser, url) {
    const page = await visitor(browser, { prefs: { animate: true }, reducedMotion: "reduce" });
    await visit(page, `${url}/learn`);
    await mount(page, { game: "surakarta", interactive: "both" }, CAPTURE);
    await click(page, "c4", "d3");
    const node = await page.evaluate(() => ({ ...board.node.querySelector("[data-progress]")?.dataset }));
    check("reduced motion: there at once", node.progress === "1" && node.loopsPassed === "1", JSON.stringify(node));
}

async function moveAhead(page) {
    await mount(page, { game: "xiangqi", interactive: "second", premove: true, animate: false });
    await click(page, "h9", "g7");
    check("a move in advance waits", (await page.evaluate(() => board.premove?.to)) === 69 && (await playedOn(page)) === "");
    await shot(page, "board-premove");
    await page.evaluate(() => board.set(board.rules.play(board.position, board.rules.find(board.position, "h2e2"))));
    await page.evaluate(() => new Promise((done) => {
        const look = () => (window.played.length ? done() : requestAnimationFrame(look));
        look();
    }));
    check("and is played in its turn", (await playedOn(page)) === "h9g7", await playedOn(page));
    await mount(page, { game: "xiangqi", interactive: "second", premove: true, animate: false });
    await click(page, "h9", "g7", "e4");
    check("a click takes it back", (await page.evaluate(() => board.premove)) === null);
}

// --- size and speed ---------------------------------------------------------------------------------

async function replay(page, game, count) {
    const figures = await page.evaluate(async ({ game, count }) => {
        const { Board } = await window.moduleOf("/board/board.js");
        const { game: find } = await window.moduleOf("/rules/index.js");
        const rules = find(game), host = document.createElement("div");
        host.style.width = "620px";
        document.getElementById("main").replaceChildren(host);
        const board = new Board(host, { game });
        let position = rules.parse(rules.start), seed = 1;
        const steps = [];
        while (steps.length < count) {
            const moves = rules.moves(position).filter((move) => !move.capture || steps.length % 60 === 0);
            seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
            const turned = Math.floor((seed / 4294967296) * moves.length);
            const move = [...moves.slice(turned), ...moves.slice(0, turned)].find((each) => rules.moves(rules.play(position, each)).some((answer) => !answer.capture));
            position = rules.play(position, move);
            steps.push({ position, move });
        }
        const frames = [], sets = [];
        let last = null;
        for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); // the board's first picture
        for (const [i, { position: next, move }] of steps.entries()) {
            if (i % 10 === 0) {
                const now = await new Promise(requestAnimationFrame);
                if (last !== null) frames.push(now - last);
                last = now;
            }
            const before = performance.now();
            board.set(next, { last: move, animateFrom: move });
            sets.push(performance.now() - before);
        }
        board.finish();
        const nth = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
        const nodes = board.node.querySelectorAll(".piece").length, pieces = position.board.filter(Boolean).length;
        board.destroy();
        return { moves: steps.length, set: [nth(sets, 0.5), nth(sets, 0.99)], frame: [nth(frames, 0.5), nth(frames, 0.95), Math.max(...frames)], nodes, pieces };
    }, { game, count });
    const ms = (list) => list.map((value) => value.toFixed(1)).join(" / ");
    note(`${game}: ${figures.moves} moves, ten a frame: frame ${ms(figures.frame)} ms (median / 95% / worst), set() ${ms(figures.set)} ms (median / 99%)`);
    check(`${game}: ${count} moves leave the right pieces`, figures.moves === count && figures.nodes === figures.pieces, JSON.stringify(figures));
}

async function manySmall(page) {
    const took = await page.evaluate(async () => {
        const { Board } = await window.moduleOf("/board/board.js");
        const host = document.createElement("div");
        host.style.cssText = "display:grid;grid-template-columns:repeat(10,1fr);gap:10px";
        document.getElementById("main").replaceChildren(host);
        const before = performance.now();
        for (let i = 0; i < 60; i++) {
            const place = document.createElement("div");
            host.append(place);
            new Board(place, { game: i % 2 ? "xiangqi" : "surakarta", small: true, theme: ["wood", "paper", "green", "dark"][(i >> 1) % 4] });
        }
        return { ms: performance.now() - before, nodes: host.querySelectorAll("*").length };
    });
    note(`60 small boards: ${took.ms.toFixed(0)} ms, ${took.nodes} nodes`);
    check("small boards are light", took.nodes < 60 * 50);
    await shot(page, "board-small");
}

// Both piece sets at 24 and 96 pixels, and every theme.
async function pictures(page) {
    await page.evaluate(async () => {
        const { pieceIcon } = await window.moduleOf("/board/pieces.js");
        const { game } = await window.moduleOf("/rules/index.js");
        const host = document.createElement("div");
        host.style.background = "#e4bd83";
        for (const set of ["traditional", "western"])
            for (const size of [24, 48, 96]) {
                const row = document.createElement("div");
                row.append(...game("xiangqi").pieces.map((piece) => pieceIcon("xiangqi", piece, { set, size })));
                host.append(row);
            }
        document.getElementById("main").replaceChildren(host);
    });
    await shot(page, "board-pieces", { fullPage: true });
    const sizes = await page.evaluate(() => [...document.querySelectorAll(".kraton-piece")].filter((node) => node.getBoundingClientRect().width < 20).length);
    check("both piece sets are drawn", sizes === 0);
    for (const [game, theme, pieces] of [["surakarta", "wood"], ["surakarta", "dark"], ["xiangqi", "wood", "traditional"], ["xiangqi", "green", "western"]]) {
        await mount(page, { game, theme, pieces, interactive: "both", coordinates: pieces === "traditional" ? "chinese" : true });
        await shot(page, `board-${game}-${theme}`);
    }
}

// Check and the last move are marked; the general in check is found by the board itself.
async function marks(page) {
    await mount(page, { game: "xiangqi", interactive: "both", animate: false }, "rnbaka1nr/9/1c2b2c1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b");
    check("check is marked", (await page.evaluate(() => board.shown.check)) === 85 && (await page.locator(".in-check").count()) === 1);
    await click(page, "d9", "e8");
    check("the last move is marked, check no longer", (await page.locator(".last.from, .last.to").count()) === 2 && (await page.locator(".last.trace").count()) === 1 && (await page.locator(".in-check").count()) === 0);
    await page.mouse.move(...(await spot(page, "b2")));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await spot(page, "e2")));
    await page.mouse.up({ button: "right" });
    check("the right button draws an arrow", (await page.locator(".arrow").count()) === 1);
}

async function largeAndDark(browser, url) {
    const page = await visitor(browser, { width: 3840, height: 2160, prefs: { theme: "dark" } });
    await visit(page, `${url}/learn/surakarta`);
    await shot(page, "board-4k-dark");
    check("no faults at 4K", page.faults.length === 0, page.faults.join(" | "));
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const page = await visitor(browser, { height: 1000, prefs: { animate: true } });
    await visit(page, `${server.url}/learn`);
    await moveByHand(page);
    await moveByKeyboard(page);
    await moveByTouch(browser, server.url);
    await capture(page);
    await geometry(page);
    await captureArrows(page);
    await standStill(browser, server.url);
    await moveAhead(page);
    await marks(page);
    await largeAndDark(browser, server.url);
    await replay(page, "surakarta", 300);
    await replay(page, "xiangqi", 1000);
    await manySmall(page);
    await pictures(page);
    await mount(page, { game: "surakarta", interactive: "both" });
    const serious = await axe(page);
    check("axe-core finds nothing serious", serious.length === 0, serious.join("; "));
    check("no faults", page.faults.length === 0, page.faults.join(" | "));
});
