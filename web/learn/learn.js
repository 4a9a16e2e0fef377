// The rules, with boards to try them on.

import { el } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

export async function show(host) {
    host.append(el("h1", { text: t("app.learn") }));
    return { close() {}, title: t("app.learn") };
}
