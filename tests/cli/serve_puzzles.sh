# Puzzles and the ratings of solvers: see tests/serve/puzzles.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/puzzles.py" "$kraton" || failures=1
finish
