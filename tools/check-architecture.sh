#!/bin/sh
# Fails where ARCHITECTURE.md does not name a source file, or names one that is gone.
cd "$(dirname "$0")/.." || exit 1
status=0
for file in $(find src fuzz -name '*.[ch]' | sort); do
    name=${file##*/}
    grep -q "\`[^\`]*\b${name%.*}\b[^\`]*\`" ARCHITECTURE.md || {
        echo "ARCHITECTURE.md does not name $file" >&2
        status=1
    }
done
exit $status
