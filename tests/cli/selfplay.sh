# The engines' games against themselves, and the frozen opponent of Surakarta as a program.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")

for game in surakarta xiangqi; do
    engine=$build/kraton-$game
    lab=$build/kraton-lab
    for threads in 1 3; do
        "$engine" selfplay --games 8 --nodes 100 --seed 5 --threads $threads --out "$scratch/$game-$threads" \
            2>"$scratch/err" || wrong "$game selfplay"
    done
    cmp "$scratch/$game-1" "$scratch/$game-3" || wrong "$game selfplay: other games with three threads"
    "$lab" positions $game "$scratch/$game-1" >"$scratch/out" 2>"$scratch/err" && [ -s "$scratch/out" ] ||
        wrong "positions $game"
    awk -F ' ; ' '$3 > 2000 || $3 < -2000 { exit 1 }' "$scratch/out" || wrong "$game selfplay: a result for a score"
    shows 'positions' tune $game "$scratch/$game-1" --epochs 1 --hold-out 0
done

# Killed in the middle, with the last game cut off: going on makes the same file.
file=$scratch/resumed
has_games() { [ "$(wc -c <"$file" 2>/dev/null || echo 0)" -gt 1000 ]; }
"$build/kraton-lab-xiangqi" selfplay --games 8 --nodes 100 --seed 5 --threads 2 --out "$file" 2>"$scratch/err" &
pid=$!
comes_true has_games || wrong 'selfplay: no games'
kill -9 $pid
wait $pid 2>/dev/null
size=$(wc -c <"$file")
head -c $((size - 7)) "$scratch/xiangqi-1" >"$file"
"$build/kraton-lab-xiangqi" selfplay --resume --games 8 --nodes 100 --seed 5 --out "$file" 2>"$scratch/err" ||
    wrong 'selfplay --resume'
cmp "$file" "$scratch/xiangqi-1" || wrong 'selfplay --resume: another file'

# An interrupt leaves whole games and says how far it came.
"$build/kraton-lab-xiangqi" selfplay --games 100000 --nodes 100 --seed 5 --out "$scratch/long" 2>"$scratch/err" &
pid=$!
file=$scratch/long
comes_true has_games || wrong 'selfplay: no games'
kill -INT $pid
wait $pid
status=$?
[ $status -eq 0 ] && grep -q '/100000 games' "$scratch/err" || wrong 'selfplay interrupted'
"$lab" positions xiangqi "$file" --count >"$scratch/out" 2>"$scratch/err" && grep -q ' kept' "$scratch/out" ||
    wrong 'positions of an interrupted file'

# Openings are FENs.
"$build/kraton-surakarta" selfplay --openings 50 --games 3 --nodes 100 --out "$scratch/fens" 2>"$scratch/err" &&
    [ "$(wc -l <"$scratch/fens")" -eq 3 ] || wrong 'selfplay --openings'

refuses_to_play() {
    "$build/kraton-surakarta" selfplay "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "selfplay $*"
}
refuses_to_play
refuses_to_play --out
refuses_to_play --out "$scratch/none/file"
refuses_to_play --games none --out "$scratch/new"
refuses_to_play --frobnicate 3
refuses_to_play --threads 0 --out "$scratch/new"
refuses_to_play --tables "$scratch" --out "$scratch/new"
refuses_to_play --out "$scratch/surakarta-1"
grep -q 'is there already: --resume' "$scratch/err" || wrong 'selfplay: a file that is there'
refuses_to_play --resume --seed 6 --out "$scratch/surakarta-1"
grep -q "other settings" "$scratch/err" || wrong 'selfplay: other settings'
refuses_positions() {
    "$lab" positions "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "positions $*"
}
refuses_positions xiangqi "$scratch/none"
refuses_positions xiangqi "$scratch/surakarta-1"
refuses_positions xiangqi "$scratch/fens"
refuses_positions xiangqi "$scratch/xiangqi-1" --max-score much

# Programs for players come without the lab: then one line says what is missing.
mkdir "$scratch/alone"
cp "$kraton" "$build/kraton-surakarta" "$scratch/alone"
misses() {
    what=$1
    shift
    "$scratch/alone/$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    [ $? -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q "$what is not beside" "$scratch/err" ||
        wrong "$* without the lab"
}
misses kraton-lab-surakarta kraton-surakarta selfplay --out "$scratch/new"
misses kraton-lab-surakarta kraton-surakarta bench tables "$scratch"
misses kraton-lab kraton tune surakarta "$scratch/surakarta-1"
misses kraton-lab kraton bench rules
misses kraton-paper3 kraton-surakarta --player paper3

talk_with paper3
tell 'uci
position startpos
go depth 4'
hears '^bestmove'
end_talk
finish
