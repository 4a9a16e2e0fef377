#!/usr/bin/env python3
"""Puts an engine online at a Kraton battle server: `kraton join` for anywhere Python 3.8 runs, Windows
included. The standard library alone; copy this one file.

    python kraton_join.py HOST:PORT --engine "C:\\engines\\mine.exe" --dialect ucci --token-file token.txt \\
        --seek "game=xiangqi tc=60+1"

Dialects: uci, ucci, cecp (xboard), sau. Each game has an engine process of its own; a lost connection
is made again, and the games go on. docs/protocol.md is the protocol, docs/protocols.md the dialects."""
import argparse
import os
import queue
import re
import shlex
import socket
import ssl
import subprocess
import sys
import threading
import time

UNTIMED_US = 3000000  # for an engine to think where there is no clock


class Engine:
    """An engine at one board, spoken to in its dialect. Moves in and out are the server's own."""

    def __init__(self, bridge, board, command, dialect, one_based):
        self.board, self.dialect, self.one_based = board, dialect, one_based
        self.ready, self.own, self.milliseconds, self.usermove = False, 0, False, False
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        threading.Thread(target=self.listen, args=(bridge.events,), daemon=True).start()
        self.write({"uci": "uci", "ucci": "ucci", "cecp": "xboard\nprotover 2", "sau": "name?"}[dialect])
        self.greeted = time.monotonic()

    def listen(self, events):
        for line in self.process.stdout:
            events.put(("engine", self, line.decode("utf-8", "replace").strip()))
        events.put(("gone", self, None))

    def write(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # the reader sees it go

    def close(self):
        self.write("quit")
        try:
            self.process.stdin.close()
        except OSError:
            pass
        threading.Thread(target=self.see_off).start()  # which this program waits for before it ends

    def see_off(self):
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()

    # --- moves: the server's c2-c3, c2xf4, h2e2 and the engine's
    def out(self, move):
        squares = re.findall(r"[a-i]\d+", move)
        if self.dialect == "sau":
            return "".join(s[0].upper() + "ABCDEF"[6 - int(s[1])] for s in squares)
        if self.one_based:
            squares = [s[0] + str(int(s[1:]) + 1) for s in squares]
        return "".join(squares)

    def back(self, move):
        if self.dialect == "sau" or not self.one_based:
            return move
        return "".join(s[0] + str(int(s[1:]) - 1) for s in re.findall(r"[a-i]\d+", move)) or move

    # --- asking
    def begin(self):
        """The game begins, or begins again with moves already played."""
        self.own = 0
        self.told = 0
        if self.dialect == "uci":
            self.write("ucinewgame\nisready")
        elif self.dialect == "ucci":
            self.write("setoption newgame\nisready")
        elif self.dialect == "cecp":
            self.write("new" + ("\nvariant " + self.board.variant if self.board.variant else "") + "\nforce")
            for move in self.board.moves:
                self.write(("usermove " if self.usermove else "") + self.out(move))
        self.told = len(self.board.moves)

    def think(self, turn):
        board, mine = self.board, "first" if self.board.side == 0 else "second"
        other = "second" if mine == "first" else "first"
        left, theirs = int(turn[mine]), int(turn[other])
        increment = board.increment
        move_time = board.move_time or (UNTIMED_US if left < 0 else 0)  # without a limit many would never answer
        start = "fen " + board.fen if board.fen else "startpos"
        position = "position " + start + (" moves " + " ".join(map(self.out, board.moves)) if board.moves else "")
        if self.dialect == "uci":
            go = "go"
            if left >= 0:
                white, black = (left, theirs) if board.side == 0 else (theirs, left)
                go += " wtime %d btime %d winc %d binc %d" % (max(1, white // 1000), max(1, black // 1000),
                                                               increment // 1000, increment // 1000)
            if "togo" in turn:
                go += " movestogo " + turn["togo"]
            if move_time:
                go += " movetime %d" % (move_time // 1000)
            self.write(position + "\n" + go)
        elif self.dialect == "ucci":
            unit = 1000 if self.milliseconds else 1000000
            clock = left if left >= 0 else move_time
            go = "go time %d" % max(1, clock // unit)
            go += " movestogo " + turn["togo"] if "togo" in turn else " increment %d" % (increment // unit)
            self.write(position + "\n" + go)
        elif self.dialect == "cecp":
            clock = left if left >= 0 else move_time
            self.write("time %d\notim %d" % (max(1, clock // 10000), max(1, theirs // 10000)))
            for move in board.moves[self.told:-1 if self.own else None]:
                self.write(("usermove " if self.usermove else "") + self.out(move))
            if self.own:  # it is thinking on: the move alone is the question
                self.write(("usermove " if self.usermove else "") + self.out(board.moves[-1]))
            else:
                self.write("go")
        elif board.moves:
            if not self.own:
                self.write("new white")
            self.write("move " + self.out(board.moves[-1]))
        else:
            self.write("new black")
        self.told = len(board.moves)
        self.own += 1

    def understand(self, line):
        """Returns ("ready",), ("move", text, score fields), ("resign",) or None."""
        words = line.split()
        if not words:
            return None
        word = words[0]
        if word in ("uciok", "ucciok") or (self.dialect == "sau" and word == "name") or "done=1" in line:
            self.usermove = self.usermove or "usermove=1" in line
            if self.dialect == "ucci" and self.milliseconds:
                self.write("setoption usemillisec true")
            self.ready = True
            return ("ready",)
        if word == "option" and "usemillisec" in line:
            self.milliseconds = True
        if word == "option" and "UCI_Variant" in line and self.board.variant in words:
            self.write("setoption name UCI_Variant value " + self.board.variant)
            self.one_based = True
        if word == "feature":
            self.usermove = self.usermove or "usermove=1" in line
            self.write("accepted usermove")
        if word == "info":
            found = re.search(r"\bscore (cp )?(mate )?(-?\d+)", line)
            depth = re.search(r"\bdepth (\d+)", line)
            if found:
                self.said = " %s=%s" % ("mate" if found[2] else "score", found[3]) + (" depth=" + depth[1] if depth else "")
        if word in ("bestmove", "move") and len(words) > 1:
            if words[1] in ("(none)", "0000", "null") or "resign" in words[2:]:
                return ("resign",)
            said, self.said = getattr(self, "said", ""), ""
            return ("move", self.back(words[1]), said)
        return ("resign",) if word in ("resign", "nobestmove") else None


class Board:
    def __init__(self, fields):
        self.game, self.fen = fields["game"], fields.get("fen", "")
        self.side = 1 if fields["you"] == "second" else 0
        self.moves, self.turn, self.thinking, self.failures = [], None, None, 0
        tc = fields["tc"]
        increment = re.search(r"\+([\d.]+)", tc)
        each = re.search(r"st=([\d.]+)", tc)
        self.increment = int(float(increment[1]) * 1e6) if increment else 0
        self.move_time = int(float(each[1]) * 1e6) if each else 0
        self.variant = "xiangqi" if self.game == "xiangqi" else ""
        self.engine = None


QUIET = 40  # seconds of silence until a connection is given up


class Bridge:
    def __init__(self, options):
        self.options, self.events, self.boards = options, queue.Queue(), {}
        self.socket, self.seeking, self.played, self.mentioned = None, 0, 0, set()
        self.is_in, self.heard, self.asked = False, 0, 0  # logged in; when the server last spoke, and was asked to
        self.command = shlex.split(options.engine, posix=sys.platform != "win32")
        self.command = [w.strip('"') for w in self.command]

    # --- the connection
    def connect(self):
        wait = 0.2
        while True:
            try:
                s = socket.create_connection((self.options.host, self.options.port), 10)
                if self.options.tls:
                    s = ssl.create_default_context(cafile=self.options.ca).wrap_socket(s, server_hostname=self.options.host)
                s.settimeout(None)
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.socket, self.is_in, self.heard = s, False, time.monotonic()
                threading.Thread(target=self.listen, args=(s,), daemon=True).start()
                return
            except OSError as why:
                print("no connection (%s); trying again" % why, file=sys.stderr, flush=True)
                time.sleep(wait)
                wait = min(5, wait * 2)

    def listen(self, s):
        try:
            with s.makefile("rb") as lines:
                for line in lines:
                    self.events.put(("line", s, line.decode("utf-8", "replace").rstrip("\r\n")))
        except OSError:
            pass
        self.events.put(("lost", s, None))

    def say(self, line):
        if not self.is_in and not line.startswith("login "):
            return  # it will be asked for again
        try:
            self.socket.sendall(line.encode() + b"\n")
        except OSError:
            pass  # the reader sees it go

    def watch(self):
        """A link that was cut says nothing: silence is asked about, then given up."""
        now = time.monotonic()
        if now - self.heard > QUIET:
            self.heard = now
            try:
                self.socket.shutdown(socket.SHUT_RDWR)  # the reader sees it go
            except OSError:
                pass
        elif now - self.heard > QUIET / 4 and now - self.asked > QUIET / 8:
            self.asked = now
            self.say("ping")

    # --- games
    def wants_more(self):
        busy = len(self.boards) + self.seeking
        return busy < self.options.at_once and (not self.options.games or self.played + busy < self.options.games)

    def seek(self):
        while self.options.seek and self.wants_more():
            self.seeking += 1
            self.say("seek " + self.options.seek)

    def start_engine(self, board):
        """Unless there are as many as there may be: then the game waits for another to end."""
        if sum(b.engine is not None for b in self.boards.values()) >= self.options.at_once:
            return
        try:
            board.engine = Engine(self, board, self.command, self.options.dialect, self.options.ranks_from == 1)
        except OSError as why:
            sys.exit("the engine cannot be started: %s" % why)

    def advance(self, board):
        if board.turn and board.engine and board.engine.ready and int(board.turn["ply"]) == len(board.moves):
            board.thinking, turn, board.turn = len(board.moves), board.turn, None
            board.engine.think(turn)

    def end_board(self, number, words):
        board = self.boards.pop(number)
        print("game %s: %s" % (number, words), flush=True)
        if board.engine:
            board.engine.close()
        self.played += 1
        for waiting in [b for b in self.boards.values() if not b.engine]:
            self.start_engine(waiting)

    # --- what happens
    def on_line(self, line):
        verb, *words = line.split(" ")
        fields = {k: re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), v)
                  for k, _, v in (w.partition("=") for w in words)}
        number = fields.get("id" if verb == "game" else "game")
        board = self.boards.get(number)
        if verb == "kraton":
            self.say("login token=" + self.options.token)
        elif verb == "welcome":
            self.is_in = True
            self.seeking, self.mentioned = 0, set()
            if self.options.tournament:
                self.say("enter tournament=%d" % self.options.tournament)
            self.say("ping n=all")  # its answer comes behind the games we are in
        elif verb == "pong" and fields.get("n") == "all":
            for gone in set(self.boards) - self.mentioned:
                self.end_board(gone, "over while the connection was lost")
            self.seek()
        elif verb == "game" and fields["you"] != "none":
            self.mentioned.add(number)
            moves = [m for m in fields["moves"].split(",") if m]
            if not board:
                self.seeking = max(0, self.seeking - 1)
                board = self.boards[number] = Board(fields)
                print("game %s: %s, %s - %s" % (number, fields["game"], fields["first_name"], fields["second_name"]), flush=True)
                board.moves = moves
                self.start_engine(board)
            board.moves = moves
        elif verb == "moved" and board and int(fields["ply"]) == len(board.moves) + 1:
            board.moves.append(fields["move"])
        elif verb == "tookback" and board:
            del board.moves[int(fields["ply"]):]
            if board.engine:
                board.engine.close()
                board.engine = None
            self.start_engine(board)
        elif verb == "turn" and board:
            if board.thinking != int(fields["ply"]):  # after a lost connection it may be at it already
                board.turn = fields
                self.advance(board)
        elif verb == "result" and board:
            self.end_board(number, "%s (%s)" % (fields["outcome"], fields["words"]))
            if self.options.games and self.played >= self.options.games:
                return False
            self.seek()
        elif verb == "challenge":
            self.say("%s id=%s" % ("accept" if self.wants_more() else "decline", fields["id"]))
        elif verb == "ping":
            self.say("pong")
        elif verb == "error":
            if fields["code"] == "token":
                sys.exit("the server does not know this token")
            if fields["code"] != "tournament":
                print("the server: " + fields["words"], file=sys.stderr, flush=True)
        return True

    def on_engine(self, engine, line):
        board = engine.board
        number = next((n for n, b in self.boards.items() if b is board and b.engine is engine), None)
        meant = engine.understand(line) if number else None
        if not meant:
            return
        if meant[0] == "ready":
            engine.begin()
            self.advance(board)
        elif board.thinking is None:
            return
        elif meant[0] == "resign":
            self.say("resign game=" + number)
        else:
            self.say("move game=%s ply=%d move=%s%s" % (number, board.thinking, meant[1], meant[2]))
            board.thinking = None

    def on_gone(self, engine):
        board = engine.board
        number = next((n for n, b in self.boards.items() if b is board and b.engine is engine), None)
        if not number:
            return
        print("game %s: the engine has gone" % number, file=sys.stderr, flush=True)
        board.failures += 1
        board.engine = None
        if board.failures > 3:
            self.say("resign game=" + number)
            return
        board.thinking = None
        self.start_engine(board)
        self.say("resume game=" + number)  # to be asked again

    def run(self):
        self.connect()
        while True:
            self.watch()
            try:
                kind, who, what = self.events.get(timeout=QUIET / 8)
            except queue.Empty:
                continue
            if kind == "line" and who is self.socket:
                self.heard = time.monotonic()
                if not self.on_line(what):
                    self.say("quit")
                    return
            elif kind == "lost" and who is self.socket:
                print("the connection is lost; trying again", file=sys.stderr, flush=True)
                self.connect()
            elif kind == "engine":
                self.on_engine(who, what)
            elif kind == "gone":
                self.on_gone(who)


def main():
    parser = argparse.ArgumentParser(description="Puts an engine online at a Kraton battle server.")
    parser.add_argument("place", metavar="HOST:PORT")
    parser.add_argument("--engine", required=True, help="its command")
    parser.add_argument("--dialect", required=True, choices=["uci", "ucci", "cecp", "sau"])
    parser.add_argument("--token-file", help="a file with the token; or it is in KRATON_TOKEN")
    parser.add_argument("--seek", help="keep a seek open: 'game=xiangqi tc=60+1 rated=yes'")
    parser.add_argument("--tournament", type=int, help="enter that tournament")
    parser.add_argument("--at-once", type=int, default=1, help="games to accept, and engine processes, at a time")
    parser.add_argument("--games", type=int, default=0, help="leave after so many")
    parser.add_argument("--ranks-from", type=int, choices=[0, 1], default=0, help="of Xiangqi's squares in the engine's moves")
    parser.add_argument("--game", help="not needed; for likeness with kraton join")
    parser.add_argument("--tls", action="store_true", help="the default unless the server is on this machine")
    parser.add_argument("--no-tls", action="store_true", help="whoever is on the way can read the token")
    parser.add_argument("--ca", help="authorities to trust instead of the system's")
    options = parser.parse_args()
    options.host, _, port = options.place.rpartition(":")
    options.port = int(port)
    if options.token_file:
        with open(options.token_file) as file:
            options.token = file.readline().strip()
    else:
        options.token = os.environ.get("KRATON_TOKEN")
    if not options.token:
        parser.error("a token is needed: --token-file FILE, or KRATON_TOKEN")
    here = options.host in ("localhost", "::1") or options.host.startswith("127.")
    options.tls = not options.no_tls and (options.tls or not here)
    try:
        Bridge(options).run()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
