// Keys of the view that is shown, the wheel over its board, and the help that lists the keys. A view names its keys once:
//
//     useKeys(signal, [{ key: "f", words: "keys.flip", act: () => board.flip() }, ...]);
//
// `key` is as KeyboardEvent has it; entries without `act` are only listed. Whoever types, or steers a board by
// keyboard, is left alone.
import { el, openDialog } from "./dom.js";
import { addWords, t } from "./i18n.js";

addWords({
    en: {
        "keys.title": "Keys",
        "keys.help": "this help",
        "keys.back": "one move back",
        "keys.next": "one move on",
        "keys.first": "to the start",
        "keys.last": "to the last move",
        "keys.flip": "turn the board",
        "keys.wheel": "wheel",
        "keys.wheelWords": "over the board: through the moves",
        "keys.space": "Space",
        "keys.board": "On the board (Tab goes there)",
        "keys.cursor": "from point to point",
        "keys.enter": "pick up, put down",
        "keys.escape": "let go",
        "keys.right": "right button",
        "keys.rightWords": "draw an arrow",
        "keys.close": "Close",
    },
    zh: {
        "keys.title": "快捷键",
        "keys.help": "显示本帮助",
        "keys.back": "后退一步",
        "keys.next": "前进一步",
        "keys.first": "回到开局",
        "keys.last": "到最后一步",
        "keys.flip": "翻转棋盘",
        "keys.wheel": "滚轮",
        "keys.wheelWords": "在棋盘上滚动：浏览着法",
        "keys.space": "空格",
        "keys.board": "在棋盘上（用 Tab 键进入）",
        "keys.cursor": "移动光标",
        "keys.enter": "选子、落子",
        "keys.escape": "取消",
        "keys.right": "右键",
        "keys.rightWords": "画箭头",
        "keys.close": "关闭",
    },
});

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const WHEEL_STEP = 50; // pixels of the wheel for one move
let current = []; // the keys of the view

const signOf = (key) => (key === " " ? t("keys.space") : SIGNS[key] ?? key);

// Whether a key pressed there belongs to somebody else: a field, a dialog, a board that is steered by keyboard.
function isTaken({ target, key }) {
    if (target.closest?.("input, textarea, select, dialog, [role=tab], [role=radio]")) return true;
    if (target.closest?.(".board .cell") && target.matches(":focus-visible")) return /^(Arrow|Enter|Escape| )/.test(key);
    return key === " " && Boolean(target.closest?.("button, a, summary"));
}

export function useKeys(signal, entries) {
    current = entries;
    const listen = (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || isTaken(event)) return;
        const act = entries.find((each) => each.act && each.key === event.key)?.act;
        if (!act) return;
        event.preventDefault();
        event.stopPropagation();
        act();
    };
    document.addEventListener("keydown", listen, { capture: true, signal });
    signal.addEventListener("abort", () => {
        if (current === entries) current = [];
    });
}

/** The keys of a view that walks through moves.
 * @param {{back?: () => void, next?: () => void, first?: () => void, last?: () => void, flip?: () => void}} acts */
export const walkKeys = ({ back, next, first, last, flip }) => [
    { key: "ArrowLeft", words: "keys.back", act: back },
    { key: "ArrowRight", words: "keys.next", act: next },
    { key: "Home", words: "keys.first", act: first },
    { key: "End", words: "keys.last", act: last },
    { key: "f", words: "keys.flip", act: flip },
    { sign: "keys.wheel", words: "keys.wheelWords" },
];

// The wheel over a board walks through the moves. step(by) says whether there was one; at the ends the page scrolls.
export function useWheel(host, signal, step) {
    let turned = 0;
    host.addEventListener("wheel", (event) => {
        if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
        const delta = event.deltaMode === 0 ? event.deltaY : event.deltaY * 20;
        turned = Math.sign(turned) === Math.sign(delta) ? turned + delta : delta;
        if (Math.abs(turned) < WHEEL_STEP) {
            event.preventDefault();
            return;
        }
        if (step(Math.sign(turned))) event.preventDefault();
        turned = 0;
    }, { passive: false, signal });
}

// --- the help ---------------------------------------------------------------------------------------

function row(sign, words) {
    return el("tr", el("th", { scope: "row" }, el("kbd", { text: sign })), el("td", { text: t(words) }));
}

export function showKeys() {
    if (document.querySelector("dialog.keys")) return;
    const rows = current.map(({ key, sign, words }) => row(sign ? t(sign) : signOf(key), words));
    const dialog = el("dialog.keys", { "aria-labelledby": "keys-title" },
        el("h2#keys-title", { text: t("keys.title") }),
        el("table", el("tbody", rows, row("?", "keys.help"))),
        el("h3", { text: t("keys.board") }),
        el("table", el("tbody",
            row("← → ↑ ↓", "keys.cursor"), row("Enter", "keys.enter"), row("Esc", "keys.escape"), row(t("keys.right"), "keys.rightWords"))),
        el("div.row.end", el("button.primary", { text: t("keys.close"), autofocus: true, onclick: () => dialog.close() })));
    dialog.addEventListener("close", () => dialog.remove());
    openDialog(dialog);
}

document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.altKey || event.ctrlKey || event.metaKey || isTaken(event)) return;
    event.preventDefault();
    showKeys();
});
