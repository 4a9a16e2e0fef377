# kraton archive import: see tests/serve/import.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/import.py" "$kraton" || failures=1
finish
