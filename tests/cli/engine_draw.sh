# Draws, offered over UCCI: each move waits for the one before.
. "$(dirname "$0")/lib.sh"
move='[a-i][0-9][a-i][0-9]'
talk_with xiangqi

# not in the opening
tell 'ucci
position startpos
go depth 2 draw'
hears "^bestmove $move"
said | grep -q '^bestmove.* draw$' && wrong '(kraton-xiangqi): a draw in the opening'
# an offer is over with the move, out of the book too: who stands worse would accept one
tell 'setoption usebook true
position startpos
go depth 2 draw'
hears '^info message from the opening book'
hears "^bestmove $move"
tell 'position fen 3k5/9/9/9/9/9/9/9/9/r3KA3 w - - 0 1
go depth 2'
hears "^bestmove $move"
said | grep -q '^bestmove.* draw$' && wrong '(kraton-xiangqi): an offer outlives a move of the book'
# nobody can win, and after four moves of that an offer is accepted
drawn='position fen 3k5/9/9/9/9/9/9/9/9/4KA3 w - - 0 1 moves'
for i in 1 2 3 4 5 6 7 8 9 10; do
    drawn="$drawn f0e1 d9d8 e1f0 d8d9"
done
tell "setoption newgame
$drawn"
for i in 1 2 3; do
    tell 'go depth 2 draw'
    hears "^bestmove $move"
    said | grep -q '^bestmove.* draw$' && wrong "(kraton-xiangqi): a draw after $i moves"
done
tell 'go depth 2 draw'
hears "^bestmove $move.* draw\$"
# unasked it is not offered so soon
tell 'go depth 2'
hears "^bestmove $move"
said | grep -q '^bestmove.* draw$' && wrong '(kraton-xiangqi): a draw nobody offered'
# who stands worse accepts at once
tell 'setoption newgame
position fen 3k5/9/9/9/9/9/9/9/9/r3KA3 w - - 0 1
go depth 2 draw'
hears "^bestmove $move.* draw\$"
end_talk
finish
