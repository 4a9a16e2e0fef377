# The match runner's options, one by one: what they do, and what is refused in one line.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub

# match GAME OPTION...: two stub engines, their games in $json.
match() {
    game=$1
    shift
    rm -f "$scratch"/run.*
    json=$scratch/run.json
    run match $game --engine "cmd=$stub --game $game --seed 1,name=one$one" \
        --engine "cmd=$stub --game $game --seed 2,name=two$two" --each dialect=uci,tc=60 --start-timeout 600 \
        --openings start --no-times --out "$scratch/run" "$@"
    [ $status -eq 0 ] || wrong match "$game" "$@"
}
one= two=

# says PATTERN: in the games, or else the run was wrong.
says() {
    grep -qE -e "$1" "$json" || { echo "no $1 in:" && cut -c 1-300 "$json" && failures=$((failures + 1)); }
}

# Dialects, found out and named; each engine in its own.
match surakarta --each tc=60
says '"faults":\[0,0\]'
for dialect in uci ucci cecp; do
    one=,dialect=$dialect match xiangqi
    says '"faults":\[0,0\]'
done
one=,dialect=sau match surakarta
says '"faults":\[0,0\]'

# Games cut short.
match xiangqi --move-limit 4
says '"reason":"adjudication by move limit"'
match surakarta --rules ccgc --move-limit 4
says '"reason":"adjudication by move limit"'
one=',tc=depth=3' match surakarta
says '"result"'

# Engines that have an option Rules are told which ones hold, unless somebody has set it for them.
for dialect in uci ucci cecp; do
    rm -f "$scratch"/run.*
    engine="cmd=$(dirname "$kraton")/kraton-surakarta,dialect=$dialect"
    run match surakarta --engine "$engine,name=told" --engine "$engine,name=set,option.Rules=ccgc" --each tc=depth=1 \
        --rules traditional --start-timeout 600 --games 1 --openings start --move-limit 2 --transcript "$scratch/run.talk" --out "$scratch/run"
    [ $status -eq 0 ] && [ "$(grep -ciE '< (setoption (name )?|option )rules( value |=| )traditional$' "$scratch/run.talk")" -eq 1 ] &&
        [ "$(grep -ciE '< (setoption (name )?|option )rules( value |=| )ccgc$' "$scratch/run.talk")" -eq 1 ] ||
        wrong "match --rules, over $dialect"
done

# An engine that cannot set up positions (CECP without setboard) is led to them by moves, where the
# openings have any; else the match is refused before its first game.
printf '[Game "Chinese Chess"]\n\n1. C2=5 H8+7 2. H2+3 *\n' >"$scratch/line.pgn"
for openings in random start "$scratch/line.pgn"; do
    for game in xiangqi surakarta; do
        [ $game = xiangqi ] || [ -n "${openings##*/*}" ] || continue
        rm -f "$scratch"/run.*
        run match $game --engine "cmd=$stub --game $game --no-setup,dialect=cecp,name=one" --engine "cmd=$stub --game $game --seed 2,name=two" \
            --each tc=60 --openings "$openings" --rounds 2 --transcript "$scratch/run.talk" --out "$scratch/run"
        json=$scratch/run.json
        [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && [ "$(grep -c '"faults":\[0,0\]' "$json")" -eq 4 ] &&
            ! grep -q '"reason":"\(crash\|illegal move\)"' "$json" || wrong match "$game", no set-up, openings "$openings"
        ! grep -q '< setboard' "$scratch/run.talk" || wrong match "$game", no set-up: setboard
    done
done
says '"fen":'
printf '%s\n' 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1' >"$scratch/positions"
refuses 1 'engine small cannot set up positions.*--openings start' match xiangqi \
    --engine "cmd=$stub --no-setup,dialect=cecp,name=small" --engine "$stub" --each tc=60 --openings "$scratch/positions"
# The start position needs no set-up, however it is given.
echo "$start" >"$scratch/positions"
run match xiangqi --engine "cmd=$stub --no-setup,dialect=cecp,name=small" --engine "$stub" --each tc=60 --openings "$scratch/positions" --move-limit 2
[ $status -eq 0 ] && ! grep -q crash "$scratch/out" || wrong match from the start position as a FEN

# SAU: an illegal move loses, unless it may be taken back.
rm -f "$scratch"/run.*
sau() {
    rm -f "$scratch"/run.*
    run match surakarta --engine "cmd=$stub --game surakarta --fault illegal-once,name=one" \
        --engine "cmd=$stub --game surakarta --seed 2,name=two" --each dialect=sau,tc=60 --no-times \
        --out "$scratch/run" "$@"
    json=$scratch/run.json
    grep -q 'start from the start position' "$scratch/err" || wrong match over SAU "$@"
}
sau
says '"reason":"illegal move"'
sau --sau-retries 1
! grep -q '"reason":"illegal move"' "$json" || wrong match over SAU with a retry

# SPRT stops at the same game whatever the concurrency.
for concurrency in 1 4; do
    rm -f "$scratch"/run.*
    run match surakarta --engine "cmd=$stub --game surakarta,name=one" \
        --engine "cmd=$stub --game surakarta --fault crash@1,name=two" --each dialect=uci,tc=60 \
        --sprt elo0=0,elo1=10 --concurrency $concurrency --no-times --out "$scratch/run"
    grep -q 'SPRT: H1 accepted' "$scratch/out" || wrong match with SPRT
    # Every game went one way: there is no Elo to print.
    ! grep -qi '[+-]inf' "$scratch/out" && grep -q ', Elo -, nElo -, LOS 100' "$scratch/out" || wrong match, all games won
    cp "$scratch/run.json" "$scratch/sprt-$concurrency"
done
cmp -s "$scratch/sprt-1" "$scratch/sprt-4" || { echo 'SPRT stops elsewhere' && failures=$((failures + 1)); }

# Openings are balanced by a search, unless any random ones are wanted. The most that it sees a side ahead by in them:
most_ahead() {
    match surakarta --rounds 6 --move-limit 1 --seed 5 --openings "$1"
    sed -n 's/.*"fen":"\([^"]*\)".*/\1/p' "$json" | uniq >"$scratch/fens"
    while read -r fen; do
        "$kraton" analyse surakarta "$fen" --nodes 10000 --hash 1 --json | sed -n 's/.*"centipawns":-\{0,1\}\([0-9]*\).*/\1/p' | tail -n 1
    done <"$scratch/fens" | sort -n | tail -n 1
}
[ "$(most_ahead random)" -gt 15 ] || wrong 'match, random openings: nothing to balance'
[ "$(most_ahead balanced)" -le 15 ] || wrong "match, balanced openings: $(most_ahead balanced)"
cp "$json" "$scratch/balanced.json"
run match surakarta --engine "cmd=$stub --game surakarta --seed 1,name=one" --engine "cmd=$stub --game surakarta --seed 2,name=two" \
    --each dialect=uci,tc=60 --rounds 6 --move-limit 1 --seed 5 --start-timeout 600 --no-times --out "$scratch/default"
grep -o '"fen":"[^"]*"' "$scratch/balanced.json" >"$scratch/one"
grep -o '"fen":"[^"]*"' "$scratch/default.json" | cmp -s - "$scratch/one" || wrong 'match: balanced openings are not the default'
mkdir "$scratch/alone"
cp "$kraton" "$scratch/alone"
"$scratch/alone/kraton" match surakarta --engine "cmd=$stub,name=one" --engine "cmd=$stub,name=two" --each dialect=uci,tc=60 \
    >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q 'kraton-surakarta is not beside.*--openings random' "$scratch/err" ||
    wrong 'match without the engine that judges openings'

# Contest records, and files of openings.
printf 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1 # the start\nbbbbbb/bb1bbb/2b3/6/wwwwww/wwwwww w 1 1\n' >"$scratch/openings"
match surakarta --openings "$scratch/openings" --rounds 2 --records "$scratch/records"
# The form cannot hold the games White begins.
[ "$(ls "$scratch/records" | wc -l)" -eq 2 ] || wrong match with contest records
says '"fen":"bbbbbb/bb1bbb/2b3'
for record in "$scratch"/records/*; do
    "$kraton" convert contest moves "$record" >/dev/null || wrong convert of a record of a match
done

# A config file, with the command line going before it.
cat >"$scratch/config" <<EOF
{"engines": [{"cmd": "$stub", "args": ["--game", "xiangqi"], "name": "left"},
             {"cmd": "$stub", "args": ["--game", "xiangqi", "--seed", "2"], "name": "right"}],
 "each": {"tc": "60", "dialect": "uci"}, "rounds": 9, "openings": "start", "no-times": true}
EOF
run match xiangqi --config "$scratch/config" --rounds 1 --json "$scratch/config.json"
[ $status -eq 0 ] && [ "$(wc -l <"$scratch/config.json")" -eq 2 ] || wrong match by config file

# One clear line for what cannot be.
pair="--engine cmd=$stub,name=a --engine cmd=$stub,name=b --each dialect=uci,tc=1"
refuses 2 '1 engine; it takes 2' match xiangqi --engine x
refuses 2 'two engines are called' match xiangqi --engine x --engine x
refuses 2 "engine 2: no key 'nmae'; did you mean name" match xiangqi --engine x --engine y,nmae=z
refuses 2 "engine 1: no key 'tcc'" match xiangqi --engine x --engine y --each tcc=10
refuses 2 'no dialect' match xiangqi --engine x,dialect=morse --engine y
refuses 2 'opening-start takes a number' match xiangqi --engine x --engine y --opening-start 0
refuses 1 'cannot be started' match xiangqi --engine /nonexistent/x --engine y
refuses 2 'no game|surakarta' match chess $pair
refuses 2 'no rule set' match xiangqi $pair --rules club
refuses 2 'never end|may not end|move limit' match surakarta $pair --rules ccgc --each dialect=uci,tc=1+1
refuses 2 'none of round-robin' match xiangqi $pair --schedule chaos
refuses 2 '--rounds takes' match xiangqi $pair --rounds many
refuses 2 '--sprt: elo0 must be below elo1' match xiangqi $pair --sprt elo0=5,elo1=0
for value in inf -inf nan 1e9 1001 '' 5x; do
    refuses 2 "--sprt: elo1 takes a number from -1000 to 1000, not '$value'" match xiangqi $pair --sprt elo0=0,elo1=$value
done
for value in nan 0 0.5 -1 inf; do
    refuses 2 "--sprt: alpha takes a number between 0 and 0.5, not '$value'" match xiangqi $pair --sprt alpha=$value
done
refuses 2 "--sprt: no term 'elo2' \(elo0," match xiangqi $pair --sprt elo2=5
refuses 2 "--sprt: normalised takes 0 or 1, not 'yes'" match xiangqi $pair --sprt normalised=yes
refuses 2 'between two' match xiangqi $pair --engine cmd=$stub,name=c --sprt elo0=0,elo1=5
refuses 2 '--resume needs' match xiangqi $pair --resume
refuses 1 'No such file' match xiangqi $pair --openings "$scratch/none"
refuses 1 'line 1' match xiangqi $pair --openings "$scratch/config"
refuses 1 'No such file' match xiangqi $pair --pgn "$scratch/none/x.pgn"
refuses 2 'no option' match xiangqi $pair --wind north
finish
