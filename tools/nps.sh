#!/bin/sh
# Nodes a second and the time to depths 10, 11 and 12 of both engines on one thread, over the positions of the
# signature from an empty table: rows for docs/results.md, the median of some rounds with the least and the most.
# Beside Xiangqi stands what paper 5 reports on an Opteron 275 (table 2-7, with dirnext).
#   tools/nps.sh [ROUNDS [BUILD]]        5, build/release
# Nothing else should be running: times count. Rounds take turns, so that what changes with time hits all alike.
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-5}
build=${2:-build/release}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM
round=0
while [ $((round += 1)) -le "$rounds" ]; do
    for game in surakarta xiangqi; do
        for depth in 10 11 12; do
            "$build/kraton-$game" bench $depth >>"$out/$game.$depth" || exit 1
        done
    done
done

# Of lines "N nodes, T s, R nodes/s, P positions": the median seconds a position and the median rate, each with its range.
summary() {
    sort -t, -k2 -n "$1" | awk -F '[ ,]+' -v paper="$2" '
        { time[NR] = $3 / $7; rate[NR] = $5 / 1e6; nodes = $1 / $7 }
        END {
            m = int((NR + 1) / 2)
            printf " %d | %.3f (%.3f to %.3f) | %.2f (%.2f to %.2f) | %s |\n", nodes, time[m], time[1], time[NR],
                rate[m], rate[NR], rate[1], paper
        }'
}
echo '| game | depth | nodes a position | seconds a position | million nodes/s | paper 5, seconds |'
echo '|---|---|---|---|---|---|'
for game in surakarta xiangqi; do
    for depth in 10 11 12; do
        paper=-
        [ $game = xiangqi ] && case $depth in 10) paper=8.62 ;; 11) paper=17.56 ;; 12) paper=34.12 ;; esac
        printf '| %s | %d |' $game $depth
        summary "$out/$game.$depth" $paper
    done
done
