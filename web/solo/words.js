// The words of games against the computer in this browser.

import { addWords } from "../lib/i18n.js";

addWords({
    en: {
        "solo.title": "{game} against the computer",
        "solo.level": "Level {level}, in this browser: no connection is needed",
        "solo.loading": "The engine is being loaded…",
        "solo.absent": "The engine is not on this device yet, and the server does not answer. Visit once with a connection, then this works without.",
        "solo.thinking": "The computer is thinking…",
        "solo.hint": "Hint",
        "solo.again": "New game",
        "solo.study": "Study this game",
        "solo.fault": "The engine has stopped: {words}",
        "solo.resigned": "You gave up.",
    },
    zh: {
        "solo.title": "{game}：人机对弈",
        "solo.level": "{level} 级，在本浏览器中运行，无需联网",
        "solo.loading": "正在载入引擎……",
        "solo.absent": "本设备上还没有引擎，服务器也没有应答。联网访问一次之后，离线也能下。",
        "solo.thinking": "电脑思考中……",
        "solo.hint": "提示",
        "solo.again": "新对局",
        "solo.study": "研究本局",
        "solo.fault": "引擎已停止：{words}",
        "solo.resigned": "你已认输。",
    },
});
