#!/bin/sh
# Fails where ARCHITECTURE.md does not name a source file, as `folder/name` without its ending, or
# names one that is gone.
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
find src -name '*.[ch]' | sed 's/^src.//; s/\.[ch]$//' | sort -u >"$scratch/there"
rooms=$(ls src | paste -sd'|' -)
grep -oE "\`($rooms)/[a-z0-9_/]+\`" ARCHITECTURE.md | tr -d '`' | sort -u >"$scratch/named"
comm -23 "$scratch/there" "$scratch/named" | sed 's/^/ARCHITECTURE.md does not name src\//' >"$scratch/wrong"
comm -13 "$scratch/there" "$scratch/named" | sed 's/^/ARCHITECTURE.md names what is gone: src\//' >>"$scratch/wrong"
cat "$scratch/wrong" >&2
[ ! -s "$scratch/wrong" ]
