"""What operators have: JSON logs with levels, a log of requests, /metrics for some, draining, arbiters made and unmade,
new passwords; and what an owner sees of its own sessions."""
from kit import *


def account(server, name, agent="Firefox"):
    return server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse 7"},
                       headers={"User-Agent": agent})[1]["Set-Cookie"].split(";")[0]


def log_in(server, name, password, agent="Chrome"):
    status, headers, _ = server.rest("POST", "/api/v1/login", {"name": name, "password": password}, headers={"User-Agent": agent})
    return status, headers.get("Set-Cookie", "").split(";")[0]


def command(server, *options):
    return server.manage(*options)


def wait_for(what, truth):
    until = time.monotonic() + PATIENCE
    while not truth():
        check(what, time.monotonic() < until)
        time.sleep(0.05)


folder = tempfile.mkdtemp()
open(folder + "/metrics", "w").write("a secret\n")
with Server("--bots", "0", "--log-format", "json", "--access-log", folder + "/access", "--metrics-for", "192.0.2.7",
            "--metrics-token-file", folder + "/metrics", "--trusted-proxy", "127.0.0.1") as server:
    # /metrics
    for headers, status in (({}, 403), ({"X-Forwarded-For": "192.0.2.7"}, 200), ({"X-Forwarded-For": "192.0.2.8"}, 403),
                            ({"Authorization": "Bearer a secret"}, 200), ({"Authorization": "Bearer a Secret"}, 403), ({"Authorization": "Bearer "}, 403)):
        check("metrics %s" % headers, server.rest("GET", "/metrics", headers=headers)[0] == status)

    # the log of requests
    ann = account(server, "Ann")
    server.rest("GET", "/api/v1/me", cookie=ann, headers={"X-Forwarded-For": "192.0.2.9"})
    server.rest("GET", "/no/such\"thing")
    lines = [json.loads(line) for line in open(folder + "/access")]
    me = [line for line in lines if line["path"] == "/api/v1/me"][0]
    check("a line: %s" % me, me["method"] == "GET" and me["status"] == 200 and me["name"] == "Ann" and me["address"] == "192.0.2.9" and
          me["bytes"] > 0 and me["us"] >= 0 and me["time"].endswith("Z"))
    check("refusals too", lines[0]["status"] == 403 and lines[-1]["status"] == 404)
    os.rename(folder + "/access", folder + "/access.1")
    server.process.send_signal(signal.SIGHUP)
    wait_for("opened anew", lambda: os.path.exists(folder + "/access"))
    check("no secrets", "correct horse" not in open(folder + "/access.1").read() + open(server.folder + "/stderr").read())

    # sessions of one's own
    other = log_in(server, "Ann", "correct horse 7")[1]
    page = Socket(server.port, other)
    page.hear("welcome")
    listed = server.rest("GET", "/api/v1/sessions", cookie=ann)[2]["sessions"]
    check("two: %s" % listed, [(s["browser"], s["current"]) for s in listed] == [("Chrome", False), ("Firefox", True)])
    check("nobody else's", server.rest("DELETE", "/api/v1/sessions/" + listed[0]["id"], cookie=account(server, "Bob"))[0] == 404)
    check("ended", server.rest("DELETE", "/api/v1/sessions/" + listed[0]["id"], cookie=ann)[2]["ended"] == 1)
    check("its page too", page.hear("bye")["reason"] == "logout")
    check("it is out", server.rest("GET", "/api/v1/me", cookie=other)[0] == 401)
    more = [log_in(server, "Ann", "correct horse 7")[1] for i in range(3)]
    check("all others", server.rest("DELETE", "/api/v1/sessions", cookie=ann)[2]["ended"] == 3)
    check("this one stays", server.rest("GET", "/api/v1/me", cookie=ann)[0] == 200 and server.rest("GET", "/api/v1/me", cookie=more[0])[0] == 401)

    # arbiters are made and unmade while the server runs, and a decision is refused at once
    check("made", command(server, "--arbiter", "Ann").returncode == 0)
    a, b, game = pair(server)
    pause = lambda cookie: server.rest("POST", "/api/v1/arbiter/games/%s/pause" % game, {"reason": "for the test"}, cookie)[0]
    check("decides", pause(ann) == 200)
    page = Socket(server.port, ann)
    page.hear("welcome")
    gone = command(server, "--no-arbiter", "Ann")
    check("unmade: " + gone.stdout, gone.returncode == 0 and "no arbiter" in gone.stdout)
    check("decides no more", pause(ann) == 403)
    check("nobody", command(server, "--no-arbiter", "Eve").returncode == 1)

    # a forgotten password
    new = command(server, "--reset-password", "Ann")
    check("printed: %s" % new, new.returncode == 0)
    password = new.stdout.split(" is ")[1].split("\n")[0]
    check("the old one is out", log_in(server, "Ann", "correct horse 7")[0] == 403 and server.rest("GET", "/api/v1/me", cookie=ann)[0] == 401)
    status, ann = log_in(server, "Ann", password)
    check("the new one is in", status == 200)
    check("no such account", command(server, "--reset-password", "Eve").returncode == 1)

    # draining: no new games, the end with the last
    command(server, "--arbiter", "Ann")
    ann = log_in(server, "Ann", password)[1]
    server.rest("POST", "/api/v1/arbiter/games/%s/continue" % game, {"reason": "for the test"}, ann)
    server.process.send_signal(signal.SIGUSR1)
    check("told", a.hear("notice")["reason"] == "draining")
    check("health", server.rest("GET", "/api/v1/health")[2]["status"] == "draining")
    c = Lines(server.bot_port).guest()
    d = Lines(server.bot_port).guest()
    c.say("seek side=first game=surakarta tc=60")
    c.hear("seeking")
    d.say("seek side=second game=surakarta tc=60")
    check("no new games", "no new games" in d.hear("error", "game")["words"])
    a.say("move game=%s move=b5-b4" % game)
    b.hear("moved")
    a.say("resign game=" + game)
    a.hear("result")
    check("ended", a.hear("bye")["reason"] == "stopping" and server.process.wait(PATIENCE) == 0)
    log = [json.loads(line) for line in open(server.folder + "/stderr")]
    check("levels: %s" % log, {line["level"] for line in log} == {"info"} and any("draining" in line["message"] for line in log))

for wrong in (("--log-format", "xml"), ("--log-level", "loud"), ("--metrics-for", "somewhere"), ("--metrics-token-file", folder + "/none")):
    refused = subprocess.run([sys.argv[1], "serve", "--data", folder + "/data", *wrong], capture_output=True, text=True)
    check("%s: %s" % (wrong, refused.stderr), refused.returncode == 2 and refused.stderr.count("\n") <= 2)
shutil.rmtree(folder)
