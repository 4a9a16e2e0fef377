#!/bin/sh
# Nobody's flag may fall: 1,000 games at 1+0.01 and 50 at 10+0.1, an engine against itself, two games
# at a time (CONCURRENCY=1: one). With --load both cores are kept busy by others meanwhile. Fails
# where a game is lost on time, by an illegal move or by a fault of an engine.
#   tools/flag-test.sh [--load] [--out FOLDER] [GAME [GAMES_SHORT [GAMES_LONG]]]
cd "$(dirname "$0")/.." || exit 1
bin=build/release
load= keep=
while :; do
    case $1 in
    --load) load=1 && shift ;;
    --out) keep=$2 && shift 2 ;;
    *) break ;;
    esac
done
out=${keep:-$(mktemp -d)} || exit 1
mkdir -p "$out"
busy=
clean_up() {
    for pid in $busy; do
        kill "$pid" 2>/dev/null
    done
    [ -n "$keep" ] || rm -rf "$out"
}
trap clean_up EXIT
trap 'exit 1' INT TERM
if [ -n "$load" ]; then
    n=$(nproc)
    while [ "$n" -gt 0 ]; do
        sh -c 'while :; do :; done' &
        busy="$busy $!"
        n=$((n - 1))
    done
fi

status=0
# play GAME GAMES TIME
play() {
    [ "$2" -gt 0 ] || return 0
    name=$out/$1-$3
    rm -f "$name".*
    "$bin/kraton" match "$1" --quiet --rounds $((($2 + 1) / 2)) --concurrency "${CONCURRENCY:-2}" --seed 1 --each "tc=$3" \
        --engine "cmd=$bin/kraton-$1,name=one" --engine "cmd=$bin/kraton-$1,name=two" --out "$name" \
        >"$name.report" 2>&1 || {
        cat "$name.report" >&2
        status=1
        return
    }
    # Reasons that are the engine's fault, however they are worded.
    faults=$(grep -cE '"reason":"(time|illegal move|crash|stall|aborted)"|"faults":\[[0-9]*[1-9][0-9]*,|"faults":\[[0-9]+,[0-9]*[1-9]' "$name.json")
    printf '%s, %s, %d games%s: %d lost by time or fault\n' "$1" "$3" "$(wc -l <"$name.json")" \
        "${load:+ under load}" "$faults"
    [ "$faults" -eq 0 ] || status=1
}
for game in ${1:-surakarta xiangqi}; do
    play "$game" "${2:-1000}" 1+0.01
    play "$game" "${3:-50}" 10+0.1
done
exit $status
