"""Kraton: rules, records, endgame tables, engines and battle servers of Surakarta and Xiangqi.

>>> import kraton
>>> board = kraton.Board("surakarta")
>>> board.push_word("c5-c4")
Move(c5c4)
>>> board.turn == kraton.SECOND
True

docs/python.md is the tutorial. kraton.engine speaks with engines, kraton.server with servers; both
are imported by name.
"""

from ._lib import decode as _decode
from ._lib import lib as _lib_functions
from .records import Format, Record, RecordError, read_games
from .rules import (
    FIRST, GAMES, SECOND, SURAKARTA, XIANGQI, Board, Game, IllegalMoveError, Judgement, Move, Notation,
    OpeningName, Outcome, Reason, Route, Verdict, judge,
)
from .tables import MissingTableError, Probe, RankedMove, Split, Tables, Value

__version__ = _decode(_lib_functions.version()) or ""

__all__ = [
    "FIRST", "GAMES", "SECOND", "SURAKARTA", "XIANGQI", "Board", "Format", "Game", "IllegalMoveError",
    "Judgement", "MissingTableError", "Move", "Notation", "OpeningName", "Outcome", "Probe",
    "RankedMove", "Reason", "Record", "RecordError", "Route", "Split", "Tables", "Value", "Verdict",
    "judge", "read_games",
]
