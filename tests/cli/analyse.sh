# analyse: positions, records, what is written, bad input, an interrupt.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")

shows '^best [a-i][0-9][a-i][0-9]$' analyse xiangqi start --depth 4
grep -qE '^ +4  +(Red|Black) \+[0-9.]+ +[0-9]+ +[0-9.]+  [a-i]' "$scratch/out" || wrong 'analyse: no line of depth 4'
shows '^ +3   2 ' analyse surakarta 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1' --depth 3 --lines 2
shows '^best ' analyse xiangqi '3k5/9/9/R8/9/9/9/9/9/4K4 w - - 0 1' --nodes 2000 --notation wxf
shows 'Red wins in 1' analyse xiangqi '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1' --depth 3
shows '^first wins: ' analyse xiangqi 'R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1' --depth 3

# wherever it is cut short, the best move is the first line's
for nodes in 5000 9000 17000; do
    shows '^best ' analyse xiangqi start --lines 3 --nodes $nodes
    first=$(sed -nE 's/^ +[0-9]+ +1 .*[0-9]  ([a-i][0-9][a-i][0-9]).*$/\1/p' "$scratch/out" | tail -n 1)
    grep -q "^best $first" "$scratch/out" && [ -n "$first" ] || wrong "analyse: $nodes nodes, best is not the first line's"
done

# won by a rule of the game's history, not by a mate in so many: Red checks for ever and may not
perpetual='4k4/9/9/9/8R/9/9/2r6/1r7/5K3 w - - 0 1'
shows '^ +12  Black wins  ' analyse xiangqi "$perpetual" --rules simple --depth 12
printf '[Game "Chinese Chess"]\n[FEN "%s"]\n[SetUp "1"]\n\n1. I5-E5 E9-D9 *\n' "$perpetual" >"$scratch/won.pgn"
shows '1\. i5e5 +Black wins, best$' analyse xiangqi "$scratch/won.pgn" --rules simple --depth 12 -o "$scratch/won.json"
grep -q '"score":-20000,"best_score":-20000' "$scratch/won.json" || wrong 'analyse: a game won by history as JSON'

# a game: the cannon is thrown away, and that is said; what is written can be read back
printf 'h2e2 h9g7 e2e6 a9a8 e6e5 a8a9\n' >"$scratch/game.moves"
shows ' e2e6\?\? ' analyse xiangqi "$scratch/game.moves" --depth 5 -o "$scratch/game.pgn"
grep -q '^6 of 6 moves; Red loses ' "$scratch/out" || wrong 'analyse: no summary'
grep -q '{' "$scratch/game.pgn" || wrong 'analyse: no comment in the PGN'
shows '^result: ongoing$' judge xiangqi --file "$scratch/game.pgn"
shows '^6 of 6 moves' analyse xiangqi "$scratch/game.pgn" --depth 2 -o "$scratch/game.json"
grep -q '"analysis":\[{"move":"h2e2",' "$scratch/game.json" || wrong 'analyse: the JSON'
# what the record says stays: variations, comments, marks and clock times, beside what the engine says
printf '%s\n' '{before} 1. H2-E2!? {[%clk 0:10:00] the centre} (1. B2-E2 {also} 1... B9-C7?) 1... H9-G7 2. E2-E6! $14 A9-A8 *' >"$scratch/tree.pgn"
shows '^4 of 4 moves' analyse xiangqi "$scratch/tree.pgn" --depth 5 -o "$scratch/tree2.pgn"
tr '\n' ' ' <"$scratch/tree2.pgn" >"$scratch/line"
for kept in '{before} 1\. H2-E2' 'H2-E2\(!?\|?!* \$5\)' 'clk 0:10:00' 'the centre}' '(1\. B2-E2 {also} 1\.\.\. B9-C7?)' 'E2-E6?? \$1 \$14'; do
    grep -q "$kept" "$scratch/line" || wrong "analyse: $kept is lost: $(cat "$scratch/tree2.pgn")"
done
# the JSON has the record, which can be read back
shows '^4 of 4 moves' analyse xiangqi "$scratch/tree.pgn" --depth 1 -o "$scratch/tree.json"
python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["record"]))' <"$scratch/tree.json" >"$scratch/record.json"
shows '^.before. 1\. H2-E2!\? .*the centre.*\(1\. B2-E2 .also. 1\.\.\. B9-C7\?\)' convert json pgn "$scratch/record.json"
# good moves are no mistakes, however shallow the look; the best one is worth what it is worth
printf 'h2e2 b7e7 h0g2\n' >"$scratch/good.moves"
for depth in 5 6; do
    shows '; [0-9]+ \?!, 0 \?, 0 \?\?$' analyse xiangqi "$scratch/good.moves" --depth $depth
done
cat >"$scratch/optimist" <<'end' # whoever is to move is better
while read -r line; do
    case $line in
    uci) printf 'id name Optimist\nuciok\n' ;;
    isready) echo readyok ;;
    position*) set -- $line && [ $# -gt 3 ] && [ $(($# % 2)) -eq 0 ] && move=a6a5 || move=a3a4 ;;
    go*) printf 'info depth 1 score cp 100 pv %s\nbestmove %s\n' $move $move ;;
    quit) exit ;;
    esac
done
end
shows '^3 of 3 moves; Red loses 0.00 a move; Black loses 0.00 a move; 0 \?!, 0 \?, 0 \?\?$' \
    analyse xiangqi "$scratch/good.moves" --depth 1 --engine "cmd=sh $scratch/optimist,dialect=uci"
for limit in '--depth 3' '--nodes 3000'; do
    shows ', best$' analyse xiangqi "$scratch/game.moves" $limit -o "$scratch/limit.json"
    tr '{' '\n' <"$scratch/limit.json" | sed -nE 's/^"move":"([^"]*)","score":(-?[0-9]+),"best_score":(-?[0-9]+),"loss":([0-9]+),.*"best":"([^" ]*).*/\1 \2 \3 \4 \5/p' |
        awk '$1 == $5 && ($2 != $3 || $4) || $4 && $3 - $2 < $4 { bad = 1 } END { exit bad || NR != 6 }' ||
        wrong "analyse $limit: what the best move is worth"
done
# an engine of another protocol, and a stupid one
shows ' e2e6\?\? ' analyse xiangqi "$scratch/game.moves" --depth 5 --engine "cmd=$folder/kraton-xiangqi,dialect=ucci"
shows '^6 of 6 moves' analyse xiangqi "$scratch/game.moves" --depth 2 --engine "$folder/kraton-stub"
printf 'b5b4 b2b3\nb5b4\n' >"$scratch/two.moves"
shows '^game 2: ' analyse surakarta "$scratch/two.moves" --depth 2
input=$scratch/two.moves
shows '^2 of 2 moves' analyse surakarta - --depth 2
input=/dev/null

refuses 1 'neither a file nor a FEN' analyse xiangqi nonsense
refuses 2 'no game' analyse chess start
refuses 2 'lines takes' analyse xiangqi start --lines 0
refuses 2 'depth' analyse xiangqi start --depth x
refuses 2 'is no number' analyse xiangqi start --time 1,2
refuses 1 'cannot be started' analyse xiangqi start --engine "$scratch/none"
refuses 2 'usage' analyse xiangqi

# an interrupt ends it with what there is
for what in start "$scratch/game.moves"; do
    "$kraton" analyse xiangqi "$what" --time 100 -o "$scratch/left.pgn" </dev/null >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    comes_true test -s "$scratch/out" || wrong "analyse $what, says nothing"
    kill -INT $pid
    wait $pid
    status=$?
    grep -qE '^best |^[01] of 6 moves' "$scratch/out" || wrong "analyse $what, interrupted"
done
finish
