// The lobby: open seeks as they come and go, one's own among them.

import { el, clear } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { say, on, onState, me } from "../lib/socket.js";
import { sayError } from "../lib/api.js";
import { gameName, sideName, controlWords } from "../lib/words.js";
import { gameNames } from "../games/index.js";
import { accept } from "./offer.js";
import { openSetup } from "./setup.js";

// The side left to whoever accepts.
function sideLeft(seek) {
    if (seek.side === "any") return t("setup.any");
    return sideName(seek.game, seek.side === "first" ? 1 : 0);
}

function row(seek, says) {
    const own = me()?.name === seek.from;
    const take = async (event) => {
        says.textContent = "";
        event.target.disabled = true;
        try {
            await accept(seek.id);
        } catch (error) {
            says.textContent = sayError(error);
            event.target.disabled = false;
        }
    };
    return el("tr", { class: own ? "own" : "" },
        el("td", own ? el("em", { text: t("lobby.yours") }) : el("a", { href: `/player/${seek.from}`, text: seek.from })),
        el("td", gameName(seek.game), " ", seek.rated && el("span.badge", { text: t("lobby.rated") })),
        el("td", { text: controlWords(seek.tc) }),
        el("td", { text: sideLeft(seek) }),
        el("td.number", own
            ? el("button", { text: t("lobby.withdraw"), onclick: () => say("unseek", { id: seek.id }) })
            : el("button.primary", { text: t("lobby.accept"), "aria-label": t("lobby.acceptLabel", { game: gameName(seek.game), name: seek.from }), onclick: take })));
}

export function showLobby(host) {
    const seeks = new Map();
    const says = el("p.says", { role: "alert" });
    const list = el("div");
    const draw = () => {
        clear(list).append(seeks.size
            ? el("div.scroll", { tabindex: 0, role: "region", "aria-label": t("lobby.title") }, el("table",
                el("thead", el("tr", ["lobby.who", "lobby.game", "lobby.clock", "lobby.side"].map((key) => el("th", { scope: "col", text: t(key) })), el("td"))),
                el("tbody", [...seeks.values()].map((seek) => row(seek, says)))))
            : el("p.muted", { text: t("lobby.empty") }));
    };
    const stops = [
        on("seek", (seek) => (seeks.set(seek.id, seek), draw())),
        on("gone", ({ id }) => seeks.delete(id) && draw()),
        // Before the connection is back the server has forgotten some and will tell all anew.
        onState((state) => {
            if (state === "online") return;
            seeks.clear();
            clear(list).append(el("p.muted", { text: t("lobby.offline") }));
        }),
        on("pong", () => seeks.size || draw()),
    ];
    host.append(el("section.card.lobby", { "aria-labelledby": "lobby-title" },
        el("div.row.apart",
            el("h2#lobby-title", { text: t("lobby.title") }),
            el("div.row", gameNames.map((game) => el("button", { text: t("lobby.make", { game: gameName(game) }), onclick: () => openSetup(game, "lobby") })))),
        says, list));
    draw();
    say("lobby", { on: true });
    return () => {
        stops.forEach((stop) => stop());
        say("lobby", { on: false });
    };
}
