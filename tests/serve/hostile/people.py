"""Words and challenges: 20 guests of one address challenge, mute and write to the same player as often as they can. The
player is told of few of them and can go on."""
from bystander import *


def prepare(server):
    victim = Program(server, "203.0.113.5").guest()
    return victim, [Program(server, "198.51.100.1").guest() for i in range(20)]


def attack(server, prepared, number):
    victim, guests = prepared
    name = victim.name
    lines = ("challenge to=%s game=surakarta tc=%d" % (name, 60 + number), "mute player=" + name, "mute player=%s on=no" % name,
             "chat game=1 words=hello", "rematch game=1", "seek game=surakarta tc=60+%d" % (number % 60), "unseek")
    for g in guests:
        try:
            g.socket.sendall(("\n".join(lines * 12) + "\nping n=done\n").encode())
        except OSError:
            pass
    left = sum(until_pong(g) for g in guests)
    print("  %d of %d were let go on" % (left, len(guests)))
    victim.say("ping n=mine%d" % number)
    heard = 0
    while (m := victim.hear()).get("n") != "mine%d" % number:
        heard += 1
    check("told %d times" % heard, heard <= 20 * 12 * 2)


under_attack("challenges, mutes and words by 20 guests of one address", prepare, attack)
