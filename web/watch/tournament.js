// One tournament, as it goes.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

export async function show(host) {
    host.append(el("h1", { text: t("app.tournaments") }));
    return { close() {}, title: t("app.tournaments") };
}
