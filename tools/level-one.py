#!/usr/bin/env python3
"""Level 1 of an engine against a player that takes what it can and else moves at random: level 1 is to score 20 to 50 %.

    PYTHONPATH=python tools/level-one.py xiangqi [GAMES [FOLDER]]     200, build/release

Each side begins half of the games. Status 1 where the score is outside of that.
"""
import os
import random
import sys

import kraton
import kraton.engine

game = sys.argv[1]
games = int(sys.argv[2]) if len(sys.argv) > 2 else 200
folder = sys.argv[3] if len(sys.argv) > 3 else "build/release"


def play(engine, own_side):
    """The engine's points of one game."""
    board = kraton.Board(game)
    while not board.result().is_over:
        if board.turn == own_side:
            board.push(engine.play(board, kraton.engine.Limit(depth=100)).move)
        else:
            captures = [move for move in board.legal_moves if board.is_capture(move)]
            board.push(random.choice(captures or board.legal_moves))
    winner = board.result().outcome.winner
    return 0.5 if winner is None else float(winner == own_side)


random.seed(1)
points = []
with kraton.engine.SimpleEngine.popen_uci(os.path.join(folder, "kraton-" + game)) as engine:
    for number in range(games):
        engine.configure({"Level": 1, "Seed": number + 1})
        points.append(play(engine, number % 2))
score = sum(points) / games
margin = 1.96 * (sum((p - score) ** 2 for p in points) / games / games) ** 0.5
print(f"{game}: level 1 +{points.count(1)} ={points.count(0.5)} -{points.count(0)}, "
      f"{100 * score:.1f} % (95 %: {100 * (score - margin):.1f} to {100 * (score + margin):.1f})")
sys.exit(not 0.2 <= score <= 0.5)
