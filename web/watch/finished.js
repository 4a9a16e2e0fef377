// The games that ended last, as small boards with their results: what there is to see while nobody plays.
import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get } from "../lib/api.js";
import { game as rulesOf } from "../rules/index.js";
import { Card } from "./card.js";

// The last position of a game, as the list of live games would give it.
function lastRow(game) {
    const rules = rulesOf(game.game);
    let position = rules.parse(game.fen || rules.start);
    for (const text of game.moves) position = rules.play(position, rules.find(position, text));
    return { ...game, position: rules.write(position), last: game.moves[game.moves.length - 1] };
}

// Resolves to a section and how to end it, or to nothing where no game has been played.
export async function finishedGames(kind, most) {
    const { games } = await get("/games", { game: kind, limit: most });
    const whole = await Promise.all(games.filter((one) => one.plies).map((one) => get(`/games/${one.id}`)));
    if (!whole.length) return null;
    const cards = whole.map((game) => {
        const card = new Card(lastRow(game), { showGame: !kind });
        card.setResult(game, false);
        return card;
    });
    return {
        node: el("section", {}, el("h2", { text: t("watch.justFinished") }), el("div.wall", {}, ...cards.map((card) => card.node))),
        close: () => cards.forEach((card) => card.close()),
    };
}
