# What the tests of the program share; sourced by them with the program's path in $1.
kraton=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
input=/dev/null # what the next commands read
LC_ALL=C
export LC_ALL
unset TERM NO_COLOR

# A sanitizer's report must never look like an ordinary refusal.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99
UBSAN_OPTIONS=${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS

start='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'

wrong() {
    failures=$((failures + 1))
    echo "FAILED: kraton $*"
    echo "status $status, standard output:"
    head -n 30 "$scratch/out"
    echo "standard error:"
    head -n 30 "$scratch/err"
}

# run ARGUMENT...: leaves status, out and err behind.
run() {
    "$kraton" "$@" <"$input" >"$scratch/out" 2>"$scratch/err"
    status=$?
}

# prints TEXT ARGUMENT...: exactly that on standard output, nothing else, status 0.
prints() {
    printf '%s\n' "$1" >"$scratch/expected"
    shift
    run "$@"
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && cmp -s "$scratch/out" "$scratch/expected" ||
        wrong "$@"
}

# shows PATTERN ARGUMENT...: a line that matches, nothing on standard error, status 0.
shows() {
    pattern=$1
    shift
    run "$@"
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && grep -qE -e "$pattern" "$scratch/out" || wrong "$@"
}

# refuses STATUS PATTERN ARGUMENT...: one line on standard error that matches, nothing else.
refuses() {
    wanted=$1 pattern=$2
    shift 2
    run "$@"
    [ $status -eq "$wanted" ] && [ ! -s "$scratch/out" ] &&
        [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -e "$pattern" "$scratch/err" || wrong "$@"
}

# Whether a terminal can be made here: some containers have none.
has_terminal() {
    command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1
}

# comes_true COMMAND...: waits until it succeeds; false where it has not after two minutes.
comes_true() {
    tries=0
    until "$@"; do
        [ $((tries += 1)) -le 2400 ] || return 1
        sleep 0.05
    done
}
# none_runs PATTERN: no process has such a command line.
none_runs() {
    ! pgrep -f -- "$1" >"$scratch/running"
}

# talk_to COMMAND...: starts it for a talk in which a line can wait for the answer to the one before.
talk_to() {
    talker=$(basename "$1")
    mkfifo "$scratch/talk" || exit 1
    : >"$scratch/out"
    "$@" <"$scratch/talk" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    exec 3>"$scratch/talk"
}
# talk_with NAME: with the program kraton-NAME.
talk_with() { talk_to "$(dirname "$kraton")/kraton-$1"; }
# tell LINES: to the engine; what it says from here on is `said`.
tell() {
    heard=$(wc -l <"$scratch/out")
    printf '%s\n' "$1" >&3
}
said() { tail -n +$((heard + 1)) "$scratch/out"; }
has_said() { said | grep -qE -e "$1"; }
# hears PATTERN: it says so, sooner or later.
hears() {
    comes_true has_said "$1" && return
    status=0
    wrong "($talker): never said $1"
}
# end_talk: it leaves when told to, and has complained of nothing.
end_talk() {
    tell quit
    exec 3>&-
    wait $pid
    status=$?
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] || wrong "($talker)"
    rm "$scratch/talk"
}

finish() {
    [ $failures -eq 0 ] || exit 1
}
