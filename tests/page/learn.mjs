// The pages of rules: every task can be solved by hand, a wrong move is told, "Show me" shows, both languages, a
// small screen, nothing serious for axe-core.
import { Server, axe, check, main, note, openBrowser, shot, visit, visitor } from "./kit.mjs";
import { game } from "../../web/rules/index.js";
import { lessons as surakarta } from "../../web/games/surakarta/lessons.js";
import { lessons as xiangqi } from "../../web/games/xiangqi/lessons.js";

const courses = { surakarta, xiangqi };
const examplesOf = (name) => courses[name].flatMap((lesson) => lesson.examples ?? []);
const example = (page, id) => page.locator(`[data-example="${id}"]`);

async function press(page, name, id, point) {
    const cell = example(page, id).locator(`.cell[data-point="${game(name).pointOf(point)}"]`);
    await cell.scrollIntoViewIfNeeded();
    const box = await cell.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function solve(page, name, task) {
    const rules = game(name);
    let position = rules.parse(task.fen);
    const { side } = position;
    for (const typed of task.solution) {
        const move = rules.find(position, typed);
        await press(page, name, task.id, rules.pointName(move.from));
        await press(page, name, task.id, rules.pointName(move.to));
        position = { ...rules.play(position, move), side };
    }
    const says = example(page, task.id).locator('.lesson-says[data-mood="good"]');
    await says.waitFor();
    return says.textContent();
}

async function course(page, url, name) {
    await visit(page, `${url}/learn/${name}?part=all`);
    const tasks = examplesOf(name).filter((each) => each.goal);
    const praise = [];
    for (const task of tasks) praise.push(await solve(page, name, task));
    check(`${name}: ${tasks.length} tasks solved by hand`, praise.length === tasks.length && praise.every(Boolean), praise.join(" | "));
    await visit(page, `${url}/learn/${name}?part=all`);
    check(`${name}: what was solved is remembered`, (await page.locator(".lesson-example.done").count()) === tasks.length);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(`${name}: nothing sticks out`, wide <= 0, `${wide} px`);
    const serious = await axe(page);
    check(`${name}: axe-core finds nothing serious`, serious.length === 0, serious.join("; "));
    await shot(page, `learn-${name}`, { fullPage: true });
}

// One lesson at a time: each is a few taps, and what was learned is remembered.
async function lessonByLesson(page, url) {
    await visit(page, `${url}/learn`);
    check("nothing is learned yet", /^0 of \d+ lessons/.test(await page.locator(".learn-progress").first().textContent()));
    await page.locator('main a[href="/learn/surakarta"]').click();
    await page.locator("section.lesson#loops").waitFor();
    check("one lesson, and the way on", (await page.locator("section.lesson").count()) === 1);
    await page.getByRole("link", { name: "Next: Steps" }).click();
    await page.locator("section.lesson#steps").waitFor();
    check("a lesson with a task may be skipped", (await page.getByRole("link", { name: /^Skip to: / }).count()) === 1);
    await solve(page, "surakarta", courses.surakarta.find(({ id }) => id === "steps").examples[0]);
    await page.getByRole("link", { name: "Next: Captures" }).waitFor();
    check("solved, it is learned", /^2 of/.test(await page.locator(".learn-progress").textContent()) &&
        (await page.locator(".learn-nav a.done").count()) === 2);
    await visit(page, `${url}/learn/surakarta`);
    await page.locator("section.lesson#captures").waitFor();
    check("who comes back goes on there", true);
}

async function wrongAndShown(page, url) {
    await visit(page, `${url}/learn/surakarta?part=all`);
    await press(page, "surakarta", "first", "c1");
    await press(page, "surakarta", "first", "c2");
    await example(page, "first").locator('.lesson-says[data-mood="bad"]').waitFor();
    check("a wrong move is told", true);
    await example(page, "three").getByRole("button", { name: "Show me" }).click();
    await example(page, "three").locator('.lesson-says[data-mood="good"]').waitFor();
    check("a solution is shown", true);
    await example(page, "tour").getByRole("button", { name: "Run the outer circuit" }).click();
    const runner = example(page, "tour").locator('[data-progress="1"][data-loops-passed="4"]');
    await runner.waitFor({ state: "attached" });
    check("a stone runs round all four loops of a circuit", true);
    await press(page, "surakarta", "anyway", "d4");
    const says = await example(page, "anyway").locator(".lesson-says").textContent();
    check("the ways of any stone are told", /d4 has \d ways/.test(says), says);
    await shot(page, "learn-ways", { clip: await example(page, "anyway").boundingBox() });
}

// On a phone a finger on a piece takes it up, and beside the pieces it scrolls the page.
async function scrolling(page, url) {
    await visit(page, `${url}/learn/xiangqi?part=all`);
    const wire = await page.context().newCDPSession(page);
    // A page that was pushed by a finger rolls on for a while.
    const rest = () => page.evaluate(async () => {
        for (let still = 0, last = scrollY; still < 15; still = scrollY === last ? still + 1 : 0, last = scrollY)
            await new Promise((done) => requestAnimationFrame(done));
        return scrollY;
    });
    const scrolledBy = async (name) => {
        const cell = example(page, "chariot").locator(`.cell[data-point="${game("xiangqi").pointOf(name)}"]`);
        await cell.evaluate((node) => node.scrollIntoView({ block: "center", behavior: "instant" }));
        const before = await rest();
        const box = await cell.boundingBox();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await wire.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
        for (let step = 1; step <= 8; step++) await wire.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y - 20 * step }] });
        await wire.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        return (await rest()) - before;
    };
    check("beside the pieces a finger scrolls the page", (await scrolledBy("e5")) > 50);
    check("on a piece it does not", (await scrolledBy("b1")) === 0);
}

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const page = await visitor(browser);
    await lessonByLesson(await visitor(browser), server.url);
    for (const name of Object.keys(courses)) await course(page, server.url, name);
    await wrongAndShown(page, server.url);
    await visit(page, `${server.url}/learn/xiangqi?part=all`);
    await page.getByText("Pictures", { exact: true }).click();
    const pictures = await page.evaluate(() => document.querySelectorAll('.lesson-board [href^="#kraton-picture"]').length);
    check("pictures instead of characters", pictures > 32, String(pictures));
    check("no faults", page.faults.length === 0, page.faults.join(" | "));
    const small = await visitor(browser, { width: 360, height: 740, prefs: { language: "zh", theme: "dark" } });
    for (const name of Object.keys(courses)) {
        await visit(small, `${server.url}/learn/${name}?part=all`);
        const title = await small.locator("h1").textContent();
        check(`${name} in Chinese: ${title}`, /怎么下/.test(title));
        const wide = await small.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${name} at 360 pixels: nothing sticks out`, wide <= 0, `${wide} px`);
        await shot(small, `learn-${name}-360-zh-dark`, { fullPage: true });
    }
    await scrolling(await visitor(browser, { width: 360, height: 740, hasTouch: true, isMobile: true }), server.url);
    note(`${examplesOf("surakarta").length + examplesOf("xiangqi").length} boards to try things on`);
});
