# The Python package over libkraton: its examples and those of docs/python.md, what it refuses, and the
# battle server's protocol (tests/serve/python.py). A library with sanitizers cannot be loaded by Python.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$kraton")" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
if [ -n "$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$build/CMakeCache.txt")" ]; then
    echo 'skipped: the library has sanitizers'
    exit
fi
PYTHONPATH=$source/python KRATON_LIBRARY=$build/libkraton.so.1 PATH=$build:$PATH PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH KRATON_LIBRARY PATH PYTHONDONTWRITEBYTECODE
LC_ALL=C.UTF-8
kraton=$build/kraton
cd "$scratch" || exit 1
python3 "$source/tests/python_doctest.py" "$source/docs/python.md" || failures=1
python3 -X dev -W error "$source/tests/test_python.py" -q 2>"$scratch/err" || {
    cat "$scratch/err"
    failures=1
}
python3 "$source/tests/serve/python.py" "$kraton" || failures=1

# Without the library there is one line that says what to do.
KRATON_LIBRARY=/no/such/file python3 -c 'import kraton' >"$scratch/out" 2>"$scratch/err" && wrong "(no library)"
tail -n 1 "$scratch/err" | grep -q '/no/such/file' || wrong "(no library: what is said)"
if command -v mypy >/dev/null; then
    mypy --strict "$source/python/kraton" >"$scratch/out" 2>&1 || wrong "(types)"
fi
finish
