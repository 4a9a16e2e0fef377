# kraton tune: fits to a handful of positions, says what is wrong with a file in one line.
. "$(dirname "$0")/lib.sh"

for n in 1 2 3 4 5 6 7 8; do
    echo "bbbbbb/bbbbb1/5b/w5/1wwwww/wwwww1 b $n 9 ; 1-0 ; 40"
    echo "bbbbbb/bbbbb1/5b/w5/1wwwww/wwww2 w $n 9 ; 1-0 ; 140"
    echo "bbbbb1/bbbbb1/5b/w5/1wwwww/wwwww1 w $n 9 ; 0-1"
    echo "b5/6/6/6/6/5w w $n 40 ; 1/2-1/2 ; 0"
done >"$scratch/positions"
shows '^32 positions' tune surakarta "$scratch/positions" --epochs 2 --hold-out 0 -o "$scratch/weights.h"
grep -q '^static const tapered sk_weights' "$scratch/weights.h" || wrong 'no weights'
cp "$scratch/weights.h" "$scratch/first.h"
shows 'written' tune surakarta "$scratch/positions" --epochs 2 --hold-out 0 -o "$scratch/weights.h" --threads 1
cmp "$scratch/first.h" "$scratch/weights.h" || wrong 'one thread gives other weights'

echo 'bbbbbb/6 b ; 1-0' >"$scratch/bad"
refuses 1 "bad:1: " tune surakarta "$scratch/bad"
echo 'b5/6/6/6/6/5w w 0 40 ; maybe' >"$scratch/bad"
refuses 1 "bad:1: 'maybe' is no result" tune surakarta "$scratch/bad"
echo '{"no": "game"}' >"$scratch/bad"
refuses 1 "bad:1: " tune surakarta "$scratch/bad"
echo 'b5/6/6/6/6/5w w 0 40 ; 1-0' >"$scratch/bad"
refuses 1 "1 position: too few to hold 10 % out" tune surakarta "$scratch/bad"
refuses 1 "1 position: too few to hold 10 % out" tune surakarta "$scratch/bad" --network
shows '^epoch  1/1  learnt from' tune surakarta "$scratch/bad" --epochs 1 --hold-out 0
: >"$scratch/bad"
refuses 1 "no positions" tune surakarta "$scratch/bad"
refuses 1 "no-such-file: No such file" tune surakarta "$scratch/no-such-file"
refuses 2 "epochs takes a number from 1 to 100000, not 'many'" tune surakarta "$scratch/positions" --epochs many
refuses 2 "no game 'chess'" tune chess "$scratch/positions"
refuses 1 "none/weights.h: No such file" tune surakarta "$scratch/positions" --epochs 1 -o "$scratch/none/weights.h"

# A network: trained from packed games, played with, refused where it is none.
build=$(dirname "$kraton")
"$build/kraton-lab-xiangqi" selfplay --games 4 --nodes 100 --seed 5 --network none --out "$scratch/games" 2>"$scratch/err" ||
    wrong 'selfplay'
"$build/kraton-lab" train xiangqi "$scratch/games" --epochs 2 --hold-out 0 --width 32 --king-buckets 6 --blend 1 \
    --out "$scratch/network" >"$scratch/out" 2>"$scratch/err" || wrong 'train'
grep -q 'network written (epoch 2)' "$scratch/out" || wrong 'train: nothing written'
echo "$start ; 7" >"$scratch/fens"
"$build/kraton-lab" evaluate xiangqi "$scratch/fens" >"$scratch/out" 2>"$scratch/err" &&
    grep -qE "^$(echo "$start" | tr / .) ; [0-9]+\$" "$scratch/out" || wrong 'evaluate'
"$build/kraton-lab" evaluate xiangqi "$scratch/fens" --network "$scratch/network" >"$scratch/with" 2>"$scratch/err" ||
    wrong 'evaluate --network'
cmp -s "$scratch/out" "$scratch/with" && wrong 'evaluate --network: no difference'
echo 'no FEN' >>"$scratch/fens"
"$build/kraton-lab" evaluate xiangqi "$scratch/fens" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -ne 0 ] && grep -q 'fens:2: ' "$scratch/err" || wrong 'evaluate: no FEN'
refuses_to_train() {
    "$build/kraton-lab" train "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -ne 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "train $*"
}
refuses_to_train xiangqi "$scratch/games"
refuses_to_train surakarta "$scratch/games" --out "$scratch/none"
refuses_to_train surakarta "$scratch/games" --out "$scratch/none" --king-buckets 6
refuses_to_train xiangqi "$scratch/games" --out "$scratch/none" --width 20
refuses_to_train xiangqi "$scratch/positions" --out "$scratch/none"
refuses_to_train xiangqi "$scratch/games" --out "$scratch/none/none" --hold-out 0
talk_with xiangqi
tell "setoption name EvalFile value $scratch/network
position startpos
go nodes 2000"
hears '^bestmove'
nodes_with=$(said | grep -o 'score [a-z]* [-0-9]*' | tail -n 1)
tell "setoption name EvalFile value none
ucinewgame
position startpos
go nodes 2000"
hears '^bestmove'
[ "$nodes_with" != "$(said | grep -o 'score [a-z]* [-0-9]*' | tail -n 1)" ] || wrong 'EvalFile: no difference'
tell "setoption name EvalFile value $scratch/games
position startpos
go nodes 200"
hears 'is no network'
hears '^bestmove'
tell "setoption name EvalFile value default
isready"
hears readyok
tell "setoption name EvalFile value /no/such/file
isready"
hears 'No such file'
mkfifo "$scratch/fifo"
for odd in "$scratch/fifo" "$scratch" /dev/zero; do
    tell "setoption name EvalFile value $odd
isready"
    hears "$odd: "
    hears readyok
done
end_talk

# Games with a network say so, and are others than without; the next generation trains from them.
for network in none "$scratch/network"; do
    "$build/kraton-lab-xiangqi" selfplay --games 2 --nodes 100 --seed 5 --network "$network" \
        --out "$scratch/by-$(basename "$network")" 2>"$scratch/err" || wrong "selfplay --network $network"
done
cmp -s "$scratch/by-none" "$scratch/by-network" && wrong 'selfplay --network: no difference'
grep -aq '^network [0-9a-f]\{16\}$' "$scratch/by-network" || wrong 'selfplay --network: not recorded'
grep -aq '^network' "$scratch/by-none" && wrong 'selfplay --network none: recorded'
"$build/kraton-lab-surakarta" selfplay --games 2 --nodes 100 --network "$scratch/network" --out "$scratch/wrong" \
    2>"$scratch/err" && wrong 'selfplay: a network of another game'
grep -q 'is not a network for surakarta' "$scratch/err" || wrong 'selfplay: a network of another game'

# Surakarta's networks: trained, evaluated and played with in the same way.
"$build/kraton-lab-surakarta" selfplay --games 20 --nodes 50 --seed 5 --out "$scratch/s.games" 2>"$scratch/err" ||
    wrong 'selfplay surakarta'
"$build/kraton-lab" train surakarta "$scratch/s.games" --epochs 2 --hold-out 0 --width 32 --out "$scratch/s.network" \
    >"$scratch/out" 2>"$scratch/err" || wrong 'train surakarta'
echo 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1' >"$scratch/s.fens"
"$build/kraton-lab" evaluate surakarta "$scratch/s.fens" --network "$scratch/s.network" >"$scratch/with" \
    2>"$scratch/err" || wrong 'evaluate surakarta'
"$build/kraton-lab" evaluate surakarta "$scratch/s.fens" --network "$scratch/network" >"$scratch/out" 2>"$scratch/err" &&
    wrong 'evaluate: a network of another game'
talk_with surakarta
tell "setoption name EvalFile value $scratch/s.network
position startpos
go nodes 2000"
hears '^bestmove'
end_talk

# Positions as the GPU's trainer reads them: a header, then records of one size.
"$build/kraton-lab" positions surakarta "$scratch/s.games" --window 0 --binary "$scratch/s.positions" 2>"$scratch/err" ||
    wrong 'positions --binary'
[ "$(head -n 1 "$scratch/s.positions")" = 'KRATONPS 1 surakarta 36' ] || wrong 'positions --binary: header'
lines=$("$build/kraton-lab" positions surakarta "$scratch/s.games" | wc -l)
[ "$(wc -c <"$scratch/s.positions")" -eq $((24 + 26 * lines)) ] || wrong 'positions --binary: size'
"$build/kraton-lab" positions surakarta "$scratch/s.games" --binary "$scratch/none/x" >"$scratch/out" \
    2>"$scratch/err" && wrong 'positions --binary: no folder'

# Ctrl-C is caught before the file of weights is opened. A pipe nobody reads holds it there.
mkfifo "$scratch/pipe"
"$kraton" tune surakarta "$scratch/positions" -o "$scratch/pipe" >"$scratch/out" 2>"$scratch/err" &
pid=$! tries=0
until [ "$(cat /proc/$pid/comm)" = kraton-lab ] && grep -qE '^SigCgt:.*[2367abef]$' /proc/$pid/status ||
    [ $((tries += 1)) -gt 300 ]; do
    sleep 0.1
done
[ $tries -le 300 ] || wrong 'tune: an interrupt is not caught'
kill -9 $pid
wait $pid 2>/dev/null
finish
