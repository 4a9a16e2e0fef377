# What players have with each other: see tests/serve/people.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/people.py" "$kraton" || failures=1
finish
