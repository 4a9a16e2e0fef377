"""Pictures for previews: eight connections of one address ask for boards that nobody has asked for before; pages of games
with their heads beside them."""
from bystander import *
import threading


def fens(count, seed):
    """Positions of Surakarta, each another one."""
    chance = random.Random(seed)
    for i in range(count):
        men = chance.sample("bbbbbbbbbbbbwwwwwwwwwwww............", 36)
        rows = ["".join(men[6 * r:6 * r + 6]) for r in range(6)]
        yield "/".join(re.sub(r"\.+", lambda m: str(len(m[0])), row) for row in rows) + " b 0 1"


def draw(server, paths, statuses):
    for path in paths:
        statuses.append(ask(server, "198.51.100.1", "GET", path)[0])


def attack(server, nothing, number):
    statuses = []
    paths = ["/api/v1/preview/surakarta?fen=" + fen.replace(" ", "+") for fen in fens(160, number)]
    threads = [threading.Thread(target=draw, args=(server, paths[i::8], statuses)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    print("  answers: %s" % {s: statuses.count(s) for s in set(statuses)})
    check("pictures were drawn: %s" % statuses, 200 in statuses)


under_attack("160 pictures over eight connections", lambda server: None, attack)
