"""Analysis: any account begins a tournament of programs that are not there, and one address fills the queue. Another visitor is
still answered, before most of those who asked before it."""
from bystander import *


def account(server, number, name):
    answer = ask(server, "198.51.100.%d" % (1 + number), "POST", "/api/v1/register", {"name": name, "password": "long enough 1"})
    check("registered: %s" % (answer,), answer[0] == 200)
    return answer[1]["Set-Cookie"].split(";")[0]


def is_answered(server, number):
    visitor = Program(server, "203.0.113.%d" % (1 + number))
    visitor.say("analyse game=surakarta ms=100")
    answer = visitor.hear("analysed", "error")
    check("a visitor is answered: %s" % answer, answer.verb == "analysed")
    visitor.close()


def attack_by_tournament(server, nothing, number):
    cookie = account(server, number, "Ann%d" % number)
    address = "198.51.100.%d" % (1 + number)
    made = ask(server, address, "POST", "/api/v1/tournaments", {"name": "Cup", "kind": "round-robin", "game": "xiangqi", "tc": "600"}, cookie)
    path = "/api/v1/tournaments/%d" % made[2]["id"]
    for i in range(16):
        name = "Absent%d-%d" % (number, i)
        ask(server, address, "POST", "/api/v1/tokens", {"program": name}, cookie)
        check("entered", ask(server, address, "POST", path + "/enter", {"player": name}, cookie)[0] == 200)
    check("started", ask(server, address, "POST", path + "/start", None, cookie)[0] == 200)
    is_answered(server, number)


def attack_queue(server, nothing, number):
    attackers = [Program(server, "198.51.100.%d" % (1 + number)) for i in range(20)]
    for a in attackers:
        a.say("analyse game=xiangqi ms=10000")
        check("in line", a.hear("analysing", "error").verb == "analysing")
    is_answered(server, number)
    waiting = 0
    for a in attackers:
        a.socket.setblocking(False)
        try:
            waiting += b"analysed" not in a.socket.recv(1 << 20)
        except BlockingIOError:
            waiting += 1
        a.close()
    check("before the others of that address: %d still wait" % waiting, waiting >= 17)


under_attack("a tournament of absent programs, to switch analysis off", lambda server: None, attack_by_tournament, "--bots", "2")
under_attack("one address fills the queue for analysis", lambda server: None, attack_queue, "--bots", "2")
