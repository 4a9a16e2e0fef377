# A tournament of 200 games a game: the same to the last byte whatever the concurrency, and the same
# as ever. The sums change only with the rules, the openings, the stub engine or the form of the
# output: say why where they are changed here.
. "$(dirname "$0")/lib.sh"
stub=$(dirname "$kraton")/kraton-stub

tournament() {
    game=$1 concurrency=$2
    set --
    for seed in 1 2 3 4 5; do
        set -- "$@" --engine "cmd=$stub --game $game --seed $seed,name=stub $seed"
    done
    rm -f "$scratch"/run.*
    run match $game "$@" --each dialect=uci,tc=60+1 --rounds 10 --openings random --concurrency $concurrency --seed 7 \
        --no-times --quiet --out "$scratch/run"
    [ $status -eq 0 ] && [ "$(wc -l <"$scratch/run.json")" -eq 200 ] || wrong match of 200 games
    grep -v '^\[' "$scratch/run.pgn" | awk 'length > 80 { exit 1 }' || wrong lines of the PGN file
    cat "$scratch/run.json" "$scratch/run.pgn" | sha256sum | cut -c 1-32
}

same() {
    game=$1 wanted=$2
    for concurrency in 1 3; do
        sum=$(tournament $game $concurrency)
        [ "$sum" = "$wanted" ] || {
            echo "$game, $concurrency at a time: $sum, not $wanted"
            failures=$((failures + 1))
        }
    done
}

same surakarta b69cec3ca2f5711a1e72b8b89665cb32
same xiangqi 3b58cd378fcad9b5e71ade6a324552a5
finish
