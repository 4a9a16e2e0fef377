"""Two clients misbehave, one after the other each in every way it can; two others play on as if alone.
With a third argument this file is one of those who misbehave."""
from kit import *


def flood(port, _):
    """Asks as fast as it may and reads nothing."""
    s = socket.create_connection(("127.0.0.1", port), PATIENCE)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.sendall(b"login guest=yes\nlobby on=yes\n")
    while True:
        s.sendall(b"legal game=1\nwatch game=1\nunwatch game=1\nping n=1\nno such verb\n" * 20)
        time.sleep(0.1)


def noise(bot_port, port):
    """Lines that are none, requests that never end, frames that are broken."""
    for junk in (b"\xff\x00" * 3000, b"seek " + b"x=y " * 900 + b"\n", b"login token=" + b"x" * 47 + b"\n" * 200):
        with socket.create_connection(("127.0.0.1", bot_port), PATIENCE) as s:
            s.sendall(junk)
            time.sleep(0.05)
    opened = []
    for head in (b"GET /api/v1/games?fen=" + b"x" * 9000, b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n{",
                 b"GET /api/v1/games?opening=x&limit=200 HTTP/1.1\r\nHost: x\r\n\r\n" * 90, b"\x16\x03\x01\x02\x00" * 100):
        s = socket.create_connection(("127.0.0.1", port), PATIENCE)
        s.sendall(head)
        opened.append(s)
    page = Socket(port)
    page.socket.sendall(b"\x89\x80mask" * 100 + b"\x81\xff\x00\x00\x00\xff\xff\xff\xff\xff")
    time.sleep(0.1)
    for s in opened:
        s.close()


if len(sys.argv) > 2:
    do = {"flood": flood, "noise": noise}[sys.argv[2]]
    while True:
        try:
            do(int(sys.argv[3]), int(sys.argv[4]))
        except (OSError, EOFError, IndexError):
            pass  # thrown out: once more


def play(server, plies):
    """Seconds from each move to the opponent's hearing of it."""
    a, b, game = pair(server, "game=xiangqi tc=600 rules=wxf,repetition=0,no-capture=0")
    took = []
    for ply in range(plies):
        who, other = (a, b) if ply % 2 == 0 else (b, a)
        turn = who.hear("turn")
        began = time.monotonic()
        who.say("move game=%s ply=%s move=%s" % (game, turn["ply"], ("a0a1", "a9a8", "a1a0", "a8a9")[ply % 4]))
        while int(other.hear("moved")["ply"]) != ply + 1:
            pass
        took.append(time.monotonic() - began)
    a.say("resign game=" + game)
    a.hear("result"), b.hear("result")
    a.close(), b.close()
    return sorted(took)


def tell(what, took):
    print("%s: half of %d moves heard within %.2f ms, 99 %% within %.2f, all within %.2f" %
          (what, len(took), 1e3 * took[len(took) // 2], 1e3 * took[len(took) * 99 // 100], 1e3 * took[-1]))


with Server() as server:
    alone = play(server, 300)
    tell("alone", alone)
    others = [subprocess.Popen([sys.executable, __file__, sys.argv[1], how, str(port), str(server.port)])
              for how, port in (("flood", server.bot_port), ("noise", server.bot_port))]
    try:
        cut = lambda: int(re.search(r"kraton_connections_cut_total (\d+)", server.rest("GET", "/metrics")[2].decode())[1])
        end = time.time() + PATIENCE
        while cut() < 5 and time.time() < end:
            time.sleep(0.05)
        before = cut()
        check("they are at it", before >= 5)
        took = play(server, 300)
        tell("with two who misbehave", took)
        # A machine that is slow without the two is slow with them: the bound follows the run alone.
        check("nobody waited for them", took[-1] < max(2, 10 * alone[-1]))
        end = time.time() + PATIENCE
        while cut() <= before and time.time() < end:
            time.sleep(0.05)
        check("they still were: %d, %d" % (before, cut()), cut() > before)
    finally:
        for o in others:
            o.kill()
            o.wait()
