# Ratings, passwords, names: see tests/serve/fair.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/fair.py" "$kraton" || failures=1
finish
