#!/bin/sh
# The whole way from nothing to a network, and a match of it against the hand-made evaluation at equal nodes:
# self-play, training (kraton-lab train), match; then the next generation, whose games the network has labelled.
#   tools/make-network.sh GAME FOLDER [NAME=VALUE...]
# Runs again from where it was interrupted. Surakarta with these numbers takes about an hour on two idle cores.
#
#   generations=1      how often
#   games=20000        of self-play a generation        nodes=2500      a move of self-play
#   random=16          random moves of an opening       threads=2       games at a time
#   width=64           of the network                   outputs=8       buckets by material
#   kings=1            king buckets (Xiangqi: 1 or 6)   epochs=15
#   blend=0.1          share of the result in the target
#   pairs=150          openings of the match, each played with both colours; match_nodes=5000 a move
#   tables=FOLDER      endgame tables for self-play (Surakarta)
#   build=build/release
# --tiny after the folder stands for numbers with which it takes seconds; the network is worth nothing then.
generations=1 games=20000 nodes=2500 random=16 threads=2 width=64 outputs=8 kings=1 epochs=15 blend=0.1 pairs=150
match_nodes=5000 tables= build=$(dirname "$0")/../build/release
fail() {
    echo "make-network.sh: $*" >&2
    exit 1
}
[ $# -ge 2 ] || fail 'usage: tools/make-network.sh GAME FOLDER [--tiny] [NAME=VALUE...]'
game=$1 folder=$2
shift 2
for setting; do
    case $setting in
    --tiny) generations=2 games=16 nodes=100 random=10 width=32 outputs=2 epochs=2 pairs=2 match_nodes=100 ;;
    generations=* | games=* | nodes=* | random=* | threads=* | width=* | outputs=* | kings=* | epochs=* | pairs=* | match_nodes=*)
        case ${setting#*=} in '' | *[!0-9]*) fail "not a number: $setting" ;; esac
        eval "${setting%%=*}=\${setting#*=}"
        ;;
    blend=* | tables=* | build=*) eval "${setting%%=*}=\${setting#*=}" ;;
    *) fail "no such setting: $setting" ;;
    esac
done
build=$(cd "$build" 2>/dev/null && pwd) || fail "no build in $build: cmake --build --preset release"
lab=$build/kraton-lab player=$build/kraton-lab-$game
[ -x "$player" ] && [ -x "$lab" ] && [ -x "$build/kraton" ] || fail "no kraton-lab-$game in $build: cmake --build --preset release"
mkdir -p "$folder" && cd "$folder" || exit 1

# What was begun with other numbers would be mixed up with these.
settings="game=$game games=$games nodes=$nodes random=$random width=$width outputs=$outputs kings=$kings epochs=$epochs blend=$blend pairs=$pairs match_nodes=$match_nodes tables=$tables"
if [ -e settings ] && [ "$(cat settings)" != "$settings" ]; then
    fail "$folder was begun with other numbers: $(cat settings)"
fi
echo "$settings" >settings

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }

# The openings of the match: random ones in which a search sees neither side ahead.
if [ ! -s openings ]; then
    rm -f openings.new
    "$player" selfplay --openings 40 --games "$pairs" --random "$random" --nodes "$match_nodes" --seed 1000 --network none \
        --out openings.new 2>openings.log && mv openings.new openings || fail "openings: $(tail -n 1 openings.log)"
fi

label=none generation=0
while [ $((generation += 1)) -le "$generations" ]; do
    name=generation-$generation
    if [ ! -s $name.network ]; then
        say "$name: $games games of self-play with $nodes nodes a move, evaluation $label"
        "$player" selfplay --out $name.games $([ -e $name.games ] && echo --resume) --games "$games" --nodes "$nodes" \
            --threads "$threads" --random "$random" --balance 200 --draw-plies 40 --draw-after 120 --seed "$generation" \
            --network "$label" ${tables:+--tables "$tables"} || fail "self-play of $name"
        # A run that was interrupted stops here: its games are not all there.
        "$lab" positions "$game" $name.games --count >$name.count || fail "positions of $name"
        [ "$(cut -d ' ' -f 1 $name.count)" -ge "$games" ] || fail "interrupted after $(cat $name.count): run it again"
        say "$name: $(cat $name.count)"
        files= n=0
        while [ $((n += 1)) -le $generation ]; do files="$files generation-$n.games"; done
        # Where no epoch helps there is nothing to go on with: better too much data than too little.
        "$lab" train "$game" $files --width "$width" --king-buckets "$kings" --output-buckets "$outputs" --epochs "$epochs" \
            --blend "$blend" $([ "$games" -lt 100 ] && echo --hold-out 0) --out $name.new >$name.training ||
            fail "training of $name: see $folder/$name.training"
        mv $name.new $name.network
        say "$name: $(tail -n 2 $name.training | head -n 1)"
    fi
    label=$name.network
    if [ ! -s $name.result ]; then
        "$build/kraton" match "$game" --engine "cmd=$build/kraton-$game,name=network,option.EvalFile=$PWD/$label" \
            --engine "cmd=$build/kraton-$game,name=hand-made,option.EvalFile=none" --each "nodes=$match_nodes,option.Hash=8" \
            --openings openings --rounds "$(wc -l <openings)" --resign score=1500,moves=3 --quiet --concurrency "$threads" \
            --out $name-match $([ -e $name-match.journal ] && echo --resume) >$name.match || fail "match of $name: see $folder/$name.match"
        grep '^network v hand-made' $name.match | tail -n 1 >$name.result
    fi
    say "$name: $(cat $name.result)"
done
say "the network is $folder/$label"
