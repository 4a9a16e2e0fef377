# The engines on their own: every protocol, garbage, the end of the input. A search that is still
# running when the input ends has a second to end and is answered in any case.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")

# says GAME PATTERN LINES [ARGUMENT...]: an engine told these lines says something that matches, and
# leaves with status 0.
says() {
    game=$1 pattern=$2
    printf '%s\n' "$3" >"$scratch/in"
    shift 3
    "$folder/kraton-$game" "$@" <"$scratch/in" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && grep -qE -e "$pattern" "$scratch/out" ||
        wrong "-$game $* <<$(head -c 200 "$scratch/in")"
}
move='[a-i][0-9][a-i][0-9]'

# the greetings
for game in surakarta xiangqi; do
    says $game '^uciok$' uci
    says $game "^option name UCI_Variant type combo default $game" uci
    for option in 'Hash type spin' 'Threads type spin' 'MultiPV type spin' 'Ponder type check' 'Level type spin' \
        'Rules type string' 'OwnBook type check' 'BookFile type string' 'Move Overhead type spin' 'Split type check'; do
        grep -q "^option name $option" "$scratch/out" || says $game "^option name $option" uci
    done
    says $game '^ucciok$' ucci
    says $game 'feature done=1' 'xboard
protover 2'
done
says surakarta '^option name TablePath type string' uci
says surakarta '^name Kraton' 'name?'

# moves, as the protocols write them
says xiangqi "^bestmove $move" 'uci
position startpos moves h2e2
go depth 4'
says xiangqi '^bestmove [a-i](10|[1-9])[a-i](10|[1-9])' 'uci
setoption name UCI_Variant value xiangqi
position startpos moves h3e3
go depth 4'
says xiangqi "^bestmove $move" 'ucci
position startpos
go depth 4'
says xiangqi "^move $move" 'xboard
protover 2
new
variant xiangqi
sd 4
usermove h2e2'
says surakarta '^bestmove [a-f][1-6][a-f][1-6]' 'uci
position startpos
go nodes 1000'
says surakarta '^move [A-F]{4}$' 'name?
new black'
# a rank of 10 settles the squares
says xiangqi '^bestmove [a-i](10|[1-9])[a-i](10|[1-9])' 'uci
position startpos moves h3e3 h10g8
go depth 4'
grep -q 'info string' "$scratch/out" && wrong 'a rank of 10, and refused'
# after a position that was refused nothing is thought about, and nobody waits for ever
says xiangqi '^bestmove \(none\)$' 'uci
position startpos moves h3e3
go depth 3'
grep -q '^info string no position' "$scratch/out" || wrong 'a refused position: not a word'
says xiangqi '^bestmove \(none\)$' 'uci
position startpos moves h3e3
go infinite
isready
stop'
[ "$(grep -c '^bestmove' "$scratch/out")" -eq 1 ] || wrong 'a refused position: not one answer'
says xiangqi '^nobestmove$' 'ucci
position startpos moves h3e3 h10g8
go depth 3'
# two searches, two answers; searchmoves; several lines
says surakarta '^bestmove a2a3' 'uci
position startpos moves b5b4
go depth 3 searchmoves a2a3'
says surakarta '^bestmove \(none\)$' 'uci
position startpos
go depth 3 searchmoves a2a3'
says xiangqi 'multipv 3 ' 'uci
setoption name MultiPV value 3
position startpos
go depth 3'
says xiangqi '^bestmove' 'uci
go infinite
go depth 2
stop'
[ "$(grep -c '^bestmove' "$scratch/out")" -eq 2 ] || wrong 'two requests, and not two answers'
says xiangqi '^bestmove' 'uci
position startpos
go ponder wtime 1000 btime 1000
ponderhit'
# where nobody ponders it hits nothing, not even where there is no move
for fen in R2k5/1R7/9/9/9/9/9/9/9/4K4 3k5/9/9/9/9/9/9/9/9/R3K4; do
    says xiangqi '^bestmove' "uci
position fen $fen b - - 0 1
go infinite
ponderhit
isready
stop"
    sed '/^readyok$/,$d' "$scratch/out" | grep -q '^bestmove' && wrong "ponderhit, not pondering: answered early"
done
# options change under a search, which goes on: the answer comes when it is due
for question in infinite 'ponder wtime 1000 btime 1000'; do
    for option in 'MultiPV value 2' 'Hash value 2' 'Threads value 2' 'Rules value simple' 'Clear Hash'; do
        says xiangqi '^bestmove' "uci
position startpos
go $question
setoption name $option
isready
stop"
        sed -n '/^readyok$/,$p' "$scratch/out" | grep -c '^bestmove' | grep -qx 1 &&
            [ "$(grep -c '^bestmove' "$scratch/out")" -eq 1 ] || wrong "go $question, setoption $option: answered early"
    done
done
says xiangqi '^pong 1$' 'xboard
new
post
analyze
option MultiPV=2
option Clear Hash
ping 1'
grep -q '^move' "$scratch/out" && wrong 'analyze, option: a move nobody wants'
# analysis that begins while it thinks takes the place of the move
says xiangqi '^pong 2$' 'xboard
new
post
usermove h2e2
ping 1
analyze
?
ping 2'
grep -q '^move' "$scratch/out" && wrong 'analyze while thinking: a move nobody wants'
# an illegal move is said to be one, and the thinking goes on
says xiangqi "^move $move" 'xboard
new
sd 4
usermove h2e2
usermove h2e2'
grep -q '^Illegal move' "$scratch/out" || wrong 'usermove while thinking'
# a question that is repeated while it thinks is still one, and the end of no analysis ends nothing
says xiangqi "^move $move" 'xboard
new
st 0.2
go
go
exit
go
ping 1'
[ "$(grep -c '^move' "$scratch/out")" -eq 1 ] && [ "$(tail -n 1 "$scratch/out")" = 'pong 1' ] ||
    wrong 'go while thinking: not one move'
says surakarta '^move [A-F]{4}$' 'name?
new black
error' --time 0:20
[ "$(grep -c '^move' "$scratch/out")" -eq 1 ] || wrong 'error while thinking: not one move'
# CECP: with `hard` the engine thinks on the opponent's time, about the reply it names; with `easy`
# and in force mode it does not
for hard in hard easy; do
    says xiangqi "^move $move" "xboard
protover 2
new
post
$hard
sd 4
usermove h2e2"
    sed -n '/^move/,$p' "$scratch/out" | grep -q '^Hint: ' && pondered=hard || pondered=easy
    [ $hard = $pondered ] || wrong "xboard, $hard: a hint or none"
done
# no move to make; a claim
says xiangqi '^bestmove \(none\)' 'uci
position fen 3k5/1R7/R8/9/9/9/9/9/9/4K4 b - - 0 1
position fen R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1
go depth 3'
says xiangqi '^1-0 \{' 'xboard
new
setboard R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1
go'
# a clock that has run out, and no time at all, are no leave to think for ever
says xiangqi "^bestmove $move" 'ucci
position startpos
go time -5 increment 0'
says xiangqi "^bestmove $move" 'uci
position startpos
go movetime 0'
# the book, the rules, levels
says xiangqi '^info string from the opening book' 'uci
setoption name OwnBook value true
position startpos
go depth 2'
# its moves are named by the opening they lead to, in every protocol that has words
for seed in 1 2 3; do
    for talk in "uci
setoption name Seed value $seed
setoption name OwnBook value true
position startpos
go depth 2" "ucci
setoption Seed $seed
setoption usebook true
position startpos
go depth 2" "xboard
new
option Seed=$seed
option OwnBook=1
go"; do
        says xiangqi "^(bestmove|move) $move" "$talk"
        played=$(sed -nE "s/^(bestmove|move) ($move).*/\2/p" "$scratch/out")
        named=$("$kraton" openings xiangqi "$played" | sed -nE 's/^([A-E][0-9][0-9]) .*/\1/p' | head -n 1)
        [ -n "$named" ] && grep -q "from the opening book: $named " "$scratch/out" ||
            wrong "-xiangqi: $played is not named $named"
    done
done
says xiangqi '^info string .no.such.file: ' 'uci
setoption name OwnBook value true
setoption name BookFile value /no/such/file
isready'
mkfifo "$scratch/fifo" || exit 1
for odd in "$scratch/fifo" "$scratch" /dev/zero; do
    says xiangqi "^info string $odd: .*, not a book\$" "uci
setoption name OwnBook value true
setoption name BookFile value $odd"
done
says surakarta '^readyok' 'uci
setoption name Rules value ccgc,no-capture=30
isready'
grep -q 'info string' "$scratch/out" && wrong 'Rules refused'
says surakarta '^info string' 'uci
setoption name Rules value nonsense'
# SAU brings its contest's rules, unless somebody has said which: where the first answer without a
# capture ends the game, other moves are played
strange=ccgc,no-capture=2
for first in CBCC BBBC DBDC FBEC; do
    for words in '--depth 4' "--depth 4 --rules $strange" "--depth 4 --option Rules=$strange"; do
        says surakarta '^move [A-F]{4}$' "name?
new white
move $first" $words
        grep '^move' "$scratch/out" >>"$scratch/sau ${words%%=*}"
    done
done
cmp -s "$scratch/sau --depth 4" "$scratch/sau --depth 4 --option Rules" && wrong 'SAU: the option Rules is not kept'
cmp -s "$scratch/sau --depth 4 --rules ccgc,no-capture" "$scratch/sau --depth 4 --option Rules" ||
    wrong 'SAU: --rules and the option Rules are not the same'
for level in 1 4 7; do
    for again in 1 2; do
        says xiangqi '^bestmove' "uci
setoption name Seed value 7
setoption name Level value $level
position startpos moves h2e2 h9g7
go"
        grep '^bestmove' "$scratch/out" >"$scratch/level.$again"
    done
    cmp -s "$scratch/level.1" "$scratch/level.2" || wrong "level $level: one seed, two moves"
    # another position set up meanwhile is another question's
    says xiangqi '^bestmove' "uci
setoption name Seed value 7
setoption name Level value $level
position startpos moves h2e2 h9g7
go
position fen 3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1"
    grep '^bestmove' "$scratch/out" >"$scratch/level.2"
    cmp -s "$scratch/level.1" "$scratch/level.2" || wrong "level $level: another move for a new position"
done
# the last line needs no end
for last in quit isready 'go depth 2'; do
    printf 'uci\nposition startpos\n%s' "$last" >"$scratch/in"
    "$folder/kraton-xiangqi" <"$scratch/in" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && { [ "$last" = quit ] || grep -qE '^(readyok|bestmove)' "$scratch/out"; } ||
        wrong "-xiangqi: $last at the end of the input"
done
# bad words on the command line
for bad in '--time x' '--rules nonsense' '--option Hash=0' '--option Nothing=1' '--nothing' 'bench x'; do
    "$folder/kraton-surakarta" $bad </dev/null >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "-surakarta $bad"
done
# kraton engine is the same program
printf 'uci\nquit\n' >"$scratch/in"
input=$scratch/in
shows '^uciok$' engine xiangqi
shows '^uciok$' engine surakarta --option Hash=2
input=/dev/null
refuses 2 'no game' engine chess

# the signature is the same every time
for game in surakarta xiangqi; do
    for run in 1 2; do
        "$folder/kraton-$game" bench 6 >"$scratch/out" 2>"$scratch/err"
        status=$?
        sed 's/ nodes.*//' "$scratch/out" >"$scratch/signature.$run"
    done
    [ -s "$scratch/signature.1" ] && cmp -s "$scratch/signature.1" "$scratch/signature.2" ||
        wrong "-$game bench: two signatures"
done

# garbage: binary bytes, long lines, words of other protocols; it goes on and leaves at the end
for game in surakarta xiangqi; do
    {
        printf 'uci\n'
        head -c 2000000 /dev/urandom
        printf '\n'
        head -c 3000000 /dev/zero | tr '\0' x
        printf '\nposition nonsense\nposition fen x moves y\ngo go go depth -1 nodes x\nstop\nstop\nponderhit\n'
        printf 'setoption\nsetoption name\nsetoption name Hash value 99999999999999999999\nusermove h2e2\n'
        printf 'position startpos\ngo depth 2\nisready\n'
    } >"$scratch/noise"
    timeout 60 "$folder/kraton-$game" <"$scratch/noise" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && grep -aq '^readyok' "$scratch/out" || wrong "-$game <noise"
done
finish
