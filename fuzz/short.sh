#!/bin/sh
# short.sh PROGRAM SCRATCH [SEEDS] [OPTION...]: a short run of a fuzzer that begins alike every
# time: 20000 inputs, or as many as it tries in $KRATON_SHORT_FUZZ_SECONDS. libFuzzer writes what it
# finds to the first folder it is given, so that one is emptied first. The timeout for one input is
# long because the machine may be busy.
set -e
program=$1 scratch=$2
shift 2
rm -rf "$scratch"
mkdir -p "$scratch"
exec "$program" -seed=1 -runs=20000 -max_total_time="${KRATON_SHORT_FUZZ_SECONDS:-5}" -timeout=60 -verbosity=0 \
    -artifact_prefix="$scratch-" "$scratch" "$@"
