#!/bin/sh
# tools/check-game-names.py passes on the tree as it is, tells who names a game, and fails where too
# many do.
root=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

check() {
    python3 "$root/tools/check-game-names.py" "$@" >"$scratch/out" 2>&1
}

# write FILE TEXT
write() {
    mkdir -p "$scratch/$(dirname "$1")"
    printf '%s\n' "$2" >"$scratch/$1"
}

# lists FILE, lists_not FILE: whether it is counted.
lists() {
    grep -q "^    $1" "$scratch/out" || fail "$1 is not counted: $(cat "$scratch/out")"
}
lists_not() {
    ! grep -q "^    $1" "$scratch/out" || fail "$1 is counted: $(cat "$scratch/out")"
}

check "$root" || fail "the tree as it is: $(cat "$scratch/out")"

write src/rules/surakarta/moves.c 'int sk_moves; // of Surakarta'
write src/lab/paper.c 'if (text_is(name, "surakarta"))'
write src/base/text.c 'int task_count; // asks nobody'
write src/server/comment.c '// as in Xiangqi'
write src/server/prefix.c 'sk_move m;'
write src/server/constant.h 'enum { MOST = XQ_MAX_MOVES };'
write src/cli/compared.c 'if (text_is(text_of(rules_name(game)), "xiangqi"))'
write src/cli/protocol.c 'if (engine->dialect == DIALECT_UCI)'
write src/dialect/uci.c 'if (text_is(word, "uci"))'
write web/board/surakarta.js 'export const name = "surakarta";'
write web/play/game.js 'if (game === "surakarta") draw();'
write web/play/model.js 'export const games = [];'
check --list "$scratch" # whatever the limits are
for file in src/server/comment.c src/server/prefix.c src/server/constant.h src/cli/compared.c web/play/game.js \
    src/cli/compared.c:1 src/cli/protocol.c:1 web/play/game.js:1; do
    lists $file
done
for file in src/rules/surakarta src/lab src/base src/dialect web/board web/play/model.js; do
    lists_not $file
done

for i in $(seq 100); do
    write src/server/many$i.c '// xiangqi'
done
! check "$scratch" || fail 'nothing was found wrong with a hundred files'
grep -q 'too many C files' "$scratch/out" || fail "not told: $(cat "$scratch/out")"
exit $failed
