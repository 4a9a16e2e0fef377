# perft: the first depths of the tables, without their times.
. "$(dirname "$0")/lib.sh"

# counts TEXT ARGUMENT...: as prints, each line's last word, the seconds, left out.
counts() {
    printf '%s\n' "$1" >"$scratch/expected"
    shift
    run perft "$@"
    grep -qvE '^[0-9]+ [0-9]+ [0-9]+ [0-9]+\.[0-9]+$' "$scratch/out" && wrong perft "$@"
    sed 's/ [^ ]*$//' "$scratch/out" >"$scratch/counts"
    [ $status -eq 0 ] && cmp -s "$scratch/counts" "$scratch/expected" || wrong perft "$@"
}
surakarta='1 16 0
2 256 0
3 5382 0
4 111122 582'
counts "$surakarta" surakarta 4
counts "$(echo "$surakarta" | head -n 3)" surakarta 3 --reference
xiangqi='1 44 2
2 1920 72
3 79666 3159'
counts "$xiangqi" xiangqi 3
counts "$xiangqi" xiangqi 3 --reference
counts '1 7 0' xiangqi 1 --fen '1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1'

# --divide: a line a root move, and they add up
for game in surakarta xiangqi; do
    run perft $game 3 --divide
    awk 'NF == 2 { sum += $2; roots++ } NF == 4 && $1 == 1 { moves = $2 } NF == 4 { last = $2 }
        END { exit !(sum == last && roots == moves) }' "$scratch/out" || wrong perft $game 3 --divide
done
refuses 2 'depth' perft xiangqi 0
refuses 2 'depth' perft xiangqi -1
refuses 2 'depth' perft xiangqi 3x
refuses 2 'depth' perft surakarta 99
finish
