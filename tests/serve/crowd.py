"""A game with a crowd of spectators: quick moves are sent to them together, at most so often. Everybody sees every move once,
in order: who came in the middle, who asks again, pages, and the owner of a program, who alone sees what it says of its moves."""
from kit import *
import threading

CROWD, PACE, PLIES = 300, 300 * 0.0003, 60  # spectators, seconds between two sends to them


def cookie_of(answer):
    return answer[1]["Set-Cookie"].split(";")[0]


def told(watcher, number, seen):
    """Reads until the result; seen has the plies it knew of by then."""
    while True:
        m = watcher.hear("moved", "game", "result")
        if m.verb == "result":
            return seen
        if m.verb == "game":
            check("%s after %s" % (m["ply"], seen), int(m["ply"]) >= len(seen))
            seen = list(range(1, int(m["ply"]) + 1))
        elif str(m["game"]) == number:
            seen.append(int(m["ply"]))
            scores.setdefault(watcher, []).append((m["by"], "score" in m))


def count_reads(spectator, reads):
    """When something came in; each send is one."""
    while b"result" not in (got := spectator.socket.recv(65536)) and got:
        reads.append(time.monotonic())


scores = {}
with Server("--bots", "0") as server:
    owners = [cookie_of(server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse"})) for name in ("Ada", "Cleo")]
    programs = [Lines(server.bot_port).login(server.rest("POST", "/api/v1/tokens", {"program": name}, cookie)[2]["token"])
                for name, cookie in zip(("AdaBot", "CleoBot"), owners)]
    for side, program in zip(("first", "second"), programs):
        program.say("seek game=surakarta tc=600+0 rated=yes side=" + side)
    number = programs[0].hear("game")["id"]
    crowd = [Lines(server.bot_port) for i in range(CROWD)]
    for spectator in crowd:
        spectator.say("watch game=" + number)
    for spectator in crowd:
        spectator.hear("game")
    watchers = {"page": Socket(server.port), "owner": Socket(server.port, owners[0])}
    for watcher in watchers.values():
        watcher.say("watch", game=int(number))
        watcher.hear("game")
    reads = []
    reader = threading.Thread(target=count_reads, args=(crowd[0], reads))
    reader.start()

    def each(ply):
        if ply == PLIES // 2:
            watchers["late"] = Lines(server.bot_port)
            watchers["late"].say("watch game=" + number)
            crowd[1].say("watch game=" + number)

    for program in programs:  # they say what they think of every move
        program.say, program.plain = (lambda line, p=program: p.plain(line + (" score=31" if line.startswith("move") else ""))), program.say
    began = time.monotonic()
    play_out(*programs, number, most=PLIES, each=each)
    programs[0].say("resign game=" + number)
    for name, watcher in (*watchers.items(), ("again", crowd[1]), ("spectator", crowd[2])):
        seen = told(watcher, number, [])
        check("%s saw %s" % (name, seen), seen == list(range(1, PLIES + 1)))
    reader.join(PATIENCE)
    took = time.monotonic() - began
    check("%d sends in %.2f s" % (len(reads), took), len(reads) <= took / PACE + 3)
    for name, watcher in watchers.items():
        sees = {(by, has) for by, has in scores[watcher]}
        check("%s: %s" % (name, sees), sees == {("first", name == "owner"), ("second", False)})


def said(spectator, last):
    """What it is told up to that verb: the messages, and their bytes."""
    heard, size = [], 0
    while not heard or heard[-1][0] != last:
        line = spectator.file.readline()
        check("%s, not %s" % (heard[-3:], last), line)
        size += len(line)
        heard.append(line.decode().split())
    return heard, size


with Server("--bots", "0") as server:
    # who logs in again has not left
    a, b, number = pair(server, "game=surakarta tc=600+0")
    own = "login token=" + a.welcome["token"]
    a.say("\n".join([own] * 50 + ["move game=%s move=%s" % (number, a.legal(number)[0])]))
    heard, _ = said(b, "moved")
    check("has not left: %s" % heard, not [m for m in heard if m[0] in ("away", "back")])
