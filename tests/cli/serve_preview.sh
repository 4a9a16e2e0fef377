# Previews of links and their pictures: see tests/serve/preview.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/preview.py" "$kraton" || failures=1
finish
