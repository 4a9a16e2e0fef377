# The example clients: see tests/serve/clients.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/clients.py" "$kraton" || failures=1
finish
