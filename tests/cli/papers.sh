# The papers' players as engines: in the engines' place, and at the board.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")

# answers NAME LINES ARGUMENT...: that engine's answer to those lines
answers() {
    engine=$1 lines=$2
    shift 2
    printf "$lines" | "$build/$engine" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
}

# paper 4's book, on both wings; its search
answers kraton-xiangqi 'uci\nposition startpos moves h2e2\ngo\n' --player paper4
grep -q '^id name Kraton paper4' "$scratch/out" && grep -q '^bestmove h7e7' "$scratch/out" || wrong kraton-xiangqi --player paper4
answers kraton-xiangqi 'ucci\nposition startpos moves b2e2\ngo time 1\n' --player paper4
grep -q '^bestmove b7e7' "$scratch/out" || wrong kraton-xiangqi --player paper4, the other wing
answers kraton-xiangqi 'uci\nposition fen 4k4/9/R8/1R6p/9/9/9/9/9/3K5 w - - 0 1\ngo\n' --player paper4 --depth 4
grep -q '^info depth 4 .*score mate 2 ' "$scratch/out" || wrong kraton-xiangqi --player paper4 --depth 4
answers kraton-paper4 'uci\nposition startpos moves e3e4\ngo infinite\nstop\n'
grep -q '^bestmove ' "$scratch/out" || wrong kraton-paper4, stopped
answers kraton-surakarta 'uci\nposition startpos\ngo depth 4\n' --player paper3
grep -q '^id name Kraton paper3' "$scratch/out" && grep -q '^bestmove ' "$scratch/out" || wrong kraton-surakarta --player paper3

# no such player
for name in nobody ../kraton ''; do
    answers kraton-xiangqi '' --player "$name"
    [ $status -ne 0 ] && [ ! -s "$scratch/out" ] && grep -q 'no player' "$scratch/err" || wrong kraton-xiangqi --player "$name"
done
answers kraton-xiangqi '' --player
[ $status -ne 0 ] && grep -q 'missing' "$scratch/err" || wrong kraton-xiangqi --player
answers kraton-xiangqi '' --depth none
[ $status -ne 0 ] && grep -q 'no depth' "$scratch/err" || wrong kraton-xiangqi --depth none

# it does not lose to somebody who moves at random
run match xiangqi --engine "cmd=$build/kraton-xiangqi --player paper4 --depth 3,name=paper4" \
    --engine "cmd=$build/kraton-stub,name=stub" --each tc=depth=3 --rounds 2 --seed 2 --out "$scratch/run"
grep -qE '1 +paper4 +[0-9.]+ +4 +[0-9]+ +[0-9]+ +0 ' "$scratch/out" || wrong match: paper4 and a random mover
finish
