# The engines' manners by kraton's own judge of them.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")
shows '^ok     leaves when told' engine-check xiangqi "$folder/kraton-xiangqi" --dialect uci
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta" --dialect ucci
shows '^ok     leaves when told' engine-check surakarta "$folder/kraton-surakarta --time 10" --dialect sau
finish
