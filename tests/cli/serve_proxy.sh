# Behind a reverse proxy: see tests/serve/proxy.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/proxy.py" "$kraton" || failures=1
finish
