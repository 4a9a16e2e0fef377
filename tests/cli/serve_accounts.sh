# The server: see tests/serve/accounts.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/accounts.py" "$kraton" || failures=1
finish
