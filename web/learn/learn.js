// The rules of a game, part by part, with boards to try them on: /learn chooses, /learn/GAME teaches.
import { el, useStyle } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { prefs } from "../lib/store.js";
import { modulesOf, rowOf } from "../games/index.js";
import { Board } from "../board/board.js";
import { pieceIcon } from "../board/pieces.js";
import { drawExample } from "./example.js";
import "./words.js";

const courses = await modulesOf("lessons");

// What boards look like here follows the visitor's choices elsewhere.
const looks = () => ({ theme: prefs.get("boardTheme"), pieces: prefs.get("pieces"), animate: prefs.get("animate") });

function drawChoice(host) {
    const cards = [...courses.keys()].map((game) => {
        const picture = el("div.learn-picture");
        new Board(picture, { game, small: true, ...looks() });
        return el("a.card.learn-card", { href: `/learn/${game}` }, picture,
            el("h2", { text: t(`game.${game}`) }), el("p", { text: courses.get(game).about[language()] }));
    });
    host.append(el("h1", { text: t("learn.title") }), el("div.learn-choice", cards));
}

// Piece names in three spellings, for those who meet the characters for the first time.
function drawPieces(game, pieces) {
    const [set, ...others] = rowOf(game).pieceSets;
    return el("div.scroll", el("table.learn-pieces",
        el("tbody", pieces.map(({ piece, ...words }) => el("tr",
            [piece, piece | 8].map((each) => el("td", pieceIcon(game, each, { set }))),
            others.map((other) => el("td", pieceIcon(game, piece, { set: other }))),
            el("th", { scope: "row", text: words[language()][0] }), el("td", { text: words[language()][1] }))))));
}

// Characters or pictures: a choice that holds everywhere.
function drawSets(game, boards, page) {
    const choose = (set) => {
        prefs.set("pieces", set);
        boards.forEach((board) => board.configure({ pieces: set }));
        for (const icon of page.querySelectorAll("h2 .kraton-piece"))
            icon.replaceWith(pieceIcon(game, Number(icon.dataset.piece), { set }));
    };
    return el("div.choices", { role: "radiogroup", "aria-label": t("learn.pieces") }, rowOf(game).pieceSets.map((set) =>
        el("label.choice",
            el("input", { type: "radio", name: "pieces", value: set, checked: prefs.get("pieces") === set, onchange: () => choose(set) }),
            el("span", { text: t(`learn.${set}`) }))));
}

function drawLesson(game, lesson, boards) {
    const words = lesson[language()];
    const section = el("section.card.lesson", { id: lesson.id },
        el("div.lesson-words", el("h2", lesson.piece && pieceIcon(game, lesson.piece, { set: prefs.get("pieces") }), el("span", { text: words.title })),
            words.text.map((paragraph) => el("p", { text: paragraph })),
            words.list && el("ul", words.list.map((item) => el("li", { text: item }))),
            lesson.pieces && drawPieces(game, lesson.pieces)));
    if (lesson.examples) section.append(el("div.lesson-boards", lesson.examples.map((example) => drawExample(game, example, looks(), boards))));
    return section;
}

function drawCourse(host, game) {
    const boards = [], { lessons, about } = courses.get(game), others = [...courses.keys()].filter((name) => name !== game);
    host.append(
        el("header.learn-head",
            el("h1", { text: t("learn.course", { game: t(`game.${game}`) }) }),
            el("p.muted", { text: about[language()] }),
            rowOf(game).pieceSets.length > 1 && drawSets(game, boards, host),
            el("nav.learn-nav", { "aria-label": t("learn.parts") },
                lessons.map((lesson) => el("a", { href: `#${lesson.id}`, text: lesson[language()].short })))),
        ...lessons.map((lesson) => drawLesson(game, lesson, boards)),
        el("p.row.learn-end",
            el("a.button.primary", { href: `/?game=${game}`, text: t("learn.play", { game: t(`game.${game}`) }) }),
            el("a.button", { href: `/study/${game}`, text: t("learn.study") }),
            others.map((other) => el("a.button", { href: `/learn/${other}`, text: t("learn.other", { game: t(`game.${other}`) }) }))));
    for (const section of host.querySelectorAll("section.lesson")) section.tabIndex = -1;
    return boards;
}

export async function show(host, { params = [], signal }) {
    await useStyle("/learn/learn.css", signal);
    const game = params[0];
    const page = el("div.learn");
    host.append(page);
    if (!courses.has(game)) {
        drawChoice(page);
        return { close() {}, title: t("learn.title") };
    }
    const boards = drawCourse(page, game);
    return { close: () => boards.forEach((board) => board.destroy()), title: t("learn.course", { game: t(`game.${game}`) }) };
}
