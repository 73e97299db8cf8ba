"""The columns of the tables of decisions and of candidates: what each contains, and what fills it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from attrs import frozen

from gammonrules.board import PositionKind
from gammonrules.board.internals import BAR
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.identifiers.internals import encode_xgid
from gammonrules.match import Player
from gammonrules.records.archive.decision_rows import (
    AnalyzedDecision,
    CandidateRow,
    DecisionRow,
    GameFacts,
    GamePart,
    Seat,
    candidates_of,
)
from gammonrules.records.transcript import (
    CubeAnalysis,
    Decision,
    DecisionKind,
    PlayAnalysis,
    is_of_double,
)
from gammonrules.records.transcript.header_tags import date_text_of

Type: TypeAlias = Literal["text", "int", "float", "bool", "date"]
View: TypeAlias = Literal["", "decider", "opponent", "doubler", "White"]
Table: TypeAlias = Literal["decisions", "candidates"]

_T = TypeVar("_T")


@frozen
class Column:
    """A column of the table of decisions.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        name: its name.
        type: "text", "int", "float", "bool" or "date".
        unit: what the numbers count, or "".
        view: whose view it is, that of the "decider", the "opponent", the "doubler" or "White"; "" if that makes no
            difference.
        meaning: what it contains, in one sentence.

    Examples:
        >>> from gammonrules.records import COLUMNS, Column
        >>> next(column for column in COLUMNS if column.name == "pips").unit
        'pips'
        >>> Column("weekday", "text", "The day of the week of `date`.").unit
        ''
    """

    name: str
    type: Type
    meaning: str
    unit: str = ""
    view: View = ""


@frozen
class FilledColumn:
    """A column, and the function that finds its value."""

    column: Column
    source: ValueSource[Any]
    value: Callable[[Any], object]
    values: tuple[str, ...] = ()
    """All that it can contain, if these are a few words."""


class ValueSource(Generic[_T]):
    """What the value of a column is found in: each source is one object."""

    def column(
        self,
        name: str,
        type: Type,  # noqa: A002 - as in `Column`
        meaning: str,
        value: Callable[[_T], object],
        *,
        unit: str = "",
        view: View = "",
        values: Iterable[str] = (),
    ) -> FilledColumn:
        """A column whose value this function finds."""
        column = Column(name, type, meaning, unit, view)
        return FilledColumn(column, self, value, tuple(values))


MATCH = ValueSource[GameFacts]()
"""The same in all rows of a match, and found in its first game."""
GAME = ValueSource[GameFacts]()
"""The same in all rows of a game."""
SEAT = ValueSource[Seat]()
"""The same in all rows of a player in a game."""
ROW = ValueSource[DecisionRow]()
ANALYSIS = ValueSource[AnalyzedDecision]()
"""That of a row; without one, the value is null."""
CANDIDATE = ValueSource[CandidateRow]()


# --- values that take more than a line --------------------------------------------------------------------------------


def storable(text: str) -> str:
    """The text as any file can store it: bytes of a file name that are not UTF-8 become escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text_cell(text: str | None) -> str | None:
    """A text of a file; None if it is empty."""
    return storable(text) if text else None


def _cube_owner(row: DecisionRow) -> str:
    owner = row.decision.state.cube.owner
    if owner is None:
        return "centered"
    return "player" if owner is row.decision.player else "opponent"


def _dice_text(decision: Decision) -> str | None:
    dice = decision.state.dice
    return None if dice is None else f"{dice.high}{dice.low}"


def _dice_of_turn(facts: GameFacts, turn: int) -> str | None:
    decision = facts.first_plays.get(turn)
    return None if decision is None else _dice_text(decision)


def _play_of_turn(facts: GameFacts, turn: int) -> str | None:
    decision = facts.first_plays.get(turn)
    return None if decision is None else decision.action


def _checkers_hit(row: DecisionRow) -> int:
    """The opponent's checkers that a play sends to the bar."""
    decision = row.decision
    if decision.kind is not DecisionKind.PLAY:
        return 0
    return decision.after.position.points[BAR] + decision.state.position.points[0]


def _take_point(row: DecisionRow) -> float | None:
    state = row.decision.state
    if row.decision.kind is not DecisionKind.ANSWER or not is_of_double(state):
        return None
    window = KAZAROSS_XG2.doubling_window(state)
    return None if window is None else window.take_point


def _mistake(analyzed: AnalyzedDecision) -> str | None:
    if not isinstance(analyzed.analysis, CubeAnalysis) or not analyzed.judgment.error:
        return None
    action = analyzed.decision.action
    return "missed_double" if action == "roll" else f"wrong_{action}"


def _rank_made(analyzed: AnalyzedDecision) -> int | None:
    analysis = analyzed.analysis
    if not isinstance(analysis, PlayAnalysis) or analysis.played is None:
        return None
    return analysis.played + 1


def _equity_second(analyzed: AnalyzedDecision) -> float | None:
    analysis = analyzed.analysis
    if not isinstance(analysis, PlayAnalysis) or len(analysis.candidates) < 2:
        return None
    return analysis.candidates[1].equity


def _of_cube(
    equity: Callable[[CubeAnalysis], float | None],
) -> Callable[[AnalyzedDecision], float | None]:
    def value(analyzed: AnalyzedDecision) -> float | None:
        analysis = analyzed.analysis
        return equity(analysis) if isinstance(analysis, CubeAnalysis) else None

    return value


class _WithChances(Protocol):
    @property
    def chances(self) -> Chances | None: ...


def _of_chances(chance: Callable[[Chances], float]) -> Callable[[_WithChances], float | None]:
    def value(row: _WithChances) -> float | None:
        return None if row.chances is None else chance(row.chances)

    return value


# --- the columns ------------------------------------------------------------------------------------------------------


_POSITION_KINDS: Final = ", ".join(f"`{kind}`" for kind in PositionKind)
_ACTIONS: Final = (
    *("double", "roll", "take", "drop", "beaver"),
    *("single", "gammon", "backgammon"),
    *("accept", "decline"),
)
_DECIDER: Final[View] = "decider"
_EQUITY: Final = "normalized equity"
_CHANCE: Final = "0 to 1"

_DECISIONS: Final[tuple[FilledColumn, ...]] = (
    GAME.column(
        "file",
        "text",
        "The path of the file, as it was given or found; `archive.zip/name` in a ZIP archive.",
        lambda facts: _text_cell(facts.file),
    ),
    MATCH.column(
        "match",
        "text",
        "The fingerprint of the match, `Match.fingerprint`.",
        lambda facts: facts.match_fingerprint,
    ),
    MATCH.column(
        "site",
        "text",
        "Where the match was played, as the file says.",
        lambda facts: _text_cell(facts.match.site),
    ),
    MATCH.column(
        "event",
        "text",
        "The tournament, as the file says.",
        lambda facts: _text_cell(facts.match.event),
    ),
    MATCH.column(
        "round",
        "text",
        "The round of the tournament, as the file says.",
        lambda facts: _text_cell(facts.match.round),
    ),
    MATCH.column(
        "date",
        "date",
        "The day of the match, if what the file says can only be read in one way.",
        lambda facts: facts.match.date,
    ),
    MATCH.column(
        "date_text",
        "text",
        "The date in the words of the file.",
        lambda facts: _text_cell(date_text_of(facts.match.tags)),
    ),
    MATCH.column(
        "length",
        "int",
        "The points of the match as stated; 0 in money play.",
        lambda facts: facts.match.length or 0,
        unit="points",
    ),
    MATCH.column(
        "coin_game",
        "bool",
        "Whether it is one game of money play, written as a match to 16.",
        lambda facts: facts.match.is_coin_game,
    ),
    GAME.column(
        "game",
        "int",
        "The number of the game as the record states it, else counted from 1.",
        lambda facts: facts.game.number,
    ),
    GAME.column(
        "game_fingerprint",
        "text",
        "The fingerprint of the game, `Game.fingerprint`.",
        lambda facts: facts.fingerprint,
    ),
    ROW.column(
        "turn",
        "int",
        "The turn in the game, from 1; a double, its answer and the play have the same.",
        lambda row: row.decision.turn,
    ),
    SEAT.column(
        "player",
        "text",
        "The name of the decider.",
        lambda seat: _text_cell(seat.name),
        view=_DECIDER,
    ),
    SEAT.column(
        "opponent",
        "text",
        "The name of the other player.",
        lambda seat: _text_cell(seat.opponent_name),
        view=_DECIDER,
    ),
    SEAT.column(
        "seat",
        "text",
        "`white` (the left column of the record) or `black`.",
        lambda seat: seat.player.value,
        view=_DECIDER,
        values=("white", "black"),
    ),
    SEAT.column(
        "rating",
        "float",
        "The decider's rating as the file gives it.",
        lambda seat: seat.rating,
        unit="as in the file",
        view=_DECIDER,
    ),
    SEAT.column(
        "opponent_rating",
        "float",
        "The opponent's rating as the file gives it.",
        lambda seat: seat.opponent_rating,
        unit="as in the file",
        view=_DECIDER,
    ),
    SEAT.column(
        "score",
        "int",
        "The decider's points before the game.",
        lambda seat: seat.score,
        unit="points",
        view=_DECIDER,
    ),
    SEAT.column(
        "opponent_score",
        "int",
        "The opponent's points before the game.",
        lambda seat: seat.opponent_score,
        unit="points",
        view=_DECIDER,
    ),
    SEAT.column(
        "away",
        "int",
        "What the decider still needs to win the match; null in money play.",
        lambda seat: seat.away,
        unit="points",
        view=_DECIDER,
    ),
    SEAT.column(
        "opponent_away",
        "int",
        "What the opponent still needs; null in money play.",
        lambda seat: seat.opponent_away,
        unit="points",
        view=_DECIDER,
    ),
    GAME.column(
        "crawford",
        "bool",
        "Whether this is the Crawford game.",
        lambda facts: facts.game.start.crawford,
    ),
    GAME.column(
        "post_crawford",
        "bool",
        "Whether the Crawford game was played before this game.",
        lambda facts: facts.game.start.post_crawford,
    ),
    ROW.column(
        "cube",
        "int",
        "The value of the cube before the decision; for an answer, before the double.",
        lambda row: row.decision.state.cube.value,
    ),
    ROW.column(
        "cube_owner",
        "text",
        "`centered`, `player` or `opponent`, as of `cube`.",
        _cube_owner,
        view=_DECIDER,
        values=("centered", "player", "opponent"),
    ),
    ROW.column(
        "decision",
        "text",
        "`double` (or roll, if both are legal), `answer`, `play`, `resign` or `resign_answer`.",
        lambda row: str(row.decision.kind),
        values=DecisionKind,
    ),
    ROW.column(
        "dice",
        "text",
        "The dice, the larger first, such as `31`; null without dice.",
        lambda row: _dice_text(row.decision),
    ),
    ROW.column(
        "action",
        "text",
        "What was done: a play in canonical notation; `double`, `roll`; `take`, `drop`, "
        "`beaver`; `single`, `gammon`, `backgammon` for a resignation; `accept`, `decline`.",
        lambda row: row.decision.action,
        view=_DECIDER,
        values=_ACTIONS,
    ),
    ROW.column(
        "plays",
        "int",
        "The number of legal plays, 1 for a dance; null where no play is made.",
        lambda row: row.decision.plays,
        unit="plays",
    ),
    ROW.column(
        "forced",
        "bool",
        "Whether only one play was legal, as in a dance.",
        lambda row: row.decision.is_forced,
    ),
    ROW.column(
        "position_id",
        "text",
        "The Position ID of the board before the decision.",
        lambda row: row.board.position_id,
        view=_DECIDER,
    ),
    ROW.column(
        "xgid",
        "text",
        "The XGID of the state before the decision, White at the bottom.",
        lambda row: encode_xgid(row.decision.state),
        view="White",
    ),
    ROW.column(
        "pips",
        "int",
        "The decider's pips before the decision.",
        lambda row: row.board.pips,
        unit="pips",
        view=_DECIDER,
    ),
    ROW.column(
        "opponent_pips",
        "int",
        "The opponent's pips before the decision.",
        lambda row: row.board.opponent_pips,
        unit="pips",
        view=_DECIDER,
    ),
    ROW.column(
        "bar",
        "int",
        "The decider's checkers on the bar.",
        lambda row: row.board.bar,
        unit="checkers",
        view=_DECIDER,
    ),
    ROW.column(
        "opponent_bar",
        "int",
        "The opponent's checkers on the bar.",
        lambda row: row.board.opponent_bar,
        unit="checkers",
        view=_DECIDER,
    ),
    ROW.column(
        "off",
        "int",
        "The decider's checkers borne off.",
        lambda row: row.checkers - row.board.on_board,
        unit="checkers",
        view=_DECIDER,
    ),
    ROW.column(
        "opponent_off",
        "int",
        "The opponent's checkers borne off.",
        lambda row: row.checkers - row.board.opponent_on_board,
        unit="checkers",
        view=_DECIDER,
    ),
    ROW.column(
        "race",
        "bool",
        "Whether there is no more contact before the decision.",
        lambda row: row.board.race,
    ),
    ROW.column(
        "hits",
        "int",
        "The blots hit by the action; 0 where no play is made.",
        _checkers_hit,
        unit="checkers",
        view=_DECIDER,
    ),
    SEAT.column(
        "game_points",
        "int",
        "What the decider won in this game, negative if they lost, even beyond the match "
        "length; null without an end.",
        lambda seat: seat.points_won,
        unit="points",
        view=_DECIDER,
    ),
    SEAT.column(
        "match_won",
        "bool",
        "Whether the decider won the match; null without an end.",
        lambda seat: seat.has_won_match,
        view=_DECIDER,
    ),
    ROW.column(
        "findings",
        "int",
        "The findings of severity warning or error at this decision.",
        lambda row: row.findings,
        unit="findings",
    ),
    ANALYSIS.column(
        "best",
        "text",
        "The best action by the stored analysis, like `action`.",
        lambda analyzed: _text_cell(analyzed.judgment.best),
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "equity_best",
        "float",
        "The equity of the best action.",
        lambda analyzed: analyzed.judgment.equity_best,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "equity",
        "float",
        "The equity of what was done.",
        lambda analyzed: analyzed.judgment.equity,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "error",
        "float",
        "What the decision cost, never negative.",
        lambda analyzed: analyzed.judgment.error,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "equity_no_double",
        "float",
        "Without doubling; in `double` and `answer` rows.",
        _of_cube(lambda cube: cube.no_double),
        unit=_EQUITY,
        view="doubler",
    ),
    ANALYSIS.column(
        "equity_double_take",
        "float",
        "Of a double that is taken; in the same rows.",
        _of_cube(lambda cube: cube.double_take),
        unit=_EQUITY,
        view="doubler",
    ),
    ANALYSIS.column(
        "equity_double_drop",
        "float",
        "Of a double that is dropped; in the same rows.",
        _of_cube(lambda cube: cube.double_drop),
        unit=_EQUITY,
        view="doubler",
    ),
    ANALYSIS.column(
        "win",
        "float",
        "The chance of winning the game after what was done (without doubling).",
        _of_chances(lambda chances: chances.win),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "win_gammon",
        "float",
        "The chance of winning a gammon or a backgammon.",
        _of_chances(lambda chances: chances.win_gammon),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "win_backgammon",
        "float",
        "The chance of winning a backgammon.",
        _of_chances(lambda chances: chances.win_backgammon),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "lose_gammon",
        "float",
        "The chance of losing a gammon or a backgammon.",
        _of_chances(lambda chances: chances.lose_gammon),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "lose_backgammon",
        "float",
        "The chance of losing a backgammon.",
        _of_chances(lambda chances: chances.lose_backgammon),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "luck",
        "float",
        "The luck of the roll that was played, or given up by resigning.",
        lambda analyzed: analyzed.luck,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "engine",
        "text",
        "The program that analyzed, as far as the file says.",
        lambda analyzed: _text_cell(analyzed.analysis.engine),
    ),
    ANALYSIS.column(
        "level",
        "text",
        "How deep it looked at what was done, in its own words.",
        lambda analyzed: _text_cell(analyzed.level),
    ),
    ANALYSIS.column(
        "counts_xg",
        "bool",
        "Whether it counts in an error rate by the rule of eXtreme Gammon.",
        lambda analyzed: analyzed.counts("xg"),
    ),
    ANALYSIS.column(
        "counts_gnubg",
        "bool",
        "Whether it counts in one by the rule of GNU Backgammon.",
        lambda analyzed: analyzed.counts("gnubg"),
    ),
    ANALYSIS.column(
        "mwc_error",
        "float",
        "`error` as a chance of winning the match; null in money play.",
        lambda analyzed: analyzed.in_mwc(analyzed.judgment.error),
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "luck_mwc",
        "float",
        "`luck` as a chance of winning the match; null in money play.",
        lambda analyzed: analyzed.in_mwc(analyzed.luck),
        unit="-1 to 1",
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "rank",
        "int",
        "The place of the play that was made among the candidates, 1 for the best.",
        _rank_made,
    ),
    ANALYSIS.column(
        "equity_second",
        "float",
        "The equity of the second best play.",
        _equity_second,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    ANALYSIS.column(
        "mistake",
        "text",
        "`missed_double`, `wrong_double`, `wrong_take`, `wrong_drop`, or null.",
        _mistake,
        view=_DECIDER,
        values=("missed_double", "wrong_double", "wrong_take", "wrong_drop"),
    ),
    ROW.column(
        "line",
        "int",
        "The line of the file, counted from 1; of an .xg file, the record.",
        lambda row: row.decision.line,
    ),
    ROW.column(
        "longest_prime",
        "int",
        "The most points in a row that the decider has made.",
        lambda row: row.board.longest_prime,
        unit="points",
        view=_DECIDER,
    ),
    ROW.column(
        "opponent_longest_prime",
        "int",
        "The same of the opponent.",
        lambda row: row.board.opponent_longest_prime,
        unit="points",
        view=_DECIDER,
    ),
    ROW.column(
        "anchors",
        "int",
        "The points that the decider has made in the opponent's home board.",
        lambda row: row.board.anchors,
        unit="points",
        view=_DECIDER,
    ),
    ROW.column(
        "opponent_anchors",
        "int",
        "The same of the opponent.",
        lambda row: row.board.opponent_anchors,
        unit="points",
        view=_DECIDER,
    ),
    ROW.column(
        "number",
        "int",
        "The number of the decision in the game, from 1; another game of that number goes on.",
        lambda row: row.number,
    ),
    ROW.column(
        "take_point",
        "float",
        "The `win` that a take needs at this score, without gammons.",
        _take_point,
        unit=_CHANCE,
        view=_DECIDER,
    ),
    ROW.column(
        "position_kind",
        "text",
        f"What players call the position: {_POSITION_KINDS}.",
        lambda row: str(row.decision.state.position.kind),
        values=PositionKind,
    ),
    GAME.column(
        "opening_dice",
        "text",
        "The dice of the first turn of the game, like `dice`; null where the record begins later.",
        lambda facts: _dice_of_turn(facts, 1),
    ),
    GAME.column(
        "opening",
        "text",
        "The play of the first turn, like `action`.",
        lambda facts: _play_of_turn(facts, 1),
    ),
    GAME.column(
        "reply_dice",
        "text",
        "The dice of the second turn, like `dice`; null without a play there, as after a drop.",
        lambda facts: _dice_of_turn(facts, 2),
    ),
    GAME.column(
        "reply",
        "text",
        "The play of the second turn, like `action`.",
        lambda facts: _play_of_turn(facts, 2),
    ),
    MATCH.column(
        "match_games",
        "int",
        "How many games of the match the record has.",
        lambda facts: facts.match_games,
        unit="games",
    ),
)


LATER: Final = frozenset(
    {"take_point", "position_kind", "opening_dice", "opening", "reply_dice", "reply", "match_games"}
)
"""What a table of this version may lack, since it was added later; `search` returns null for it."""

KEYS: Final = "file", "match", "game", "turn", "engine", "number"
"""The columns of a decision that its candidates have too; no other decision has the same file, game and number."""

_OF_CHANCES: Final = tuple(
    FilledColumn(filled.column, CANDIDATE, filled.value)
    for filled in _DECISIONS
    if filled.column.name.startswith(("win", "lose"))
)
"""The chances of a candidate, which are found in it as those of a decision are found in its analysis."""

_CANDIDATES: Final[tuple[FilledColumn, ...]] = (
    *(filled for filled in _DECISIONS if filled.column.name in KEYS),
    CANDIDATE.column(
        "rank",
        "int",
        "The place of the play among the candidates, as the engine lists them, 1 for the best.",
        lambda row: row.rank,
    ),
    CANDIDATE.column(
        "play",
        "text",
        "The play in canonical notation.",
        lambda row: _text_cell(row.candidate.play),
        view=_DECIDER,
    ),
    CANDIDATE.column(
        "position_id",
        "text",
        "The Position ID of the board after it, the opponent on roll.",
        lambda row: row.candidate.position.id,
        view="opponent",
    ),
    *_OF_CHANCES,
    CANDIDATE.column(
        "equity",
        "float",
        "The equity of this play.",
        lambda row: row.candidate.equity,
        unit=_EQUITY,
        view=_DECIDER,
    ),
    CANDIDATE.column(
        "level",
        "text",
        "How deep the engine looked at it, in its own words.",
        lambda row: _text_cell(row.candidate.level.words),
    ),
    CANDIDATE.column(
        "standard_error",
        "float",
        "The standard error of the equity, of a rollout.",
        lambda row: row.candidate.standard_error,
        unit=_EQUITY,
    ),
)

COLUMNS: Final[tuple[Column, ...]] = tuple(filled.column for filled in _DECISIONS)
"""The columns of the table of decisions, in order."""

CANDIDATES: Final[tuple[Column, ...]] = tuple(filled.column for filled in _CANDIDATES)
"""The columns of the table of candidates, in order."""

COLUMNS_OF: Final[Mapping[Table, tuple[Column, ...]]] = {
    "decisions": COLUMNS,
    "candidates": CANDIDATES,
}


VALUES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    filled.column.name: filled.values for filled in _DECISIONS
}
"""What a column of the table of decisions can contain, by its name, if these are a few words."""


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in COLUMNS_OF[table])


# --- their values -----------------------------------------------------------------------------------------------------


Columns: TypeAlias = list[list[Any]]
"""The values of each column of a table, in order."""


def columns_of(
    parts: Sequence[GamePart], tables: Iterable[Table] = ("decisions",)
) -> dict[Table, Columns]:
    """The values of tables for decisions of a match."""
    filler = _Filler(parts)
    columns: dict[Table, Columns] = {}
    for table in tables:
        if table == "decisions":
            columns[table] = [filler.of_decisions(filled) for filled in _DECISIONS]
        else:
            columns[table] = [filler.of_candidates(filled) for filled in _CANDIDATES]
    return columns


class _Filler:
    """The values of columns for decisions of a match."""

    def __init__(self, parts: Sequence[GamePart]) -> None:
        self._parts = parts
        self._rows = [*chain.from_iterable(part.rows() for part in parts)]
        self._is_white = [row.decision.player is Player.WHITE for row in self._rows]
        self._analyses = [*chain.from_iterable(part.analyzed() for part in parts)]
        self._is_analyzed = any(analysis is not None for analysis in self._analyses)

    def of_decisions(self, filled: FilledColumn) -> list[Any]:
        """The value of a column for each decision."""
        value = filled.value
        if filled.source is ROW:
            return [value(row) for row in self._rows]
        if filled.source is SEAT:
            return self._of_seats(value)
        if filled.source is MATCH:
            return [value(self._parts[0].facts)] * len(self._rows)
        if filled.source is GAME:
            return self._repeated([value(part.facts) for part in self._parts])
        # of the analysis; in most records there is none
        if not self._is_analyzed:
            return [None] * len(self._rows)
        return [None if analysis is None else value(analysis) for analysis in self._analyses]

    def _of_seats(self, value: Callable[[Seat], object]) -> list[Any]:
        whites = self._repeated([value(part.seats[Player.WHITE]) for part in self._parts])
        blacks = self._repeated([value(part.seats[Player.BLACK]) for part in self._parts])
        three = zip(self._is_white, whites, blacks, strict=True)
        return [white if is_white else black for is_white, white, black in three]

    def _repeated(self, values: Sequence[object]) -> list[Any]:
        """The value of each part for each of its decisions."""
        repeated: list[Any] = []
        for part, value in zip(self._parts, values, strict=True):
            repeated += [value] * len(part.decisions)
        return repeated

    @cached_property
    def _candidates(self) -> list[CandidateRow]:
        return list(candidates_of(self._analyses))

    def of_candidates(self, filled: FilledColumn) -> list[Any]:
        """The value of a column for each candidate, which may be that of its decision."""
        if filled.source is CANDIDATE:
            return [filled.value(candidate) for candidate in self._candidates]
        values = self.of_decisions(filled)
        return [values[candidate.index] for candidate in self._candidates]
