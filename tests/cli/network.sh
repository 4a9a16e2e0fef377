# From nothing to a network by tools/make-network.sh, with tiny numbers: self-play, training, match, the next generation;
# interrupted and taken up again it makes the same network.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")
export SOURCE_DATE_EPOCH=1800000000
make_network() { sh "$(dirname "$0")/../../tools/make-network.sh" "$@" >"$scratch/out" 2>"$scratch/err"; }

for game in surakarta xiangqi; do
    make_network $game "$scratch/$game" --tiny build="$build" || wrong "make-network $game"
    grep -q 'generation-2: network v hand-made: +' "$scratch/out" || wrong "make-network $game: no match"
    grep -aq '^network [0-9a-f]\{16\}$' "$scratch/$game/generation-2.games" || wrong "make-network $game: labels"
done

# Without its last steps the folder is completed, with the same network.
cp "$scratch/surakarta/generation-2.network" "$scratch/first"
rm "$scratch/surakarta/generation-2.network" "$scratch/surakarta/generation-2.result" "$scratch/surakarta"/generation-2-match*
size=$(wc -c <"$scratch/surakarta/generation-2.games")
head -c $((size - 9)) "$scratch/surakarta/generation-2.games" >"$scratch/cut" && mv "$scratch/cut" "$scratch/surakarta/generation-2.games"
make_network surakarta "$scratch/surakarta" --tiny build="$build" || wrong 'make-network: taken up again'
cmp "$scratch/first" "$scratch/surakarta/generation-2.network" || wrong 'make-network: another network'

refuses_to_make() {
    make_network "$@" && wrong "make-network $*"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "make-network $*"
}
refuses_to_make surakarta
refuses_to_make surakarta "$scratch/surakarta" build="$build"
refuses_to_make surakarta "$scratch/new" games=many build="$build"
refuses_to_make surakarta "$scratch/new" frobnicate=1
refuses_to_make chess "$scratch/new" build="$build"
refuses_to_make surakarta "$scratch/new" build="$scratch"
finish
