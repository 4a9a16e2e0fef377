# kraton sprt: figures from counts, and what is refused in one line.
. "$(dirname "$0")/lib.sh"

# llr LLR VERDICT ARGUMENT...
llr() {
    wanted=$1 verdict=$2
    shift 2
    shows "^verdict: $verdict\$" sprt "$@"
    grep -qxE -e "llr: $wanted" "$scratch/out" || wrong sprt "$@"
    [ "$(sed 's/:.*//' "$scratch/out" | tr '\n' ' ')" = 'llr bounds verdict elo nelo los ' ] || wrong sprt "$@"
    ! grep -qi nan "$scratch/out" || wrong sprt "$@"
}
llr 3.1975 'H1 accepted' --pairs 4,30,87,132,47 --bounds=0,5 --model normalised
llr 12.27.. 'H1 accepted' --pairs 1,6,31,45,17 --bounds 0,50 --model logistic
llr 10.45.. 'H1 accepted' --pairs 26,101,291,399,183 --bounds=-5,0 --model normalised
llr 20.71.. 'H1 accepted' --pairs 118,472,1516,1982,912 --bounds -0,2 --model normalised
llr 2.9461 'H1 accepted' --pairs 371,10263,24989,10642,379 --bounds=0,2 --model=normalised
llr -3.1975 'H0 accepted' --pairs 47,132,87,30,4 --bounds=-5,0 --model normalised

# Single games; the defaults are those of match --sprt; the bounds follow the error rates.
llr '[0-9.]*' 'running' --games 30,50,20
llr '0.0000' 'running' --games 0,0,0
llr '0.0000' 'running' --pairs 0,0,0,0,0 --model normalised
llr '-[0-9.]*' 'H0 accepted' --pairs 0,0,500,0,0 --bounds 0,100
shows '^bounds: -2\.9444 2\.9444$' sprt --games 1,2,3
shows '^bounds: -2\.8904 2\.2513$' sprt --games 1,2,3 --alpha 0.1
shows '^bounds: -2\.2513 2\.8904$' sprt --games 1,2,3 --beta 0.1
for cell in 1000000000,0,0,0,0 0,1000000000,0,0,0 0,0,0,0,1000000000; do
    for model in logistic normalised; do
        llr '-?[0-9.]*' 'H[01] accepted' --pairs $cell --bounds=-1000,1000 --model $model
    done
done

refuses 2 'either --pairs or --games' sprt
refuses 2 'either --pairs or --games' sprt --pairs 1,2,3,4,5 --games 1,2,3
refuses 2 'pairz' sprt --pairz 1
for bad in 1,2,3 1,2,3,4,5,6 1,2,3,4, ,,,, a,b,c,d,e 1,2,-3,4,5 1,2,3,4,5x 1,2,3,4,1.5 1,2,3,4,99999999999; do
    refuses 2 '--pairs takes 5 counts' sprt --pairs "$bad"
done
refuses 2 '--games takes 3 counts' sprt --games 1,2
for bad in 5,0 0,0 0 '' , 0,5,10 0,inf nan,5 0,1001 -2000,0 x,y; do
    refuses 2 '--bounds takes ELO0,ELO1' sprt --games 1,2,3 --bounds="$bad"
done
refuses 2 '--model: .bayes. is none of logistic, normalised' sprt --games 1,2,3 --model bayes
refuses 2 '--alpha' sprt --games 1,2,3 --alpha 0.5
refuses 2 '--alpha' sprt --games 1,2,3 --alpha nan
refuses 2 '--beta' sprt --games 1,2,3 --beta 0
refuses 2 'did you mean normalised' sprt --games 1,2,3 --model normalise
llr 3.1975 'H1 accepted' --pairs 4,30,87,132,47 --bounds=0,5 --model normalized

# Nothing can be said about a match that one side won in full.
for all in '--games 0,0,10' '--games 10,0,0' '--pairs 0,0,0,0,5' '--pairs 0,0,0,7,0'; do
    run sprt $all
    [ $status -eq 0 ] && ! grep -qi 'inf\|nan' "$scratch/out" || wrong sprt $all
done
prints 'llr: 0.0000
bounds: -2.9444 2.9444
verdict: running
elo: -
nelo: -
los: -' sprt --games 0,0,0
shows '^los: -$' sprt --pairs 0,0,0,0,0
# One game says little, and draws alone have no error to show.
shows '^los: 0\.8413$' sprt --games 1,0,0
shows '^elo: 0\.00$' sprt --pairs 0,0,50,0,0
shows '^nelo: 0\.00$' sprt --pairs 0,0,50,0,0
finish
