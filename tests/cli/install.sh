# cmake --install: the programs work where they were put and wherever that is moved to, the server
# with its page; libkraton can be used by a program that knows nothing else.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$kraton")" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$scratch/installed

# ./run builds the target `installed`: with nothing else built, every file to be installed is there. (A
# clean that only shows what it would remove lists what a target builds.)
grep -q 'build_preset release --target installed' "$source/run" || wrong "./run: another target"
ninja -C "$build" -n -v -t clean installed >"$scratch/built" 2>"$scratch/err"
status=$?
sed -n "s|.* FILES \"$build/\\(.*\\)\")\$|\\1|p" "$build/cmake_install.cmake" |
    grep -v '\.pc$\|/$' >"$scratch/out" # written by the configuration; a folder
[ $status -eq 0 ] && [ "$(wc -l <"$scratch/out")" -ge 8 ] || wrong "the target installed"
while IFS= read -r file; do
    grep -qxF "Remove $file" "$scratch/built" || wrong "$file is installed and not built by ./run"
done <"$scratch/out"

# A checkout with blanks and Chinese characters in its path; the engines for browsers are a build of their own.
if [ -d "$build/engines" ] && [ -z "$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$build/CMakeCache.txt")" ]; then
    ln -s "$source" "$scratch/my 棋"
    cmake -S "$scratch/my 棋" -B "$scratch/my build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$scratch/out" 2>"$scratch/err" &&
        ninja -C "$scratch/my build" wasm/build.ninja >>"$scratch/out" 2>>"$scratch/err"
    status=$?
    [ $status -eq 0 ] || wrong "a checkout with a blank in its path"
fi
cmake --install "$build" --prefix "$prefix" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || wrong cmake --install
for file in man/man1/kraton.1 man/man1/kraton-tb-build.1 man/man1/kraton-xiangqi.1 \
    man/man1/kraton-tables.1 man/man1/kraton-guard.1 bash-completion/completions/kraton \
    zsh/site-functions/_kraton fish/vendor_completions.d/kraton.fish; do
    [ -s "$prefix/share/$file" ] || wrong "$file is not installed"
done
kraton=$prefix/bin/kraton
run tb build --pieces 3 --dir "$scratch/tables" --threads 1
[ $status -eq 0 ] || wrong the installed program
for player in paper3 paper4; do
    game=xiangqi
    [ $player = paper4 ] || game=surakarta
    echo quit | "$prefix/bin/kraton-$game" --player $player >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] || wrong "the installed $player"
done

# The library was told its place; the programs and the page find each other in any.
mkdir "$scratch/moved" && cp -r "$prefix" "$scratch/moved/else where"
python3 "$(dirname "$0")/../serve/installed.py" "$scratch/moved/else where" || failures=1

# All that belongs to it, and the programs' folder in the unit.
for file in bin/kraton bin/kraton-surakarta bin/kraton-xiangqi bin/kraton-tables include/kraton.h \
    lib/systemd/system/kraton.service lib/python3/dist-packages/kraton/__init__.py \
    share/kraton/data/books/xiangqi.book share/kraton/data/openings/xiangqi.txt share/kraton/web/index.html \
    share/doc/kraton/LICENSE share/doc/kraton/README.md; do
    [ -s "$prefix/$file" ] || wrong "$file is not installed"
done
unit=$prefix/lib/systemd/system/kraton.service
grep -q "^ExecStart=\"$prefix/bin/kraton\" serve .* \$KRATON_TLS \$KRATON_OPTIONS" "$unit" || wrong "the unit"
# With a blank in the path systemd still finds the program.
cmake --install "$build" --prefix "$scratch/with blank" >"$scratch/out" 2>"$scratch/err" || wrong "a prefix with a blank"
if command -v systemd-analyze >/dev/null; then
    systemd-analyze verify "$scratch/with blank/lib/systemd/system/kraton.service" >"$scratch/out" 2>&1
    ! grep 'kraton.service' "$scratch/out" | grep -v "Command 'man " || wrong "systemd-analyze verify"
fi
# The documents beside the README lead to each other.
python3 - "$prefix/share/doc/kraton" >"$scratch/out" 2>"$scratch/err" <<'END' || wrong "links of the installed documents"
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
pages = list(root.glob("*.md")) + list((root / "docs").rglob("*.md"))
dead = [f"{p}: {to}" for p in pages for to in re.findall(r"\]\(([^)#\s]+)", p.read_text())
        if "://" not in to and not (p.parent / to).exists()]
sys.exit("\n".join(dead) if dead or len(pages) < 30 else 0)
END
! grep -rl "$source" "$prefix/lib/systemd" "$prefix/lib/pkgconfig" "$prefix/share" || wrong "a path of the source"
# The documentation's links lead somewhere.
if [ -d "$prefix/share/kraton/web/docs" ]; then
    python3 "$source/tests/site_links.py" "$prefix/share/kraton/web/docs" || failures=1
fi
# The builder of tables alone.
"$prefix/bin/kraton-tables" build --pieces 3 --dir "$scratch/alone" --threads 1 >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] && cmp -s "$scratch/alone/count-1v2.values" "$scratch/tables/count-1v2.values" || wrong kraton-tables
# The Python package finds the library beside it, also where it was moved to.
if [ -z "$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$build/CMakeCache.txt")" ]; then
    PYTHONPATH="$scratch/moved/else where/lib/python3/dist-packages" python3 -c '
import kraton, kraton._lib
print(len(kraton.Board("xiangqi").legal_moves))' >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$(cat "$scratch/out")" = 44 ] || wrong the Python package
fi

pc=$(find "$prefix" -name kraton.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
for example in probe judge; do
    cmp -s "$source/examples/$example.c" "$(find "$prefix" -name $example.c)" || wrong "the example $example"
done

# What was built with sanitizers can be linked only with them.
cache=$build/CMakeCache.txt
sanitize=$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$cache")
cc="$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$cache") -std=c99 -Wall -Wextra -Werror"
[ -z "$sanitize" ] || cc="$cc -fsanitize=$sanitize"

# try NAME FLAG...: compiles the examples and asks them.
try() {
    name=$1
    shift
    for example in probe judge; do
        $cc "$source/examples/$example.c" "$@" -o "$scratch/$example" >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ $status -eq 0 ] || wrong "the example $example, $name"
    done
    "$scratch/probe" "$scratch/tables" .......x....................o....... >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && [ "$(cat "$scratch/out")" = 'win 1' ] || wrong "the answer of probe, $name"
    "$scratch/judge" xiangqi 'C2=5 H8+7' >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && grep -q '^35 legal moves: ' "$scratch/out" || wrong "the answer of judge, $name"
    "$scratch/judge" xiangqi 'C2=5 H8+6' >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 1 ] && grep -q "^move 2, 'H8+6': " "$scratch/err" || wrong "a bad move, $name"
}
# The flags are words to be split.
try shared $(pkg-config --cflags --libs kraton)
# Where the place has a blank they are words for the shell, as docs/libkraton.md writes it.
moved=$(dirname "$(find "$scratch/moved" -name kraton.pc)")
eval "try moved $(PKG_CONFIG_PATH=$moved pkg-config --cflags --libs kraton)"
try static $(pkg-config --cflags kraton) "$LD_LIBRARY_PATH/libkraton.a" \
    $(pkg-config --static --libs-only-l kraton | sed 's/-lkraton//') -pthread
# The header is C++ as well.
if command -v c++ >/dev/null; then
    echo '#include <kraton.h>' | c++ -x c++ -Wall -Wextra -Werror $(pkg-config --cflags kraton) -fsyntax-only - \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] || wrong "the header in C++"
fi
finish
