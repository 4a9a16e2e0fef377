"""200 guests of one address make 64 seeks each, all of them different, and ask for the whole lobby; then the same from
this machine, which has no rate limits."""
from bystander import *


def attack(server, guests):
    for i, g in enumerate(guests):
        g.socket.sendall(b"".join(b"seek game=surakarta tc=%d+%d side=first\n" % (60 + i, j) for j in range(64)) + b"ping n=seeks\n")
    answers = [until_pong(g) for g in guests]
    for g in guests:
        try:
            g.socket.sendall(b"lobby\n" + b"ping n=lobby\n")
        except OSError:
            pass
    answers += [until_pong(g) for g in guests]
    print("  %d of %d were let go on" % (sum(answers), len(answers)))


under_attack("200 guests of one address, 12,800 seeks, the lobby",
             lambda server: [Program(server, "198.51.100.1").guest() for i in range(200)], attack)
under_attack("the same from this machine",
             lambda server: [Lines(server.bot_port).guest() for i in range(200)], attack)
