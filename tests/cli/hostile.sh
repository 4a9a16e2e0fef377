# Attacks by one visitor leave the others alone: see tests/serve/hostile/.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/hostile/all.py" "$kraton" || failures=1
finish
