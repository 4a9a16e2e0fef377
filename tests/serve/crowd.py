"""A game with a crowd of spectators: quick moves are sent to them together, at most so often. Everybody sees every move once,
in order: who came in the middle, who asks again, pages, and the owner of a program, who alone sees what it says of its moves.
What waits for them is bounded, whatever players do; the pace holds after the end too, and nothing that waits is lost."""
from kit import *
import resource, threading

CROWD, PACE, PLIES = 300, 300 * 0.0003, 60  # spectators, seconds between two sends to them
LARGE, LARGE_PACE, HELD = 1500, 1500 * 0.0003, 16384  # and bytes that wait
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


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


def count_reads(spectator, reads, until=b"result"):
    """When something came in; each send is one."""
    while until not in (got := spectator.socket.recv(65536)) and got:
        reads.append(time.monotonic())


def gather(server, number, count):
    """So many spectators, who have been told the game."""
    crowd = [Lines(server.bot_port) for i in range(count)]
    for spectator in crowd:
        spectator.say("watch game=" + number)
    for spectator in crowd:
        spectator.hear("game")
    return crowd


scores = {}
with Server("--bots", "0") as server:
    owners = [cookie_of(server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse"})) for name in ("Ada", "Cleo")]
    programs = [Lines(server.bot_port).login(server.rest("POST", "/api/v1/tokens", {"program": name}, cookie)[2]["token"])
                for name, cookie in zip(("AdaBot", "CleoBot"), owners)]
    for side, program in zip(("first", "second"), programs):
        program.say("seek game=surakarta tc=600+0 rated=yes side=" + side)
    number = programs[0].hear("game")["id"]
    crowd = gather(server, number, CROWD)
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
        if ply in (PLIES // 2, PLIES // 2 + 1):
            crowd[3].say("resume game=" + number)

    crowd[3].guest()
    for program in programs:  # they say what they think of every move
        program.say, program.plain = (lambda line, p=program: p.plain(line + (" score=31" if line.startswith("move") else ""))), program.say
    began = time.monotonic()
    play_out(*programs, number, most=PLIES, each=each)
    programs[0].say("resign game=" + number)
    for name, watcher in (*watchers.items(), ("again", crowd[1]), ("spectator", crowd[2]), ("resumed", crowd[3])):
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
    # who logs in again has not left; who leaves and comes back without end makes the crowd wait for no more than so much
    a, b, number = pair(server, "game=surakarta tc=600+0")
    other = Lines(server.bot_port).guest().welcome["token"]
    crowd = gather(server, number, LARGE)
    own = "login token=" + a.welcome["token"]
    a.say("\n".join([own] * 50 + ["move game=%s move=%s" % (number, a.legal(number)[0])]))
    heard, _ = said(b, "moved")
    check("has not left: %s" % heard, not [m for m in heard if m[0] in ("away", "back")])
    began = time.monotonic()
    a.say("\n".join(["login token=" + other, own] * 900 + ["resign game=" + number]))
    heard, size = said(crowd[0], "result")
    bound = HELD * ((time.monotonic() - began) / LARGE_PACE + 2)
    check("%d bytes of %d" % (size, bound), size < bound)
    verbs = [m[0] for m in heard]
    check("all, or all anew: %s" % heard[-3:], "game" in verbs or verbs.count("back") == 900)
    said(b, "result")

    # the pace holds after the end
    reads = []
    reader = threading.Thread(target=count_reads, args=(crowd[1], reads, b"unwatched"))
    for spectator in crowd[:2]:
        spectator.say("ping n=here")
        while said(spectator, "pong")[0][-1] != ["pong", "n=here"]:
            pass
    reader.start()
    began = time.monotonic()
    for i in range(200):
        a.say("rematch game=" + number)
        b.hear("offer")
        b.say("refuse game=" + number)
        b.hear("refused")
    crowd[1].say("ping n=unwatched")
    reader.join(PATIENCE)
    took = time.monotonic() - began
    check("%d sends in %.2f s after the end" % (len(reads), took), len(reads) <= took / LARGE_PACE + 2)

    # the end of a game that is shown later: all of it at once, and the result once
    cookie = cookie_of(server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "correct horse"}))
    cup = server.rest("POST", "/api/v1/tournaments",
                      {"name": "Cup", "kind": "round-robin", "game": "surakarta", "tc": "600", "games": 1, "delay": 3600}, cookie)[2]["id"]
    players = [Lines(server.bot_port).guest() for i in range(2)]
    for player in players:
        player.say("enter tournament=%d" % cup)
        player.hear("entered")
    server.rest("POST", "/api/v1/tournaments/%d/start" % cup, None, cookie)
    begun = [player.hear("game") for player in players]
    number, order = begun[0]["id"], sorted(players, key=lambda p: begun[players.index(p)]["you"])
    play_out(*order, number, most=10)
    late = gather(server, number, CROWD)
    order[0].say("resign game=" + number)
    for spectator in (late[0], late[-1]):
        check("all of it", spectator.hear("game")["ply"] == "10")
        spectator.hear("result")
        spectator.say("ping n=here")
        heard, _ = said(spectator, "pong")
        check("the result once: %s" % heard, len(heard) == 1)

    # who stops the server shows what waits
    a, b, number = pair(server, "game=surakarta tc=600+0")
    crowd = gather(server, number, LARGE)
    play_out(a, b, number, most=6)
    a.hear("turn")
    server.process.send_signal(signal.SIGTERM)
    plies = [dict(w.split("=") for w in m[1:])["ply"] for m in said(crowd[0], "bye")[0] if m[0] == "moved"]
    check("all before the stop: %s" % plies, plies == [str(i + 1) for i in range(6)])
    server.process.wait(PATIENCE)
