// Surakarta's row; ../index.js says what the fields mean.
export default {
    name: "surakarta",
    colours: ["black", "white"],
    bottom: 1, // drawn as its players print it: Black, who begins, on top
    box: [952, 952],
    oneKind: true,
    pieceSets: [],
    notation: { choices: ["native", "sau", "contest"], everywhere: false, countsFiles: false },
    load: { rules: () => import("./rules.js"), board: () => import("./board.js"), lessons: () => import("./lessons.js"), why: () => import("./why.js") },
    words: {
        en: {
            "game.surakarta": "Surakarta",
            "side.surakarta.0": "Black",
            "side.surakarta.1": "White",
            "board.surakarta": "Surakarta board",
            "home.surakarta": "Captures run through the loops. Five minutes to learn.",
            "game.typeExample.surakarta": "b2-b3",
            "notation.surakarta.native": "c2-c3",
            "notation.surakarta.sau": "CECD (SAU)",
            "notation.surakarta.contest": "B5C-4C",
            "rules.icga": "Computer Olympiad (ICGA)",
            "rules.olympiad2023": "Computer Olympiad 2023",
            "rules.ccgc": "Chinese contest",
            "rules.traditional": "Traditional",
        },
        zh: {
            "game.surakarta": "苏拉卡尔塔棋",
            "side.surakarta.0": "黑方",
            "side.surakarta.1": "白方",
            "board.surakarta": "苏拉卡尔塔棋盘",
            "home.surakarta": "吃子要绕过四角的弧线，五分钟就能学会。",
            "rules.icga": "计算机奥林匹克（ICGA）",
            "rules.olympiad2023": "计算机奥林匹克 2023",
            "rules.ccgc": "中国大学生计算机博弈大赛",
            "rules.traditional": "传统",
        },
    },
};
