#!/bin/sh
# An engine with its book against itself without, from the start position, so many nodes a move:
#   tools/match-book.sh surakarta|xiangqi [GAMES [NODES [BUILD [OUT]]]]     200, 5000, build/release, match-book
# Nodes, not time: the result does not depend on what else the computer does.
cd "$(dirname "$0")/.." || exit 1
game=${1:?surakarta or xiangqi}
games=${2:-200}
nodes=${3:-5000}
build=${4:-build/release}
out=${5:-match-book}
exec "$build/kraton" match "$game" --engine "cmd=$build/kraton-$game,name=book,option.OwnBook=true" \
    --engine "cmd=$build/kraton-$game,name=none,option.OwnBook=false" --each "tc=nodes=$nodes" \
    --openings start --rounds $((games / 2)) --move-limit 300 --out "$out"
