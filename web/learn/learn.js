// The rules of a game in short lessons, each with boards to try it on: /learn chooses, /learn/GAME teaches the next lesson,
// ?part=ID another one, ?part=all shows everything on one page.
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

// --- progress -------------------------------------------------------------------------------------

// A lesson is learned when its tasks are solved; one without tasks when it was read.
function isLearned(game, lesson) {
    const kept = prefs.get("learned") ?? {};
    const tasks = (lesson.examples ?? []).filter(({ goal }) => goal);
    return Boolean(kept[`${game}.part.${lesson.id}`]) || (tasks.length > 0 && tasks.every(({ id }) => kept[`${game}.${id}`]));
}

function markRead(game, lesson) {
    prefs.set("learned", { ...(prefs.get("learned") ?? {}), [`${game}.part.${lesson.id}`]: true });
}

function progressBar(game) {
    const { lessons } = courses.get(game);
    const done = lessons.filter((lesson) => isLearned(game, lesson)).length;
    const words = t("learn.progress", { done, all: lessons.length });
    return el("p.learn-progress", el("progress", { max: lessons.length, value: done, "aria-label": words }), el("span.muted", { text: words }));
}

function drawChoice(host) {
    const cards = [...courses.keys()].map((game) => {
        const picture = el("div.learn-picture");
        new Board(picture, { game, small: true, ...looks() });
        return el("a.card.learn-card", { href: `/learn/${game}` }, picture,
            el("h2", { text: t(`game.${game}`) }), el("p", { text: courses.get(game).about[language()] }), progressBar(game));
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

// onDone(): a task of it was solved.
function drawLesson(game, lesson, boards, onDone) {
    const words = lesson[language()];
    const isWide = lesson.examples?.length !== 1;
    const section = el("section.card.lesson", { id: lesson.id, class: isWide ? "wide" : "", tabindex: -1 },
        el("div.lesson-words", el("h2", lesson.piece && pieceIcon(game, lesson.piece, { set: prefs.get("pieces") }), el("span", { text: words.title })),
            words.text.map((paragraph) => el("p", { text: paragraph })),
            words.list && el("ul", words.list.map((item) => el("li", { text: item }))),
            lesson.pieces && drawPieces(game, lesson.pieces)));
    if (lesson.examples) section.append(el("div.lesson-boards", lesson.examples.map((example) => drawExample(game, example, looks(), boards, onDone))));
    return section;
}

function drawEnd(game) {
    const others = [...courses.keys()].filter((name) => name !== game);
    return el("p.row.learn-end",
        el("a.button.primary", { href: `/?game=${game}`, text: t("learn.play", { game: t(`game.${game}`) }) }),
        el("a.button", { href: `/puzzles/${game}`, text: t("learn.puzzles") }),
        el("a.button", { href: `/study/${game}`, text: t("learn.study") }),
        others.map((other) => el("a.button", { href: `/learn/${other}`, text: t("learn.other", { game: t(`game.${other}`) }) })));
}

// The lessons to choose from: learned ones have a tick.
function drawParts(game, part) {
    const { lessons } = courses.get(game);
    return el("nav.learn-nav", { "aria-label": t("learn.parts") },
        lessons.map((lesson) => el("a", {
            href: `/learn/${game}?part=${lesson.id}`, "aria-current": lesson.id === part ? "page" : null, class: isLearned(game, lesson) ? "done" : "",
        },
            isLearned(game, lesson) && el("span", { "aria-label": t("learn.done"), role: "img", text: "✓" }), lesson[language()].short)),
        el("a", { href: `/learn/${game}?part=all`, "aria-current": part === "all" ? "page" : null, text: t("learn.all") }));
}

// The way on: to the next lesson, or from the last one to a game.
function drawSteps(game, at) {
    const { lessons } = courses.get(game), lesson = lessons[at], next = lessons[at + 1];
    if (!next) return drawEnd(game);
    const isOpen = !isLearned(game, lesson) && (lesson.examples ?? []).some(({ goal }) => goal);
    return el("p.row.learn-end",
        at > 0 && el("a.button", { href: `/learn/${game}?part=${lessons[at - 1].id}`, text: t("learn.back") }),
        el("a.button", {
            class: isOpen ? "" : "primary", href: `/learn/${game}?part=${next.id}`, onclick: () => isOpen || markRead(game, lesson),
            text: t(isOpen ? "learn.skip" : "learn.next", { title: next[language()].short }),
        }));
}

// part: the lesson that is wanted; else the first one not learned yet.
function drawCourse(host, game, part) {
    const boards = [], { lessons, about } = courses.get(game);
    const wanted = lessons.findIndex(({ id }) => id === part), open = lessons.findIndex((lesson) => !isLearned(game, lesson));
    const at = wanted >= 0 ? wanted : Math.max(0, open);
    const isAll = part === "all";
    const bar = el("div"), parts = el("div"), steps = el("div");
    const drawProgress = () => {
        bar.replaceChildren(progressBar(game));
        parts.replaceChildren(drawParts(game, isAll ? "all" : lessons[at].id));
        steps.replaceChildren(isAll ? drawEnd(game) : drawSteps(game, at));
    };
    drawProgress();
    host.append(
        el("header.learn-head",
            el("h1", { text: t("learn.course", { game: t(`game.${game}`) }) }),
            el("p.muted", { text: about[language()] }),
            rowOf(game).pieceSets.length > 1 && drawSets(game, boards, host),
            bar, parts),
        ...(isAll ? lessons : [lessons[at]]).map((lesson) => drawLesson(game, lesson, boards, drawProgress)),
        steps);
    return boards;
}

/** @param {HTMLElement} host
 * @param {{params?: string[], query?: Record<string, string>, signal: AbortSignal}} place */
export async function show(host, { params = [], query = {}, signal }) {
    await useStyle("/learn/learn.css", signal);
    const game = params[0];
    const page = el("div.learn");
    host.append(page);
    if (!courses.has(game)) {
        drawChoice(page);
        return { close() {}, title: t("learn.title") };
    }
    const boards = drawCourse(page, game, query.part);
    return { close: () => boards.forEach((board) => board.destroy()), title: t("learn.course", { game: t(`game.${game}`) }) };
}
