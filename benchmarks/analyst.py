"""The table of decisions as an analyst makes it without `records.to_table`: a loop over states and events.

It makes all columns of `records.COLUMNS`, of records without analyses: those of an analysis stay empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from gammonrules import MatchState, Position, records
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.match import Action, Event, Phase, Player

Row: TypeAlias = dict[str, Any]

NO_VALUES: Row = dict.fromkeys(column.name for column in records.COLUMNS)
"""A row with every column, to which the loop adds the values that it finds."""
KINDS = {"roll": "double", "take": "answer", "drop": "answer", "beaver": "answer", "resign": "resign"}
KINDS |= {"double": "double", "play": "play", "accept": "resign_answer", "decline": "resign_answer"}


def write_table(paths: list[Path], output: Path) -> None:
    """Read the records, make their rows, and write them with pyarrow."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = [row for path in paths for row in rows_of(path)]
    pq.write_table(pa.Table.from_pylist(rows), output)


def rows_of(path: Path) -> Iterator[Row]:
    match = records.load(path)
    findings = [finding for finding in records.referee(match) if finding.severity != "info"]
    of_match = {"file": str(path)} | columns_of_match(match)
    numbers = Counter[int]()
    for place, game in enumerate(match.games, 1):
        rows = [*decisions_of(match, game)]
        last = {row["line"]: row for row in rows}  # the decision to which a finding in this line belongs
        for finding in findings:
            if finding.game == place and finding.line in last:
                last[finding.line]["findings"] += 1
        of_game = of_match | columns_of_game(game, rows)
        for row in rows:
            numbers[game.number] += 1
            yield NO_VALUES | of_game | row | {"number": numbers[game.number]}


def check_rows(paths: list[Path], rows: list[Row]) -> None:
    """The library finds the same values in every column."""
    table = records.to_table(paths, workers=1).to_pydict()
    other = [name for name in table | rows[0] if table.get(name) != [row[name] for row in rows]]
    if other:
        raise SystemExit(f"correct benchmarks/analyst.py: the library has other values in {', '.join(other)}")


def columns_of_match(match: records.Match) -> Row:
    return {
        "match": match.fingerprint,
        "site": match.site,
        "event": match.event,
        "round": match.round,
        "date": match.date,
        "date_text": dict(match.tags).get("EventDate"),
        "length": match.length or 0,
        "coin_game": match.is_coin_game,
        "match_games": len(match.games),
        "time": match.time,
    }


def columns_of_game(game: records.Game, rows: list[Row]) -> Row:
    plays: Mapping[int, Row] = {}
    if game.start.phase is Phase.OPENING:
        plays = {row["turn"]: row for row in rows if row["decision"] == "play"}
    opening, reply = plays.get(1, {}), plays.get(2, {})
    result = game.result
    win = None if result is None else result.win
    return {
        "game": game.number,
        "game_fingerprint": game.fingerprint,
        "crawford": game.start.crawford,
        "post_crawford": game.start.post_crawford,
        "opening_dice": opening.get("dice"),
        "opening": opening.get("action"),
        "reply_dice": reply.get("dice"),
        "reply": reply.get("action"),
        "game_end": None if result is None else result.end.value,
        "game_win": None if win is None else win.name.lower(),
    }


def decisions_of(match: records.Match, game: records.Game) -> Iterator[Row]:
    """What differs from row to row of a game."""
    states, turn = list(game.states()), 1
    of_players = {player: columns_of_player(match, game, player) for player in Player}
    for index, event in enumerate(game.events):
        if not isinstance(event, Event):
            continue
        state, after = states[index], states[index + 1]
        kind = KINDS.get(event.action)
        if kind is not None and not (event.action is Action.ROLL and Action.DOUBLE not in state.legal_actions):
            player = event.by if isinstance(event.by, Player) else state.to_act
            plays = len(state.legal_plays) if kind == "play" else None
            yield {
                "turn": turn,
                "line": game.lines[index],
                "decision": kind,
                "action": words(event),
                "plays": plays,
                "forced": plays == 1,
                "hits": after.position.bar - state.position.opponent_bar if kind == "play" else 0,
                "take_point": take_point(state) if kind == "answer" else None,
                "findings": 0,
                **of_players[player],
                **columns_of_state(state, player),
            }
        turn += event.action is Action.PLAY


def columns_of_player(match: records.Match, game: records.Game, player: Player) -> Row:
    other = player.opponent
    length, result = game.start.length, game.result
    points = None if result is None else (result.points if result.winner is player else -result.points)
    return {
        "player": match.players[player] or None,
        "opponent": match.players[other] or None,
        "seat": player.value,
        "rating": match.ratings[player],
        "opponent_rating": match.ratings[other],
        "score": game.score[player],
        "opponent_score": game.score[other],
        "away": None if length is None else length - game.score[player],
        "opponent_away": None if length is None else length - game.score[other],
        "game_points": points,
        "match_won": None if match.winner is None else match.winner is player,
    }


def columns_of_state(state: MatchState, player: Player) -> Row:
    board, owner = state.view(player), state.cube.owner
    return {
        "cube": state.cube.value,
        "cube_owner": "centered" if owner is None else "player" if owner is player else "opponent",
        "dice": None if state.dice is None else str(state.dice),
        "position_id": board.id,
        "xgid": state.xgid,
        "pips": board.pip_count,
        "opponent_pips": board.opponent_pip_count,
        "bar": board.bar,
        "opponent_bar": board.opponent_bar,
        "off": board.off,
        "opponent_off": board.opponent_off,
        "race": board.is_race,
        "longest_prime": board.longest_prime,
        "opponent_longest_prime": board.flip().longest_prime,
        "anchors": anchors(board),
        "opponent_anchors": anchors(board.flip()),
        "position_kind": str(board.kind),
    }


def anchors(board: Position) -> int:
    return sum(count > 1 for count in board.points[19:25])


def take_point(state: MatchState) -> float | None:
    double = state.pending_double
    window = KAZAROSS_XG2.doubling_window(state) if double and not double.beavers else None
    return window and window.take_point


def words(event: Event) -> str:
    """What was done: readers write plays as canonical text."""
    if event.action is Action.PLAY:
        return str(event.argument)
    return event.argument.name.lower() if event.action is Action.RESIGN else event.action.value
