"""A disk that fills up: the server stands still before it must, and goes on; where a write fails, nobody was
told anything that is not kept. The first half mounts a small file system of its own and needs root."""
from kit import *
import resource

# a commit that fails: the log may not grow beyond so many bytes
limit = 2500000
folder = tempfile.mkdtemp()


class Limited(Server):
    def start(self, ports=("0", "0")):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit or hard, hard))
        try:
            super().start(ports)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


server = Limited("--grace", "1", "--bots", "0", folder=folder)
games, told = [], {}
for i in range(20):
    a, b, game = pair(server, "game=xiangqi tc=300+1")
    games.append((a, b, game))
    told[game] = []
chance = random.Random(5)
notices = set()


def take(line, game):
    """Messages up to our turn; false where the server has said its last."""
    try:
        while True:
            m = line.hear("turn", "moved", "notice", "result")
            if m.verb == "moved" and m["game"] == game and len(told[game]) < int(m["ply"]):
                told[game].append(m["move"])
            if m.verb == "notice":
                notices.add(m["reason"])
            if m.verb == "turn" and m["game"] == game:
                return True
            if m.verb == "result":
                return False
    except (EOFError, OSError):
        return False


alive = True
while alive:
    for a, b, game in games:
        who = (a, b)[len(told[game]) % 2]
        if not take(who, game):
            alive = False
            break
        try:
            who.say("move game=%s move=%s" % (game, chance.choice(who.legal(game))))
            m = who.hear("moved", "notice", "result")
            if m.verb == "moved":
                told[game].append(m["move"])
        except (EOFError, OSError):
            alive = False
            break
status = server.process.wait(PATIENCE)
for a, b, game in games:  # the last words of all
    for line in (a, b):
        take(line, game)
        line.close()
log = open(folder + "/stderr").read()
check("it ended by itself: %s" % log, status == 1)
check("and says what to see to: %s" % log, "nothing that was told is lost: see to the disk of" in log)
check("everybody is told: %s" % notices, notices == {"failure"})
limit = None
server.start()
plies = 0
for a, b, game in games:
    kept = [m["move"] for m in server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"]]
    plies += len(kept)
    check("what was told is kept: %s %s" % (kept, told[game]), kept[:len(told[game])] == told[game])
    check("and nothing else: %s" % game, len(kept) <= len(told[game]) + 1)
check("they had played", plies > 100)
server.stop()
shutil.rmtree(folder)

# standing still
folder = tempfile.mkdtemp()
mounted = os.getuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", folder], stderr=subprocess.DEVNULL).returncode == 0
if not mounted:
    print("skipped: a full disk (needs root, to mount one)")
    sys.exit(0)
try:
    with Server("--reserve", "16", "--bots", "0", folder=folder) as server:
        a, b, game = pair(server, "game=surakarta tc=60+1")
        play_out(a, b, game, most=4)
        a.hear("turn")
        with open(folder + "/heap", "wb") as f:
            f.write(b"x" * 52000000)
        check("told", a.hear("notice")["reason"] == "full")
        stopped = a.hear("clock")
        check("clocks stand", stopped["state"] == "paused")
        check("health", server.rest("GET", "/api/v1/health")[2]["status"] == "full")
        a.say("move game=%s move=%s" % (game, a.legal(game)[0]))
        check("refused", a.hear("error")["code"] == "full")
        check("over HTTP too", server.rest("POST", "/api/v1/guest", {})[0] == 503)
        line = Lines(server.bot_port)
        line.say("login guest=yes")
        check("no guests", line.hear("error")["code"] == "full")
        check("reading goes on", len(server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"]) == 4)
        server.kill()
        server.restart()
        token, a = a.welcome["token"], None
        a = Lines(server.bot_port).login(token)
        check("after a restart as well", a.hear("notice")["reason"] == "full")
        os.unlink(folder + "/heap")
        check("room", a.hear("notice")["reason"] == "room")
        a.say("resume game=" + game)
        turn = a.hear("turn")
        check("nothing was charged for it: %s" % turn, int(turn["first"]) > int(stopped["first"]) - 2500000)
        a.say("move game=%s move=%s" % (game, a.legal(game)[0]))
        check("it goes on", a.hear("moved")["ply"] == "5")
finally:
    subprocess.run(["umount", "-l", folder])
    shutil.rmtree(folder)
