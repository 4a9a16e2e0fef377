#!/bin/sh
# Makes every artefact of a release from the last commit, with signed checksums.
#   tools/release.sh [--key KEY | --unsigned] OUT    KEY is gpg's name of a key; its default one otherwise
# What was interrupted goes on where it was: the same command again. docs/releasing.md says what comes
# before and after, and how the artefacts are tried.
set -e
cd "$(dirname "$0")/.."

fail() {
    echo "tools/release.sh: $*" >&2
    exit 1
}

usage='usage: tools/release.sh [--key KEY | --unsigned] OUT'
sign=true
key=
case ${1-} in
--unsigned)
    sign=false
    shift
    ;;
--key)
    [ $# -ge 2 ] || fail "$usage"
    key=$2
    shift 2
    ;;
esac
[ $# -eq 1 ] && [ -n "$1" ] && [ "${1#-}" = "$1" ] || fail "$usage"

# --- is everything there? -----------------------------------------------------------------------

# Each tool and the Debian package that has it; those that are missing are named all at once.
missing=
while read -r tool package; do
    [ "$tool" != gpg ] || $sign || continue
    command -v "$tool" >/dev/null || missing="$missing $package"
done <<'END'
git git
gpg gpg
gcc gcc
cmake cmake
ninja ninja-build
python3 python3
perl perl
dpkg-buildpackage dpkg-dev
dh debhelper
fakeroot fakeroot
x86_64-w64-mingw32-gcc-win32 gcc-mingw-w64-x86-64-win32
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
qemu-aarch64-static qemu-user-static
zip zip
END
[ ! -d /usr/aarch64-linux-gnu/lib ] && missing="$missing libc6-dev-arm64-cross"
[ -z "$missing" ] || fail "programs are missing: apt-get install$missing"
lacks=$(dpkg-checkbuilddeps packaging/debian/control 2>&1) ||
    fail "the packages need more: apt-get build-dep ./packaging (${lacks#*: *: })"
! $sign || gpg --list-secret-keys ${key:+"$key"} 2>/dev/null | grep -q . ||
    fail "gpg has no secret key${key:+ $key} to sign with: gpg --quick-generate-key NAME makes one, --unsigned does without"

# One version everywhere, and nothing that is not committed.
version=$(sed -n 's/^project(kraton VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail 'CMakeLists.txt has no version'
number=$(echo "$version" | awk -F. '{ print 10000 * $1 + 100 * $2 + $3 }')
grep -q "^#define KRATON_VERSION_NUMBER $number$" src/lib/kraton.h ||
    fail "src/lib/kraton.h: KRATON_VERSION_NUMBER is not $number, as for version $version"
head -n 1 packaging/debian/changelog | grep -q "^kraton ($version) " ||
    fail "packaging/debian/changelog: the first entry is not of version $version"
grep -q "^## $version, " CHANGELOG.md || fail "CHANGELOG.md has no section '## $version, DATE'"
[ -z "$(git status --porcelain)" ] || fail 'there are changes that are not committed: git status lists them'

# OUT/.release has the commit and a line `STEP SECONDS PROCESSOR-SECONDS` for each step that is done.
mkdir -p "$1"
out=$(cd "$1" && pwd)
case $out in *[[:space:]]*) fail "$out has a blank in its path, which options of compilers cannot have: name another folder" ;; esac
done=$out/.release
commit=$(git rev-parse HEAD)
if [ -f "$done" ]; then
    [ "$(head -n 1 "$done")" = "$commit" ] || fail "$out has a release of another commit: name an empty folder"
else
    [ -z "$(ls -A "$out")" ] || fail "$out is not empty: name an empty folder"
    echo "$commit" >"$done"
fi

# --- the steps ----------------------------------------------------------------------------------

work=
worker=
clean_up() {
    [ -z "$worker" ] || kill -- "-$worker" 2>/dev/null || true # with all that it started
    rm -rf "$work" 2>/dev/null || true
}
trap clean_up EXIT
trap 'echo "tools/release.sh: interrupted; the same command goes on from here" >&2; exit 130' INT TERM
started=$(date +%s)
left=595 # seconds: the sum of those below, measured on two cores of 2.3 GHz

# Seconds of processor that commands have used; `times` counts those of this very shell.
note_processor() {
    times >"$out/.times"
    processor=$(awk 'NR == 2 { gsub(/[ms]/, " "); printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$out/.times")
    rm "$out/.times"
}

# make STEP SECONDS COMMAND...: runs it with a folder as its last argument, where it puts artefacts. Half
# a step leaves nothing behind.
make() {
    step=$1 seconds=$2
    shift 2
    left=$((left - seconds))
    if grep -q "^$step " "$done"; then
        echo "== $step: was done before" >&2
        return
    fi
    echo "== $step: about $seconds s" >&2
    work=$(mktemp -d "$out/.making.XXXXXX")
    mkdir "$work/.tmp"
    began=$(date +%s)
    note_processor
    before=$processor
    TMPDIR=$work/.tmp setsid "$@" "$work" >"$work/.log" 2>&1 &
    worker=$!
    told=0
    while kill -0 $worker 2>/dev/null; do
        sleep 0.2
        now=$(($(date +%s) - began))
        rest=$((seconds > now ? left + seconds - now : left))
        words="$step: $now s; about $(((rest + 59) / 60)) min left"
        if [ -t 2 ]; then
            printf '\r\033[K%s' "$words" >&2
        elif [ $((now - told)) -ge 30 ]; then
            told=$now
            echo "   $words" >&2
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    wait $worker || {
        worker=
        cat "$work/.log" >&2
        fail "$step failed: see above. The same command goes on with it."
    }
    worker=
    mv "$work"/* "$out/"
    rm -rf "$work"
    note_processor
    echo "$step $(($(date +%s) - began)) $((processor - before))" >>"$done"
    echo "   $(($(date +%s) - began)) s, $((processor - before)) of processor" >&2
}

rm -rf "$out"/.making.*
export version
make source 5 sh -c 'git archive --prefix="kraton-$version/" HEAD | gzip -9n >"$0/kraton-$version.tar.gz"'
# First what needs the network.
make windows 240 tools/make-windows.sh
make engines-aarch64 110 tools/make-engines.sh aarch64
make engines-x86_64 60 tools/make-engines.sh x86_64
make packages 150 tools/make-packages.sh
make wheel 30 tools/make-wheel.py

# --- checksums ----------------------------------------------------------------------------------

rm -f "$out"/SHA256SUMS* "$out/kraton-key.asc"
(cd "$out" && LC_ALL=C sha256sum -- * >.sums && mv .sums SHA256SUMS)
if $sign; then
    gpg --quiet --armor --detach-sign ${key:+--local-user "$key"} --output "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
    signer=$(gpg --status-fd 1 --verify "$out/SHA256SUMS.asc" "$out/SHA256SUMS" 2>/dev/null | sed -n 's/^\[GNUPG:\] VALIDSIG \([0-9A-F]*\).*/\1/p')
    [ -n "$signer" ] || fail 'gpg made a signature that it does not accept'
    gpg --armor --output "$out/kraton-key.asc" --export "$signer"
    echo "signed by $signer: publish this fingerprint where the release is announced" >&2
fi
echo "done in $(($(date +%s) - started)) s:" >&2
(cd "$out" && ls -l | awk 'NR > 1 { printf "%10d  %s\n", $5, $9 }')
