#!/bin/sh
# Cross-builds the programs for 64-bit Windows, static, with Debian's mingw-w64.
#   tools/make-windows.sh OUT           kraton-VERSION-windows.zip of the last commit goes to OUT
#   tools/make-windows.sh --libraries   the libraries alone, for the CMake preset `windows`
# Debian has hardly any library for Windows, so this fetches Debian's source packages with apt and
# builds them into build/windows-libraries, each once. The system's own apt stays as it is.
# Wants gcc-mingw-w64-x86-64-win32, dpkg-dev, zip, and deb or deb-src lines among apt's sources.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
prefix=$repository/build/windows-libraries
host=x86_64-w64-mingw32

fail() {
    echo "tools/make-windows.sh: $*" >&2
    exit 1
}
# What this machine lacks: status 3, for tools/try-windows.sh.
lack() {
    echo "tools/make-windows.sh: $*" >&2
    exit 3
}

[ $# -eq 1 ] || fail 'usage: tools/make-windows.sh OUT | --libraries'
command -v $host-gcc-win32 >/dev/null || lack 'the compiler is missing: apt-get install gcc-mingw-w64-x86-64-win32'
for tool in cmake ninja zip dpkg-source perl python3 cmark-gfm; do
    command -v $tool >/dev/null || lack "$tool is missing: apt-get install cmake ninja-build zip dpkg-dev perl python3 cmark-gfm"
done

# --- source packages ----------------------------------------------------------------------------

# Makes an apt of our own that knows source packages from the places where the system's apt gets its
# packages.
start_apt() {
    [ ! -f "$apt/conf" ] || return 0
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$apt/parts/$(basename "$list" .list).list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")"
    done
    cat >"$apt/conf" <<CONF
APT::Sandbox::User "root";
Dir::State "$apt/state";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$apt/parts";
CONF
    APT_CONFIG=$apt/conf apt-get -q update >"$apt/log" 2>&1 || {
        tail -n 5 "$apt/log" >&2
        lack 'apt-get update failed: it takes the network, and deb or deb-src lines among the sources of apt'
    }
}

# Unpacks the newest source package that can be had into $work/NAME. A mirror may lack the very newest.
fetch() {
    start_apt
    for version in $(APT_CONFIG=$apt/conf apt-cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -urV); do
        mkdir -p "$work/fetch"
        if (cd "$work/fetch" && APT_CONFIG=$apt/conf apt-get -q source "$1=$version") >>"$apt/log" 2>&1; then
            mv "$work/fetch"/*/ "$work/$1"
            rm -rf "$work/fetch"
            printf '%s %s' "$1" "$version"
            return 0
        fi
        rm -rf "$work/fetch"
    done
    tail -n 5 "$apt/log" >&2
    return 1
}

# --- libraries ----------------------------------------------------------------------------------

with_cmake() { # FOLDER OPTION...
    folder=$1
    shift
    cmake -S "$folder" -B "$work/build" -G Ninja -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 \
        -DCMAKE_C_COMPILER=$host-gcc-win32 -DCMAKE_RC_COMPILER=$host-windres -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "$@" &&
        cmake --build "$work/build" &&
        cmake --install "$work/build"
}

build_jansson() {
    with_cmake "$work/jansson" -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF
}

build_libzstd() {
    (cd "$work/libzstd/lib" && $host-gcc-win32 -O3 $flags -DZSTD_DISABLE_ASM -c common/*.c compress/*.c decompress/*.c &&
        $host-ar rcsD "$prefix/lib/libzstd.a" ./*.o && cp zstd.h zstd_errors.h "$prefix/include/")
}

build_xxhash() {
    (cd "$work/xxhash" && $host-gcc-win32 -O3 $flags -c xxhash.c && $host-ar rcsD "$prefix/lib/libxxhash.a" xxhash.o &&
        cp xxhash.h "$prefix/include/")
}

build_zlib() {
    (cd "$work/zlib" && $host-gcc-win32 -O3 $flags -c adler32.c compress.c crc32.c deflate.c gz*.c inf*.c trees.c uncompr.c \
        zutil.c && $host-ar rcsD "$prefix/lib/libz.a" ./*.o && cp zlib.h zconf.h "$prefix/include/")
}

build_libuv1() {
    with_cmake "$work/libuv1" -DLIBUV_BUILD_TESTS=OFF -DBUILD_TESTING=OFF &&
        cp "$prefix/lib/libuv_a.a" "$prefix/lib/libuv.a"
}

# Its folders are in the library: they must not depend on ours, and nothing is read from them.
build_openssl() {
    (cd "$work/openssl" && ./Configure mingw64 --prefix=/kraton --libdir=lib --openssldir=/kraton/ssl \
        no-autoload-config no-module no-shared no-tests no-dso no-engine no-legacy no-comp no-aria no-bf no-camellia no-cast no-cmp no-cms no-ct no-des \
        no-dtls no-idea no-md4 no-mdc2 no-rc2 no-rc4 no-rmd160 no-seed no-siphash no-sm2 no-sm3 no-sm4 no-srp no-ts \
        no-whirlpool CC=$host-gcc-win32 AR=$host-ar RANLIB=$host-ranlib \
        RC=$host-windres CFLAGS="-O2 $flags" && make -s -j"$(nproc)" build_libs &&
        cp libssl.a libcrypto.a "$prefix/lib/" && cp -r include/openssl "$prefix/include/")
}

# Builds those that are missing. What each was made from is in $prefix/sources.txt.
make_libraries() {
    mkdir -p "$prefix/include" "$prefix/lib"
    apt=$work/apt
    mkdir -p "$apt"
    for name in jansson libzstd xxhash zlib libuv1 openssl; do
        ! grep -qs "^$name " "$prefix/sources.txt" || continue
        echo "building $name" >&2
        from=$(fetch "$name") || lack "apt-get source $name failed: it takes the network"
        flags="-ffile-prefix-map=$work=. -D_WIN32_WINNT=0x0602"
        SOURCE_DATE_EPOCH=$(cd "$work/$name" && dpkg-parsechangelog -STimestamp)
        export SOURCE_DATE_EPOCH
        "build_$name" >"$work/$name.log" 2>&1 || {
            tail -n 30 "$work/$name.log" >&2
            fail "$name did not build"
        }
        rm -rf "$work/build"
        echo "$from" >>"$prefix/sources.txt"
    done
    unset SOURCE_DATE_EPOCH
}

work=$(mktemp -d "${TMPDIR:-/tmp}/kraton-windows.XXXXXX")
trap 'rm -rf "$work"' EXIT
make_libraries
[ "$1" != --libraries ] || exit 0

# --- the programs ---------------------------------------------------------------------------------

mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$(sed -n 's/^project(kraton VERSION \([0-9.]*\) .*/\1/p' "$repository/CMakeLists.txt")
mkdir "$work/source"
git -C "$repository" archive HEAD | tar -x -C "$work/source"
SOURCE_DATE_EPOCH=$(git -C "$repository" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
echo 'building kraton' >&2
# CFLAGS are added to those of the toolchain file; CMAKE_C_FLAGS would take their place.
CFLAGS="-ffile-prefix-map=$work=." cmake -S "$work/source" -B "$work/build" -G Ninja \
    --toolchain "$work/source/cmake/windows.cmake" -DKRATON_LIBRARIES="$prefix" -DCMAKE_BUILD_TYPE=Release \
    >"$work/log" 2>&1 &&
    cmake --build "$work/build" --target kraton kraton-surakarta kraton-xiangqi >>"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail 'it did not build'
}
name=kraton-$version-windows
mkdir "$work/$name"
for program in kraton kraton-surakarta kraton-xiangqi; do
    $host-strip -o "$work/$name/$program.exe" "$work/build/$program.exe"
done
cp "$work/source/LICENSE" "$work/$name/LICENSE.txt"
python3 "$work/source/tools/make-docs.py" "$work/$name/docs"
printf '%s\r\n' "Kraton $version for Windows" '' \
    'docs\windows.html, opened in a browser, says how to use the engines in your program and the' \
    'commands in a terminal. docs\index.html and docs\index.zh.html are the first pages.' '' \
    'kraton-xiangqi.exe     Xiangqi engine: UCCI, UCI, CECP' \
    'kraton-surakarta.exe   Surakarta engine: SAU, UCI, UCCI, CECP' \
    'kraton.exe             commands for a terminal: kraton help' >"$work/$name/README.txt"
find "$work/$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
(cd "$work" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 -@ "$work/$name.zip")
mv "$work/$name.zip" "$out/"
(cd "$out" && sha256sum "$name.zip")
