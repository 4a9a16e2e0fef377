# The match runner with files and words that users of other managers know: engines in JSON, limits as
# keys, PGN with comments, appended files, events, openings from a number on, checks of variations.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub

# has PATTERN FILE
has() { grep -qE -e "$1" "$scratch/$2" || { echo "no $1 in $2:" && head -n 30 "$scratch/$2" && failures=$((failures + 1)); }; }

# cutechess' form and fastchess'.
cat >"$scratch/engines.json" <<EOF
[{"name": "Alpha", "command": "$stub --seed 1", "protocol": "uci", "workingDirectory": "", "restart": "auto",
  "options": [{"name": "Hash", "value": 32, "type": "spin"}, {"name": "Threads", "type": "spin"}],
  "variants": ["xiangqi"], "initStrings": []},
 {"name": "Beta", "cmd": "$stub", "args": "--seed 2", "proto": "uci", "options": [["Hash", "16"]], "restart": false,
  "limit": {"tc": {"time": 10000, "increment": 100, "moves": 0, "fixed_time": 0, "timemargin": 0}, "nodes": 0, "plies": 0}}]
EOF
shows 'adjudication by move limit' match xiangqi --engines "$scratch/engines.json" --each tc=60 --openings start --games 1 \
    --move-limit 2 --transcript "$scratch/talk" --pgn "$scratch/games.pgn" --json "$scratch/games.json"
has 'Alpha < setoption name Hash value 32' talk
has 'Beta < setoption name Hash value 16' talk
has 'Beta < go wtime [0-9]* btime 10[0-9]* binc 100$' talk
# bad_engine PATTERN KEYS: a file with an engine of these keys beside its command is refused.
bad_engine() {
    printf '[{"cmd": "%s", "name": "a"}, {"cmd": "%s", "name": "b", %s}]' "$stub" "$stub" "$2" >"$scratch/bad.json"
    refuses 2 "$1" match xiangqi --engines "$scratch/bad.json" --each tc=60,dialect=uci
}
bad_engine "limit: no key 'node'; did you mean nodes" '"limit": {"node": 5}'
bad_engine "limit: tc: no key 'tme'; did you mean time" '"limit": {"tc": {"tme": 5}}'
bad_engine 'limit: tc must be an object' '"limit": {"tc": 5}'
bad_engine 'limit: nodes takes a whole number' '"limit": {"nodes": "5"}'
bad_engine "no key 'comand'; did you mean cmd" '"comand": "x"'
printf '[{"command": "%s", "name": "a", "debug": true}, {"command": "%s", "name": "b"}]' "$stub" "$stub" >"$scratch/debug.json"
shows 'adjudication by move limit' match xiangqi --engines "$scratch/debug.json" --each tc=60,dialect=uci --openings start --games 1 --move-limit 1

# One of them by name, with limits of its own beside the clock, whichever comes first.
shows 'Beta - Gamma' match xiangqi --engines "$scratch/engines.json" --engine conf=Beta --engine conf=Alpha,name=Gamma,depth=5,nodes=9,tc=40 \
    --each st=2 --openings start --games 1 --move-limit 2 --transcript "$scratch/talk2"
has 'Gamma < go .*btime 40000.* movetime 2000 depth 5 nodes 9$' talk2
refuses 2 "no engine 'Alpa'.*did you mean Alpha" match xiangqi --engines "$scratch/engines.json" --engine conf=Beta --engine conf=Alpa --each tc=9
refuses 2 'conf=x needs a file' match xiangqi --engine conf=x --engine "$stub"
refuses 2 "no key 'depht'; did you mean depth" match xiangqi --engine "$stub" --engine "cmd=$stub,depht=4"
refuses 2 'depth takes 1 to 1000' match xiangqi --engine "$stub" --engine "cmd=$stub,depth=x"
echo '{"a": 1}' >"$scratch/none.json"
refuses 1 'neither a list of engines' match xiangqi --engines "$scratch/none.json"
# cutechess' rating says nothing about play; its lines for the start go out before the greeting.
cat >"$scratch/more.json" <<EOF
[{"name": "x", "command": "$stub", "protocol": "uci", "rating": 2400, "initStrings": ["debug on", "xyzzy"]}]
EOF
shows 'x - y' match xiangqi --engines "$scratch/more.json" --engine "cmd=$stub,name=y,dialect=uci,initstr=one\\ntwo" --each tc=9 \
    --openings start --games 1 --move-limit 1 --transcript "$scratch/talk3"
grep ' x < ' "$scratch/talk3" | head -n 3 | sed 's/.* < //' | tr '\n' ' ' >"$scratch/first"
grep ' y < ' "$scratch/talk3" | head -n 3 | sed 's/.* < //' | tr '\n' ' ' >>"$scratch/first"
[ "$(cat "$scratch/first")" = 'debug on xyzzy uci one two uci ' ] || wrong match with initStrings
echo '[{"name": "x", "command": "y", "initStrings": [3]}]' >"$scratch/none.json"
refuses 2 'initStrings must be' match xiangqi --engines "$scratch/none.json" --engine "$stub"

# What was meant by keys and words that are wrong, or other programs' own.
for key in proto protocol timemargin args plies optoin.Hash; do
    refuses 2 "no key '$key'; did you mean (dialect|margin|cmd=|depth|option.NAME)" match xiangqi --engine "$stub" --engine "cmd=$stub,$key=1"
done
pair="--engine cmd=$stub,name=a,dialect=uci --engine cmd=$stub,name=b,dialect=uci --openings start --games 1 --move-limit 1"
refuses 2 "no dialect 'ucl'.*did you mean" match xiangqi --engine "cmd=$stub,dialect=ucl" --engine "$stub" --each tc=9
refuses 2 'none of round-robin.*did you mean swiss' match xiangqi $pair --each tc=9 --schedule swis
refuses 2 "cannot read 'scor=5'.*did you mean score" match xiangqi $pair --each tc=9 --resign scor=5,moves=3
refuses 2 'needs moves=N' match xiangqi $pair --each tc=9 --resign score=5,moves=0
refuses 2 'needs moves=N' match xiangqi $pair --each tc=9 --draw score=5
refuses 2 'cannot read' match xiangqi $pair --each tc=9 --resign ''
refuses 2 'takes terms' match xiangqi $pair --each tc=9 --sprt ''
refuses 2 'belongs to one --engine' match xiangqi $pair --each "tc=9,cmd=$stub"
refuses 2 'belongs to one --engine' match xiangqi $pair --each tc=9,name=x
refuses 2 'conf=NAME comes before' match xiangqi --engines "$scratch/engines.json" --engine name=Q,conf=Alpha --engine conf=Beta --each tc=9
refuses 2 'think for ever' match xiangqi $pair
refuses 2 'no contest records' match xiangqi $pair --each tc=9 --records "$scratch/records"
refuses 2 'sau is not for xiangqi' match xiangqi --engine "cmd=$stub,dialect=sau" --engine "cmd=$stub,name=b" --each tc=9
refuses 1 'engine a: dir /nowhere: No such file' match xiangqi --engine "cmd=$stub,name=a,dir=/nowhere" --engine "cmd=$stub,name=b" --each tc=9
echo '{"rouns": 3}' >"$scratch/none.json"
refuses 2 "no option 'rouns'; did you mean rounds" match xiangqi $pair --config "$scratch/none.json"
echo '{"rounds": []}' >"$scratch/none.json"
refuses 2 "'rounds' does not take such a value" match xiangqi $pair --config "$scratch/none.json"
refuses 1 '^kraton match: unable to open .*nofile.json: No such file' match xiangqi $pair --config "$scratch/nofile.json"
refuses 1 '^kraton match: unable to open .*nofile.json: No such file' match xiangqi --engines "$scratch/nofile.json"
# An option that an engine does not have is named once, however often the engine is started.
run match xiangqi $pair --each tc=9,restart=always --engine "cmd=$stub,name=c,dialect=uci,option.Hahs=4,option.hash=4"
[ $status -eq 0 ] && [ "$(grep -c '^warning: engine' "$scratch/out")" -eq 1 ] &&
    grep -q "^warning: engine c has no option 'Hahs' (did you mean Hash?)\$" "$scratch/out" || wrong match: unknown option

# PGN as others write it.
has '^\[WhiteTimeControl "60"\]$' games.pgn
has '^\[BlackTimeControl "10\+0\.1"\]$' games.pgn
has '^\[PlyCount "4"\]$' games.pgn
has '^\[Termination "adjudication"\]$' games.pgn
has '\{[+-][0-9]\.[0-9][0-9]/1 [0-9]\.[0-9]{3}s, n=[0-9]+\}' games.pgn

# Files that exist: refused, continued with a blank line between games, or replaced.
again() { run match xiangqi --engines "$scratch/engines.json" --each tc=60 --openings start --games 1 --move-limit 1 "$@"; }
games() { grep -c '^\[PlyCount' "$scratch/games.pgn"; }
refuses 1 'games.pgn exists already.*--append.*--overwrite' match xiangqi --engines "$scratch/engines.json" --each tc=60 --pgn "$scratch/games.pgn"
again --append --pgn "$scratch/games.pgn" --json "$scratch/games.json"
[ $status -eq 0 ] && [ "$(games)" -eq 2 ] && [ "$(wc -l <"$scratch/games.json")" -eq 2 ] &&
    [ -z "$(grep -B 1 '^\[Game' "$scratch/games.pgn" | sed -n 3p)" ] || wrong match --append
printf '{"torn' >"$scratch/torn.json"
again --append --json "$scratch/torn.json"
[ "$(grep -c '^{"torn$' "$scratch/torn.json")" -eq 1 ] && [ "$(grep -c '^{.*}$' "$scratch/torn.json")" -ge 1 ] || wrong match --append after a torn line
"$kraton" convert pgn moves "$scratch/games.pgn" >"$scratch/out" 2>"$scratch/err" && [ "$(wc -l <"$scratch/out")" -eq 2 ] || wrong convert of appended games
again --overwrite --pgn "$scratch/games.pgn" --json "$scratch/games.json"
[ $status -eq 0 ] && [ "$(games)" -eq 1 ] || wrong match --overwrite
again --out "$scratch/run"
again --out "$scratch/run" --overwrite
[ $status -eq 0 ] && [ "$(wc -l <"$scratch/run.journal")" -eq 2 ] || wrong match --out --overwrite
refuses 2 'keeps a journal' match xiangqi --engines "$scratch/engines.json" --each tc=60 --out "$scratch/run" --append
refuses 2 'exclude each other' match xiangqi --engines "$scratch/engines.json" --each tc=60 --append --overwrite

# A test that is decided counts no game that ended before its turn: the points are those of the games.
run match surakarta --engine "cmd=$stub --game surakarta,name=a" --engine "cmd=$stub --game surakarta --seed 2,name=b" --each dialect=uci,tc=60 \
    --sprt elo0=0,elo1=500 --concurrency 16 --rounds 200 --quiet
awk '$2 == "a" || $2 == "b" { points += $3; games += $4 / 2 } END { exit !(games >= 20 && points == games) }' "$scratch/out" || wrong match: points and games

# Two outputs, or an output and an input, that are one file.
refuses 2 'json and --pgn are both' match xiangqi $pair --each tc=9 --json "$scratch/one" --pgn "$scratch/../$(basename "$scratch")/one"
refuses 2 'pgn and --events are both standard output' match xiangqi $pair --each tc=9 --pgn - --events -
refuses 2 'pgn and --events are both standard output' match xiangqi $pair --each tc=9 --pgn - --events /dev/stdout
refuses 2 'json and the journal are both' match xiangqi $pair --each tc=9 --out "$scratch/one" --json "$scratch/one.journal"
cp "$scratch/games.pgn" "$scratch/book.pgn"
ln -s book.pgn "$scratch/link.pgn"
refuses 2 'pgn and --openings are both' match xiangqi --engine "$stub" --engine "cmd=$stub,name=b" --each tc=9 --openings "$scratch/book.pgn" --pgn "$scratch/link.pgn" --overwrite
run match xiangqi $pair --each tc=9 --json /dev/null --pgn /dev/null
[ $status -eq 0 ] || wrong match with two outputs to nowhere
# Games on standard output have it for themselves.
run match xiangqi $pair --each tc=9 --pgn -
[ $status -eq 0 ] && [ "$(head -n 1 "$scratch/out" | cut -c 1)" = '[' ] && ! grep -q '^game 1' "$scratch/out" && grep -q '^game 1' "$scratch/err" || wrong match --pgn -

# A pipe without a reader is refused; a reader that does not read does not hold up a signal.
mkfifo "$scratch/pipe"
limit() { timeout 60 "$kraton" "$@"; } # the failure is a manager that waits for ever
limit match xiangqi $pair --each tc=9 --events "$scratch/pipe" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 1 ] && grep -q 'pipe that nobody reads' "$scratch/err" || wrong match --events to a pipe without a reader
cat "$scratch/pipe" >"$scratch/read" &
reader=$!
sees_reader() { limit match xiangqi $pair --each tc=9 --events "$scratch/pipe" >"$scratch/out" 2>"$scratch/err"; }
comes_true sees_reader
wait $reader
[ "$(tail -n 1 "$scratch/read")" = '{"event":"end","how":"done"}' ] || wrong match --events to a pipe
# stopped SIGNAL STATUS: the manager ends so, though its events are stuck.
stopped() {
    sleep 1000 <>"$scratch/pipe" &
    reader=$!
    "$kraton" match xiangqi $pair --each tc=60 --move-limit 100 --rounds 1000 --events "$scratch/pipe" --json "$scratch/stuck.$2" >"$scratch/out" 2>"$scratch/err" &
    manager=$!
    is_stuck() { [ "$(cut -d ' ' -f 1 "/proc/$manager/syscall" 2>/dev/null)" = 1 ]; } # write
    [ "$(uname -m)" = x86_64 ] && comes_true is_stuck
    kill -"$1" $manager
    timeout 60 tail --pid=$manager -f /dev/null || { kill -9 $manager && kill $reader; }
    wait $manager
    status=$?
    [ $status -eq "$2" ] && grep -q '^interrupted after' "$scratch/out" || wrong match ended by "$1"
    kill $reader 2>/dev/null
    wait $reader 2>/dev/null
}
stopped TERM 143
stopped INT 130

# Events: one line each, JSON all of them; people read the rest elsewhere.
again --events - --no-times
cut -d '"' -f 4 "$scratch/out" | tr '\n' ' ' >"$scratch/kinds"
[ "$(cat "$scratch/kinds")" = 'start begin move move result score end ' ] && [ $status -eq 0 ] || wrong match --events
python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$scratch/out" || wrong match --events: not JSON
has '"event":"move","number":1,"ply":2,"side":1,"move":"[a-i][0-9]' out
has '^game 1 of 1: Alpha - Beta' err
has '^1 game: first side' err
again --transcript /dev/full
[ $status -eq 1 ] && grep -q '^kraton match: /dev/full: No space left' "$scratch/err" || wrong match --transcript on a full disk
again --events /dev/full
[ $status -eq 1 ] && grep -q 'No space' "$scratch/err" || wrong match --events to a full disk

# Openings from a number on, in the order of the file.
printf '%s\n' "$start" "$(echo "$start" | sed 's/ w / b /')" >"$scratch/openings"
again --overwrite --openings "$scratch/openings" --opening-start 2 --opening-order file --json "$scratch/games.json"
has '"fen":"[^ ]* b ' games.json
refuses 2 'opening-start 3: .*openings has 2 openings' match xiangqi --engines "$scratch/engines.json" --each tc=9 \
    --openings "$scratch/openings" --opening-start 3
refuses 2 'x. is none of file, random' match xiangqi --engines "$scratch/engines.json" --each tc=9 --openings "$scratch/openings" --opening-order x

# A gauntlet of two engines against the others, who never change sides; a pause between games.
again --schedule gauntlet --gauntlet-seeds 2 --engine "cmd=$stub,name=C" --engine "cmd=$stub,name=D" --games 2 --no-swap --wait 10
[ $status -eq 0 ] && [ "$(grep -cE '^game . of 8: (Alpha|Beta) - [CD] ' "$scratch/out")" -eq 8 ] || wrong match --gauntlet-seeds
refuses 2 'is for --schedule gauntlet' match xiangqi --engines "$scratch/engines.json" --gauntlet-seeds 1 --each tc=9

# Variations: an illegal move, a mate that is none, one that is right.
engine() {
    cat >"$scratch/$1" <<EOF
#!/bin/sh
while read -r line; do
    case \$line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go*) echo "info depth 1 score $2"; echo bestmove a0a1 ;;
    quit) exit 0 ;;
    esac
done
EOF
    chmod +x "$scratch/$1"
}
# warned COUNT SCORE: so many warnings with such a report.
warned() {
    engine liar "$2"
    run match xiangqi --engine "cmd=$scratch/liar,name=liar" --engine "cmd=$stub,name=good" --each dialect=uci,tc=60 --openings start \
        --games 1 --move-limit 1 --check-pv
    [ $status -eq 0 ] && grep -q "^warnings .*: liar $1, good 0$" "$scratch/out" &&
        [ "$(grep -c '^warning: game 1, ply 1: liar: ' "$scratch/out")" -eq "$1" ] || wrong match --check-pv "$2"
}
warned 0 'cp 10 pv a0a1 a9a8 a1a0'
warned 1 'cp 10 pv a0a1 a0a1'
warned 1 'cp 10 pv a0a2 a9a8'
warned 1 'mate 1 pv a0a1'
warned 1 'mate 2 pv a0a1 a9a8'

# A processor for each game. The last one this process may use:
last=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9][0-9]*\)$/\1/p' /proc/self/status)
sed -i "2i sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/\$\$/status >'$scratch/place'" "$scratch/liar"
run match xiangqi --engine "cmd=$scratch/liar,name=liar" --engine "cmd=$stub,name=good" --each dialect=uci,tc=60 --openings start \
    --games 1 --move-limit 1 --affinity "$last"
[ $status -eq 0 ] && [ "$(cat "$scratch/place")" = "$last" ] || wrong match --affinity
refuses 2 '2 games at a time need' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity "$last" --concurrency 2
refuses 2 'may not use processor 1023' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity 1023
refuses 2 'names processor '"$last"' twice' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity "$last,$last"
refuses 2 'takes all or a list' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity ''
refuses 2 'takes all or a list' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity "$last,"
refuses 2 'takes all or a list' match xiangqi --engines "$scratch/engines.json" --each tc=9 --affinity 3-1
# A run that cannot start leaves the files of the run before it alone, and none of its own.
play() {
    match xiangqi --engine "cmd=$stub --seed 1,name=a" --engine "cmd=$stub --seed 2,name=b" --each dialect=uci,tc=60 \
        --openings start --games 1 --move-limit 2 "$@"
}
match() { run match "$@"; }
play --out "$scratch/kept"
[ $status -eq 0 ] || wrong match to be replaced
cat "$scratch"/kept.* | cksum >"$scratch/before"
play --out "$scratch/kept" --events "$scratch/nowhere/events" --overwrite
cat "$scratch"/kept.* | cksum | cmp -s - "$scratch/before" && [ $status -eq 1 ] || wrong match without its events
run match xiangqi --engine "cmd=$scratch/nothing,name=a" --engine "cmd=$stub,name=b" --each dialect=uci,tc=60 \
    --openings start --games 1 --out "$scratch/kept" --overwrite --move-limit 2
cat "$scratch"/kept.* | cksum | cmp -s - "$scratch/before" && [ $status -eq 1 ] || wrong match without an engine
play --out "$scratch/new" --events "$scratch/nowhere/events"
[ $status -eq 1 ] && ! ls "$scratch"/new.* 2>/dev/null || wrong match that made nothing
play --out "$scratch/kept" --overwrite --no-times
[ $status -eq 0 ] && [ "$(grep -c . "$scratch/kept.json")" -eq 1 ] && [ "$(grep -c '^\[Event ' "$scratch/kept.pgn")" -eq 1 ] &&
    [ "$(wc -l <"$scratch/kept.journal")" -eq 2 ] || wrong match in place of another
finish
