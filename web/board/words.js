// The board's own words, said to screen readers.
import { addWords } from "../lib/i18n.js";

addWords({
    en: {
        "board.empty": "{point}, empty",
        "board.piece": "{point}, {piece}",
        "board.selected": "{piece} on {point} picked up. {moves}",
        "board.steps": "Goes to {list}.",
        "board.captures": "Captures on {list}.",
        "board.stuck": "It cannot move.",
        "board.illegal": "The rules do not allow that move.",
        "board.dropped": "Put back.",
        "board.premove": "Will go from {from} to {to} if it can.",
        "board.premoveOff": "No move in advance.",
        "board.keys": "Arrow keys go from point to point, Enter picks up and puts down, Escape lets go.",
    },
    zh: {
        "board.empty": "{point}，空",
        "board.piece": "{point}，{piece}",
        "board.selected": "已选 {point} 的{piece}。{moves}",
        "board.steps": "可走到 {list}。",
        "board.captures": "可吃 {list}。",
        "board.stuck": "不能走动。",
        "board.illegal": "这步棋不合规则。",
        "board.dropped": "已放下。",
        "board.premove": "预走：从 {from} 到 {to}。",
        "board.premoveOff": "已取消预走。",
        "board.keys": "方向键移动光标，回车选子和落子，Esc 取消。",
    },
});
