# What all share is divided by address: see tests/serve/share.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/share.py" "$kraton" || failures=1
finish
