"""The Python package where the tutorial does not go: what is refused, what grows, what is freed."""
import asyncio
import copy
import gc
import os
import sys
import threading
import unittest

import kraton
import kraton.engine
from kraton.engine import Limit


class Boards(unittest.TestCase):
    def test_all_games(self):
        for game in kraton.GAMES:
            board = kraton.Board(game)
            self.assertEqual(board.fen(), game.start_fen)
            self.assertEqual(board.perft(2), sum(self.replies(board, move) for move in board.legal_moves))
            for notation in game.notations:
                for move in board.legal_moves:
                    self.assertEqual(board.parse(board.format(move, notation), notation), move)

    def replies(self, board, move):
        board.push(move)
        try:
            return len(board.legal_moves)
        finally:
            board.pop()

    def test_refusals(self):
        board = kraton.Board("xiangqi")
        self.assertRaises(ValueError, kraton.Board, "chess")
        self.assertRaises(ValueError, kraton.Board, "xiangqi", "nonsense")
        self.assertRaises(ValueError, kraton.Board, "xiangqi", rules="nonsense")
        self.assertRaises(ValueError, board.parse, "h2e2\0")
        self.assertRaises(ValueError, board.parse, "h2e2", "sau")
        self.assertRaises(ValueError, board.parse, "h2e2", "nonsense")
        self.assertRaises(ValueError, board.game.point, "z9")
        self.assertRaises(IndexError, board.pop)
        self.assertRaises(IndexError, board.peek)
        self.assertRaises(kraton.IllegalMoveError, board.push, kraton.Move(board.game, 0, 89))
        self.assertRaises(kraton.IllegalMoveError, board.push_line, "h2e2 nonsense")
        self.assertEqual(board.ply, 1)

    def test_history(self):
        board = kraton.Board("xiangqi")
        for _ in range(300):
            board.push_line("a0a1 a9a8 a1a0 a8a9")
        self.assertEqual((board.ply, board.occurrences), (1200, 301))
        other = copy.deepcopy(board)
        other.pop()
        self.assertEqual((board.ply, other.ply), (1200, 1199))
        self.assertEqual(str(other.move_stack[-1]), "a1a0")
        self.assertEqual(board.first_fen, board.game.start_fen)

    def test_ending(self):
        board = kraton.Board("surakarta", "6/1b4/6/6/4w1/6 b 0 1")
        board.push_word("b5xe2")
        result = board.result()
        self.assertEqual((result.outcome, result.reason), (kraton.Outcome.FIRST_WINS, kraton.Reason.WIPED_OUT))
        self.assertEqual(result.outcome.winner, kraton.FIRST)
        self.assertTrue(board.is_game_over())
        self.assertEqual(board.piece_map(), {"e2": "b"})

    def test_threads(self):
        counts = []

        def count():
            counts.append(kraton.Board("xiangqi").perft(3))

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [79666] * 4)


class Records(unittest.TestCase):
    def test_round_trip(self):
        board = kraton.Board("surakarta")
        board.push_line("c5-c4 d2-d3")
        record = kraton.Record.of_board(board)
        record["First"], record["Second"], record["Round"] = "甲", "Ben", "3"
        record.result = kraton.Outcome.SECOND_WINS
        for form in ("pgn", "json", "moves", "contest"):
            again, = kraton.read_games(record.bytes(form), game="surakarta")
            self.assertEqual(again.moves, board.move_stack, form)
            if form != "moves":
                self.assertEqual(again["First"], "甲")
        self.assertIn("甲", record.file_name("contest"))
        self.assertEqual(again.board(), board)

    def test_bad(self):
        text = b"h2e2 h9g7\nnonsense\nb2e2\n"
        with self.assertRaisesRegex(kraton.RecordError, "line 2"):
            list(kraton.read_games(text, "moves", "xiangqi"))
        self.assertEqual(len(list(kraton.read_games(text, "moves", "xiangqi", skip_bad=True))), 2)
        record = kraton.Record("xiangqi")
        self.assertRaises(KeyError, lambda: record["None"])
        self.assertRaises(ValueError, record.__setitem__, "FEN", "nonsense")
        self.assertRaises(kraton.RecordError, record.text, "cbl")
        self.assertRaises(FileNotFoundError, lambda: list(kraton.read_games("/no/such/file")))


class Tables(unittest.TestCase):
    def test_missing(self):
        self.assertRaises(FileNotFoundError, kraton.Tables, "/no/such/folder")

    def test_tables(self):
        with kraton.Tables("tables", "count") as tables:  # those of the tutorial
            self.assertEqual(tables.pieces, 3)
            self.assertEqual([(s.movers, s.others) for s in tables.splits()], [(1, 1), (1, 2), (2, 1)])
            self.assertIsNone(tables.get(kraton.Board("surakarta")))
            self.assertRaises(kraton.MissingTableError, tables.moves, kraton.Board("xiangqi"))
        self.assertRaises(ValueError, lambda: tables.pieces)


class Engines(unittest.TestCase):
    def test_analysis_stops(self):
        async def main():
            async with await kraton.engine.popen_uci("kraton-xiangqi") as engine:
                self.assertIn("Kraton", engine.id["name"])
                self.assertEqual(engine.options["Hash"].type, "spin")
                board = kraton.Board("xiangqi")
                board.push_line("C2=5 H8+7")
                reports = engine.analysis(board)
                async for info in reports:
                    if info.depth and info.depth >= 3:
                        break
                await reports.aclose()
                result = await engine.play(board, Limit(depth=1))
                self.assertTrue(board.is_legal(result.move))
                with self.assertRaises(kraton.engine.EngineError):
                    await engine.configure({"Nonsense": 1})

        asyncio.run(main())

    def test_both_games_with_clocks(self):
        async def main(game):
            async with await kraton.engine.popen_uci("kraton-" + game) as engine:
                limit = Limit(clocks=(1, 1), increments=(0.01, 0.01))
                result = await engine.play(kraton.Board(game), limit)
                self.assertTrue(kraton.Board(game).is_legal(result.move))

        for game in ("surakarta", "xiangqi"):
            asyncio.run(main(game))

    def test_engine_that_ends(self):
        self.assertRaises(kraton.engine.EngineTerminatedError, kraton.engine.SimpleEngine.popen_uci, "true")
        self.assertRaises(FileNotFoundError, kraton.engine.SimpleEngine.popen_uci, "/no/such/engine")

    def test_engine_that_says_nothing(self):
        with self.assertRaisesRegex(kraton.engine.EngineError, "^cat has not answered"):
            kraton.engine.SimpleEngine.popen_uci("cat", timeout=0.2)


class Memory(unittest.TestCase):
    def test_boards_are_given_back(self):
        def grown():
            for _ in range(20000):
                kraton.Board("xiangqi").copy()
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        before = grown()
        self.assertLess(grown() - before, 10 << 20)


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False).result.wasSuccessful())
