// How a tournament's state and terms are written, in lists and on its own page.
import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { controlWords, gameName } from "../lib/words.js";
import "./tournament_words.js";

export const badge = (state) => el("span.badge", { "data-state": state, text: t(`watch.state.${state}`) });

// Terms in one line: game, kind, time.
export function termsLine(row) {
    return [gameName(row.game), t(`watch.kind.${row.sprt ? "match" : row.kind}`), controlWords(row.tc),
        t(row.rated ? "watch.rated" : "watch.unrated")].join(" · ");
}
