# What the server keeps over its death besides moves: see tests/serve/keep.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/keep.py" "$kraton" || failures=1
finish
