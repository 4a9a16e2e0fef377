# judge: verdicts, cycles, illegal moves, many games in one run.
. "$(dirname "$0")/lib.sh"

after='rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2'
ongoing="result: ongoing
reason: Black to move
fen: $after"
# one argument each, several in one, two squares, numbers, every notation
prints "$ongoing" judge xiangqi h2e2 h9g7 h0g2
prints "$ongoing" judge xiangqi 'h2e2 h9g7 h0g2'
prints "$ongoing" judge xiangqi h2 e2 h9 g7 'h0 g2'
prints "$ongoing" judge xiangqi 1. h2e2 h9g7 2. h0g2
prints "$ongoing" judge xiangqi C2=5 h8+7 H2+3
prints "$ongoing" judge xiangqi 炮二平五 马8进7 马二进三
prints 'result: ongoing
reason: White to move
fen: bbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1' judge surakarta b5-b4
prints 'result: ongoing
reason: White to move
fen: bbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1' judge surakarta BBBC
prints "result: ongoing
reason: Red to move
fen: $start" judge xiangqi --fen "$start"
prints "result: ongoing
reason: Red to move
fen: $start" judge xiangqi

# one notation only, for the dialect that counts ranks from 1
prints "$ongoing" judge xiangqi --notation uci1 h3e3 h10g8 h1g3
# a rank of 10 anywhere settles all of them, and other notations may stand between them
prints "$ongoing" judge xiangqi h3e3 h10g8 h1g3
prints "$ongoing" judge xiangqi 'h3 e3 1... h10 g8' h1g3
prints "$ongoing" judge xiangqi 炮二平五 h10g8 H2+3
refuses 1 "^move 1, 'h2e2': " judge xiangqi h2e2 h10g8
refuses 1 "^move 1, 'c2c3': White|^move 2, 'a10a9': " judge surakarta c5c4 a10a9
input=$scratch/list
printf 'h3e3 h10g8 h1g3\nh2e2 h9g7 h0g2\n' >"$scratch/list"
run judge xiangqi
[ $status -eq 0 ] && [ "$(grep -c "^fen: $after\$" "$scratch/out")" -eq 2 ] || wrong 'judge: two lists, two ways to count'
printf 'c4c5\n' >"$scratch/list"
shows '^fen: .*/9/2P6/P3P1P1P/1C5C1/9/' judge xiangqi --notation uci1 -
printf '{"game":"xiangqi","moves":["h3e3","h10g8"]}\n' >"$scratch/list"
shows '^fen: rnbakab1r/9/1c4nc1' judge xiangqi
input=/dev/null
refuses 1 '^move 1, ' judge xiangqi --notation wxf h2e2

# over by what stands on the board
shows '^result: first wins$' judge xiangqi --fen '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1' a6a9
shows '^reason: .*mate' judge xiangqi --fen '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1' a6a9
shows '^result: first wins$' judge surakarta --fen '6/6/1bbb2/3w2/6/6 b 0 1' c4xd3

# a repetition: the cycle alone, then the count that the rule set asks for
shuffle='a0a1 a9a8 a1a0 a8a9'
shows '^cycle: draw$' judge xiangqi $shuffle
shows '^cycle reason: .' judge xiangqi $shuffle
shows '^result: ongoing$' judge xiangqi $shuffle
shows '^result: draw$' judge xiangqi $shuffle $shuffle
shows '^result: ongoing$' judge xiangqi --rules asian $shuffle $shuffle
shows '^result: draw$' judge xiangqi --rules=wxf,repetition=2 $shuffle
run judge xiangqi h2e2
grep -q '^cycle' "$scratch/out" && wrong 'judge: no cycle'
check='c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1'
shows '^cycle: second wins$' judge xiangqi --fen "$check" h8h9 f9f8 h9h8 f8f9 h8h9 f9f8
shows '^cycle: draw$' judge xiangqi --rules simple $shuffle
shows '^cycle: draw$' judge surakarta b5b4 b2b3 b4b5 b3b2
shows '^result: draw$' judge surakarta --rules olympiad2023 b5b4 b2b3 b4b5 b3b2
shows '^result: draw$' judge surakarta --rules no-capture=3 b5b4 b2b3 b4b5

# no rule, no verdict
run judge surakarta --rules ccgc b5b4 b2b3 b4b5 b3b2
grep -q '^cycle' "$scratch/out" && wrong 'judge: a cycle where no rule speaks of one'
refuses 2 "'' is not field=value" judge surakarta --rules icga, b5b4

# the first illegal move, by its number, and nothing else
refuses 1 "^move 3, 'h0h5': .*horse" judge xiangqi h2e2 h9g7 h0h5
refuses 1 '^move 1, ' judge xiangqi nonsense
refuses 1 '^move 2, ' judge surakarta b5-b4 b5-b4
refuses 2 'no rule set' judge surakarta --rules wxf b5b4
# behind an end by counting the moves go on: the first end stands, the rest is of the last position
prints 'result: draw
reason: the position repeats and neither side offends (after move 8 of 9)
fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 9 5
cycle: draw
cycle reason: the position repeats and neither side offends' judge xiangqi $shuffle $shuffle a0a1
shows '^reason: 3 plies without a capture.* \(after move 3 of 4\)$' judge surakarta --rules no-capture=3 \
    b5b4 b2b3 b4b5 b3b2
shows '^reason: 9 plies without a capture.* \(after move 0 of 1\)$' judge surakarta \
    --rules no-capture=9 --fen 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 9 5' b5b4
input=$scratch/list
printf '%s\n' "$shuffle $shuffle a0a1" >"$scratch/list"
shows '^reason: .* \(after move 8 of 9\)$' judge xiangqi
input=/dev/null
# behind a mate there is nothing
run judge xiangqi --fen '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1' a6a9 d9d8
[ $status -eq 1 ] && grep -q '^result: first wins$' "$scratch/out" &&
    grep -q '^move 2: the game was over after move 1 (.*)$' "$scratch/err" || wrong 'judge: moves behind a mate'
run judge xiangqi --fen '3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1' d9e9
[ $status -eq 1 ] && grep -q '^move 1: the game was over before it (.*)$' "$scratch/err" || wrong 'judge: over at once'

# many games, one of them bad, from a file and from standard input
printf 'h2e2 h9g7\nh2e2 h0h5\n%s\n' "a0a1 a9a8 a1a0 a8a9" >"$scratch/list"
for way in "--file $scratch/list" '--file -' '-' ''; do
    input=$scratch/list
    run judge xiangqi $way
    [ $status -eq 1 ] && [ "$(grep -c '^game: ' "$scratch/out")" -eq 2 ] &&
        grep -q '^game: 3$' "$scratch/out" && grep -q '^cycle: draw$' "$scratch/out" &&
        grep -q '^$' "$scratch/out" && grep -qE ':2: .*' "$scratch/err" &&
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "judge xiangqi $way"
done
input=/dev/null
# lists begin where --fen says unless they say so themselves; two squares are a move there too
input=$scratch/list
printf 'f0e1\nfen 4k4/9/9/9/9/9/9/9/9/3K1A3 w f0 e1\n' >"$scratch/list"
run judge xiangqi --fen '3k5/9/9/9/9/9/9/9/9/4KA3 w' -
[ $status -eq 0 ] && grep -q '^fen: 3k5/9/9/9/9/9/9/9/4A4/4K4 b' "$scratch/out" &&
    grep -q '^fen: 4k4/9/9/9/9/9/9/9/4A4/3K5 b' "$scratch/out" || wrong 'judge --fen, a list'
# moves from standard input with --fen alone; an empty one says nothing
printf 'f0e1\n' >"$scratch/list"
shows '^fen: 3k5/9/9/9/9/9/9/9/4A4/4K4 b' judge xiangqi --fen '3k5/9/9/9/9/9/9/9/9/4KA3 w'
: >"$scratch/list"
shows '^fen: 3k5/9/9/9/9/9/9/9/9/4KA3 w' judge xiangqi --fen '3k5/9/9/9/9/9/9/9/9/4KA3 w'
input=/dev/null

# a good game behind many bad ones
input=$scratch/list
{ yes h2e9 | head -n 150; echo h2e2; } >"$scratch/list"
run judge xiangqi
[ $status -eq 1 ] && grep -q '^game: 151$' "$scratch/out" && [ "$(wc -l <"$scratch/err")" -eq 100 ] &&
    grep -q 'and 51 more games' "$scratch/err" || wrong 'judge: a good game behind 150 bad ones'
input=/dev/null

# moves that look like options
four='3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w'
shows '^fen: 3k5/4P4/4P4/4P4/3P5/9' judge xiangqi --fen "$four" --=6
shows '^fen: 3k5/4P4/4P4/4P4/3P5/9' judge xiangqi --=6 --fen "$four"
shows '^fen: 3k5/4P4/4P4/4P4/3P5/9' judge xiangqi --fen "$four" -- --=6

# every published cycle, as the program sees it
cycles=$(dirname "$0")/../../../shared/data/xiangqi-repetition.tsv
if [ -r "$cycles" ]; then
    tab=$(printf '\t')
    judged=0
    while IFS=$tab read -r fen moves verdict; do
        case $fen in '#'* | '') continue ;; esac
        verdict=$(echo "$verdict" | sed 's/red wins/first wins/; s/black wins/second wins/')
        shows "^cycle: $verdict\$" judge xiangqi --fen "$fen" $moves
        judged=$((judged + 1))
    done <"$cycles"
    [ $judged -ge 53 ] || { echo "$judged cycles, not 53"; failures=$((failures + 1)); }
fi
refuses 1 'No such file' judge xiangqi --file "$scratch/nowhere"
refuses 2 "no record format 'xml'" judge xiangqi --file "$scratch/list" --format xml
# Explanations: at every ply what a repetition would bring, and the cycle by article.
shows '^move 4, h2h3: occurrence 2 of the position; the cycle brings: second wins, Red chases' \
    judge xiangqi --explain --fen '3k5/9/9/9/9/9/7c1/8R/9/4K4 w' i2i3 h3h2 i3i2 h2h3
shows '^Red i2i3: the chariot on i3 attacks the cannon on h3, which has no root: chase .article 5.$' \
    judge xiangqi --explain --fen '3k5/9/9/9/9/9/7c1/8R/9/4K4 w' i2i3 h3h2 i3i2 h2h3
shows '"explanation": ?."move 4, h2h3: occurrence 2 .*"Red i2i3: the chariot on i3 attacks' \
    judge xiangqi --explain --json --fen '3k5/9/9/9/9/9/7c1/8R/9/4K4 w' i2i3 h3h2 i3i2 h2h3
# Rules without chases name none.
run judge xiangqi --rules simple --explain --fen '3k5/9/9/9/9/9/7c1/8R/9/4K4 w' i2i3 h3h2 i3i2 h2h3
[ $status -eq 0 ] && grep -qx 'Red i2i3: gives no check' "$scratch/out" && ! grep -q 'chase\|article' "$scratch/out" ||
    wrong judge --rules simple --explain
# A binary file of the other game is one bad game.
printf '1. h2e2 *\n' >"$scratch/one.pgn"
run convert pgn xqf "$scratch/one.pgn" -o "$scratch/one.xqf"
run judge surakarta --file "$scratch/one.xqf"
[ $status -eq 1 ] && [ "$(cat "$scratch/err")" = "$scratch/one.xqf:1: XQF records are Xiangqi's" ] || wrong judge surakarta --file one.xqf
# Games of a folder are named by their files.
mkdir "$scratch/folder"
printf '1. h2e2 *\n' | tee "$scratch/folder/a.pgn" >"$scratch/folder/b.pgn"
shows '^file: .*/folder/b.pgn$' judge xiangqi --file "$scratch/folder"
shows '"file": ?".*/folder/b.pgn"' judge xiangqi --json --file "$scratch/folder"
# The position comes back another way: Red has varied.
shows '^move 6, d9d8: occurrence 2 of the position' \
    judge xiangqi --explain --fen '3k5/9/9/9/9/9/9/8R/9/4K4 w' i2i3 d9d8 i3i4 d8d9 i4i3 d9d8
shows '^cycle reason: Red checks, chases or threatens mate with every move$' \
    judge xiangqi --rules cxa --fen '3k5/9/9/9/9/9/7c1/8R/9/4K4 w' i2i9 d9d8 i9i3 h3h2 i3i8 d8d9 i8i2 h2h3

finish
