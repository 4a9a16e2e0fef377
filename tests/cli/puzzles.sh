# Puzzles made from games of self-play and from endgame tables.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")

"$kraton" tb build --pieces 5 --rules count --dir "$scratch/tables" --threads 1 >"$scratch/out" 2>"$scratch/err" || wrong 'tb build'
for game in surakarta xiangqi; do
    engine=$build/kraton-$game
    [ $game = surakarta ] && tables="--tables $scratch/tables" || tables=
    # Games of few nodes have mistakes to punish.
    "$engine" selfplay --games 60 --nodes 200 --random 20 --balance 3000 --seed 3 --out "$scratch/$game.games" \
        2>"$scratch/err" || wrong "$game selfplay"
    for run in 1 2; do
        "$engine" puzzles "$scratch/$game.games" $tables --count 2 --nodes 4000 --out "$scratch/$game-$run" \
            >"$scratch/out" 2>"$scratch/err" || wrong "$game puzzles"
    done
    for run in 1 2; do grep -v '^#' "$scratch/$game-$run" >"$scratch/lines-$run"; done
    cmp "$scratch/lines-1" "$scratch/lines-2" || wrong "$game puzzles: another file the second time"
    [ "$(grep -vc '^#' "$scratch/$game-1")" -eq 2 ] || wrong "$game puzzles: two lines"
    grep -q "^# kraton-$game puzzles .*--count 2" "$scratch/$game-1" || wrong "$game puzzles: the command that made them"

    # Every line is legal, numbered, ends with the solver, and a mate is one.
    grep -v '^#' "$scratch/$game-1" >"$scratch/lines"
    due=1
    while IFS='|' read -r number kind rating fen moves; do
        [ "$number" -eq $due ] && [ "$rating" -ge 600 ] && [ "$rating" -le 2400 ] || wrong "$game puzzle $due: $number $rating"
        due=$((due + 1))
        set -- $moves
        [ $(($# % 2)) -eq 1 ] || wrong "$game puzzle $number: the last move is not the solver's"
        run judge $game --fen "$(echo $fen)" "$@"
        [ $status -eq 0 ] || wrong "$game puzzle $number"
        [ $kind != mate ] || grep -q '^result: .* wins' "$scratch/out" || wrong "$game puzzle $number is no mate"
    done <"$scratch/lines"
done

# Those of the tables: the first move alone keeps the value.
"$build/kraton-surakarta" puzzles --tables "$scratch/tables" --count 6 --nodes 1000 --seed 2 --out "$scratch/endgames" \
    >"$scratch/out" 2>"$scratch/err" || wrong 'puzzles of tables alone'
grep -v '^#' "$scratch/endgames" >"$scratch/lines"
while IFS='|' read -r number kind rating fen moves; do
    run tb probe --dir "$scratch/tables" --rules count "$(echo $fen)"
    set -- $moves
    [ $status -eq 0 ] && grep -q -- "$1" "$scratch/out" || wrong "tb probe $fen"
    case $(echo $kind) in draw | win | loop | tactic) ;; *) wrong "a puzzle of the tables is a $kind" ;; esac
done <"$scratch/lines"

refuses_to_make() {
    "$build/kraton-xiangqi" puzzles "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(grep -c . "$scratch/err")" -le 2 ] || wrong "puzzles $*"
}
refuses_to_make
refuses_to_make --out "$scratch/new"
refuses_to_make "$scratch/xiangqi.games"
refuses_to_make "$scratch/surakarta.games" --out "$scratch/new"
refuses_to_make "$scratch/none" --out "$scratch/new"
refuses_to_make "$scratch/xiangqi.games" --out "$scratch/none/file"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "puzzles: the file is tried first"
refuses_to_make "$scratch/xiangqi.games" --count none --out "$scratch/new"
refuses_to_make "$scratch/xiangqi.games" --frobnicate --out "$scratch/new"
refuses_to_make "$scratch/xiangqi.games" --count 90000 --nodes 100 --out "$scratch/few"
grep -q 'only .* puzzles' "$scratch/err" || wrong 'too few puzzles'
finish
