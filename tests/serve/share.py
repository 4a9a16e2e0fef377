"""What all share is divided by address: house bots, analysis, the machine itself."""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile"))
from bystander import *


def challenge(guest, level, control="600"):
    """What came of it: `game`, `gone` or `error`."""
    guest.say("challenge to=House-%d game=surakarta tc=%s side=first" % (level, control))
    m = guest.hear("game", "gone", "error")
    return guest.hear("game") if m.get("reason") == "paired" else m


def take_bots(guest, number):
    """Asks for so many games with bots; how many began."""
    return sum(challenge(guest, 1 + i % 10).verb == "game" for i in range(number))


def live(server):
    return server.rest("GET", "/api/v1/health")[2]["live_games"]


def wait_for(what, truth):
    until = time.monotonic() + PATIENCE
    while not truth():
        check(what, time.monotonic() < until)
        time.sleep(0.05)


# one address cannot have all games with house bots, and those it leaves end
with Server("--bots", "2", "--trusted-proxy", "127.0.0.1", "--away", "1") as server:
    attackers = [Program(server, "198.51.100.1").guest() for i in range(14)]
    begun = sum(take_bots(a, 20) for a in attackers)
    check("half of the places for one address: %d" % begun, 16 <= begun <= 250)
    others = Program(server, "198.51.100.2").guest()
    check("another address plays", take_bots(others, 8) == 8)
    for a in attackers:
        a.close()
    wait_for("the games of those who left end", lambda: live(server) == 8)
    # a game nobody has moved in has no result; one that was left is lost
    others.say("resign game=%d" % (begun + 1))
    others.hear("result")
    third = Program(server, "198.51.100.3").guest()
    number = challenge(third, 1)["id"]
    third.hear("turn")
    third.say("move game=%s move=b5-b4" % number)
    third.hear("turn")
    third.close()
    wait_for("ended", lambda: server.rest("GET", "/api/v1/games/" + number)[2].get("reason") == "abandoned")
    check("lost", server.rest("GET", "/api/v1/games/" + number)[2]["outcome"] == "second wins")
    check("without result", server.rest("GET", "/api/v1/games/1")[2]["outcome"] == "ongoing")
    # bots play no games of days
    for control in ("100000+0", "60+600", "st=7200"):
        gone = challenge(others, 1, control)
        check("too long: %s" % gone, gone.verb == "gone" and "at most" in gone["words"])

# nor all engines for analysis: whoever asks first is served first
with Server("--bots", "2", "--trusted-proxy", "127.0.0.1") as server:
    attackers = [Program(server, "198.51.100.1") for i in range(20)]
    for a in attackers:
        a.say("analyse game=xiangqi ms=10000")
        check("in line", a.hear("analysing", "error").verb == "analysing")
    other = Program(server, "198.51.100.2")
    other.say("analyse game=xiangqi ms=100")
    other.hear("analysed")
    waiting = 0
    for a in attackers:
        a.socket.setblocking(False)
        try:
            waiting += b"analysed" not in a.socket.recv(1 << 20)
        except BlockingIOError:
            waiting += 1
    check("before the others of that address: %d still wait" % waiting, waiting >= 18)


def account(server, name):
    return ask(server, "127.0.0.1", "POST", "/api/v1/register", {"name": name, "password": "long enough 1"})[1]["Set-Cookie"].split(";")[0]


def hold(server, cookie, players):
    """A tournament of those players, started."""
    path = "/api/v1/tournaments/%d" % ask(server, "127.0.0.1", "POST", "/api/v1/tournaments", {
        "name": "Cup", "kind": "round-robin", "game": "xiangqi", "tc": "600"}, cookie)[2]["id"]
    for p in players:
        check("entered", ask(server, "127.0.0.1", "POST", path + "/enter", {"player": p}, cookie)[0] == 200)
    check("started", ask(server, "127.0.0.1", "POST", path + "/start", None, cookie)[0] == 200)


# a tournament takes analysis from nobody, unless an arbiter holds it and its players are here
with Server("--bots", "2", "--trusted-proxy", "127.0.0.1") as server:
    ann, judge = account(server, "Ann"), account(server, "Judge")
    tokens = [ask(server, "127.0.0.1", "POST", "/api/v1/tokens", {"program": p}, c)[2]["token"]
              for p, c in (("AnnOne", ann), ("AnnTwo", ann), ("JudgeOne", judge), ("JudgeTwo", judge))]
    server.manage("--arbiter", "Judge").check_returncode()
    visitor = Program(server, "198.51.100.2")

    def answer():
        visitor.say("analyse game=surakarta ms=100")
        m = visitor.hear("analysed", "error")
        return m.verb if m.verb == "analysed" else m["code"]

    hold(server, ann, ("AnnOne", "AnnTwo"))
    check("nobody is there", answer() == "analysed")
    players = [Lines(server.bot_port).login(t) for t in tokens[:2]]
    check("anybody's", answer() == "analysed")
    hold(server, judge, ("JudgeOne", "JudgeTwo"))
    check("an arbiter's, of absent players", answer() == "analysed")
    players += [Lines(server.bot_port).login(t) for t in tokens[2:]]
    check("an arbiter's", answer() == "analysis")

# the loop goes before the threads with long work, where Linux can
with Server("--bots", "0") as server:
    def slices():
        """How long each thread may run before another of the same priority does; the first is the loop's."""
        tasks = "/proc/%d/task/" % server.process.pid
        said = [open(tasks + number + "/sched").read() for number in sorted(os.listdir(tasks), key=int)]
        return [int(found[1]) for found in (re.search(r"se.slice *: *(\d+)", text) for text in said) if found]

    account(server, "Pia")
    if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 12) and os.nice(0) >= 0 and slices():
        loop, *others = slices()
        check("after a password: %s, %s" % (loop, others), len(others) > 2 and loop * 4 <= min(others))

# a player has so many connections and no more: each is written to before anybody else is
with Server("--bots", "0") as server:
    crowd = [Lines(server.bot_port).guest()]
    token = crowd[0].welcome["token"]
    crowd += [Lines(server.bot_port).login(token) for _ in range(31)]
    check("again, where it is", crowd[5].login(token).name == crowd[0].name)
    more = Lines(server.bot_port).login(token)
    check("the 33rd", more.welcome.get("code") == "limit" and more.hear("bye")["reason"] == "limit")
    crowd.pop().close()
    wait_for("one goes, another comes", lambda: Lines(server.bot_port).login(token).name)
