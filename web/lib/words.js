// Words every view needs: the games with their sides (from their rows), how games end, time controls, errors.

import { games, words as gamesWords } from "../games/index.js";
import { addWords, t, hasWord, language } from "./i18n.js";

for (const words of [gamesWords, ...games.map((row) => row.words)]) addWords(words);

addWords({
    en: {
        "app.skip": "Skip to the content",
        "app.play": "Play",
        "app.watch": "Watch",
        "app.tournaments": "Tournaments",
        "app.study": "Study",
        "app.puzzles": "Puzzles",
        "app.learn": "Learn",
        "app.me": "You",
        "app.menu": "Main menu",
        "app.language": "中文",
        "app.languageLabel": "切换到中文",
        "app.theme": "Theme: {theme}",
        "app.theme.auto": "as the system",
        "app.theme.light": "light",
        "app.theme.dark": "dark",
        "app.sound.on": "Sound is on",
        "app.sound.off": "Sound is off",
        "app.online": "Connected",
        "app.connecting": "Connecting…",
        "app.offline": "No connection to the server. Trying again…",
        "app.expired": "You are no longer logged in. Log in again under “You”.",
        "app.full": "The server’s disk is full. Games stand still, clocks too, and go on by themselves when there is room.",
        "notice.stopping": "The server is about to stop. Games are kept and go on when it is back.",
        "notice.room": "There is room again: games go on.",
        "notice.failure": "The server could not keep what happened last and stops. Everything you were told is kept.",
        "app.archive": "All games",
        "app.programs": "For programs",
        "app.notFound": "There is nothing here.",
        "app.home": "Back to the start",
        "app.broken": "This part of the page could not be loaded.",
        "app.seat.yours": "Your move",
        "app.seat.theirs": "Their move",
        "app.seat.game": "{game} against {name}",
        "app.seat.go": "To the board",
        "app.recovered": "Something went wrong on this page. It has been loaded again; nothing is lost.",
        "app.fault": "This page keeps going wrong. Your games are safe on the server.",
        "app.again": "Try again",
        "app.share": "Share",
        "app.copy": "Copy",
        "app.copied": "Copied",
        "app.cancel": "Cancel",
        "app.loading": "Loading…",
        "game.computer": "Computer, level {level}",
        "result.wins": "{side} wins",
        "result.draw": "Draw",
        "result.none": "No result",
        "result.live": "Under way",
        "reason.wiped out": "all pieces captured",
        "reason.count after repetition": "pieces counted after repetition",
        "reason.repetition": "repetition",
        "reason.no capture": "too long without a capture",
        "reason.no move": "no legal move, pieces counted",
        "reason.mate": "checkmate",
        "reason.stalemate": "stalemate",
        "reason.perpetual check": "perpetual check",
        "reason.perpetual chase": "perpetual chase",
        "reason.illegal move": "illegal move",
        "reason.time": "time ran out",
        "reason.crash": "the program crashed",
        "reason.stall": "the program did not answer",
        "reason.resignation": "resignation",
        "reason.agreed draw": "agreed",
        "reason.adjudication by score": "adjudicated by score",
        "reason.adjudication by move limit": "move limit reached",
        "reason.adjudication by endgame table": "decided by endgame table",
        "reason.aborted": "called off",
        "reason.arbiter's decision": "arbiter's decision",
        "reason.abandoned": "the player was away",
        "reason.record": "as recorded",
        "tc.inf": "no clock",
        "tc.base": "{base} min",
        "tc.seconds": "{base} s",
        "tc.increment": "{base} + {increment} s",
        "tc.move": "{seconds} s a move",
        "error.offline": "The server does not answer. Nothing is lost; try again in a moment.",
        "error.full": "The server’s disk is full: nothing can be begun now. Try again when there is room.",
        "error.declined": "The computer is playing enough games already. Finish one of yours first, or choose another level.",
        "error.unknown": "Something went wrong. Try again.",
    },
    zh: {
        "app.skip": "跳到正文",
        "app.play": "对弈",
        "app.watch": "观战",
        "app.tournaments": "赛事",
        "app.study": "研究",
        "app.puzzles": "习题",
        "app.learn": "学棋",
        "app.me": "我的",
        "app.menu": "主菜单",
        "app.language": "EN",
        "app.languageLabel": "Switch to English",
        "app.theme": "外观：{theme}",
        "app.theme.auto": "跟随系统",
        "app.theme.light": "浅色",
        "app.theme.dark": "深色",
        "app.sound.on": "声音已开",
        "app.sound.off": "声音已关",
        "app.online": "已连接",
        "app.connecting": "正在连接…",
        "app.offline": "与服务器的连接已断开，正在重连…",
        "app.expired": "登录已失效，请在“我的”中重新登录。",
        "app.full": "服务器磁盘已满。对局和计时暂停，有空间后自动继续。",
        "notice.stopping": "服务器即将停止。对局已保存，恢复后继续。",
        "notice.room": "磁盘已有空间，对局继续。",
        "notice.failure": "服务器无法保存最近的操作，即将停止。已告知你的内容都已保存。",
        "app.archive": "全部对局",
        "app.programs": "程序接入",
        "app.notFound": "这里什么也没有。",
        "app.home": "回到首页",
        "app.broken": "页面的这一部分未能载入。",
        "app.seat.yours": "轮到你走",
        "app.seat.theirs": "等对方走棋",
        "app.seat.game": "{game}，对手 {name}",
        "app.seat.go": "回到棋局",
        "app.recovered": "页面出了点问题，已重新载入，内容不会丢失。",
        "app.fault": "页面一再出错。你的对局都保存在服务器上。",
        "app.again": "重试",
        "app.share": "分享",
        "app.copy": "复制",
        "app.copied": "已复制",
        "app.cancel": "取消",
        "app.loading": "载入中…",
        "game.computer": "电脑 {level} 级",
        "result.wins": "{side}胜",
        "result.draw": "和棋",
        "result.none": "无结果",
        "result.live": "进行中",
        "reason.wiped out": "棋子全部被吃",
        "reason.count after repetition": "循环局面，数子判定",
        "reason.repetition": "循环局面",
        "reason.no capture": "长时间未吃子",
        "reason.no move": "无子可动，数子判定",
        "reason.mate": "将死",
        "reason.stalemate": "困毙",
        "reason.perpetual check": "长将",
        "reason.perpetual chase": "长捉",
        "reason.illegal move": "违规着法",
        "reason.time": "超时",
        "reason.crash": "程序崩溃",
        "reason.stall": "程序无应答",
        "reason.resignation": "认输",
        "reason.agreed draw": "双方同意",
        "reason.adjudication by score": "按评分裁定",
        "reason.adjudication by move limit": "达到步数上限",
        "reason.adjudication by endgame table": "按残局库裁定",
        "reason.aborted": "对局取消",
        "reason.arbiter's decision": "裁判判定",
        "reason.abandoned": "棋手离开",
        "reason.record": "据棋谱",
        "tc.inf": "不计时",
        "tc.base": "{base} 分钟",
        "tc.seconds": "{base} 秒",
        "tc.increment": "{base} + {increment} 秒",
        "tc.move": "每步 {seconds} 秒",
        "error.offline": "服务器没有应答。内容不会丢失，请稍后再试。",
        "error.full": "服务器磁盘已满，暂时无法进行，请稍后再试。",
        "error.registered": "你已经有账号了。要注册另一个账号，请先退出登录。",
        "error.declined": "电脑正在下的棋太多了。请先下完一盘，或换一个级别。",
        "error.unknown": "出了点问题，请重试。",
        "error.login": "请先登录。",
        "error.password": "名字或密码不对。",
        "error.name": "这个名字不能用，或已有人使用。",
        "error.busy": "服务器正忙，请稍后再试。",
        "error.flood": "请求过于频繁，请稍候。",
        "error.game": "没有这盘棋，或它不是你的对局。",
        "error.offer": "这个邀请已经失效。",
        "error.limit": "数量已达上限。",
        "error.player": "没有这个人，或不在线。",
        "error.field": "有一项填写不对：{words}",
        "error.syntax": "服务器读不懂这个请求：{words}",
        "error.illegal": "这步棋不合规则：{words}",
        "error.turn": "还没轮到你走。",
        "error.ply": "局面已经变了，正在重新同步。",
        "error.takeback": "现在不能悔棋。",
        "error.rematch": "现在不能再来一局。",
        "error.account": "请先注册账号。",
        "error.fen": "这个局面读不懂：{words}",
        "error.path": "这里什么也没有。",
        "error.position": "这个局面不成立：{words}",
        "error.record": "棋谱读不懂：{words}",
        "error.format": "不支持这种格式：{words}",
        "error.rules": "没有这套规则：{words}",
        "error.tables": "没有这个局面的残局库。",
        "error.engines": "本服务器没有分析引擎。",
        "error.analysis": "计分对局或赛事进行期间不能分析。",
        "error.quota": "分析请求过多，请稍候。",
        "error.live": "这盘棋还在进行。",
        "error.tournament": "赛事不接受这个操作：{words}",
        "error.tournament.missing": "没有这项赛事。",
        "error.role": "你没有这个权限。",
        "error.reason": "请写明理由。",
        "error.program": "你没有叫这个名字的程序。",
        "error.puzzle": "没有这道题。",
        "error.token": "令牌无效，或已被吊销。",
    },
});

export const gameName = (game) => t(`game.${game}`);
export const sideName = (game, side) => t(`side.${game}.${side}`);

// House bots by their level, everybody else by name.
export function playerName(name) {
    const house = /^House-(\d+)$/.exec(name);
    return house ? t("game.computer", { level: house[1] }) : name;
}

// "Red wins", "Draw": the outcome as the server names it.
export function outcomeWords(game, outcome, over = true) {
    if (outcome === "first wins" || outcome === "second wins")
        return t("result.wins", { side: sideName(game, outcome === "first wins" ? 0 : 1) });
    if (outcome === "draw") return t("result.draw");
    return t(over ? "result.none" : "result.live");
}

export function reasonWords(reason) {
    return hasWord(`reason.${reason}`) ? t(`reason.${reason}`) : reason;
}

// 1-0 for tables and move lists.
export function outcomeScore(outcome) {
    return { "first wins": "1–0", "second wins": "0–1", draw: "½–½" }[outcome] ?? "–";
}

// "300+3" as people say it: 5 min + 3 s.
export function controlWords(tc) {
    if (!tc || tc === "inf") return t("tc.inf");
    const move = /^st=([\d.]+)$/.exec(tc);
    if (move) return t("tc.move", { seconds: move[1] });
    const clock = /^(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?$/.exec(tc);
    if (!clock) return tc;
    const seconds = Number(clock[1]);
    const base = seconds >= 60 && seconds % 30 === 0 ? t("tc.base", { base: seconds / 60 }) : t("tc.seconds", { base: seconds });
    return clock[2] && Number(clock[2]) ? t("tc.increment", { base, increment: clock[2] }) : base;
}

export function listWords(items) {
    return new Intl.ListFormat(language() === "zh" ? "zh" : "en", { type: "conjunction" }).format(items);
}
