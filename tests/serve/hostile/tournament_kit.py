"""Tournaments of absent players, for the attacks that need one."""
from bystander import *


def director(server, number):
    """The cookie of an account."""
    answer = ask(server, "198.51.100.1", "POST", "/api/v1/register", {"name": "Director%d" % number, "password": "long enough 1"})
    check("registered: %s" % (answer,), answer[0] == 200)
    return answer[1]["Set-Cookie"].split(";")[0]


def make(server, kind, players, games, number=0):
    """A tournament that anybody could make: its number and the cookie of its director."""
    cookie = director(server, number)
    made = ask(server, "198.51.100.1", "POST", "/api/v1/tournaments",
                 {"name": "large", "kind": kind, "game": "surakarta", "tc": "600+1", "games": games, "rounds": 0, "per_player": 0}, cookie)[2]["id"]
    for i in range(players):
        guest = Program(server, "198.51.%d.%d" % (100 + number, 2 + i // 100)).guest()
        guest.say("enter tournament=%d" % made)
        guest.hear("entered")
        guest.close()  # nobody needs to be there
    return made, cookie


def do(server, prepared, what):
    which, cookie = prepared
    answer = ask(server, "198.51.100.1", "POST", "/api/v1/tournaments/%d/%s" % (which, what), None, cookie)
    check("%s: %s" % (what, answer[2]), answer[0] == 200)


def live(server):
    return ask(server, "198.51.100.9", "GET", "/api/v1/health")[2]["live_games"]


def wait(server, games):
    until = time.monotonic() + PATIENCE
    while live(server) != games:
        check("%d games of %d" % (live(server), games), time.monotonic() < until)
        time.sleep(0.05)
