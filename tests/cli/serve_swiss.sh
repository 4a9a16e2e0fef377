# A Swiss of eight mixed programs from one command to the table: see tests/serve/swiss.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/swiss.py" "$kraton" >"$scratch/out" || failures=1
finish
