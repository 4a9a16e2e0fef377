# The interface of libkraton within a major version: tests/abi.txt holds every declaration of kraton.h,
# and the library exports just the functions among them. After an addition:
#   sh tests/cli/abi.sh build/release/kraton --update
# A line that changes or goes away breaks programs: that takes a new major version. Values added at
# the end of an enum are an addition, though its line changes: a minor version.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$kraton")" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
golden=$source/tests/abi.txt

# The declarations of the header, one a line.
python3 - "$source/src/lib/kraton.h" >"$scratch/declared" <<'END'
import re, sys
text = open(sys.argv[1]).read()
text = re.sub(r"//[^\n]*", "", text)
text = re.sub(r'^#if.*|^#endif|^#include.*|^#define KRATON_(H|API|VERSION_NUMBER)\b.*|extern "C" \{', "", text, flags=re.M)
depth, item = 0, ""
for c in text:
    item += c
    depth += (c == "{") - (c == "}")
    if depth <= 0 and (c == ";" or (c == "}" and "static inline" in item)):
        line = " ".join(item.split())
        if line.strip("; }"):
            print(line)
        item, depth = "", 0
END
[ "$2" != --update ] || cp "$scratch/declared" "$golden"
diff -u "$golden" "$scratch/declared" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] || wrong "(tests/abi.txt and kraton.h differ)"

sed -n 's/^KRATON_API [^(]*[ *]\(kraton_[a-z_]*\)(.*/\1/p' "$golden" | sort >"$scratch/functions"
[ "$(wc -l <"$scratch/functions")" -ge 80 ] || wrong "(too few functions)"
diff -u "$scratch/functions" "$source/src/lib/exports.txt" >"$scratch/out" || wrong "(src/lib/exports.txt)"
if [ -e "$build/libkraton.so" ]; then
    # Every name has the version of its major number.
    nm -D --defined-only --with-symbol-versions "$build/libkraton.so" |
        sed -n 's/.* T \(.*\)@@KRATON_1$/\1/p' | sort >"$scratch/exported"
    diff -u "$scratch/functions" "$scratch/exported" >"$scratch/out" || wrong "(what the library exports)"
    sanitize=$(sed -n 's/^KRATON_SANITIZE:STRING=//p' "$build/CMakeCache.txt")
    nm -D --defined-only "$build/libkraton.so" | awk '$3 !~ /^(kraton_[a-z_]*@@KRATON_1|KRATON_1)$/' >"$scratch/out"
    [ -n "$sanitize" ] || [ ! -s "$scratch/out" ] || wrong "(other names in the shared library)"
    nm -g --defined-only "$build/libkraton.a" | sed -n 's/^[0-9a-f]* . //p' | sort >"$scratch/exported"
    [ -n "$sanitize" ] || diff -u "$scratch/functions" "$scratch/exported" >"$scratch/out" ||
        wrong "(what the static library exports)"
    objdump -p "$build/libkraton.so" >"$scratch/out"
    grep -q 'SONAME *libkraton.so.1$' "$scratch/out" || wrong "(SONAME)"
fi
finish
