# play between two people, piped. play_engine.sh is about the computer.
. "$(dirname "$0")/lib.sh"

# plays LINES PATTERN ARGUMENT...: types the lines; a line of the output matches.
plays() {
    printf '%s\n' "$1" >"$scratch/typed"
    pattern=$2
    shift 2
    input=$scratch/typed
    shows "$pattern" play --two "$@"
}
plays q 'Which game' # and nothing happens
plays '1
q' '^Black to move> '
plays 'xiangqi
q' '^Red to move> '
printf '2\n0\nh2e2\n' >"$scratch/typed" # the same by the menu
shows 'Red played h2e2' play
plays 'h2 e2' 'Red played h2e2' xiangqi
plays 'h2e2
h7
q' '^h7c7 ' xiangqi
plays 'a1' 'has no move from a1' surakarta
plays 'b5-b4
b2b3
undo
fen' 'bbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1' surakarta
plays undo 'no move to take back' xiangqi
plays 'h2h9
foo bar baz' 'One move at a time' xiangqi
plays 'udno' 'did you mean undo\?' xiangqi
plays 'leevl 3' 'did you mean level\?' xiangqi
plays 'hitn' 'did you mean hint\?' surakarta
plays 'resign' 'Black wins: Red resigned' xiangqi
plays 'resign
undo
h2e2' 'Red played h2e2' xiangqi
plays 'draw
no' 'the game goes on' xiangqi
plays 'draw
yes' 'drawn: by agreement' xiangqi
plays 'h2e2
resign
h9g7' 'The game is over' xiangqi
plays 'a6a9' 'Red wins: ' xiangqi --fen '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1'
plays 'd4e4' 'Check!' xiangqi --fen '3ak4/9/9/9/9/3R5/9/9/9/3K5 w - - 0 1'
plays moves 'a3a4' xiangqi
plays help 'take your last move back' surakarta
plays 'h2e2
new

fen' "$start" xiangqi
plays 'h2e2' '^Not saved: h2e2$' xiangqi
plays 'h2e2
q' 'Save the game first' xiangqi
plays '' '^Red to move> ' xiangqi --rules asian
plays 1 "'1' is not a move" xiangqi

# ranks from 1: as soon as a 10 is typed, or from the start
plays 'h2e2
h10g8
h1' '^h1g3 h1i3$' xiangqi
plays 'h3e3' 'with --notation uci1 they count from 1' xiangqi
plays 'h3h9' 'Red to move' xiangqi
grep -q 'notation uci1' "$scratch/out" && wrong 'play: advice that does not help'
plays 'h3e3' 'Red played h3e3' xiangqi --notation uci1
plays 'h3e3' '^10 ' xiangqi --notation uci1
plays 'h2e2
h10g7
h9g7' 'Black played h9g7' xiangqi # a slip settles nothing

# a game is not lost, whatever ends it
plays 'h2e2
q' '^Not saved: h2e2$' xiangqi
plays 'h2e2
new' '^Not saved: h2e2$' xiangqi
plays "h2e2
q
yes
$scratch/no/such/folder.pgn" '^Not saved: h2e2$' xiangqi
plays 'h2e2
q
yes' '^Not saved: h2e2$' xiangqi
plays 'f0 e1' '^Not saved: fen 3k5/9/9/9/9/9/9/9/9/4KA3 w - - 0 1 moves f0e1$' xiangqi \
    --fen '  3k5/9/9/9/9/9/9/9/9/4KA3   w'
for answer in '' no; do
    plays "h2e2
q
$answer" 'Save the game first' xiangqi
    grep -q '^Not saved' "$scratch/out" && wrong 'play: not wanted, and still printed'
done
for noise in "$(head -c 5000 /dev/zero | tr '\0' x)" "$(yes 'no move' | head -n 100)"; do
    printf 'h2e2\n%s\n' "$noise" >"$scratch/typed"
    input=$scratch/typed
    run play xiangqi --two
    [ $status -eq 1 ] && grep -q '^Not saved: h2e2$' "$scratch/out" &&
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong 'play: noise behind a game'
done
# a start with odd blanks can be saved
plays "f0e1
save $scratch/blanks.pgn" '^Saved as' xiangqi --fen '3k5/9/9/9/9/9/9/9/9/4KA3   w'
# at a terminal a line too long is a slip
if has_terminal; then
    talk_to script -qec "$kraton play xiangqi --two" /dev/null
    tell h2e2
    hears 'Red played h2e2'
    tell "$(head -c 2000 /dev/zero | tr '\0' x)"
    hears 'too long'
    tell h9g7
    hears 'Black played h9g7'
    tell 'q
'
    exec 3>&-
    wait $pid
    rm "$scratch/talk"
fi

# saved games can be read back, and no file is overwritten
for case in 'xiangqi pgn h2e2' 'xiangqi json h2e2' 'xiangqi moves h2e2' 'surakarta txt b5b4' 'surakarta json b5b4'; do
    set -- $case
    rm -f "$scratch/game.$2"
    plays "$3
save $scratch/game.$2
q" "^Saved as" "$1"
    input=/dev/null
    shows '^result: ongoing$' judge "$1" --file "$scratch/game.$2"
    plays "$3
save $scratch/game.$2" 'There is a file' "$1"
done
# a game that was given up or agreed upon stays ended when it is loaded; undo takes that back
for case in 'xiangqi pgn h2e2 h9g7 Red.wins:.Black.resigned resign' 'xiangqi json h2e2 h9g7 drawn:.by.agreement draw yes' 'surakarta txt b5b4 b2b3 Black.wins:.by.the.record resign'; do
    set -- $case
    rm -f "$scratch/ended.$2"
    plays "$3
$6${7:+
$7}
save $scratch/ended.$2" '^Saved as' "$1"
    plays "load $scratch/ended.$2
$4" "$5" "$1"
    grep -q 'It is over; undo' "$scratch/out" && grep -q '^The game is over' "$scratch/out" ||
        wrong "play: $2, loaded and not over"
    plays "load $scratch/ended.$2
undo
$4" '(Black|White) played (h9g7|b2-b3)' "$1"
    grep -q '^The game is over' "$scratch/out" && wrong "play: $2, loaded and not to be taken back"
done
# and goes on by its rules
plays "h2e2
h9g7
save $scratch/rules.pgn" '^Saved as' xiangqi --rules no-capture=3
plays "load $scratch/rules.pgn
b0c2" 'The game is drawn: ' xiangqi
grep -q '^Loaded .* Its rules: .*no-capture=3,' "$scratch/out" || wrong 'play: the rules of a record'
sed -i 's/^\[Rules .*/[Rules "of the house"]/' "$scratch/rules.pgn"
plays "load $scratch/rules.pgn
b0c2" 'Red played b0c2' xiangqi
grep -q 'drawn' "$scratch/out" && wrong 'play: rules nobody knows'
plays "h2e2
save $scratch/no/such/folder.pgn" 'Not saved: ' xiangqi
# the offer to save takes yes and no, and a name only then: no command makes a file
plays "h2e2
quit
load x
$scratch/name.pgn
 Yes 

y
$scratch/offered.pgn" '^Saved as .*offered.pgn' xiangqi
[ -s "$scratch/offered.pgn" ] && [ ! -e "$scratch/name.pgn" ] || wrong 'play: the offer to save'
grep -q "^Please answer yes or no: 'load x' is neither" "$scratch/out" || wrong 'play: a command for an answer'
{ printf 'h2e2\nquit\n' && yes "load x" | head -n 100; } >"$scratch/typed"
input=$scratch/typed
run play xiangqi --two
[ $status -eq 1 ] && grep -q '^Not saved: h2e2$' "$scratch/out" && [ "$(wc -l <"$scratch/err")" -eq 1 ] ||
    wrong 'play: noise for an answer'

input=/dev/null
shows '^Red to move> ' play xiangqi --two
# noise is given up on
yes 'no move at all' | head -n 100000 >"$scratch/noise"
input=$scratch/noise
run play xiangqi --two
[ $status -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong 'play xiangqi <noise'
finish
