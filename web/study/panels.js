// What stands in the tabs beside a study's board: loaded once the board stands.
import { useStyle } from "../lib/dom.js";

export { Editor } from "./editor.js";
export { EndgameExplorer, OpeningExplorer, openEndgames } from "./explorer.js";
export { Transfer } from "./transfer.js";

export const panelStyle = (owner) => useStyle("/study/panels.css", owner);
