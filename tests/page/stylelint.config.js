// The style sheets use what the browsers of 2021 know; newer properties only where the page works without them. Run by
// lint.mjs.

// Each of these only improves what works without it: an old browser shows no ring for keys, scrolls more, or has the plain
// layout.
const OPTIONAL = [
    "css-focus-visible", "css-touch-action", "css-containment", "css-overscroll-behavior", "css-container-queries", "css-subgrid",
    "css-scroll-behavior", "css-content-visibility",
    "viewport-unit-variants", // only in the @supports of --vh
    "css-has", // only inside @container
];

export default {
    plugins: ["stylelint-no-unsupported-browser-features"],
    rules: {
        "plugin/no-unsupported-browser-features": [true, { browsers: ["chrome 92", "firefox 91", "safari 15"], ignorePartialSupport: true, ignore: OPTIONAL }],
        "function-disallowed-list": [["light-dark"], { message: "browsers before 2024 do not know light-dark(): use the tokens of style.css" }],
        "color-no-invalid-hex": true,
        "declaration-block-no-duplicate-properties": [true, { ignore: ["consecutive-duplicates-with-different-values"] }],
        "no-duplicate-at-import-rules": true,
        "property-no-unknown": true,
        "unit-no-unknown": true,
        "block-no-empty": true,
    },
};
