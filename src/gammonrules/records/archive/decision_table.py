"""The columns of the tables of decisions and of candidates: what each contains, and what fills it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias, TypeVar

from attrs import frozen

from gammonrules._shared.checked_fields import Checked
from gammonrules._shared.forks import cached_property
from gammonrules.analysis import Candidate, Chances, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import is_of_double
from gammonrules.board import PositionKind, Win
from gammonrules.board.internals import BAR
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.identifiers.internals import encode_xgid
from gammonrules.match import End, Player
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


# --- the columns ------------------------------------------------------------------------------------------------------


_EQUITY: Final = "normalized equity"
_CHANCE: Final = "0 to 1"
_WINS: Final = tuple(win.name.lower() for win in Win)


def _code_words(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


COLUMNS: Final[tuple[Column, ...]] = (
    Column(
        "file",
        "text",
        "The path of the file, as it was given or found; `archive.zip/name` in a ZIP archive.",
    ),
    Column("match", "text", "The fingerprint of the match, `Match.fingerprint`."),
    Column("site", "text", "Where the match was played, as the file says."),
    Column("event", "text", "The tournament, as the file says."),
    Column("round", "text", "The round of the tournament, as the file says."),
    Column(
        "date", "date", "The day of the match, if what the file says can only be read in one way."
    ),
    Column("date_text", "text", "The date in the words of the file."),
    Column("length", "int", "The points of the match as stated; 0 in money play.", "points"),
    Column("coin_game", "bool", "Whether it is one game of money play, written as a match to 16."),
    Column("game", "int", "The number of the game as the record states it, else counted from 1."),
    Column("game_fingerprint", "text", "The fingerprint of the game, `Game.fingerprint`."),
    Column(
        "turn",
        "int",
        "The turn in the game, from 1; a double, its answer and the play have the same.",
    ),
    Column("player", "text", "The name of the decider.", view="decider"),
    Column("opponent", "text", "The name of the other player.", view="decider"),
    Column("seat", "text", "`white` (the left column of the record) or `black`.", view="decider"),
    Column(
        "rating", "float", "The decider's rating as the file gives it.", "as in the file", "decider"
    ),
    Column(
        "opponent_rating",
        "float",
        "The opponent's rating as the file gives it.",
        "as in the file",
        "decider",
    ),
    Column("score", "int", "The decider's points before the game.", "points", "decider"),
    Column("opponent_score", "int", "The opponent's points before the game.", "points", "decider"),
    Column(
        "away",
        "int",
        "What the decider still needs to win the match; null in money play.",
        "points",
        "decider",
    ),
    Column(
        "opponent_away",
        "int",
        "What the opponent still needs; null in money play.",
        "points",
        "decider",
    ),
    Column("crawford", "bool", "Whether this is the Crawford game."),
    Column("post_crawford", "bool", "Whether the Crawford game was played before this game."),
    Column(
        "cube",
        "int",
        "The value of the cube before the decision; for an answer, before the double.",
    ),
    Column(
        "cube_owner", "text", "`centered`, `player` or `opponent`, as of `cube`.", view="decider"
    ),
    Column(
        "decision",
        "text",
        "`double` (or roll, if both are legal), `answer`, `play`, `resign` or `resign_answer`.",
    ),
    Column("dice", "text", "The dice, the larger first, such as `31`; null without dice."),
    Column(
        "action",
        "text",
        "What was done: a play in canonical notation, `no play` for a dance; `double`, `roll`; "
        "`take`, `drop`, `beaver`; `single`, `gammon`, `backgammon` for a resignation; `accept`, "
        "`decline`.",
        view="decider",
    ),
    Column(
        "plays",
        "int",
        "The number of legal plays, 1 for a dance; null where no play is made.",
        "plays",
    ),
    Column("forced", "bool", "Whether only one play was legal, as in a dance."),
    Column(
        "position_id", "text", "The Position ID of the board before the decision.", view="decider"
    ),
    Column(
        "xgid",
        "text",
        "The XGID of the state before the decision, White at the bottom.",
        view="White",
    ),
    Column("pips", "int", "The decider's pips before the decision.", "pips", "decider"),
    Column("opponent_pips", "int", "The opponent's pips before the decision.", "pips", "decider"),
    Column("bar", "int", "The decider's checkers on the bar.", "checkers", "decider"),
    Column("opponent_bar", "int", "The opponent's checkers on the bar.", "checkers", "decider"),
    Column("off", "int", "The decider's checkers borne off.", "checkers", "decider"),
    Column("opponent_off", "int", "The opponent's checkers borne off.", "checkers", "decider"),
    Column("race", "bool", "Whether there is no more contact before the decision."),
    Column(
        "hits",
        "int",
        "The blots hit by the action; 0 where no play is made.",
        "checkers",
        "decider",
    ),
    Column(
        "game_points",
        "int",
        "What the decider won in this game, negative if they lost, even beyond the match "
        "length; null without an end.",
        "points",
        "decider",
    ),
    Column(
        "match_won",
        "bool",
        "Whether the decider won the match; null without an end.",
        view="decider",
    ),
    Column(
        "findings", "int", "The findings of severity warning or error at this decision.", "findings"
    ),
    Column(
        "best", "text", "The best action by the stored analysis, like `action`.", view="decider"
    ),
    Column("equity_best", "float", "The equity of the best action.", _EQUITY, "decider"),
    Column("equity", "float", "The equity of what was done.", _EQUITY, "decider"),
    Column("error", "float", "What the decision cost, never negative.", _EQUITY, "decider"),
    Column(
        "equity_no_double",
        "float",
        "Without doubling; in `double` and `answer` rows.",
        _EQUITY,
        "doubler",
    ),
    Column(
        "equity_double_take",
        "float",
        "Of a double that is taken; in the same rows.",
        _EQUITY,
        "doubler",
    ),
    Column(
        "equity_double_drop",
        "float",
        "Of a double that is dropped; in the same rows.",
        _EQUITY,
        "doubler",
    ),
    Column(
        "win",
        "float",
        "The chance of winning the game after what was done (without doubling).",
        _CHANCE,
        "decider",
    ),
    Column(
        "win_gammon", "float", "The chance of winning a gammon or a backgammon.", _CHANCE, "decider"
    ),
    Column("win_backgammon", "float", "The chance of winning a backgammon.", _CHANCE, "decider"),
    Column(
        "lose_gammon", "float", "The chance of losing a gammon or a backgammon.", _CHANCE, "decider"
    ),
    Column("lose_backgammon", "float", "The chance of losing a backgammon.", _CHANCE, "decider"),
    Column(
        "luck",
        "float",
        "The luck of the roll that was played, or given up by resigning.",
        _EQUITY,
        "decider",
    ),
    Column("engine", "text", "The program that analyzed, as far as the file says."),
    Column("level", "text", "How deep it looked at what was done, in its own words."),
    Column(
        "counts_xg", "bool", "Whether it counts in an error rate by the rule of eXtreme Gammon."
    ),
    Column("counts_gnubg", "bool", "Whether it counts in one by the rule of GNU Backgammon."),
    Column(
        "mwc_error",
        "float",
        "`error` as a chance of winning the match; null in money play.",
        _CHANCE,
        "decider",
    ),
    Column(
        "luck_mwc",
        "float",
        "`luck` as a chance of winning the match; null in money play.",
        "-1 to 1",
        "decider",
    ),
    Column(
        "rank", "int", "The place of the play that was made among the candidates, 1 for the best."
    ),
    Column("equity_second", "float", "The equity of the second best play.", _EQUITY, "decider"),
    Column(
        "mistake",
        "text",
        "`missed_double`, `wrong_double`, `wrong_take`, `wrong_drop`, or null.",
        view="decider",
    ),
    Column("line", "int", "The line of the file, counted from 1; of an .xg file, the record."),
    Column(
        "longest_prime",
        "int",
        "The most points in a row that the decider has made.",
        "points",
        "decider",
    ),
    Column("opponent_longest_prime", "int", "The same of the opponent.", "points", "decider"),
    Column(
        "anchors",
        "int",
        "The points that the decider has made in the opponent's home board.",
        "points",
        "decider",
    ),
    Column("opponent_anchors", "int", "The same of the opponent.", "points", "decider"),
    Column(
        "number",
        "int",
        "The number of the decision in the game, from 1; another game of that number goes on.",
    ),
    Column(
        "take_point",
        "float",
        "The `win` that a take needs at this score, without gammons.",
        _CHANCE,
        "decider",
    ),
    Column(
        "position_kind", "text", f"What players call the position: {_code_words(PositionKind)}."
    ),
    Column(
        "opening_dice",
        "text",
        "The dice of the first turn of the game, like `dice`; null where the record begins later.",
    ),
    Column("opening", "text", "The play of the first turn, like `action`."),
    Column(
        "reply_dice",
        "text",
        "The dice of the second turn, like `dice`; null without a play there, as after a drop.",
    ),
    Column("reply", "text", "The play of the second turn, like `action`."),
    Column("match_games", "int", "How many games of the match the record has.", "games"),
    Column(
        "game_end",
        "text",
        f"How the game ended: {_code_words(End)}; null if the record does not show its end.",
    ),
    Column(
        "game_win",
        "text",
        f"How much it was won by, as it counts: {_code_words(_WINS)}; `single` after a drop, null "
        "if forfeited. For a rate of gammons take the games with `game_end = 'played'`, since others "
        "were often resigned after a few turns.",
    ),
    Column("time", "time", "The time of day at which the match began, as the file says."),
)
"""The columns of the table of decisions, in order."""

LATER: Final = frozenset(
    {
        *("take_point", "position_kind", "match_games"),
        *("opening_dice", "opening", "reply_dice", "reply"),
        *("game_end", "game_win", "time"),
    }
)
"""What a table of this version may lack, since it was added later; `search` returns null for it."""

VALUES_OF: Final[Mapping[str, Sequence[str]]] = {
    "seat": ("white", "black"),
    "cube_owner": ("centered", "player", "opponent"),
    "decision": tuple(DecisionKind),
    "action": (
        "no play",
        *("double", "roll", "take", "drop", "beaver"),
        *("single", "gammon", "backgammon"),
        *("accept", "decline"),
    ),
    "mistake": ("missed_double", "wrong_double", "wrong_take", "wrong_drop"),
    "position_kind": tuple(PositionKind),
    "game_end": tuple(End),
    "game_win": _WINS,
}
"""All that a column of the table of decisions can contain, if these are a few words."""

KEYS: Final = "file", "match", "game", "turn", "engine", "number"
"""The columns of a decision that its candidates have too; no other decision has the same file, game and number."""
_CHANCES: Final = "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
"""Those of a decision after what was done, and those of a candidate."""

CANDIDATES: Final[tuple[Column, ...]] = (
    *(column for column in COLUMNS if column.name in KEYS),
    Column(
        "rank",
        "int",
        "The place of the play among the candidates, as the engine lists them, 1 for the best.",
    ),
    Column("play", "text", "The play in canonical notation.", view="decider"),
    Column(
        "position_id",
        "text",
        "The Position ID of the board after it, the opponent on roll.",
        view="opponent",
    ),
    *(column for column in COLUMNS if column.name in _CHANCES),
    Column("equity", "float", "The equity of this play.", _EQUITY, "decider"),
    Column("level", "text", "How deep the engine looked at it, in its own words."),
    Column("standard_error", "float", "The standard error of the equity, of a rollout.", _EQUITY),
)
"""The columns of the table of candidates, in order."""

COLUMNS_OF: Final[Mapping[Table, tuple[Column, ...]]] = {
    "decisions": COLUMNS,
    "candidates": CANDIDATES,
}


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in COLUMNS_OF[table])


# --- what fills them --------------------------------------------------------------------------------------------------


Finders: TypeAlias = Mapping[str, Callable[[_T], object]]
"""What finds the value of each column, by its name."""


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


def _finders_of_chances(chances_in: Callable[[_T], Chances | None]) -> Finders[_T]:
    """The finders of the five chances in a decision or a candidate."""

    def finder(name: str) -> Callable[[_T], float | None]:
        chance_in: Callable[[Chances], float] = attrgetter(name)

        def value(row: _T) -> float | None:
            chances = chances_in(row)
            return None if chances is None else chance_in(chances)

        return value

    return {name: finder(name) for name in _CHANCES}


_OF_MATCH: Final[Finders[GameFacts]] = {
    "match": lambda facts: facts.match_fingerprint,
    "site": lambda facts: _text_cell(facts.match.site),
    "event": lambda facts: _text_cell(facts.match.event),
    "round": lambda facts: _text_cell(facts.match.round),
    "date": lambda facts: facts.match.date,
    "date_text": lambda facts: _text_cell(date_text_of(facts.match.tags)),
    "length": lambda facts: facts.match.length or 0,
    "coin_game": lambda facts: facts.match.is_coin_game,
    "match_games": lambda facts: facts.match_games,
    "time": lambda facts: facts.match.time,
}
"""The same in all rows of a match, and found in its first game."""

_OF_GAME: Final[Finders[GameFacts]] = {
    "file": lambda facts: _text_cell(facts.file),
    "game": lambda facts: facts.game.number,
    "game_fingerprint": lambda facts: facts.fingerprint,
    "crawford": lambda facts: facts.game.start.crawford,
    "post_crawford": lambda facts: facts.game.start.post_crawford,
    "opening_dice": lambda facts: _dice_of_turn(facts, 1),
    "opening": lambda facts: _play_of_turn(facts, 1),
    "reply_dice": lambda facts: _dice_of_turn(facts, 2),
    "reply": lambda facts: _play_of_turn(facts, 2),
    "game_end": _game_end,
    "game_win": _game_win,
}
"""The same in all rows of a game."""

_OF_SEAT: Final[Finders[Seat]] = {
    "player": lambda seat: _text_cell(seat.name),
    "opponent": lambda seat: _text_cell(seat.opponent_name),
    "seat": lambda seat: seat.player.value,
    "rating": lambda seat: seat.rating,
    "opponent_rating": lambda seat: seat.opponent_rating,
    "score": lambda seat: seat.score,
    "opponent_score": lambda seat: seat.opponent_score,
    "away": lambda seat: seat.away,
    "opponent_away": lambda seat: seat.opponent_away,
    "game_points": lambda seat: seat.points_won,
    "match_won": lambda seat: seat.has_won_match,
}
"""The same in all rows of a player in a game."""

_OF_DECISION: Final[Finders[Decision]] = {
    "turn": lambda decision: decision.turn,
    "cube": lambda decision: decision.state.cube.value,
    "cube_owner": _cube_owner,
    "decision": lambda decision: str(decision.kind),
    "dice": _dice_text,
    "action": lambda decision: decision.action,
    "plays": lambda decision: decision.plays,
    "forced": lambda decision: decision.is_forced,
    "xgid": lambda decision: encode_xgid(decision.state),
    "hits": _checkers_hit,
    "line": lambda decision: decision.line,
    "take_point": _take_point,
    "position_kind": lambda decision: str(decision.state.position.kind),
}

_OF_BOARD: Final[Finders[BoardFacts]] = {
    "position_id": lambda board: board.position_id,
    "pips": lambda board: board.pips,
    "opponent_pips": lambda board: board.opponent_pips,
    "bar": lambda board: board.bar,
    "opponent_bar": lambda board: board.opponent_bar,
    "off": lambda board: board.checkers - board.on_board,
    "opponent_off": lambda board: board.checkers - board.opponent_on_board,
    "race": lambda board: board.race,
    "longest_prime": lambda board: board.longest_prime,
    "opponent_longest_prime": lambda board: board.opponent_longest_prime,
    "anchors": lambda board: board.anchors,
    "opponent_anchors": lambda board: board.opponent_anchors,
}

_OF_ANALYSIS: Final[Finders[AnalyzedDecision]] = {
    **_finders_of_chances(_chances_after),
    "best": lambda analyzed: _text_cell(analyzed.best),
    "equity_best": lambda analyzed: analyzed.equity_best,
    "equity": lambda analyzed: analyzed.equity,
    "error": lambda analyzed: analyzed.error,
    "equity_no_double": _of_cube(lambda cube: cube.no_double),
    "equity_double_take": _of_cube(lambda cube: cube.double_take),
    "equity_double_drop": _of_cube(lambda cube: cube.double_drop),
    "luck": lambda analyzed: analyzed.luck,
    "engine": lambda analyzed: _text_cell(analyzed.analysis.engine),
    "level": _level,
    "mwc_error": lambda analyzed: _in_mwc(analyzed.error, analyzed.decision),
    "luck_mwc": lambda analyzed: _in_mwc(analyzed.luck, analyzed.decision),
    "rank": _rank_made,
    "equity_second": _equity_second,
    "mistake": _mistake,
}
"""Without an analysis, the value is null."""

_OF_PART: Final[Mapping[str, Callable[[GamePart], Sequence[object]]]] = {
    "number": lambda part: part.numbers,
    "findings": lambda part: part.findings,
    "counts_xg": _counted_by("xg"),
    "counts_gnubg": _counted_by("gnubg"),
}
"""A value for each decision of a part."""

_OF_CANDIDATE: Final[Finders[Candidate]] = {
    **_finders_of_chances(lambda candidate: candidate.chances),
    "play": lambda candidate: _text_cell(candidate.play),
    "position_id": lambda candidate: candidate.position.id,
    "equity": lambda candidate: candidate.equity,
    "level": lambda candidate: _text_cell(candidate.level.label),
    "standard_error": lambda candidate: candidate.standard_error,
}
"""Besides its `rank`."""


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
        values_of = filler.of_decisions if table == "decisions" else filler.of_candidates
        columns[table] = [values_of(name) for name in names_of(table)]
    return columns


class _Filler:
    """The values of columns, by their names, for decisions of a match."""

    def __init__(self, parts: Sequence[GamePart]) -> None:
        self._parts = parts
        self._decisions = [*chain.from_iterable(part.decisions for part in parts)]
        self._boards = [*chain.from_iterable(part.boards for part in parts)]
        self._analyzed = [*chain.from_iterable(part.analyzed for part in parts)]
        self._is_white = [decision.player is Player.WHITE for decision in self._decisions]
        self._is_analyzed = any(analyzed is not None for analyzed in self._analyzed)

    def of_decisions(self, name: str) -> list[Any]:
        """The value for each decision."""
        if name in _OF_DECISION:
            return [*map(_OF_DECISION[name], self._decisions)]
        if name in _OF_BOARD:
            return [*map(_OF_BOARD[name], self._boards)]
        if name in _OF_PART:
            return [*chain.from_iterable(map(_OF_PART[name], self._parts))]
        if name in _OF_SEAT:
            return self._of_seats(_OF_SEAT[name])
        if name in _OF_MATCH:
            return [_OF_MATCH[name](self._parts[0].facts)] * len(self._decisions)
        if name in _OF_GAME:
            value = _OF_GAME[name]
            return self._repeated([value(part.facts) for part in self._parts])
        return self._of_analyses(_OF_ANALYSIS[name])

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

    def _of_analyses(self, value: Callable[[AnalyzedDecision], object]) -> list[Any]:
        if not self._is_analyzed:  # as in most records
            return [None] * len(self._decisions)
        return [None if analyzed is None else value(analyzed) for analyzed in self._analyzed]

    @cached_property
    def _candidates(self) -> list[tuple[int, int, Candidate]]:
        """The index of the decision, the rank and the candidate. The best candidate of a decision comes first."""
        candidates: list[tuple[int, int, Candidate]] = []
        for index, analyzed in enumerate(self._analyzed):
            if analyzed is not None and isinstance(analyzed.analysis, PlayAnalysis):
                for rank, candidate in enumerate(analyzed.analysis.candidates, start=1):
                    candidates.append((index, rank, candidate))
        return candidates

    def of_candidates(self, name: str) -> list[Any]:
        """The value for each candidate, which may be that of its decision."""
        if name == "rank":
            return [rank for _, rank, _ in self._candidates]
        if name in _OF_CANDIDATE:
            value = _OF_CANDIDATE[name]
            return [value(candidate) for _, _, candidate in self._candidates]
        values = self.of_decisions(name)
        return [values[index] for index, _, _ in self._candidates]
