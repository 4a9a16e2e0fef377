// Golden pictures: every view, reached by clicks from `/`, looks as it did when its picture was accepted. Wide, narrow and
// between, light and dark, English and Chinese. Pictures are compared at a quarter of their size.
//
//     node tests/page/golden.mjs build/release/kraton             compares all
//     node tests/page/golden.mjs build/release/kraton --some      compares wide English and narrow Chinese views: page_golden
//     node tests/page/golden.mjs build/release/kraton --others    the others: page_golden_others, which only --all runs
//     node tests/page/golden.mjs build/release/kraton --width=820 only those of one width
//     node tests/page/golden.mjs build/release/kraton --accept    writes the pictures that differ into tests/page/golden/
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pictures } from "./pictures.mjs";
import { World, stillVisitor, tour } from "./tour.mjs";
import { check, comes, main, note, openBrowser, shots } from "./kit.mjs";

const TOLERANCE = 32; // of 255, for each of red, green and blue: letters are smoothed a little differently everywhere
const MOST_OFF = 0.01; // of all pixels
const ALIKE = 3; // so many pictures in a row with nothing between them: the view has come to rest
const SIZES = [
    { width: 1440, height: 900, most: 1400 }, // most: what is below that is not looked at
    { width: 360, height: 780, most: 2000 },
    { width: 820, height: 1180, most: 1400, themes: { en: ["light"], zh: ["dark"] } }, // a tablet: one theme in each language
];
const TWINS = ["setup-xiangqi", "result-xiangqi", "start-again"]; // they look like others but for the game
const isAccepting = process.argv.includes("--accept");
const isSome = (size, language) => (language === "en" ? size === SIZES[0] : size === SIZES[1]);
const width = Number(process.argv.find((each) => each.startsWith("--width="))?.slice(8) ?? 0); // only pictures as wide as that
const isWanted = (size, language) => (!width || width === size.width) && !process.argv.includes(isSome(size, language) ? "--others" : "--some");
const folder = fileURLToPath(new URL("golden/", import.meta.url));

// The page as it is now, a quarter of its size.
async function take({ page, wire, pictures, size }) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const clip = { x: 0, y: 0, width: size.width, height: Math.min(height, size.most), scale: 1 };
    const { data } = await wire.send("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true, optimizeForSpeed: true });
    return pictures.quarter(data);
}

// Takes pictures until one is good, or until the view rests: nothing is loading and nothing changes.
async function rest(desk, isGood) {
    let last = null;
    let alike = 0;
    await comes(async () => {
        const isBusy = desk.loading.size > 0;
        const now = await take(desk);
        alike = !isBusy && last?.equals(now) ? alike + 1 : 1;
        last = now;
        return alike >= ALIKE || (await isGood(now));
    });
    return last;
}

// Whether the golden picture of this name is still true.
async function judge(name, words, desk) {
    const compare = (one, other, tolerance) => desk.pictures.compare(one.toString("base64"), other.toString("base64"), tolerance);
    const path = join(folder, `${name}.png`);
    const golden = existsSync(path) ? readFileSync(path) : null;
    let found = null;
    const now = await rest(desk, async (picture) => {
        if (!golden) return false;
        if (isAccepting) return golden.equals(picture);
        found = await compare(golden, picture, TOLERANCE);
        return found.off <= MOST_OFF;
    });
    if (isAccepting) {
        if (golden?.equals(now)) return;
        writeFileSync(path, now);
        note(`accepted ${name}`);
        return;
    }
    const share = found && `${(100 * found.off).toFixed(1)} % of its pixels are off`;
    if (check(words, found && found.off <= MOST_OFF, share ?? "there is no golden picture")) return;
    const base = join(shots, `golden-${name}`);
    writeFileSync(`${base}-actual.png`, now);
    if (!golden) return;
    writeFileSync(`${base}-golden.png`, golden);
    writeFileSync(`${base}-difference.png`, found.difference);
    note(`see ${base}-{actual,golden,difference}.png`);
}

// What the page is loading.
function watchLoading(page) {
    const loading = new Set();
    page.on("request", (request) => loading.add(request));
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => loading.delete(request));
    return loading;
}

async function visitAll(browser, pictures, size, language, names) {
    const world = await World.make();
    try {
        const page = await stillVisitor(browser, { width: size.width, height: size.height, prefs: { language } });
        const desk = { page, pictures, size, wire: await page.context().newCDPSession(page), loading: watchLoading(page) };
        for await (const { name, boards, isOffline = false } of tour(page, world)) {
            if (TWINS.includes(name)) continue;
            await page.mouse.move(0, 0);
            const stands = () => page.evaluate(([count, isDown]) => document.querySelectorAll(".board").length >= count &&
                (isDown || document.querySelector("#connection").dataset.state === "online"), [boards, isOffline]);
            if (!(await comes(stands, 15))) throw new Error(`${name}: the boards never came`);
            for (const theme of size.themes?.[language] ?? ["light", "dark"]) {
                await page.emulateMedia({ colorScheme: theme });
                const file = `${name}-${size.width}-${theme}-${language}`;
                names.push(`${file}.png`);
                await judge(file, `${name}, ${size.width} px, ${theme}, ${language}`, desk);
            }
        }
        check(`no errors in the console (${size.width} px, ${language})`, page.faults.length === 0, page.faults.join("; "));
        await page.context().close();
    } finally {
        await world.stop();
    }
}

await main(async (keep) => {
    const browser = keep(await openBrowser("--font-render-hinting=none", "--force-color-profile=srgb", "--disable-lcd-text"));
    const pictures = keep(await Pictures.open(browser));
    mkdirSync(folder, { recursive: true });
    mkdirSync(shots, { recursive: true });
    for (const file of readdirSync(shots)) if (file.startsWith("golden-")) rmSync(join(shots, file));
    const names = [];
    const rounds = SIZES.flatMap((size) => ["en", "zh"].map((language) => [size, language])).filter((round) => isWanted(...round));
    for (const [size, language] of rounds) await visitAll(browser, pictures, size, language, names);
    const isMine = (file) => rounds.some(([size, language]) => file.includes(`-${size.width}-`) && file.endsWith(`-${language}.png`));
    const old = readdirSync(folder).filter((file) => !names.includes(file) && (isMine(file) || rounds.length === 2 * SIZES.length));
    if (isAccepting) for (const file of old) rmSync(join(folder, file));
    else check("no golden picture is left over", old.length === 0, old.join(", "));
    if (!isAccepting) note("where the new looks are right: node tests/page/golden.mjs build/release/kraton --accept");
});
