#!/bin/sh
# What a heuristic of the search is worth: builds the engine without it (src/search/worker.h names them all) and
# plays it against the whole one, so many nodes a move, from balanced openings with both colours. Adds a row to a table.
#   tools/ablate.sh list                                  the names
#   tools/ablate.sh GAME NAME [GAMES [NODES [TABLE]]]     800, 5000, build/ablate/table.md; NAME all: one after the other
# A match ends early where a sequential test (-10 against +10 Elo) has decided it; GAMES is the most it may take.
# Nodes, not time, so neither the machine nor its load matters; and so it measures what a heuristic makes of a node, not
# what it costs in time. At so few nodes it favours what pays in shallow trees: what prunes or reduces pays more as they
# grow. Elo is that of the engine with the heuristic.
cd "$(dirname "$0")/.." || exit 1
header=src/search/worker.h
names=$(sed -n 's/^ *HEURISTIC_\([A-Z_]*\),.*/\1/p' $header | grep -v '^NONE$' | tr '[:upper:]' '[:lower:]')
if [ "$1" = list ]; then
    echo "$names"
    exit
fi
game=${1:?surakarta or xiangqi, or list}
name=$(echo "${2:?the heuristic to leave out, or all}" | tr '[:upper:]' '[:lower:]')
games=${3:-800}
nodes=${4:-5000}
folder=build/ablate
table=${5:-$folder/table.md}
mkdir -p $folder || exit 1
if [ "$name" = all ]; then
    for each in $names; do
        "$0" "$game" "$each" "$games" "$nodes" "$table" || exit 1
    done
    exit
fi
echo "$names" | grep -qx -e "$name" || {
    echo "no heuristic $name; $0 list names them" >&2
    exit 1
}

# The program for whose search the names in $1 are left out; the folder is shared, so one after the other.
build() {
    cmake -S . -B $folder -G Ninja -DCMAKE_BUILD_TYPE=Release -DKRATON_ABLATE="$1" >$folder/build.log &&
        cmake --build $folder -j1 --target kraton "kraton-$game" "kraton-lab-$game" >>$folder/build.log || {
        tail -n 20 $folder/build.log >&2
        exit 1
    }
}

build NONE
cp "$folder/kraton-$game" "$folder/with-$game" && cp "$folder/kraton-lab-$game" "$folder/lab-$game" || exit 1
build "$(echo "$name" | tr '[:lower:]' '[:upper:]')"
cp "$folder/kraton-$game" "$folder/without-$game-$name" || exit 1
signature() { "$1" bench | sed 's/ nodes.*//'; }
if [ "$(signature "$folder/with-$game")" = "$(signature "$folder/without-$game-$name")" ]; then
    echo "$name makes no difference in $game" >&2
    exit
fi
openings=$folder/$game-openings.txt
[ -s "$openings" ] || "$folder/lab-$game" selfplay --openings 60 --games 500 --random 10 --nodes 3000 --seed 9 \
    --out "$openings" 2>/dev/null || exit 1

out=$folder/$game-$name-$nodes
rm -f "$out.journal" "$out.json" "$out.pgn"
"$folder/kraton" match "$game" --quiet --engine "cmd=$folder/with-$game,name=with" \
    --engine "cmd=$folder/without-$game-$name,name=without" --each "tc=nodes=$nodes" --rounds $((games / 2)) \
    --sprt elo0=-10,elo1=10 \
    --openings "$openings" --seed 1 --move-limit 200 --resign score=1000,moves=4,both=1 --out "$out" >"$out.report" 2>&1 || {
    cat "$out.report" >&2
    exit 1
}
[ -s "$table" ] || printf '| heuristic | game | nodes a move | games | with it | Elo (95 %%) |\n|---|---|---|---|---|---|\n' >"$table"
row=$(sed -n "s/^with v without: +\([0-9]*\) =\([0-9]*\) -\([0-9]*\), Elo \([^,]*\),.*/\1 \2 \3 \4/p" "$out.report" | tail -n 1 |
    while read -r won drawn lost elo; do
        echo "| $name | $game | $nodes | $((won + drawn + lost)) | +$won =$drawn -$lost | $elo |"
    done | tr _ ' ')
[ -n "$row" ] && echo "$row" | tee -a "$table"
