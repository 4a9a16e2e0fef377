"""5,000 spectators of 50 addresses watch one game, in which two players move as fast as they can. What a player sends reaches the
opponent as if nobody watched; the pings are printed beside it."""
from bystander import *
import select

SPECTATORS, PLIES = 5000 // SLOWER, 200


def prepare(server):
    a, b, game = pair(server, "game=xiangqi tc=600+1")
    held = []
    for i in range(SPECTATORS):
        s = connect(server.bot_port, "198.51.%d.%d" % (100 + i // 2500, 1 + i % 25))
        s.sendall(b"watch game=%s\n" % game.encode())
        held.append(s)
    for s in held:
        while b"moves=" not in s.recv(4096):
            pass
    return a, b, game, held, select.epoll()


def attack(server, prepared, number):
    a, b, game, held, ready = prepared
    if number == 0:
        for s in held:
            ready.register(s, select.EPOLLIN)
        a.hear("turn")
    took, chance = [], random.Random(number)
    for ply in range(PLIES):
        who, other = (a, b)[ply % 2], (b, a)[ply % 2]
        move = chance.choice(who.legal(game))
        began = time.perf_counter()
        who.say("move game=%s move=%s" % (game, move))
        if other.hear("turn", "result").verb == "result":
            os._exit(0)  # it was short this time
        took.append(time.perf_counter() - began)
        if ply % 20 == 0:  # they read
            for fd, event in ready.poll(0):
                os.read(fd, 65536)
    took.sort()
    print("  moves were passed on: %s" % figures(took))
    if IS_QUIET:
        check("99 % of moves in 5 ms", took[int(0.99 * len(took))] < 0.005)


under_attack("5,000 spectators of one game at full speed", prepare, attack)
