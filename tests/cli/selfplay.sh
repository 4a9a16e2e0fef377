# The engines' games against themselves, and the frozen opponent of Surakarta as a program.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$kraton")

for game in surakarta xiangqi; do
    engine=$build/kraton-$game
    for n in 1 2; do
        "$engine" selfplay --games 2 --nodes 100 --seed 5 --out "$scratch/$n" 2>"$scratch/err" ||
            wrong "$game selfplay"
    done
    [ -s "$scratch/1" ] && cmp "$scratch/1" "$scratch/2" || wrong "$game selfplay: not the same games"
    awk -F ' ; ' '$3 >= 28000 || $3 <= -28000 { exit 1 }' "$scratch/1" || wrong "$game selfplay: a result for a score"
    shows 'positions' tune $game "$scratch/1" --epochs 1 --hold-out 0
done

refuses_to_play() {
    "$build/kraton-surakarta" selfplay "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "selfplay $*"
}
refuses_to_play
refuses_to_play --out
refuses_to_play --out "$scratch/none/file"
refuses_to_play --games none --out "$scratch/1"
refuses_to_play --frobnicate 3

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
misses kraton-lab-surakarta kraton-surakarta selfplay --out "$scratch/1"
misses kraton-lab-surakarta kraton-surakarta bench tables "$scratch"
misses kraton-lab kraton tune surakarta "$scratch/1"
misses kraton-lab kraton bench rules
misses kraton-paper3 kraton-surakarta --player paper3

talk_with paper3
tell 'uci
position startpos
go depth 4'
hears '^bestmove'
end_talk
finish
