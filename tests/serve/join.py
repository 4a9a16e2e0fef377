"""Engines of several protocols brought online by `kraton join` and by the Python bridge; the
connection lost and the server killed in mid-game."""
from kit import *

here = os.path.dirname(os.path.abspath(sys.argv[1]))
bridge = os.path.join(os.path.dirname(__file__), "../../tools/kraton_join.py")
stub = here + "/kraton-stub"


class Joined:
    def __init__(self, server, token, engine, *options, python=False):
        command = [sys.executable, bridge] if python else [server.kraton, "join"]
        self.process = subprocess.Popen(
            command + ["127.0.0.1:%d" % server.bot_port, "--engine", engine, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "KRATON_TOKEN": token})

    def end(self):
        output, _ = self.process.communicate(timeout=PATIENCE)
        check("it ended with %d: %s" % (self.process.returncode, output), self.process.returncode == 0)
        return output


with Server("--grace", "5") as server:
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]

    def token(name):
        return server.rest("POST", "/api/v1/tokens", {"program": name}, ann)[2]["token"]

    tokens = {name: token(name) for name in ("Uci", "Ucci", "Cecp", "Sau", "Python", "PySau")}
    # pairs of protocols, one side through each bridge
    for game, first, second in (("xiangqi", ("Uci", "uci", False), ("Ucci", "ucci", False)),
                                ("xiangqi", ("Cecp", "cecp", False), ("Python", "uci", True)),
                                ("surakarta", ("Sau", "sau", False), ("PySau", "sau", True))):
        seek = "game=%s tc=30+0.1" % game
        joined = [Joined(server, tokens[name], "%s --dialect %s --game %s" % (stub, dialect, game), "--dialect", dialect, "--seek", seek, "--games", "1",
                         "--game", game, python=python) for name, dialect, python in (first, second)]
        for j in joined:
            output = j.end()
            check("a game: " + output, "game" in output and "wins" in output or "draw" in output)

    # the server dies twice while they play; the game ends as if nothing had been
    seek = "game=xiangqi tc=60+0.1"
    slow = stub + " --dialect uci --think 4"
    joined = [Joined(server, tokens["Uci"], slow, "--dialect", "uci", "--seek", seek, "--games", "1"),
              Joined(server, tokens["Python"], slow, "--dialect", "uci", "--seek", seek, "--games", "1", python=True)]
    for plies in (4, 12):
        end = time.monotonic() + PATIENCE
        while not any(g["plies"] >= plies for g in server.rest("GET", "/api/v1/games/live")[2]["games"]):
            check("the game goes on", time.monotonic() < end)
            time.sleep(0.01)
        server.kill()
        server.restart()
    for j in joined:
        j.end()
    last = server.rest("GET", "/api/v1/games/4/moves")[2]["moves"]
    stamps = [s for m in last for s in (m["queued"], m["written"], m["read"], m["accepted"])]
    check("time went on", stamps == sorted(stamps) and len(last) > 20)

    # a game of many moves is taken over by a bridge, whose engine goes on in it
    shuffle = ["a0a1", "a9a8", "a1a0", "a8a9"] * 240
    for name, python in ("Uci", False), ("Python", True):
        long = [Lines(server.bot_port).login(tokens["Cecp"]), Lines(server.bot_port).login(tokens[name])]
        for side, player in zip(("first", "second"), long):
            player.say("seek game=xiangqi rules=wxf,repetition=0,no-capture=0 tc=600 side=" + side)
        number = long[0].hear("game")["id"]
        for ply, move in enumerate(shuffle):
            long[ply % 2].hear("turn")
            long[ply % 2].say("move game=%s move=%s" % (number, move))
        long[0].hear("turn")
        long[0].say("move game=%s move=h2e2" % number)
        long[1].close()
        joined = Joined(server, tokens[name], stub + " --dialect uci", "--dialect", "uci", python=python)
        check("it goes on", int(long[0].hear("turn")["ply"]) == len(shuffle) + 2)
        long[0].say("resign game=" + number)
        long[0].hear("result")
        long[0].close()
        joined.process.terminate()
        output, _ = joined.process.communicate(timeout=PATIENCE)
        check("in the same game: " + output, "connection is lost" not in output)

    # more games at a time than engine processes: they are shared, and there are never more
    script = server.folder + "/counted.py"
    open(script, "w").write("""import os, subprocess, sys
folder = sys.argv[1] + "/running"
os.makedirs(folder, exist_ok=True)
open("%s/%d" % (folder, os.getpid()), "w")
alive = [p for p in os.listdir(folder) if os.path.exists("/proc/" + p)]
open(sys.argv[1] + "/most", "a").write("%d\\n" % len(alive))
os.execv(sys.argv[2], sys.argv[2:])
""")
    path = "/api/v1/tournaments/%d" % server.rest("POST", "/api/v1/tournaments", {
        "name": "Many", "game": "xiangqi", "kind": "round-robin", "tc": "300+1", "games": 6, "per_player": 0}, ann)[2]["id"]
    many = {name: token(name) for name in ("ManyOne", "ManyTwo")}
    joined = []
    for name, python in (("ManyOne", False), ("ManyTwo", True)):
        check("entered", server.rest("POST", path + "/enter", {"player": name}, ann)[0] == 200)
        os.mkdir(server.folder + "/" + name)
        joined.append(Joined(server, many[name], "%s %s %s %s --dialect uci" % (sys.executable, script, server.folder + "/" + name, stub),
                             "--dialect", "uci", "--at-once", "2", "--games", "6", python=python))
    check("started", server.rest("POST", path + "/start", None, ann)[0] == 200)
    for j, name in zip(joined, many):
        output = j.end()
        check("six games of %s: %s" % (name, output), output.count("(") >= 6)
        started = [int(n) for n in open("%s/%s/most" % (server.folder, name)).read().split()]
        check("two processes of %s at most: %s" % (name, started), max(started) <= 2)
    check("all of them were played", server.rest("GET", path)[2]["state"] == "over")

    refused = Joined(server, "krt_" + "x" * 43, stub + " --dialect uci", "--dialect", "uci")
    output, _ = refused.process.communicate(timeout=PATIENCE)
    check("a wrong token: " + output, refused.process.returncode == 1 and "token" in output)

    # an engine that is not there is said before anybody can challenge it
    joined = Joined(server, tokens["Uci"], "/no/such/engine", "--dialect", "uci")
    output, _ = joined.process.communicate(timeout=PATIENCE)
    check("said: " + output, joined.process.returncode == 1 and "cannot be started: /no/such/engine: No such file" in output)

    # one that the system cannot start is said at once, and the game is not left waiting
    broken = server.folder + "/broken"
    open(broken, "w").write("#!/no/such/interpreter\n")
    os.chmod(broken, 0o755)
    joined = Joined(server, tokens["Uci"], broken, "--dialect", "uci")
    guest = Lines(server.bot_port).guest()
    while True:
        guest.say("challenge to=Uci game=xiangqi tc=60+0")
        if guest.hear("game", "error").verb == "game":
            break
        time.sleep(0.05)
    check("given up", guest.hear("result")["reason"] == "resignation")
    output, _ = joined.process.communicate(timeout=PATIENCE)
    check("said: " + output, joined.process.returncode == 1 and "cannot be started" in output)

    # an engine that hangs does not outlive its bridge
    hanging = server.folder + "/hanging.py"
    open(hanging, "w").write("import os, sys, time\nopen(sys.argv[1], 'w').write(str(os.getpid()))\nfor line in sys.stdin:\n"
                             "    if line.startswith('go'): time.sleep(600)\n    print({'uci': 'uciok'}.get(line.strip(), 'readyok'), flush=True)\n")
    joined = Joined(server, tokens["Python"], "%s %s %s/pid" % (sys.executable, hanging, server.folder), "--dialect", "uci", "--games", "1", python=True)
    while True:
        guest.say("challenge to=Python game=xiangqi tc=1+0 side=second")
        if guest.hear("game", "error").verb == "game":
            break
        time.sleep(0.05)
    check("too late", guest.hear("result")["reason"] == "time")
    joined.end()
    pid = open(server.folder + "/pid").read()
    check("gone with it", not os.path.exists("/proc/" + pid) or "Z" in open("/proc/%s/stat" % pid).read().split()[2])

# both bridges over TLS, with a certificate that is checked
keys = tempfile.mkdtemp()
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", keys + "/key.pem",
                "-out", keys + "/cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
               check=True, capture_output=True)
with Server("--tls-cert", keys + "/cert.pem", "--tls-key", keys + "/key.pem") as server:
    trust = ssl.create_default_context(cafile=keys + "/cert.pem")

    def rest(path, body, cookie=""):
        c = http.client.HTTPSConnection("127.0.0.1", server.port, context=trust, timeout=PATIENCE)
        c.request("POST", "/api/v1/" + path, json.dumps(body), {"Cookie": cookie})
        r = c.getresponse()
        return r.headers, json.loads(r.read())

    headers, _ = rest("register", {"name": "Ann", "password": "long enough"})
    check("a cookie for TLS alone", "Secure" in headers["Set-Cookie"])
    cookie = headers["Set-Cookie"].split(";")[0]
    joined = [Joined(server, rest("tokens", {"program": name}, cookie)[1]["token"], stub + " --dialect uci", "--dialect", "uci", "--games", "1",
                     "--seek", "game=xiangqi tc=30+0.1", "--tls", "--ca", keys + "/cert.pem", python=python)
              for name, python in (("Native", False), ("Python", True))]
    for j in joined:
        check("a game over TLS", "wins" in (output := j.end()) or "draw" in output)
shutil.rmtree(keys)

# nobody answers: it says so, and ends when it is told to
with socket.socket() as silent:
    silent.bind(("127.0.0.1", 0))  # and does not listen
    for command in ([sys.argv[1], "join"], [sys.executable, bridge]):
        alone = subprocess.Popen(command + ["127.0.0.1:%d" % silent.getsockname()[1], "--engine", stub, "--dialect", "uci"], env={**os.environ, "KRATON_TOKEN": "krt_x"},
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = alone.stdout.readline()
        alone.terminate()
        rest, _ = alone.communicate(timeout=PATIENCE)
        check("trying: " + said, "trying again" in said)
        check("ended quietly: %d %s" % (alone.returncode, rest), alone.returncode in (0, -signal.SIGTERM) and "Traceback" not in rest)
