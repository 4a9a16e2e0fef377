#!/bin/sh
# Installs the Python wheel into a fresh environment and uses it there, as its documentation shows.
#   tools/try-wheel.sh WHEEL
set -e
[ $# -eq 1 ] || {
    echo 'usage: tools/try-wheel.sh WHEEL' >&2
    exit 2
}
[ -f "$1" ] || {
    echo "tools/try-wheel.sh: no file $1: tools/make-wheel.py OUT makes a wheel" >&2
    exit 1
}
work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-wheel.XXXXXX")
trap 'rm -rf "$work"' EXIT
wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
python3 -m venv "$work/environment"
"$work/environment/bin/pip" install -q --no-index "$wheel"
repository=$(cd "$(dirname "$0")/.." && pwd)
cd "$work"
unset KRATON_LIBRARY LD_LIBRARY_PATH PYTHONPATH
"$work/environment/bin/python" - <<'END'
import kraton, pathlib, re

maps = pathlib.Path("/proc/self/maps").read_text()
for library in ("libkraton", "libjansson", "libzstd", "libxxhash"):
    path = re.search(r"/\S*" + library + r"\.so\S*", maps)
    assert path and "environment" in path[0], (library, path)
board = kraton.Board("xiangqi")
assert len(list(board.legal_moves)) == 44
board.push(board.parse("h2e2"))
print("kraton", kraton.__version__, "from the wheel:", board)
END
# Every example of the documentation; they start kraton and its engines.
if command -v kraton >/dev/null; then
    "$work/environment/bin/python" "$repository/tests/python_doctest.py" "$repository/docs/python.md"
    echo 'the examples of docs/python.md work'
fi
