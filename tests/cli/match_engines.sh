# Real engines of three protocols play a gauntlet to the end without a fault. Debian has them all and
# ./test installs them; elsewhere what is missing is left out.
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/games
command -v apt-get >/dev/null && debian=yes || debian=

set --
for engine in fairy-stockfish hoixiangqi maxqi sjaakii; do
    if ! command -v $engine >/dev/null; then
        [ -z "$debian" ] || { echo "$engine is not installed"; failures=$((failures + 1)); }
        continue
    fi
    [ $engine = hoixiangqi ] && engine='hoixiangqi --xboard'
    set -- "$@" --engine "$engine"
done
if [ $# -lt 4 ]; then
    finish
    exit 0
fi
run match xiangqi --schedule gauntlet "$@" --each tc=1+0.05,margin=60 --concurrency 2 \
    --openings start --out "$scratch/run"
json=$scratch/run.json
games=$(wc -l <"$json")
[ $status -eq 0 ] && [ "$games" -eq $(($# - 2)) ] || wrong match of real engines
grep -q '"faults":\[0,0\]' "$json" && ! grep -v '"faults":\[0,0\]' "$json" | cut -c 1-300 | grep . ||
    wrong match of real engines: faults of protocol
grep -E '"reason":"(illegal move|crash|stall|time)"' "$json" | cut -c 1-300 | grep . &&
    wrong match of real engines: not ended by the rules

# An engine that cannot set up positions plays random openings too.
if command -v maxqi >/dev/null; then
    rm -f "$scratch"/run.*
    run match xiangqi --engine maxqi --engine kraton-stub --each tc=depth=2 --move-limit 8 --rounds 2 --out "$scratch/run"
    [ $status -eq 0 ] && [ "$(grep -c '"faults":\[0,0\]' "$json")" -eq 4 ] && grep -q '"fen":' "$json" &&
        ! grep -qE '"reason":"(illegal move|crash|stall|time)"' "$json" || wrong match of maxqi with random openings
fi
finish
