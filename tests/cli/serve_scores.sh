# What programs think of their moves in rated games: see tests/serve/scores.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/scores.py" "$kraton" || failures=1
finish
