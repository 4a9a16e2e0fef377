# The recipes for reverse proxies: see tests/serve/recipes.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/recipes.py" "$kraton" || failures=1
finish
