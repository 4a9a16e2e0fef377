// Why a move cannot be played, in words. The game's reasons are loaded when the first one is asked for.
import { addWords, language, t } from "../lib/i18n.js";
import { rowOf } from "../games/index.js";
import { game as gameRules } from "../rules/index.js";

export async function whyWords(game, position, from, to) {
    const load = rowOf(game).load.why;
    if (!load) return t("board.illegal");
    const { why, words } = await load();
    const { pieceName, pointName } = gameRules(game);
    /** @type {{key: string, point?: number, points?: number[], count?: number}} */
    const found = why(position, from, to);
    addWords(words);
    return t(found.key, {
        piece: position.board[found.point] ? pieceName(position.board[found.point], language()) : "",
        from: pointName(from), to: pointName(to), count: found.count,
        point: found.point === undefined ? "" : pointName(found.point),
        points: (found.points ?? []).map(pointName).join(", "),
    });
}
