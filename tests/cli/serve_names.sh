# Names of accounts: see tests/serve/names.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/names.py" "$kraton" || failures=1
finish
