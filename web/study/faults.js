// What is wrong with a position or a record, in the visitor's language. The server and the rules say it in English; what
// has no translation here is quoted.

import { t, language } from "../lib/i18n.js";

const SIDES = { Black: "黑方", White: "白方", Red: "红方", black: "黑", red: "红" };
const PIECES = { chariot: "车", cannon: "炮", horse: "马", pawn: "兵卒", elephant: "象", advisor: "士", general: "将帅" };
const side = (name) => SIDES[name] ?? name;
const piece = (name) => PIECES[name.replace(/s$/, "")] ?? name;

/** @type {[RegExp, (...parts: string[]) => string][]} */
const CHINESE = [
    [/^FEN: empty$/, () => "没有局面"],
    [/^FEN: (.+) is no piece, on rank (\d+)$/, (a, b) => `第 ${b} 行的 ${a} 不是棋子`],
    [/^FEN: rank (\d+) has more than (\d+) points$/, (a, b) => `第 ${a} 行超过 ${b} 个点`],
    [/^FEN: rank (\d+) has fewer than (\d+) points$/, (a, b) => `第 ${a} 行不足 ${b} 个点`],
    [/^FEN: the board has (?:only )?(\d+)(?: of its)? (?:10 )?ranks?(?:, not (\d+))?$/, (a) => `棋盘只有 ${a} 行`],
    [/^FEN: the board has more than (\d+) ranks$/, (a) => `棋盘超过 ${a} 行`],
    [/^FEN: the board is empty$/, () => "棋盘上没有棋子"],
    [/^FEN: (\w+) has (\d+) pieces, more than (\d+)$/, (a, b, c) => `${side(a)}有 ${b} 个棋子，多于 ${c} 个`],
    [/^FEN: (\w+) has more than (\d+) (\w+)$/, (a, b, c) => `${side(a)}的${piece(c)}多于 ${b} 个`],
    [/^FEN: an? (\w+) (\w+) cannot stand on (\w+)$/, (a, b, c) => `${side(a)}${piece(b)}不能在 ${c}`],
    [/^FEN: (\w+) has no general$/, (a) => `${side(a)}没有将帅`],
    [/^FEN: the generals face each other$/, () => "将帅照面"],
    [/^FEN: (\w+) is in check but (\w+) is to move$/, (a, b) => `${side(a)}被将军，却轮到${side(b)}走`],
    [/^FEN: no side to move/, () => "棋盘后面没有写轮到哪一方"],
    [/^FEN: the side to move is (.+), not (.+)$/, (a, b) => `轮走方应为 ${a.replace("or", "或")}，而不是 ${b}`],
    [/^FEN: (.+) is no count of plies$/, (a) => `${a} 不是未吃子的步数`],
    [/^FEN: (.+) is no move number$/, (a) => `${a} 不是回合数`],
    [/^FEN: (.+) behind the move number$/, (a) => `回合数后面多了 ${a}`],
    [/^there is no game in it$/, () => "里面没有对局"],
    [/^a contest record starts with Black's move$/, () => "比赛棋谱必须由先手方开始"],
    [/^a game of (\w+), not of (\w+)$/, () => "是另一种棋的棋谱"],
    [/^(\w+) has no pieces left$/, (a) => `${side(a)}没有棋子了`],
    [/^(\w+) is mated$/, (a) => `${side(a)}被将死`],
    [/^(\w+) has no legal move$/, (a) => `${side(a)}无子可动`],
    [/^(\w+) checks without end$/, (a) => `${side(a)}长将`],
    [/^(\w+) chases the (\w+) on (\w+) without end$/, (a, b, c) => `${side(a)}长捉 ${c} 的${piece(b)}`],
    [/^both sides check without end$/, () => "双方长将"],
    [/^both sides chase without end$/, () => "双方长捉"],
    [/^the position repeats and neither side offends$/, () => "局面循环，双方均不违例"],
    [/^the position repeats$/, () => "局面循环"],
    [/^(\d+) plies without a capture$/, (a) => `${a} 步未吃子`],
    [/^equal pieces, (\d+) each$/, (a) => `双方子数相等，各 ${a} 个`],
    [/^(\w+) has more pieces, (\d+) to (\d+)$/, (a, b, c) => `${side(a)}子多，${b} 比 ${c}`],
];

function translate(words) {
    for (const [pattern, say] of CHINESE) {
        const found = pattern.exec(words);
        if (found) return say(...found.slice(1));
    }
    return null;
}

// "line 3: ...", "the position repeats: equal pieces": what stands before the colon is said of the rest.
function inChinese(words) {
    const whole = translate(words);
    if (whole) return whole;
    const line = /^line (\d+): (.*)$/.exec(words);
    if (line) return `第 ${line[1]} 行：${inChinese(line[2])}`;
    const move = /^move (\d+), (.+?): (.*)$/.exec(words);
    if (move) return `第 ${move[1]} 步 ${move[2]}：${inChinese(move[3])}`;
    const parts = /^(.*?): (.*)$/.exec(words);
    if (parts && translate(parts[1])) return `${translate(parts[1])}，${inChinese(parts[2])}`;
    return words;
}

const sentence = (words) => words && words[0].toUpperCase() + words.slice(1) + (/[.!?。！？]$/.test(words) ? "" : ".");

export function sayFault(words) {
    if (!words) return t("error.unknown");
    if (language() !== "zh") return sentence(words.replace(/^FEN: /, ""));
    return `${inChinese(words).replace(/[。.]$/, "")}。`;
}
