# Tournaments under a director's and an arbiter's hands: see tests/serve/director.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/director.py" "$kraton" || failures=1
finish
