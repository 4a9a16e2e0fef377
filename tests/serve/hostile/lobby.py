"""200 guests of one address make 64 seeks each, all of them different, and ask for the whole lobby; then the same from
this machine, which has no rate limits."""
from bystander import *


def attack_from(server, log_in, number):
    guests = [log_in(server, number) for i in range(200)]
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


def log_in(server, number):
    return Program(server, "198.51.100.%d" % (1 + number)).guest()


def log_in_here(server, number):
    return Lines(server.bot_port).guest()


under_attack("200 guests of one address, 12,800 seeks, the lobby", lambda server: log_in, attack_from)
under_attack("the same from this machine", lambda server: log_in_here, attack_from)
