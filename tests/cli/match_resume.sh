# A run killed at random moments and taken up again ends with the same games as one left alone: none
# lost, none counted twice, none played differently.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub
mark=resume-$$

# In the background it takes the place of the shell, so that $! is the manager itself.
play() {
    $in_place "$kraton" match surakarta --engine "cmd=$stub --game surakarta --seed 1 --name $mark,name=one" \
        --engine "cmd=$stub --game surakarta --seed 2 --name $mark,name=two" \
        --engine "cmd=$stub --game surakarta --seed 3 --name $mark,name=three" \
        --each tc=600,dialect=uci --start-timeout 600 --rounds 60 --openings random --concurrency 3 --no-times \
        --quiet "$@"
}

play --out "$scratch/alone" >"$scratch/out" 2>"$scratch/err" || {
    status=$?
    wrong match, uninterrupted
}
games=$(wc -l <"$scratch/alone.json")
[ "$games" -eq 360 ] || { echo "$games games, not 360"; failures=$((failures + 1)); }

# played: games in the journal, whose first line tells the settings.
played() {
    echo $(($(cat "$scratch/killed.journal" 2>/dev/null | wc -l) - 1))
}
has_played() {
    [ "$(played)" -ge "$1" ] || ! kill -0 $pid 2>/dev/null
}
# Each time it may play some more games, or none.
kills=0
seed=$$
while [ $kills -lt 10 ]; do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    wanted=$(($(played) + seed / 65536 % 30))
    in_place=exec play --out "$scratch/killed" --resume >/dev/null 2>&1 &
    pid=$!
    comes_true has_played $wanted || { echo 'no games are played'; failures=$((failures + 1)); }
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
    [ -f "$scratch/killed.json" ] && [ "$(wc -l <"$scratch/killed.json")" -eq "$games" ] && {
        rm -f "$scratch"/killed.* # it was over before the blow: again from the start
    }
done
play --out "$scratch/killed" --resume >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] && cmp -s "$scratch/alone.json" "$scratch/killed.json" || wrong match, killed ten times
cmp -s "$scratch/alone.pgn" "$scratch/killed.pgn" || wrong match, its PGN
twice=$(sed 1d "$scratch/killed.journal" | sed 's/,.*//' | sort | uniq -d | wc -l)
[ "$twice" -eq 0 ] || { echo "$twice games stand twice in the journal"; failures=$((failures + 1)); }

# Whoever changes the settings is told; whoever forgets --resume, too.
run match surakarta --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b" --each tc=1,dialect=uci \
    --out "$scratch/killed" --resume
[ $status -eq 1 ] && grep -q 'other settings' "$scratch/err" || wrong match with other settings
run match surakarta --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b" --each tc=1,dialect=uci \
    --out "$scratch/killed"
[ $status -eq 1 ] && grep -q -- '--resume' "$scratch/err" || wrong match over an old run

# Interrupted, it says how to go on.
in_place=exec play --out "$scratch/stopped" >"$scratch/out" 2>"$scratch/err" &
pid=$!
has_begun() { [ -s "$scratch/stopped.journal" ] || ! kill -0 $pid 2>/dev/null; }
comes_true has_begun
kill -INT $pid
wait $pid
status=$?
[ $status -eq 130 ] && grep -q -- '--resume goes on' "$scratch/out" || wrong match, interrupted

comes_true none_runs "$mark" || { echo "engines left running"; failures=$((failures + 1)); }
finish
