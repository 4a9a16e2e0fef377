# The set-up that ./run and ./test share; sourced by them from the repository's root, never run.
# Installs what is missing with apt-get and builds. POSIX sh only: a bare Debian has nothing else.

# A|B is the first of the two that apt knows; A| is left out where apt does not know it.
# cmark-gfm, python3-minimal: the documentation as HTML, which the server has under /docs/; python3,
# esbuild and brotli: the page in a few small files.
packages_to_run='gcc libc6-dev cmake ninja-build libjansson-dev libuv1-dev
    libzstd-dev libxxhash-dev libsqlite3-dev libsodium-dev libssl-dev libwslay-dev libicu-dev
    libllhttp-dev|node-llhttp zlib1g-dev cmark-gfm| python3-minimal
    esbuild| brotli|'
# clang with its runtime libraries: the second compiler, libFuzzer; with lld, wasi-libc and
# libclang-rt-dev-wasm32: the engines for browsers, which ./run builds too where these are.
# clang-format-14: the layout; see tools/check-format.sh for systems without it. fairy-stockfish: a second opinion on perft and the
# measure of `kraton bench rules`; with the three after it, the real engines the match runner is
# tried with. procps: pgrep. pkg-config: how the installed library is found.
# python3: the clients of the server's tests. openssl: their certificate.
# nodejs: one of the example clients. chromium, and npm where nodejs does not bring it: the tests of
# the page. pocl-opencl-icd: an OpenCL device on every processor.
# libopenmpi-dev, openmpi-bin: kraton-mpi, 47 MB.
# postgresql: the server's other database, with its library.
# fonts-dejavu-core, fonts-droid-fallback: the Latin and Chinese letters of their pictures.
packages_to_test="$packages_to_run clang libclang-rt-dev lld wasi-libc|
    libclang-rt-dev-wasm32| clang-format-14| libcmocka-dev fairy-stockfish
    hoichess fairymax sjaakii procps pkg-config python3 openssl nodejs chromium pocl-opencl-icd|
    libopenmpi-dev| openmpi-bin| postgresql|
    fonts-dejavu-core fonts-droid-fallback $(command -v npm >/dev/null || echo npm)"
# Only for ./test --all. firefox-esr: the page's walk in a second browser.
packages_for_all='firefox-esr|'

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# locked NAME WHAT COMMAND...: runs it alone: whoever else wants the lock of that name in this folder
# says WHAT goes on, and waits. The command's programs do not inherit the lock, since one of them may
# stay behind (a compiler cache's server).
locked() (
    mkdir -p build && exec 9>>"build/.lock-$1" || exit 1
    if command -v flock >/dev/null && ! flock -n 9; then
        say "$2 in this folder; waiting for it to end"
        flock 9
    fi
    shift 2
    "$@" 9>&-
)

# show_progress: reads what a command says and shows where it is: on a terminal in one line that
# changes, elsewhere in a line every ten seconds.
show_progress() {
    pause=${KRATON_PROGRESS_SECONDS:-10}
    due=$(($(date +%s) + pause))
    # A line that wraps cannot be replaced: cut it. Some terminals say 0 columns.
    width=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2)
    [ "${width:-0}" -gt 1 ] || width=79
    while IFS= read -r line; do
        if [ -t 2 ]; then
            printf "\\r\\033[K%.$((width - 1))s" "$line" >&2
        elif [ "$(date +%s)" -ge "$due" ]; then
            say "$line"
            due=$(($(date +%s) + pause))
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# watch LOG PATTERN COMMAND...: runs it with its output added to LOG, and shows the lines that match as
# progress. Returns its status.
watch() {
    log=$1
    pattern=$2
    shift 2
    rm -f "$log.status"
    {
        "$@" 2>&1 </dev/null
        echo $? >"$log.status"
    } | tee -a "$log" | sed -un "/$pattern/p" | show_progress
    read -r status <"$log.status" || status=1
    rm -f "$log.status"
    return "$status"
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# missing_packages PACKAGE...: those of which neither the package nor its alternative is installed.
missing_packages() {
    for package in "$@"; do
        is_installed "${package%%|*}" || is_installed "${package#*|}" || printf '%s ' "$package"
    done
}

apt_knows() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^ *Candidate: [^(]'
}

# packages_in_apt PACKAGE...: the name of each that apt is to install.
packages_in_apt() {
    for package in "$@"; do
        name=${package%%|*}
        apt_knows "$name" || name=${package#*|}
        [ -z "$name" ] || printf '%s ' "$name"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# install_packages WHY PACKAGE...
install_packages() {
    why=$1
    shift
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        die "This is not Debian or Ubuntu: please install by hand what $why needs: $(echo "$*" | sed 's/|[^ ]*//g')"
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    say "Installing with apt-get, because $why needs it: $(echo "$missing" | sed 's/|[^ ]*//g')"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "That takes root, and there is no sudo. As root: apt-get install $(packages_in_apt $missing)"
        say "(sudo may ask for your password)"
    fi
    log=build/apt.log
    as_root apt-get update -q >"$log" 2>&1 || say "apt-get update failed; trying what is known already"
    # $missing is a list: it is meant to be split.
    missing=$(packages_in_apt $missing)
    [ -n "$missing" ] || return 0
    LC_ALL=C apt-get install -q --assume-no --no-install-recommends -o Debug::NoLocking=1 $missing \
        2>/dev/null </dev/null | sed -n '
        s/^Need to get \(.*\) of archives\.$/apt-get has \1 to download/p
        s/^After this operation, \(.*\) of additional disk space.*/and takes \1 of disk/p' |
        paste -sd' ' - >&2
    watch "$log" . as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends -o DPkg::Lock::Timeout=300 $missing || {
        tail -n 15 "$log" >&2
        die "apt-get could not install: $missing(all it said is in $log)"
    }
    # What a configuration missed before is there now.
    rm -f build/*/build.ninja
}

# Changes when the set-up or the system does; kept in build/ to skip a set-up done before.
setup_hash() {
    cat tools/setup.sh /etc/os-release 2>/dev/null | cksum
}

# setup_packages run|test|all
setup_packages() {
    mkdir -p build
    stamp=build/.set-up-$1
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(setup_hash)" ] && return 0
    case $1 in
    run) install_packages 'building Kraton' $packages_to_run ;;
    test) install_packages 'the test suite' $packages_to_test ;;
    all) install_packages 'the whole test suite' $packages_for_all ;;
    esac
    setup_hash >"$stamp"
}

# The packages of tests/page/package-lock.json: how the tests of the page drive the browser.
setup_page_tests() {
    stamp=build/.set-up-page
    [ -d tests/page/node_modules ] && cmp -s tests/page/package-lock.json "$stamp" && return 0
    say 'Fetching with npm what the tests of the page need'
    (cd tests/page && npm ci --no-audit --no-fund) >build/npm.log 2>&1 || {
        tail -n 15 build/npm.log >&2
        die 'npm could not fetch it (all it said is in build/npm.log)'
    }
    cp tests/page/package-lock.json "$stamp"
}

# Says what the first ./run of a checkout does, before it does it.
announce_setup() {
    [ ! -f build/release/.built ] || return 0
    work=compiling
    [ -z "$(missing_packages "$@")" ] || work='installing packages and compiling'
    say "First start of Kraton in this folder: $work takes one to five minutes."
}

# build_preset PRESET [cmake --build option...]: shows how far it is, and what went wrong.
build_preset() {
    preset=$1
    shift
    log=build/$preset.log
    # A configuration names its folder; a checkout that was moved needs another.
    if [ ! -f "build/$preset/build.ninja" ] ||
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "build/$preset/CMakeCache.txt"; then
        say "Configuring build/$preset"
        cmake --fresh --preset "$preset" >"$log" 2>&1 || {
            cat "$log" >&2
            return 1
        }
    fi
    # The build itself decides what is to be done; this only decides whether it may take a while.
    built=build/$preset/.built
    if [ ! -f "$built" ] || [ -n "$(find CMakeLists.txt src tests fuzz -newer "$built" | head -n 1)" ]; then
        say "Building build/$preset"
    fi
    : >"$log"
    watch "$log" '^\[' cmake --build --preset "$preset" "$@" || {
        cat "$log" >&2
        return 1
    }
    : >"$built"
}
