"""Followers: a thousand spectators follow a tournament of 2,016 games that begins and is called off; then 1,000 visitors of
the lobby are told of seeks that one address makes and withdraws."""
from bystander import *
from tournament_kit import *

FOLLOWERS = 1000


def crowd(server, *lines):
    """Guests of many addresses that say these lines and read nothing more than they must."""
    held = []
    for i in range(FOLLOWERS):
        s = connect(server.bot_port, "198.51.%d.%d" % (101 + i // 200, 1 + i % 200))
        s.sendall("".join(line + "\n" for line in lines + ("ping n=there",)).encode())
        held.append(s)
    for s in held:
        f = s.makefile("rb")
        while not f.readline().startswith(b"pong"):
            pass
    return held


def prepare_tournament(server):
    made = make(server, "round-robin", 64, 1)
    return made, crowd(server, "follow tournament=%d" % made[0])


def attack_tournament(server, prepared, number):
    if number:
        return
    made, held = prepared
    do(server, made, "start")
    wait(server, 2016)
    do(server, made, "call-off")
    wait(server, 0)


def prepare_lobby(server):
    return crowd(server, "lobby")


def attack_lobby(server, prepared, number):
    held = prepared
    guests = [Program(server, "198.51.100.%d" % (1 + number)).guest() for i in range(20)]
    for turn in range(3):
        for what in (b"".join(b"seek game=surakarta tc=%d+1 side=first\n" % (60 + j) for j in range(60)), b"unseek\n"):
            for g in guests:
                try:
                    g.socket.sendall(what + b"ping n=done\n")
                except OSError:
                    pass
            print("  %d of %d were let go on" % (sum(until_pong(g) for g in guests), len(guests)))


under_attack("1,000 followers of a tournament of 2,016 games", prepare_tournament, attack_tournament)
under_attack("1,000 visitors of the lobby, 3,600 seeks made and withdrawn", prepare_lobby, attack_lobby)
