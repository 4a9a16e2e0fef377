# Bits changed in a data folder are noticed: see tests/serve/flips.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/flips.py" "$kraton" || failures=1
finish
