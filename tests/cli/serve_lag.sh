# Lag credit cannot be faked beyond its bound: see tests/serve/lag.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/lag.py" "$kraton" || failures=1
finish
