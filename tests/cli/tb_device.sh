# kraton tb on OpenCL devices: the same kernels that run on graphics processors, here through PoCL.
. "$(dirname "$0")/lib.sh"
# Drivers keep memory until the program ends.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0

# --- without a device: one clear line, and everything else works
KRATON_OPENCL=/nowhere/libOpenCL.so.1
export KRATON_OPENCL
refuses 1 'no OpenCL here: KRATON_OPENCL is /nowhere/libOpenCL.so.1, which cannot be loaded' tb devices
refuses 1 'no OpenCL here' tb build --pieces 3 --device gpu --dir "$scratch/none"
shows '^all ' tb build --pieces 3 --dir "$scratch/none"
KRATON_OPENCL=libc.so.6
refuses 1 'KRATON_OPENCL: libc.so.6 is not OpenCL 1.2 or later: it has no clGetPlatformIDs' tb devices
unset KRATON_OPENCL
refuses 2 'go with --device' tb build --pieces 3 --no-files
refuses 2 '--no-files goes without' tb build --pieces 3 --device cpu --no-files --dir "$scratch/x"
refuses 2 '--dir FOLDER' tb build --pieces 3 --device cpu
refuses 2 '--device takes gpu' tb build --pieces 3 --device '' --dir "$scratch/x"
refuses 2 'without files there is nothing to continue' tb build --pieces 3 --device cpu --no-files --checkpoint 5
refuses 2 'from 2 to 10 .12 with --device.' tb build --pieces 12 --dir "$scratch/x"
refuses 2 'from 2 to 12' tb build --pieces 13 --device cpu --no-files

if ! "$kraton" tb devices 2>/dev/null | grep -q '^cpu'; then
    echo "no OpenCL device here: install pocl-opencl-icd"
    [ $failures -eq 0 ]
    exit
fi
OCL_ICD_VENDORS=/nowhere OPENCL_VENDOR_PATH=/nowhere refuses 1 'no driver here.*pocl-opencl-icd' tb devices
refuses 1 "no device 'no such'" tb build --pieces 3 --device 'no such' --dir "$scratch/x"
refuses 2 '--checkpoint takes' tb build --pieces 3 --device cpu --dir "$scratch/x" --checkpoint x
refuses 2 '--lines goes with --no-files' tb build --pieces 3 --device cpu --dir "$scratch/x" --lines x
refuses 2 '--check takes' tb build --pieces 3 --device cpu --dir "$scratch/x" --check 0
refuses 2 '--allocation is at least 64K' tb build --pieces 3 --device cpu --dir "$scratch/x" --allocation 1
shows '^all ' tb build --pieces 3 --device cpu --dir "$scratch/least" --allocation 64k
for option in --csv --lines; do
    refuses 1 'nowhere/x: No such file' tb build --pieces 3 --device cpu --no-files $option "$scratch/nowhere/x"
    [ ! -s "$scratch/out" ] || wrong tb build $option: built before the file was tried
done
refuses 2 '--allocation is' tb build --pieces 3 --device cpu --dir "$scratch/x" --allocation x

# --- byte for byte what the processor's builder writes; planes in one piece and split
for rules in traditional count; do
    shows '^all ' tb build --pieces 5 --rules $rules --dir "$scratch/processor" --threads 2
    shows '^memory +[0-9.]+ MB on the device' tb build --pieces 5 --rules $rules --device cpu \
        --dir "$scratch/device" --check 10000
    shows '^all ' tb build --pieces 5 --rules $rules --device cpu --allocation 512k \
        --dir "$scratch/split"
done
diff -r "$scratch/processor" "$scratch/device" && diff -r "$scratch/processor" "$scratch/split" ||
    wrong tb build --device: other files than without

# --- counts without files
run tb build --pieces 4 --rules count --device cpu --no-files --csv "$scratch/counts.csv" --check 10000
[ $status -eq 0 ] && grep -qE '^ +2 +2 +249890 +74500 +29040 +7 +8$' "$scratch/out" &&
    grep -q '^count,2,2,win,7,[0-9]*,[a-z0-9/]* b 0 1$' "$scratch/counts.csv" || wrong tb build --no-files
"$kraton" tb stats --dir "$scratch/processor" --rules count --csv | awk -F, 'NR > 1 && $1 + $2 <= 4 {
    print $1 "," $2 "," $4 "," $5 "," $6 }' | sort >"$scratch/expected"
awk -F, 'NR > 1 { n[$2 "," $3 "," $4] += $6; s[$2 "," $3] = 1 } END { for (k in s)
    print k "," n[k ",win"] + 0 "," n[k ",draw"] + 0 "," n[k ",loss"] + 0 }' "$scratch/counts.csv" |
    sort | diff - "$scratch/expected" || wrong tb build --csv: other counts than tb stats

# --- values alone: the same value files, and a build that was killed goes on
"$kraton" tb build --pieces 5 --rules count --device cpu --values-only --dir "$scratch/values" \
    >"$scratch/killed" 2>&1 &
builder=$!
comes_true test -e "$scratch/values/count-2v1.counts"
kill -9 $builder
wait $builder 2>/dev/null
shows '^1v1 .* there ' tb build --pieces 5 --rules count --device cpu --values-only \
    --dir "$scratch/values"
for file in "$scratch"/values/*.values; do
    cmp "$file" "$scratch/processor/${file##*/}" || wrong tb build --values-only: "${file##*/}"
done
[ ! -e "$scratch/values/count-2v2.distances" ] || wrong tb build --values-only: distances
shows '^Black +draw +\?$' tb probe '6/1b4/6/2w3/4w1/6 b' --dir "$scratch/values"

# --- killed inside a pair of splits: continues from the checkpoint, also a damaged one or another's
# A small pair may be finished before the kill comes: then it is built once more.
kill_inside() { # RULES PAIR FOLDER OPTION...
    rules=$1 pair=$2 folder=$3 tries=0
    shift 3
    state=$folder/$rules-$pair.state
    while [ $((tries += 1)) -le 50 ]; do
        "$kraton" tb build --split "$pair" --rules "$rules" --device cpu --dir "$folder" \
            --checkpoint 0 "$@" >"$scratch/killed" 2>&1 &
        builder=$!
        until [ -e "$state" ] || ! kill -0 $builder 2>/dev/null; do :; done
        kill -9 $builder 2>/dev/null
        wait $builder 2>/dev/null
        [ ! -e "$state" ] || return 0
        rm -f "$folder/$rules-$pair".* "$folder/$rules-${pair#*v}v${pair%v*}".*
    done
    wrong "$rules $pair was finished each time before it was killed"
}
for rules in traditional count; do
    kill_inside $rules 3v2 "$scratch/cut"
    shows '^continues  3v2 after round [0-9]' tb build --pieces 5 --rules $rules --device cpu \
        --dir "$scratch/cut"
done
diff -r "$scratch/processor" "$scratch/cut" || wrong tb build: other files after a checkpoint
kill_inside count 2v2 "$scratch/hurt" --values-only
size=$(wc -c <"$scratch/hurt/count-2v2.state")
printf 'XXXX' | dd of="$scratch/hurt/count-2v2.state" bs=1 seek=$((size - 40)) conv=notrunc 2>/dev/null
run tb build --pieces 4 --rules count --device cpu --values-only --dir "$scratch/hurt"
[ $status -eq 0 ] && ! grep -q '^continues' "$scratch/out" &&
    grep -q 'count-2v2.state cannot be continued: .*; built again' "$scratch/err" ||
    wrong tb build: a damaged checkpoint
cmp "$scratch/hurt/count-2v2.values" "$scratch/processor/count-2v2.values" ||
    wrong tb build: a damaged checkpoint was used
kill_inside count 3v2 "$scratch/other" --values-only
run tb build --split 3v2 --rules count --device cpu --values-only --allocation 512k --dir "$scratch/other"
[ $status -eq 0 ] && ! grep -q '^continues' "$scratch/out" && grep -q 'cannot be continued' "$scratch/err" ||
    wrong tb build: a checkpoint of another allocation
# Whoever finishes a table removes what others have left of it.
mkdir "$scratch/tidy"
for left in 2v2.state 2v2.state.part 2v1.counts 2v1.packed.part; do
    : >"$scratch/tidy/count-$left"
done
shows '^all ' tb build --pieces 4 --rules count --dir "$scratch/tidy"
[ -z "$(find "$scratch/tidy" -name '*.part' -o -name '*.state' -o -name '*.counts')" ] ||
    wrong "tb build leaves $(ls "$scratch/tidy")"
mkdir -p "$scratch/full/count-2v1.state.part"
run tb build --pieces 3 --rules count --device cpu --values-only --checkpoint 0 --dir "$scratch/full"
[ $status -eq 0 ] && grep -q 'count-2v1.state: the checkpoint cannot be written: Is a dir' "$scratch/err" &&
    cmp "$scratch/full/count-2v1.values" "$scratch/processor/count-2v1.values" ||
    wrong tb build without room for a checkpoint
[ ! -e "$scratch/hurt/count-2v2.state" ] || wrong tb build: the checkpoint stays

# --- lines of longest wins, on the device and from files; those in data/ are the same
for rules in traditional count; do
    run tb build --pieces 5 --rules $rules --device cpu --no-files --lines "$scratch/lines.csv"
    awk -F, -v rules=$rules '$1 == rules && $2 + $3 <= 5' "$(dirname "$0")/../../data/endgames/lines.csv" \
        >"$scratch/expected"
    tail -n +2 "$scratch/lines.csv" | diff - "$scratch/expected" || wrong tb build --lines: other lines
    while IFS=, read -r named _ _ plies fen line; do
        run tb line "$fen" --rules "$named" --dir "$scratch/processor"
        [ "$(tail -n +2 "$scratch/out" | tr '\n' ' ')" = "$line " ] &&
            [ "$(echo "$line" | tr ' ' '\n' | grep -n -m 1 x | cut -d: -f1)" = "$plies" ] ||
            wrong tb line "$fen: $line"
    done <"$scratch/expected"
done
grep -q '^win, [0-9]* plies$' "$scratch/out" || wrong tb line
refuses 1 'values without distances' tb line '6/1b4/6/2w3/4w1/6 b' --dir "$scratch/values"
refuses 1 'no table for so many pieces' tb line 'bbb3/6/6/6/6/www3 b' --dir "$scratch/processor"

# --- verify: tables with and without distances; all positions where there are no more than the sample
shows '^20 tables, 153068 positions checked on the device, of larger tables samples with seed [0-9]+: all right$' \
    tb verify --device cpu --sample 10000 --dir "$scratch/processor"
shows '^20 tables, 3143046 positions checked on the device: all right$' tb verify --device cpu \
    --dir "$scratch/processor"
shows '^10 tables, 1571523 positions checked on the device: all right$' tb verify --device cpu --sample 0 \
    --dir "$scratch/values"
refuses 1 '.values is values alone: --device NAME checks those, kraton tb build adds' tb verify \
    --dir "$scratch/values"

# --- stats and report of values alone
"$kraton" tb stats --dir "$scratch/processor" --csv >"$scratch/expected"
"$kraton" tb stats --dir "$scratch/values" --csv | diff - "$scratch/expected" || wrong tb stats of values alone
run tb stats --dir "$scratch/values"
[ $status -eq 0 ] && grep -q '10 of 10 tables are values alone' "$scratch/err" || wrong tb stats of values alone
run tb report --dir "$scratch/values"
[ $status -eq 0 ] && ! grep -q '## The longest wins' "$scratch/out" &&
    grep -q 'values without distances' "$scratch/out" || wrong tb report of values alone
cp -r "$scratch/processor" "$scratch/damaged"
printf 'X' | dd of="$scratch/damaged/count-2v2.values" bs=1 seek=3000 conv=notrunc 2>/dev/null
run tb verify --device cpu --sample 10000 --rules count --dir "$scratch/damaged"
[ $status -eq 1 ] && grep -q 'count-2v2.values is damaged' "$scratch/err" || wrong tb verify --device
# --- refused beforehand
refuses 1 'takes .* MB of memory on .*; 1 MB may be used; --values-only or fewer pieces' tb build --pieces 5 --device cpu \
    --dir "$scratch/x" --device-memory 1M
refuses 1 'of memory here; 1 MB may be used' tb build --pieces 5 --device cpu --dir "$scratch/x" --memory 1M
refuses 1 'allocations of more than' tb build --pieces 8 --device cpu --dir "$scratch/x" --allocation 1M
[ $failures -eq 0 ]
