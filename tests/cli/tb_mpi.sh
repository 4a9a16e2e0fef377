# kraton-mpi: tables by several ranks, byte for byte those of one process. Skipped without MPI.
. "$(dirname "$0")/lib.sh"
mpi=$kraton-mpi
if [ ! -x "$mpi" ] || ! command -v mpirun >/dev/null; then
    echo "no MPI here: install libopenmpi-dev and openmpi-bin, and build again"
    exit 77
fi
# Open MPI keeps memory until the program ends.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
# More ranks than processors, as root in containers, without a network; a rank that waits lets
# others work.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM ASAN_OPTIONS
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl

# ranks N ARGUMENT...
ranks() {
    count=$1
    shift
    mpirun -n "$count" "$mpi" "$@" >"$scratch/out" 2>"$scratch/err"
}

# --- six pieces by two ranks, five by one and four
for rules in traditional count; do
    shows '^all ' tb build --pieces 5 --rules $rules --dir "$scratch/five"
    shows '^all ' tb build --pieces 6 --rules $rules --dir "$scratch/six"
    for count in 1 4; do
        ranks $count tb build --pieces 5 --rules $rules --dir "$scratch/five-$count" ||
            wrong "$count ranks: $(cat "$scratch/err")"
    done
    ranks 2 tb build --pieces 6 --rules $rules --dir "$scratch/six-2" ||
        wrong "2 ranks: $(cat "$scratch/err")"
    grep -q '^splits .* folding +writing +busiest$' -E "$scratch/out" &&
        [ "$(awk '$1 == "all" { print ($5 > 0 && $6 > 0 && $6 < $2 / 2) }' "$scratch/out")" = 1 ] ||
        wrong "what was sent: $(cat "$scratch/out")"
done
diff -r "$scratch/five" "$scratch/five-1" && diff -r "$scratch/five" "$scratch/five-4" &&
    diff -r "$scratch/six" "$scratch/six-2" || wrong "ranks write other files than one process"

# --- verify: as one process says it, of sound tables and of a wrong one
ranks 2 tb verify --dir "$scratch/five-4" || wrong "verify: $(cat "$scratch/err")"
tail -n 1 "$scratch/out" >"$scratch/theirs"
"$kraton" tb verify --dir "$scratch/five-4" | tail -n 1 | diff - "$scratch/theirs" ||
    wrong "verify by ranks says something else"
damaged=$(find "$scratch/five-4" -type f | sort | tail -n 1)
printf x | dd of="$damaged" bs=1 seek=200 conv=notrunc 2>/dev/null
ranks 2 tb verify --dir "$scratch/five-4" && wrong "verify by ranks finds nothing in a damaged file"
[ "$(grep -c 'damaged' "$scratch/err")" -ge 1 ] || wrong "verify: $(cat "$scratch/err")"

# --- a build that is killed goes on by whole splits; what is there is kept, what is damaged is not
rm -rf "$scratch/killed"
mpirun -n 2 "$mpi" tb build --pieces 6 --rules count --dir "$scratch/killed" >/dev/null 2>&1 &
killed=$!
until [ "$(find "$scratch/killed" -type f ! -name '*.part' 2>/dev/null | wc -l)" -ge 4 ] ||
    ! kill -0 $killed 2>/dev/null; do
    sleep 0.01
done
kill -TERM $killed 2>/dev/null
wait $killed
ranks 2 tb build --pieces 6 --rules count --dir "$scratch/killed" ||
    wrong "resume: $(cat "$scratch/err")"
grep -q ' there ' "$scratch/out" || wrong "resume: nothing was kept: $(cat "$scratch/out")"
for file in "$scratch/killed"/*; do
    cmp "$file" "$scratch/six/${file##*/}" || wrong "resume: ${file##*/} differs"
done

# --- bad input: one clear line, and no rank hangs
refuses_ranks() {
    expected=$1
    message=$2
    shift 2
    ranks 2 "$@"
    [ $? -eq "$expected" ] || wrong "$*: another status than $expected"
    [ "$(grep -c '^kraton\|^usage' "$scratch/err")" -eq 1 ] && grep -q -e "$message" "$scratch/err" ||
        wrong "$*: $(cat "$scratch/err")"
}
refuses_ranks 2 'usage: mpirun' play
refuses_ranks 2 'from 2 to 10' tb build --pieces 99 --dir "$scratch/x"
refuses_ranks 2 '--device goes without ranks' tb build --pieces 3 --device cpu --dir "$scratch/x"
refuses_ranks 1 'of memory; ' tb build --pieces 6 --memory 1M --dir "$scratch/x"

[ $failures -eq 0 ]
