// The lessons of Surakarta. An example's text stands over its board; `solution` is what "Show me" plays, and
// its length the number of moves a task allows.

export const about = {
    en: "Six rows, twelve stones a side, and eight loops: stones capture only by running round them. Ten minutes.",
    zh: "六路棋盘，每方十二子，八条弧线：棋子只有绕过弧线才能吃子。十分钟学会。",
};

export const lessons = [
    {
        id: "loops",
        en: { short: "The loops", title: "First of all: the loops", text: [
            "The board has six rows and six columns, and at its corners eight loops. The loops join lines to lines: follow a coloured line over the edge, round its loop, and you come back on another line of the same colour.",
            "So there are two circuits. The inner one (blue) runs over columns b and e and rows 2 and 5; the outer one (orange) over columns c and d and rows 3 and 4. Watch a stone go once round each.",
        ] },
        zh: { short: "弧线", title: "先认识弧线", text: [
            "棋盘有六行六列，四角共有八条弧线。弧线把直线连起来：沿着一条彩色的线走出棋盘，绕过弧线，就从同色的另一条线回来。",
            "这样便有两个圈。内圈（蓝色）走 b、e 两列和 2、5 两行；外圈（橙色）走 c、d 两列和 3、4 两行。看一颗子各绕一圈。",
        ] },
        examples: [{ id: "tour", kind: "tour", fen: "1b4/6/6/6/6/6 b", en: "Once round a circuit", zh: "绕行一圈" }],
    },
    {
        id: "steps",
        en: { short: "Steps", title: "A quiet move is one step", text: [
            "Black and White move in turn, Black first. A stone steps to any empty point next to it: straight or diagonally, forward or back. Loops play no part in it.",
        ] },
        zh: { short: "走子", title: "平常走子：一步", text: [
            "黑白轮流走，黑先。棋子走到相邻的空点：横、直、斜，前进后退都可以。走子不用弧线。",
        ] },
        examples: [{ id: "step", fen: "6/6/6/1b4/6/5w b", goal: { reach: "e5" }, marks: ["e5"], solution: ["b3c4", "c4d5", "d5e5"],
            en: "Bring the stone to e5 in three steps", zh: "三步之内走到 e5" }],
    },
    {
        id: "captures",
        en: { short: "Captures", title: "A capture goes round a loop", text: [
            "To capture, a stone runs along a circuit, over as many empty points as there are, passes at least one loop, and takes the first stone it meets, which must be an enemy. It stays there.",
            "Without a loop there is no capture: the enemy next to you is safe from a step. Select the stone to see its ways.",
        ] },
        zh: { short: "吃子", title: "吃子必须绕过弧线", text: [
            "吃子时，棋子沿所在的圈前进，经过的点必须都是空的，至少绕过一条弧线；遇到的第一颗子若是对方的，就吃掉它，停在那里。",
            "不绕弧线不能吃子：紧挨着的敌子，走一步是吃不到的。选中棋子就能看到它的路线。",
        ] },
        examples: [
            { id: "first", fen: "6/6/2w3/1w4/6/2b3 b", goal: { capture: "b3" }, marks: ["b3"], solution: ["c1xb3"],
                en: "Capture the white stone on b3", zh: "吃掉 b3 的白子",
                enDone: "Right: off the end of column c, round the loop, and back along row 3.", zhDone: "对：从 c 列出去，绕过弧线，从第 3 行回来。" },
            { id: "far", fen: "6/6/1b4/6/5w/6 b", goal: { capture: "f2" }, marks: ["f2"], solution: ["b4xf2"],
                en: "The inner circuit: capture on f2", zh: "内圈：吃掉 f2 的子",
                enDone: "Right. It crossed b2 twice: a point may be passed more than once.", zhDone: "对。它两次经过 b2：同一点可以经过多次。" },
            { id: "two", fen: "6/2b3/6/6/6/3w2 b", goal: { capture: "d1" }, marks: ["d1"], solution: ["c5xd1"],
                en: "Two ways lead to d1. Capture it", zh: "有两条路通到 d1，吃掉它",
                enDone: "Either way is the same move: only where it begins and ends counts.", zhDone: "走哪条路都是同一着棋：只看起点和终点。" },
        ],
    },
    {
        id: "blocked",
        en: { short: "Blocked", title: "Stones block the way", text: [
            "The way must be free. The first stone met ends the run: a friend blocks it, an enemy is captured. The point the stone set out from counts as empty, so it may even run over its own starting point.",
            "The four corners lie on no circuit. A stone there is safe, and harmless.",
        ] },
        zh: { short: "阻挡", title: "有子则阻", text: [
            "路上必须无子。遇到的第一颗子决定结果：己方的子挡路，对方的子被吃。出发的点算空点，棋子甚至可以再经过自己的起点。",
            "四个角不在任何一圈上：角上的子安全，但也吃不了子。",
        ] },
        examples: [
            { id: "aside", fen: "6/2w3/6/bw4/6/2b3 b", goal: { capture: "b3" }, marks: ["b3"], solution: ["a3a4", "c1xb3"],
                en: "Your own stone is in the way. Two moves", zh: "自己的子挡了路。两步吃掉" },
            { id: "which", fen: "4b1/2b3/w4w/6/3w2/b4w b", goal: { capture: "a4" }, marks: ["a4"], solution: ["c5xa4"],
                en: "Only one of your stones can take a4", zh: "只有一颗子能吃 a4" },
        ],
    },
    {
        id: "ways",
        en: { short: "See every way", title: "See every way", text: [
            "A position from a game. Click any stone, black or white: its ways are drawn along the circuits, strong where they capture, faint where something is in the way.",
        ] },
        zh: { short: "看路线", title: "看清每一条路", text: [
            "这是一盘棋的中局。点任何一颗子，黑白都行：沿圈画出它的路线，能吃子的画得深，被挡住的画得浅。",
        ] },
        examples: [{ id: "anyway", kind: "ways", fen: "1b2b1/b1b1b1/3b2/1w2w1/w2w1w/2ww2 b", en: "Click a stone", zh: "点一颗子" }],
    },
    {
        id: "practice",
        en: { short: "Practice", title: "Three in a row", text: ["A stone that captures often stands on both circuits and can change from one to the other. Here White waits for you: capture all three stones in three moves."] },
        zh: { short: "练习", title: "连吃三子", text: ["吃子之后，棋子常常站在两个圈的交点上，可以换圈。这里白方不动：三步吃掉三颗白子。"] },
        examples: [{ id: "three", fen: "2w3/6/6/3b2/2w2w/6 b", goal: { clear: 0 }, solution: ["d3xc6", "c6xc2", "c2xf2"],
            en: "Capture all three", zh: "吃掉全部三颗" }],
    },
    {
        id: "end",
        en: { short: "The end", title: "Winning", text: ["Who captures all enemy stones wins. Nobody has to capture, and nobody may pass. So that games come to an end, they are also counted out (here as at the Computer Olympiad; other rule sets can be chosen):"],
            list: ["when a position comes for the third time, or fifty moves in a row went without a capture, whoever has more stones wins;", "with equal numbers it is a draw;", "a side that cannot move at all is counted out the same way;", "whoever runs out of time loses."] },
        zh: { short: "胜负", title: "胜负", text: ["吃光对方棋子者胜。可以不吃，但不能停着。为使棋局有终，还有数子的规定（这里依计算机奥林匹克的规则，也可另选）："],
            list: ["同一局面第三次出现，或连续五十步没有吃子，子多者胜；", "子数相同为和棋；", "一方无子可动，同样数子；", "超时者负。"] },
        examples: [{ id: "game", kind: "game", fen: "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b", both: true, en: "Move both sides as you like", zh: "双方都可以走，随意试试" }],
    },
];
