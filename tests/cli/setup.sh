# ./run from nothing, with an apt-get, a source tree and a compiler's work of our own: it says what
# will happen and how far it is, once; two of them at once take turns; later ones are quiet.
. "$(dirname "$0")/lib.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
fake=$scratch/fake
mkdir "$fake" "$fake/bin"
PATH=$fake/bin:$PATH
export fake

cat >"$fake/bin/dpkg-query" <<'END'
#!/bin/sh
[ ! -e "$fake/installed" ] || printf installed
END
# The installation lasts until the test lets it go on.
cat >"$fake/bin/apt-get" <<'END'
#!/bin/sh
case " $* " in
*' --assume-no '*)
    echo 'Need to get 88.7 MB of archives.'
    echo 'After this operation, 321 MB of additional disk space will be used.'
    exit 1
    ;;
*' install '*)
    echo "$*" >>"$fake/apt.log"
    echo 'Get:1 http://deb.example gcc'
    tries=0
    until [ -e "$fake/go-on" ] || [ $((tries += 1)) -gt 3000 ]; do sleep 0.1; done
    [ -e "$fake/go-on" ] || exit 1
    echo 'Setting up gcc'
    : >"$fake/installed"
    ;;
esac
END
# It knows the packages of Debian 12.
cat >"$fake/bin/apt-cache" <<'END'
#!/bin/sh
case $2 in
libllhttp-dev) ;;
*) printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "$2" ;;
esac
END
printf '#!/bin/sh\nexec "$@"\n' >"$fake/bin/sudo"
chmod +x "$fake/bin/"*

# A checkout that builds in a moment.
tree=$scratch/tree
new_tree() {
    rm -rf "$tree"
    mkdir -p "$tree/tools" "$tree/src" "$tree/tests" "$tree/fuzz" "$tree/kraton-data/tables"
    : >"$tree/kraton-data/tables/complete"
    cp "$source/run" "$tree/" && cp "$source/tools/setup.sh" "$tree/tools/"
    cp "$source/CMakePresets.json" "$tree/"
    echo 'int puts(const char *); int main(int n, char **v) { return puts(v[n - 1]) < 0; }' >"$tree/src/main.c"
    cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES C)
add_executable(kraton src/main.c)
add_custom_target(installed DEPENDS kraton)
foreach(NAME kraton-lab kraton-lab-surakarta kraton-lab-xiangqi)
    add_custom_target(${NAME})
endforeach()
END
}
# begin NAME: ./run in the background, and what it says in NAME.out and NAME.err.
begin() {
    : >"$scratch/$1.err"
    "$tree/run" "$1" >"$scratch/$1.out" 2>"$scratch/$1.err" </dev/null &
}
# says NAME PATTERN: sooner or later.
says() {
    tries=0
    until grep -qE -e "$2" "$scratch/$1.err"; do
        if [ $((tries += 1)) -gt 3000 ]; then
            status=none
            cp "$scratch/$1.out" "$scratch/out" && cp "$scratch/$1.err" "$scratch/err"
            wrong "(./run $1): never said $2"
            return 1
        fi
        sleep 0.1
    done
}
ends() {
    wait "$2"
    status=$?
    cp "$scratch/$1.out" "$scratch/out" && cp "$scratch/$1.err" "$scratch/err"
    [ $status -eq 0 ] && [ "$(cat "$scratch/out")" = "$1" ] || wrong "(./run $1)"
}

# What ./run starts needs nothing but the modules of python3-minimal.
sed -n 's/^\(import\|from\) \([a-z]*\).*/\2/p' "$source/tools/make-docs.py" | grep -vx 're\|subprocess\|sys\|pathlib' >"$scratch/out"
[ ! -s "$scratch/out" ] || wrong "(tools/make-docs.py): $(cat "$scratch/out") is not in python3-minimal"

# Two at once: the second waits and says so, and both end well.
new_tree
export KRATON_PROGRESS_SECONDS=0
begin one
one=$!
says one '^Get:1 ' && begin two && two=$! && says two 'waiting'
: >"$fake/go-on"
ends one "$one"
ends two "$two"
[ "$(wc -l <"$fake/apt.log")" -eq 1 ] || wrong "(./run): apt-get ran $(wc -l <"$fake/apt.log") times"
[ "$(wc -l <"$scratch/two.err")" -eq 1 ] || wrong "(./run two): more than one line"

grep -q ' node-llhttp ' "$fake/apt.log" && ! grep -q 'libllhttp-dev' "$fake/apt.log" ||
    wrong "(./run): of two packages the one that apt knows: $(cat "$fake/apt.log")"

# What happens is said before it begins, and once; how far it is, in between.
line_of() { grep -nE -e "$1" "$scratch/one.err" | cut -d: -f1; }
! grep -q '^Installing.*|' "$scratch/one.err" || wrong "(./run one): alternatives are told as they are written"
announced=$(line_of 'one to five minutes')
figures=$(line_of '88.7 MB to download.*321 MB of disk')
download=$(line_of '^Get:1 ')
built=$(line_of '^\[[0-9]+/[0-9]+\] ' | tail -n 1)
[ "$announced" -eq 1 ] && [ "$announced" -lt "$figures" ] && [ "$figures" -lt "$download" ] &&
    [ "$download" -lt "$built" ] || wrong "(./run one): the order of $announced $figures $download $built"

# Nothing to do, nothing to say.
begin three
ends three $!
[ ! -s "$scratch/three.err" ] || wrong "(./run three): not quiet"

# Options alone, and `serve`, are the server's, with one data folder whatever the current one is; other
# commands are passed on as they are.
printf '#!/bin/sh\necho "$*"\n' >"$tree/build/release/kraton"
data="$tree/kraton-data"
passes() {
    (cd / && "$tree/run" $2) >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && [ "$(cat "$scratch/out")" = "$1" ] || wrong "(./run $2)"
}
# No server was there yet, whatever else is in the folder (the tables): it begins with nothing.
passes "serve --data $data --new" ''
passes "serve --data $data --new --port 8700" '--port 8700'
passes "serve --data $data --data other" '--data other'
: >"$data/identity"
passes "serve --data $data" ''
passes "serve --data $data --port 8700" '--port 8700'
passes "serve --data $data --port 8700 --data other" '--port 8700 --data other'
passes "serve --data $data --port 8700" 'serve --port 8700'
passes 'judge xiangqi h2e2' 'judge xiangqi h2e2'
passes --version --version

# Without the variable there is a line every ten seconds: none about a moment's work.
unset KRATON_PROGRESS_SECONDS
new_tree
begin four
ends four $!
! grep -q '^\[' "$scratch/four.err" || wrong "(./run four): every step is told"
grep -q 'one to five minutes' "$scratch/four.err" || wrong "(./run four): no word of the time"

# On a terminal it is one line that changes, and goes away.
if has_terminal; then
    new_tree
    script -qec "'$tree/run' five" /dev/null </dev/null >"$scratch/out" 2>"$scratch/err"
    status=$?
    escape=$(printf '\033')
    [ $status -eq 0 ] && grep -q "$escape\[K\[[0-9]*/[0-9]*\] Linking" "$scratch/out" &&
        tail -n 1 "$scratch/out" | grep -q "$escape\[Kfive" || wrong "(./run five): on a terminal"
    # It fits the terminal's width: a line that wraps cannot be replaced.
    new_tree
    script -qec "stty cols 30 && '$tree/run' five" /dev/null </dev/null >"$scratch/out" 2>"$scratch/err"
    status=$?
    longest=$(tr '\r' '\n' <"$scratch/out" | sed -n "s/^$escape\[K\[/[/p" |
        awk 'length > most { most = length } END { print most + 0 }')
    [ $status -eq 0 ] && [ "$longest" -eq 29 ] || wrong "(./run five): $longest of 30 columns"
fi

# What cannot be built is told in full, and ends it.
new_tree
echo 'nonsense' >"$tree/src/main.c"
begin six
wait $!
status=$?
cp "$scratch/six.err" "$scratch/err"
[ $status -eq 1 ] && grep -q 'error:' "$scratch/err" && [ ! -s "$scratch/six.out" ] ||
    wrong "(./run six): a failed build"

# ./test refuses what it does not know before it does anything.
new_tree
cp "$source/test" "$tree/"
for bad in --frobnicate '--all net' -x; do
    "$tree/test" $bad >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$scratch/out" ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
        grep -q -- '--help' "$scratch/err" && [ ! -e "$tree/build" ] || wrong "(./test $bad)"
done
"$tree/test" --help >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] && grep -q -- '--all' "$scratch/out" && [ ! -s "$scratch/err" ] || wrong '(./test --help)'

# ./test waits for another ./test in the folder, and then goes on (here to an npm that fails).
new_tree
cp "$source/test" "$tree/" && mkdir -p "$tree/tests/page" "$tree/build"
printf '#!/bin/sh\nexit 1\n' >"$fake/bin/npm" && chmod +x "$fake/bin/npm"
mkfifo "$scratch/held"
flock "$tree/build/.lock-test" sh -c 'echo holds >"$1"; cat "$1"' sh "$scratch/held" >/dev/null &
read -r holds <"$scratch/held"
: >"$scratch/seven.err"
"$tree/test" >"$scratch/seven.out" 2>"$scratch/seven.err" </dev/null &
tester=$!
says seven 'Another ./test .*waiting'
echo "$holds no more" >"$scratch/held"
wait $tester
[ "$(cat "$scratch/seven.out")" = '0 passed, 1 failed' ] && says seven 'npm could not' ||
    wrong "(./test): after waiting"
finish
