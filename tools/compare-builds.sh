#!/bin/sh
# Compares what two builds of Kraton compute, byte by byte: for changes that must not alter behaviour.
#   tools/compare-builds.sh OLD NEW     two build folders, e.g. of two checkouts: .../build/release
# Prints a line for each subject and ends with `N passed, N failed`. Differences are kept in
# build/compare. Not compared: times, and the wording of messages on standard error.
[ $# -eq 2 ] || {
    echo "usage: tools/compare-builds.sh OLD NEW" >&2
    exit 2
}
old=$(cd "$1" && pwd) && new=$(cd "$2" && pwd) || exit 2
cd "$(dirname "$0")/.." || exit 1
out=$PWD/build/compare
rm -rf "$out"
mkdir -p "$out"
passed=0
failed=0

# subject NAME: runs the function `do_NAME` with $kraton and $bin set, once for each build.
subject() {
    for side in old new; do
        eval bin=\$$side
        kraton=$bin/kraton
        folder=$out/$side.d
        rm -rf "$folder"
        mkdir -p "$folder"
        "do_$1" >"$out/$1.$side" 2>/dev/null </dev/null
    done
    if [ -s "$out/$1.old" ] && cmp -s "$out/$1.old" "$out/$1.new"; then
        passed=$((passed + 1))
        echo "same      $1 ($(wc -l <"$out/$1.old") lines)"
    else
        failed=$((failed + 1))
        echo "DIFFERENT $1: diff $out/$1.old $out/$1.new"
    fi
}

do_signature() { "$kraton" bench | sed 's/ nodes,.*/ nodes/'; }

do_perft() {
    for depth in 1 2 3 4 5; do "$kraton" perft surakarta $depth | cut -d' ' -f1-3; done
    for depth in 1 2 3 4; do "$kraton" perft xiangqi $depth | cut -d' ' -f1-3; done
}

do_tables() {
    for rules in count traditional; do
        "$kraton" tb build --pieces 5 --rules $rules --dir "$folder" >/dev/null
        "$kraton" tb stats --rules $rules --dir "$folder"
    done
    (cd "$folder" && find . -name '*.*' -type f | LC_ALL=C sort | xargs sha256sum)
}

# Every sample of every record format, into every other.
do_records() {
    for sample in fuzz/seeds/record_*/*; do
        for game in surakarta xiangqi; do
            for to in pgn json contest moves; do
                echo "== $sample $game $to"
                timeout 20 "$kraton" convert auto $to "$sample" --game $game
                echo "status $?"
            done
        done
    done
}

do_judge() {
    for sample in fuzz/seeds/record_*/*; do
        for game in surakarta xiangqi; do
            echo "== $sample $game"
            timeout 20 "$kraton" judge $game --file "$sample"
            echo "status $?"
        done
    done
}

do_boards() {
    for game in surakarta xiangqi; do
        for sample in fuzz/seeds/${game}_fen/*; do
            echo "== $sample"
            "$kraton" show $game --fen "$(cat "$sample")"
            "$kraton" moves $game --fen "$(cat "$sample")"
        done
    done
}

# What an engine answers in the four protocols to a fixed number of nodes; times are left out.
talk() {
    engine=$1
    shift
    { printf '%s\n' "$@"; sleep 2; } | "$bin/$engine" |
        sed -E 's/ (time|nps) [0-9]+//g; s/^(# )?[0-9]+ms//'
}
do_protocols() {
    talk kraton-surakarta uci 'setoption name OwnBook value false' 'position startpos' 'go nodes 50000'
    talk kraton-xiangqi uci 'setoption name OwnBook value false' 'position startpos' 'go nodes 50000'
    talk kraton-xiangqi ucci 'setoption usebook false' \
        'position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1' 'go nodes 50000'
    talk kraton-xiangqi xboard 'protover 2' 'variant xiangqi' 'sd 8' 'go'
    talk kraton-surakarta 'name?' 'new black' 'quit'
}

do_match() {
    for game in surakarta xiangqi; do
        "$kraton" match $game --engine "cmd=$bin/kraton-$game,name=a" --engine "cmd=$bin/kraton-stub,name=b" \
            --each tc=nodes=2000 --rounds 4 --seed 3 --no-times --quiet --json "$folder/$game.json" \
            --pgn "$folder/$game.pgn" >/dev/null
        cat "$folder/$game.json" "$folder/$game.pgn"
    done
}

do_openings() { "$kraton" openings xiangqi; }
do_books() { for game in surakarta xiangqi; do "$kraton" book lines $game --plies 12; done; }
do_schema() {
    timeout 120 "$kraton" serve --data "$folder" --port 0 --bot-port 0 >"$folder/log" 2>&1 &
    server=$!
    while kill -0 $server && ! [ -s "$folder/log" ]; do sleep 0.2; done
    kill $server
    wait $server
    python3 - "$folder" <<'P'
import glob, sqlite3, sys
for path in glob.glob(sys.argv[1] + "/*.db") + glob.glob(sys.argv[1] + "/*.sqlite*"):
    for row in sqlite3.connect(path).execute("select type, name, sql from sqlite_master order by 1, 2"):
        print(row)
P
}

do_database() { python3 tools/dump-database.py "$kraton"; }

for name in signature perft tables records judge boards protocols match openings books schema database; do
    subject $name
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
