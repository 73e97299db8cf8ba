"""Boards as GNU Backgammon shows them, in a session or a mail, each perhaps with a hint below it: positions.

White is the player whom the program draws as X, at the bottom, as in a Position ID and Match ID anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise

from gammonrules.errors import GammonError, ParseError
from gammonrules.identifiers.internals import decode_gnubg_id, possible_state
from gammonrules.match import Double
from gammonrules.records.formats.texts.gnubg_analysis import analyses_in
from gammonrules.records.formats.texts.gnubg_sheet import TextDecision, TextSheet, name_beside
from gammonrules.records.formats.texts.text_patterns import MAX_POSITIONS, TextPosition, matches_of
from gammonrules.records.transcript import Match

_RANK = re.compile(r"[* ]{0,9}([0-9]{1,4})\. ")


def has_only_boards(sheet: TextSheet) -> bool:
    """Whether no board of a text has a heading or an action."""
    return all(board.row is None and board.action is None for board in _boards_of(sheet))


def _boards_of(sheet: TextSheet) -> Iterator[TextDecision]:
    return chain.from_iterable(game.decisions for game in sheet.games)


def read_boards(sheet: TextSheet) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is none, or there are too many."""
    positions: list[TextPosition] = []
    for _, run in groupby(_boards_of(sheet), key=lambda board: board.identifiers):
        boards = _without_repeats(list(run))
        positions += [_as_position(board, sheet.engine) for board in boards]
    if len(positions) > MAX_POSITIONS:
        raise ParseError(f"the text has more than {MAX_POSITIONS:,} positions, the limit")
    return matches_of(positions, "gnubg-text")


def _without_repeats(run: Sequence[TextDecision]) -> Sequence[TextDecision]:
    """The decisions with a hint among equal boards in a row, or else the first: a session repeats boards."""
    with_hint = [board for board in run if any(map(_RANK.match, board.body))]
    return with_hint or run[:1]


def _as_position(board: TextDecision, engine: str) -> TextPosition:
    position = TextPosition(board.line, board.text.strip())
    position.names = (name_beside(board.names.get("X", "")), name_beside(board.names.get("O", "")))
    identifier = f"{board.position_id}:{board.match_id}"
    try:
        state, _ = possible_state(decode_gnubg_id(identifier), None, None)
    except GammonError as error:
        position.refuse(str(error))
        return position
    position.state = state
    begin = _begin_of_last_hint(board.body)
    position.numbers = board.body_numbers[begin:]
    analyses = analyses_in(board.body[begin:], engine)
    position.doubt_analysis(analyses.unread(state).doubt or analyses.damaged)
    if state.dice is not None:
        position.analysis = analyses.of_play
    elif isinstance(state.offer, Double):
        position.analysis = analyses.of_answer
    else:
        position.analysis = analyses.of_double
    return position


def _begin_of_last_hint(body: Sequence[str]) -> int:
    """The index of the first line below the hint before the last one; the ranks of each hint begin at 1."""
    ranks: dict[int, int] = {}
    for at, line in enumerate(body):
        rank = _RANK.match(line)
        if rank is not None:
            ranks[at] = int(rank[1])
    begin = 0
    for ranked_line_above, at in pairwise(ranks):
        begins_a_hint = ranks[at] == 1
        if begins_a_hint:
            begin = ranked_line_above + 1
    return begin
