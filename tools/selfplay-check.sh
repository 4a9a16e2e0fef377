#!/bin/sh
# Self-play with the debug build, assertions on: 2,000 games a game at 20 ms a move. Fails where an
# assertion, a flag, an illegal move or another fault ends a game.
#   tools/selfplay-check.sh [--out FOLDER] [GAME [GAMES [SECONDS_A_MOVE]]]
# CONCURRENCY=N games at a time instead of one a core; MARGIN=SECONDS a move may be late, 0.05 of them if not said.
cd "$(dirname "$0")/.." || exit 1
bin=build/debug
keep=
if [ "$1" = --out ]; then
    keep=$2
    shift 2
fi
out=${keep:-$(mktemp -d)} || exit 1
mkdir -p "$out"
trap '[ -n "$keep" ] || rm -rf "$out"' EXIT
trap 'exit 1' INT TERM
cmake --preset debug >/dev/null && cmake --build --preset debug --target kraton kraton-surakarta kraton-xiangqi >/dev/null ||
    exit 1

status=0
for game in ${1:-surakarta xiangqi}; do
    name=$out/$game
    # The margin is for a machine that is busy with other things; what it grants is reported with the slowest moves.
    "$bin/kraton" match "$game" --quiet --rounds $((${2:-2000} / 2)) --concurrency "${CONCURRENCY:-$(nproc)}" --seed 2 \
        --each "tc=st=${3:-0.02},margin=${MARGIN:-0.05}" --engine "cmd=$bin/kraton-$game,name=one" \
        --engine "cmd=$bin/kraton-$game,name=two" --out "$name" ${keep:+--resume} >"$name.report" 2>&1 || {
        cat "$name.report" >&2
        status=1
        continue
    }
    faults=$(grep -cE '"reason":"(time|illegal move|crash|stall|aborted)"|"faults":\[[0-9]*[1-9][0-9]*,|"faults":\[[0-9]+,[0-9]*[1-9]' "$name.json")
    printf '%s, %d games at %s s: %d ended by a fault\n' "$game" "$(wc -l <"$name.json")" "${3:-0.02}" "$faults"
    grep -o '"time":[0-9]*' "$name.json" | cut -d: -f2 | sort -n | awk '
        { t[NR] = $1 / 1000 }
        END { printf "  %d moves; ms: median %.0f, all but one in a thousand within %.0f, the slowest %.0f\n", NR, t[int((NR + 1) / 2)], t[int(NR * 0.999)], t[NR] }'
    [ "$faults" -eq 0 ] || status=1
done
exit $status
