"""A commit that does not come through, on a disk that does not sync or a database that waits for its standby: moves wait until
it does, pings are answered. Every wait here ends by a condition. Also under cluster.py."""
from kit import *

scratch = tempfile.mkdtemp()
address = os.environ.get(cluster.VARIABLE)
options = ["--bots", "0"]
if address:
    class Gate:
        def set(self, standby):
            cluster.query(address, "ALTER SYSTEM SET synchronous_standby_names = '%s'" % standby)
            cluster.query(address, "SELECT pg_reload_conf()")

        def close(self):
            self.set("nobody")
            while cluster.query(address, "SHOW synchronous_standby_names") != "nobody":
                time.sleep(0.001)

        def open(self):
            self.set("")

        def is_reached(self):
            return cluster.query(address, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'") != ""
else:
    if b"__asan_init" in open(sys.argv[1], "rb").read():
        print("a sanitizer's build does not bear the layer: not tried")
        shutil.rmtree(scratch)
        sys.exit(0)
    layer = scratch + "/power.so"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "power.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", layer, source, "-ldl", "-lpthread"], check=True)
    os.mkdir(scratch + "/image")
    environment = {"LD_PRELOAD": layer, "KRATON_POWER_FOLDER": os.path.realpath(scratch) + "/data", "KRATON_POWER_IMAGE": scratch + "/image",
                   "KRATON_POWER_GATE": scratch + "/gate"}
    options.append("--durable")

    class Gate:
        def close(self):
            if self.is_reached():
                os.remove(scratch + "/gate.reached")
            open(scratch + "/gate", "w").close()

        def open(self):
            os.remove(scratch + "/gate")

        def is_reached(self):
            return os.path.exists(scratch + "/gate.reached")


def ping(client, number):
    """The verbs that come before the answer."""
    client.say("ping n=%d" % number)
    heard = [client.hear()]
    while heard[-1].verb != "pong" or heard[-1]["n"] != str(number):
        heard.append(client.hear())
    return [message.verb for message in heard[:-1]]


def move(client, game):
    client.hear("turn")
    chosen = client.legal(game)[0]
    client.say("move game=%s move=%s" % (game, chosen))
    return chosen


def wait_until_reached():
    while not gate.is_reached():
        time.sleep(0.001)


if not address:
    os.environ.update(environment)
server, gate = Server(*options, folder=scratch), Gate()
if not address:
    for name in environment:
        del os.environ[name]
with server:
    a, b, game = pair(server, "game=surakarta tc=600+1")
    c, d, other = pair(server, "game=surakarta tc=600+1")
    page = Socket(server.port)
    for mover, listener in ((a, b), (b, a), (c, d)):
        move(mover, other if mover is c else game)
        listener.hear("moved")
    d.hear("turn")
    moves = d.legal(other)
    a.hear("turn")
    chosen = a.legal(game)[0]
    for client in (a, b, c, d):
        ping(client, 0)
    gate.close()
    a.say("move game=%s move=%s" % (game, chosen))
    wait_until_reached()
    d.say("move game=%s move=%s" % (other, moves[0]))  # and one more, which shares the next commit
    for i in range(1, 11):
        for client in (a, b, c, d):
            heard = ping(client, i)
            check("nobody is told of a move that is not kept: %s" % heard, "moved" not in heard and "turn" not in heard)
        page.say("ping", n=i)
        check("a page's", page.hear("pong"))
    gate.open()
    check("then it is told", b.hear("moved")["move"] == chosen and a.hear("moved")["move"] == chosen and b.hear("turn")["game"] == game)
    check("the other one too", c.hear("moved")["move"] == moves[0] and c.hear("turn")["game"] == other)
    b.say("resign game=%s" % game)
    check("and the game goes on", a.hear("result")["reason"] == "resignation")
    if not address:  # the end of a game reads, and PostgreSQL answers in order
        gate.close()
        c.say("resign game=%s" % other)
        wait_until_reached()
        check("the end of a game waits too", "result" not in ping(d, 20))
        gate.open()
        check("and is told", d.hear("result")["reason"] == "resignation")
shutil.rmtree(scratch, ignore_errors=True)
