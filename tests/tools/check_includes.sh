#!/bin/sh
# tools/check-includes.py passes on the tree as it is, and fails where an include against
# src/components.txt is planted in a copy.
root=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

check() {
    python3 "$root/tools/check-includes.py" "$@" "$scratch" >"$scratch/out" 2>&1
}

fresh_copy() {
    rm -rf "$scratch/src" "$scratch/web"
    cp -r "$root/src" "$root/web" "$root/ARCHITECTURE.md" "$scratch"
}

# refuses WORDS...: the check fails and its output holds each of the words.
refuses() {
    if check; then
        fail "nothing was found wrong with: $*"
    fi
    for word; do
        grep -qF -- "$word" "$scratch/out" || fail "'$word' is not in: $(cat "$scratch/out")"
    done
}

# plant FILE HEADER: adds an include as the first line.
plant() {
    fresh_copy
    first=$(head -n 1 "$scratch/src/$1")
    printf '#include "%s"\n' "$2" | cat - "$root/src/$1" >"$scratch/src/$1"
    [ "$(head -n 1 "$scratch/src/$1")" != "$first" ] || fail "planting in $1"
}

fresh_copy
check || fail "the tree: $(cat "$scratch/out")"
check --architecture || fail "ARCHITECTURE.md: $(cat "$scratch/out")"

# An include of a component that the table does not allow, in three places.
plant contest/stats.c store/store.h
refuses 'src/contest/stats.c:1:' 'contest may not include store'
plant rules/rules.c records/record.h
refuses 'src/rules/rules.c:1:' 'rules may not include records'
plant search/search.c server/server.h
refuses 'src/search/search.c:1:' 'search may not include server'

# A header of the system, and a platform's macro.
fresh_copy
echo '#include <pthread.h>' >>"$scratch/src/rules/rules.c"
refuses 'rules includes <pthread.h>'
fresh_copy
echo '#if defined(_WIN32)' >>"$scratch/src/rules/rules.c"
refuses 'rules tests _WIN32'

# A cycle between components.
fresh_copy
sed 's/^os  *:/os : cli/' "$root/src/components.txt" >"$scratch/src/components.txt"
refuses 'a cycle of components' 'cli'

# Four modules of one component that include each other.
fresh_copy
for pair in 'a b' 'b c' 'c d' 'd a'; do
    printf '#include "contest/%s.h"\n' "${pair#* }" >"$scratch/src/contest/${pair% *}.h"
done
refuses 'src/contest: 4 modules include each other'
rm "$scratch/src/contest/d.h"
echo '#include "contest/a.h"' >"$scratch/src/contest/c.h"
check || fail "three modules may include each other: $(cat "$scratch/out")"

# An exception that nobody needs, a folder without a line, a line without a folder.
fresh_copy
echo 'system rules' >>"$scratch/src/components.txt"
refuses 'no longer needed: system rules'
fresh_copy
mkdir "$scratch/src/another"
refuses 'src/another is missing'
rmdir "$scratch/src/another"
echo 'another : base' >>"$scratch/src/components.txt"
refuses 'src/another is no folder'

# The table in ARCHITECTURE.md.
fresh_copy
sed 's/^| `contest` \(.*\)| base |$/| `contest` \1| base, store |/' "$root/ARCHITECTURE.md" \
    >"$scratch/ARCHITECTURE.md"
check --architecture && fail "a wrong row passed"
grep -qF 'contest may include base' "$scratch/out" || fail "$(cat "$scratch/out")"
grep -v '^| `contest` ' "$root/ARCHITECTURE.md" >"$scratch/ARCHITECTURE.md"
check --architecture && fail "a missing row passed"
grep -qF 'no row for the component contest' "$scratch/out" || fail "$(cat "$scratch/out")"

# Its picture, and the functions it names.
sed 's/^| base  /| core  /' "$root/ARCHITECTURE.md" >"$scratch/ARCHITECTURE.md"
check --architecture && fail "a wrong picture passed"
grep -qF 'another picture' "$scratch/out" || fail "$(cat "$scratch/out")"
sed 's/`engine_hear()`/`engine_listen_to()`/' "$root/ARCHITECTURE.md" >"$scratch/ARCHITECTURE.md"
check --architecture && fail "a function that does not exist passed"
grep -qF 'no function engine_listen_to()' "$scratch/out" || fail "$(cat "$scratch/out")"

exit $failed
