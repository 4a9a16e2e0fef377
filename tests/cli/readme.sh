# Every example of the README prints what the README says, but for the seconds of perft; the Chinese
# one has the same examples.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir "$scratch/bin"
ln -s "$(cd "$(dirname "$kraton")" && pwd)/${kraton##*/}" "$scratch/bin/kraton"
PATH=$scratch/bin:$PATH
LC_ALL=C.UTF-8

# the commands of the console blocks, and all that the blocks hold
examples() {
    awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' "$1"
}
examples "$root/README.md" >"$scratch/expected"
examples "$root/README.zh.md" | diff -u "$scratch/expected" - || failures=1
grep '^\$ ' "$scratch/expected" | sed 's/^..//' >"$scratch/commands"
cd "$scratch" || exit 1
while IFS= read -r line; do
    printf '$ %s\n' "$line"
    sh -c "$line" 2>&1 </dev/null
done <"$scratch/commands" >"$scratch/printed"
without_seconds() {
    sed -E 's/^([0-9]+ [0-9]+ [0-9]+) [0-9]+\.[0-9]+$/\1 SECONDS/' "$1"
}
without_seconds "$scratch/expected" >"$scratch/expected.plain"
without_seconds "$scratch/printed" >"$scratch/printed.plain"
[ "$(wc -l <"$scratch/commands")" -ge 9 ] || failures=1
diff -u "$scratch/expected.plain" "$scratch/printed.plain" || failures=1
finish
