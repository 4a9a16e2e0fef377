"""Every attack, then the load of `kraton bench serve`, and the table of docs/server.md out of them. On a machine where nothing else runs:

    KRATON_QUIET=1 python3 tests/serve/hostile/all.py build/release/kraton --bench

With fewer words: all.py KRATON [NAME...] runs some of them. The status is that of the worst."""
import os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
kraton, names, benches = sys.argv[1], [a for a in sys.argv[2:] if a != "--bench"], "--bench" in sys.argv
ATTACKS = ("lobby", "connect", "record", "tournament", "pictures", "archive", "followers", "handshakes",
           "bots", "analysis", "spectators", "frames", "rewatch", "people")
failed = []
with tempfile.NamedTemporaryFile("r") as table:
    for name in names or ATTACKS:
        done = subprocess.run([sys.executable, "%s/%s.py" % (here, name), kraton], env={**os.environ, "KRATON_TABLE": table.name})
        failed += [name] if done.returncode else []
    print("\n| attack | longest turn | idle, 99 % | pings, 50 %, 99 %, all | pings |\n|---|---:|---:|---:|---:|\n" + table.read(), flush=True)
for spectators in (("--spectators", "500"), ("--spectators", "5000", "--one-game")) if benches else ():
    failed += ["bench"] if subprocess.run([kraton, "bench", "serve", "--idle", "0", *spectators]).returncode else []
    print(flush=True)
print("all good" if not failed else "failed: " + " ".join(failed))
sys.exit(bool(failed))
