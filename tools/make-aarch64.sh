#!/bin/sh
# Cross-builds the engines for 64-bit ARM Linux, static, and tries them under qemu-user.
#   tools/make-aarch64.sh OUT     kraton-engines-VERSION-aarch64.tar.gz goes to OUT
# Wants gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user-static and the source packages of the
# libraries that the engines need, which it fetches with apt: jansson, zstd, xxHash.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "tools/make-aarch64.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || fail 'usage: tools/make-aarch64.sh OUT'
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $tool >/dev/null || fail "$tool is missing: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
done
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$(sed -n 's/^project(kraton VERSION \([0-9.]*\) .*/\1/p' "$repository/CMakeLists.txt")
work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-aarch64.XXXXXX")
trap 'rm -rf "$work"' EXIT
# The engines' libraries, from Debian's packages for arm64: headers and static libraries, unpacked.
"$repository/tools/fetch-foreign.sh" arm64 "$work/root" libjansson-dev libzstd-dev libxxhash-dev

mkdir "$work/source"
git -C "$repository" archive HEAD | tar -x -C "$work/source"
epoch=$(git -C "$repository" log -1 --format=%ct)
SOURCE_DATE_EPOCH=$epoch
export SOURCE_DATE_EPOCH
cmake -S "$work/source" -B "$work/build" -G Ninja --toolchain "$work/source/cmake/aarch64.cmake" \
    -DKRATON_ROOT="$work/root" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS="-I$work/root/usr/include -ffile-prefix-map=$work=." >"$work/log" 2>&1 &&
    cmake --build "$work/build" --target kraton-surakarta kraton-xiangqi >>"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail 'it did not build'
}
name=kraton-engines-$version-aarch64
mkdir "$work/$name"
for game in surakarta xiangqi; do
    aarch64-linux-gnu-strip -o "$work/$name/kraton-$game" "$work/build/kraton-$game"
done
cp "$repository/LICENSE" "$repository/docs/engines.md" "$work/$name/"

# The same search as here: the same number of nodes for every position of the bench.
for game in surakarta xiangqi; do
    engine=$work/$name/kraton-$game
    said="$game: $(qemu-aarch64-static "$engine" bench | sed -n 's/^\([0-9]* nodes\),.*/\1/p')"
    grep -qx "$said" "$work/source/tests/signature.txt" || fail "kraton-$game: another search: $said"
    printf 'uci\nisready\nposition startpos\ngo depth 4\n' | {
        cat
        sleep 5
        echo quit
    } | qemu-aarch64-static "$engine" | grep -q '^bestmove [a-i][0-9]*[a-i][0-9]*' || fail "kraton-$game plays no move"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$work" -c "$name" | gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz")
