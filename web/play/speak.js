// Moves and results in words, for whoever cannot see the board.

import { t, language } from "../lib/i18n.js";
import { sideName, outcomeWords, reasonWords } from "../lib/words.js";
import { rowOf } from "../games/index.js";

// "Red cannon from h2 to e2, takes the horse. Check."
export function moveWords(rules, position, move, after) {
    const words = {
        side: sideName(rules.name, position.side),
        piece: rules.pieceName(position.board[move.from], language()),
        from: rules.pointName(move.from),
        to: rules.pointName(move.to),
    };
    let text = t(rowOf(rules.name).oneKind ? "speak.moveMan" : "speak.move", words);
    const taken = position.board[move.to];
    if (taken) text += t("speak.takes", { piece: rules.pieceName(taken, language()) });
    if (move.capture && move.routes?.length) text += t("speak.loops", { count: move.routes[0].loops });
    text += t("speak.stop");
    if (after && rules.inCheck?.(after)) text += t("speak.check");
    return text;
}

export function resultWords(game, result) {
    const outcome = outcomeWords(game, result.outcome);
    return result.reason && result.reason !== "none" ? t("game.resultLine", { outcome, reason: reasonWords(result.reason) }) : outcome;
}
