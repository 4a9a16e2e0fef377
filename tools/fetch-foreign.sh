#!/bin/sh
# Unpacks Debian packages of another architecture into a folder, for cross builds: nothing is installed,
# and the system's own apt stays as it is.
#   tools/fetch-foreign.sh ARCHITECTURE FOLDER PACKAGE...
set -e
architecture=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
apt=$(mktemp -d "${TMPDIR:-/tmp}/kraton-apt.XXXXXX")
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
chmod -R a+rx "$apt"
cat >"$apt/conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Dir::State "$apt/state";
Dir::State::status "/dev/null";
Dir::Cache "$apt/cache";
END
APT_CONFIG=$apt/conf
export APT_CONFIG
apt-get -q update >"$apt/log" 2>&1 && (cd "$apt/debs" && apt-get -q download "$@") >>"$apt/log" 2>&1 || {
    tail -n 5 "$apt/log" >&2
    echo "tools/fetch-foreign.sh: apt-get could not fetch for $architecture: $*" >&2
    exit 1
}
for package in "$apt"/debs/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
