#!/bin/sh
# The ladder of levels: each level plays the one below it, and must win. Levels are limits of depth
# and nodes, so the result does not depend on the machine or its load.
#   tools/ladder.sh [GAME [GAMES [FROM [TO]]]]     both games, 100 games a pair, levels 1 to 10
# BUILD=FOLDER takes the programs from elsewhere.
cd "$(dirname "$0")/.." || exit 1
bin=${BUILD:-build/release}
games=${2:-100}
from=${3:-1}
to=${4:-10}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM
status=0
for game in ${1:-surakarta xiangqi}; do
    printf '%s\n' "$game"
    level=$((from + 1))
    while [ "$level" -le "$to" ]; do
        below=$((level - 1))
        rm -rf "$out"/*
        "$bin/kraton" match "$game" --quiet --rounds $((games / 2)) --out "$out/ladder" --seed 1 \
            --each tc=depth=100 --engine "cmd=$bin/kraton-$game,name=upper,option.Level=$level,option.Seed=1" \
            --engine "cmd=$bin/kraton-$game,name=lower,option.Level=$below,option.Seed=2" >"$out/report" 2>&1 || {
            cat "$out/report" >&2
            exit 1
        }
        line=$(grep -E '^ +[0-9]+ +upper ' "$out/report")
        printf '  level %2d against %2d: %s\n' "$level" "$below" "$(echo "$line" | sed 's/^ *[0-9]* *upper *//')"
        points=$(echo "$line" | awk '{ print $3 }')
        awk -v p="$points" -v n="$games" 'BEGIN { exit !(p * 2 > n) }' || status=1
        level=$((level + 1))
    done
done
[ $status -eq 0 ] || echo 'the ladder is not monotone' >&2
exit $status
