# kraton tb build: tables come out the same whatever happened on the way.
. "$(dirname "$0")/lib.sh"

whole=$scratch/whole
shows '^2v1 1v2 +6324 +[0-9.]+ +[0-9]+$' tb build --pieces 4 --rules traditional --dir "$whole"
shows '^all +119427 ' tb build --pieces 4 --rules count --dir "$whole" --threads 1
[ "$(ls "$whole" | wc -l)" -eq 24 ] || wrong "two files a split, six splits, two conventions"
shows '^2v2 +52173 +there ' tb build --pieces 4 --rules count --dir "$whole"

# A split and what it rests on: no 4v1, no 3v2.
shows '^2v2 ' tb build --split 2v2 --dir "$scratch/split"
[ "$(ls "$scratch/split" | wc -l)" -eq 8 ] || wrong "four splits, two files each"

# Killed on the way, it goes on and ends with the same bytes.
parts=$scratch/parts
"$kraton" tb build --pieces 5 --dir "$parts" >/dev/null 2>&1 &
process=$!
has_begun() { [ -e "$parts/count-2v1.values" ] && [ -e "$parts/count-1v2.values" ]; }
comes_true has_begun || wrong 'tb build writes no table'
kill -9 $process
wait $process 2>/dev/null
shows '^2v1 1v2 +6324 +there ' tb build --pieces 4 --dir "$parts"
for file in "$whole"/count-*; do
    cmp -s "$file" "$parts/${file##*/}" || wrong "$file comes out the same"
done

# A damaged file is named and built again.
printf 'X' | dd of="$parts/count-1v2.values" bs=1 seek=200 conv=notrunc 2>/dev/null
run tb build --pieces 3 --dir "$parts"
[ $status -eq 0 ] && grep -q 'count-1v2.values.*built again' "$scratch/err" &&
    cmp -s "$whole/count-1v2.values" "$parts/count-1v2.values" || wrong "tb build, damaged file"

# Two builds in one folder: the second is refused, the first is none the worse for it.
if command -v flock >/dev/null; then
    refused=$(flock "$parts" "$kraton" tb build --pieces 3 --dir "$parts" 2>&1) &&
        wrong "a second build is refused"
    case $refused in
    *'another build is at work there'*) ;;
    *) wrong "a second build is refused in words: $refused" ;;
    esac
fi

# What will not do is said before anything is written.
refuses 1 '1v1 takes [0-9]+ MB of memory; 2 MB may be used' tb build --pieces 4 \
    --memory 2M --dir "$scratch/none"
refuses 2 '--memory is a number of bytes' tb build --pieces 4 --memory lots --dir "$scratch/none"
refuses 2 '--pieces is a number from 2 to 10' tb build --pieces 1 --dir "$scratch/none"
refuses 2 '--pieces is a number from 2 to 10' tb build --dir "$scratch/none"
refuses 2 '--split is like 5v4' tb build --split 5x4 --dir "$scratch/none"
refuses 2 '--split is like 5v4' tb build --split 9v9 --dir "$scratch/none"
refuses 2 '--threads is a number' tb build --pieces 4 --threads 0 --dir "$scratch/none"
refuses 2 '--dir FOLDER' tb build --pieces 4
refuses 1 'Not a directory' tb build --pieces 3 --dir "$whole/count-1v1.values/x"
refuses 1 'Not a directory' tb build --pieces 3 --dir "$whole/count-1v1.values"
[ ! -e "$scratch/none" ] || [ -z "$(ls "$scratch/none")" ] || wrong "refused, yet something written"
finish
