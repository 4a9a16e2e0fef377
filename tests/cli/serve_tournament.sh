# Tournaments: see tests/serve/tournament.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/tournament.py" "$kraton" || failures=1
finish
