# Engines no stub can play: shell scripts that close their input, leave children in sessions of their
# own, or leave after each game. Nobody else pays for it, and nothing is left running.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub

# engine NAME BODY: a UCI engine; BODY runs on `go`.
engine() {
    cat >"$scratch/$1" <<EOF
#!/bin/sh
$3
while read -r line; do
    case \$line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go*) $2 ;;
    quit) exit 0 ;;
    esac
done
EOF
    chmod +x "$scratch/$1"
}

# gauntlet NAME ENDING [CLOCK]: the engine loses its games so.
gauntlet() {
    rm -f "$scratch"/run.*
    run match xiangqi --engine "cmd=$stub,name=good" --engine "cmd=$scratch/$1,name=bad,tc=${3:-60}" \
        --engine "cmd=$stub --seed 2,name=fine" --schedule gauntlet --each dialect=uci,tc=60 \
        --rounds 2 --openings start --no-times --out "$scratch/run"
    json=$scratch/run.json
    [ $status -eq 0 ] && [ "$(wc -l <"$json")" -eq 8 ] &&
        [ "$(grep -c "\"bad\".*$2" "$json")" -eq 4 ] &&
        ! grep '"fine"' "$json" | grep -qE '"reason":"(crash|time|stall)"' || {
        cut -c 1-200 "$json"
        wrong match with "$1"
    }
}

# A move that was written before the input was closed is judged first.
engine closer 'echo bestmove a0a9; exec 0<&-; sleep 3; exit' ''
gauntlet closer 'illegal move'
# An answer without a move is an illegal answer, at once.
engine wordless 'echo bestmove' ''
gauntlet wordless '"reason":"illegal move"'
# Bytes that no text has are a fault, also beside a move.
engine nul "printf 'bestmove a0a1 \\000\\n'" ''
run match xiangqi --engine "cmd=$scratch/nul,name=bad" --engine "cmd=$stub,name=good" --each dialect=uci,tc=60 \
    --games 1 --openings start --move-limit 1 --no-times --json "$scratch/nul.json"
[ $status -eq 0 ] && grep -q '"faults":\[1,0\].*"move":"a0a1"' "$scratch/nul.json" || wrong match with a NUL
# A second answer to one question is the answer to the next question, whenever it comes: who always
# writes two plays as one who writes the same moves one by one.
engine once 'if [ "$back" ]; then echo bestmove a1a0; back=; else echo bestmove a0a1; back=yes; fi' ''
engine twice "printf 'bestmove a0a1\\nbestmove a1a0\\n'" ''
for engine in once twice; do
    rm -f "$scratch"/run.*
    run match xiangqi --engine "cmd=$scratch/$engine,name=bad" --engine "cmd=$stub,name=good" --each dialect=uci,tc=60 \
        --games 1 --openings start --move-limit 4 --no-times --json "$scratch/run.json"
    [ $status -eq 0 ] && grep -q '"reason":"adjudication by move limit"' "$scratch/run.json" || wrong match with "$engine"
    sed 's/"faults":[^c]*//' "$scratch/run.json" >"$scratch/$engine.json"
done
cmp -s "$scratch/once.json" "$scratch/twice.json" && grep -q '"faults":\[1,0\]' "$scratch/run.json" || wrong match with two answers
run engine-check xiangqi "$scratch/twice" --dialect uci
[ $status -eq 1 ] && grep -q '^WRONG  writes its protocol and nothing else: it answered unasked$' "$scratch/out" || wrong engine-check with two answers
# It is one fault a game, every time. As Black its first answer is illegal: what follows is after the end.
for turn in 1 2 3 4 5 6 7 8; do
    run match xiangqi --engine "cmd=$scratch/twice,name=bad" --engine "cmd=$stub,name=good" --each dialect=uci,tc=60 \
        --games 4 --concurrency 2 --openings start --move-limit 6 --no-times --overwrite --json "$scratch/run.json"
    sort "$scratch/run.json" >"$scratch/twice.$turn"
    [ $status -eq 0 ] && [ "$(grep -c '"faults":\[1,0\]' "$scratch/run.json")" -eq 2 ] &&
        [ "$(grep -c '"faults":\[0,0\]' "$scratch/run.json")" -eq 2 ] &&
        cmp -s "$scratch/twice.1" "$scratch/twice.$turn" || wrong match with two answers, time "$turn"
done
# Who closes its input while it thinks loses at once: without its clock, and without another line.
engine deaf 'exec 0<&-; sleep 40' ''
gauntlet deaf '"reason":"crash","words":"[^"]*closed its input'
engine litterer 'kill -9 $$' "setsid sleep 4$$ &"
gauntlet litterer 'crashed (signal 9)'
comes_true none_runs "sleep 4$$" || { echo 'children left running'; failures=$((failures + 1)); }

# So do the children of an engine whose guard is killed.
engine unguarded 'kill -9 $PPID; sleep 9' "sleep 7$$ &"
gauntlet unguarded 'crashed (signal 9)'
comes_true none_runs "sleep 7$$" || { echo 'children of a killed guard left running'; failures=$((failures + 1)); }

# Engines run in the manager's session, with its priority and on its processors, but in groups of
# their own.
engine placed 'echo bestmove a0a1' "ps -o sid=,ni= -p \$\$ >'$scratch/place'; ps -o pgid= -p \$\$ >'$scratch/group'; sed -n 's/^Cpus_allowed_list://p' /proc/\$\$/status >>'$scratch/place'"
nice -n 3 taskset -c 0 "$kraton" match xiangqi --engine "cmd=$scratch/placed,name=placed" --engine "cmd=$stub,name=good" \
    --each dialect=uci,tc=60 --games 1 --openings start --move-limit 1 >"$scratch/out" 2>"$scratch/err"
status=$?
nice -n 3 taskset -c 0 sh -c 'ps -o sid=,ni= -p $$; sed -n s/^Cpus_allowed_list://p /proc/$$/status' >"$scratch/expected"
[ $status -eq 0 ] && cmp -s "$scratch/place" "$scratch/expected" &&
    [ "$(cat "$scratch/group")" != "$(ps -o pgid= -p $$)" ] || {
    cat "$scratch/place" "$scratch/expected"
    wrong match: where engines run
}

# With 64 games at a time the manager and all guards need 10 MB, and a manager that is killed leaves
# nothing behind.
if ! ldd "$kraton" | grep -q libasan; then
    "$kraton" match xiangqi --engine "cmd=$stub --name m$$ --think 100000,name=a" --engine "cmd=$stub --name m$$ --think 100000,name=b" \
        --each dialect=uci,tc=600 --concurrency 64 --rounds 32 --openings start --transcript "$scratch/talk" >"$scratch/out" 2>"$scratch/err" &
    manager=$!
    all_think() { [ "$(cat "$scratch/talk" 2>/dev/null | grep -c '< go')" -eq 64 ]; }
    comes_true all_think
    guards=$(pgrep -P $manager)
    for pid in $manager $guards; do cat "/proc/$pid/smaps_rollup"; done | awk '/^Pss:/ { sum += $2 } END { print sum }' >"$scratch/memory"
    [ "$(echo "$guards" | wc -l)" -eq 128 ] && [ "$(cat "$scratch/memory")" -le 9765 ] || {
        echo "$(cat "$scratch/memory") kB"
        status=0 wrong match: memory of 64 games
    }
    kill -KILL $manager
    wait $manager 2>/dev/null
    comes_true none_runs "name m$$" || { echo 'engines of a killed manager left running'; failures=$((failures + 1)); }
fi

# A manager that is stopped for a while does not flag a move that came in meanwhile. The engine
# answers while the manager sleeps, and the clock runs out before it wakes.
engine waiter 'touch "$waiting/asked"; until [ -e "$waiting/answer" ]; do sleep 0.02; done; echo bestmove a0a1; touch "$waiting/answered"; unset waiting; read -r never' ''
rm -f "$scratch"/run.*
waiting=$scratch "$kraton" match xiangqi --engine "cmd=$scratch/waiter,name=waiter,tc=5" --engine "cmd=$stub,name=good" \
    --each dialect=uci,tc=60 --games 1 --openings start --move-limit 1 --json "$scratch/run.json" >"$scratch/out" 2>"$scratch/err" &
manager=$!
comes_true test -e "$scratch/asked"
kill -STOP $manager
touch "$scratch/answer"
comes_true test -e "$scratch/answered"
sleep 5
kill -CONT $manager
wait $manager
status=$?
[ $status -eq 0 ] && grep -q '"reason":"adjudication by move limit"' "$scratch/run.json" || {
    cat "$scratch/run.json"
    wrong match with a manager that was stopped
}

# Closed standard streams do not become pipes of engines. Without an output there is nowhere to write.
for closed in '<&-' '2>&-' '<&- 2>&-' '>&-' '<&- >&- 2>&-'; do
    rm -f "$scratch"/run.*
    eval '"$kraton" match xiangqi --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b" --each dialect=uci,tc=60 \
        --games 1 --openings start --move-limit 1 --json "$scratch/run.json" >"$scratch/out" 2>"$scratch/err"' "$closed"
    status=$?
    case $closed in *'>&- 2'* | '>&-') wanted=1 ;; *) wanted=0 ;; esac
    [ $status -eq $wanted ] && grep -q '"reason":"adjudication by move limit"' "$scratch/run.json" || wrong match "$closed"
done

# The manager's own want of means is nobody's loss.
(ulimit -n 14 && exec "$kraton" match xiangqi --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b" \
    --each dialect=uci,tc=60 --concurrency 8 --rounds 8 --json "$scratch/few.json") >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 1 ] && ! grep -qs '"reason":"crash"' "$scratch/few.json" || wrong match with few descriptors
finish
