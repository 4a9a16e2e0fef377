# The examples of the documentation print what it says (tests/examples.py); those of the Chinese README
# are the English one's.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
examples=$root/tests/examples.py
kraton=$(cd "$(dirname "$kraton")" && pwd)/${kraton##*/}
cd "$scratch" || exit 1

# What the program that runs them must not let pass.
refuses_page() {
    printf '%b' "$2" >page.md
    python3 "$examples" "$kraton" page.md >out 2>err
    status=$?
    [ $status -eq 1 ] && grep -q '^FAILED: page.md' out || wrong "($1)"
}
takes_page() {
    printf '%b' "$2" >page.md
    python3 "$examples" "$kraton" page.md >out 2>err
    status=$?
    [ $status -eq 0 ] && [ ! -s err ] || wrong "($1)"
}
refuses_page 'other output' '```console\n$ echo one\ntwo\n```\n'
refuses_page 'more output' '```console\n$ printf "one\\\\ntwo\\\\n"\none\n```\n'
refuses_page 'less output' '```console\n$ echo one\none\ntwo\n```\n'
refuses_page 'a console command that fails' '```console\n$ echo one; exit 3\none\n```\n'
refuses_page 'one that fails behind any output' '```console\n$ echo one; exit 3\n…\n```\n'
refuses_page 'another status' '```console\n$ echo one; exit 3\none\n[status 2]\n```\n'
refuses_page 'a status of one that succeeds' '```console\n$ echo one\none\n[status 1]\n```\n'
takes_page 'a status' '```console\n$ echo one; exit 3\none\n[status 3]\n$ false\n[status 1]\n$ true\n```\n'
refuses_page 'a command that fails' '```sh\nfalse\ntrue\n```\n'
refuses_page 'code without a fence' 'Text:\n\n    kraton version\n'
refuses_page 'code of no kind' '```\nkraton version\n```\n'
refuses_page 'commands as data' '```text\n$ kraton version\n```\n'
refuses_page 'bad input' '<!-- input of: kraton convert json moves - -->\n```json\n{}\n```\n'
refuses_page 'another answer' '```talk\n$ kraton-stub\n> uci\n< nonsense\n```\n'
refuses_page 'another answer of the server' '```rest\nGET /api/v1/me\n200 {}\n```\n'
refuses_page 'a comment without a block' '<!-- not run: why -->\n\ntext\n'
takes_page 'marks' '```console\n$ printf "one\\\\n2 apples\\\\nthree\\\\nfour\\\\n"\none\n… apples\n…\nfour\n$ true\n```\n'
takes_page 'an answer of the server' '```rest\nGET /api/v1/none\n404 {…}\nGET /api/v1/me\n200 {…\n "kind": "guest"…}\n```\n'
takes_page 'what comes first' '<!-- first: echo x >file -->\n```sh\ncat file\n```\n'
takes_page 'not run' '<!-- not run: why -->\n```sh\nfalse\n```\n'
grep -qx '0 blocks run, 0 of data, 1 not run' out || wrong '(not run)'
printf '```console\n$ echo at 7 s\nat … m\n```\n' >page.md
python3 "$examples" --update "$kraton" page.md >out 2>err
grep -qx 'at … s' page.md || wrong '(--update)'
printf '```console\n$ echo two; exit 3\none\n```\n' >page.md
python3 "$examples" --update "$kraton" page.md >out 2>err
printf '```console\n$ echo two; exit 3\ntwo\n[status 3]\n```\n' | cmp -s - page.md || wrong '(--update, a status)'

# All of them.
blocks_of() { awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' "$1"; }
blocks_of "$root/README.md" >english
blocks_of "$root/README.zh.md" | diff -u english - || failures=1
cd "$root" && python3 "$examples" "$kraton" README.md README.zh.md CONTRIBUTING.md docs/*.md docs/lab/*.md || failures=1

# Lines of text wrap at 100 columns, and links lead somewhere.
refuses_layout() {
    printf '%b' "$2" >"$scratch/page.md"
    python3 tools/check-docs.py "$scratch/page.md" >"$scratch/out" 2>&1 && wrong "($1)"
}
refuses_layout 'a long line' "$(printf '%0101d' 0)\n"
refuses_layout 'a link to nothing' '[there](no/such.md)\n'
refuses_layout 'a link to no heading' '# One\n\n[two](#two)\n'
python3 tools/check-docs.py || failures=1
finish
