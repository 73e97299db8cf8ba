"""`to_samples`: the boards that engines evaluated in records, in arrays. It needs NumPy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

from attrs import frozen

from gammonrules._shared.extras import importing

with importing("NumPy", "a training set", "numpy"):
    import numpy as np
    import numpy.typing as npt

from gammonrules._arrays.checks import Ints, Rows
from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis import Analysis, Chances, Level, PlayAnalysis
from gammonrules.analysis.internals import five_of, labels_of_levels
from gammonrules.board import Position
from gammonrules.board.internals import SLOTS, STANDARD_CHECKERS, board_in
from gammonrules.equity import cubeless_equities
from gammonrules.errors import ArgumentError
from gammonrules.match import MatchState
from gammonrules.records.archive import (
    Piece,
    Record,
    ScanEntry,
    Unique,
    checked_choice,
    pieces_of,
    played_of,
)
from gammonrules.records.transcript import DecisionKind, Game, is_by, matches_counted
from gammonrules.values import counted, printable, real_argument, shown, suggestion


@frozen(eq=False, repr=False)
class Samples:
    """Boards with how games may end from them, as an engine says: what a network is trained with.

    *Equality*: identity.

    Attributes:
        boards: `(N, 26) int8`, as the player on roll sees them, before the roll.
        chances: `(N, 5) float32`, for that player, in the order of `Chances`.
        matches: `(N,) uint64`, a number made from the fingerprint of the match, so the same for the same match in
            another file or another call. They are spread evenly: `matches % 10 == 0` is about a tenth of the matches.
        level_index: `(N,) int64`, the index in `levels` of how deep the engine looked at each board.
        levels: these levels, in the words of the engine; one, unless several were asked for.
        engine: the program that evaluated the boards, as far as the records say, else "".

    Examples:
        >>> from gammonrules.records import Samples, to_samples
        >>> samples = to_samples("examples/matches/xg", analysis_level="3-ply")
        >>> isinstance(samples, Samples), samples
        (True, <Samples: 799 boards of 2 matches by eXtreme Gammon, 3-ply>)
        >>> samples.equities.shape, len(samples[:10]), int(samples.level_index.max())
        ((799,), 10, 0)
    """

    boards: Rows
    chances: npt.NDArray[np.float32]
    matches: npt.NDArray[np.uint64]
    level_index: Ints
    levels: tuple[str, ...]
    engine: str

    @property
    def equities(self) -> npt.NDArray[np.float32]:
        """`(N,) float32`, what the chances are worth in points, in money play without a cube."""
        return cubeless_equities(self.chances).astype(np.float32)

    def split(self, share: float) -> tuple[Samples, Samples]:
        """The samples in two parts, so that no match is in both: those to learn from, and those to be held out.

        The matches with the lowest numbers are held out, so the parts are the same in every call; a few matches may
        change sides when others come to them. For parts that never change, compare numbers:
        `samples[samples.matches % 10 == 0]`.

        Args:
            share: which share of the matches is held out, from 0 to 1; between these, at least one match, and not all.

        Raises:
            ArgumentError: `share` is not a number from 0 to 1, or is between them and there is one match alone.

        Examples:
            >>> from gammonrules.records import to_samples
            >>> samples = to_samples("examples/matches/xg", analysis_level="3-ply")
            >>> training, held_out = samples.split(0.5)
            >>> len(training), len(held_out)
            (318, 481)
        """
        number = real_argument(
            "share", value=share, needed="a number from 0 to 1", fits=lambda share: 0 <= share <= 1
        )
        matches = np.unique(self.matches)
        held_out = round(number * len(matches))
        if 0 < number < 1:
            if len(matches) < 2:
                raise ArgumentError(f"split({number}): there is no second match to hold out")
            held_out = min(max(held_out, 1), len(matches) - 1)
        is_out = np.isin(self.matches, matches[:held_out])
        return self[~is_out], self[is_out]

    def __getitem__(self, rows: Any) -> Samples:
        """The samples at an index of NumPy's for rows: a slice, an array of their numbers or one of booleans."""
        return Samples(
            self.boards[rows],
            chances=self.chances[rows],
            matches=self.matches[rows],
            level_index=self.level_index[rows],
            levels=self.levels,
            engine=self.engine,
        )

    __contains__ = None
    """`in` raises TypeError: the items are arrays, which have no single answer to `==`."""

    def __len__(self) -> int:
        return len(self.boards)

    def __repr__(self) -> str:
        levels = ", ".join(self.levels)
        evaluator = f"{self.engine or 'an unnamed program'}, {levels}"
        boards = counted(len(self), "board", ",")
        number = len(np.unique(self.matches))
        return printable(f"<Samples: {boards} of {matches_counted(number)} by {evaluator[:200]}>")


def to_samples(
    *records: Record | Iterable[Record],
    analyzed_by: str | None = None,
    analysis_level: Level | str | Sequence[Level | str] | None = None,
    workers: int | None = None,
    unique: Unique = False,
) -> Samples:
    """The boards that engines evaluated in records, with how games may end from them, to train a network with.

    These boards are before a roll, and the chances are those of the player on roll, at any score and cube:

    - those after each play that an engine compared, whose chances are given for the player who played, and turned
      around here;
    - those of decisions to double or to roll, with the chances without doubling. The answer to a double has the same
      board and the same analysis, and is left out;
    - those of a decision that is still to be made, as texts of a position have it.

    Left out are boards without chances, those on which the game is over, and games with fewer than 15 checkers a side.
    A board may come more than once, as after a play and before the next roll. Chances count no cube, so a score
    matters only as far as the engine looked ahead by plays that it found best there; equities are those of money play
    without a cube, at every score.

    Numbers of two engines do not mix, nor those of two levels unless `analysis_level` names them. An engine looks
    deeper at the plays that seem best, so most records have several levels. Those of rollouts are levels like
    others, in the words of the file, and so are all of eXtreme Gammon.

    Files are read one after another. What is kept are some 60 bytes for each board, and as much again at the end.

    Args:
        records: paths of files, folders and ZIP archives, matches, and entries of `scan`, as for `to_table`.
        analyzed_by: whose chances, by the beginning of the name, or "gnubg" or "xg"; needed if there are those of two.
        analysis_level: the level, or several; needed if there are several.
        workers: how many processes read files: None (the default) for one per processor, 1 for only the caller's.
        unique: as for `to_table`; copies of this engine and level are kept where there are any.

    Returns:
        The samples in the order of the records, but level by level, in the order of `analysis_level`, if there are
        several.

    Raises:
        ArgumentError: no board has this engine or level, or there are several; the message names the three with the
            most boards. Or no board has chances at all; or as for `to_table`.
        ParseError: as for `to_table`.
        GammonError: as for `to_table`.
        ImportError: NumPy is not installed.

    Examples:
        >>> from gammonrules.records import to_samples
        >>> folder = "examples/matches/xg"
        >>> samples = to_samples(folder, analyzed_by="xg", analysis_level="3-ply")
        >>> samples.boards.shape, samples.chances.shape
        ((799, 26), (799, 5))
        >>> bool(abs(samples.equities).max() <= 3)
        True
    """
    check_kind("analyzed_by", analyzed_by, str | None)
    chosen_levels = labels_of_levels(analysis_level)
    counts = defaultdict[str, Counter[str]](Counter)
    arrays_of = defaultdict[_EngineAndDepth, list[_SampleArrays]](list)
    choice = checked_choice(
        unique, analyzed_by if unique else None, chosen_levels if unique else None
    )
    for piece in pieces_of(records, pieces=_pieces_of_match, workers=workers, choice=choice):
        for source, arrays in piece.data.items():
            counts[source.engine][source.level] += len(arrays.boards)
            is_at_level = chosen_levels is None or source.level in chosen_levels
            if is_at_level and is_by(source.engine, analyzed_by):
                arrays_of[source].append(arrays)
    engine, levels = _chosen_engine(counts, analyzed_by, chosen_levels)
    # all boards of the first level come first, and so on: each index of a level is repeated as often as it has boards
    parts: list[_SampleArrays] = []
    for level in levels:
        parts += arrays_of[_EngineAndDepth(engine, level)]
    boards_at_levels = [counts[engine][level] for level in levels]
    return Samples(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.chances for part in parts]),
        np.concatenate([part.matches for part in parts]),
        level_index=np.repeat(np.arange(len(levels)), boards_at_levels),
        levels=levels,
        engine=engine,
    )


@frozen
class _EngineAndDepth:
    """An engine and how deep it looked, in its own words."""

    engine: str
    level: str


@frozen(eq=False)
class _SampleArrays:
    """Boards with the chances on them, and the numbers of their matches."""

    boards: Rows
    chances: npt.NDArray[np.float32]
    matches: npt.NDArray[np.uint64]


def _chosen_engine(
    counts: Mapping[str, Counter[str]], analyzed_by: str | None, levels: Sequence[str] | None
) -> tuple[str, tuple[str, ...]]:
    """The engine and its levels. Raises ArgumentError if they are not there, or if it is not clear which are meant."""
    if not counts:
        raise ArgumentError("no board in these records has chances: an engine must analyze them")
    engines = [engine for engine in counts if is_by(engine, analyzed_by)]
    if (
        analyzed_by is not None and analyzed_by in counts
    ):  # it is a full name, even if longer names begin with it
        engines = [analyzed_by]
    if len(engines) != 1:
        choices = engines or list(counts)
        raise _unclear(
            "analyzed_by",
            analyzed_by,
            Counter({engine: counts[engine].total() for engine in choices}),
        )
    engine = engines[0]
    boards_by_level = counts[engine]
    if levels is None:
        if len(boards_by_level) != 1:
            raise _unclear("at", levels, boards_by_level)
        return engine, tuple(boards_by_level)
    for level in levels:
        if level not in boards_by_level:
            raise _unclear("at", level, boards_by_level)
    return engine, tuple(dict.fromkeys(levels))


def _unclear(argument: str, value: object, counts: Counter[str]) -> ArgumentError:
    """The error for an argument that names none or several of these, counted in boards."""
    choices: list[str] = []
    for name, number in counts.most_common(_MAX_CHOICES):
        boards = counted(number, "board", ",")
        choices.append(f"{shown(name)} ({boards})")
    if len(counts) > _MAX_CHOICES:
        choices.append("...")
    return ArgumentError(
        f"{argument} must be one of {', '.join(choices)}, which do not mix, not {shown(value)}"
        + suggestion(value, counts)
    )


_MAX_CHOICES: Final = 3


# --- in each process --------------------------------------------------------------------------------------------------


def _pieces_of_match(entry: ScanEntry, _: object) -> tuple[Piece, ...]:
    """The boards of a match, a piece for each game."""
    games = () if entry.match is None else entry.match.games
    identity = played_of(entry).prints.match
    # where nothing was played, the record has positions alone, and they tell it from others
    if identity is None:
        identity = "".join(game.final().position.id for game in games)
    digest = blake2b(identity.encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return tuple(Piece(index, _samples_of_game(game, number)) for index, game in enumerate(games))


def _samples_of_game(game: Game, match: int) -> dict[_EngineAndDepth, _SampleArrays]:
    boards = defaultdict[_EngineAndDepth, list[_EvaluatedBoard]](list)
    for evaluated in _evaluated_boards(game):
        position = evaluated.position
        if position.outcome is None and position.checkers == STANDARD_CHECKERS:
            boards[evaluated.source].append(evaluated)
    return {source: _arrays_of_boards(evaluated, match) for source, evaluated in boards.items()}


def _arrays_of_boards(evaluated: Sequence[_EvaluatedBoard], match: int) -> _SampleArrays:
    boards = b"".join(board_in(board.position) for board in evaluated)
    chances = [five_of(board.chances) for board in evaluated]
    return _SampleArrays(
        np.frombuffer(boards, np.int8).reshape(-1, SLOTS),
        np.array(chances, np.float32),
        np.full(len(evaluated), match, np.uint64),
    )


@frozen
class _EvaluatedBoard:
    """A board as the player on roll sees it, with the chances of that player."""

    source: _EngineAndDepth
    position: Position
    chances: Chances


def _evaluated_boards(game: Game) -> Iterator[_EvaluatedBoard]:
    for decision in game.decisions():
        if decision.kind in _DECISIONS:
            yield from _boards_of_analysis(decision.state, decision.analysis)
    if game.pending_analysis:
        yield from _boards_of_analysis(game.final(), game.pending)


def _boards_of_analysis(state: MatchState, analysis: Analysis | None) -> Iterator[_EvaluatedBoard]:
    if isinstance(analysis, PlayAnalysis):
        for play in analysis.candidates:
            if play.chances is not None:
                source = _EngineAndDepth(analysis.engine, play.level.label)
                opponent_chances = play.chances.flip()  # the opponent is on roll after the play
                yield _EvaluatedBoard(source, play.position, opponent_chances)
    elif analysis is not None and state.dice is None and analysis.chances is not None:
        source = _EngineAndDepth(analysis.engine, analysis.level.label)
        yield _EvaluatedBoard(source, state.position, analysis.chances)


_DECISIONS: Final = DecisionKind.PLAY, DecisionKind.DOUBLE
