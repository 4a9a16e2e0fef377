# Small runs of `kraton bench serve` (every game ends, every record is right) and `bench archive`.
. "$(dirname "$0")/lib.sh"
shows '^records +8 of 8 right$' bench serve --games 8 --spectators 4 --idle 20 --rate 0 --plies 60 2>/dev/null
refuses 2 'takes a number' bench serve --games x
shows '^start  +50 found' bench archive --games 150 --data "$scratch/archive"
shows '^nowhere  +0 found' bench archive --games 150 --data "$scratch/archive"
finish
