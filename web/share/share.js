// Giving a position or a game to others: a link, a picture, a board for another page, the record as a file.

import { el, toast, openDialog } from "../lib/dom.js";
import { addWords, t } from "../lib/i18n.js";
import { catalogue, writes } from "../lib/catalogue.js";
import { dataAddress, drawSvg, makePng } from "./picture.js";

addWords({
    en: {
        "share.title": "Share",
        "share.link": "Link",
        "share.embed": "For another page",
        "share.picture": "Picture",
        "share.record": "Record",
        "share.preview": "The board as a picture",
        "share.close": "Close",
        "share.failed": "This browser could not make the picture.",
    },
    zh: {
        "share.title": "分享",
        "share.link": "链接",
        "share.embed": "嵌入其他网页",
        "share.picture": "图片",
        "share.record": "棋谱",
        "share.preview": "棋盘图片",
        "share.close": "关闭",
        "share.failed": "浏览器无法生成图片。",
    },
});

function save(name, blob) {
    const address = URL.createObjectURL(blob);
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copy(words) {
    await navigator.clipboard?.writeText(words);
    toast(t("app.copied"));
}

function copied(label, name, value) {
    const input = el("input", { readonly: true, value, name, onfocus: (event) => event.target.select() });
    return el("label.field", t(label), el("div.row.tight", input, el("button", { type: "button", text: t("app.copy"), onclick: () => copy(value) })));
}

// what: {options (of Board), position, shown, link, embed (paths), name (of files), record (its address, without format)}
export async function openShare(what) {
    const { options, position, shown, link, embed, name, record } = what;
    const picture = drawSvg(options, position, shown);
    const savePng = async () => {
        try {
            save(`${name}.png`, await makePng(picture));
        } catch {
            toast(t("share.failed"), "error");
        }
    };
    const code = `<iframe src="${location.origin}${embed}" width="480" height="560" style="border:0" title="Kraton"></iframe>`;
    const formats = el("div.row");
    const dialog = el("dialog.share", { "aria-labelledby": "share-title" },
        el("div.stack",
            el("h2#share-title", { text: t("share.title") }),
            el("img.share-picture", { src: dataAddress(picture), alt: t("share.preview") }),
            el("div.row", el("strong", { text: t("share.picture") }),
                el("button", { type: "button", text: "PNG", onclick: savePng }),
                el("button", { type: "button", text: "SVG", onclick: () => save(`${name}.svg`, new Blob([picture], { type: "image/svg+xml" })) })),
            record && formats,
            copied("share.link", "link", location.origin + link),
            copied("share.embed", "embed", code),
            el("div.row.end", el("button.primary", { type: "button", text: t("share.close"), onclick: () => dialog.close() }))));
    dialog.addEventListener("close", () => dialog.remove());
    openDialog(dialog);
    if (!record) return;
    const entry = (await catalogue())(options.game);
    formats.append(el("strong", { text: t("share.record") }), ...["pgn", "xqf"].filter((format) => writes(entry, format)).map((format) =>
        el("a.button", { href: `${record}?format=${format}`, download: `${name}.${format}`, text: format.toUpperCase() })));
}
