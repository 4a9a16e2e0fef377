#!/bin/sh
# The engine against the frozen opponent in the spirit of paper 3 (games/surakarta/paper3): measures
# the time that opponent needs for a move at its depth of 8 plies, gives the engine a tenth of it a
# move, plays from the balanced openings of data/openings/surakarta-balanced.txt, each with both
# colours, and prints the score with its 95 % interval.
#   tools/match-paper3.sh [GAMES [BUILD [OUT]]]        400, build/release, BUILD/match-paper3
# OPPONENT=kraton-paper3-table takes the one with a transposition table, MEASURE=N measures the time
# over N pairs of games instead of 10. Nothing else should be running: the times count.
cd "$(dirname "$0")/.." || exit 1
games=${1:-400}
build=${2:-build/release}
out=${3:-$build/match-paper3}
opponent=${OPPONENT:-kraton-paper3}
kraton=$build/kraton

# Everybody's times of a run's moves, averaged, in microseconds.
average_time() {
    grep -o '"time":[0-9]*' "$1" | awk -F: '{ sum += $2 } END { printf "%d", NR ? sum / NR : 0 }'
}

for ending in json journal pgn; do
    rm -f "$out.$ending" "$out.measure.$ending" || exit 1
done
"$kraton" match surakarta --engine "cmd=$build/$opponent,name=a" --engine "cmd=$build/$opponent,name=b" \
    --each tc=depth=8 --rounds ${MEASURE:-10} --seed 3 --out "$out.measure" >/dev/null || exit 1
average=$(average_time "$out.measure.json")
[ "$average" -gt 0 ] || exit 1
ours=$(awk -v us="$average" 'BEGIN { printf "%.3f", us / 10 / 1000000 }')
# Nothing is kept back from it for the way to the manager: the table at the end shows what it used.
echo "the opponent takes $average us a move; the engine gets $ours s"

"$kraton" match surakarta --engine "cmd=$build/kraton-surakarta,name=kraton,tc=st=$ours,margin=1,option.Move Overhead=0" \
    --engine "cmd=$build/$opponent,name=paper3,tc=depth=8" --rounds $((games / 2)) \
    --openings data/openings/surakarta-balanced.txt --out "$out" || exit 1

awk -v us=kraton -f tools/score.awk "$out.json"
