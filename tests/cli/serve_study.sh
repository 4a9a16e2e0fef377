# Tables, openings and whole games for the page: see tests/serve/study.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/study.py" "$kraton" || failures=1
finish
