// Tokens for programs, and how a program connects.

import { el, clear, ask, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { get, post, del, sayError } from "../lib/api.js";
import { gameNames } from "../games/index.js";
import "./mewords.js";

async function copy(words) {
    await navigator.clipboard?.writeText(words);
    toast(t("app.copied"));
}

function connectLines(port, token) {
    const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    const secure = location.protocol === "https:";
    const tls = secure === !local ? "" : secure ? " --tls" : " --no-tls"; // the default: not on this machine
    return [
        `KRATON_TOKEN=${token ?? "krt_…"} \\`,
        `kraton join ${location.hostname}:${port}${tls} --engine ./my-engine \\`,
        `    --seek 'game=${gameNames[gameNames.length - 1]} tc=60+1'`,
    ].join("\n");
}

export function programsCard(member) {
    const list = el("ul.plain");
    const says = el("p.says", { role: "alert" });
    const fresh = el("div");
    const lines = el("pre", { tabindex: 0, "aria-label": t("me.connect") });
    const own = el("p.muted");
    let port = 8601;
    let token;

    let hasDocs = false; // they are optional on a server

    const drawLines = () => {
        lines.textContent = connectLines(port, token);
        const [before, behind] = t("me.connectOwn", { host: location.hostname, port }).split("{docs}");
        clear(own).append(before, hasDocs ? el("a", { href: "/docs/protocol.html", text: t("me.connectDocs") }) : "docs/protocol.md", behind);
    };
    const revoke = async (program) => {
        const sure = await ask(t("me.revokeSure", { program }), [
            { value: "", text: t("app.cancel") },
            { value: "yes", text: t("me.revoke"), kind: "danger" },
        ]);
        if (!sure) return;
        await act(async () => {
            await del(`/tokens/${program}`);
            toast(t("me.revoked", { program }));
        });
    };
    const draw = async () => {
        const { programs } = await get("/tokens");
        clear(list).append(...programs.map(({ program, tokens }) => el("li.row.apart",
            el("span", el("a", { href: `/player/${program}`, text: program }), " ", el("small", { text: t("me.tokens", { count: tokens }) })),
            tokens > 0 && el("button.danger", { text: t("me.revoke"), "aria-label": `${t("me.revoke")}: ${program}`, onclick: () => revoke(program) }))));
    };
    // Does it and shows the list as it is then; what goes wrong is said, and what was typed stays.
    const act = async (change) => {
        says.textContent = "";
        try {
            await change();
            await draw();
            return true;
        } catch (error) {
            says.textContent = sayError(error);
            return false;
        }
    };
    const make = (event) => {
        event.preventDefault();
        const input = event.target.elements.program;
        act(async () => {
            const made = await post("/tokens", { program: input.value.trim() });
            token = made.token;
            clear(fresh).append(el("div.offer",
                el("p", { text: t("me.token", { program: made.program }) }),
                el("code.secret", { text: token }),
                el("div.row", el("button.primary", { text: t("app.copy"), onclick: () => copy(token) }))));
            input.value = "";
            drawLines();
        });
    };

    const isPerson = member?.kind === "person";
    drawLines();
    get("/health").then((health) => ((port = health.bot_port ?? port), drawLines())).catch(() => {});
    fetch("/docs/protocol.html", { method: "HEAD" }).then(({ ok }) => ((hasDocs = ok), drawLines())).catch(() => {});
    if (isPerson) act(() => {});
    return el("section.card.stack#programs", { tabindex: -1 },
        el("h2", { text: t("me.programs") }),
        el("p.muted", { text: t(isPerson ? "me.programsWhy" : "me.needAccount") }),
        list,
        isPerson && el("form.row.feet", { onsubmit: make },
            el("label.field", t("me.program"), el("input", { name: "program", required: true, minlength: 2, maxlength: 24, pattern: "[\\p{L}\\p{M}\\p{Nd}_\\-]+", autocomplete: "off" })),
            el("button", { type: "submit", text: t("me.makeToken") })),
        says, fresh,
        el("h3", { text: t("me.connect") }),
        el("p", { text: t("me.connectWhy") }),
        lines,
        el("div.row", el("button", { text: t("app.copy"), onclick: () => copy(lines.textContent) })),
        own);
}
