#!/bin/sh
# Builds the Debian packages of the last commit: kraton, kraton-tables, libkraton1, libkraton-dev and
# python3-kraton. Two builds on one Debian give the same bytes, wherever they are made.
#   tools/make-packages.sh OUT [FOLDER]     the packages go to OUT; FOLDER is where it is built
# Wants dpkg-dev, debhelper and what packaging/debian/control lists: apt-get build-dep ./packaging
set -e
fail() {
    echo "tools/make-packages.sh: $*" >&2
    exit 1
}
repository=$(cd "$(dirname "$0")/.." && pwd)
[ -n "$1" ] || {
    echo "usage: tools/make-packages.sh OUT [FOLDER]" >&2
    exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$2
if [ -z "$work" ]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-packages.XXXXXX")
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work/kraton"
git -C "$repository" archive HEAD | tar -x -C "$work/kraton"
rm -rf "$work/kraton/debian"
cp -r "$work/kraton/packaging/debian" "$work/kraton/debian"
cd "$work/kraton"
command -v dpkg-checkbuilddeps >/dev/null || fail 'dpkg-dev is missing: apt-get install dpkg-dev'
dpkg-checkbuilddeps >&2 || fail 'what the build needs is missing: apt-get build-dep ./packaging'
# -d: checked above. A compiler cache may serve; it gives the same objects.
LC_ALL=C.UTF-8 dpkg-buildpackage -d -b -us -uc >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log" >&2
    fail 'the build failed: see above'
}
mv "$work"/*.deb "$out/"
(cd "$out" && sha256sum ./*.deb)
