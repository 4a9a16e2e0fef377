# Records read and written for the page: see tests/serve/convert.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/convert.py" "$kraton" || failures=1
finish
