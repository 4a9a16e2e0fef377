// The games of this page, in the order they are shown. Each folder beside this file holds one game; its index.js exports
// the game's row. Everything else asks the row, or what the row loads, and names no game.
//
// A row is small, because every visit loads it:
//     name          as the server and addresses call it
//     colours       of the first and the second side: "red", "black" or "white"
//     bottom        the side that sits below on a board that is not turned
//     box           width and height of the drawn board, in any unit
//     oneKind       all pieces of a side are alike: they are counted, not named
//     worth         of a piece by its type, to count who is ahead
//     pieceSets     sets of pieces to choose from; none where there is only one
//     notation      choices: notations offered; everywhere: on every board, or else only in the study;
//                   countsFiles: notations other than the native one count files from each side's right
//     words         in both languages: game.NAME, side.NAME.0 and .1, board.NAME, home.NAME, game.typeExample.NAME,
//                   notation.NAME.CHOICE, and rules.SET for each rule set
//     load          rules, board, lessons and why (a move cannot be played): import their module when it is needed. A game
//                   without lessons is not taught; one without why says no reason.
import surakarta from "./surakarta/index.js";
import xiangqi from "./xiangqi/index.js";

export const games = [surakarta, xiangqi];
export const gameNames = games.map(({ name }) => name);

export const isGame = (name) => gameNames.includes(name);

export function rowOf(name) {
    const row = games.find((each) => each.name === name);
    if (!row) throw new Error(`no game is called ${name}`);
    return row;
}

// What one of the modules of each game exports: modulesOf("rules") gives Map { name -> module }.
export async function modulesOf(part) {
    const rows = games.filter(({ load }) => load[part]);
    const modules = await Promise.all(rows.map(({ load }) => load[part]()));
    return new Map(rows.map(({ name }, at) => [name, modules[at]]));
}

// Words that name all the games.
export const words = {
    en: {
        "app.footer": "Kraton: Surakarta and Xiangqi, played, watched and studied. Free software.",
        "home.title": "Play Surakarta and Xiangqi",
    },
    zh: {
        "app.footer": "Kraton：苏拉卡尔塔棋与象棋，对弈、观战、研究。自由软件。",
        "home.title": "来下苏拉卡尔塔棋和象棋",
    },
};
