#!/bin/sh
# Tries every artefact of a release: its signature, and each where its users have it.
#   tools/try-release.sh FOLDER           the release that tools/release.sh made there
#   tools/try-release.sh --twice [WORK]   makes it from two clean clones with a key of its own, compares the
#                                         checksums and tries the first; what is in WORK goes on
# Wants root and mmdebstrap for the packages and the container, wine for Windows, qemu-user for aarch64.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
fail() {
    echo "tools/try-release.sh: $*" >&2
    exit 1
}
[ $# -ge 1 ] && [ $# -le 2 ] || fail 'usage: tools/try-release.sh FOLDER | --twice [WORK]'
[ "$(id -u)" -eq 0 ] || fail 'clean roots take root'
for tool in mmdebstrap wine unzip gpg lintian; do
    command -v $tool >/dev/null || fail "$tool is missing: apt-get install mmdebstrap wine unzip gpg lintian"
done

temporary= # folders to be removed
trap 'rm -rf $temporary' EXIT
trap 'exit 1' INT TERM
if [ "$1" = --twice ]; then
    work=${2:-$(mktemp -d "${TMPDIR:-/tmp}/kraton-release.XXXXXX")}
    [ -n "${2-}" ] || temporary=$work
    mkdir -p "$work" && work=$(cd "$work" && pwd)
    GNUPGHOME=$work/keys
    export GNUPGHOME
    [ -d "$GNUPGHOME" ] || {
        mkdir -m 700 "$GNUPGHOME"
        gpg --batch --quiet --passphrase '' --quick-generate-key 'For a trial <trial@kraton.example>' ed25519 sign 7d
    }
    for clone in first second-and-elsewhere; do
        [ -d "$work/$clone" ] || git clone -q "file://$repository" "$work/$clone"
        (cd "$work/$clone" && tools/release.sh "$work/$clone.dist")
    done
    diff "$work/first.dist/SHA256SUMS" "$work/second-and-elsewhere.dist/SHA256SUMS" || fail 'two builds differ'
    echo "two builds: the same $(wc -l <"$work/first.dist/SHA256SUMS") checksums" >&2
    gpgconf --kill all
    set -- "$work/first.dist"
fi
release=$(cd "$1" && pwd)

# part NAME COMMAND...: says what is tried, and how long it took.
part() {
    name=$1
    shift
    echo "== $name" >&2
    began=$(date +%s)
    "$@" || fail "$name: it does not work"
    echo "== $name: $(($(date +%s) - began)) s" >&2
}

# By the documentation's words, with a keyring that knows nothing yet.
try_checksums() {
    [ -e "$release/SHA256SUMS.asc" ] || echo 'not signed' >&2
    sed -n '/^## Checking a download/,/^## /{/^```sh/,/^```/{/^```/d;p}}' "$repository/docs/releasing.md" |
        { [ -e "$release/SHA256SUMS.asc" ] && cat || grep sha256sum; } >"$scratch/commands"
    (cd "$release" && GNUPGHOME=$scratch sh -e "$scratch/commands" >/dev/null && GNUPGHOME=$scratch gpgconf --kill all)
}
# The source archive builds without git, and knows its commit.
try_source() {
    tar -xzf "$release"/kraton-[0-9]*.tar.gz -C "$scratch" && cd "$scratch"/kraton-*/ &&
        grep -qx '[0-9a-f]\{40\}' cmake/commit.txt &&
        cmake --preset release >"$scratch/log" 2>&1 && cmake --build --preset release --target kraton kraton-surakarta >>"$scratch/log" 2>&1 &&
        build/release/kraton --version | grep -q "^commit: $(cut -c 1-12 cmake/commit.txt)"
}
# The engines, unpacked, on this processor and on an emulated one: a move, and the same search as elsewhere.
try_engines() {
    tar -xzf "$release"/kraton-engines-*-"$1".tar.gz -C "$scratch"
    for game in surakarta xiangqi; do
        engine="${2-} $scratch/$(basename "$release"/kraton-engines-*-"$1".tar.gz .tar.gz)/kraton-$game"
        $engine --version | head -n 1 >&2
        grep -qx "$game: $($engine bench | sed -n 's/^\([0-9]* nodes\),.*/\1/p')" "$repository/tests/signature.txt" || return 1
    done
}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/kraton-try.XXXXXX")
temporary="$temporary $scratch"
part 'checksums and signature' try_checksums
part source try_source
part 'engines for x86_64' try_engines x86_64
part 'engines for aarch64' try_engines aarch64 qemu-aarch64-static
part wheel "$repository/tools/try-wheel.sh" "$release"/*.whl
part Windows "$repository/tools/try-windows.sh" "$release"/*-windows.zip
part 'Debian packages' "$repository/tools/try-packages.sh" "$release"
part container "$repository/tools/try-container.sh" "$release"
echo 'every artefact works' >&2
