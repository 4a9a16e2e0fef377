"""House bots: 14 guests of one address take all the games with them that they can get and move in all of them. Another address
still gets its games and its answers."""
from bystander import *


def challenge(guest, level):
    """The game, or None."""
    guest.say("challenge to=House-%d game=surakarta tc=600 side=first" % level)
    m = guest.hear("game", "gone", "error")
    if m.get("reason") == "paired":
        m = guest.hear("game")
    return m if m.verb == "game" else None


def attack(server, nothing, number):
    guests = [Program(server, "198.51.100.%d" % (1 + number)).guest() for i in range(14)]
    begun = [(g, game["id"]) for g in guests for i in range(20) if (game := challenge(g, 1 + i % 10))]
    check("half of the places for one address: %d" % len(begun), 16 <= len(begun) <= 250)
    for g, game in begun:
        g.say("move game=%s move=b5-b4" % game)
    other = Program(server, "203.0.113.%d" % (1 + number)).guest()
    games = [challenge(other, 1 + i) for i in range(8)]
    check("another address plays: %s" % games, all(games))
    other.say("move game=%s move=b5-b4" % games[0]["id"])
    while other.hear("moved")["by"] != "second":  # the bot answers in its turn
        pass
    for g in guests + [other]:
        g.say("quit")


under_attack("14 guests of one address in all games with house bots", lambda server: None, attack, "--bots", "2", "--away", "1")
