"""Plays fixed games and a tournament on a server and prints its database, row by row.
    tools/dump-database.py KRATON
Two builds that keep the same things print the same. The date stands still and random numbers come
from a fixed seed; times measured by clocks that must run are printed as `t`."""
import os, sqlite3, subprocess, sys, tempfile, threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + "/../tests/serve")
from kit import Lines, Server, check, pair, play_out, random

# What clocks measure, in any table.
TIMES = {"queued", "written", "read", "accepted", "lag", "used", "remaining", "late", "begun"}

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/random.h>
#include <time.h>
static uint64_t state = 1;
static unsigned char next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(state >> 56);
}
ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = next();
    return (ssize_t)size;
}
int getentropy(void *to, size_t size) { return getrandom(to, size, 0) < 0; }
int clock_gettime(clockid_t which, struct timespec *at)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE) return real(which, at);
    *at = (struct timespec){.tv_sec = 1700000000};
    return 0;
}
time_t time(time_t *at) { return at ? (*at = 1700000000) : 1700000000; }
"""


def play(server):
    """Guests' games of both kinds, a rated game with offers, and a tournament of three programs."""
    for game in ("surakarta", "xiangqi"):
        a, b, number = pair(server, "game=%s tc=600+10" % game)
        play_out(a, b, number, seed=game)
        a.close(), b.close()
    cookies = [server.rest("POST", "/api/v1/register", {"name": name, "password": "long enough"})[1]["Set-Cookie"]
               .split(";")[0] for name in ("Ann", "Ben")]
    tokens = [server.rest("POST", "/api/v1/tokens", {"program": "Program%d" % i}, cookies[0])[2]["token"] for i in range(3)]
    tokens.append(server.rest("POST", "/api/v1/tokens", {"program": "Visitor"}, cookies[1])[2]["token"])

    a, b = Lines(server.bot_port).login(tokens[0]), Lines(server.bot_port).login(tokens[3])
    a.say("seek side=first game=xiangqi tc=600+10 rated=yes")
    a.hear("seeking")
    b.say("seek side=second game=xiangqi tc=600+10 rated=yes")
    number = a.hear("game")["id"]
    play_out(a, b, number, seed=7, most=20)
    a.hear("turn")
    a.say("draw game=" + number)
    b.hear("offer")
    b.say("draw game=" + number)
    a.hear("result"), b.hear("result")
    a.say("seek side=first game=surakarta tc=600+10")
    a.hear("seeking")
    b.close(), a.close()

    made = server.rest("POST", "/api/v1/tournaments", {"name": "Cup", "game": "surakarta", "kind": "round-robin", "rounds": 1,
                       "games": 2, "tc": "600+10", "concurrency": 1}, cookies[0])[2]
    check("a tournament: %s" % made, "id" in made)
    players = [Lines(server.bot_port).login(token) for token in tokens[:3]]
    for player in players:
        player.say("enter tournament=%d" % made["id"])
        player.hear("entered")

    def program(lines, chance):
        try:
            while True:
                turn = lines.hear("turn")
                if int(turn["ply"]) >= 30 + chance.randrange(3):
                    lines.say("resign game=" + turn["game"])
                else:
                    lines.say("move game=%s ply=%s move=%s" %
                              (turn["game"], turn["ply"], chance.choice(lines.legal(turn["game"]))))
        except (EOFError, OSError):
            pass

    threads = [threading.Thread(target=program, args=(lines, random.Random(i))) for i, lines in enumerate(players)]
    for thread in threads:
        thread.start()
    server.rest("POST", "/api/v1/tournaments/%d/start" % made["id"], {}, cookies[0])
    while server.rest("GET", "/api/v1/tournaments/%d" % made["id"])[2]["state"] != "over":
        threads[0].join(0.05)
    for lines in players:
        lines.socket.shutdown(2)
    for thread in threads:
        thread.join()


def dump(path):
    base = sqlite3.connect(path)
    for (table,) in base.execute("select name from sqlite_master where type = 'table' order by 1").fetchall():
        rows = base.execute('select * from "%s"%s' % (table, " where key != 'heartbeat'" if table == "meta" else ""))
        names = [column[0] for column in rows.description]
        print("== %s(%s)" % (table, ", ".join(names)))
        for line in sorted(repr(tuple("t" if name in TIMES else value
                                      for name, value in zip(names, row))) for row in rows):
            print(line)


with tempfile.TemporaryDirectory() as folder:
    open(folder + "/shim.c", "w").write(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder + "/shim.so", folder + "/shim.c"], check=True)
    os.environ["LD_PRELOAD"] = folder + "/shim.so"
    with Server(kraton=sys.argv[1], folder=folder) as server:
        del os.environ["LD_PRELOAD"]
        play(server)
    for name in sorted(os.listdir(folder + "/data")):
        if open(folder + "/data/" + name, "rb").read(15) == b"SQLite format 3":
            dump(folder + "/data/" + name)
