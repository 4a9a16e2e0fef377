#!/bin/sh
# Makes a book that comes with the program anew, out of our own engine's opinions: the same engine
# makes the same book.
#   tools/grow-book.sh surakarta|xiangqi [OUT [BUILD]]      data/books/GAME.book, build/release
# Xiangqi's has the openings of data/openings, of which what the engine finds unsound stays in the
# book without weight. Surakarta's grows from the start position alone; then the engine plays itself
# from every position on the way into it, and what the moves scored joins them. What it printed is in
# docs/results.md. Some minutes. To be run again when the evaluation has changed much.
cd "$(dirname "$0")/.." || exit 1
game=$1
out=${2:-data/books/$game.book}
build=${3:-build/release}
kraton=$build/kraton
if [ "$game" = xiangqi ]; then
    exec "$kraton" book grow --game xiangqi --out "$out" --positions 1150 --plies 24 --margin 50 --nodes 200000 --lines 6 \
        --from data/openings/xiangqi.txt
elif [ "$game" != surakarta ]; then
    echo "usage: tools/grow-book.sh surakarta|xiangqi [OUT [BUILD]]" >&2
    exit 2
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
"$kraton" book grow --game surakarta --out "$scratch/grown.book" --positions 500 --plies 30 --margin 25 --nodes 100000 --lines 5 || exit 1
for plies in 2 4 6 8 10 12; do
    "$kraton" book lines "$scratch/grown.book" --plies $plies || exit 1
done >"$scratch/openings"
# The same program on both sides, without chance: a position needs one game. Its games from positions of one line are often the same
# game, so that moves of few games say little.
"$kraton" match surakarta --quiet --games 1 --rounds "$(wc -l <"$scratch/openings")" --openings "$scratch/openings" \
    --each "cmd=$build/kraton-surakarta,tc=nodes=4000" --engine name=one --engine name=two --out "$scratch/games" || exit 1
"$kraton" book build --game surakarta --from "$scratch/games.json" --plies 6 --min-games 8 --out "$scratch/games.book" &&
    "$kraton" book merge "$scratch/grown.book" "$scratch/games.book" --out "$out"
