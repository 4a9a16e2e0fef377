"""The example clients of docs/clients, each in a game against another."""
from kit import *

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/clients")
with Server() as server:
    made = server.folder + "/client"
    built = subprocess.run(["cc", "-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", made, folder + "/client.c"], capture_output=True, text=True)
    check("the C client compiles: " + built.stderr, built.returncode == 0)
    kinds = {"c": [made], "py": [sys.executable, folder + "/client.py"], "js": ["node", folder + "/client.js"]}
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    tokens = {kind: server.rest("POST", "/api/v1/tokens", {"program": "Client-" + kind}, ann)[2]["token"] for kind in kinds}
    for game, pairing in (("surakarta", ("c", "py")), ("xiangqi", ("py", "js")), ("surakarta", ("js", "c"))):
        running = [subprocess.Popen(kinds[kind] + ["127.0.0.1", str(server.bot_port), tokens[kind], game],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for kind in pairing]
        said = [p.communicate(timeout=PATIENCE) for p in running]
        outcomes = {out.strip().replace("%20", " ") for out, _ in said}
        check("%s of %s: %s" % (game, pairing, said), len(outcomes) == 1 and outcomes <= {"first wins", "second wins", "draw"})
    for kind in kinds:
        lines = len(open(folder + "/client." + kind).readlines())
        check("under 60 lines: %s has %d" % (kind, lines), lines < 60)
