#!/bin/sh
# Builds the engines for Linux, static, so that they run on any of its kinds, and tries them.
#   tools/make-engines.sh x86_64|aarch64 OUT     kraton-engines-VERSION-ARCHITECTURE.tar.gz goes to OUT
# aarch64 wants gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static, which tries them; the
# libraries that the engines need it fetches with apt: jansson, zstd, xxHash.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "tools/make-engines.sh: $*" >&2
    exit 1
}

[ $# -eq 2 ] || fail 'usage: tools/make-engines.sh x86_64|aarch64 OUT'
architecture=$1
case $architecture in
x86_64)
    [ "$(uname -m)" = x86_64 ] || fail 'x86_64 is built on x86_64 only'
    prefix='' emulator=''
    ;;
aarch64)
    prefix=aarch64-linux-gnu- emulator=qemu-aarch64-static
    for tool in ${prefix}gcc $emulator; do
        command -v $tool >/dev/null || fail "$tool is missing: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
    done
    ;;
*) fail "no architecture $architecture: x86_64 or aarch64" ;;
esac
for tool in git cmake ninja gcc; do
    command -v $tool >/dev/null || fail "$tool is missing: ./run installs what a build needs"
done
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^project(kraton VERSION \([0-9.]*\) .*/\1/p' "$repository/CMakeLists.txt")
work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-engines.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ "$architecture" = aarch64 ]; then
    # The libraries from Debian's packages for arm64: headers and static libraries, unpacked.
    "$repository/tools/fetch-foreign.sh" arm64 "$work/root" libjansson-dev libzstd-dev libxxhash-dev
    set -- --toolchain "$work/source/cmake/aarch64.cmake" -DKRATON_ROOT="$work/root" \
        -DCMAKE_C_FLAGS="-I$work/root/usr/include -ffile-prefix-map=$work=."
else
    set -- -DCMAKE_C_FLAGS="-ffile-prefix-map=$work=." -DCMAKE_EXE_LINKER_FLAGS=-static
fi

mkdir "$work/source"
git -C "$repository" archive HEAD | tar -x -C "$work/source"
epoch=$(git -C "$repository" log -1 --format=%ct)
SOURCE_DATE_EPOCH=$epoch
export SOURCE_DATE_EPOCH
cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$work/log" 2>&1 &&
    cmake --build "$work/build" --target kraton-surakarta kraton-xiangqi >>"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail 'it did not build'
}
name=kraton-engines-$version-$architecture
mkdir "$work/$name"
for game in surakarta xiangqi; do
    ${prefix}strip -o "$work/$name/kraton-$game" "$work/build/kraton-$game"
done
cp "$repository/LICENSE" "$repository/docs/engines.md" "$work/$name/"

# The same search as here: the same number of nodes for every position of the bench.
for game in surakarta xiangqi; do
    engine=$work/$name/kraton-$game
    said="$game: $($emulator "$engine" bench | sed -n 's/^\([0-9]* nodes\),.*/\1/p')"
    grep -qx "$said" "$work/source/tests/signature.txt" || fail "kraton-$game: another search: $said"
    printf 'uci\nisready\nposition startpos\ngo depth 4\n' | {
        cat
        sleep 5
        echo quit
    } | $emulator "$engine" | grep -q '^bestmove [a-i][0-9]*[a-i][0-9]*' || fail "kraton-$game plays no move"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$work" -c "$name" | gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz")
