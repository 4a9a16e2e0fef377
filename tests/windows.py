"""Tries the programs for Windows under wine.

    windows.py FOLDER REPOSITORY    FOLDER has kraton.exe and the engines; WINEPREFIX is set

Handshakes in four protocols, games, a match, paths in GBK, and the main commands of kraton.exe.
Prints what is wrong and exits with 1, or one line with what passed.
"""
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

PATIENCE = 600  # seconds: bounds a hang, decides nothing
folder, repository = Path(sys.argv[1]), Path(sys.argv[2])
scratch = folder / "scratch"
scratch.mkdir()
environment = dict(os.environ, LC_ALL="C.UTF-8")
passed, failures = 0, []


def check(what, good, seen=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(what)
        print(f"FAILED: {what}\n{seen}", flush=True)


class Engine:
    """An engine under wine that is talked to line by line."""

    def __init__(self, game, *arguments):
        self.process = subprocess.Popen(
            ["wine", str(folder / f"kraton-{game}.exe"), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.seen = []
        self.watch = threading.Timer(PATIENCE, self.process.kill)
        self.watch.start()

    def say(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else (line + "\n").encode())
        self.process.stdin.flush()

    def hear(self, pattern):
        """Reads to a line that matches; None where the engine ends before."""
        for raw in self.process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            self.seen.append(line)
            found = re.match(pattern, line)
            if found:
                return found
        return None

    def end(self):
        if self.process.poll() is None:
            self.say("quit")
        status = self.process.wait()
        self.watch.cancel()
        return status


def kraton(*arguments, given="", cwd=scratch):
    return subprocess.run(["wine", str(folder / "kraton.exe"), *arguments], input=given.encode(), env=environment,
                          cwd=cwd, capture_output=True, timeout=PATIENCE)


def prints(what, pattern, *arguments, given="", status=0):
    done = kraton(*arguments, given=given)
    out = done.stdout.decode("utf-8", "replace")
    check(what, done.returncode == status and re.search(pattern, out, re.M), f"status {done.returncode}\n{out}"
          + done.stderr.decode("utf-8", "replace"))
    return out


MOVE = r"[a-i][0-9][a-i][0-9]"


def try_protocols():
    for game, move in (("xiangqi", MOVE), ("surakarta", r"[a-f][1-6]x?[a-f][1-6]")):
        e = Engine(game)
        e.say("uci")
        good = e.hear("uciok$")
        e.say("isready")
        good = good and e.hear("readyok$")
        e.say("position startpos\ngo depth 5")
        check(f"{game}: UCI", good and e.hear("bestmove " + move), e.seen)
        e.say("go infinite")
        e.hear("info depth 4")
        e.say("stop")
        check(f"{game}: UCI stops", e.hear("bestmove " + move), e.seen)
        check(f"{game}: UCI quit", e.end() == 0)

        e = Engine(game)
        e.say("ucci")
        good = e.hear("ucciok$")
        e.say("setoption usemillisec true\nposition startpos\ngo depth 5")
        check(f"{game}: UCCI", good and e.hear("bestmove " + move), e.seen)
        e.end()

        e = Engine(game)
        e.say("xboard\nprotover 2")
        good = e.hear("feature .*done=1")
        e.say("new\nsd 4\ngo")
        check(f"{game}: CECP", good and e.hear("move "), e.seen)
        e.end()
    e = Engine("surakarta", "--time", "20")
    e.say("name?")
    good = e.hear("name Kraton")
    e.say("new black")
    check("surakarta: SAU", good and e.hear("move [A-F]{4}$"), e.seen)
    e.end()


def try_signature():
    wanted = (repository / "tests/signature.txt").read_text()
    for game in ("surakarta", "xiangqi"):
        done = subprocess.run(["wine", str(folder / f"kraton-{game}.exe"), "bench"], env=environment,
                              capture_output=True, timeout=PATIENCE)
        nodes = done.stdout.decode().split(",")[0]
        check(f"{game}: the same nodes as elsewhere", f"{game}: {nodes}\n" in wanted, nodes)


def try_gbk_path():
    """A manager that sends the book's path in GBK, as Chinese ones do. Its only move, or its mirror image, is an odd one."""
    place = scratch / "象棋开局"
    place.mkdir()
    (scratch / "lines.txt").write_text("a3a4 h9g7\n")
    kraton("book", "build", "--game", "xiangqi", "--from", "lines.txt", "--out", "象棋开局/库.book")
    windows = "Z:" + str(place / "库.book").replace("/", "\\")
    protocols = (("ucci", "setoption bookfiles ", "setoption usebook true"),
                 ("uci", "setoption name BookFile value ", "setoption name OwnBook value true"))
    for protocol, names_book, uses_book in protocols:
        for encoding in ("gbk", "utf-8"):
            e = Engine("xiangqi")
            e.say(protocol)
            e.hear(f"{protocol}ok$")
            e.say(names_book.encode() + windows.encode(encoding) + b"\n")
            e.say(f"{uses_book}\nposition startpos\ngo depth 6")
            check(f"{protocol.upper()}: a book's path in {encoding}", e.hear("bestmove (a3a4|i3i4)"), e.seen[-3:])
            e.end()
    e = Engine("xiangqi")
    e.say("uci")
    e.hear("uciok$")
    e.say("setoption name BookFile value Z:\\nowhere.book\nsetoption name OwnBook value true\nisready")
    e.hear("readyok")
    check("a book that is missing is named", any("nowhere.book: No such file" in line for line in e.seen), e.seen[-3:])
    e.end()


def try_commands():
    prints("version", r"^kraton [0-9.]+$", "--version")
    prints("judge", "^result: ongoing", "judge", "xiangqi", "炮二平五", "h8+7")
    prints("moves", "^h2e2|H2-E2|h2-e2", "moves", "xiangqi")
    prints("analyse", f"^best {MOVE}", "analyse", "xiangqi", "start", "--depth", "6")
    kraton("convert", "moves", "pgn", "-", "-o", "对局.pgn", given="h2e2 h9g7 h0g2 b9c7")
    text = (scratch / "对局.pgn").read_bytes() if (scratch / "对局.pgn").exists() else b""
    check("convert to a file with a Chinese name", b"H2-E2 H9-G7" in text and b"\r" not in text, text)
    before = set(os.listdir(scratch))
    kraton("convert", "moves", "pgn", "-", "-o", "对局.pgn", given="h2e2")
    text = (scratch / "对局.pgn").read_bytes()
    check("a file is replaced whole", b"H2-E2" in text and b"H9-G7" not in text and set(os.listdir(scratch)) == before, text)
    done = kraton("convert", "moves", "pgn", "-", "-o", "nowhere\\game.pgn", given="h2e2")
    check("a folder that is missing is named", done.returncode == 1 and done.stderr.count(b"\n") == 1
          and b"nowhere" in done.stderr and b"No such file" in done.stderr, done.stderr)
    done = kraton("convert", "moves", "pgn", "-", "-o", "NUL", given="h2e2")
    check("NUL takes what is written", done.returncode == 0 and set(os.listdir(scratch)) == before, done.stderr)
    kraton("convert", "moves", "pgn", "-", "-o", "对局.pgn", given="h2e2 h9g7 h0g2 b9c7")
    prints("convert and back", r"h2e2 h9g7", "convert", "pgn", "moves", "对局.pgn")
    prints("tb build", "^all ", "tb", "build", "--pieces", "4", "--rules", "count", "--dir", "tables", "--threads", "1")
    prints("tb probe", "^Black +win +1$", "tb", "probe", "6/1b4/6/6/4w1/6 b", "--dir", "tables")
    prints("play", "White played b2-b3", "play", "surakarta", "--two", given="b5 b4\nb2 b3\n")
    prints("play against the engine", "Black|White", "play", "surakarta", "--level", "1", given="b5 b4\n")
    pages = {path.name for path in (folder / "docs").glob("*.html")}
    linked = set(re.findall(r'href="([\w-]+\.html)', (folder / "docs/windows.html").read_text("utf-8")))
    check("the documentation is there with the pages it links to", linked and linked <= pages, linked - pages)
    done = prints("doctor", "^ok +engine xiangqi", "doctor")
    check("doctor does not ask for a server's page and ports", "serve" not in done and "port" not in done, done)
    done = kraton("serve")
    check("serve is refused in one line", done.returncode == 1 and done.stderr.count(b"\n") == 1, done.stderr)


def try_match():
    out = prints("match", "^2 games", "match", "surakarta", "--engine", "kraton-surakarta,name=A,dialect=uci", "--engine",
                 "kraton-surakarta,name=B,dialect=sau", "--each", "tc=5+0.1", "--games", "2", "--out", "m")
    check("nobody lost by a fault", not re.search("crash|closed|illegal", out), out)
    prints("match in Xiangqi", "^2 games", "match", "xiangqi", "--engine", "kraton-xiangqi,name=A,dialect=uci", "--engine",
           "kraton-xiangqi,name=B,dialect=ucci,option.Level=2", "--each", "tc=3+0.1", "--games", "2")


def try_join():
    """kraton.exe join at a server on Linux: a game against an engine that joined there."""
    native = repository / "build/release/kraton"
    if not native.exists():
        print("join was not tried: no server in build/release")
        return
    sys.path.insert(0, str(repository / "tests/serve"))
    from kit import Server
    with Server("--bots", "0", kraton=str(native)) as server:
        cookie = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
        joined = []
        for name, program in (("Windows", ["wine", str(folder / "kraton.exe")]), ("Linux", [str(native)])):
            token = server.rest("POST", "/api/v1/tokens", {"program": name}, cookie)[2]["token"]
            (scratch / f"{name}.token").write_text(token + "\n")
            os.chmod(scratch / f"{name}.token", 0o600)
            joined.append(subprocess.Popen(
                [*program, "join", f"127.0.0.1:{server.bot_port}", "--engine", "kraton-xiangqi,option.Level=1", "--dialect", "ucci",
                 "--token-file", f"{name}.token", "--seek", "game=xiangqi tc=20+0.1", "--games", "1"],
                cwd=scratch, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        for process in joined:
            out = process.communicate(timeout=PATIENCE)[0].decode("utf-8", "replace")
            check("join", process.returncode == 0 and re.search("wins|draw", out) and not re.search("crash|illegal", out), out)


def running(name):
    """Numbers of the processes of this WINEPREFIX whose first word has that name."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            first = (process / "cmdline").read_bytes().split(b"\0")[0]
            mine = os.fsencode("WINEPREFIX=" + environment["WINEPREFIX"]) in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # gone, or somebody else's
        if mine and re.search(rb"(^|[/\\])" + name.encode() + rb"(\.exe)?$", first):
            found.append(int(process.name))
    return found


def try_end_of_match():
    """Killing kraton.exe in a match ends its engines."""
    match = subprocess.Popen(["wine", str(folder / "kraton.exe"), "match", "xiangqi", "--engine", "kraton-xiangqi,name=A,dialect=uci",
                              "--engine", "kraton-xiangqi,name=B,dialect=uci", "--each", "tc=600", "--games", "2", "--openings", "start"],
                             env=environment, cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while len(running("kraton-xiangqi")) < 2 and time.monotonic() < end:
        time.sleep(0.2)
    check("two engines run in a match", len(running("kraton-xiangqi")) == 2)
    for number in running("kraton"):
        os.kill(number, signal.SIGKILL)
    while running("kraton-xiangqi") and time.monotonic() < end:
        time.sleep(0.2)
    check("no engine survives kraton.exe", not running("kraton-xiangqi"))
    match.kill()
    match.wait()


for part in (try_protocols, try_signature, try_gbk_path, try_commands, try_match, try_join,
             try_end_of_match):
    started = time.monotonic()
    part()
    print(f"{part.__name__}: {time.monotonic() - started:.1f} s", flush=True)
print(f"Windows under wine: {passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
