# Quick moves are shown to a crowd of spectators together: see tests/serve/crowd.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/crowd.py" "$kraton" || failures=1
finish
