# The engines' manners by kraton's own judge of them.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")
shows '^ok     leaves when told' engine-check xiangqi "$folder/kraton-xiangqi" --dialect uci
grep -qE '^ok     answers when told to stop: [0-9]+\.[0-9] ms$' "$scratch/out" || wrong 'engine-check, uci: stop'
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta" --dialect ucci
grep -qE '^ok     answers when told to stop: [0-9]+\.[0-9] ms$' "$scratch/out" || wrong 'engine-check, ucci: stop'
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta --time 10" --dialect sau
# Checks that could not be made are named.
grep -q '^skip   plays to a depth: its protocol has no such command$' "$scratch/out" || wrong 'engine-check, sau: depth'
shows '^skip   plays from set-up positions: it cannot set up positions$' engine-check xiangqi "$folder/kraton-stub --no-setup" --dialect cecp
refuses 1 'answers no greeting .uci, ucci, cecp.; name its protocol with --dialect$' engine-check xiangqi "$folder/kraton-stub --fault mute"
refuses 2 "'x. is none of uci, ucci, cecp, sau" engine-check xiangqi "$folder/kraton-stub" --dialect x
run engine-check xiangqi "$folder/kraton-stub --fault illegal@1" --dialect uci
[ $status -eq 1 ] && grep -q '^skip   plays to a depth: it failed before$' "$scratch/out" &&
    grep -qE '^[0-9]+ checks, [1-9] wrong, [0-9]+ not made$' "$scratch/out" || wrong engine-check of a bad engine

# Lines for people before the move are no answer: Fairy-Stockfish 14 says which evaluation it uses.
for dialect in uci ucci; do
    shows '^ok     plays from set-up positions' engine-check xiangqi "$folder/kraton-stub --fault words@1" --dialect $dialect
    ! grep -q WRONG "$scratch/out" || wrong "engine-check: words before the move, $dialect"
done
# Debian's engines are found without their path. How fast they are is up to the machine.
if [ -x /usr/games/fairy-stockfish ]; then
    run engine-check xiangqi fairy-stockfish
    grep -q '^ok     starts and greets: uci' "$scratch/out" || wrong engine-check xiangqi fairy-stockfish
fi
finish
