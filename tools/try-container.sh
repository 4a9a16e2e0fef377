#!/bin/sh
# Runs the steps of Containerfile in minimal roots, without podman, and asks the server that it starts.
#   tools/try-container.sh [FOLDER]   FOLDER has the packages, if they are built already
# Wants root, mmdebstrap, git and python3.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
. "$repository/tools/fresh-root.sh"
given=${1:+$(cd "$1" && pwd)}

# steps STAGE: the RUN lines of a stage, by number, in order.
steps() {
    awk -v stage="$1" '/^FROM / { now++ } /^RUN / && now == stage { sub(/^RUN /, ""); print }' "$repository/Containerfile"
}
# run_steps STAGE FOLDER
run_steps() {
    steps "$1" >"$2/steps"
    while IFS= read -r line; do
        timed "RUN $line" "$2" "cd /source 2>/dev/null || cd /; $line" </dev/null
    done <"$2/steps"
}

if [ -z "$given" ]; then
    new_root build
    git clone -q "file://$repository" "$build/source"
    run_steps 1 "$build"
    given=$build/packages
fi
new_root image
mkdir "$image/packages"
cp "$given"/kraton_*.deb "$given"/kraton-tables_*.deb "$image/packages/"
run_steps 2 "$image"
[ "$(sed -n 's/^ENTRYPOINT //p' "$repository/Containerfile")" = '["kraton"]' ] || fail 'another ENTRYPOINT'
command=$(sed -n 's/^CMD \[\(.*\)\]/\1/p' "$repository/Containerfile" | tr -d '",')
echo "image: $(du -sm --one-file-system "$image" | cut -f 1) MB" >&2
# As the user of the image, on free ports.
user=$(sed -n 's/^USER //p' "$repository/Containerfile")
chroot --userspec="$user" "$image" env -i PATH=/usr/bin:/bin kraton $command --port 0 --bot-port 0 >"$image.said" &
server=$!
tries=0
until grep -q http "$image.said" || [ $((tries += 1)) -gt 6000 ]; do sleep 0.1; done
port=$(sed -n 's|.*://[^:]*:\([0-9]*\)/.*|\1|p' "$image.said")
status=0
python3 -c '
import sys, urllib.request
assert urllib.request.urlopen("http://127.0.0.1:%s/" % sys.argv[1]).status == 200
assert urllib.request.urlopen("http://127.0.0.1:%s/docs/" % sys.argv[1]).status == 200' "$port" || status=1
kill "$server"
rm -f "$image.said"
[ $status -eq 0 ] && [ -s "$image/data/kraton/kraton.db" ] || fail 'the server does not serve'
echo 'the container serves' >&2
