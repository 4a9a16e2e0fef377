#!/bin/sh
# Paper 3's two experiments: the engine with endgame tables against the same engine without, from
# random boards of 10 and of 12 pieces whose sides differ by at most 4, four games a board (either
# side to move, both colours), fixed depth, threefold repetition counted. Ends with a table to hold
# beside the paper's. What was played stays in the folder, and the next call goes on from there.
#
#   tools/paper3-experiments.sh TABLES FOLDER [BOARDS] [DEPTH] [CONCURRENCY]
#
# TABLES holds tables of up to eight pieces under `count` (kraton tb build --pieces 8). Without
# numbers it plays the paper's 1000 boards at depth 8, one game at a time: 16000 games in all.
tables=$1 folder=$2 boards=${3:-1000} depth=${4:-8} concurrency=${5:-1}
[ -n "$folder" ] || {
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
for split in 1v7 2v6 3v5 4v4 5v3 6v2 7v1; do
    [ -e "$tables/count-$split.values" ] && [ -e "$tables/count-$split.distances" ] || {
        echo "$0: $tables has no count-$split; kraton tb build --pieces 8 --rules count --dir $tables makes it" >&2
        exit 1
    }
done
programs=${KRATON_PROGRAMS:-$(dirname "$0")/../build/release}
programs=$(cd "$programs" && pwd) && tables=$(cd "$tables" && pwd) && mkdir -p "$folder" && cd "$folder" || exit 1

# The same boards wherever this runs: a generator of its own, since every awk has another.
make_boards() {
    awk -v pieces="$1" -v boards="$boards" '
        function below(n) { # Lehmer: the products stay below 2^53
            seed = (seed * 48271) % 2147483647
            return int(seed / 2147483647 * n)
        }
        function put(letter, count,   at) {
            while (count > 0) {
                at = below(36)
                if (!(at in board)) { board[at] = letter; count-- }
            }
        }
        BEGIN {
            seed = 20170000 + pieces
            for (n = 0; n < boards; n++) {
                split("", board)
                black = pieces / 2 - 2 + below(5)
                put("b", black)
                put("w", pieces - black)
                fen = ""
                for (at = 0; at < 36; at++) {
                    if (at && at % 6 == 0) fen = fen "/"
                    fen = fen (at in board ? board[at] : "1")
                }
                while (match(fen, /11+/)) fen = substr(fen, 1, RSTART - 1) RLENGTH substr(fen, RSTART + RLENGTH)
                print fen " b 0 1"
                print fen " w 0 1"
            }
        }'
}

# Only the tables of up to six pieces, as in the paper.
mkdir -p six || exit 1
for file in "$tables"/count-*; do
    split=${file##*/count-}
    split=${split%%.*}
    [ $((${split%v*} + ${split#*v})) -le 6 ] && ln -sf "$file" six/
done

# The rules have a comma, so the engines, which have to know them, stand in a file.
rules=icga,no-capture=0
write_config() {
    cat <<END
{"engines": [
    {"name": "tables", "cmd": "$programs/kraton-surakarta", "args": ["--rules", "$rules"],
     "options": {"OwnBook": "false", "TablePath": "$1"}},
    {"name": "none", "cmd": "$programs/kraton-surakarta", "args": ["--rules", "$rules"],
     "options": {"OwnBook": "false"}}],
 "each": {"dialect": "uci", "tc": "depth=$depth"}}
END
}

# play PIECES NAME TABLES
play() {
    make_boards "$1" >"boards-$1.fen"
    write_config "$3" >"$2.config"
    "$programs/kraton" match surakarta --rules "$rules" --config "$2.config" --quiet --resume \
        --out "$2" --openings "boards-$1.fen" --rounds $((2 * boards)) \
        --concurrency "$concurrency" >"$2.log" || {
        cat "$2.log" >&2
        exit 1
    }
}

# count NAME WHAT PAPER: wins, draws and losses of the side with tables; the error is that of the
# mean over boards, whose four games belong together.
count() {
    awk -v what="$2" -v paper="$3" '
        function field(name) { # a number or a text
            match($0, "\"" name "\": ?\"?[^,\"]*")
            value = substr($0, RSTART, RLENGTH)
            sub(/^"[a-z]*": ?"?/, "", value)
            return value
        }
        {
            board = int((field("opening") - 1) / 2)
            result = field("result")
            mine = field("first") == "tables" ? "first wins" : "second wins"
            if (result == "draw") drawn++
            else if (result == mine) { won++; wins[board]++ } else lost++
            if (!(board in seen)) { seen[board] = 1; n++ }
            games[board]++
        }
        END {
            mean = won / NR
            for (board in seen) sum += (wins[board] / games[board] - mean) ^ 2
            error = n > 1 ? 1.96 * sqrt(sum / (n - 1) / n) : 0
            printf "| %s | %s | %d-%d-%d | %.2f %% +- %.2f | %.2f %% |\n", what, paper, won, drawn,
                lost, 100 * mean, 100 * error, 100 * (won + drawn / 2) / NR
        }' "$1.json"
}

play 10 ten-six "$PWD/six"
play 12 twelve-six "$PWD/six"
play 10 ten-eight "$tables"
play 12 twelve-eight "$tables"
echo '| boards, tables | paper 3, six pieces | won-drawn-lost with tables | won | points |'
echo '|---|---|---|---|---|'
count ten-six '10 pieces, six' '2115-12-1873, 52.88 %'
count ten-eight '10 pieces, eight' '-'
count twelve-six '12 pieces, six' '2129-14-1857, 53.23 %'
count twelve-eight '12 pieces, eight' '-'
