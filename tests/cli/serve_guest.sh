# A guest who registers: see tests/serve/guest.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/guest.py" "$kraton" || failures=1
finish
