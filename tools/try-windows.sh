#!/bin/sh
# Tries the programs for Windows under wine, as a user has them after unpacking the zip.
#   tools/try-windows.sh [ZIP]    without a ZIP, one is made of the last commit
# Where wine or the cross compiler is missing it says so and ends with status 77 (skipped).
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
skip() {
    echo "The programs for Windows were not tried: $*" >&2
    exit 77
}
command -v wine >/dev/null || skip 'that takes wine (apt-get install wine wine64)'
command -v unzip >/dev/null || skip 'that takes unzip'
work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-wine.XXXXXX")
WINEPREFIX=$work/wine WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT # of this prefix alone
zip=$1
if [ -z "$zip" ]; then
    command -v x86_64-w64-mingw32-gcc-win32 >/dev/null ||
        skip 'that takes a cross compiler (apt-get install gcc-mingw-w64-x86-64-win32)'
    "$repository/tools/make-windows.sh" "$work" >/dev/null
    zip=$(ls "$work"/*.zip)
fi
unzip -q "$zip" -d "$work/unpacked"
python3 "$repository/tests/windows.py" "$work"/unpacked/* "$repository"
