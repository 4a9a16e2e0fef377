# A disk that fills up: see tests/serve/full.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/full.py" "$kraton" || failures=1
finish
