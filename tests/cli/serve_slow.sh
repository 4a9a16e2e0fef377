# Commits that take long: see tests/serve/slow.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/slow.py" "$kraton" || failures=1
finish
