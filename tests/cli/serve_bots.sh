# House bots and analysis: see tests/serve/bots.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/bots.py" "$kraton" || failures=1
finish
