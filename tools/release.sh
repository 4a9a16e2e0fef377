#!/bin/sh
# Makes every artefact of a release from the last commit, with signed checksums.
#   tools/release.sh [--key KEY | --unsigned] OUT    KEY is gpg's name of a key; its default one otherwise
# docs/releasing.md says what comes before and after. Wants git, gpg and what these tools want:
# tools/make-packages.sh, make-engines.sh, make-windows.sh, make-wheel.py.
set -e
cd "$(dirname "$0")/.."

fail() {
    echo "tools/release.sh: $*" >&2
    exit 1
}

sign=true
key=
case $1 in
--unsigned)
    sign=false
    shift
    ;;
--key)
    key=$2
    shift 2
    ;;
esac
[ $# -eq 1 ] || fail 'usage: tools/release.sh [--key KEY | --unsigned] OUT'
! $sign || gpg --list-secret-keys ${key:+"$key"} 2>/dev/null | grep -q . ||
    fail "gpg has no secret key${key:+ $key} to sign with; --unsigned makes a release without a signature"
version=$(sed -n 's/^project(kraton VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail 'CMakeLists.txt has no version'

# One version everywhere, and nothing that is not committed.
number=$(echo "$version" | awk -F. '{ print 10000 * $1 + 100 * $2 + $3 }')
grep -q "^#define KRATON_VERSION_NUMBER $number$" src/lib/kraton.h || fail "src/lib/kraton.h: not $version"
head -n 1 packaging/debian/changelog | grep -q "^kraton ($version) " || fail "packaging/debian/changelog: not $version"
grep -q "^## $version, " CHANGELOG.md || fail "CHANGELOG.md has no section $version"
[ -z "$(git status --porcelain)" ] || fail 'there are changes that are not committed'

mkdir -p "$1"
out=$(cd "$1" && pwd)
[ -z "$(ls "$out")" ] || fail "$out is not empty"
started=$(date +%s)
step() {
    echo "== $* ($(($(date +%s) - started)) s)" >&2
}
step source
git archive --prefix="kraton-$version/" HEAD | gzip -9n >"$out/kraton-$version.tar.gz"
step Debian packages
tools/make-packages.sh "$out" >/dev/null
for architecture in x86_64 aarch64; do
    step "engines for $architecture"
    tools/make-engines.sh $architecture "$out" >/dev/null
done
step Windows
tools/make-windows.sh "$out" >/dev/null
step Python wheel
tools/make-wheel.py "$out" >/dev/null
step checksums
(cd "$out" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
if $sign; then
    gpg --armor --detach-sign --yes ${key:+--local-user "$key"} --output "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
fi
step done
(cd "$out" && ls -l | awk 'NR > 1 { printf "%10d  %s\n", $5, $9 }')
