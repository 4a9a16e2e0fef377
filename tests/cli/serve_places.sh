# Positions in the archive, short games: see tests/serve/places.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/places.py" "$kraton" || failures=1
finish
