# What an engine makes of the clocks it is told: it thinks at least so long. A busy machine makes that longer, never shorter.
. "$(dirname "$0")/lib.sh"
folder=$(dirname "$kraton")

# thinks MILLISECONDS WHAT LINES: an engine told these lines, with waits between, is done no sooner than that.
thinks() {
    begun=$(date +%s%N)
    printf '%s\n' "$3" | while read -r word rest; do
        case $word in
        wait) sleep "$rest" ;;
        *) echo "$word${rest:+ $rest}" ;;
        esac
    done | "$folder/kraton-xiangqi" >"$scratch/out" 2>"$scratch/err"
    status=$?
    took=$((($(date +%s%N) - begun) / 1000000))
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && grep -q '^bestmove' "$scratch/out" && [ $took -ge "$1" ] ||
        wrong "-xiangqi, $2: answered after $took ms"
}

# UCCI in whole seconds: the second that is missing was rounded away
thinks 65 'clocks in seconds' 'ucci
position startpos
go time 8 increment 0
go time 7 increment 0'
# an option in between begins the search again, and no time is lost by it
thinks 145 'an option while it thinks' 'uci
position startpos
go wtime 3000 winc 400
wait 0.05
setoption name Hash value 2'
finish
