"""A long game is asked for again and again: 20 connections of one address say `watch` and `unwatch` and read nothing, so that each
few bytes are answered by the whole game. The server ends them and keeps little of it."""
from bystander import *

PLIES = 400


def memory(server):
    return int(re.search(r"VmRSS:\s*(\d+)", open("/proc/%d/status" % server.process.pid).read())[1]) // 1024


def prepare(server):
    a, b, game = pair(server, "game=xiangqi tc=inf")
    play_out(a, b, game, most=PLIES)
    return game, memory(server), a, b


def attack(server, prepared, number):
    game, before, *players = prepared
    held = [connect(server.bot_port, "198.51.100.%d" % (1 + number)) for i in range(20)]
    for s in held:
        s.setblocking(False)
        try:
            s.send(b"watch game=%s\nunwatch game=%s\n" % (game.encode(), game.encode()) * 900)
        except OSError:
            pass
    other = Program(server, "203.0.113.%d" % (1 + number)).guest()
    other.say("watch game=" + game)
    other.hear("game")  # somebody else is told at once
    check("memory: %d MB after %d" % (memory(server), before), SLOWER > 1 or memory(server) < before + 200)
    for s in held:
        s.close()
    other.close()


under_attack("a long game asked for 18,000 times by who does not read", prepare, attack)
