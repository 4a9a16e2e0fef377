#!/bin/sh
# The Xiangqi engine on one thread against other programs, and what it scores: Debian's
# fairy-stockfish (400 games at 0.2 s a move), sjaakii (100 games at 0.1 s a move), hoixiangqi and
# maxqi (100 games each with 5 s for a whole game: they make nothing of less than a second a move).
# The reports say what everybody took.
# Openings are random and balanced, each with both colours; maxqi knows the start position only, so
# our engine plays from its book there. Games end by rule, or where an engine has called itself lost by
# 10 pawns for four moves; against fairy-stockfish by 7, and both must say so.
#   tools/match-others.sh [--out FOLDER] [OPPONENT [GAMES]]
cd "$(dirname "$0")/.." || exit 1
bin=build/release
out=$bin/match-others
if [ "$1" = --out ]; then
    out=$2
    shift 2
fi
mkdir -p "$out" || exit 1

# play NAME GAMES TIME ENGINE [OPTION...]
play() {
    name=$1 games=$2 time=$3 engine=$4 ours=
    [ $name = maxqi ] && ours=,option.OwnBook=true
    shift 4
    "$bin/kraton" match xiangqi --engine "cmd=$bin/kraton-xiangqi,name=kraton,option.Hash=64$ours" --engine "$engine,name=$name" \
        --each "tc=$time" --rounds $((games / 2)) --seed 2026 --out "$out/$name" --resume "$@" \
        >"$out/$name.report" 2>&1 || {
        tail -n 5 "$out/$name.report" >&2
        exit 1
    }
    grep -A2 ' ms a move ' "$out/$name.report"
    printf '%s: ' "$name"
    awk -v us=kraton -f tools/score.awk "$out/$name.json"
}
PATH=$PATH:/usr/games
for opponent in ${1:-fairy-stockfish hoixiangqi maxqi sjaakii}; do
    case $opponent in
    fairy-stockfish)
        play $opponent "${2:-400}" st=0.2,margin=0.1 "cmd=fairy-stockfish,option.Hash=64" --resign score=700,moves=4,both=1
        ;;
    hoixiangqi) play $opponent "${2:-100}" 5 "cmd=hoixiangqi --xboard" --resign score=1000,moves=4 ;;
    maxqi) play $opponent "${2:-100}" 5 "cmd=maxqi" --openings start --resign score=1000,moves=4 ;;
    sjaakii) play $opponent "${2:-100}" st=0.1,margin=1 "cmd=sjaakii,dialect=cecp" --resign score=1000,moves=4 ;;
    *) echo "$opponent: fairy-stockfish, hoixiangqi, maxqi or sjaakii" >&2 && exit 1 ;;
    esac
done
