"""The table of decisions as an analyst makes it without `records.to_table`: a loop over states and events.

It makes the same columns, up to `level`. The records that are measured hold no analyses, so theirs stay empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gammonrules import records
from gammonrules.match import Action, Event, Player

KINDS = {"roll": "double", "take": "answer", "drop": "answer", "beaver": "answer", "resign": "resign"}
KINDS |= {"double": "double", "play": "play", "accept": "resign_answer", "decline": "resign_answer"}


def write_table(paths: list[Path], output: Path) -> int:
    """Read the records, make their rows, and write them with pyarrow; the number of rows."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = [row for path in paths for row in rows_of(path)]
    pq.write_table(pa.Table.from_pylist(rows), output)
    return len(rows)


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    match = records.load(path)
    findings = [finding for finding in records.referee(match) if finding.severity != "info"]
    fingerprint = match.fingerprint
    for number, game in enumerate(match.games, 1):
        states, turn = list(game.states()), 1
        result, game_fingerprint, length = game.result, game.fingerprint, game.start.length
        for index, event in enumerate(game.events):
            if not isinstance(event, Event):
                continue
            state, after = states[index], states[index + 1]
            kind = KINDS.get(event.action)
            if kind is not None and not (event.action is Action.ROLL and Action.DOUBLE not in state.legal_actions):
                player = event.by if isinstance(event.by, Player) else state.to_act
                other = player.opponent
                board = state.view(player)
                plays = len(state.legal_plays) if kind == "play" else None
                hits = 0
                if kind == "play":
                    hits = after.position.bar - state.position.opponent_bar
                owner = state.cube.owner
                row = {
                    "file": str(path),
                    "match": fingerprint,
                    "site": match.site,
                    "event": match.event,
                    "round": match.round,
                    "date": match.date,
                    "date_text": dict(match.tags).get("EventDate"),
                    "length": match.length or 0,
                    "coin_game": match.is_coin_game,
                    "game": game.number,
                    "game_fingerprint": game_fingerprint,
                    "turn": turn,
                    "player": match.players[player] or None,
                    "opponent": match.players[other] or None,
                    "seat": player.value,
                    "rating": match.ratings[player],
                    "opponent_rating": match.ratings[other],
                    "score": game.score[player],
                    "opponent_score": game.score[other],
                    "away": None if length is None else length - game.score[player],
                    "opponent_away": None if length is None else length - game.score[other],
                    "crawford": state.crawford,
                    "post_crawford": state.post_crawford,
                    "cube": state.cube.value,
                    "cube_owner": "centered" if owner is None else "player" if owner is player else "opponent",
                    "decision": kind,
                    "dice": None if state.dice is None else str(state.dice),
                    "action": words(event),
                    "plays": plays,
                    "forced": plays == 1,
                    "position_id": board.id,
                    "xgid": state.xgid,
                    "pips": board.pip_count,
                    "opponent_pips": board.opponent_pip_count,
                    "bar": board.bar,
                    "opponent_bar": board.opponent_bar,
                    "off": board.off,
                    "opponent_off": board.opponent_off,
                    "race": board.is_race,
                    "hits": hits,
                    "game_points": None
                    if result is None
                    else (result.points if result.winner is player else -result.points),
                    "match_won": None if match.winner is None else match.winner is player,
                    "findings": sum((f.game, f.line) == (number, game.lines[index]) for f in findings),
                }
                row |= dict.fromkeys(ANALYSIS)
                yield row
            turn += event.action is Action.PLAY


NAMES = [column.name for column in records.COLUMNS]
ANALYSIS = NAMES[NAMES.index("best") : NAMES.index("level") + 1]


def words(event: Event) -> str:
    """What was done: readers write plays as canonical text."""
    if event.action is Action.PLAY:
        return str(event.argument)
    return event.argument.name.lower() if event.action is Action.RESIGN else event.action.value
