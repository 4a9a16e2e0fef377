#!/bin/sh
# The engine against the frozen opponent in the spirit of paper 3 (lab/papers/paper3): measures
# the time that opponent needs for a move at its depth of 8 plies in games against the engine, gives
# the engine a tenth of it a move, plays from the balanced openings of
# data/openings/surakarta-balanced.txt, each with both colours, and prints the score with its 95 %
# interval. The table before it says what both used in the match itself.
#   tools/match-paper3.sh [GAMES [BUILD [OUT]]]        400, build/release, BUILD/match-paper3
# OPPONENT=kraton-paper3-table takes the one with a transposition table, MEASURE=N measures the time
# over N pairs of games instead of 20. Nothing else should be running: the times count.
cd "$(dirname "$0")/.." || exit 1
games=${1:-400}
build=${2:-build/release}
out=${3:-$build/match-paper3}
opponent=${OPPONENT:-kraton-paper3}

# play SECONDS GAMES OUT: of its time the engine keeps a millisecond for its way to the manager.
play() {
    rm -f "$3.json" "$3.journal" "$3.pgn" || exit 1
    "$build/kraton" match surakarta \
        --engine "cmd=$build/kraton-surakarta,name=kraton,tc=st=$1,margin=1,option.Move Overhead=1" \
        --engine "cmd=$build/$opponent,name=paper3,tc=depth=8" --rounds $(($2 / 2)) \
        --openings data/openings/surakarta-balanced.txt --out "$3" || exit 1
}

# The milliseconds paper3 took for a move on average, out of a report's second table.
play 0.02 $((2 * ${MEASURE:-20})) "$out.measure" >"$out.measure.report"
average=$(awk '$1 == "paper3" && $2 ~ /:/ { print $3 }' "$out.measure.report")
ours=$(awk -v ms="$average" 'BEGIN { printf "%.3f", int(ms / 10) / 1000 }')
echo "the opponent takes $average ms a move; the engine gets $ours s"
play "$ours" "$games" "$out"
awk -v us=kraton -f tools/score.awk "$out.json"
