#!/bin/sh
# tools/check-format.sh asks version 14 of clang-format, wherever it is, and does not pass off another
# version's silence as a check.
root=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

# program PATH VERSION STATUS: a clang-format of that version that ends with that status.
program() {
    printf '#!/bin/sh\n[ "$1" != --version ] || { echo "clang-format version %s"; exit 0; }\nexit %s\n' \
        "$2" "$3" >"$scratch/$1"
    chmod +x "$scratch/$1"
}

# ends STATUS WHAT: the check ends so.
ends() {
    CLANG_FORMAT=$chosen PATH=$scratch:$PATH "$root/tools/check-format.sh" >"$scratch/out" 2>&1
    status=$?
    [ $status -eq "$1" ] || {
        echo "FAILED: $2: status $status, not $1: $(cat "$scratch/out")" >&2
        failed=1
    }
}

chosen=
program clang-format 18.1.3 0
program clang-format-14 14.0.6 0
ends 0 'version 14 beside another'
program clang-format-14 14.0.6 1
ends 123 'a file that is laid out differently' # the status of xargs
program clang-format-14 19.1.7 0
ends 77 'no version 14'
grep -q 'not checked.*clang-format is version 18' "$scratch/out" || {
    echo "FAILED: what was found is not named: $(cat "$scratch/out")" >&2
    failed=1
}
program mine 14.0.0 0
chosen=$scratch/mine
ends 0 'the version 14 that is named'
exit $failed
