# The engines' manners by kraton's own judge of them.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")
shows '^ok     leaves when told' engine-check xiangqi "$folder/kraton-xiangqi" --dialect uci
grep -qE '^ok     answers when told to stop: [0-9]+\.[0-9] ms$' "$scratch/out" || wrong 'engine-check, uci: stop'
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta" --dialect ucci
grep -qE '^ok     answers when told to stop: [0-9]+\.[0-9] ms$' "$scratch/out" || wrong 'engine-check, ucci: stop'
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta --time 10" --dialect sau
finish
