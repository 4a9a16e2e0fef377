# The search of both games is the one it was: `kraton bench` looks at as many nodes as tests/signature.txt says, on every
# machine and in every build; with the evaluation made by hand at as many as tests/signature-none.txt says. A change of
# the search or the evaluation changes these files in the same commit (CONTRIBUTING.md); any other change leaves them alone.
. "$(dirname "$0")/lib.sh"
tests=$(dirname "$0")/..
folder=$(dirname "$kraton")

# compare FILE: the lines `GAME: N nodes` in $scratch/nodes against those of the file.
compare() {
    [ $status -eq 0 ] && cmp -s "$scratch/nodes" "$tests/$1" && return
    wrong bench
    echo "tests/$1 says:"
    cat "$tests/$1"
}

run bench
sed 's/ nodes,.*/ nodes/' "$scratch/out" >"$scratch/nodes"
compare signature.txt

for game in surakarta xiangqi; do
    printf '%s: ' $game
    "$folder/kraton-$game" bench 12 none
done >"$scratch/out" 2>"$scratch/err"
sed 's/ nodes,.*/ nodes/' "$scratch/out" >"$scratch/nodes"
compare signature-none.txt
finish
