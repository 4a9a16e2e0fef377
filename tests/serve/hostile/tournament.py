"""Large tournaments: one of 8,128 games at once is started, paused, continued and called off; a Swiss of 252 is drawn."""
from bystander import *
from tournament_kit import *


def attack_all(server, prepared, number):
    if number:
        prepared = make(server, "round-robin", 128, 1, number)
    do(server, prepared, "start")
    wait(server, 8128)
    do(server, prepared, "pause")
    do(server, prepared, "continue")
    do(server, prepared, "pause")
    time.sleep(0.5)
    do(server, prepared, "call-off")
    wait(server, 0)


def attack_swiss(server, prepared, number):
    if number:
        prepared = make(server, "swiss", 252, 1, number)
    do(server, prepared, "start")
    wait(server, 126)
    do(server, prepared, "call-off")
    wait(server, 0)


under_attack("a tournament of 8,128 games: start, pause, continue, call off", lambda server: make(server, "round-robin", 128, 1), attack_all)
under_attack("a Swiss of 252 is drawn", lambda server: make(server, "swiss", 252, 1), attack_swiss)
