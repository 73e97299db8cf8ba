"""The columns of the tables of decisions and of candidates: what each contains, and what fills it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from attrs import evolve, frozen

from gammonrules._shared.checked_fields import Checked
from gammonrules.analysis import Candidate, Chances, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import is_of_double
from gammonrules.board import PositionKind, Win
from gammonrules.board.internals import BAR
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.identifiers.internals import encode_xgid
from gammonrules.match import End
from gammonrules.records.archive.decision_rows import BoardFacts, GameFacts, GamePart, Seat
from gammonrules.records.transcript import (
    AnalyzedDecision,
    Decision,
    DecisionKind,
    counting_rule,
    in_mwc,
    name_cube_mistake,
)
from gammonrules.records.transcript.header_tags import date_text_of

Type: TypeAlias = Literal["text", "int", "float", "bool", "date", "time"]
View: TypeAlias = Literal["", "decider", "opponent", "doubler", "White"]
Table: TypeAlias = Literal["decisions", "candidates"]

_T = TypeVar("_T")


@frozen
class Column(Checked):
    """A column of the table of decisions.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        name: its name.
        type: "text", "int", "float", "bool", "date" or "time".
        unit: what the numbers count, or "".
        view: whose view it is, that of the "decider", the "opponent", the "doubler" or "White"; "" if that makes no
            difference.
        meaning: what it contains, and what to look out for.

    Raises:
        ArgumentError: an attribute has the wrong type.

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
    """A column, and what fills it."""

    column: Column
    source: str
    """What `value` takes: "match", "game", "seat", "decision", "board", "analysis", "part", "candidate" or "rank"."""
    value: Callable[[Any], Any]
    """Finds the value. From a part it finds a sequence with a value for each decision."""
    words: tuple[str, ...] = ()
    """All that the column can contain, if these are a few words."""
    is_later: bool = False
    """Whether a table of this version may lack the column, since it was added later. `search` returns null for it."""
    is_ours: bool = False
    """Whether its texts are the library's own, so that no stranger chooses what they contain."""


class _Source(Generic[_T]):
    """Makes columns that are filled from values of one type."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(
        self,
        name: str,
        type: Type,  # noqa: A002 - as that of the column
        meaning: str,
        value: Callable[[_T], object],
        *,
        unit: str = "",
        view: View = "",
        words: Iterable[str] = (),
        is_later: bool = False,
        is_ours: bool = False,
    ) -> FilledColumn:
        column = Column(name, type, meaning, unit, view)
        return FilledColumn(column, self._name, value, tuple(words), is_later, is_ours)


_of_match = _Source[GameFacts]("match")
"""The same in all rows of a match, and found in its first game."""
_of_game = _Source[GameFacts]("game")
"""The same in all rows of a game."""
_of_seat = _Source[Seat]("seat")
"""The same in all rows of a player in a game."""
_of_decision = _Source[Decision]("decision")
_of_board = _Source[BoardFacts]("board")
_of_analysis = _Source[AnalyzedDecision]("analysis")
"""Without an analysis, the value is null."""
_of_part = _Source[GamePart]("part")
"""A value for each decision of a part."""
_of_candidate = _Source[Candidate]("candidate")
_of_rank = _Source[int]("rank")


# --- what fills them --------------------------------------------------------------------------------------------------


def storable(text: str) -> str:
    """The text as any file can store it: bytes of a file name that are not UTF-8 become escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text_cell(text: str | None) -> str | None:
    """A text of a file; None if it is empty."""
    return storable(text) if text else None


def _cube_owner(decision: Decision) -> str:
    owner = decision.state.cube.owner
    if owner is None:
        return "centered"
    return "player" if owner is decision.player else "opponent"


def _dice_text(decision: Decision) -> str | None:
    dice = decision.state.dice
    return None if dice is None else f"{dice.high}{dice.low}"


def _dice_of_turn(facts: GameFacts, turn: int) -> str | None:
    decision = facts.first_plays.get(turn)
    return None if decision is None else _dice_text(decision)


def _play_of_turn(facts: GameFacts, turn: int) -> str | None:
    decision = facts.first_plays.get(turn)
    return None if decision is None else decision.action


def _game_end(facts: GameFacts) -> str | None:
    result = facts.game.result
    return None if result is None else str(result.end)


def _game_win(facts: GameFacts) -> str | None:
    result = facts.game.result
    if result is None or result.win is None:
        return None
    return result.win.name.lower()


def _checkers_hit(decision: Decision) -> int:
    """The opponent's checkers that a play sends to the bar."""
    if decision.kind is not DecisionKind.PLAY:
        return 0
    return decision.after.position.points[BAR] + decision.state.position.points[0]


def _take_point(decision: Decision) -> float | None:
    if decision.kind is not DecisionKind.ANSWER or not is_of_double(decision.state):
        return None
    window = KAZAROSS_XG2.doubling_window(decision.state)
    return None if window is None else window.take_point


def _counted_by(rule: str) -> Callable[[GamePart], list[bool | None]]:
    """Make the function that returns for each decision whether it counts in an error rate by the rule."""
    counts = counting_rule(rule).counts

    def value(part: GamePart) -> list[bool | None]:
        stated = part.facts.xg_states_errors
        return [
            None if analyzed is None else counts(analyzed, xg_states_errors=stated)
            for analyzed in part.analyzed
        ]

    return value


def _mistake(analyzed: AnalyzedDecision) -> str | None:
    if not isinstance(analyzed.analysis, CubeAnalysis) or not analyzed.error:
        return None
    return name_cube_mistake(analyzed.decision.action)


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


def _chances_after(analyzed: AnalyzedDecision) -> Chances | None:
    """The decider's chances after what was done, without doubling."""
    analysis = analyzed.analysis
    if isinstance(analysis, PlayAnalysis):
        return None if analysis.made is None else analysis.made.chances
    # a cube analysis has the view of who may double, also where the opponent answers
    if analysis.chances is not None and analyzed.decision.kind is DecisionKind.ANSWER:
        return analysis.chances.flip()
    return analysis.chances


def _level(analyzed: AnalyzedDecision) -> str | None:
    """The level at which the engine looked at what was done."""
    analysis = analyzed.analysis
    if isinstance(analysis, CubeAnalysis):
        return _text_cell(analysis.level.label)
    candidate = analysis.made or analysis.best
    return None if candidate is None else _text_cell(candidate.level.label)


def _in_mwc(equity: float | None, decision: Decision) -> float | None:
    return None if equity is None else in_mwc(equity, decision)


def _chance(name: str) -> Callable[[AnalyzedDecision], float | None]:
    """Make the function that returns one of the five chances after a decision."""
    chance_in: Callable[[Chances], float] = attrgetter(name)

    def value(analyzed: AnalyzedDecision) -> float | None:
        chances = _chances_after(analyzed)
        return None if chances is None else chance_in(chances)

    return value


def _chance_of_candidate(name: str) -> Callable[[Candidate], float | None]:
    """The same for a candidate."""
    chance_in: Callable[[Chances], float] = attrgetter(name)

    def value(candidate: Candidate) -> float | None:
        return None if candidate.chances is None else chance_in(candidate.chances)

    return value


# --- the columns ------------------------------------------------------------------------------------------------------


_EQUITY: Final = "normalized equity"
_CHANCE: Final = "0 to 1"
_WINS: Final = tuple(win.name.lower() for win in Win)


def _code_words(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


_DECISIONS: Final = (
    _of_game(
        "file",
        "text",
        "The path of the file, as it was given or found; `archive.zip/name` in a ZIP archive.",
        lambda facts: _text_cell(facts.file),
    ),
    _of_match(
        "match",
        "text",
        "The fingerprint of the match, `Match.fingerprint`.",
        lambda facts: facts.match_fingerprint,
    ),
    _of_match(
        "site",
        "text",
        "Where the match was played, as the file says.",
        lambda facts: _text_cell(facts.match.site),
    ),
    _of_match(
        "event",
        "text",
        "The tournament, as the file says.",
        lambda facts: _text_cell(facts.match.event),
    ),
    _of_match(
        "round",
        "text",
        "The round of the tournament, as the file says.",
        lambda facts: _text_cell(facts.match.round),
    ),
    _of_match(
        "date",
        "date",
        "The day of the match, if what the file says can only be read in one way.",
        lambda facts: facts.match.date,
    ),
    _of_match(
        "date_text",
        "text",
        "The date in the words of the file.",
        lambda facts: _text_cell(date_text_of(facts.match.tags)),
    ),
    _of_match(
        "length",
        "int",
        "The points of the match as stated; 0 in money play.",
        lambda facts: facts.match.length or 0,
        unit="points",
    ),
    _of_match(
        "coin_game",
        "bool",
        "Whether it is one game of money play, written as a match to 16.",
        lambda facts: facts.match.is_coin_game,
    ),
    _of_game(
        "game",
        "int",
        "The number of the game as the record states it, else counted from 1.",
        lambda facts: facts.game.number,
    ),
    _of_game(
        "game_fingerprint",
        "text",
        "The fingerprint of the game, `Game.fingerprint`.",
        lambda facts: facts.fingerprint,
    ),
    _of_decision(
        "turn",
        "int",
        "The turn in the game, from 1; a double, its answer and the play have the same.",
        lambda decision: decision.turn,
    ),
    _of_seat(
        "player",
        "text",
        "The name of the decider.",
        lambda seat: _text_cell(seat.name),
        view="decider",
    ),
    _of_seat(
        "opponent",
        "text",
        "The name of the other player.",
        lambda seat: _text_cell(seat.opponent_name),
        view="decider",
    ),
    _of_seat(
        "seat",
        "text",
        "`white` (the left column of the record) or `black`.",
        lambda seat: seat.player.value,
        view="decider",
        words=("white", "black"),
    ),
    _of_seat(
        "rating",
        "float",
        "The decider's rating as the file gives it.",
        lambda seat: seat.rating,
        unit="as in the file",
        view="decider",
    ),
    _of_seat(
        "opponent_rating",
        "float",
        "The opponent's rating as the file gives it.",
        lambda seat: seat.opponent_rating,
        unit="as in the file",
        view="decider",
    ),
    _of_seat(
        "score",
        "int",
        "The decider's points before the game.",
        lambda seat: seat.score,
        unit="points",
        view="decider",
    ),
    _of_seat(
        "opponent_score",
        "int",
        "The opponent's points before the game.",
        lambda seat: seat.opponent_score,
        unit="points",
        view="decider",
    ),
    _of_seat(
        "away",
        "int",
        "What the decider still needs to win the match; null in money play.",
        lambda seat: seat.away,
        unit="points",
        view="decider",
    ),
    _of_seat(
        "opponent_away",
        "int",
        "What the opponent still needs; null in money play.",
        lambda seat: seat.opponent_away,
        unit="points",
        view="decider",
    ),
    _of_game(
        "crawford",
        "bool",
        "Whether this is the Crawford game.",
        lambda facts: facts.game.start.crawford,
    ),
    _of_game(
        "post_crawford",
        "bool",
        "Whether the Crawford game was played before this game.",
        lambda facts: facts.game.start.post_crawford,
    ),
    _of_decision(
        "cube",
        "int",
        "The value of the cube before the decision; for an answer, before the double.",
        lambda decision: decision.state.cube.value,
    ),
    _of_decision(
        "cube_owner",
        "text",
        "`centered`, `player` or `opponent`, as of `cube`.",
        _cube_owner,
        view="decider",
        words=("centered", "player", "opponent"),
    ),
    _of_decision(
        "decision",
        "text",
        "`double` (or roll, if both are legal), `answer`, `play`, `resign` or `resign_answer`.",
        lambda decision: str(decision.kind),
        words=tuple(DecisionKind),
    ),
    _of_decision(
        "dice", "text", "The dice, the larger first, such as `31`; null without dice.", _dice_text
    ),
    _of_decision(
        "action",
        "text",
        "What was done: a play in canonical notation, `no play` for a dance; `double`, `roll`; "
        "`take`, `drop`, `beaver`; `single`, `gammon`, `backgammon` for a resignation; `accept`, "
        "`decline`.",
        lambda decision: decision.action,
        view="decider",
        words=(
            "no play",
            *("double", "roll", "take", "drop", "beaver"),
            *("single", "gammon", "backgammon"),
            *("accept", "decline"),
        ),
    ),
    _of_decision(
        "plays",
        "int",
        "The number of legal plays, 1 for a dance; null where no play is made.",
        lambda decision: decision.plays,
        unit="plays",
    ),
    _of_decision(
        "forced",
        "bool",
        "Whether only one play was legal, as in a dance.",
        lambda decision: decision.is_forced,
    ),
    _of_board(
        "position_id",
        "text",
        "The Position ID of the board before the decision.",
        lambda board: board.position_id,
        view="decider",
        is_ours=True,
    ),
    _of_decision(
        "xgid",
        "text",
        "The XGID of the state before the decision, White at the bottom.",
        lambda decision: encode_xgid(decision.state),
        view="White",
        is_ours=True,
    ),
    _of_board(
        "pips",
        "int",
        "The decider's pips before the decision.",
        lambda board: board.pips,
        unit="pips",
        view="decider",
    ),
    _of_board(
        "opponent_pips",
        "int",
        "The opponent's pips before the decision.",
        lambda board: board.opponent_pips,
        unit="pips",
        view="decider",
    ),
    _of_board(
        "bar",
        "int",
        "The decider's checkers on the bar.",
        lambda board: board.bar,
        unit="checkers",
        view="decider",
    ),
    _of_board(
        "opponent_bar",
        "int",
        "The opponent's checkers on the bar.",
        lambda board: board.opponent_bar,
        unit="checkers",
        view="decider",
    ),
    _of_board(
        "off",
        "int",
        "The decider's checkers borne off.",
        lambda board: board.checkers - board.on_board,
        unit="checkers",
        view="decider",
    ),
    _of_board(
        "opponent_off",
        "int",
        "The opponent's checkers borne off.",
        lambda board: board.checkers - board.opponent_on_board,
        unit="checkers",
        view="decider",
    ),
    _of_board(
        "race",
        "bool",
        "Whether there is no more contact before the decision.",
        lambda board: board.race,
    ),
    _of_decision(
        "hits",
        "int",
        "The blots hit by the action; 0 where no play is made.",
        _checkers_hit,
        unit="checkers",
        view="decider",
    ),
    _of_seat(
        "game_points",
        "int",
        "What the decider won in this game, negative if they lost, even beyond the match "
        "length; null without an end.",
        lambda seat: seat.points_won,
        unit="points",
        view="decider",
    ),
    _of_seat(
        "match_won",
        "bool",
        "Whether the decider won the match; null without an end.",
        lambda seat: seat.has_won_match,
        view="decider",
    ),
    _of_part(
        "findings",
        "int",
        "The findings of severity warning or error at this decision.",
        lambda part: part.findings,
        unit="findings",
    ),
    _of_analysis(
        "best",
        "text",
        "The best action by the stored analysis, like `action`.",
        lambda analyzed: _text_cell(analyzed.best),
        view="decider",
    ),
    _of_analysis(
        "equity_best",
        "float",
        "The equity of the best action.",
        lambda analyzed: analyzed.equity_best,
        unit=_EQUITY,
        view="decider",
    ),
    _of_analysis(
        "equity",
        "float",
        "The equity of what was done.",
        lambda analyzed: analyzed.equity,
        unit=_EQUITY,
        view="decider",
    ),
    _of_analysis(
        "error",
        "float",
        "What the decision cost, never negative.",
        lambda analyzed: analyzed.error,
        unit=_EQUITY,
        view="decider",
    ),
    _of_analysis(
        "equity_no_double",
        "float",
        "Without doubling; in `double` and `answer` rows.",
        _of_cube(lambda cube: cube.no_double),
        unit=_EQUITY,
        view="doubler",
    ),
    _of_analysis(
        "equity_double_take",
        "float",
        "Of a double that is taken; in the same rows.",
        _of_cube(lambda cube: cube.double_take),
        unit=_EQUITY,
        view="doubler",
    ),
    _of_analysis(
        "equity_double_drop",
        "float",
        "Of a double that is dropped; in the same rows.",
        _of_cube(lambda cube: cube.double_drop),
        unit=_EQUITY,
        view="doubler",
    ),
    _of_analysis(
        "win",
        "float",
        "The chance of winning the game after what was done (without doubling).",
        _chance("win"),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "win_gammon",
        "float",
        "The chance of winning a gammon or a backgammon.",
        _chance("win_gammon"),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "win_backgammon",
        "float",
        "The chance of winning a backgammon.",
        _chance("win_backgammon"),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "lose_gammon",
        "float",
        "The chance of losing a gammon or a backgammon.",
        _chance("lose_gammon"),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "lose_backgammon",
        "float",
        "The chance of losing a backgammon.",
        _chance("lose_backgammon"),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "luck",
        "float",
        "The luck of the roll that was played, or given up by resigning.",
        lambda analyzed: analyzed.luck,
        unit=_EQUITY,
        view="decider",
    ),
    _of_analysis(
        "engine",
        "text",
        "The program that analyzed, as far as the file says.",
        lambda analyzed: _text_cell(analyzed.analysis.engine),
    ),
    _of_analysis("level", "text", "How deep it looked at what was done, in its own words.", _level),
    _of_part(
        "counts_xg",
        "bool",
        "Whether it counts in an error rate by the rule of eXtreme Gammon.",
        _counted_by("xg"),
    ),
    _of_part(
        "counts_gnubg",
        "bool",
        "Whether it counts in one by the rule of GNU Backgammon.",
        _counted_by("gnubg"),
    ),
    _of_analysis(
        "mwc_error",
        "float",
        "`error` as a chance of winning the match; null in money play.",
        lambda analyzed: _in_mwc(analyzed.error, analyzed.decision),
        unit=_CHANCE,
        view="decider",
    ),
    _of_analysis(
        "luck_mwc",
        "float",
        "`luck` as a chance of winning the match; null in money play.",
        lambda analyzed: _in_mwc(analyzed.luck, analyzed.decision),
        unit="-1 to 1",
        view="decider",
    ),
    _of_analysis(
        "rank",
        "int",
        "The place of the play that was made among the candidates, 1 for the best.",
        _rank_made,
    ),
    _of_analysis(
        "equity_second",
        "float",
        "The equity of the second best play.",
        _equity_second,
        unit=_EQUITY,
        view="decider",
    ),
    _of_analysis(
        "mistake",
        "text",
        "`missed_double`, `wrong_double`, `wrong_take`, `wrong_drop`, or null.",
        _mistake,
        view="decider",
        words=("missed_double", "wrong_double", "wrong_take", "wrong_drop"),
    ),
    _of_decision(
        "line",
        "int",
        "The line of the file, counted from 1; of an .xg file, the record.",
        lambda decision: decision.line,
    ),
    _of_board(
        "longest_prime",
        "int",
        "The most points in a row that the decider has made.",
        lambda board: board.longest_prime,
        unit="points",
        view="decider",
    ),
    _of_board(
        "opponent_longest_prime",
        "int",
        "The same of the opponent.",
        lambda board: board.opponent_longest_prime,
        unit="points",
        view="decider",
    ),
    _of_board(
        "anchors",
        "int",
        "The points that the decider has made in the opponent's home board.",
        lambda board: board.anchors,
        unit="points",
        view="decider",
    ),
    _of_board(
        "opponent_anchors",
        "int",
        "The same of the opponent.",
        lambda board: board.opponent_anchors,
        unit="points",
        view="decider",
    ),
    _of_part(
        "number",
        "int",
        "The number of the decision in the game, from 1; another game of that number goes on.",
        lambda part: part.numbers,
    ),
    _of_decision(
        "take_point",
        "float",
        "The `win` that a take needs at this score, without gammons.",
        _take_point,
        unit=_CHANCE,
        view="decider",
        is_later=True,
    ),
    _of_decision(
        "position_kind",
        "text",
        f"What players call the position: {_code_words(PositionKind)}.",
        lambda decision: str(decision.state.position.kind),
        words=tuple(PositionKind),
        is_later=True,
    ),
    _of_game(
        "opening_dice",
        "text",
        "The dice of the first turn of the game, like `dice`; null where the record begins later.",
        lambda facts: _dice_of_turn(facts, 1),
        is_later=True,
    ),
    _of_game(
        "opening",
        "text",
        "The play of the first turn, like `action`.",
        lambda facts: _play_of_turn(facts, 1),
        is_later=True,
    ),
    _of_game(
        "reply_dice",
        "text",
        "The dice of the second turn, like `dice`; null without a play there, as after a drop.",
        lambda facts: _dice_of_turn(facts, 2),
        is_later=True,
    ),
    _of_game(
        "reply",
        "text",
        "The play of the second turn, like `action`.",
        lambda facts: _play_of_turn(facts, 2),
        is_later=True,
    ),
    _of_match(
        "match_games",
        "int",
        "How many games of the match the record has.",
        lambda facts: facts.match_games,
        unit="games",
        is_later=True,
    ),
    _of_game(
        "game_end",
        "text",
        f"How the game ended: {_code_words(End)}; null if the record does not show its end.",
        _game_end,
        words=tuple(End),
        is_later=True,
    ),
    _of_game(
        "game_win",
        "text",
        f"How much it was won by, as it counts: {_code_words(_WINS)}; `single` after a drop, null "
        "if forfeited. For a rate of gammons take the games with `game_end = 'played'`, since others "
        "were often resigned after a few turns.",
        _game_win,
        words=_WINS,
        is_later=True,
    ),
    _of_match(
        "time",
        "time",
        "The time of day at which the match began, as the file says.",
        lambda facts: facts.match.time,
        is_later=True,
    ),
)
"""The columns of the table of decisions, in order. A new column is an entry here."""

_BY_NAME: Final = {filled.column.name: filled for filled in _DECISIONS}

KEYS: Final = "file", "match", "game", "turn", "engine", "number"
"""The columns of a decision that its candidates have too; no other decision has the same file, game and number."""
_CHANCES: Final = "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
"""Those of a decision after what was done, and those of a candidate."""

_CANDIDATES: Final = (
    *map(_BY_NAME.__getitem__, KEYS),
    _of_rank(
        "rank",
        "int",
        "The place of the play among the candidates, as the engine lists them, 1 for the best.",
        lambda rank: rank,
    ),
    _of_candidate(
        "play",
        "text",
        "The play in canonical notation.",
        lambda candidate: _text_cell(candidate.play),
        view="decider",
    ),
    _of_candidate(
        "position_id",
        "text",
        "The Position ID of the board after it, the opponent on roll.",
        lambda candidate: candidate.position.id,
        view="opponent",
        is_ours=True,
    ),
    *(
        evolve(_BY_NAME[name], source="candidate", value=_chance_of_candidate(name))
        for name in _CHANCES
    ),
    _of_candidate(
        "equity",
        "float",
        "The equity of this play.",
        lambda candidate: candidate.equity,
        unit=_EQUITY,
        view="decider",
    ),
    _of_candidate(
        "level",
        "text",
        "How deep the engine looked at it, in its own words.",
        lambda candidate: _text_cell(candidate.level.label),
    ),
    _of_candidate(
        "standard_error",
        "float",
        "The standard error of the equity, of a rollout.",
        lambda candidate: candidate.standard_error,
        unit=_EQUITY,
    ),
)
"""The columns of the table of candidates, in order."""

FILLED_COLUMNS: Final[Mapping[Table, tuple[FilledColumn, ...]]] = {
    "decisions": _DECISIONS,
    "candidates": _CANDIDATES,
}
COLUMNS: Final[tuple[Column, ...]] = tuple(filled.column for filled in _DECISIONS)
"""The columns of the table of decisions, in order."""
CANDIDATES: Final[tuple[Column, ...]] = tuple(filled.column for filled in _CANDIDATES)
"""The columns of the table of candidates, in order."""
COLUMNS_OF: Final[Mapping[Table, tuple[Column, ...]]] = {
    "decisions": COLUMNS,
    "candidates": CANDIDATES,
}
LATER: Final = frozenset(name for name, filled in _BY_NAME.items() if filled.is_later)
"""What a table of this version may lack."""
VALUES_OF: Final = {name: filled.words for name, filled in _BY_NAME.items() if filled.words}
"""All that a column of the table of decisions can contain, if these are a few words."""


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in COLUMNS_OF[table])
