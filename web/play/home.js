// The start: a new game in two clicks, the lobby.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

export async function show(host) {
    host.append(el("h1", { text: t("app.play") }));
    return { close() {}, title: t("app.play") };
}
