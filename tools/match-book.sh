#!/bin/sh
# An engine with its book against itself without, so many nodes a move, from the positions the book
# leads to in three plies (Surakarta: four), each with both colours: from the start alone, against an
# engine without chance, a few games would be played over and over.
#   tools/match-book.sh surakarta|xiangqi [GAMES [NODES [BUILD [OUT]]]]     200, 2000, build/release, match-book
# Nodes, not time: the result does not depend on what else the computer does.
cd "$(dirname "$0")/.." || exit 1
game=${1:?surakarta or xiangqi}
games=${2:-200}
nodes=${3:-2000}
build=${4:-build/release}
out=${5:-match-book}
plies=3
[ "$game" = surakarta ] && plies=4
"$build/kraton" book lines "$game" --plies $plies >"$out.openings" || exit 1
exec "$build/kraton" match "$game" --engine "cmd=$build/kraton-$game,name=book,option.OwnBook=true" \
    --engine "cmd=$build/kraton-$game,name=none,option.OwnBook=false" --each "tc=nodes=$nodes" \
    --openings "$out.openings" --shuffle --seed 1 --rounds $((games / 2)) --move-limit 300 --out "$out"
