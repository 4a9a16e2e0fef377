#!/bin/sh
# tools/make-page.py: modules joined into files run as they do one by one; what it cannot join is
# refused with the file's name. Takes node; without it only the refusals are tried.
root=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

write() {
    mkdir -p "$scratch/web/$(dirname "$1")"
    cat >"$scratch/web/$1"
}

make() {
    python3 "$root/tools/make-page.py" "$scratch/web" "$scratch/out" >"$scratch/told" 2>&1
}

# refuses WORDS: the page is not made, in one line that holds the words.
refuses() {
    make && fail "made: $1"
    [ "$(wc -l <"$scratch/told")" = 1 ] || fail "not one line: $(cat "$scratch/told")"
    grep -qF -- "$1" "$scratch/told" || fail "'$1' is not in: $(cat "$scratch/told")"
}

page() {
    rm -rf "$scratch/web" "$scratch/out"
    printf '# a list\ncore - app.js\nview /view view.js\n' | write bundles.txt
    echo '<script src="/theme.js" data-places="[]"></script><script type="module" src="/app.js"></script>' | write index.html
    echo '<script type="module" src="/embed/embed.js"></script>' | write embed.html
    echo 'import "../lib/count.js";' | write embed/embed.js
    write lib/count.js <<'JS'
// What both use: it must be made once.
let n = 0;
export const next = () => ++n;
export class Thing {}
export default "by default";
JS
    write app.js <<'JS'
import word, { next as count } from "./lib/count.js";
globalThis.told = [word, count()];
import("./view.js").then(async (view) => globalThis.told.push(await view.show()));
JS
    write view.js <<'JS'
import * as all from "./lib/count.js";
export { Thing } from "./lib/count.js";
export const where = new URL("view.css", import.meta.url).pathname;
const later = await Promise.resolve("later");
useStyle("/view.css", null);
export async function show() {
    return [all.next(), later, (await import("./far/far.js")).far];
}
function useStyle() {}
JS
    echo 'export const far = "far";' | write far/far.js
    echo 'a { color: red }' | write view.css
}

page
make || fail "not made: $(cat "$scratch/told")"
for file in bundle/core.js bundle/view.js bundle/far-far.js bundle/embed.js view.css; do
    [ -f "$scratch/out/$file" ] || fail "no $file"
done
[ -e "$scratch/out/app.js" ] && fail "a module is there twice"
grep -qF '["/view",["/bundle/view.js","/view.css"]]' "$scratch/out/index.html" || fail "hints: $(cat "$scratch/out/index.html")"
if command -v node >/dev/null; then
    echo '{"type": "module"}' >"$scratch/out/package.json"
    told=$(cd "$scratch/out" && node -e 'import("./bundle/core.js");
        const look = () => globalThis.told?.length === 3 ? console.log(JSON.stringify(told)) : setTimeout(look, 5);
        look();')
    [ "$told" = '["by default",1,[2,"later","far"]]' ] || fail "they run otherwise: $told"
fi

page
echo 'import { next } from "./lib/cuont.js";' | write view.js
refuses "view.js imports ./lib/cuont.js, which is not there"
page
echo 'export * from "./lib/count.js";' | write view.js
refuses 'view.js has a form of import or export that is not known: export *'
page
echo 'import "./other.js";' | write view.js
echo 'import "./view.js";' | write other.js
refuses "in a circle: view.js other.js view.js"
page
echo 'gone /gone gone.js' >>"$scratch/web/bundles.txt"
refuses "bundles.txt: no file is called gone.js"
exit $failed
