# Engines online by `kraton join` and by tools/kraton_join.py: see tests/serve/join.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/join.py" "$kraton" || failures=1
refuses 2 'are needed' join localhost:1
refuses 2 'HOST:PORT' join localhost --engine x --token y
finish
