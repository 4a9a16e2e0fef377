#!/bin/sh
# Tries the programs for Windows under wine, as a user has them after unpacking the zip.
#   tools/try-windows.sh [ZIP]    without a ZIP, one is made of the last commit
# Where wine, the cross compiler or the network is missing it says so and ends with status 77 (skipped).
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
    status=0
    "$repository/tools/make-windows.sh" "$work" >/dev/null || status=$?
    [ $status -ne 3 ] || skip 'something is missing to build them'
    [ $status -eq 0 ] || exit 1
    zip=$(ls "$work"/*.zip)
fi
unzip -q "$zip" -d "$work/unpacked"
python3 "$repository/tests/windows.py" "$work"/unpacked/* "$repository"
