#!/usr/bin/env python3
"""Makes the Python wheel of the last commit: the package with libkraton and the libraries it needs, so
that `pip install` is all a user does.

    tools/make-wheel.py OUT     kraton-VERSION-py3-none-PLATFORM.whl goes to OUT

The platform is this machine's, with its version of glibc or a newer one. Two builds give the same bytes.
"""
import base64
import hashlib
import platform
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
BUNDLED = ("libjansson", "libzstd", "libxxhash")  # all that libkraton needs besides glibc


def run(*command, **options):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, **options)
    except FileNotFoundError:
        sys.exit(f"tools/make-wheel.py: {command[0]} is missing: apt-get install git cmake ninja-build gcc, or ./run once")
    if done.returncode != 0:
        sys.stderr.buffer.write((done.stdout + done.stderr)[-3000:])
        sys.exit(f"tools/make-wheel.py: {command[0]} failed")
    return done.stdout


def build(work):
    """libkraton of the last commit, which looks for libraries beside itself; all of them by name."""
    source, built = work / "source", work / "build"
    source.mkdir()
    run("tar", "-x", "-C", source, input=run("git", "-C", REPOSITORY, "archive", "HEAD"))
    run("cmake", "-S", source, "-B", built, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_C_FLAGS=-ffile-prefix-map={work}=.", "-DCMAKE_BUILD_RPATH=$ORIGIN")
    run("cmake", "--build", built, "--target", "kraton_shared")
    library = next(built.glob("libkraton.so.?"))
    run("strip", "--strip-unneeded", library.resolve())
    files = {library.name: library.read_bytes()}
    for line in run("ldd", library).decode().splitlines():
        found = re.match(r"\s*(\S+) => (\S+)", line)
        if found and found[1].startswith(BUNDLED):
            files[found[1]] = Path(found[2]).read_bytes()
    return files


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tools/make-wheel.py OUT")
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    version = re.search(r"^project\(kraton VERSION ([0-9.]+) ", (REPOSITORY / "CMakeLists.txt").read_text(), re.M)[1]
    glibc = platform.libc_ver()[1].replace(".", "_")
    tag = f"py3-none-manylinux_{glibc}_{platform.machine()}"
    info = f"kraton-{version}.dist-info"
    commit_time = int(run("git", "-C", REPOSITORY, "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory() as work:
        files = {f"kraton/{name}": content for name, content in build(Path(work)).items()}
        for path in sorted((Path(work) / "source/python/kraton").iterdir()):
            if path.suffix == ".py" or path.name == "py.typed":
                files[f"kraton/{path.name}"] = path.read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: kraton\nVersion: {version}\n"
        "Summary: Rules, records, endgame tables and engines of Surakarta and Xiangqi\n"
        "License: GPL-3.0-or-later\nRequires-Python: >=3.9\n").encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: make-wheel\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    files[f"{info}/LICENSE"] = (REPOSITORY / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    files[record] = "".join(record_line(*item) for item in sorted(files.items())).encode() + f"{record},,\n".encode()
    wheel = out / f"kraton-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(commit_time)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    print(hashlib.sha256(wheel.read_bytes()).hexdigest(), "", wheel.name)


if __name__ == "__main__":
    main()
