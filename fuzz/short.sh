#!/bin/sh
# short.sh PROGRAM SCRATCH [SEEDS] [OPTION...]: a short run of a fuzzer that begins alike every
# time. libFuzzer writes what it finds to the first folder it is given, so that one is emptied first.
set -e
program=$1 scratch=$2
shift 2
rm -rf "$scratch"
mkdir -p "$scratch"
exec "$program" -seed=1 -runs=20000 -max_total_time=20 -timeout=10 -verbosity=0 \
    -artifact_prefix="$scratch-" "$scratch" "$@"
