# Time the server itself loses: see tests/serve/clocks.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/clocks.py" "$kraton" || failures=1
finish
