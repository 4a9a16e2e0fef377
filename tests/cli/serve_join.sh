# Engines online by `kraton join` and by tools/kraton_join.py: see tests/serve/join.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/join.py" "$kraton" || failures=1
unset KRATON_TOKEN
refuses 2 '--engine is needed' join localhost:1
refuses 2 '--token-file FILE, or KRATON_TOKEN' join localhost:1 --engine x
refuses 2 'read by everybody on this machine' join localhost:1 --engine x --token y
refuses 2 'holds no token' join localhost:1 --engine x --token-file /dev/null
echo krt_x >"$scratch/token"
refuses 2 'HOST:PORT' join localhost --engine x --token-file "$scratch/token"
finish
