"""The Python package where the tutorial does not go: what is refused, what grows, what is freed."""
import asyncio
import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import unittest

import kraton
import kraton.engine
from kraton.engine import Limit


def first_move(board):
    return board.legal_moves[0]


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

    def test_what_is_no_text(self):
        board = kraton.Board("xiangqi")
        record = kraton.Record("xiangqi")
        for call in (
                lambda: kraton.Board(None), lambda: kraton.Board(5), lambda: kraton.Board("xiangqi", 5),
                lambda: kraton.Record(None), lambda: board.push_word(None), lambda: board.push_line(None),
                lambda: board.set_fen(None), lambda: board.parse("h2e2", None), lambda: board.push("h2e2"),
                lambda: board.is_legal(None), lambda: kraton.judge("xiangqi", None),
                lambda: kraton.judge(None, "h2e2"), lambda: record.__setitem__("First", None),
                lambda: record.get(None), lambda: record.text(None), lambda: kraton.Record.of_board(None),
                lambda: kraton.Tables(None)):
            with self.assertRaisesRegex(TypeError, "(is needed|expected .*), not "):
                call()

    def test_nearest_name(self):
        board = kraton.Board("xiangqi")
        for call, name in (
                (lambda: kraton.Board("xianqi"), "xiangqi"),
                (lambda: kraton.Board("xiangqi", rules="asain"), "asian"),
                (lambda: board.parse("h2e2", "wfx"), "wxf"),
                (lambda: kraton.Record("xiangqi").text("pgnn"), "pgn")):
            with self.assertRaisesRegex(ValueError, "did you mean %s" % name):
                call()

    def test_pickle(self):
        board = kraton.Board("xiangqi", "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", rules="asian")
        board.push_line("h8h9 f9f8 h9h8 f8f9 h8h9 f9f8")
        again = pickle.loads(pickle.dumps(board))
        self.assertEqual((again.fen(), again.first_fen, again.rules, again.move_stack, again.cycle()),
                         (board.fen(), board.first_fen, board.rules, board.move_stack, board.cycle()))
        again.pop()
        self.assertEqual((board.ply, again.ply), (6, 5))
        for value in (kraton.XIANGQI, board.peek(), board.result()):
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)
            self.assertEqual(copy.deepcopy(value), value)

    def test_processes(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            board = kraton.Board("surakarta")
            board.push(pool.apply(first_move, (board,)))
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


    def test_copies(self):
        pgn = b'[Game "xiangqi"]\n[White "Ann"]\n[Round "7"]\n\n1. h2e2 {good} (1. b2e2 h9g7) h9g7 1-0\n'
        record, = kraton.read_games(pgn, "pgn", "xiangqi")
        for again in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
            self.assertEqual(again.text("pgn"), record.text("pgn"))
            again["First"] = "Ben"
        self.assertEqual(record["First"], "Ann")
        self.assertIn("good", record.text("pgn"))

    def test_no_outcome(self):
        record = kraton.Record("xiangqi")
        for bad in (99, 2 ** 40, -1, None, "1-0"):
            with self.assertRaises(ValueError):
                record.result = bad
        self.assertIn("*", record.text("pgn"))


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

    def test_no_copies(self):
        with kraton.Tables("tables", "count") as tables:
            for make in (copy.copy, copy.deepcopy, pickle.dumps):
                self.assertRaisesRegex(TypeError, "Tables can be neither copied nor pickled", make, tables)

    def test_close_while_asked(self):
        board = kraton.Board("surakarta", "6/1b4/6/6/4w1/6 b 0 1")

        def ask(tables, asked):
            with self.assertRaisesRegex(ValueError, "closed"):
                while True:
                    tables.moves(board)
                    asked.set()

        for _ in range(20):
            tables, asked = kraton.Tables("tables", "count"), threading.Event()
            threads = [threading.Thread(target=ask, args=(tables, asked)) for _ in range(4)]
            for thread in threads:
                thread.start()
            asked.wait()
            tables.close()
            for thread in threads:
                thread.join()
            self.assertIsNone(tables._pointer)


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
                with self.assertRaisesRegex(kraton.engine.EngineError, "did you mean Hash"):
                    await engine.configure({"Hsah": 3})
                for _ in range(2):
                    with self.assertRaisesRegex(kraton.engine.EngineError, "plays xiangqi, not surakarta"):
                        await engine.play(kraton.Board("surakarta"), Limit(depth=1))
                self.assertTrue((await engine.play(board, Limit(depth=1))).move)
                await engine.quit()
                with self.assertRaises(kraton.engine.EngineTerminatedError):
                    await engine.play(board, Limit(depth=1))

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

    def test_after_quit(self):
        board = kraton.Board("xiangqi")
        with kraton.engine.SimpleEngine.popen_uci("kraton-xiangqi") as engine:
            thinker = threading.Thread(target=self.assertRaises, args=(
                kraton.engine.EngineTerminatedError, engine.analyse, board, Limit()))
            thinker.start()
            engine.configure({"Hash": 1})
            engine.quit()
            thinker.join()
            engine.quit()
            self.assertRaises(kraton.engine.EngineTerminatedError, engine.play, board, Limit(depth=1))
            self.assertRaises(kraton.engine.EngineTerminatedError, engine.configure, {"Hash": 2})

    def test_engine_that_says_nothing(self):
        with self.assertRaisesRegex(kraton.engine.EngineError, "^cat has not answered"):
            kraton.engine.SimpleEngine.popen_uci("cat", timeout=0.2)


class Library(unittest.TestCase):
    def test_no_such_file(self):
        words = subprocess.run([sys.executable, "-c", "import kraton"], capture_output=True, text=True,
                               env=dict(os.environ, KRATON_LIBRARY="/no/such.so")).stderr
        self.assertRegex(words, "ImportError: KRATON_LIBRARY names .*/no/such.so")


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
