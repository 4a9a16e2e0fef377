# Small runs of `kraton bench serve` (every game ends, every record is right) and `bench archive`.
. "$(dirname "$0")/lib.sh"
load='bench serve --games 8 --spectators 4 --rate 0 --plies 60 --moves 2000'
shows '^records +([0-9]+) of \1 right$' $load --idle 20 2>/dev/null
# Spectators go on to the next game of their player: four of them see every second move of eight games, to the end.
shows '^shown +[0-9]+ moves, 0\.(4[5-9]|5[0-5]) for each move' $load --idle 0 2>/dev/null
refuses 2 'takes a number' bench serve --games x
shows '^start  +50 found' bench archive --games 150 --data "$scratch/archive"
shows '^nowhere  +0 found' bench archive --games 150 --data "$scratch/archive"
finish
