// The lessons of Xiangqi, piece by piece; their form is as in the other games' lessons. Black waits while Red tries things out.

const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

export const about = {
    en: "Chinese chess: two armies, a river between them, and two generals that may not see each other. Twenty minutes.",
    zh: "两军对垒，楚河汉界，将帅不得照面。二十分钟入门。",
};

export const lessons = [
    {
        id: "board",
        en: { short: "The board", title: "Board and pieces", text: [
            "Pieces stand on the points where lines cross: nine files, ten ranks. Between the two camps lies the river; the squares with crossed lines are the palaces, from which the generals never go out.",
            "Red moves first. The sides write some characters differently; whoever prefers pictures can switch to them above.",
        ] },
        zh: { short: "棋盘", title: "棋盘与棋子", text: [
            "棋子摆在线的交点上：九条直线，十条横线。中间是河界；画斜线的方框是九宫，将帅不出九宫。",
            "红先黑后。双方有些字写法不同；不习惯文字，可以在上面换成图形棋子。",
        ] },
        pieces: [
            { piece: 7, en: ["General", "one point, straight, in the palace"], zh: ["帅／将", "九宫之内，直走一步"] },
            { piece: 6, en: ["Advisor", "one point, diagonally, in the palace"], zh: ["仕／士", "九宫之内，斜走一步"] },
            { piece: 5, en: ["Elephant", "two points diagonally, never over the river"], zh: ["相／象", "走田字，不过河，塞象眼时不能走"] },
            { piece: 3, en: ["Horse", "one straight, then one diagonally; its leg can be blocked"], zh: ["马", "走日字，蹩马腿时不能走"] },
            { piece: 1, en: ["Chariot", "straight, as far as it likes"], zh: ["车", "直行，远近不限"] },
            { piece: 2, en: ["Cannon", "like a chariot; captures by jumping over one piece"], zh: ["炮", "行走如车，吃子要隔一个子"] },
            { piece: 4, en: ["Pawn", "one point ahead; over the river also sideways"], zh: ["兵／卒", "只进不退，过河后可以横走"] },
        ],
        examples: [{ id: "game", kind: "game", both: true, fen: START, en: "Move both sides as you like", zh: "双方都可以走，随意试试" }],
    },
    {
        id: "chariot", piece: 1,
        en: { short: "Chariot", title: "Chariot", text: ["Moves straight along lines, as far as they are empty, and captures the first enemy it meets. The strongest piece, as the rook of chess."] },
        zh: { short: "车", title: "车", text: ["沿直线走，无子阻挡则远近不限，遇到的第一个敌子可以吃。威力最大。"] },
        examples: [{ id: "chariot", fen: "3k5/9/9/1p5p1/9/9/9/9/1R7/4K4 w", goal: { all: ["b6", "h6"] }, marks: ["b6", "h6"], solution: ["b1b6", "b6h6"],
            en: "Capture both pawns in two moves", zh: "两步吃掉两个卒" }],
    },
    {
        id: "horse", piece: 3,
        en: { short: "Horse", title: "Horse", text: ["One point straight, then one diagonally outwards. It does not jump: a piece of either side on the straight step, the horse's leg, blocks that way."] },
        zh: { short: "马", title: "马", text: ["走日字：先直走一点，再向外斜走一点。马不能跳：直走的那一点若有子（不论哪方），就是蹩马腿，不能往那边走。"] },
        examples: [
            { id: "horse", fen: "5k3/9/9/9/9/3p5/9/9/9/1N2K4 w", goal: { capture: "d4" }, marks: ["d4"], solution: ["b0c2", "c2d4"], en: "Capture the pawn in two moves", zh: "两步吃卒" },
            { id: "leg", fen: "5k3/9/9/5c3/4p4/4N4/9/9/9/4K4 w", goal: { capture: "f6" }, marks: ["f6"], solution: ["e4c5", "c5d7", "d7f6"],
                en: "The pawn on e5 blocks the leg. Reach the cannon in three", zh: "e5 的卒蹩了马腿。三步吃炮" },
        ],
    },
    {
        id: "cannon", piece: 2,
        en: { short: "Cannon", title: "Cannon", text: ["Moves like a chariot. To capture it must jump over exactly one piece, its screen, of either side, near or far."] },
        zh: { short: "炮", title: "炮", text: ["走法如车。吃子时必须隔一个子，叫炮架，不论哪方的子，不论远近。"] },
        examples: [
            { id: "cannon", fen: "5k1n1/9/9/7p1/9/9/9/7C1/9/4K4 w", goal: { capture: "h9" }, marks: ["h9"], solution: ["h2h9"], en: "Capture the horse", zh: "吃掉马" },
            { id: "screen", fen: "1r3k3/9/9/9/P8/9/9/1C7/9/4K4 w", goal: { capture: "b9" }, marks: ["b9"], solution: ["a5b5", "b2b9"],
                en: "No screen yet. Make one, then take the chariot", zh: "还没有炮架。先造一个，再吃车" },
        ],
    },
    {
        id: "pawn", piece: 4,
        en: { short: "Pawn", title: "Pawn", text: ["One point straight ahead, which is also how it captures. Over the river it may go one point sideways too. Never back."] },
        zh: { short: "兵卒", title: "兵（卒）", text: ["向前走一点，吃子也一样。过河以后也可以横走一点。永不后退。"] },
        examples: [{ id: "pawn", fen: "5k3/9/9/9/4p4/2P6/9/9/9/3K5 w", goal: { capture: "e5" }, marks: ["e5"], solution: ["c4c5", "c5d5", "d5e5"],
            en: "Over the river, then sideways: capture in three", zh: "过河，再横走：三步吃卒" }],
    },
    {
        id: "elephant", piece: 5,
        en: { short: "Elephant", title: "Elephant", text: ["Exactly two points diagonally; a piece on the point between, the elephant's eye, blocks it. Elephants never cross the river: they defend."] },
        zh: { short: "相象", title: "相（象）", text: ["走田字：斜走两点；田字中心若有子，就是塞象眼，不能走。相象不过河，只管防守。"] },
        examples: [{ id: "elephant", fen: "3k5/9/9/9/9/2n6/9/9/9/4K1B2 w", goal: { capture: "c4" }, marks: ["c4"], solution: ["g0e2", "e2c4"], en: "Capture the horse in two moves", zh: "两步吃马" }],
    },
    {
        id: "advisor", piece: 6,
        en: { short: "Advisor", title: "Advisor", text: ["One point diagonally, within the palace: it only ever stands on five points."] },
        zh: { short: "仕士", title: "仕（士）", text: ["在九宫内斜走一点，一共只有五个点可站。"] },
        examples: [{ id: "advisor", fen: "5k3/9/9/9/9/9/9/5c3/9/3AK4 w", goal: { capture: "f2" }, marks: ["f2"], solution: ["d0e1", "e1f2"], en: "Capture the cannon in two moves", zh: "两步吃炮" }],
    },
    {
        id: "general", piece: 7,
        en: { short: "General", title: "General", text: ["One point straight, within the palace. The two generals may never face each other on a file with nothing between them: such a move is not allowed, so a general guards his open file from afar."] },
        zh: { short: "帅将", title: "帅（将）", text: ["在九宫内直走一点。将帅不得在同一条直线上照面而中间无子：这样的着法不允许，所以帅也能远远守住一条线。"] },
        examples: [
            { id: "general", fen: "5k3/9/9/9/9/9/9/3c5/9/4K4 w", goal: { capture: "d2" }, marks: ["d2"], solution: ["e0d0", "d0d1", "d1d2"], en: "Capture the cannon in three moves", zh: "三步吃炮" },
            { id: "facing", fen: "3k5/9/R8/9/9/9/9/9/9/4K4 w", goal: { mate: true }, solution: ["a7d7"], en: "Mate in one: your general guards file e", zh: "一步杀：帅守住 e 线",
                enDone: "Mate. On e9 the generals would face each other.", zhDone: "绝杀。将走 e9 就与帅照面了。" },
        ],
    },
    {
        id: "mate",
        en: { short: "Check and mate", title: "Check and the end", text: ["Whoever attacks the enemy general gives check, and the check must be met at once: by moving away, capturing, blocking, or taking the cannon's screen away. Who cannot is mated and has lost. Who has no legal move at all, in check or not, has lost too: there is no draw by stalemate."] },
        zh: { short: "将军", title: "将军与胜负", text: ["攻击对方将帅叫将军，必须立刻应将：避开、吃掉、垫子，或撤去炮架。无法应将就是被将死，输棋。没有被将军而无子可动，叫困毙，也算输：没有逼和。"] },
        examples: [{ id: "mate", fen: "4k4/R8/9/9/9/9/9/9/1R7/3K5 w", goal: { mate: true }, solution: ["b1b9"], en: "Mate in one", zh: "一步杀" }],
    },
    {
        id: "repetition",
        en: { short: "Repetition", title: "You may not attack for ever", text: ["When a position comes for the third time, what was played in between is judged:"],
            list: ["who gave check with every move loses;", "who chased one and the same unprotected piece with every move loses (generals and pawns may chase, and pawns that have not crossed the river may be chased);", "if both did the same, or neither did anything forbidden, it is a draw; check is worse than chase;", "sixty moves by each side without a capture are a draw."] },
        zh: { short: "长打", title: "不许长打", text: ["同一局面第三次出现时，看其间的着法："],
            list: ["步步将军（长将）者负；", "步步捉同一个无根子（长捉）者负（将帅和兵卒可以长捉，未过河的兵卒可以被捉）；", "双方相同，或都没有犯禁，为和棋；长将重于长捉；", "双方各六十步没有吃子，为和棋。"] },
    },
];
