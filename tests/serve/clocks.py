"""Time the server itself loses is charged to no player: a long start after a kill, a process that is stopped."""
from kit import *

START_US = 300000000
ROWS = 400000  # of the journal: enough for a start of half a second and more

# --- a start that takes long: nothing after the last heartbeat is charged
with Server("--bots", "0") as server:
    begun = time.monotonic()
    a, b, number = pair(server, "game=surakarta tc=%d+0" % (START_US // 1000000))
    a.hear("turn")
    a.say("move game=%s ply=0 move=%s" % (number, a.legal(number)[0]))
    b.hear("turn")
    server.kill()
    thought = (time.monotonic() - begun) * 1e6  # no clock can have run longer
    db = server.database()
    with db:
        db.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                   "INSERT INTO journal(id, game, kind, ply, move, accepted) SELECT 1000000 + i, 1000000, 0, i, 'b5-b4', 0 FROM n", (ROWS,))
    db.close()
    began = time.monotonic()
    server.restart()
    took = (time.monotonic() - began) * 1e6
    game = Lines(server.bot_port).login(a.welcome["token"]).hear("game")
    for side in ("first", "second"):
        charged = START_US - int(game[side])
        check("%s is charged %d us of a start of %d us" % (side, charged, took), 0 <= charged <= thought)
    check("the clock waits for its player", game["clock"] == "waiting")
    back = Lines(server.bot_port).login(b.welcome["token"])
    turn = back.hear("turn")
    charged = START_US - int(turn["second"])
    check("nor is it afterwards: %d us" % charged, charged <= thought)

# --- the process is stopped: a move that waits in the socket counts, and no clock pays for the stop
folder = tempfile.mkdtemp()
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-days", "2", "-subj", "/CN=localhost"],
               check=True, capture_output=True)
trust = ssl.create_default_context(cafile=folder + "/cert.pem")
trust.check_hostname = False


def say(player, verb, **fields):
    if isinstance(player, Socket):
        player.say(verb, **fields)
    else:
        player.say(" ".join([verb, *("%s=%s" % field for field in fields.items())]))


def guest(server, kind, tls):
    if kind == "lines":
        return Lines(server.bot_port, tls).guest()
    page = Socket(server.port, tls=tls)
    page.say("login", guest=True)
    page.hear("welcome")
    return page


def begin(server, kind, tls, tc):
    """Two guests and their game; returns the first, the second, the number and a moment before the first's clock ran."""
    a, b = guest(server, kind, tls), guest(server, kind, tls)
    say(a, "seek", game="surakarta", tc=tc, side="first")
    a.hear("seeking")
    before = time.monotonic()
    say(b, "seek", game="surakarta", tc=tc, side="second")
    number = a.hear("turn")["game"]
    say(a, "ping", n=1)  # its answer comes when the clock runs
    a.hear("pong")
    return a, b, number, before


def stop_until(server, moment, act):
    """Stops the process; act() 0.3 s later; lets it go on at that moment."""
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.3)
    act()
    time.sleep(max(0, moment - time.monotonic()))
    server.process.send_signal(signal.SIGCONT)


def check_stops(server, tls):
    for kind in ("lines", "page"):
        a, b, number, before = begin(server, kind, tls, "1+0")
        sent = []

        def move():
            say(a, "move", game=number, ply=0, move="b5-b4")
            sent.append(time.monotonic())

        stop_until(server, before + 2, move)
        said = a.hear("moved", "result")
        check("the move counts, %s: %s" % (kind, said), said.verb == "moved")
        most = (sent[0] - before) * 1e6
        check("and its time is fair: %s of %d us" % (said["used"], most), int(said["used"]) <= most)
        check("the other is to move", int(b.hear("turn")["second"]) == 1000000)
        say(b, "resign", game=number)
        a.hear("result"), a.close(), b.close()
        c = (http.client.HTTPSConnection("127.0.0.1", server.port, context=tls, timeout=PATIENCE) if tls else
             http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE))
        c.request("GET", "/api/v1/games/%s/moves" % number)
        kept = json.loads(c.getresponse().read())["moves"][0]
        check("the stop is in the record: %s" % kept, kept["late"] > 1000000)
        check("which adds up: %s" % kept, kept["used"] == max(0, kept["read"] - kept["written"] - kept["lag"] - kept["late"]))
        c.close()


with Server("--bots", "0") as server:
    check_stops(server, None)

    # who has not moved yet gets the time back as well, and has a clock to go on with
    a, b, number, before = begin(server, "lines", None, "2+0")
    stop_until(server, before + 3, lambda: None)
    a.say("move game=%s ply=0 move=b5-b4" % number)
    said = a.hear("moved", "result")
    check("no flag falls for a stop: %s" % said, said.verb == "moved")
    b.say("resign game=%s" % number)
    check("metrics", float(re.search(r"\nkraton_late_seconds_total (\S+)", server.rest("GET", "/metrics")[2].decode())[1]) > 2)

    # a flag that fell before falls all the same
    a, b, number, before = begin(server, "lines", None, "0.2+0")
    check("in its time", b.hear("result")["reason"] == "time")

    # what was given back is in the journal: a kill after a stop does not take it away
    a, b, number, before = begin(server, "lines", None, "300+0")
    stop_until(server, before + 2, lambda: None)
    b.say("draw game=%s" % number)  # stored with its moment
    a.hear("offer")
    server.kill()
    thought = (time.monotonic() - before) * 1e6
    server.restart()
    b = Lines(server.bot_port).login(b.welcome["token"])
    charged = START_US - int(b.hear("game")["first"])
    check("charged %d us of %d, 2 s of them stopped" % (charged, thought), 0 <= charged <= thought - 1500000)
    b.say("resign game=%s" % number)
    b.hear("result")

    # also that of a game with no entry of its own, after enough other games have ended to trim the journal
    a, b, number, before = begin(server, "lines", None, "300+0")
    stop_until(server, before + 3, lambda: None)
    others = guest(server, "lines", None), guest(server, "lines", None)
    for i in range(64):
        for player, side in zip(others, ("first", "second")):
            player.say("seek game=surakarta tc=60+0 side=" + side)
            player.hear("seeking", "game")
        others[0].say("resign game=%s" % others[0].hear("turn")["game"])
        [player.hear("result") for player in others]
    server.kill()
    thought = (time.monotonic() - before) * 1e6
    server.restart()
    game = Lines(server.bot_port).login(b.welcome["token"]).hear("game")
    charged = START_US - int(game["first"])
    check("charged %d us of %d, 3 s of them stopped" % (charged, thought), 0 <= charged <= thought - 2500000)

# --- the limit of what is given back: arbiters hear of a game that was charged for the rest
with Server("--bots", "0", "--late-credit", "1") as server:
    status, headers, me = server.rest("POST", "/api/v1/register", {"name": "Vera", "password": "long enough 1"})
    server.manage("--arbiter", "Vera").check_returncode()
    status, headers, me = server.rest("POST", "/api/v1/login", {"name": "Vera", "password": "long enough 1"})
    cookie = headers["Set-Cookie"].split(";")[0]
    vera = Socket(server.port, cookie=cookie)
    vera.hear("welcome")
    a, b, number, before = begin(server, "lines", None, "300+0")
    stop_until(server, before + 3, lambda: None)
    notice = vera.hear("notice")
    check("the arbiter is told: %s" % notice, notice["reason"] == "late" and "game %s" % number in notice["words"])
    a.say("move game=%s ply=0 move=b5-b4" % number)
    moved = a.hear("moved")
    check("1 s is given back, the rest charged: %s" % moved, 1000000 < int(moved["used"]))
    later = Socket(server.port, cookie=cookie)
    check("an arbiter who comes later too", later.hear("notice")["reason"] == "late")
    kept = server.rest("GET", "/api/v1/games/%s/moves" % number)[2]["moves"][0]
    check("no more than the limit: %s" % kept, kept["late"] == 1000000)
    metrics = server.rest("GET", "/metrics")[2].decode()
    value = lambda name: float(re.search(r"\nkraton_%s (\S+)" % name, metrics)[1])
    check("in the metrics", value("late_given_back_seconds_total") == 1 and value("late_charged_seconds_total") > 1)
    check("and in the log", "late by more than 1 s in an hour" in open(server.folder + "/stderr").read())
    # the limit holds over a restart, and the hour's credit stays used up
    b.hear("turn")
    stop_until(server, time.monotonic() + 1.5, lambda: None)
    a.say("draw game=%s" % number)
    b.hear("offer")
    server.kill()
    server.restart()
    b = Lines(server.bot_port).login(b.welcome["token"])
    charged = START_US - int(b.hear("game")["second"])
    check("nothing more is given in that hour: %d us" % charged, charged > 1000000)

# --- a game that was written anew to the journal has been given no more than before
ANEW = 4  # the kind of the journal's entry
COLUMNS = "game, ply, move, queued, written, read, accepted, lag, used, remaining"
with Server("--bots", "0", "--late-credit", "3") as server:
    a, b, number, before = begin(server, "lines", None, "300+0")
    a.say("move game=%s ply=0 move=b5-b4" % number)
    b.hear("turn")
    server.kill()
    db = server.database()
    with db:
        db.execute("UPDATE journal SET late = 2000000, sum = NULL WHERE kind = 0")
        last = db.execute("SELECT max(id) FROM journal").fetchone()[0]
        db.execute("INSERT INTO journal(id, kind, game, ply, accepted) VALUES(?, ?, ?, 0, 0)", (last + 1, ANEW, int(number)))
        db.execute("INSERT INTO journal(id, kind, late, %s) SELECT %d, kind, late, %s FROM journal WHERE kind = 0 AND ply = 1" %
                   (COLUMNS, last + 2, COLUMNS))
    db.close()
    server.restart()
    b = Lines(server.bot_port).login(b.welcome["token"])
    b.hear("turn")
    b.say("ping n=1")
    b.hear("pong")  # the clock runs
    stop_until(server, time.monotonic() + 2.5, lambda: b.say("move game=%s ply=1 move=%s" % (number, "b2-b3")))
    b.hear("moved")
    kept = server.rest("GET", "/api/v1/games/%s/moves" % number)[2]["moves"][1]
    check("a second is left of the credit: %s" % kept, kept["late"] == 1000000)

# --- after a restart an absent player gets a tenth of the base time, not the whole grace
with Server("--bots", "0", "--grace", "600") as server:
    a, b, number, before = begin(server, "lines", None, "20+0")
    server.kill()
    server.restart()
    b = Lines(server.bot_port).login(b.welcome["token"])
    check("it waits at first", b.hear("game")["clock"] == "waiting")
    began = time.monotonic()
    check("then it runs", b.hear("clock")["state"] == "running")
    check("after 2 s: %.1f" % (time.monotonic() - began), time.monotonic() - began < 300)

# --- only clocks that run get time back: without any, a stop is neither logged nor kept
LATE = 5  # the kind of the journal's entry


def stop_with(tc):
    """A game of this time control, stopped for 2 s and killed: (lines of the log, entries of the journal) about the stop."""
    with Server("--bots", "0") as server:
        if tc:
            a, b, number, before = begin(server, "lines", None, tc)
        page = Socket(server.port)
        page.hear("kraton")
        stop_until(server, time.monotonic() + 2, lambda: page.say("no-such-verb"))
        page.hear("error")  # comes after the commit, as a pong need not
        log = open(server.folder + "/stderr").read()
        server.kill()
        db = server.database()
        kept = db.execute("SELECT count(*) FROM journal WHERE kind = ?", (LATE,)).fetchone()[0]
        db.close()
        server.restart()
    return re.findall(r"the server was (?:late|\S+ s late).*", log), kept


said, kept = stop_with("300+0")
check("a stop of a running clock: %s, %d" % (said, kept), kept and
      any(re.fullmatch(r"the server was \d+\.\d s late; running clocks got that time back", line) for line in said))
check("of none", stop_with(None) == ([], 0))
check("of games without a clock", stop_with("inf") == ([], 0))

with Server("--bots", "0", "--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem") as server:
    check_stops(server, trust)
shutil.rmtree(folder)
