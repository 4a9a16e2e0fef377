#!/bin/sh
# What two threads are worth.
#   tools/threads.sh nps [GAME [ROUNDS [MS]]]      xiangqi, 10, 3000: nodes a second of one search with two threads against
#                                                  two searches of one thread side by side, in turns
#   tools/threads.sh match [GAME [GAMES [SECONDS [OUT]]]]   xiangqi, 400, 0.2, build/release/threads-GAME: two threads against
#                                                  one at the same time a move
#   tools/threads.sh split [GAME [GAMES [SECONDS [OUT]]]]   two threads that share the root (paper 3) against Lazy SMP
# Two cores and nothing else running: times count. BUILD=FOLDER takes the programs from elsewhere.
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build/release}
mode=$1
game=${2:-xiangqi}

# search THREADS OPENING: the nodes a second an engine ends with, thinking for $ms milliseconds.
search() {
    {
        printf 'uci\nsetoption name Hash value 64\nsetoption name Threads value %d\nposition fen %s\ngo movetime %d\n' \
            "$1" "$2" "$ms"
        sleep "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 + 0.3 }')"
    } | "$build/kraton-$game" | awk '/ nps / { for (i = 1; i < NF; i++) if ($i == "nps") nps = $(i + 1) } END { print nps }'
}

measure() {
    rounds=${1:-10}
    ms=${2:-3000}
    out=$(mktemp -d) || exit 1
    trap 'rm -rf "$out"' EXIT
    trap 'exit 1' INT TERM
    "$build/kraton-$game" selfplay --openings 60 --games "$rounds" --random 16 --seed 3 --out "$out/fens" 2>/dev/null || exit 1
    while read -r fen; do
        search 1 "$fen" >"$out/a" &
        search 1 "$fen" >"$out/b"
        wait
        echo "$(search 2 "$fen") $(cat "$out/a" "$out/b" | tr '\n' ' ')"
    done <"$out/fens" | awk '{ printf "%9d with two threads, %9d + %9d side by side: %.3f\n", $1, $2, $3, $1 / ($2 + $3) }' |
        tee "$out/rows"
    sed 's/.*: //' "$out/rows" | sort -n | awk '{ r[NR] = $1; sum += $1 } END {
        printf "ratio: median %.3f, mean %.3f, %.3f to %.3f, %d rounds\n", r[int((NR + 1) / 2)], sum / NR, r[1], r[NR], NR }'
}

# play NAME OPTIONS NAME OPTIONS GAMES SECONDS OUT
play() {
    out=${7:-$build/threads-$game-$1}
    openings=random
    [ "$game" = surakarta ] && openings=data/openings/surakarta-balanced.txt # random ones are decided too often
    "$build/kraton" match "$game" --engine "cmd=$build/kraton-$game,name=$1,$2" --engine "cmd=$build/kraton-$game,name=$3,$4" \
        --each "option.Hash=64,tc=st=${6:-0.2},margin=0.1" --rounds $((${5:-400} / 2)) --seed 7 --concurrency 1 --openings $openings \
        --resign score=1000,moves=4,both=1 --out "$out" --resume || exit 1
    awk -v us="$1" -f tools/score.awk "$out.json"
}

[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
case $mode in
nps) measure "$@" ;;
match) play two option.Threads=2 one option.Threads=1 "$@" ;;
split) play split option.Threads=2,option.Split=true lazy option.Threads=2 "$@" ;;
*) echo "usage: tools/threads.sh nps|match|split [GAME ...]" >&2 && exit 2 ;;
esac
