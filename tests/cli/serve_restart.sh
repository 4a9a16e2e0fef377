# The server killed in mid-game: see tests/serve/restart.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/restart.py" "$kraton" || failures=1
finish
