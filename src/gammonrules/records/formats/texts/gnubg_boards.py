"""Boards as GNU Backgammon shows them, in a session or a mail, each perhaps with a hint below it: positions.

White is the player whom the program draws as X, at the bottom, as in a Position ID and Match ID anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from gammonrules.errors import GammonError, ParseError
from gammonrules.identifiers.internals import decode_gnubg_id, possible_state
from gammonrules.match import Double
from gammonrules.records.formats.texts.gnubg_analysis import analyses_in
from gammonrules.records.formats.texts.gnubg_sheet import TextDecision, TextSheet, name_beside
from gammonrules.records.formats.texts.text_patterns import MOST_POSITIONS, TextPosition, matches_of
from gammonrules.records.transcript import FindingKind, Match, Severity

_RANK = re.compile(r"[* ]{0,9}([0-9]{1,4})\. ")


def has_only_boards(sheet: TextSheet) -> bool:
    """Whether no board of a text has a heading or an action."""
    return all(
        decision.row is None and decision.action is None
        for game in sheet.games
        for decision in game.decisions
    )


def read_boards(sheet: TextSheet) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is none, or there are too many."""
    boards = [decision for game in sheet.games for decision in game.decisions]
    runs = [
        list(run)
        for _, run in groupby(boards, key=lambda board: (board.position_id, board.match_id))
    ]
    positions = [
        _as_position(board, sheet.engine) for run in runs for board in _without_repeats(run)
    ]
    if len(positions) > MOST_POSITIONS:
        raise ParseError(f"the text has more than {MOST_POSITIONS:,} positions, the limit")
    return matches_of(positions, "gnubg-text")


def _without_repeats(run: Sequence[TextDecision]) -> Iterable[TextDecision]:
    """Those of equal boards in a row that have a hint, or else the first: a session shows a board again and again."""
    return [board for board in run if any(map(_RANK.match, board.body))] or run[:1]


def _as_position(board: TextDecision, engine: str) -> TextPosition:
    position = TextPosition(board.line, board.text.strip())
    position.names = name_beside(board.names.get("X", "")), name_beside(board.names.get("O", ""))
    try:
        state, _ = possible_state(
            decode_gnubg_id(f"{board.position_id}:{board.match_id}"), None, None
        )
    except GammonError as error:
        position.findings.append(
            (Severity.ERROR, FindingKind.UNREADABLE_LINE, f"this position is left out: {error}")
        )
        return position
    position.state = state
    cube, answer, play, damaged = analyses_in(_last_hint(board.body), engine)
    position.doubt_analysis([damaged] if damaged else [])
    position.analysis = (
        play if state.dice is not None else answer if isinstance(state.offer, Double) else cube
    )
    return position


def _last_hint(body: Sequence[str]) -> Sequence[str]:
    """The lines from below the hint before the last one, whose ranks began again at 1."""
    ranks = [(at, int(rank[1])) for at, line in enumerate(body) if (rank := _RANK.match(line))]
    first = next((index for index in reversed(range(len(ranks))) if ranks[index][1] == 1), 0)
    return body[ranks[first - 1][0] + 1 :] if first else body
