#!/bin/sh
# The matches that show how strong the engines are, one after the other, one game at a time on one thread: against the
# engines of an earlier commit, Debian's fairy-stockfish, and Pikafish-HCE (a program in a folder of its own; it is
# skipped where there is none). Equal time a move, openings that a search calls even, each with both colours.
#   tools/match-goals.sh FOLDER [NAME=VALUE...] [MATCH...]     all matches, or these
#   tools/match-goals.sh FOLDER table                          the results so far
# It can be interrupted at any time; the same command goes on. All of it takes some 12 hours. Nothing else should be
# running: times count.
#   games=N             at most so many games a match
#   minutes=N           a match is broken off after N minutes and the next one begins; run it again for the rest
#   commit=a0d7884      the earlier engines; built in FOLDER from the repository's history
#   pikafish=FOLDER     has the program `pikafish`
#   build=build/release
most=1000 minutes=0 commit=a0d7884 pikafish= build=$(dirname "$0")/../build/release
# What a search may see a side ahead by, in centipawns: both are about 58 % for that side.
within_surakarta=15 within_xiangqi=90
# NAME GAME OPPONENT SECONDS GAMES GOAL (per cent)
matches='surakarta-0.1 surakarta before 0.1 1000 60
xiangqi-0.1 xiangqi before 0.1 400 75
fairy-stockfish-0.1 xiangqi fairy-stockfish 0.1 400 97
xiangqi-1 xiangqi before 1 100 75
pikafish-0.1 xiangqi pikafish 0.1 200 80
pikafish-1 xiangqi pikafish 1 60 75'
fail() {
    echo "match-goals.sh: $*" >&2
    exit 1
}
[ $# -ge 1 ] || fail 'usage: tools/match-goals.sh FOLDER [NAME=VALUE...] [MATCH...]'
folder=$1 wanted=
shift
for word; do
    case $word in
    minutes=* | games=*)
        case ${word#*=} in '' | *[!0-9]*) fail "not a number: $word" ;; esac
        [ "${word%%=*}" = games ] && most=${word#*=} || minutes=${word#*=}
        ;;
    commit=* | pikafish=* | build=*) eval "${word%%=*}=\${word#*=}" ;;
    table) wanted=table ;;
    *)
        echo "$matches" | grep -q "^$word " || fail "no such match: $word; there are $(echo "$matches" | cut -d ' ' -f 1 | tr '\n' ' ')"
        wanted="$wanted $word"
        ;;
    esac
done
tools=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || fail "$folder: no folder"

# Name, goal and what was scored so far.
table() {
    echo "$matches" | while read -r name game opponent seconds games goal; do
        printf '%-20s goal %2d %% of %4d games: %s\n' "$name" "$goal" "$games" \
            "$([ -s "$folder/$name.json" ] && awk -v us=kraton -f "$tools/score.awk" "$folder/$name.json" || echo 'not begun')"
    done
}
[ "$wanted" = table ] && table && exit

build=$(cd "$build" 2>/dev/null && pwd) && [ -x "$build/kraton-lab-xiangqi" ] || fail "no programs in the build folder: cmake --build --preset release"
# The engine that plays stays the same whatever is built meanwhile.
[ -x "$folder/now/kraton" ] || {
    mkdir -p "$folder/now" && cp "$build/kraton" "$build/kraton-guard" "$build/kraton-surakarta" "$build/kraton-xiangqi" "$folder/now"
} || fail "cannot copy the programs of $build"

# The program of an opponent; empty where it is not there.
program() {
    case $2 in
    before)
        if [ ! -x "$folder/$commit/build/release/kraton-$1" ]; then
            mkdir -p "$folder/$commit" && git -C "$tools/.." archive "$commit" | tar x -C "$folder/$commit" &&
                (cd "$folder/$commit" && cmake --preset release && cmake --build --preset release --target "kraton-$1") \
                    >"$folder/$commit.log" 2>&1 || fail "building $commit: see $folder/$commit.log"
        fi
        echo "$folder/$commit/build/release/kraton-$1"
        ;;
    pikafish) [ -n "$pikafish" ] && (cd "$pikafish" && [ -x pikafish ] && echo "$PWD/pikafish") ;;
    *) PATH=$PATH:/usr/games command -v "$2" ;;
    esac
}

# play NAME GAME OPPONENT SECONDS GAMES
play() {
    program=$(program "$2" "$3") || {
        echo "$1: skipped, there is no $3 here"
        return 0
    }
    openings=$folder/$2.openings
    [ -s "$openings" ] || {
        "$build/kraton-lab-$2" selfplay --openings "$(eval "echo \$within_$2")" --games 500 --random 16 --nodes 20000 --seed 19 --out "$openings.new" 2>"$openings.log" &&
            mv "$openings.new" "$openings"
    } || fail "openings: see $openings.log"
    $([ "$minutes" -gt 0 ] && echo "timeout -s INT ${minutes}m") "$folder/now/kraton" match "$2" --quiet --concurrency 1 \
        --engine "cmd=$folder/now/kraton-$2,name=kraton" --engine "cmd=$program,name=$3" \
        --each "option.Hash=64,tc=st=$4,margin=0.2" --openings "$openings" --rounds $((($5 < most ? $5 : most) / 2)) --resign score=1000,moves=4,both=1 \
        --out "$folder/$1" $([ -e "$folder/$1.journal" ] && echo --resume) >"$folder/$1.report" 2>&1
    status=$?
    [ $status -eq 0 ] || [ -s "$folder/$1.json" ] || fail "$1: $(tail -n 1 "$folder/$1.report")"
    # A person who interrupts ends the script too; the clock of minutes= does not.
    [ $status -ne 130 ] || [ "$minutes" -gt 0 ] || exit 130
}

echo "$matches" | while read -r name game opponent seconds games goal; do
    case " ${wanted:-$name} " in *" $name "*) play "$name" "$game" "$opponent" "$seconds" "$games" </dev/null || exit 1 ;; esac
done || exit 1
table
