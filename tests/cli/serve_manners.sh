# Two misbehaving clients do not delay others: see tests/serve/manners.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/manners.py" "$kraton" || failures=1
finish
