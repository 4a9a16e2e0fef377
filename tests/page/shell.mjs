// The frame: every path answers, the menu leads everywhere, language and theme switch, axe finds nothing.
import { Server, openBrowser, visitor, visit, settled, shot, axe, check, main } from "./kit.mjs";

const paths = ["/", "/watch", "/tournaments", "/archive", "/study", "/study/surakarta", "/study/xiangqi", "/learn", "/learn/surakarta", "/learn/xiangqi", "/me", "/nowhere"];

await main(async (keep) => {
    const server = keep(await Server.start());
    const browser = keep(await openBrowser());
    const page = await visitor(browser);
    for (const path of paths) {
        await visit(page, server.url + path);
        const serious = await axe(page);
        check(`${path}: axe finds nothing`, serious.length === 0, serious.join("; "));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${path}: nothing sticks out`, wide <= 0, `${wide} px`);
    }
    await visit(page, server.url + "/");
    const icons = await page.evaluate(async () => {
        const { icons } = await (await fetch(document.querySelector("link[rel=manifest]").href)).json();
        return Promise.all(icons.map(async ({ src, sizes, purpose }) => {
            const { naturalWidth: width, naturalHeight: height } = await new Promise((done, fail) => Object.assign(new Image(), { src, onload: (event) => done(event.target), onerror: fail }));
            return { sizes, purpose, isTrue: sizes === "any" || sizes === `${width}x${height}` };
        }));
    });
    check("the manifest's icons have their sizes", icons.every(({ isTrue }) => isTrue), JSON.stringify(icons));
    check("icons for every use", ["192x192", "512x512"].every((size) => icons.some(({ sizes }) => sizes === size)) && icons.some(({ purpose }) => purpose === "maskable"));
    for (const name of ["Watch", "Tournaments", "Study", "Learn", "Play"]) {
        await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name, exact: true }).click();
        await settled(page);
        check(`the menu leads to ${name}`, (await page.locator(".bar nav [aria-current]").textContent()) === name);
    }
    await page.locator("#language").click();
    check("Chinese", (await page.getByRole("navigation").first().textContent()).includes("对弈"));
    check("the document says so", (await page.locator("html").getAttribute("lang")) === "zh-Hans");
    await page.reload();
    await settled(page);
    check("Chinese after a reload", (await page.getByRole("navigation").first().textContent()).includes("对弈"));
    await shot(page, "shell-zh");
    for (const theme of ["light", "dark"]) {
        await page.locator("#theme").click();
        check(`theme ${theme}`, (await page.locator("html").getAttribute("data-theme")) === theme);
    }
    await shot(page, "shell-zh-dark");
    await page.keyboard.press("Tab");
    check("no errors in the console", page.faults.length === 0, page.faults.join("; "));
});
