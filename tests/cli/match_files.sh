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
echo '[{"name": "x", "command": "y", "initStrings": ["z"]}]' >"$scratch/none.json"
refuses 2 'initStrings is not supported' match xiangqi --engines "$scratch/none.json" --engine "$stub"

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
"$kraton" convert pgn moves "$scratch/games.pgn" >"$scratch/out" 2>"$scratch/err" && [ "$(wc -l <"$scratch/out")" -eq 2 ] || wrong convert of appended games
again --overwrite --pgn "$scratch/games.pgn" --json "$scratch/games.json"
[ $status -eq 0 ] && [ "$(games)" -eq 1 ] || wrong match --overwrite
again --out "$scratch/run"
again --out "$scratch/run" --overwrite
[ $status -eq 0 ] && [ "$(wc -l <"$scratch/run.journal")" -eq 2 ] || wrong match --out --overwrite
refuses 2 'keeps a journal' match xiangqi --engines "$scratch/engines.json" --each tc=60 --out "$scratch/run" --append
refuses 2 'exclude each other' match xiangqi --engines "$scratch/engines.json" --each tc=60 --append --overwrite

# Events: one line each, JSON all of them; people read the rest elsewhere.
again --events - --no-times
cut -d '"' -f 4 "$scratch/out" | tr '\n' ' ' >"$scratch/kinds"
[ "$(cat "$scratch/kinds")" = 'start begin move move result score end ' ] && [ $status -eq 0 ] || wrong match --events
python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$scratch/out" || wrong match --events: not JSON
has '"event":"move","number":1,"ply":2,"side":1,"move":"[a-i][0-9]' out
has '1 games' err
again --events /dev/full
[ $status -eq 1 ] && grep -q 'No space' "$scratch/err" || wrong match --events to a full disk

# Openings from a number on, in the order of the file.
printf '%s\n' "$start" "$(echo "$start" | sed 's/ w / b /')" >"$scratch/openings"
again --overwrite --openings "$scratch/openings" --opening-start 2 --opening-order file --json "$scratch/games.json"
has '"fen":"[^ ]* b ' games.json
refuses 2 'takes file or random' match xiangqi --engines "$scratch/engines.json" --each tc=9 --openings "$scratch/openings" --opening-order x

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
    [ $status -eq 0 ] && grep -q "^warnings .*: liar $1, good 0$" "$scratch/out" || wrong match --check-pv "$2"
}
warned 0 'cp 10 pv a0a1 a9a8 a1a0'
warned 1 'cp 10 pv a0a1 a0a1'
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
