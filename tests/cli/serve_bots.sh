# House bots and analysis: see tests/serve/bots.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/bots.py" "$kraton" || failures=1
# What house bots run under.
limited=$("$kraton" limit 64 9 nice sh -c 'ulimit -v; ulimit -t; ulimit -c' | tr '\n' ' ')
[ "$limited" = '65536 9 0 ' ] || { echo "FAILED: kraton limit: $limited"; failures=1; }
refuses 127 'usage' limit 64
# 0: any amount of memory, since a sanitizer wants more than can be granted.
refuses 127 'cannot start' limit 0 9 nice /no/such/program
finish
