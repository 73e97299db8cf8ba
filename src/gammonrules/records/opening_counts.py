"""Opening plays and replies of an archive: how often they are made, what comes of them, and what they cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from operator import itemgetter
from statistics import fmean, mode
from typing import Any, Final, TypeAlias

from attrs import frozen

from gammonrules._shared.sample_means import error_of_mean
from gammonrules.board import Position
from gammonrules.records.archive import Paths, search
from gammonrules.records.transcript import ROLLS_THAT_TELL_APART, XG, Evaluator, is_close

_READ: Final = (
    "match",
    "game_fingerprint",
    "player",
    "opponent",
    "file",
    "game",
    "number",
    "turn",
    "dice",
    "action",
    "position_id",
    "game_points",
    "match_won",
    "best",
    "error",
    "counts_xg",
    "engine",
    "level",
    "rank",
    "equity_best",
    "equity_second",
)
_Game: TypeAlias = tuple[str | None, str | None, tuple[str | None, ...]]
"""A match and a game by their fingerprints; and the names of the players as they rolled first, if the game is short."""
_Analysis: TypeAlias = tuple[str | None, str | None, str | None]
"""A file, a match and an engine."""
_game: Final[Callable[[Any], _Game]] = itemgetter("match", "game_fingerprint", "names")
_analysis: Final[Callable[[Any], _Analysis]] = itemgetter("file", "match", "engine")
_decision: Final = itemgetter("file", "game", "number")


def openings(tables: Paths, *conditions: object, candidates: Paths = ()) -> list[dict[str, Any]]:
    """What is played in the opening, and in reply to it, how it ends, and what it costs.

    Only games count that begin with the usual position and no doublet. Each counts once, in however many of the files
    that were exported it is. A game with fewer than eight turns is the same only if the
    players are, in the order of their first rolls. A reply belongs to the play before it, whose board it must begin
    with.

    Errors are those of one engine at one level, which analyzed most of these games, then most of these plays, then the
    first of them; those of others do not count.
    Choose others by a condition, such as "engine = bgsage".

    Args:
        tables: as for `search`: tables that `export` has written as ".parquet", or folders of them.
        conditions: as for `search`: what must hold for a play, such as "player = Ann Lee" or "away = 1". It is not
            asked of the opening that is replied to.
        candidates: the tables of candidates that `export` has written with them, as ".parquet", which say what a play
            costs where another one was made; by default none.

    Returns:
        A row for each play, by `opening_dice`, `opening` and `dice`, the most frequent first. `opening_dice` and
        `opening` are the dice and the play that it replies to, "" for openings; `dice` and `action` its own, as in the
        table of decisions. `games` is how often it was made. `won` is the share of these games that the player won,
        `game_points` what they won on average, in points with the cube, and `match_won` the share of matches, as often
        as they have such a game. `error` is the cost on average, in normalized equity, of the `judged` ones, those
        that count in an error rate by the rule of eXtreme Gammon. With `_se` after their names these four are the
        standard errors. `best` is what most often was the best play. `cost` is what the play costs on average by the
        candidates of these analyses of the roll, whoever made which, or else `error`. `engine` and `level` are the
        same in all rows; the level is "" for eXtreme Gammon, which mixes its own. What is not known is None.

    Raises:
        ParseError: a file is no such table, cannot be read, or lacks a column; the message begins with its path.
        GammonError: a condition cannot be met or read, as by `search`.
        ImportError: pyarrow is not installed.

    Examples:
        >>> import tempfile
        >>> from gammonrules.records import export, openings
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = export("examples/matches/studio", f"{folder}/decisions.parquet")
        ...     rows = openings(f"{folder}/decisions.parquet")
        >>> for row in rows:
        ...     if row["dice"] == "31" and not row["opening"]:
        ...         print(row["action"], row["games"], round(row["won"], 2))
        8/5 6/5 2 0.5
        >>> replies = [row for row in rows if row["opening"] == "8/5 6/5"]
        >>> len(replies), replies[0]["dice"], replies[0]["action"]
        (2, '61', '13/7 8/7')
    """
    long_games = _long_games(tables)
    openings_played = _openings_by_game(tables, long_games)
    chosen = search(tables, "decision = play", "turn <= 2", *conditions, columns=_READ).to_pylist()
    _add_names(chosen, long_games)
    turns = _opening_turns(tables, chosen)
    evaluator = _main_evaluator(turns)
    for turn in turns:
        if not turn.is_evaluated_by(evaluator):  # its error does not count
            turn.row["error"] = None
    costs = _costs_of_candidates(candidates, turns)
    # A game counts once, by its first row below: so copies of this evaluator come first.
    by_evaluator = [turn for turn in turns if turn.is_evaluated_by(evaluator)]
    by_others = [turn for turn in turns if not turn.is_evaluated_by(evaluator)]
    games_of_plays: dict[_OpeningPlay, dict[_Game, Any]] = defaultdict(dict)
    for turn in (*by_evaluator, *by_others):
        row = turn.row
        opening = openings_played.get(_game(row))
        if opening is None or not row["dice"] or not row["action"]:
            continue
        replied_to = None if row["turn"] == 1 else opening
        if row["position_id"] == _board_after_opening(replied_to):
            play = _OpeningPlay(replied_to, row["dice"], row["action"])
            games_of_plays[play].setdefault(_game(row), row)
    rows = list[dict[str, Any]]()
    for play, games in sorted(games_of_plays.items(), key=_rank_of_play):
        row = play.cells() | _summed_up([*games.values()])
        row["engine"] = evaluator.engine
        row["level"] = evaluator.level.label
        costs_of_play = costs[play.boards()]
        row["cost"] = fmean(costs_of_play) if costs_of_play else row["error"]
        rows.append(row)
    return rows


# --- plays ------------------------------------------------------------------------------------------------------------


@frozen
class _FirstPlay:
    """The first play of a game."""

    dice: str
    action: str


@frozen
class _OpeningPlay:
    """An opening, or a reply to one."""

    opening: _FirstPlay | None
    """What it replies to; None for an opening."""
    dice: str
    action: str

    def cells(self) -> dict[str, Any]:
        opening = self.opening or _FirstPlay("", "")
        return {
            "opening_dice": opening.dice,
            "opening": opening.action,
            "dice": self.dice,
            "action": self.action,
        }

    def boards(self) -> _BoardsOfPlay:
        before = _board_after_opening(self.opening)
        after = Position.from_id(before).play(self.action, self.dice).id
        return _BoardsOfPlay(before, self.dice, after)


@frozen
class _BoardsOfPlay:
    """A play by its Position IDs, however it is written."""

    before: str
    dice: str
    after: str


@cache
def _board_after_opening(opening: _FirstPlay | None) -> str:
    """The Position ID after an opening, or before it."""
    start = Position.start()
    return start.id if opening is None else start.play(opening.action, opening.dice).id


def _rank_of_play(item: tuple[_OpeningPlay, dict[_Game, Any]]) -> tuple[object, ...]:
    """By roll; of each roll, first the play that was made most."""
    play, games = item
    opening = play.opening or _FirstPlay("", "")
    return opening.dice, opening.action, play.dice, -len(games), play.action


def _long_games(tables: Paths) -> set[str]:
    """The fingerprints of games that are long enough to be known by them alone."""
    last_turn = f"turn = {ROLLS_THAT_TELL_APART}"
    rows = search(tables, "decision = play", last_turn, columns=["game_fingerprint"])
    return {*rows["game_fingerprint"].to_pylist()}


def _add_names(rows: Iterable[dict[str, Any]], long_games: Container[str]) -> None:
    """Add the names that tell a short game from an equal one of other players: first who rolled first."""
    for row in rows:
        names = (row["player"], row["opponent"])
        if row["turn"] != 1:
            names = names[::-1]
        is_long = row["game_fingerprint"] in long_games
        row["names"] = () if is_long else names


def _openings_by_game(tables: Paths, long_games: Container[str]) -> dict[_Game, _FirstPlay]:
    """The opening roll and play of each game that has the usual start, and no doublet."""
    at_start = f"position_id = {_board_after_opening(None)}"
    columns = ("match", "game_fingerprint", "player", "opponent", "turn", "dice", "action")
    rows = search(tables, "decision = play", "turn = 1", at_start, columns=columns).to_pylist()
    _add_names(rows, long_games)
    openings_played: dict[_Game, _FirstPlay] = {}
    for row in rows:
        dice = row["dice"] or ""
        has_two_faces = len({*dice}) == 2
        if has_two_faces:
            openings_played[_game(row)] = _FirstPlay(dice, row["action"])
    return openings_played


def _summed_up(rows: Sequence[Any]) -> dict[str, Any]:
    """The cells of a row about a play: how the games went in which it was made."""
    cells: dict[str, Any] = {"games": len(rows)}
    for name in ("won", "game_points", "match_won", "error"):
        numbers = [row[name] for row in rows if row[name] is not None]
        cells[name] = fmean(numbers) if numbers else None
        # numbers that are all equal do not show how they vary
        can_be_estimated = len({*numbers}) > 1
        cells[f"{name}_se"] = error_of_mean(numbers) if can_be_estimated else None
    best = [row["best"] for row in rows if row["error"] is not None]
    cells["judged"] = len(best)
    cells["best"] = mode(best) if best else None
    return cells


# --- their evaluator --------------------------------------------------------------------------------------------------


@frozen
class _OpeningTurn:
    """A row of one of the first two turns, and who analyzed it."""

    row: dict[str, Any]
    evaluator: Evaluator
    is_counted: bool
    """Whether it counts in an error rate, and was looked at as deep as most of its match."""

    def is_evaluated_by(self, evaluator: Evaluator) -> bool:
        return self.is_counted and self.evaluator == evaluator


def _opening_turns(tables: Paths, rows: Sequence[dict[str, Any]]) -> list[_OpeningTurn]:
    """The rows, each with its evaluator.

    Engines look less deep at plays that seem bad: a match has the level of most of its plays, and other levels count
    only where they are not close to the best.
    """
    levels = _level_of_most(tables)
    turns: list[_OpeningTurn] = []
    for row in rows:
        points = row["game_points"]
        row["won"] = None if points is None else points > 0
        level = ""
        if row["engine"] != XG:  # which mixes its levels
            level = levels.get(_analysis(row)) or ""
        is_best_or_second = row["rank"] in {1, 2}
        is_near = is_best_or_second and is_close(row["equity_best"], row["equity_second"])
        is_at_level = level in {"", row["level"]}  # "" where levels are not told apart
        is_counted = bool(row["counts_xg"]) and (is_at_level or not is_near)
        turns.append(_OpeningTurn(row, Evaluator(row["engine"] or "", level), is_counted))
    return turns


def _level_of_most(tables: Paths) -> dict[_Analysis, str | None]:
    """The level of most plays of each match that an engine analyzed."""
    columns = ("file", "match", "engine", "level")
    counted = search(tables, "decision = play", "counts_xg = true", columns=columns)
    # how many rows there are of each file, match, engine and level
    numbers = counted.group_by(counted.column_names).aggregate([([], "count_all")])
    levels: dict[_Analysis, str | None] = {}
    for row in numbers.sort_by("count_all").to_pylist():
        levels[_analysis(row)] = row["level"]  # the most frequent of each comes last, and stays
    return levels


def _main_evaluator(turns: Sequence[_OpeningTurn]) -> Evaluator:
    """Of those with plays that count, the one of most games, then of most plays, then the first. Copies add nothing.

    Compared are all plays that they analyzed, since engines differ in which of these count.
    """
    of_games: set[tuple[Evaluator, _Game]] = set()
    of_plays: set[tuple[Evaluator, _Game, int]] = set()
    evaluators: dict[Evaluator, None] = {}  # as a set that keeps the order
    for turn in turns:
        if turn.row["error"] is not None:
            of_games.add((turn.evaluator, _game(turn.row)))
            of_plays.add((turn.evaluator, _game(turn.row), turn.row["turn"]))
        if turn.is_counted:
            evaluators[turn.evaluator] = None
    games = Counter(evaluator for evaluator, _ in of_games)
    plays = Counter(evaluator for evaluator, _, _ in of_plays)

    def games_then_plays(evaluator: Evaluator) -> tuple[int, int]:
        return games[evaluator], plays[evaluator]

    return max(evaluators, key=games_then_plays, default=Evaluator("", ""))


def _costs_of_candidates(
    candidates: Paths, turns: Sequence[_OpeningTurn]
) -> defaultdict[_BoardsOfPlay, list[float]]:
    """The costs of plays by the analyses whose errors count, whether or not a play was made there."""
    costs = defaultdict[_BoardsOfPlay, list[float]](list)
    counting: dict[Any, dict[str, Any]] = {}  # rows by their decision
    for turn in turns:
        if turn.row["error"] is not None:
            counting[_decision(turn.row)] = turn.row
    columns = ("file", "game", "number", "position_id", "equity")
    for candidate in search(candidates, "turn <= 2", "equity !=", columns=columns).to_pylist():
        row = counting.get(_decision(candidate))
        if row is not None and row["equity_best"] is not None:
            boards = _BoardsOfPlay(row["position_id"], row["dice"], candidate["position_id"])
            cost = row["equity_best"] - candidate["equity"]
            costs[boards].append(max(cost, 0.0))
    return costs
