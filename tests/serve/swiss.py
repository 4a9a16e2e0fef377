"""An eight-player Swiss of mixed programs from one command to the final table: house bots, engines of
four protocols through `kraton join` and through the Python bridge.

    python3 tests/serve/swiss.py build/release/kraton [full] [apart]

full: our engines at several levels and Debian's (fairy-stockfish, hoixiangqi) instead of stubs.
apart: server and clients on separate hosts (network namespaces, root), the link cut and healed in
mid-game."""
from kit import *

FULL, APART = "full" in sys.argv[2:], "apart" in sys.argv[2:]
here = os.path.dirname(os.path.abspath(sys.argv[1]))
bridge = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/kraton_join.py")
stub = here + "/kraton-stub --game xiangqi --dialect "
own = here + "/kraton-xiangqi,option.Level="
ROUNDS, CONTROL = (3, "5+0.1") if FULL else (2, "30+0.1")
os.environ["PATH"] += ":/usr/games"  # where Debian has its engines
HOST = "10.77.0.1" if APART else "127.0.0.1"
if APART and os.getuid() != 0:
    print("skipped: hosts of their own are network namespaces, which only root may make")
    sys.exit(0)


def sh(command):
    subprocess.run(command, shell=True, check=True)


def in_host(name, command):
    return ["ip", "netns", "exec", "kraton-" + name] + command if APART else command


def in_client_host(command):
    return in_host("b", command)


class Apart(Server):
    """The server on a host of its own."""
    def __init__(self, *options):
        if APART:
            for name in "ab":
                subprocess.run(["ip", "netns", "del", "kraton-" + name], stderr=subprocess.DEVNULL)
                sh("ip netns add kraton-" + name)
            sh("ip link add kra type veth peer name krb && ip link set kra netns kraton-a && ip link set krb netns kraton-b")
            for name, address in (("a", "10.77.0.1"), ("b", "10.77.0.2")):
                sh("ip -n kraton-%s addr add %s/24 dev kr%s && ip -n kraton-%s link set kr%s up && ip -n kraton-%s link set lo up"
                   % (name, address, name, name, name, name))
        script = tempfile.mkdtemp() + "/kraton"
        with open(script, "w") as f:
            f.write("#!/bin/sh\nexec %s%s \"$@\"\n" % ("ip netns exec kraton-a " if APART else "", os.path.abspath(sys.argv[1])))
        os.chmod(script, 0o755)
        super().__init__("--address", HOST, *options, kraton=script)

    def plies(self):
        """Of the games under way, asked for on the server's own host."""
        command = in_host("a", ["curl", "-s", "http://%s:%d/api/v1/games/live" % (HOST, self.port)])
        games = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["games"]
        return {g["id"]: g["plies"] for g in games}

    def rest(self, method, path, body=None, cookie=None):
        if not APART:
            return super().rest(method, path, body, cookie)
        command = ["curl", "-s", "-i", "-X", method, "http://%s:%d%s" % (HOST, self.port, path)]
        command += ["-H", "Cookie: " + cookie] if cookie else []
        command += ["-d", json.dumps(body)] if body is not None else []
        answer = subprocess.run(in_client_host(command), capture_output=True, text=True, check=True).stdout
        head, _, text = answer.partition("\n\n") if "\n\n" in answer else answer.partition("\r\n\r\n")
        found = re.search(r"(?i)set-cookie: ([^;]+)", head)
        return int(head.split()[1]), {"Set-Cookie": found[1] if found else ""}, json.loads(text)


programs = [("Ours2", own + "2", "uci", False), ("Ours5", own + "5", "uci", False), ("Ours8", own + "8", "uci", False),
            ("FairyStockfish", "fairy-stockfish", "uci", False), ("HoiXiangqi", "hoixiangqi --xboard", "cecp", False),
            ("StubInPython", stub + "ucci", "ucci", True)] if FULL else \
           [("Uci", stub + "uci --seed 1", "uci", False), ("Ucci", stub + "ucci --seed 2", "ucci", False),
            ("Cecp", stub + "cecp --seed 3", "cecp", False), ("PyUci", stub + "uci --seed 4", "uci", True),
            ("PyUcci", stub + "ucci --seed 5", "ucci", True), ("Thinker", stub + "uci --think 2", "uci", False)]

with Apart("--bots", "2") as server:
    began = time.monotonic()
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    swiss = server.rest("POST", "/api/v1/tournaments", {"name": "Mixed Swiss", "game": "xiangqi", "kind": "swiss", "rounds": ROUNDS,
                                                        "games": 1, "tc": CONTROL, "concurrency": 1 if FULL else 0}, ann)[2]["id"]
    path = "/api/v1/tournaments/%d" % swiss
    for level in (1, 4):
        check("house bots", server.rest("POST", path + "/enter", {"player": "House-%d" % level}, ann)[0] == 200)
    joined = []
    for name, engine, dialect, python in programs:
        token = server.rest("POST", "/api/v1/tokens", {"program": name}, ann)[2]["token"]
        command = [sys.executable, bridge] if python else [os.path.abspath(sys.argv[1]), "join"]
        joined.append(subprocess.Popen(in_client_host(command + ["%s:%d" % (HOST, server.bot_port), "--engine", engine, "--dialect", dialect,
                                                                 "--tournament", str(swiss)]), env={**os.environ, "KRATON_TOKEN": token},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    end = time.monotonic() + (900 if FULL else 600)
    started, cut = False, False
    while (table := server.rest("GET", path)[2])["state"] != "over":
        check("it takes too long: %s" % json.dumps(table)[:2000], time.monotonic() < end)
        if not started and len(table["players"]) == 8:
            check("started", server.rest("POST", path + "/start", {}, ann)[0] == 200)
            started = True
        elif APART and started and not cut and any(n >= 4 for n in server.plies().values()):
            sh("ip -n kraton-b link set krb down")
            # until games have stood still in their middle for three seconds
            while not cut:
                check("games stand still", time.monotonic() < end)
                before = server.plies()
                time.sleep(3)
                after = server.plies()
                cut = {g for g in before if g in after and after[g] == before[g]}
            sh("ip -n kraton-b link set krb up")
        time.sleep(0.1)
    for p in joined:
        p.terminate()
        p.wait(PATIENCE)
    check("all games: %s" % table["pairings"], len(table["pairings"]) == 4 * ROUNDS and all("points" in p for p in table["pairings"]))
    check("the points", sum(s["points"] for s in table["standings"]) == 4 * ROUNDS)
    reasons = [server.rest("GET", "/api/v1/games/%d" % p["game"])[2]["reason"] for p in table["pairings"]]
    check("ends by the rules: %s" % reasons, not ({"illegal move", "crash"} if FULL else {"time", "illegal move", "crash"}) & set(reasons))
    if APART:
        check("the games that stood still were played on", all(server.rest("GET", "/api/v1/games/%d" % g)[2]["ended"] for g in cut))
        print("link cut in the middle of %d games; they went on and ended by the rules" % len(cut))
    for p, reason in zip(table["pairings"], reasons):
        print("round %d: %-16s %s %-16s %s" % (p["round"], p["first"], {1.0: "1-0", 0.5: "1/2", 0.0: "0-1"}[p["points"]], p["second"], reason))
    for s in table["standings"]:
        print("%2d. %-16s %.1f  %d-%d-%d  Buchholz %.1f" % (s["place"], s["player"], s["points"], s["wins"], s["draws"], s["losses"], s["buchholz"]))
    print("%d games in %.0f s" % (len(reasons), time.monotonic() - began))
if APART:
    for name in "ab":
        sh("ip netns del kraton-" + name)
