# cmake --install: the prober of the endgame tables can be used by a program that knows nothing else.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$kraton")" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$scratch/installed
cmake --install "$build" --prefix "$prefix" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || wrong cmake --install
kraton=$prefix/bin/kraton
run tb build --pieces 3 --dir "$scratch/tables" --threads 1
[ $status -eq 0 ] || wrong the installed program

pc=$(find "$prefix" -name kraton-tb.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cmp -s "$source/examples/probe.c" "$(find "$prefix" -name probe.c)" || wrong the example

# What was built with sanitizers can be linked only with them.
cache=$build/CMakeCache.txt
sanitize=$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$cache")
cc="$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$cache") -std=c99 -Wall -Wextra -Werror"
[ -z "$sanitize" ] || cc="$cc -fsanitize=$sanitize"

# try NAME FLAG...: compiles the example and asks it.
try() {
    name=$1
    shift
    $cc "$source/examples/probe.c" "$@" -o "$scratch/probe" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] || wrong "the example, $name"
    "$scratch/probe" "$scratch/tables" .......x....................o....... >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && [ "$(cat "$scratch/out")" = 'win 1' ] || wrong "the example's answer, $name"
}
# The flags are words to be split.
try shared $(pkg-config --cflags --libs kraton-tb)
try static $(pkg-config --cflags kraton-tb) "$LD_LIBRARY_PATH/libkraton_tb.a" \
    $(pkg-config --static --libs-only-l kraton-tb | sed 's/-lkraton_tb//') -pthread

# Nothing but the library's own names is to be seen.
for library in "$LD_LIBRARY_PATH/libkraton_tb.a" "-D $LD_LIBRARY_PATH/libkraton_tb.so"; do
    nm -g --defined-only $library | awk 'NF == 3 && $3 !~ /^kraton_tb_/' >"$scratch/out"
    [ -n "$sanitize" ] || [ ! -s "$scratch/out" ] || wrong "names in $library"
done
finish
