# Attacks by one visitor leave the others alone: see tests/serve/hostile/.
. "$(dirname "$0")/lib.sh"
for attack in lobby connect record tournament pictures archive followers handshakes; do
    python3 "$(dirname "$0")/../serve/hostile/$attack.py" "$kraton" || failures=1
done
finish
