# What operators have: see tests/serve/operate.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/operate.py" "$kraton" || failures=1
finish
