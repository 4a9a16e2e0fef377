// The rules of both games for the page: what may be played, how it is written. Who has won by
// counting or repetition is the server's to say.
import { rules as surakarta } from "./surakarta.js";
import { rules as xiangqi } from "./xiangqi.js";

export { RulesError, sideOf, typeOf } from "./position.js";

const games = { surakarta, xiangqi };

export function game(name) {
    if (!Object.hasOwn(games, name)) throw new Error(`no game is called ${name}`);
    return games[name];
}
