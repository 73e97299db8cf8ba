"""Opening plays and replies of an archive: how often they are made, what comes of them, and what they cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from statistics import fmean, mode
from typing import Any, Final

from gammonrules._shared.sample_means import error_of_mean
from gammonrules.board import Position
from gammonrules.records.archive import Paths, search
from gammonrules.records.transcript import XG, is_close

_PLAYS: Final = "opening_dice", "opening", "dice", "action"
_MADE: Final = (
    "match",
    "game_fingerprint",
    "file",
    "turn",
    "dice",
    "action",
    "position_id",
    "game_points",
    "match_won",
)
_JUDGED: Final = (
    "best",
    "error",
    "counts_xg",
    "engine",
    "level",
    "rank",
    "equity_best",
    "equity_second",
)
_READ: Final = *_MADE, "game", "number", *_JUDGED
_game: Final = itemgetter("match", "game_fingerprint")
_play: Final = itemgetter("dice", "action")
_decision: Final = itemgetter("file", "game", "number")


def openings(tables: Paths, *conditions: object, candidates: Paths = ()) -> list[dict[str, Any]]:
    """What is played in the opening, and in reply to it, how it ends, and what it costs.

    Only games count that begin with the usual position and no doublet, each once, in however many of the files that
    were exported it is. A reply belongs to the play before it, whose board it must begin with.

    Errors are those of one engine at one level, which analyzed most of these games, then most of these plays, then the
    first of them; those of others do not count.
    Choose others by a condition, such as "engine = bgsage".

    Args:
        tables: as for `search`: tables that `export` has written as ".parquet".
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
    starts = search(
        tables, "decision = play", "turn = 1", f"position_id = {_after('', '')}", columns=_READ[:6]
    )
    firsts = {
        _game(row): _play(row) for row in starts.to_pylist() if len({*(row["dice"] or "")}) == 2
    }
    chosen = search(tables, "decision = play", "turn <= 2", *conditions, columns=_READ)
    rows, by = _by_one_judge(tables, chosen.to_pylist())
    costs = _ranked(candidates, rows)
    cells: dict[tuple[str, ...], dict[tuple[str, str], Any]] = defaultdict(dict)
    for row in rows:
        opening = ("", "") if row["turn"] == 1 else firsts.get(_game(row), ("", ""))
        if all(_play(row)) and _game(row) in firsts and row["position_id"] == _after(*opening):
            cells[*opening, *_play(row)].setdefault(_game(row), row)
    told = list[dict[str, Any]]()
    for cell in sorted(cells, key=lambda cell: (cell[:3], -len(cells[cell]), cell)):
        row = dict(zip(_PLAYS, cell, strict=True)) | _summed_up([*cells[cell].values()]) | by
        before = _after(*cell[:2])
        listed = costs[
            before, row["dice"], Position.from_id(before).play(row["action"], row["dice"]).id
        ]
        told.append(row | {"cost": fmean(listed) if listed else row["error"]})
    return told


@cache
def _after(dice: str, opening: str) -> str:
    """The board after an opening, or before it."""
    return (Position.start().play(opening, dice) if dice else Position.start()).id


def _ranked(candidates: Paths, rows: Sequence[Any]) -> defaultdict[Any, list[float]]:
    """What plays cost by the analyses that count, by the board before, the dice and the board after."""
    costs = defaultdict[Any, list[float]](list)
    judged = {_decision(row): row for row in rows if row["error"] is not None}
    columns = "file", "game", "number", "position_id", "equity"
    for after in search(candidates, "turn <= 2", "equity !=", columns=columns).to_pylist():
        if (row := judged.get(_decision(after))) and row["equity_best"] is not None:
            cost = max(row["equity_best"] - after["equity"], 0.0)
            costs[row["position_id"], row["dice"], after["position_id"]].append(cost)
    return costs


def _by_one_judge(tables: Paths, rows: list[Any]) -> tuple[list[Any], dict[str, str]]:
    """The rows, first those that one engine judged, and at one level; others lose their errors.

    Engines look less deep at plays that seem bad: a match has the level of most of its plays, and other levels count
    only where they are not close to the best.
    """
    analysis = itemgetter("file", "match", "engine")
    counted = search(
        tables, "decision = play", "counts_xg = true", columns=("file", "match", "engine", "level")
    )
    often = (
        counted.group_by(counted.column_names)
        .aggregate([([], "count_all")])
        .sort_by("count_all")
        .to_pylist()
    )
    levels = {analysis(row): row["level"] for row in often}
    for row in rows:
        row["won"] = row["game_points"] and row["game_points"] > 0
        level = "" if row["engine"] == XG else levels.get(analysis(row)) or ""
        is_near = row["rank"] in {1, 2} and is_close(row["equity_best"], row["equity_second"])
        is_other = level not in {"", row["level"]} and is_near
        row["by"] = row["engine"] or "", level
        row["judge"] = row["counts_xg"] and not is_other and row["by"]
    judge = _most(rows)
    rows = [row | {"error": row["error"] if row["judge"] == judge else None} for row in rows]
    return sorted(rows, key=lambda row: row["judge"] != judge), dict(
        zip(("engine", "level"), judge, strict=True)
    )


def _most(rows: Sequence[Any]) -> tuple[str, str]:
    """The judge of most games, however many copies there are, then of most plays, then the first; of one that counts.

    Analyzed plays are compared, since engines differ in which of them count.
    """
    analyzed = {(row["by"], _game(row), row["turn"]) for row in rows if row["error"] is not None}
    games = Counter(by for by, _ in {(by, game) for by, game, _ in analyzed})
    plays = Counter(by for by, *_ in analyzed)
    judges = dict.fromkeys(row["judge"] for row in rows if row["judge"])
    return max(judges, key=lambda by: (games[by], plays[by]), default=("", ""))


def _summed_up(plays: Sequence[Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"games": len(plays)}
    for name in ("won", "game_points", "match_won", "error"):
        numbers = [play[name] for play in plays if play[name] is not None]
        told[name] = fmean(numbers) if numbers else None
        told[f"{name}_se"] = error_of_mean(numbers) if len({*numbers}) > 1 else None
    best = [play["best"] for play in plays if play["error"] is not None]
    return told | {"judged": len(best), "best": mode(best) if best else None}
