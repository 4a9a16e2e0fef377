// An arbiter's tools, for a game or a player. Nothing is done without a reason, which everybody can
// read in the log, and what cannot be taken back is asked twice.
import { ask, clear, el, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, sayError } from "../lib/api.js";
import { outcomeWords, sideName } from "../lib/words.js";
import { select, styled } from "./common.js";
import "./archive_words.js";

const REASON = { least: 3, most: 200 };

// A panel whose controls are made when it is opened, and anew after everything that was done.
function panel(controls) {
    const reason = el("input", {
        name: "reason", maxlength: REASON.most, placeholder: t("watch.reason"), "aria-label": t("watch.reason"), autocomplete: "off",
    });
    const said = el("p.says", { role: "alert" });
    const row = el("div.row");
    // Sends what is asked for, once it is asked for in earnest.
    const act = async (path, body, sure) => {
        said.textContent = "";
        if (reason.value.trim().length < REASON.least) {
            said.textContent = t("watch.sayWhy");
            reason.focus();
            return;
        }
        if (sure && (await ask(sure, [{ value: "", text: t("watch.no") }, { value: "yes", text: t("watch.yes"), kind: "danger" }])) !== "yes") return;
        try {
            await post(path, { ...body, reason: reason.value.trim() });
            reason.value = "";
            toast(t("watch.done"));
            await draw();
        } catch (error) {
            said.textContent = sayError(error);
        }
    };
    const draw = async () => clear(row).append(...(await controls(act)));
    return el("details.card.arbiter", { ontoggle: (event) => event.target.open && draw().catch((error) => (said.textContent = sayError(error))) },
        el("summary", { text: t("watch.arbiter") }), reason, row, said, el("a", { href: "/audit", text: t("watch.audit") }));
}

function liveControls(game, act) {
    const path = `/arbiter/games/${game.id}`;
    const button = (verb, kind, body = {}, words = t(`watch.do.${verb}`), sure) => el("button", {
        type: "button", class: kind, text: words, onclick: () => act(`${path}/${verb}`, body, sure),
    });
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

// Adds the tools for a game to the host. For arbiters only: others are refused by the server.
export async function gameTools(host, id, signal) {
    await styled(signal, "archive");
    host.append(panel(async (act) => {
        const game = await get(`/games/${id}`);
        return game.ended ? overControls(game, act) : liveControls(game, act);
    }));
}

// The same for a player.
export async function playerTools(host, name, signal) {
    await styled(signal, "archive");
    const path = `/arbiter/players/${encodeURIComponent(name)}`;
    host.append(panel(async (act) => [
        el("button.danger", { type: "button", text: t("watch.do.ban"), onclick: () => act(`${path}/ban`, {}, t("watch.sureBan", { name })) }),
        el("button", { type: "button", text: t("watch.do.pardon"), onclick: () => act(`${path}/pardon`, {}) })]));
}
