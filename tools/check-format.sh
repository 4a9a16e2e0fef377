#!/bin/sh
# Fails where clang-format would change a file. Its versions lay code out differently, so only
# version 14 decides: the program in $CLANG_FORMAT, clang-format-14 or clang-format, whichever is
# that version. Without one nothing is checked: it says so and ends with status 77 (skipped).
cd "$(dirname "$0")/.." || exit 1
wanted=14
for program in ${CLANG_FORMAT:+"$CLANG_FORMAT"} clang-format-$wanted clang-format; do
    version=$("$program" --version 2>/dev/null | sed 's/^.*version \([0-9]*\).*$/\1/')
    if [ "$version" = "$wanted" ]; then
        find src tests fuzz -name '*.[ch]' -not -path '*/node_modules/*' -print0 |
            xargs -0 "$program" --dry-run --Werror
        exit
    fi
    [ -z "$version" ] || found="$found, $program is version $version"
done
echo "The layout was not checked: that takes clang-format $wanted${found:-, and there is none here}." >&2
echo "Install clang-format-$wanted, or where it is not packaged: pip install clang-format==14.0.6" >&2
echo "(pipx or a virtual environment will do), and set CLANG_FORMAT to that program." >&2
exit 77
