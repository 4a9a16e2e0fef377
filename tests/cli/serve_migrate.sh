# Data of an earlier version taken over: see tests/serve/migrate.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/migrate.py" "$kraton" || failures=1
finish
