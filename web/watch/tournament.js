// /tournament/N: one tournament as it happens. It is read again whenever the server says that it has
// gone on, at most once a second and less often where it is large; nothing is redrawn that has not changed.
import { ask, el, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, sayError } from "../lib/api.js";
import { connectionState, me, on, onMe, onState, say } from "../lib/socket.js";
import { playerName } from "../lib/words.js";
import { HOUSE, saveFile, select, styled, throttle, when } from "./common.js";
import { allRecords } from "./records.js";
import { bracket, scheduleList } from "./schedule.js";
import { entrantsList, standingsTable } from "./standings.js";
import { badge, termsLine } from "./tournament_line.js";
import "./tournament_words.js";

const EVERY = 1000;

// A part of the page that is made anew only when what it shows has changed.
function part(host, key, make) {
    const text = JSON.stringify(key);
    if (host.dataset.shows === text) return;
    host.dataset.shows = text;
    const node = make();
    host.replaceChildren(...(node ? [node] : []));
}

class TournamentView {
    constructor(host, id) {
        this.id = id;
        this.path = `/tournaments/${id}`;
        this.opened = new Map();
        this.programs = [];
        this.wall = null; // made when a game is live
        this.head = el("header.page-head.tournament-head");
        this.actions = el("div.row.actions");
        this.match = el("div");
        this.standings = el("div");
        this.bracket = el("div");
        this.live = el("div.wall.small-wall");
        this.liveTitle = el("h2", { text: t("watch.liveHere"), hidden: true });
        this.schedule = el("div");
        host.append(el("section.page.watch-page", {}, this.head, this.actions, this.match,
            el("div.tournament-columns", {}, el("div.table-column", {}, this.standings, this.bracket),
                el("div.live-column", {}, this.liveTitle, this.live), el("div.games-column", {}, this.schedule))));
        this.soon = throttle(() => this.read().catch(() => {}), () => EVERY + 2 * (this.data?.pairings.length ?? 0));
        this.stop = [
            on("tournament", (message) => message.id === id && this.soon()),
            on("pairing", (message) => message.tournament === id && this.soon()),
            onMe(() => this.readPrograms()),
            onState((state) => state === "online" && this.follow()),
        ];
        if (connectionState() === "online") this.follow();
        this.timer = setInterval(() => this.isRunning() && document.visibilityState === "visible" && this.soon(), 5000);
        this.isOpen = true;
    }

    // Also after the line was lost: the server has forgotten who followed.
    follow() {
        say("follow", { tournament: this.id, on: true });
        if (this.data) this.soon();
    }

    isRunning() {
        return this.data && (this.data.state === "running" || this.data.state === "paused");
    }

    async readPrograms() {
        const list = me()?.kind === "person" ? await get("/tokens").catch(() => ({ programs: [] })) : { programs: [] };
        this.programs = list.programs.map((one) => one.program);
        if (this.data && this.isOpen) this.drawActions();
    }

    async read() {
        const data = await get(this.path);
        if (!this.isOpen) return;
        this.data = data;
        this.draw();
        await this.readLive();
    }

    // The boards, whose code is loaded when there is something to show on them.
    async readLive() {
        const ids = new Set(this.data.pairings.filter((one) => one.points === undefined && one.game).map((one) => one.game));
        if (!this.wall && !ids.size) return;
        const { Wall } = await import("./wall.js");
        if (!this.isOpen) return;
        const soon = () => this.soon();
        this.wall ??= new Wall(this.live, { showGame: false, onEnd: soon, onStale: soon, onChange: () => this.drawLive() });
        const cards = [...this.wall.cards.values()];
        const isMissing = [...ids].some((id) => !this.wall.cards.has(id));
        if (isMissing || cards.some((card) => card.isStale || (!card.isOver && !ids.has(card.id)))) {
            const { games } = ids.size ? await get("/games/live", { limit: 500 }) : { games: [] };
            if (!this.isOpen) return;
            this.wall.set(games.filter((one) => ids.has(one.id)).slice(0, 60));
        }
        this.drawLive();
    }

    drawLive() {
        this.liveTitle.hidden = !this.wall.cards.size;
    }

    async drawMatch() {
        const { matchPanel } = await import("./match.js");
        if (this.isOpen) part(this.match, this.data.match, () => matchPanel(this.data));
    }

    draw() {
        const d = this.data;
        part(this.head, [d.name, d.state, d.pairings.length, d.games_in_all, this.played()], () => this.headNode());
        this.drawActions();
        if (d.match) this.drawMatch();
        part(this.standings, [d.standings, d.crosstable, d.players, d.state], () => this.standingsNode());
        if (d.kind === "knockout")
            part(this.bracket, [d.pairings, d.state], () => d.pairings.length && el("div", {}, el("h2", { text: t("watch.bracket") }), bracket(d)));
        part(this.schedule, d.pairings, () => d.pairings.length && el("div", {}, el("h2", { text: t("watch.schedule") }), scheduleList(d, this.opened)));
    }

    played() {
        return this.data.pairings.filter((one) => one.points !== undefined).length;
    }

    headNode() {
        const d = this.data;
        const games = Math.max(d.games_in_all ?? 0, d.pairings.length);
        const words = t("watch.progress", { played: this.played(), games });
        const bar = el("progress", { max: games, value: this.played(), "aria-label": t("watch.progressLabel") });
        return el("div", {}, el("div.title-line", {}, el("h1", { text: d.name }), badge(d.state)),
            el("p.terms-line", { text: termsLine(d) }),
            el("p.hint", { text: [d.director && t("watch.directedBy", { name: d.director }), d.ended ? t("watch.endedAt", { when: when(d.ended) })
                : d.started ? t("watch.startedAt", { when: when(d.started) }) : ""].filter(Boolean).join(" · ") }),
            el("details.rules-line", {}, el("summary", { text: t("watch.rules") }), el("code", { text: d.rules.replaceAll(",", ", ") })),
            games ? el("div.progress", {}, bar, el("span", { text: words })) : "");
    }

    standingsNode() {
        const d = this.data;
        if (d.standings) return el("div", {}, el("h2", { text: t("watch.standings") }), standingsTable(d));
        return el("div", {}, el("h2", {}, t("watch.entrants"), " ", el("small", { text: String(d.players.length) })), entrantsList(d));
    }

    // --- what may be done -----------------------------------------------------------------------

    mayDirect() {
        if (!me() || me().kind !== "person") return false;
        return me().arbiter || this.data.director === me().name;
    }

    drawActions() {
        const d = this.data;
        part(this.actions, [d.state, d.players, d.pairings.length > 0, me()?.id, this.programs], () => el("div.row", {}, ...this.buttons()));
    }

    buttons() {
        const d = this.data;
        const list = [];
        if (d.state === "open") list.push(...this.entryButtons());
        else if (this.isRunning()) list.push(...this.withdrawButtons());
        if (this.mayDirect()) list.push(...this.directorButtons());
        if (d.pairings.some((one) => one.points !== undefined))
            list.push(el("button", { type: "button", text: t("watch.pgn"), onclick: () => this.download() }));
        return list;
    }

    // Those one may speak for.
    mine() {
        return me() ? [me().name, ...this.programs] : [];
    }

    entryButtons() {
        if (!me()) return [el("a.button", { href: "/me", text: t("watch.loginToEnter") })];
        const { players } = this.data;
        const others = [...this.mine(), ...(this.mayDirect() ? HOUSE : [])];
        const free = others.filter((name) => !players.includes(name));
        const inside = others.filter((name) => players.includes(name));
        return [this.chooser("enter", free, "watch.enter"), this.chooser("withdraw", inside, "watch.withdraw")];
    }

    withdrawButtons() {
        const playing = this.data.standings?.filter((one) => !one.withdrawn).map((one) => one.player) ?? [];
        return [this.chooser("withdraw", this.mine().filter((name) => playing.includes(name)), "watch.withdraw", "watch.sureWithdraw")];
    }

    chooser(verb, names, key, sure) {
        if (!names.length) return "";
        const list = select("player", names.map((name) => [name, playerName(name)]), names[0], { "aria-label": t(key) });
        return el("span.joined", {}, list, el("button", {
            type: "button", text: t(key), onclick: () => this.act(verb, { player: list.value }, sure && t(sure, { name: playerName(list.value) })),
        }));
    }

    directorButtons() {
        const { state, players } = this.data;
        const button = (verb, kind = "", sure) => el("button", {
            type: "button", class: kind, text: t(`watch.do.${verb}`), onclick: () => this.act(verb, {}, sure && t(sure)),
        });
        if (state === "open") return [players.length > 1 ? button("start", "primary") : "", button("call-off", "danger", "watch.sureCallOff")];
        if (state === "running") return [button("pause"), button("call-off", "danger", "watch.sureCallOff")];
        if (state === "paused") return [button("continue", "primary"), button("call-off", "danger", "watch.sureCallOff")];
        return [];
    }

    async act(verb, body, sure) {
        const isSure = !sure || (await ask(sure, [{ value: "", text: t("watch.no") }, { value: "yes", text: t("watch.yes"), kind: "danger" }])) === "yes";
        if (!isSure) return;
        try {
            this.data = await post(`${this.path}/${verb}`, body);
            if (!this.isOpen) return;
            this.draw();
            await this.readLive();
        } catch (error) {
            toast(sayError(error), "error");
        }
    }

    async download() {
        try {
            saveFile(`${this.data.name.replace(/[^\p{L}\p{N}]+/gu, "-")}.pgn`, "application/x-chess-pgn", await allRecords({ tournament: this.id }, "pgn"));
        } catch (error) {
            toast(sayError(error), "error");
        }
    }

    close() {
        this.isOpen = false;
        clearInterval(this.timer);
        this.soon.cancel();
        this.stop.forEach((stop) => stop());
        this.wall?.close();
        if (connectionState() === "online") say("follow", { tournament: this.id, on: false });
    }
}

export async function show(host, { params, signal }) {
    await styled(signal, "tournament");
    const view = new TournamentView(host, Number(params[0]));
    try {
        await view.read();
    } catch (error) {
        view.close();
        throw error;
    }
    view.readPrograms();
    return { title: view.data.name, close: () => view.close() };
}
