"""The tables of decisions and of candidates: what each column contains, and its values for the decisions of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

from attrs import frozen

from gammonrules.board import PositionKind
from gammonrules.board.internals import BAR, board_in, facts_of, flip
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.identifiers.internals import encode_xgid
from gammonrules.match import Player
from gammonrules.records.transcript import (
    Analysis,
    Candidate,
    Decision,
    DecisionKind,
    Finding,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    counts,
    in_mwc,
    is_of_double,
    judgment,
    referee,
    won_in,
)
from gammonrules.records.transcript.header_tags import date_text_of

Type: TypeAlias = Literal["text", "int", "float", "bool", "date"]
View: TypeAlias = Literal["", "decider", "opponent", "doubler", "White"]
Table: TypeAlias = Literal["decisions", "candidates"]


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


_POSITION_KINDS: Final = ", ".join(f"`{kind}`" for kind in PositionKind)
_PLAYER: Final[View] = "decider"
_EQUITY: Final = "normalized equity"
_CHANCE: Final = "0 to 1"

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
    Column(
        "length",
        type="int",
        meaning="The points of the match as stated; 0 in money play.",
        unit="points",
    ),
    Column("coin_game", "bool", "Whether it is one game of money play, written as a match to 16."),
    Column("game", "int", "The number of the game as the record states it, else counted from 1."),
    Column("game_fingerprint", "text", "The fingerprint of the game, `Game.fingerprint`."),
    Column(
        "turn",
        "int",
        "The turn in the game, from 1; a double, its answer and the play have the same.",
    ),
    Column("player", type="text", meaning="The name of the decider.", unit="", view=_PLAYER),
    Column("opponent", type="text", meaning="The name of the other player.", unit="", view=_PLAYER),
    Column(
        "seat",
        type="text",
        meaning="`white` (the left column of the record) or `black`.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "rating",
        type="float",
        meaning="The decider's rating as the file gives it.",
        unit="as in the file",
        view=_PLAYER,
    ),
    Column(
        "opponent_rating",
        type="float",
        meaning="The opponent's rating as the file gives it.",
        unit="as in the file",
        view=_PLAYER,
    ),
    Column(
        "score",
        type="int",
        meaning="The decider's points before the game.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "opponent_score",
        type="int",
        meaning="The opponent's points before the game.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "away",
        type="int",
        meaning="What the decider still needs to win the match; null in money play.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "opponent_away",
        type="int",
        meaning="What the opponent still needs; null in money play.",
        unit="points",
        view=_PLAYER,
    ),
    Column("crawford", "bool", "Whether this is the Crawford game."),
    Column("post_crawford", "bool", "Whether the Crawford game was played before this game."),
    Column(
        "cube",
        "int",
        "The value of the cube before the decision; for an answer, before the double.",
    ),
    Column(
        "cube_owner",
        type="text",
        meaning="`centered`, `player` or `opponent`, as of `cube`.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "decision",
        "text",
        "`double` (or roll, if both are legal), `answer`, `play`, `resign` or `resign_answer`.",
    ),
    Column("dice", "text", "The dice, the larger first, such as `31`; null without dice."),
    Column(
        "action",
        type="text",
        meaning="What was done: a play in canonical notation; `double`, `roll`; `take`, `drop`, `beaver`; "
        "`single`, `gammon`, `backgammon` for a resignation; `accept`, `decline`.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "plays",
        type="int",
        meaning="The number of legal plays, 1 for a dance; null where no play is made.",
        unit="plays",
    ),
    Column("forced", "bool", "Whether only one play was legal, as in a dance."),
    Column(
        "position_id",
        type="text",
        meaning="The Position ID of the board before the decision.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "xgid",
        type="text",
        meaning="The XGID of the state before the decision, White at the bottom.",
        unit="",
        view="White",
    ),
    Column(
        "pips",
        type="int",
        meaning="The decider's pips before the decision.",
        unit="pips",
        view=_PLAYER,
    ),
    Column(
        "opponent_pips",
        type="int",
        meaning="The opponent's pips before the decision.",
        unit="pips",
        view=_PLAYER,
    ),
    Column(
        "bar",
        type="int",
        meaning="The decider's checkers on the bar.",
        unit="checkers",
        view=_PLAYER,
    ),
    Column(
        "opponent_bar",
        type="int",
        meaning="The opponent's checkers on the bar.",
        unit="checkers",
        view=_PLAYER,
    ),
    Column(
        "off",
        type="int",
        meaning="The decider's checkers borne off.",
        unit="checkers",
        view=_PLAYER,
    ),
    Column(
        "opponent_off",
        type="int",
        meaning="The opponent's checkers borne off.",
        unit="checkers",
        view=_PLAYER,
    ),
    Column("race", "bool", "Whether there is no more contact before the decision."),
    Column(
        "hits",
        type="int",
        meaning="The blots hit by the action; 0 where no play is made.",
        unit="checkers",
        view=_PLAYER,
    ),
    Column(
        "game_points",
        type="int",
        meaning="What the decider won in this game, negative if they lost, even beyond the match length; "
        "null without an end.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "match_won",
        type="bool",
        meaning="Whether the decider won the match; null without an end.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "findings",
        type="int",
        meaning="The findings of severity warning or error at this decision.",
        unit="findings",
    ),
    Column(
        "best",
        type="text",
        meaning="The best action by the stored analysis, like `action`.",
        unit="",
        view=_PLAYER,
    ),
    Column(
        "equity_best",
        type="float",
        meaning="The equity of the best action.",
        unit=_EQUITY,
        view=_PLAYER,
    ),
    Column(
        "equity", type="float", meaning="The equity of what was done.", unit=_EQUITY, view=_PLAYER
    ),
    Column(
        "error",
        type="float",
        meaning="What the decision cost, never negative.",
        unit=_EQUITY,
        view=_PLAYER,
    ),
    Column(
        "equity_no_double",
        type="float",
        meaning="Without doubling; in `double` and `answer` rows.",
        unit=_EQUITY,
        view="doubler",
    ),
    Column(
        "equity_double_take",
        type="float",
        meaning="Of a double that is taken; in the same rows.",
        unit=_EQUITY,
        view="doubler",
    ),
    Column(
        "equity_double_drop",
        type="float",
        meaning="Of a double that is dropped; in the same rows.",
        unit=_EQUITY,
        view="doubler",
    ),
    Column(
        "win",
        type="float",
        meaning="The chance of winning the game after what was done (without doubling).",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "win_gammon",
        type="float",
        meaning="The chance of winning a gammon or a backgammon.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "win_backgammon",
        type="float",
        meaning="The chance of winning a backgammon.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "lose_gammon",
        type="float",
        meaning="The chance of losing a gammon or a backgammon.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "lose_backgammon",
        type="float",
        meaning="The chance of losing a backgammon.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "luck",
        type="float",
        meaning="The luck of the roll that was played, or given up by resigning.",
        unit=_EQUITY,
        view=_PLAYER,
    ),
    Column("engine", "text", "The program that analyzed, as far as the file says."),
    Column("level", "text", "How deep it looked at what was done, in its own words."),
    Column(
        "counts_xg", "bool", "Whether it counts in an error rate by the rule of eXtreme Gammon."
    ),
    Column("counts_gnubg", "bool", "Whether it counts in one by the rule of GNU Backgammon."),
    Column(
        "mwc_error",
        type="float",
        meaning="`error` as a chance of winning the match; null in money play.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column(
        "luck_mwc",
        type="float",
        meaning="`luck` as a chance of winning the match; null in money play.",
        unit="-1 to 1",
        view=_PLAYER,
    ),
    Column(
        "rank", "int", "The place of the play that was made among the candidates, 1 for the best."
    ),
    Column(
        "equity_second",
        type="float",
        meaning="The equity of the second best play.",
        unit=_EQUITY,
        view=_PLAYER,
    ),
    Column(
        "mistake",
        type="text",
        meaning="`missed_double`, `wrong_double`, `wrong_take`, `wrong_drop`, or null.",
        unit="",
        view=_PLAYER,
    ),
    Column("line", "int", "The line of the file, counted from 1; of an .xg file, the record."),
    Column(
        "longest_prime",
        type="int",
        meaning="The most points in a row that the decider has made.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "opponent_longest_prime",
        type="int",
        meaning="The same of the opponent.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "anchors",
        type="int",
        meaning="The points that the decider has made in the opponent's home board.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "opponent_anchors",
        type="int",
        meaning="The same of the opponent.",
        unit="points",
        view=_PLAYER,
    ),
    Column(
        "number",
        "int",
        "The number of the decision in the game, from 1; another game of that number goes on.",
    ),
    Column(
        "take_point",
        type="float",
        meaning="The `win` that a take needs at this score, without gammons.",
        unit=_CHANCE,
        view=_PLAYER,
    ),
    Column("position_kind", "text", f"What players call the position: {_POSITION_KINDS}."),
)
"""The columns of the table of decisions, in order."""

LATER: Final = frozenset({"take_point", "position_kind"})
"""What a table of this version may lack, since it was added later; `search` returns null for it."""

KEYS: Final = "file", "match", "game", "turn", "engine", "number"
"""The columns of a decision that its candidates have too; no other decision has the same file, game and number."""

CANDIDATES: Final[tuple[Column, ...]] = (
    *(column for column in COLUMNS if column.name in KEYS),
    Column(
        "rank",
        "int",
        "The place of the play among the candidates, as the engine lists them, 1 for the best.",
    ),
    Column("play", type="text", meaning="The play in canonical notation.", unit="", view=_PLAYER),
    Column(
        "position_id",
        type="text",
        meaning="The Position ID of the board after it, the opponent on roll.",
        unit="",
        view="opponent",
    ),
    *(column for column in COLUMNS if column.name.startswith(("win", "lose"))),
    Column("equity", type="float", meaning="The equity of this play.", unit=_EQUITY, view=_PLAYER),
    Column("level", "text", "How deep the engine looked at it, in its own words."),
    Column(
        "standard_error",
        type="float",
        meaning="The standard error of the equity, of a rollout.",
        unit=_EQUITY,
    ),
)
"""The columns of the table of candidates, in order."""

COLUMNS_OF: Final[Mapping[Table, tuple[Column, ...]]] = {
    "decisions": COLUMNS,
    "candidates": CANDIDATES,
}


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in COLUMNS_OF[table])


# --- the values -------------------------------------------------------------------------------------------------------


Columns: TypeAlias = list[list[Any]]
"""The values of each column of a table, in order."""
_Values: TypeAlias = dict[str, list[Any]]
"""Those of some columns, by name."""
Numbers: TypeAlias = Mapping[int, Iterator[int]]
"""The numbers that the decisions of a file get, by the number of their game."""

MOST_ROWS: Final = 10_000
"""About how many rows are made at once, so that nothing needs much memory, however long a game or a match is."""


@frozen
class Decided:
    """Decisions of a game, one after another, with what all its rows have, and what those of White and Black have."""

    decisions: list[Decision]
    numbers: Sequence[int]
    """Those of the decisions."""
    findings: Mapping[int, int]
    """How many findings a decision has, by its `index`."""
    stated: bool
    """Whether the match is of a file of eXtreme Gammon, for `counts`."""
    of_all: Mapping[str, Any]
    of_seats: Mapping[str, Sequence[Any]]


def parts_of_games(
    match: Match,
    files: Sequence[str | None],
    fingerprint: str | None,
    games: Sequence[str | None],
    numbers: Numbers,
) -> Iterator[Iterator[Decided]]:
    """The decisions of each game of a match, with its file, or the one file of all, and its fingerprint.

    A file may hold several games of one number.
    """
    texts = match.site, match.event, match.round, date_text_of(match.tags)
    site, event, round_, date_text = (storable(text or "") or None for text in texts)
    about: dict[str, Any] = {
        "match": fingerprint,
        "site": site,
        "event": event,
        "round": round_,
        "date": match.date,
    }
    about |= {"date_text": date_text, "length": match.length or 0, "coin_game": match.is_coin_game}
    people = _people(match)
    findings = _findings_by_game(match)
    stated = match.format == "xg"
    for index, (game, of_game) in enumerate(zip(match.games, games, strict=True)):
        file = files[index % len(files)]
        start = game.start
        about |= {
            "file": None if file is None else storable(file),
            "game": game.number,
            "game_fingerprint": of_game,
        }
        about |= {"crawford": start.crawford, "post_crawford": start.post_crawford}
        of_seats = people | _score_columns(game)
        yield _decided_parts(
            game, numbers[game.number], findings.get(index + 1, []), stated, dict(about), of_seats
        )


def _decided_parts(
    game: Game, numbers: Iterator[int], findings: list[Finding], *about: Any
) -> Iterator[Decided]:
    decisions = game.decisions()
    counted = dict[int, int]()
    if findings:
        every = list(decisions)
        decisions = iter(every)
        counted = _findings_by_index(every, findings)
    while some := list(islice(decisions, MOST_ROWS)):
        yield Decided(some, [*islice(numbers, len(some))], counted, *about)


def columns_of(
    parts: Sequence[Decided], tables: Iterable[Table] = ("decisions",)
) -> dict[Table, Columns]:
    decisions = [decision for part in parts for decision in part.decisions]
    analyses = [None if decision.stored is None else decision.analysis for decision in decisions]
    values = _actions(decisions) | {"number": [number for part in parts for number in part.numbers]}
    for name in parts[0].of_all:
        values[name] = [
            value for part in parts for value in [part.of_all[name]] * len(part.decisions)
        ]
    seats = [[decision.player is Player.BLACK for decision in part.decisions] for part in parts]
    for name in parts[0].of_seats:
        pairs = [part.of_seats[name] for part in parts]
        values[name] = [
            pair[seat] for pair, some in zip(pairs, seats, strict=True) for seat in some
        ]
    values |= _named_columns(_OF_STATES, _states(decisions))
    values["take_point"] = [_take_point(decision) for decision in decisions]
    values["position_kind"] = [decision.state.position.kind.value for decision in decisions]
    values["findings"] = [
        part.findings.get(decision.index, 0) for part in parts for decision in part.decisions
    ]
    cells = [
        _analysis_cells(*judged, stated=parts[0].stated)
        for judged in zip(decisions, analyses, strict=True)
    ]
    values |= {
        name: [row.get(name) for row in cells]
        for name in names_of("decisions")
        if name not in values
    }
    made: dict[Table, _Values] = {
        table: values if table == "decisions" else _candidates(values, analyses) for table in tables
    }
    return {table: [columns[name] for name in names_of(table)] for table, columns in made.items()}


def storable(text: str) -> str:
    """The text as any file can store it: bytes of a file name that are not UTF-8 become escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _people(match: Match) -> dict[str, Sequence[Any]]:
    names = [storable(name) or None for name in match.players]
    ratings = [*match.ratings]
    winner = match.winner
    return {
        "player": names,
        "opponent": names[::-1],
        "seat": [player.value for player in Player],
        "rating": ratings,
        "opponent_rating": ratings[::-1],
        "match_won": [None if winner is None else winner is player for player in Player],
    }


def _score_columns(game: Game) -> dict[str, Sequence[Any]]:
    """Score, points away, and what was won: by its events, else by what the file states."""
    score = [*game.start.score]
    away = [*(game.start.away or (None, None))]
    winner, points = won_in(game) or (None, None)
    return {
        "score": score,
        "opponent_score": score[::-1],
        "away": away,
        "opponent_away": away[::-1],
        "game_points": [
            points if points is None or winner is player else -points for player in Player
        ],
    }


def _findings_by_game(match: Match) -> dict[int | None, list[Finding]]:
    graver = (finding for finding in referee(match) if finding.severity is not Severity.INFO)
    # in the order of the games
    return {game: [*its] for game, its in groupby(graver, attrgetter("game"))}


def _named_columns(names: Iterable[str], rows: Iterable[Sequence[Any]]) -> _Values:
    """The columns with these names, of rows."""
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _actions(decisions: list[Decision]) -> _Values:
    names = "turn", "line", "action", "plays"
    return {name: [getattr(decision, name) for decision in decisions] for name in names} | {
        "decision": [str(decision.kind) for decision in decisions],
        "forced": [decision.is_forced for decision in decisions],
        "hits": [
            0 if decision.kind is not _PLAY else _checkers_hit(decision) for decision in decisions
        ],
    }


def _checkers_hit(decision: Decision) -> int:
    return decision.after.position.points[BAR] + decision.state.position.points[0]


def _take_point(decision: Decision) -> float | None:
    if decision.kind is not _ANSWER or not is_of_double(decision.state):
        return None
    window = KAZAROSS_XG2.doubling_window(decision.state)
    return window.take_point if window else None


_PLAY = DecisionKind.PLAY
_ANSWER = DecisionKind.ANSWER


# --- what is on the table ---------------------------------------------------------------------------------------------


_OF_SIDES: Final = "off", "pips", "bar", "longest_prime", "anchors"
_OF_BOTH: Final = "cube", "cube_owner", "dice", "xgid", "position_id", "race"
_OF_STATES: Final = *_OF_BOTH, *_OF_SIDES, *(f"opponent_{name}" for name in _OF_SIDES)


def _states(decisions: list[Decision]) -> Iterator[Sequence[Any]]:
    for decision in decisions:
        state = decision.state
        player = decision.player
        owner = state.cube.owner
        dice = state.dice
        board = board_in(state.position)
        facts = facts_of(board if player is state.on_roll else flip(board))
        checkers = state.position.checkers
        yield (
            state.cube.value,
            "centered" if owner is None else "player" if owner is player else "opponent",
            None if dice is None else f"{dice.high}{dice.low}",
            encode_xgid(state),
            *facts[:2],
            *(checkers - facts[2], *facts[3:7]),
            *(checkers - facts[7], *facts[8:]),
        )


def _findings_by_index(decisions: list[Decision], findings: list[Finding]) -> dict[int, int]:
    """How many findings each decision has, by the index of its event.

    A finding names a line of the file, which may hold several decisions: it belongs to the last of them.
    """
    by_line = {decision.line: decision.index for decision in decisions if decision.line is not None}
    by_row = {decision.row: decision.index for decision in decisions if decision.row is not None}
    places = (
        (by_row, finding.row) if finding.line is None else (by_line, finding.line)
        for finding in findings
    )
    return Counter(indices[number] for indices, number in places if number in indices)


# --- what an engine says of it ----------------------------------------------------------------------------------------


def _analysis_cells(
    decision: Decision, analysis: Analysis | None, *, stated: bool
) -> Mapping[str, Any]:
    """The cells that are not empty, by the name of their column."""
    if analysis is None:
        return {}
    judged = judgment(analysis, decision.kind, decision.event.action)
    cells: dict[str, Any] = dict(zip(_OF_JUDGMENT, judged, strict=True))
    if isinstance(analysis, PlayAnalysis):
        made = analysis.made
        looked_at = analysis.made or analysis.best
        chances = made and made.chances
        level = looked_at.level if looked_at else ""
        if decision.state.on_roll is decision.player and analysis.luck is not None:
            cells |= {"luck": analysis.luck, "luck_mwc": in_mwc(analysis.luck, decision)}
        if analysis.played is not None:
            cells["rank"] = analysis.played + 1
        if len(analysis.candidates) > 1:
            cells["equity_second"] = analysis.candidates[1].equity
    else:
        chances = analysis.chances
        level = analysis.level
        chances = chances.flip() if chances and decision.kind is _ANSWER else chances
        cells |= {
            "equity_no_double": analysis.no_double,
            "equity_double_take": analysis.double_take,
        }
        cells["equity_double_drop"] = analysis.double_drop
        if judged.error:
            cells["mistake"] = (
                "missed_double" if decision.action == "roll" else f"wrong_{decision.action}"
            )
    if chances is not None:
        cells |= zip(_FIVE, _five(chances), strict=True)
    if judged.error is not None:
        cells["mwc_error"] = in_mwc(judged.error, decision)
    for rule in ("xg", "gnubg"):
        cells[f"counts_{rule}"] = counts(decision, analysis, rule, states_errors=stated)
    return cells | {"engine": storable(analysis.engine) or None, "level": storable(level) or None}


_FIVE: Final = "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
_five = attrgetter(*_FIVE)
_OF_JUDGMENT: Final = "best", "equity_best", "equity", "error"


def _candidates(values: _Values, analyses: list[Analysis | None]) -> _Values:
    """The columns of the candidates; `values` are those of the decisions."""
    listed = [
        (at, candidate)
        for at, analysis in enumerate(analyses)
        for candidate in _ranked_candidates(analysis)
    ]
    rows = [_candidate_cells(*candidate) for _, candidate in listed]
    columns: _Values = (
        _named_columns(_OF_CANDIDATES, rows) if rows else {name: [] for name in _OF_CANDIDATES}
    )
    return {name: [values[name][at] for at, _ in listed] for name in KEYS} | columns


def _ranked_candidates(analysis: Analysis | None) -> Iterable[tuple[int, Candidate]]:
    return enumerate(analysis.candidates, start=1) if isinstance(analysis, PlayAnalysis) else ()


def _candidate_cells(rank: int, candidate: Candidate) -> Sequence[Any]:
    play = candidate.play
    position = candidate.position
    chances = candidate.chances
    five = (None,) * 5 if chances is None else _five(chances)
    return (
        rank,
        play,
        position.id,
        *five,
        candidate.equity,
        storable(candidate.level) or None,
        candidate.standard_error,
    )


_OF_CANDIDATES: Final = "rank", "play", "position_id", *_FIVE, "equity", "level", "standard_error"
