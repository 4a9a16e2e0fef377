# The arbiter: see tests/serve/arbiter.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/arbiter.py" "$kraton" || failures=1
finish
