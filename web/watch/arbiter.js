// An arbiter's tools, for a game or a player. Nothing is done without a reason, which everybody can
// read in the log, and what cannot be taken back is asked twice.
import { ask, clear, el, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, sayError } from "../lib/api.js";
import { me } from "../lib/socket.js";
import { outcomeWords, sideName } from "../lib/words.js";
import { select, styled } from "./common.js";
import "./archive_words.js";

const REASON = { least: 3, most: 200 };

// Whether whoever sits here is an arbiter. Guests and strangers are not worth a question.
async function isArbiter() {
    if (me()?.kind !== "person") return false;
    return (await get("/me").catch(() => ({}))).arbiter === true;
}

function panel(title, controls) {
    const reason = el("input", { name: "reason", minlength: REASON.least, maxlength: REASON.most, required: true, placeholder: t("watch.reason"), "aria-label": t("watch.reason"), autocomplete: "off" });
    const said = el("p.says", { role: "alert" });
    // Sends what is asked for, once it is asked for in earnest.
    const act = async (path, body, sure, done) => {
        said.textContent = "";
        if (!reason.value.trim() || !reason.reportValidity()) {
            said.textContent = t("watch.sayWhy");
            reason.focus();
            return;
        }
        if (sure && (await ask(sure, [{ value: "", text: t("watch.no") }, { value: "yes", text: t("watch.yes"), kind: "danger" }])) !== "yes") return;
        try {
            const answer = await post(path, { ...body, reason: reason.value.trim() });
            reason.value = "";
            toast(t("watch.done"));
            if (done) done(answer);
        } catch (error) {
            said.textContent = sayError(error);
        }
    };
    return el("details.card.arbiter", {}, el("summary", { text: title }), reason, el("div.row", {}, ...controls(act)), said,
        el("a", { href: "/audit", text: t("watch.audit") }));
}

function liveControls(game, act) {
    const path = `/arbiter/games/${game.id}`;
    const button = (verb, kind, body = {}, words = t(`watch.do.${verb}`), sure) => el("button", { type: "button", class: kind, text: words, onclick: () => act(`${path}/${verb}`, body, sure) });
    return [button("pause", ""), button("continue", ""), button("void", "danger", {}, t("watch.do.void"), t("watch.sureVoid")),
        ...["first", "second"].map((side, i) => {
            const words = t("watch.do.forfeit", { side: sideName(game.game, i) });
            return button("forfeit", "danger", { side }, words, `${words}?`);
        })];
}

function overControls(game, act) {
    const outcomes = ["first wins", "second wins", "draw", "ongoing"];
    const list = select("outcome", outcomes.map((one) => [one, outcomeWords(game.game, one)]), game.outcome, { "aria-label": t("watch.resultLabel") });
    return [el("span.joined", {}, list, el("button.danger", {
        type: "button", text: t("watch.do.correct"), onclick: () => act(`/arbiter/games/${game.id}/correct`, { outcome: list.value }, t("watch.sureCorrect")),
    }))];
}

// Puts the tools for a game ({id, game, ended, outcome}) into the host, if they are for this visitor.
export async function gameTools(host, game) {
    if (!(await isArbiter())) return;
    await styled("archive");
    clear(host).append(panel(t("watch.arbiter"), (act) => (game.ended ? overControls(game, act) : liveControls(game, act))));
}

// The same for a player.
export async function playerTools(host, name) {
    if (!(await isArbiter())) return;
    await styled("archive");
    const path = `/arbiter/players/${encodeURIComponent(name)}`;
    clear(host).append(panel(t("watch.arbiter"), (act) => [
        el("button.danger", { type: "button", text: t("watch.do.ban"), onclick: () => act(`${path}/ban`, {}, t("watch.sureBan", { name })) }),
        el("button", { type: "button", text: t("watch.do.pardon"), onclick: () => act(`${path}/pardon`, {}) })]));
}
