# Suites of TLS, renewed certificates, the log file: see tests/serve/tls.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/tls.py" "$kraton" || failures=1
finish
