# play against the computer, piped: what it says, what it survives.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")

# plays LINES PATTERN ARGUMENT...: types the lines; a line of the output matches.
plays() {
    printf '%s\n' "$1" >"$scratch/typed"
    pattern=$2
    shift 2
    input=$scratch/typed
    shows "$pattern" play "$@"
}
# said PATTERN: so did another line.
said() {
    grep -qE -e "$1" "$scratch/out" || wrong "play: nothing like $1"
}

plays 'h2 e2' 'Black played ' xiangqi --depth 2
plays 'h2e2
q' 'Black played ' xiangqi
plays 'q' '^Black to move> ' xiangqi --side second --depth 1
said 'Red played'
plays 'q' '^Black to move> ' xiangqi --side black --time 0.01
plays 'b5b4' 'White played ' surakarta --level 1
plays 'b2 b3' 'Black played ' surakarta --side white --depth 3
# what it thinks, in the notation asked for
plays 'a3a4' '(Red|Black) \+[0-9]+\.[0-9][0-9], depth 3: ' xiangqi --depth 3 --fen '3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1'
plays 'a3a4' 'Black played K' xiangqi --depth 3 --notation wxf --fen '3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1'
plays 'hint' '^Hint: ' surakarta --depth 2
plays 'hint' '^Hint: ' xiangqi --two
plays 'h2e2' 'Opening: [A-E][0-9][0-9] ' xiangqi --depth 1
# two plies are taken back, so that it is one's turn again
plays 'b5b4
undo
fen' '^bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1' surakarta --depth 2
plays 'undo' 'no move to take back' surakarta --depth 2
plays 'level 3
level
level 99
level x' 'from 1 to 10' xiangqi
said '^Level 3 from here on'
said 'plays at level 3'
plays 'switch
q' 'Red played' xiangqi --depth 1
said '^Black to move> '
plays 'draw' 'The computer plays on' xiangqi --depth 1
plays 'resign' 'Black wins: Red resigned' xiangqi --depth 1
# the end of the game by the computer's move and by one's own
plays 'a6a9' 'Red wins: ' xiangqi --depth 1 --fen '3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1'
plays 'e0f0' 'Black wins: Red is mated' xiangqi --depth 4 --fen '3k5/9/9/9/9/9/1r7/9/r8/4K4 w - - 0 1'
# games are saved and loaded
plays "h2e2
save $scratch/game.pgn
new
load $scratch/game.pgn
fen" '^Loaded .*game.pgn: 2 moves' xiangqi --depth 1
plays "load $scratch/none.pgn
load
load $kraton" 'Not loaded: ' xiangqi --two
# a game that cannot be loaded leaves the one on the board as it was, and unsaved
printf 'h2e2 h9g7 h0g3\n' >"$scratch/bad.moves"
plays "h2e2
load $scratch/bad.moves

fen" 'Not loaded: ' xiangqi --two
said '/1C2C4/9/RNBAKABNR b'
said '^Not saved: h2e2'
plays "h2e2
load $scratch/none.pgn
" '^Not saved: h2e2' xiangqi --two
plays "h2e2
quit
" 'Save the game first' xiangqi --two
grep -q '^Not saved' "$scratch/out" && wrong 'play: who wants no file is not told of it'
# in the book, and out of it
plays 'h2e2' '^From the opening book\.$' xiangqi --depth 1
plays 'h2e2
a3a4
a4a5
a5a6' '^Out of the opening book\. (Red|Black|even)' xiangqi --depth 1
plays 'a3a4' 'depth 3: ' xiangqi --depth 3 --fen '3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1'
grep -q 'opening book' "$scratch/out" && wrong 'play: a book without one'
plays 'q' '^Black to move> ' surakarta --depth 1 --rules traditional

# other engines; one that dies is replaced once, then the game goes on without it
plays 'h2e2' 'Black played ' xiangqi --engine "$folder/kraton-stub"
plays 'h2e2' 'Black played ' xiangqi --engine "cmd=$folder/kraton-stub --dialect cecp,dialect=cecp" --depth 1
plays 'b5b4
b4b5' 'White played ' surakarta --engine "cmd=$folder/kraton-stub --game surakarta,dialect=sau"
plays 'level 3' 'only Kraton' xiangqi --engine "$folder/kraton-stub"
for fault in crash exit illegal close-stdout; do
    plays 'h2e2
fen' 'The engine is gone .*\. Play both sides' xiangqi --engine "$folder/kraton-stub --fault $fault@1"
    said ' w - - | b - - '
done
input=/dev/null
refuses 1 'cannot be started' play xiangqi --engine "$scratch/none"

# An engine named without a path is looked for beside kraton, as in the README's example.
plays 'h2e2' '^Black played ' xiangqi --engine 'kraton-xiangqi --player paper4'
input=/dev/null
# Where it was looked for is said by every command that starts engines.
echo krt_x >"$scratch/token"
nowhere="engine no-such-engine cannot be started: no program 'no-such-engine' in .*, in PATH or in /usr/games"
refuses 1 "^kraton play: $nowhere" play xiangqi --engine no-such-engine
refuses 1 "^kraton analyse: $nowhere" analyse xiangqi start --engine no-such-engine
refuses 1 "^kraton match: $nowhere" match xiangqi --engine kraton-stub --engine no-such-engine --each tc=1,dialect=uci
refuses 1 "^kraton engine-check: $nowhere" engine-check xiangqi no-such-engine --dialect uci
refuses 1 "^kraton join: $nowhere" join localhost:1 --engine no-such-engine --token-file "$scratch/token"
refuses 1 "^kraton book: $nowhere" book grow --game xiangqi --out "$scratch/none.book" --engine no-such-engine
refuses 1 'the engine has no cmd' play xiangqi --engine dialect=uci
# A relative path counts from the engine's folder.
ln -s "$(cd "$folder" && pwd)/kraton-stub" "$scratch/stub"
run match xiangqi --engine "cmd=./stub,dir=$scratch" --engine kraton-stub --each tc=1,dialect=uci --move-limit 2
[ $status -eq 0 ] || wrong match with an engine in its own folder
refuses 1 'cannot be started: ./stub: No such file' match xiangqi --engine ./stub --engine kraton-stub --each tc=1
refuses 2 'level takes a number' play xiangqi --level 11
refuses 2 'level takes a number' play xiangqi --level x
refuses 2 'depth takes a number' play xiangqi --depth 0
refuses 2 'time takes seconds' play xiangqi --time x
refuses 2 'side takes first' play xiangqi --side green
refuses 2 'with --two' play xiangqi --two --level 3
refuses 2 'own depth and time' play xiangqi --level 3 --depth 3
finish
