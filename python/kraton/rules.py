"""Games, moves, boards and verdicts."""

from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Type, TypeVar, Union

from . import _lib
from ._lib import Handle, byref, decode, encode, encode_optional, lib, need, none_of

FIRST, SECOND = 0, 1  # sides: first moves first from the start position


class Outcome(enum.IntEnum):
    """Who has won."""

    ONGOING = 0
    FIRST_WINS = 1
    SECOND_WINS = 2
    DRAW = 3

    @property
    def winner(self) -> Optional[int]:
        """FIRST, SECOND, or None."""
        return {Outcome.FIRST_WINS: FIRST, Outcome.SECOND_WINS: SECOND}.get(self)

    @property
    def score(self) -> str:
        """As PGN writes it: 1-0, 0-1, 1/2-1/2 or *."""
        return ("*", "1-0", "0-1", "1/2-1/2")[self]


class Reason(enum.IntEnum):
    """The rule that decided."""

    NONE = 0
    WIPED_OUT = 1
    REPETITION = 2
    NO_CAPTURE = 3
    NO_MOVE = 4
    MATE = 5
    STALEMATE = 6
    PERPETUAL_CHECK = 7
    PERPETUAL_CHASE = 8
    OTHER = -1  # of a newer library


class IllegalMoveError(ValueError):
    """A move that is not legal, or no move at all; the message says why."""


class Notation(enum.IntEnum):
    """How moves are written."""

    ANY = -1
    NATIVE = 0
    SAU = 1
    ICCS = 2
    WXF = 3
    CHINESE = 4
    UCI0 = 5
    UCI1 = 6
    CONTEST = 7
    LETTER0 = 8  # read only
    LETTER1 = 9  # read only


NotationLike = Union[Notation, str]


def notation_of(notation: NotationLike) -> Notation:
    """A notation by its name: "wxf"."""
    return _by_name(Notation, notation, "notation")


E = TypeVar("E", bound=enum.Enum)


def _by_name(kind: Type[E], name: Union[E, str], what: str) -> E:
    if isinstance(name, kind):
        return name
    try:
        return kind[need(name, str).upper()]
    except KeyError:
        names = [member.name.lower() for member in kind]
        raise ValueError(none_of("no such %s:" % what, str(name), names)) from None


class Game:
    """One of the games; compare with ==.

    >>> import kraton
    >>> kraton.SURAKARTA.sides
    ('Black', 'White')
    """

    def __init__(self, name: str) -> None:
        self._pointer = lib.game_find(encode(name))
        if not self._pointer:
            games = _game_names()
            raise ValueError("%s (%s)" % (none_of("no such game:", name, games), ", ".join(games)))
        self.name: str = decode(lib.game_name(self._pointer)) or ""
        self.title: str = decode(lib.game_title(self._pointer)) or ""
        self.start_fen: str = decode(lib.game_start_fen(self._pointer)) or ""
        self.files: int = lib.game_files(self._pointer)
        self.ranks: int = lib.game_ranks(self._pointer)
        self.sides: tuple[str, str] = (
            decode(lib.game_side_name(self._pointer, 0)) or "",
            decode(lib.game_side_name(self._pointer, 1)) or "")

    @property
    def rule_sets(self) -> list[str]:
        """Names of rule sets, the default first."""
        return list(_until_none(lib.game_rules_nth, self._pointer))

    @property
    def notations(self) -> list[Notation]:
        """What moves can be written in, the game's own first."""
        found, n = [], 0
        while (number := lib.game_notation_nth(self._pointer, n)) >= 0:
            found.append(Notation(number))
            n += 1
        return found

    @property
    def squares(self) -> list[str]:
        """The names of all points, in the order of their numbers."""
        return [self.square(point) for point in range(self.files * self.ranks)]

    def point(self, square: str) -> int:
        """The number of a square's point."""
        point: int = lib.game_point(self._pointer, encode(square))
        if point < 0:
            raise ValueError("%s has no square %r" % (self.name, square))
        return point

    def square(self, point: int) -> str:
        """The name of a point's square."""
        return _lib.text(lib.game_square, self._pointer, point)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return Game, (self.name,)

    def __repr__(self) -> str:
        return "Game(%r)" % self.name


def _until_none(function: Any, *arguments: Any) -> Iterator[str]:
    n = 0
    while (value := function(*arguments, n)) is not None:
        yield value.decode()
        n += 1


def _game_names() -> list[str]:
    names, n = [], 0
    while pointer := lib.game_nth(n):
        names.append(lib.game_name(pointer).decode())
        n += 1
    return names


SURAKARTA = Game("surakarta")
XIANGQI = Game("xiangqi")
GAMES = [Game(name) for name in _game_names()]


def _game_of(game: Union[Game, str]) -> Game:
    return game if isinstance(game, Game) else Game(game)


@dataclass(frozen=True)
class Move:
    """A move from one point to another. str() gives the two squares; Board.format writes it as the
    game does.

    >>> from kraton import Move, XIANGQI
    >>> str(Move.of_squares(XIANGQI, "h2", "e2"))
    'h2e2'
    """

    game: Game
    from_point: int
    to_point: int

    @classmethod
    def of_squares(cls, game: Game, from_square: str, to_square: str) -> Move:
        return cls(game, game.point(from_square), game.point(to_square))

    @property
    def from_square(self) -> str:
        return self.game.square(self.from_point)

    @property
    def to_square(self) -> str:
        return self.game.square(self.to_point)

    def __str__(self) -> str:
        return self.from_square + self.to_square

    def __repr__(self) -> str:
        return "Move(%s)" % self

    @classmethod
    def _of_number(cls, game: Game, number: int) -> Move:
        return cls(game, number // 256, number % 256)


@dataclass(frozen=True)
class Verdict:
    """How a game stands, and why."""

    outcome: Outcome
    reason: Reason
    words: str  # for people: "Red chases the cannon on e7 without end"

    @classmethod
    def _of(cls, v: _lib.Verdict) -> Verdict:
        reason = Reason(v.reason) if v.reason in Reason._value2member_map_ else Reason.OTHER
        return cls(Outcome(v.outcome), reason, v.words.decode("utf-8", "replace"))

    @property
    def is_over(self) -> bool:
        return self.outcome != Outcome.ONGOING


@dataclass(frozen=True)
class Judgement:
    """What judge() found."""

    verdict: Verdict  # the first ending, or that the game goes on
    ended_after: int  # moves played by then
    cycle: Optional[Verdict]  # what the repetition that the last move closed means, if there is one
    board: Board  # after the last move


@dataclass(frozen=True)
class OpeningName:
    """An opening by its ECCO code."""

    code: str
    chinese: str
    english: str


@dataclass(frozen=True)
class Route:
    """A way of a capture in Surakarta, from its start to its end."""

    is_outer: bool
    loops: int
    points: tuple[int, ...]


def _number(move: Move) -> int:
    need(move, Move, "; push_word and parse read words")
    return move.from_point * 256 + move.to_point


class Board(Handle):
    """A game in progress: the rules it is played by, the board, and the moves so far.

    >>> import kraton
    >>> board = kraton.Board("xiangqi")
    >>> len(board.legal_moves)
    44
    >>> board.push_word("C2=5")
    Move(h2e2)
    >>> board.fen()
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'
    """

    _free = "position_free"

    def __init__(self, game: Union[Game, str] = "xiangqi", fen: Optional[str] = None, *,
                 rules: Optional[str] = None) -> None:
        self.game = _game_of(game)
        error = _lib.ErrorLine()
        self._pointer = lib.position_new(self.game._pointer, encode_optional(rules), encode_optional(fen),
                                         byref(error))
        if not self._pointer:
            raise ValueError(_words(error))

    def copy(self) -> Board:
        """A board of its own with the same rules, position and moves."""
        copy = Board.__new__(Board)
        copy.game = self.game
        copy._pointer = lib.position_copy(self._pointer)
        if not copy._pointer:
            raise MemoryError
        return copy

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Board:
        return self.copy()

    def __reduce__(self) -> Any:
        return _replay, (self.game.name, self.rules, self.first_fen, self.move_stack)

    # --- the position

    def set_fen(self, fen: str) -> None:
        """Sets up another position and forgets all moves."""
        error = _lib.ErrorLine()
        if not lib.position_set_fen(self._pointer, encode(fen), byref(error)):
            raise ValueError(_words(error))

    def fen(self) -> str:
        return _lib.text(lib.position_fen, self._pointer)

    @property
    def first_fen(self) -> str:
        """The position before all moves."""
        return decode(lib.position_first_fen(self._pointer)) or ""

    @property
    def rules(self) -> str:
        """The rule set with all its fields."""
        return _lib.text(lib.position_rules, self._pointer)

    @property
    def turn(self) -> int:
        """The side to move: FIRST or SECOND."""
        return int(lib.position_side_to_move(self._pointer))

    @property
    def ply(self) -> int:
        """Moves played."""
        return int(lib.position_ply(self._pointer))

    @property
    def move_stack(self) -> list[Move]:
        """The moves played."""
        return [Move._of_number(self.game, lib.position_move_at(self._pointer, n))
                for n in range(self.ply)]

    @property
    def key(self) -> int:
        """A hash of the position and the side to move."""
        return int(lib.position_key(self._pointer))

    def piece_at(self, square: Union[str, int]) -> Optional[str]:
        """The FEN letter of the piece on a square or point, or None."""
        point = self.game.point(square) if isinstance(square, str) else square
        letter = lib.position_piece_at(self._pointer, point).decode()
        return None if letter == "." else letter

    def piece_map(self) -> dict[str, str]:
        """Square and FEN letter of all pieces."""
        found = {}
        for point, square in enumerate(self.game.squares):
            letter = self.piece_at(point)
            if letter:
                found[square] = letter
        return found

    def piece_count(self, side: int) -> int:
        return int(lib.position_piece_count(self._pointer, side))

    def is_check(self) -> bool:
        return bool(lib.position_in_check(self._pointer))

    @property
    def occurrences(self) -> int:
        """How often this position has been on the board, this time included."""
        return int(lib.position_occurrences(self._pointer))

    @property
    def no_capture_plies(self) -> int:
        return int(lib.position_no_capture_plies(self._pointer))

    # --- moves

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves, captures first."""
        moves = (ctypes.c_uint16 * _lib.MAX_MOVES)()
        count = lib.position_legal_moves(self._pointer, moves)
        return [Move._of_number(self.game, moves[i]) for i in range(count)]

    def is_legal(self, move: Move) -> bool:
        return bool(lib.position_is_legal(self._pointer, _number(move)))

    def is_capture(self, move: Move) -> bool:
        return bool(lib.position_is_capture(self._pointer, _number(move)))

    def routes(self, move: Move) -> list[Route]:
        """The ways of a capture in Surakarta, the shortest first."""
        routes = (_lib.Route * 4)()
        count = lib.position_routes(self._pointer, _number(move), routes)
        return [Route(r.circuit == 1, r.loops, tuple(r.point[:r.count])) for r in routes[:count]]

    def push(self, move: Move) -> None:
        """Plays a legal move."""
        error = _lib.ErrorLine()
        if not lib.position_play(self._pointer, _number(move), byref(error)):
            raise IllegalMoveError("%s: %s" % (move, _words(error)))

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        ply = self.ply
        if ply == 0:
            raise IndexError("no move to take back")
        move = Move._of_number(self.game, lib.position_move_at(self._pointer, ply - 1))
        lib.position_undo(self._pointer)
        return move

    def peek(self) -> Move:
        """The last move."""
        if self.ply == 0:
            raise IndexError("no move yet")
        return Move._of_number(self.game, lib.position_move_at(self._pointer, self.ply - 1))

    def parse(self, word: str, notation: NotationLike = Notation.ANY) -> Move:
        """Reads a legal move, in any notation of the game unless one is named."""
        error, move = _lib.ErrorLine(), ctypes.c_uint16()
        if not lib.position_parse(self._pointer, encode(word), notation_of(notation), byref(move),
                                  byref(error)):
            raise IllegalMoveError(_words(error))
        return Move._of_number(self.game, move.value)

    def push_word(self, word: str, notation: NotationLike = Notation.ANY) -> Move:
        """Reads a move and plays it."""
        move = self.parse(word, notation)
        self.push(move)
        return move

    def push_line(self, line: str, notation: NotationLike = Notation.ANY) -> None:
        """Plays a line of moves: "1. C2=5 H8+7 2. H2+3"."""
        error = _lib.ErrorLine()
        if not lib.position_play_line(self._pointer, encode(line), notation_of(notation), None, None,
                                      byref(error)):
            raise IllegalMoveError(_words(error))

    def format(self, move: Move, notation: NotationLike = Notation.NATIVE) -> str:
        """Writes a legal move in a notation of the game."""
        word = _lib.text(lib.position_format, self._pointer, _number(move), notation_of(notation))
        if not word:
            raise IllegalMoveError("%s is not legal here, or %s has no such notation"
                                   % (move, self.game.name))
        return word

    # --- verdicts

    def result(self) -> Verdict:
        """How the game stands, by the board, its history and the rules."""
        return Verdict._of(lib.position_result(self._pointer))

    def is_game_over(self) -> bool:
        return self.result().is_over

    def cycle(self) -> Optional[Verdict]:
        """What the repetition that the last move closed means; None where nothing repeats."""
        verdict = _lib.Verdict()
        if not lib.position_cycle(self._pointer, byref(verdict)):
            return None
        return Verdict._of(verdict)

    def opening(self) -> Optional[OpeningName]:
        """The name of the opening so far."""
        name = _lib.Opening()
        if not lib.position_opening(self._pointer, byref(name)):
            return None
        return OpeningName(decode(name.code) or "", decode(name.chinese) or "",
                           decode(name.english) or "")

    def perft(self, depth: int) -> int:
        """Counts the lines of play of so many moves."""
        return int(lib.position_perft(self._pointer, depth, None))

    # --- text

    def draw(self, *, unicode: bool = False, colour: bool = False, flipped: bool = False) -> str:
        """The board as lines of text."""
        how = unicode * 1 + colour * 2 + flipped * 4
        return _lib.text(lib.position_draw, self._pointer, how, size=8192)

    def __str__(self) -> str:
        return self.draw().rstrip("\n")

    def __repr__(self) -> str:
        return "Board(%r, %r)" % (self.game.name, self.fen())

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Board) and self.game == other.game
                and self.fen() == other.fen())

    __hash__ = None  # type: ignore[assignment]


def _replay(game: str, rules: str, fen: str, moves: list[Move]) -> Board:
    """A board that was pickled."""
    board = Board(game, fen, rules=rules)
    for move in moves:
        board.push(move)
    return board


def _words(error: _lib.ErrorLine) -> str:
    return str(error.line.decode("utf-8", "replace"))


def judge(game: Union[Game, str], moves: str, *, fen: Optional[str] = None,
          rules: Optional[str] = None, notation: NotationLike = Notation.ANY) -> Judgement:
    """Plays a line of moves and says how the game stands, as `kraton judge` does.

    >>> import kraton
    >>> j = kraton.judge("xiangqi", "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8",
    ...                  fen="c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1")
    >>> j.verdict.outcome.name, j.cycle.words
    ('ONGOING', 'Red checks without end')
    """
    board = Board(game, fen, rules=rules)
    verdict, after, error = _lib.Verdict(), ctypes.c_uint32(), _lib.ErrorLine()
    if not lib.position_play_line(board._pointer, encode(moves), notation_of(notation),
                                  byref(verdict), byref(after), byref(error)):
        raise IllegalMoveError(_words(error))
    return Judgement(Verdict._of(verdict), after.value, board.cycle(), board)
