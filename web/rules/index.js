// The rules of the games for the page: what may be played, how it is written. Who has won by
// counting or repetition is the server's to say.
import { modulesOf } from "../games/index.js";

export { RulesError, sideOf, typeOf } from "./position.js";

const modules = await modulesOf("rules");

export function game(name) {
    if (!modules.has(name)) throw new Error(`no game is called ${name}`);
    return modules.get(name).rules;
}
