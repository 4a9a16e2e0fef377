#!/bin/sh
# Makes every artefact of a release from the last commit, with signed checksums.
#   tools/release.sh OUT        KEY in the environment: the key to sign with (gpg's default)
#   tools/release.sh --unsigned OUT
# docs/releasing.md says what comes before and after. Wants git, gpg and the tools of
# tools/make-packages.sh and tools/make-aarch64.sh.
set -e
cd "$(dirname "$0")/.."

fail() {
    echo "tools/release.sh: $*" >&2
    exit 1
}

sign=true
if [ "$1" = --unsigned ]; then
    sign=false
    shift
fi
[ $# -eq 1 ] || fail 'usage: tools/release.sh [--unsigned] OUT'
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
step engines for aarch64
tools/make-aarch64.sh "$out" >/dev/null
step checksums
(cd "$out" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
if $sign; then
    gpg --armor --detach-sign ${KEY:+--local-user "$KEY"} --output "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
fi
step done
(cd "$out" && ls -l | awk 'NR > 1 { printf "%10d  %s\n", $5, $9 }')
