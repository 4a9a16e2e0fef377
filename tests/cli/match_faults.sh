# Engines that misbehave: every fault ends as the facts of the platform want it, in time, with the
# other game undisturbed, and nothing is left running.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub
mark=fault-$$

# fault KIND REASON WORDS [SPEC]: the faulty engine loses its game for that reason. Only who is to
# lose on time has a short clock, so that a busy machine makes nobody else lose on it. The limit of a
# minute for six games tells a manager that hangs from a machine that is slow.
fault() {
    kind=$1 reason=$2 words=$3 extra=$4
    clock=60
    [ "$reason" != time ] || clock=0.5+0.01
    rm -f "$scratch"/run.*
    before=$(date +%s)
    run match surakarta --engine "cmd=$stub --game surakarta --name $mark --fault $kind,name=bad,tc=$clock$extra" \
        --engine "cmd=$stub --game surakarta --name $mark --seed 2,name=good" \
        --engine "cmd=$stub --game surakarta --name $mark --seed 3,name=fine" \
        --each dialect=uci,tc=60 --concurrency 2 --openings start --no-times --out "$scratch/run"
    took=$(($(date +%s) - before))
    json=$scratch/run.json
    bad=$(grep -c '"bad"' "$json")
    right=$(grep '"bad"' "$json" | grep -cE "\"reason\":\"$reason\",\"words\":\"$words\"")
    others=$(grep -v '"bad"' "$json" | grep -cE '"reason":"(repetition|count after repetition|no capture|wiped out|no move)')
    [ $status -eq 0 ] && [ "$bad" -eq 4 ] && [ "$right" -eq 4 ] && [ "$others" -eq 2 ] &&
        [ $took -le 60 ] || {
        echo "fault $kind: $bad games, $right lost by $reason, $others others well, ${took} s"
        cut -c 1-220 "$json"
        wrong match with "$kind"
    }
}

fault illegal 'illegal move' '.*bad.*|[^"]*illegal[^"]*'
fault crash crash '[^"]*crashed \(signal 6\)[^"]*'
fault exit crash '[^"]*exited \(status 3\)[^"]*'
fault hang time '[^"]*'
fault flood-info time '[^"]*'
fault no-newline time '[^"]*'
fault flood time '[^"]*'
fault wrong-game 'illegal move' '[^"]*'
fault close-stdout crash '[^"]*closed its output[^"]*'
fault no-start crash '[^"]*'
fault resign resignation "[^\"]*" ,dialect=ucci

# Manners that cost nothing.
for kind in words binary long-line late-output early bad-score slow-start ignore-quit stubborn fork claim-win offer-draw; do
    rm -f "$scratch"/run.*
    run match surakarta --engine "cmd=$stub --game surakarta --name $mark --fault $kind,name=odd" \
        --engine "cmd=$stub --game surakarta --name $mark --seed 2,name=good" \
        --each dialect=uci,tc=2+0.05 --openings start --no-times --out "$scratch/run"
    [ $status -eq 0 ] && [ "$(wc -l <"$scratch/run.json")" -eq 2 ] || wrong match with "$kind"
    [ $kind != binary ] || ! grep -q '"faults":\[0,0\]' "$scratch/run.json" || wrong match: no fault with "$kind"
done

# However much an engine writes, the manager's memory stays as it is. (The sanitizers want terabytes of
# addresses, so their builds are not asked.)
if ! ldd "$kraton" | grep -q libasan; then
    for kind in flood flood-info long-line; do
        rm -f "$scratch"/run.*
        (ulimit -v 131072 && exec "$kraton" match surakarta \
            --engine "cmd=$stub --game surakarta --name $mark --fault $kind@1,name=bad,tc=1" \
            --engine "cmd=$stub --game surakarta --name $mark --seed 2,name=good" \
            --each dialect=uci,tc=60 --openings start --no-times --out "$scratch/run") \
            >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ $status -eq 0 ] && [ "$(wc -l <"$scratch/run.json")" -eq 2 ] ||
            wrong match in 128 MB with "$kind"
    done
fi

comes_true none_runs "$mark" || {
    echo "left running:"
    ps -o pid,ppid,args -p "$(tr '\n' ',' <"$scratch/running" | sed 's/,$//')"
    failures=$((failures + 1))
}
finish
