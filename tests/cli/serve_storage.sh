# The data folder and its damage: see tests/serve/storage.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/storage.py" "$kraton" || failures=1
finish
