# Thinking on the opponent's time over CECP, a talk in which each line waits for the answer to the one before.
. "$(dirname "$0")/lib.sh"
talk_with xiangqi
move='[a-i][0-9][a-i][0-9]'

tell 'xboard
protover 2
new
post
hard
sd 5
usermove h2e2'
hears "^move $move"
hears "^Hint: $move"
# it goes on deeper than it may look at its own moves, about what comes behind the hint
hears '^[6-9] '
tell 'ping 1'
hears '^pong 1$'
# the game goes on, and so does the pondering; a question nobody asked is not answered
tell 'usermove b0c2'
hears "^move $move"
hears '^Hint: '
[ "$(grep -c '^move' "$scratch/out")" -eq 2 ] || wrong '-xiangqi over CECP: moves nobody asked for'
# an option changes under it
tell 'memory 2
ping 2'
hears '^pong 2$'
hears '^[6-9] '
# easy ends it, and so would force: no more lines of thinking
tell 'easy
ping 3'
hears '^pong 3$'
said | sed '1,/^pong 3$/d' | grep . && wrong '-xiangqi over CECP: easy does not end the pondering'
tell 'hard
go'
hears "^move $move" # for the other side
hears '^Hint: '
tell 'force
ping 4'
hears '^pong 4$'
tell 'usermove a0a1
undo
ping 5'
hears '^pong 5$'
said | grep '^move' && wrong '-xiangqi over CECP: a move in force mode'
end_talk
finish
