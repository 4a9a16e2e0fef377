# The server: see tests/serve/play.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/play.py" "$kraton" || failures=1
finish
