#!/bin/sh
# Makes a book that comes with the program anew, out of our own engine's opinions: the same engine
# makes the same book.
#   tools/grow-book.sh surakarta|xiangqi [OUT [BUILD]]      data/books/GAME.book, build/release
# Surakarta's grows from the start position alone; Xiangqi's has the openings of data/openings, of
# which what the engine finds unsound stays in the book without weight. What it printed is in
# docs/results.md. Some minutes. To be run again when the evaluation has changed much.
cd "$(dirname "$0")/.." || exit 1
game=$1
out=${2:-data/books/$game.book}
kraton=${3:-build/release}/kraton
case $game in
surakarta) set -- --positions 500 --plies 30 --margin 25 --nodes 100000 --lines 5 ;;
xiangqi) set -- --positions 1150 --plies 24 --margin 50 --nodes 200000 --lines 6 --from data/openings/xiangqi.txt ;;
*)
    echo "usage: tools/grow-book.sh surakarta|xiangqi [OUT [BUILD]]" >&2
    exit 2
    ;;
esac
exec "$kraton" book grow --game "$game" --out "$out" "$@"
