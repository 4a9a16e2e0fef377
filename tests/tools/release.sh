#!/bin/sh
# tools/release.sh with makers of our own: what is missing is named with its remedy before anything is
# made, what was interrupted goes on, two runs give the same checksums, and the commands of
# docs/releasing.md find a changed file and a changed list.
root=$1
command -v gpg >/dev/null || exit 77
scratch=$(mktemp -d) || exit 1
trap 'gpgconf --kill all 2>/dev/null; rm -rf "$scratch"' EXIT
failed=0
fail() {
    echo "FAILED: $*" >&2
    sed 's/^/    /' "$scratch/said" >&2
    failed=1
}

# Programs that are only looked for, and a gpg of our own.
mkdir "$scratch/bin"
for tool in cmake ninja dpkg-buildpackage dh fakeroot dpkg-checkbuilddeps x86_64-w64-mingw32-gcc-win32 aarch64-linux-gnu-gcc \
    qemu-aarch64-static zip; do
    printf '#!/bin/sh\n' >"$scratch/bin/$tool"
done
chmod +x "$scratch"/bin/*
PATH=$scratch/bin:$PATH
GNUPGHOME=$scratch/keys
GIT_CONFIG_GLOBAL=/dev/null
export PATH GNUPGHOME GIT_CONFIG_GLOBAL
mkdir -m 700 "$GNUPGHOME"

# A repository whose makers note that they ran; the file `break` makes the one for Windows fail.
tree=$scratch/tree
mkdir -p "$tree/tools" "$tree/src/lib" "$tree/packaging/debian"
cp "$root/tools/release.sh" "$tree/tools/"
echo 'project(kraton VERSION 1.2.3 LANGUAGES C)' >"$tree/CMakeLists.txt"
echo '#define KRATON_VERSION_NUMBER 10203' >"$tree/src/lib/kraton.h"
echo 'kraton (1.2.3) unstable; urgency=medium' >"$tree/packaging/debian/changelog"
: >"$tree/packaging/debian/control"
echo '## 1.2.3, 2026-01-01' >"$tree/CHANGELOG.md"
for maker in make-packages.sh make-engines.sh make-windows.sh make-wheel.py; do
    cat >"$tree/tools/$maker" <<END
#!/bin/sh
for out; do :; done
echo $maker >>"$scratch/ran"
[ ! -e "$scratch/break" ] || [ $maker != make-windows.sh ] || { echo 'no such compiler'; exit 1; }
echo "$maker \$#" >"\$out/$maker.\$(basename "\$1").artefact"
[ $maker = make-engines.sh ] || mv "\$out/"$maker*.artefact "\$out/$maker.artefact"
END
    chmod +x "$tree/tools/$maker"
done
git -C "$tree" init -q && git -C "$tree" add . &&
    git -C "$tree" -c user.name=n -c user.email=e@example commit -qm 'all of it' || exit 1

release() {
    "$tree/tools/release.sh" "$@" >"$scratch/said" 2>&1
}
# refuses WORDS ARGUMENT...
refuses() {
    words=$1
    shift
    ! release "$@" || fail "not refused: $*"
    grep -qF -e "$words" "$scratch/said" || fail "'$words' is not said for: $*"
    [ ! -e "$scratch/ran" ] || fail "made something: $*"
}

refuses 'usage: '
refuses 'usage: ' --key
refuses 'usage: ' --unsinged
rm "$scratch/bin/zip" "$scratch/bin/aarch64-linux-gnu-gcc"
for tool in sh git gpg gcc python3 perl sed grep awk head date dirname mkdir; do
    ln -sf "$(command -v $tool)" "$scratch/bin/"
done
(PATH=$scratch/bin && refuses 'apt-get install gcc-aarch64-linux-gnu zip' --unsigned "$scratch/out" && exit $failed) || failed=1
printf '#!/bin/sh\n' | tee "$scratch/bin/zip" >"$scratch/bin/aarch64-linux-gnu-gcc"
chmod +x "$scratch/bin/zip" "$scratch/bin/aarch64-linux-gnu-gcc"
refuses '--unsigned does without' "$scratch/out"
echo 'more' >>"$tree/CHANGELOG.md"
refuses 'not committed' --unsigned "$scratch/out"
git -C "$tree" checkout -q CHANGELOG.md
mkdir "$scratch/full" && : >"$scratch/full/file"
refuses 'has a blank in its path' --unsigned "$scratch/two words"
refuses 'is not empty: name an empty folder' --unsigned "$scratch/full"

# A step fails: its words are shown, nothing of it stays, and the next run goes on there.
gpg --batch --quiet --passphrase '' --quick-generate-key 'Throw-away <key@example>' ed25519 sign 1d 2>"$scratch/said" || fail 'no key'
: >"$scratch/break"
! release "$scratch/out" && grep -q 'no such compiler' "$scratch/said" && grep -q 'windows failed' "$scratch/said" ||
    fail 'a failed step'
[ -z "$(ls -A "$scratch/out" | grep making)" ] && [ ! -e "$scratch/out/SHA256SUMS" ] || fail 'half a step stays'
rm "$scratch/break"
release "$scratch/out" || fail 'going on'
[ "$(sort "$scratch/ran" | uniq -c | tr -s ' \n' ' ')" = ' 2 make-engines.sh 1 make-packages.sh 1 make-wheel.py 2 make-windows.sh ' ] ||
    fail "made twice or never: $(cat "$scratch/ran")"
[ "$(wc -l <"$scratch/out/SHA256SUMS")" -eq 6 ] || fail 'six artefacts'

# Again, elsewhere and without a signature: the same checksums.
release --unsigned "$scratch/again" && cmp "$scratch/out/SHA256SUMS" "$scratch/again/SHA256SUMS" || fail 'the same twice'
[ ! -e "$scratch/again/SHA256SUMS.asc" ] || fail 'signed without being asked'

# A user with a keyring of his own, by the words of the documentation.
commands=$(sed -n '/^## Checking a download/,/^## /{/^```sh/,/^```/{/^```/d;p}}' "$root/docs/releasing.md")
[ -n "$commands" ] || fail 'docs/releasing.md: no commands to check a download'
user() {
    (cd "$scratch/out" && GNUPGHOME=$scratch/user && export GNUPGHOME && sh -ec "$commands" >"$scratch/said" 2>&1)
}
mkdir -m 700 "$scratch/user"
user || fail 'a good download is not accepted'
echo x >>"$scratch/out/make-wheel.py.artefact"
! user && grep -q 'make-wheel.py.artefact: FAILED' "$scratch/said" || fail 'a changed file is accepted'
(cd "$scratch/out" && sha256sum ./*.artefact >SHA256SUMS)
! user && grep -q 'BAD signature' "$scratch/said" || fail 'a changed list is accepted'

# Another commit does not mix with it.
git -C "$tree" -c user.name=n -c user.email=e@example commit -q --allow-empty -m 'another'
! release "$scratch/out" && grep -q 'another commit' "$scratch/said" || fail 'two commits in one folder'
exit $failed
