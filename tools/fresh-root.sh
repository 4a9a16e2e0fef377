# A minimal Debian in a folder, for the scripts that try things in one; sourced by them. Wants root and
# mmdebstrap. The suite and the mirror are those of this machine's own apt.

fail() {
    echo "$0: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail 'a root of its own takes root'
command -v mmdebstrap >/dev/null || fail 'mmdebstrap is missing: apt-get install mmdebstrap'

roots=
remove_roots() {
    for root in $roots; do
        umount "$root/proc" 2>/dev/null || true
        rm -rf --one-file-system "$root" "$root.log"
    done
}
trap remove_roots EXIT
trap 'exit 1' INT TERM

# new_root NAME: a minimal system in the folder $NAME.
new_root() {
    root=$(mktemp -d "${TMPDIR:-/tmp}/kraton-$1.XXXXXX")
    roots="$roots $root"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        sed -n 's/^main //p' | head -n 1)
    echo "== a minimal $suite: $1" >&2
    if [ -e "${KRATON_ROOT_TAR:-/nonexistent}" ]; then
        tar -x -C "$root" --numeric-owner -f "$KRATON_ROOT_TAR"
    else
        # Documents stay: their absence is not what a user has. Installing without syncing is faster.
        mmdebstrap --quiet --variant=apt --include=ca-certificates --dpkgopt=force-unsafe-io \
            "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
            tail -n 5 "$root.log" >&2
            fail "mmdebstrap failed"
        }
    fi
    apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Retries)' \
        >"$root/etc/apt/apt.conf.d/99of-the-host" || true
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no service is started in a chroot
    chmod +x "$root/usr/sbin/policy-rc.d"
    mount -t proc proc "$root/proc"
    eval "$1=\$root"
}

# in_root FOLDER COMMAND: there, as root, with nothing of this environment but the way out.
in_root() {
    chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} sh -ec "$2"
}

# timed WORDS FOLDER COMMAND: runs it there, and says how long it took and, where it fails, all it said.
timed() {
    began=$(date +%s.%N)
    in_root "$2" "$3" >"$2.log" 2>&1 || {
        tail -n 40 "$2.log" >&2
        fail "FAILED: $1"
    }
    echo "$1: $(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }') s" >&2
}

# booted WORDS FOLDER COMMAND: the same as `timed`, while systemd runs there as it does on a machine: the
# package systemd is installed, the only network is a loopback of its own, and no policy keeps services
# from being started. It takes a kernel with namespaces and a cgroup2 file system.
booted() {
    rm -f "$2/usr/sbin/policy-rc.d" "$2/trial.status"
    printf '#!/bin/sh -e\n%s\n' "$3" >"$2/trial"
    chmod +x "$2/trial"
    cat >"$2/etc/systemd/system/trial.service" <<'END'
[Unit]
DefaultDependencies=no
Wants=basic.target
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c '/trial; echo $? >/trial.status'
StandardOutput=file:/trial.log
StandardError=file:/trial.log
ExecStopPost=/bin/systemctl --force --force poweroff
END
    began=$(date +%s.%N)
    timeout -k 5 600 unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child sh -ec '
        mount --make-rprivate /
        mount --bind "$1" "$1"
        mount -t proc proc "$1/proc"
        mount -t sysfs -o ro sysfs "$1/sys"
        mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
        for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$1/$folder"; done
        chmod 1777 "$1/tmp"
        for node in null zero full random urandom tty; do
            mknod -m 666 "$1/dev/$node" c $(stat -c "0x%t 0x%T" "/dev/$node")
        done
        mkdir "$1/dev/pts" "$1/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        ln -s pts/ptmx "$1/dev/ptmx"
        exec chroot "$1" env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
            /lib/systemd/systemd --unit=trial.service --log-target=console' sh "$2" </dev/null >"$2.log" 2>&1 || true
    [ "$(cat "$2/trial.status" 2>/dev/null)" = 0 ] || {
        tail -n 20 "$2.log" "$2/trial.log" >&2
        fail "FAILED: $1"
    }
    echo "$1: $(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }') s" >&2
}
