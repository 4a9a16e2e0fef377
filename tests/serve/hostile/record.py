"""Eight connections post records of 64 KB, one after the other."""
from bystander import *
import threading

GAME = """[Game "Xiangqi"]
[Red "a"]
[Black "b"]
[Result "1-0"]

1. H2+3 h8+7 2. R1=2 r9=8 3. P7+1 p7+1 4. H8+7 h2+3 5. C2+4 e3+5 6. C8=9 r1=2 7. R9=8 c2+4 1-0

"""
LONG = "a0a1 a9a8 a1a0 a8a9 " * 3270
BODIES = ((GAME * (65536 // len(GAME)))[:65536], LONG)


def post(server, statuses):
    for i in range(6):
        statuses.append(ask(server, "198.51.100.1", "POST", "/api/v1/record?game=xiangqi" + ("&format=moves" if i % 2 else ""), BODIES[i % 2])[0])


def attack(server, nothing, number):
    statuses = []
    threads = [threading.Thread(target=post, args=(server, statuses)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    print("  answers: %s" % sorted(set(statuses)))


under_attack("48 records of 64 KB over eight connections", lambda server: None, attack)
