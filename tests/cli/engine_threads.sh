# Engines with several threads, stopped at random moments, changed in between: every request gets its
# one answer. The thread sanitizer is run over this too.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}exitcode=99:halt_on_error=1
export TSAN_OPTIONS

# Lines and, between them, moments to wait; the same every time.
script() {
    awk -v requests=24 'BEGIN {
        srand(4)
        print "uci"
        print "setoption name Threads value 4"
        for (i = 1; i <= requests; i++) {
            if (i % 8 == 0)
                print "setoption name Threads value " 1 + int(4 * rand())
            if (i % 6 == 0)
                print "setoption name Split value " (rand() < 0.5 ? "true" : "false")
            if (i % 5 == 0)
                print "setoption name Hash value " 1 + int(8 * rand())
            if (i % 7 == 0)
                print "ucinewgame"
            print "position startpos"
            print i % 4 == 0 ? "go ponder wtime 300 btime 300" : i % 4 == 1 ? "go movetime 30" : "go infinite"
            print "wait " 0.08 * rand() * rand()
            print i % 4 == 0 && rand() < 0.5 ? "ponderhit" : "isready"
            print "wait " 0.02 * rand()
            print "stop"
        }
    }'
}
for game in surakarta xiangqi; do
    script | while read -r word rest; do
        case $word in
        wait) sleep "$rest" ;;
        *) echo "$word${rest:+ $rest}" ;;
        esac
    done | "$folder/kraton-$game" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && [ "$(grep -c '^bestmove' "$scratch/out")" -eq 24 ] ||
        wrong "-$game, threads and stops"
    # the last line of thinking is that of the move, whoever found it
    for nodes in 3000 9000 27000 81000; do
        printf 'uci\nsetoption name Threads value 4\nposition startpos\ngo nodes %d\n' $nodes >"$scratch/in"
        "$folder/kraton-$game" <"$scratch/in" >"$scratch/out" 2>"$scratch/err"
        status=$?
        move=$(sed -n 's/^bestmove \([^ ]*\).*/\1/p' "$scratch/out")
        [ -n "$move" ] && grep ' pv ' "$scratch/out" | tail -n 1 | grep -q " pv $move" ||
            wrong "-$game: another move than the line before it"
    done
done
finish
