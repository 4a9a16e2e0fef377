# Loss of power: see tests/serve/power.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/power.py" "$kraton" || failures=1
finish
