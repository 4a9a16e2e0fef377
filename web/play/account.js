// Registering, logging in and out, the password, the end of an account.

import { el, clear, ask, toast } from "../lib/dom.js";
import { t, formatMoment } from "../lib/i18n.js";
import { get, post, del, sayError } from "../lib/api.js";
import { prefs } from "../lib/store.js";
import { connectionState, reconnect, renamed, me } from "../lib/socket.js";
import { liveSeats } from "../lib/seats.js";
import { mutesList } from "./people.js";
import "./mewords.js";
import "./peoplewords.js";

function field(key, attributes, ruleKey) {
    return el("label.field", t(key), el("input", { required: true, ...attributes }), ruleKey && el("small", { text: t(ruleKey) }));
}

// A form that keeps what was typed when the server refuses it. act(values) may throw. beside: another button.
function form(act, submitText, kind, fields, beside) {
    const says = el("p.says", { role: "alert" });
    const button = el("button", { type: "submit", class: kind, text: submitText });
    return el("form.stack", {
        onsubmit: async (event) => {
            event.preventDefault();
            says.textContent = "";
            button.disabled = true;
            try {
                await act(Object.fromEntries(new FormData(event.target)));
                event.target.reset();
            } catch (error) {
                says.textContent = sayError(error);
            }
            button.disabled = false;
        },
    }, fields, says, el("div.row", button, beside));
}

// A guest who has registered is the same player on the same connection. Who logs in is somebody else: the server must
// look at the new cookie. Then the view is drawn anew.
let code = ""; // of recovery, of the account made here: shown until the page is left

async function entered(who, changed) {
    code = who.recovery ?? "";
    if (who.id === me()?.id && connectionState() === "online") renamed(who);
    else await reconnect();
    if (me()?.kind === "person") {
        prefs.set("account", me().name);
        toast(t("me.welcome", { name: me().name }));
    }
    changed();
}

// A guest who logs in leaves the guest's games behind: they are not joined to an account that is there already.
function staysBehind(name) {
    return el("p.warning", { text: t("me.staysBehind", { name }) + (liveSeats().length ? ` ${t("me.leavesGame")}` : "") });
}

// onOther(mode): the visitor wants to register, log in or recover instead.
export function entranceCard(mode, changed, onOther) {
    const enter = async ({ name, password }) => {
        await entered(await post(mode === "login" ? "/login" : "/register", { name, password }), changed);
    };
    const isLogin = mode === "login";
    return form(enter, t(`me.${mode}`), "primary", [
        isLogin && me()?.kind === "guest" && staysBehind(me().name),
        field("me.name", { name: "name", autocomplete: "username", minlength: 2, maxlength: 24, pattern: "[\\p{L}\\p{M}\\p{Nd}_\\-]+" }, isLogin ? null : "me.nameRule"),
        field("me.password", { name: "password", type: "password", autocomplete: isLogin ? "current-password" : "new-password", minlength: 8, maxlength: 128 }, isLogin ? null : "me.passwordRule"),
    ], [
        el("button.quiet", { type: "button", text: t(isLogin ? "me.makeOne" : "me.haveOne"), onclick: () => onOther(isLogin ? "register" : "login") }),
        isLogin && el("button.quiet", { type: "button", text: t("me.forgot"), onclick: () => onOther("recover") }),
    ]);
}

// A new password by the code of recovery; whoever has it is logged in.
export function recoverCard(changed, onOther) {
    const recover = async (values) => {
        const { name, code: used, password } = values;
        await entered(await post("/recover", { name, code: used.trim().toUpperCase(), password }), changed);
    };
    return form(recover, t("me.recover"), "primary", [
        el("p.muted", { text: t("me.recoverWhy") }),
        field("me.name", { name: "name", autocomplete: "username", minlength: 2, maxlength: 24 }),
        field("me.code", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "XXXXX-XXXXX-XXXXX-XXXXX" }),
        field("me.new", { name: "password", type: "password", autocomplete: "new-password", minlength: 8, maxlength: 128 }, "me.passwordRule"),
    ], el("button.quiet", { type: "button", text: t("me.backToLogin"), onclick: () => onOther("login") }));
}

export async function logOut(changed) {
    try {
        await post("/logout");
    } catch (error) {
        if (error.code !== "login") {
            toast(sayError(error), "error");
            return;
        }
    }
    prefs.set("account", "");
    await reconnect();
    changed();
}

function passwordForm() {
    const change = async (values) => {
        await post("/password", { old: values.old, new: values.new });
        toast(t("me.changed"));
        await reconnect();
    };
    return el("details", el("summary", { text: t("me.changePassword") }),
        form(change, t("me.changePassword"), "", [
            field("me.old", { name: "old", type: "password", autocomplete: "current-password" }),
            field("me.new", { name: "new", type: "password", autocomplete: "new-password", minlength: 8, maxlength: 128 }, "me.passwordRule"),
        ]));
}

function codeForm(changed) {
    const renew = async ({ password }) => {
        code = (await post("/recovery", { password })).recovery;
        changed();
    };
    return el("details", el("summary", { text: t("me.newCode") }),
        el("p.muted", { text: t("me.newCodeWhy") }),
        form(renew, t("me.newCode"), "", [field("me.password", { name: "password", type: "password", autocomplete: "current-password" })]));
}

// --- browsers and data ------------------------------------------------------------------------------

// What each says of itself, and its name; those that call themselves by others' names come first.
const BROWSERS = [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["Chrome", "Chrome"], ["Safari", "Safari"]];
const SYSTEMS = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "Mac"], ["Linux", "Linux"]];

// "Mozilla/5.0 (X11; Linux x86_64) ... Firefox/115.0" as people say it: Firefox, Linux.
export function browserName(agent) {
    const browser = BROWSERS.find(([sign]) => agent.includes(`${sign}/`));
    const system = SYSTEMS.find(([sign]) => agent.includes(sign));
    return [browser?.[1], system?.[1]].filter(Boolean).join(", ") || agent.slice(0, 40) || t("me.browserUnknown");
}

function sessionRow({ id, browser, since, current }, end) {
    return el("li.row.apart",
        el("span", browserName(browser), " ", el("small", { text: formatMoment(since) })),
        current
            ? el("span.badge.live", { text: t("me.thisBrowser") })
            : el("button", { type: "button", text: t("me.endSession"), onclick: () => end(`/sessions/${id}`) }));
}

function sessionsCard() {
    const host = el("div.stack");
    const draw = async () => {
        const { sessions } = await get("/sessions");
        clear(host).append(
            el("ul.plain", sessions.map((each) => sessionRow(each, end))),
            sessions.length > 1 ? el("div.row", el("button", { type: "button", text: t("me.endOthers"), onclick: () => end("/sessions") })) : "");
    };
    const end = async (path) => {
        try {
            await del(path);
            toast(t("me.ended"));
            await draw();
        } catch (error) {
            toast(sayError(error), "error");
        }
    };
    draw().catch((error) => host.append(el("p.says", { text: sayError(error) })));
    return el("details.sessions", el("summary", { text: t("me.sessions") }), host);
}

function dataLinks(name) {
    return el("ul.plain",
        el("li", el("a", { href: "/api/v1/me/data", download: `kraton-${name}.json`, text: t("me.data") })),
        el("li", el("a", { href: `/api/v1/games?player=${encodeURIComponent(name)}&format=pgn`, download: `kraton-${name}.pgn`, text: t("me.gamesFile") })));
}

function closingForm(name, changed) {
    const close = async ({ password }) => {
        const sure = await ask(t("me.closeSure", { name }), [
            { value: "", text: t("me.keep") },
            { value: "yes", text: t("me.close"), kind: "danger" },
        ]);
        if (!sure) return;
        await del("/me", { password });
        prefs.set("account", "");
        toast(t("me.closed"));
        await reconnect();
        changed();
    };
    return el("details", el("summary", { text: t("me.close") }),
        el("p.muted", { text: t("me.closeWhy") }),
        form(close, t("me.close"), "danger", [field("me.password", { name: "password", type: "password", autocomplete: "current-password" })]));
}

export function accountCard(member, changed) {
    return el("section.card.stack",
        el("h2", { text: t("me.account") }),
        code && el("p.warning.recovery", { role: "status" }, t("me.recovery"), el("code", { text: code })),
        passwordForm(), codeForm(changed), sessionsCard(), dataLinks(member.name), mutesList(), closingForm(member.name, changed),
        el("div.row", el("button", { text: t("me.logout"), onclick: () => logOut(changed) })));
}
