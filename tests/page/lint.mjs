// The page's code before it runs: types (tsc with JSDoc), ESLint, and whether browsers of 2021 know what code and style
// sheets use. No browser is started.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, main } from "./kit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

function run(tool, args, input) {
    const { status, stdout, stderr } = spawnSync(join(here, "node_modules/.bin", tool), args, { cwd: root, input, encoding: "utf8" });
    return { isGood: status === 0, words: `${stdout}${stderr}`.trim() };
}

const eslint = (...args) => run("eslint", ["-c", join(here, "eslint.config.js"), ...args]);
const sheets = (...args) => run("stylelint", ["--config", join(here, "stylelint.config.js"), ...args]);

// A tool that finds nothing in what is wrong would find nothing anywhere.
function findsFaults() {
    const code = (text) => run("eslint", ["-c", join(here, "eslint.config.js"), "--stdin", "--stdin-filename", "web/sample.js"], text);
    for (const [text, rule] of [
        ["export const copy = (x) => structuredClone(x);", "compat/compat"], ["export const last = (x) => x.at(-1);", "no-restricted-syntax"],
        ["export const who = () => name;", "no-restricted-globals"], ["export const all = () => undeclared;", "no-undef"],
    ]) check(`ESLint finds ${rule}`, code(text).words.includes(rule), code(text).words);
    const sheet = (text) => run("stylelint", ["--config", join(here, "stylelint.config.js"), "--stdin", "--stdin-filename", "web/sample.css"], text);
    for (const [text, rule] of [["a { color: light-dark(#fff, #000); }", "function-disallowed-list"],
        ["a { text-wrap-style: balance; mask-border: none; color: oklch(50% 0.1 20); }", "no-unsupported-browser-features"]])
        check(`stylelint finds ${rule}`, sheet(text).words.includes(rule), sheet(text).words);
}

// English and Chinese say the same things: every key is in both, with the same places to fill. Names of errors that the
// server words in English are Chinese only.
function wordsFit() {
    const files = readdirSync(join(root, "web"), { recursive: true }).filter((file) => /words\.js$|keys\.js$|index\.js$/.test(file));
    for (const file of files) {
        const text = readFileSync(join(root, "web", file), "utf8");
        const [, english, chinese] = /\ben: \{\n([^]*?)\n {4,8}\},\n {4,8}zh: \{\n([^]*?)\n {4,8}\},/.exec(text) ?? [];
        if (!english) continue;
        const read = (part) => new Map([...part.matchAll(/^ *"([^"]+)": "(.*)",$/gm)].map(([, key, words]) =>
            [key, [...words.matchAll(/\{\w+\}/g)].map(String).sort().join(" ")]));
        const [en, zh] = [read(english), read(chinese)];
        const isOptional = (key) => /^(error|notation|game\.typeExample|study\.refused)\./.test(key);
        const faults = [...en].filter(([key, places]) => !isOptional(key) && zh.get(key) !== places).map(([key]) => key);
        faults.push(...[...zh.keys()].filter((key) => !isOptional(key) && !en.has(key)));
        check(`${file}: both languages`, faults.length === 0, faults.join(", "));
    }
}

await main(async () => {
    const types = run("tsc", ["-p", join(here, "tsconfig.json")]);
    check("types", types.isGood, types.words);
    const code = eslint("web");
    check("ESLint", code.isGood, code.words);
    const style = sheets("web/**/*.css");
    check("style sheets", style.isGood, style.words);
    findsFaults();
    wordsFit();
});
