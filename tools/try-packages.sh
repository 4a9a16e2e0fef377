#!/bin/sh
# Tries the Debian packages as a user would: in a clean root they are installed, used and removed.
#   tools/try-packages.sh FOLDER   those of a folder (tools/make-packages.sh, tools/release.sh)
#   tools/try-packages.sh          builds them first, in a clean root of their own
#   tools/try-packages.sh --twice  builds them twice, in two folders, and compares
# lintian is asked too, where it is installed. Wants root, mmdebstrap and git.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
. "$repository/tools/fresh-root.sh"

twice=false
packages=$1
if [ "$1" = --twice ] || [ $# -eq 0 ]; then
    [ $# -eq 0 ] || twice=true
    new_root build
    git clone -q "file://$repository" "$build/repository"
    commands=$(sed -n '/^## Packages from a checkout/,/^## /{/^```sh/,/^```/{/^```/d;p}}' "$repository/docs/releasing.md")
    timed 'packages built and installed by the words of docs/releasing.md' "$build" "cd /repository
        $commands
        kraton doctor | grep -q 'engine xiangqi'"
    packages=$build/repository/dist
    if $twice; then
        timed 'packages built elsewhere' "$build" 'cd /repository && tools/make-packages.sh /two /some/where/else'
        for package in "$packages"/*.deb; do
            cmp "$package" "$build/two/${package##*/}" || fail "two builds differ: ${package##*/}"
        done
        echo 'two builds in two folders: the same bytes' >&2
    fi
fi
ls "$packages"/kraton_*.deb >/dev/null 2>&1 || fail "no packages in $packages: tools/make-packages.sh makes them"
ls -l "$packages" | awk '/[.]deb$/ && !/dbgsym/ { printf "%9d bytes  %s\n", $5, $9 }' >&2

if command -v lintian >/dev/null; then
    found=$(lintian --fail-on error "$packages"/*.deb 2>&1) || {
        echo "$found" | grep '^E:' >&2
        fail 'lintian finds errors'
    }
    echo "lintian: no errors; warnings: $(echo "$found" | grep -c '^W:')" >&2
    echo "$found" | grep '^W:' >&2 || true
fi

new_root user
mkdir "$user/packages"
cp "$packages"/*.deb "$user/packages/"
cp "$repository/examples/judge.c" "$repository/docs/python.md" "$repository/tests/python_doctest.py" "$user/packages/"
rm -f "$user"/packages/*dbgsym*
timed 'packages installed' "$user" 'apt-get update -q
    apt-get install -qy --no-install-recommends /packages/*.deb'
# A player: the programs and their page.
timed 'kraton judges and plays' "$user" '
    kraton --version
    kraton judge xiangqi h2e2 h9g7 | grep -q "^result: ongoing"
    kraton match surakarta --engine kraton-surakarta,name=A --engine kraton-surakarta,name=B,option.Level=1 --each tc=nodes=200 \
        --rounds 1 --out /tmp/match | grep -q "^2 games"
    getent passwd kraton'
timed 'the server serves its page and documentation' "$user" '
    kraton serve --port 0 --bot-port 0 --data /tmp/data >/tmp/said &
    server=$!
    for try in $(seq 6000); do grep -q http /tmp/said && break || sleep 0.1; done
    port=$(sed -n "s|.*://[^:]*:\([0-9]*\)/.*|\1|p" /tmp/said)
    python3 -c "
import urllib.request, sys
for path in (\"\", \"docs/\", \"docs/engines.html\", \"api/v1/health\", \"engines/kraton-xiangqi.wasm\"):
    assert urllib.request.urlopen(\"http://127.0.0.1:%s/%s\" % (sys.argv[1], path)).status == 200" $port
    kill $server'
# An operator: the service under a systemd of its own, in the sandbox of its unit. A guest plays a house bot, so
# that an engine runs there too. After a crash and after an upgrade the server is there again with its games.
timed 'systemd installed' "$user" 'apt-get install -qy --no-install-recommends systemd
    ! [ -e /etc/systemd/system/multi-user.target.wants/kraton.service ]'
cat >"$user/packages/guest.py" <<'END'
import asyncio
from kraton import server

async def main():
    async with await server.connect("127.0.0.1", 8612) as client:
        await client.challenge("House-1", "surakarta", "60+1", rated=False)
        game, outcome, words = await client.play(lambda game: game.board.legal_moves[0])
        print("played", game.board.ply, "plies:", outcome.score, words)

asyncio.run(main())
END
booted 'the service runs, plays, survives a crash and an upgrade, ends with its package' "$user" '
    systemd-analyze verify --man=no kraton.service
    echo "KRATON_OPTIONS=\"--port 8611 --bot-port 8612\"" >/etc/default/kraton
    pid() { systemctl show kraton --property MainPID --value; }
    serves() { # another process than $1
        tries=0
        until [ "$(pid)" != "$1" ] && python3 -c "
import urllib.request
assert urllib.request.urlopen(\"http://127.0.0.1:8611/api/v1/health\").status == 200" 2>/dev/null; do
            [ $((tries += 1)) -lt 6000 ] || { systemctl status --no-pager kraton; exit 1; }
            sleep 0.1
        done
    }
    dpkg --purge kraton && dpkg -i /packages/kraton_*.deb && ! systemctl is-active -q kraton
    systemctl enable --now kraton
    serves 0
    grep -E "^(CapEff:.0*|NoNewPrivs:.1|Seccomp:.2)$" /proc/$(pid)/status | wc -l | grep -qx 3
    [ "$(stat -c %U /proc/$(pid))" = kraton ] && [ -s /var/lib/kraton/data/kraton.db ]
    python3 /packages/guest.py
    before=$(pid) && kill -KILL "$before" && serves "$before"
    before=$(pid) && dpkg -i /packages/kraton_*.deb && serves "$before"
    dpkg --remove kraton
    ! systemctl is-active -q kraton && dpkg -i /packages/kraton_*.deb'
timed 'kraton-tables builds' "$user" 'kraton-tables build --pieces 4 --dir /tmp/tables
    kraton-tables verify --dir /tmp/tables'
# A Python user.
timed 'Python' "$user" 'python3 -c "
import kraton
assert len(kraton.Board(\"xiangqi\").legal_moves) == 44
with kraton.Tables(\"/tmp/tables\") as tables:
    assert tables.pieces == 4
import kraton.engine
with kraton.engine.SimpleEngine.popen_uci(\"kraton-xiangqi\") as engine:
    assert engine.play(kraton.Board(\"xiangqi\"), kraton.engine.Limit(depth=3)).move
"
    cd /tmp && python3 /packages/python_doctest.py /packages/python.md'
# A C programmer.
timed 'a C program' "$user" 'apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config
    cc /packages/judge.c $(pkg-config --cflags --libs kraton) -o /tmp/judge
    /tmp/judge xiangqi "C2=5 H8+7" | grep -q "^35 legal moves"'
timed 'packages removed' "$user" 'apt-get purge -qy kraton kraton-tables libkraton1 libkraton-dev python3-kraton
    ! command -v kraton && ! [ -e /usr/share/kraton ] && ! [ -e /lib/systemd/system/kraton.service ]
    [ -s /var/lib/private/kraton/data/kraton.db ]' # games are not the package's: they stay
echo 'all of it worked' >&2
