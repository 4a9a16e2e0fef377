#!/bin/sh
# Runs the steps of Containerfile in minimal roots, without podman, and asks the server that it starts.
#   tools/try-container.sh [FOLDER]          FOLDER has the packages, if they are built already
#   tools/try-container.sh --podman FOLDER   podman builds the image, from a minimal root in place of Debian's
#                                            and with these packages in place of its first stage
# Wants root, mmdebstrap, git and python3.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)
. "$repository/tools/fresh-root.sh"
by_podman=false
if [ "${1-}" = --podman ]; then
    by_podman=true
    shift
    command -v podman >/dev/null || fail 'podman is missing: apt-get install podman buildah'
    [ $# -eq 1 ] || fail 'usage: tools/try-container.sh --podman FOLDER'
fi
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
# podman with a store of its own, beside the root.
in_store() {
    podman --storage-driver vfs --root "$base.store" --runroot "$base.run" "$@"
}
build_image() {
    mkdir "$base.context" "$base.context/packages"
    cp "$given"/*.deb "$base.context/packages/"
    sed '/^FROM .* AS build/,/^FROM /{/ AS build/{s/.*/FROM scratch AS build\nCOPY packages \/packages/;b};/^FROM /!d}' \
        "$repository/Containerfile" >"$base.context/Containerfile"
    name=$(sed -n 's/^FROM \([^ ]*\)$/\1/p' "$repository/Containerfile")
    tar -C "$base" --one-file-system -c . | in_store import - "$name" &&
        in_store build --isolation chroot --network host -t kraton "$base.context"
}
if $by_podman; then
    new_root base
    roots="$roots $base.store $base.run $base.context"
    began=$(date +%s)
    build_image >"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        fail 'podman build failed'
    }
    echo "podman build: $(($(date +%s) - began)) s, $(in_store image inspect --format '{{.Config.User}} {{.Config.Entrypoint}} {{.Config.Cmd}}' kraton)" >&2
    image=$(in_store image mount kraton)
else
    new_root image
    mkdir "$image/packages"
    cp "$given"/kraton_*.deb "$given"/kraton-tables_*.deb "$image/packages/"
    run_steps 2 "$image"
fi
[ "$(sed -n 's/^ENTRYPOINT //p' "$repository/Containerfile")" = '["kraton"]' ] || fail 'another ENTRYPOINT'
command=$(sed -n 's/^CMD \[\(.*\)\]/\1/p' "$repository/Containerfile" | tr -d '",')
echo "image: $(du -sm --one-file-system "$image" | cut -f 1) MB" >&2
# As the user of the image, on free ports.
said=$(mktemp)
user=$(sed -n 's/^USER //p' "$repository/Containerfile")
chroot --userspec="$user" "$image" env -i PATH=/usr/bin:/bin kraton $command --port 0 --bot-port 0 >"$said" &
server=$!
tries=0
until grep -q http "$said" || [ $((tries += 1)) -gt 6000 ]; do sleep 0.1; done
port=$(sed -n 's|.*://[^:]*:\([0-9]*\)/.*|\1|p' "$said")
status=0
python3 -c '
import sys, urllib.request
assert urllib.request.urlopen("http://127.0.0.1:%s/" % sys.argv[1]).status == 200
assert urllib.request.urlopen("http://127.0.0.1:%s/docs/" % sys.argv[1]).status == 200' "$port" || status=1
kill "$server"
rm -f "$said"
[ $status -eq 0 ] && [ -s "$image/data/kraton/kraton.db" ] || fail 'the server does not serve'
echo 'the container serves' >&2
