# SPSA over the parameters of the search, tiny: the same state with one thread and two, and after an interruption.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")

for game in surakarta xiangqi; do
    tuner=$build/kraton-spsa-$game
    for threads in 1 2; do
        "$tuner" --out "$scratch/$game-$threads" --iterations 3 --nodes 100 --pairs 2 --rate 0.1 --threads $threads \
            >"$scratch/out" 2>"$scratch/err" || wrong "spsa $game"
    done
    cmp "$scratch/$game-1" "$scratch/$game-2" || wrong "spsa $game: another state with two threads"
    grep -q '^done 3$' "$scratch/$game-1" || wrong "spsa $game: not done"
    grep -q '^    PARAM_LMR_BASE = [0-9]*, // [0-9]* before$' "$scratch/out" || wrong "spsa $game: no values"
    grep -q 'TIME_' "$scratch/out" && wrong "spsa $game: time is tuned at fixed nodes"
done

# Interrupted and taken up again: the same state as without.
state=$scratch/interrupted
has_begun() { grep -q '^done [1-9]' "$state" 2>/dev/null; }
"$build/kraton-spsa-surakarta" --out "$state" --iterations 40 --nodes 200 --only 'LMR_*,NULL_EVAL' >"$scratch/out" \
    2>"$scratch/err" &
pid=$!
comes_true has_begun || wrong 'spsa: nothing written'
kill -INT $pid
wait $pid || wrong 'spsa: interrupted'
"$build/kraton-spsa-surakarta" --out "$state" --resume --nodes 200 >"$scratch/out" 2>"$scratch/err" || wrong 'spsa --resume'
"$build/kraton-spsa-surakarta" --out "$scratch/whole" --iterations 40 --nodes 200 --only 'LMR_*,NULL_EVAL' \
    >"$scratch/out" 2>"$scratch/err" || wrong 'spsa'
cmp "$state" "$scratch/whole" || wrong 'spsa --resume: another state'

refuses_to_tune() {
    "$build/kraton-spsa-surakarta" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "spsa $*"
}
refuses_to_tune
refuses_to_tune --out "$state"
refuses_to_tune --out "$scratch/none/file" --iterations 1
refuses_to_tune --out "$scratch/new" --only NO_SUCH_NAME
refuses_to_tune --out "$scratch/new" --nodes few
refuses_to_tune --out "$scratch/new" --network /no/such/file
refuses_to_tune --out "$scratch/out" --resume
finish
