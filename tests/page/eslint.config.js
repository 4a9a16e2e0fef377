// The rules the page's code keeps. Run by lint.mjs.
import compat from "eslint-plugin-compat";

// What a module may use of the browser without importing it. Nothing else is in reach: `name`, `event` or `status`, which
// belong to the window, are mistakes.
const GLOBALS = `
    AbortController AbortSignal AudioContext Blob CSS DOMPoint Element Event FormData HTMLElement Image Intl IntersectionObserver KeyboardEvent
    MutationObserver Node PointerEvent ResizeObserver TextDecoder TextEncoder URL URLSearchParams WebAssembly WebSocket Worker
    XMLSerializer
    cancelAnimationFrame clearInterval clearTimeout console crypto document fetch getComputedStyle globalThis history innerHeight
    innerWidth localStorage location matchMedia navigator performance queueMicrotask requestAnimationFrame
    scrollTo sessionStorage setInterval setTimeout structuredClone window`.trim().split(/\s+/);

const rules = {
    "no-undef": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
    "no-restricted-globals": ["error", "event", "name", "status", "self"],
    "no-shadow": ["error", { builtinGlobals: false, hoist: "functions" }],
    "no-implicit-globals": "error",
    "no-redeclare": "error",
    "no-const-assign": "error",
    "no-dupe-keys": "error",
    "no-dupe-class-members": "error",
    "no-dupe-else-if": "error",
    "no-duplicate-case": "error",
    "no-duplicate-imports": "error",
    "no-import-assign": "error",
    "no-unreachable": "error",
    "no-unsafe-finally": "error",
    "no-unsafe-negation": "error",
    "no-self-assign": "error",
    "no-self-compare": "error",
    "no-sparse-arrays": "error",
    "no-fallthrough": "error",
    "no-eval": "error",
    "no-implied-eval": "error",
    "no-new-func": "error",
    "no-loss-of-precision": "error",
    "no-promise-executor-return": "off",
    "no-unmodified-loop-condition": "error",
    "no-useless-rename": "error",
    "no-throw-literal": "error",
    "prefer-const": ["error", { destructuring: "all" }],
    "use-isnan": "error",
    "valid-typeof": "error",
    eqeqeq: ["error", "always", { null: "ignore" }],
    "compat/compat": "error",
    // Methods that came later; the plug-in above does not see them, for it does not know what they are called on.
    "no-restricted-syntax": ["error",
        { selector: "CallExpression[callee.property.name=at][arguments.0.type=UnaryExpression]", message: "not in browsers of 2021" },
        { selector: "CallExpression[callee.property.name=/^(findLast|findLastIndex|toSorted|toReversed|toSpliced|hasOwn|group|isWellFormed)$/]",
            message: "not in browsers of 2021" },
        { selector: "CallExpression[callee.object.name=AbortSignal]", message: "not in browsers of 2021" },
        { selector: "CallExpression[callee.property.name=showModal]", message: "openDialog of lib/dom.js works in every browser" }],
};

const globals = Object.fromEntries(GLOBALS.map((each) => [each, "readonly"]));

export default [
    {
        files: ["**/web/**/*.js"],
        plugins: { compat },
        // The oldest browsers the page works in, of 2021.
        settings: { browsers: ["chrome 92", "firefox 91", "safari 15"], polyfills: [] },
        languageOptions: { ecmaVersion: 2022, sourceType: "module", globals },
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules,
    },
    { files: ["**/web/theme.js"], languageOptions: { sourceType: "script" } },
];
