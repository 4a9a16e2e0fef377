#!/bin/sh
# Proves ./run and ./test on a bare system: bootstraps a minimal Debian (or Ubuntu) into a folder,
# clones the last commit into it, runs both in a chroot there as a new user would, and removes it
# all again. Wants root, debootstrap and git.
#   tools/try-in-fresh-root.sh [SUITE [MIRROR]]     SUITE: bookworm, trixie, ...
# Suite and mirror are those of this machine's own apt unless given.
set -e
repository=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "$*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "debootstrap and chroot take root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
# Mounts made in a namespace of our own go away with us, whatever happens.
[ -n "$KRATON_UNSHARED" ] || KRATON_UNSHARED=1 exec unshare --mount "$0" "$@"

suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${2:-$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^main //p' | head -n 1)}
[ -n "$suite" ] && [ -n "$mirror" ] || fail "which suite and mirror? $0 SUITE MIRROR"

root=$(mktemp -d "${TMPDIR:-/tmp}/kraton-root.XXXXXX")
clean_up() {
    umount "$root/dev/pts" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root" "$root.log"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

echo "== a minimal $suite in $root"
debootstrap --variant=minbase --include=git "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    exit 1
}
rm -f "$root.log"

# The way this machine reaches its mirror (proxy, name server) is not part of the proof.
apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Retries)' \
    >"$root/etc/apt/apt.conf.d/99of-the-host" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" # every real system has terminals
ln -sf pts/ptmx "$root/dev/ptmx"

git clone -q "file://$repository" "$root/kraton"
in_root() {
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        sh -c "cd /kraton && $1"
}
# timed COMMAND: runs it there and says how long it took.
timed() {
    echo "== $1"
    began=$(date +%s.%N)
    in_root "$1" || fail "FAILED: $1"
    echo "== took $(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }') s: $1"
}
timed './run version'
timed 'du -sh build && cmake --install build/release --prefix /opt/kraton >/dev/null && /opt/kraton/bin/kraton version'
timed 'timeout --preserve-status -s INT 5 ./run | grep -q "^Kraton serves http://"'
timed 'echo q | ./run play'
timed './test'
timed './run judge xiangqi h2e2'
timed './run show surakarta'
echo "== $suite: all of it worked"
