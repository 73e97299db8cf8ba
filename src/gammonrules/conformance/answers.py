"""The right answer to each question of the suite."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, Final, TypeAlias

from gammonrules._json_protocol.flat_states import (
    board_keys,
    boards_after,
    event_of,
    flat,
    state_of_flat,
)
from gammonrules.board import Plays, Position
from gammonrules.board.internals import count_plays
from gammonrules.errors import ArgumentError, GammonError, IdentifierWarning
from gammonrules.identifiers import read
from gammonrules.identifiers.internals import ReadForm, write
from gammonrules.values import choice_argument, shown

KINDS = "plays", "orders", "perft", "table", "identifiers"
"""What can be asked, beside "hello"."""

Order: TypeAlias = tuple[tuple[int, int], ...]


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """The right answer to a question of the conformance suite, such as `gammonrules conform` asks.

    Boards are 26 counts as the player on roll sees them, before and after their play: their checkers are positive, 25
    is their bar, 0 the opponent's.

    Args:
        question: an object with an `id`, what is asked (`ask`), and what belongs to it; see the page *Conformance*.

    Returns:
        The answer as plain data, with the same `id`; boards and orders are sorted.

    Raises:
        ArgumentError: this is no question.
        GammonError: its board, dice, state or action cannot be.

    Examples:
        >>> from gammonrules.conformance import answer
        >>> answer({"id": 3, "ask": "perft", "start": "standard", "depth": 2})
        {'id': 3, 'plays': [447, 202782]}
        >>> last = [0, -2] + [0] * 21 + [1, 0, 0]
        >>> answer({"id": 7, "ask": "orders", "points": last, "dice": [6, 2]})
        {'id': 7, 'orders': [[[23, 17], [17, 15]], [[23, 21], [21, 15]]]}
    """
    match question:
        case {"id": int() as number} if not isinstance(number, bool):
            return {"id": number, **_answer_to(question)}
        case _:
            raise ArgumentError(
                f"a question is an object with a whole number as its id, not {shown(question, 100)}"
            )


_ASKS: Final = ("hello", "plays", "orders", "perft", "table", "identifiers")
_FORMS: Mapping[str, ReadForm] = {"xgid": "xgid", "gnubg": "gnubg_id", "ogid": "ogid"}
"""The forms of identifiers that programs are asked for, by their names in questions."""
IDENTIFIERS = (*_FORMS, "position")
"""The kinds of identifiers; the last one is that of a board, the others are those of a state."""


def _answer_to(question: Mapping[str, Any]) -> dict[str, Any]:
    if choice_argument("ask", question.get("ask"), _ASKS) == "identifiers":
        choice_argument("kind", question.get("kind"), IDENTIFIERS)
    match question:
        case {"ask": "hello"}:
            return {"name": "gammonrules", "version": version("gammonrules"), "asks": [*KINDS]}
        case {"ask": "plays", "points": _, "dice": _}:
            return {"points": sorted(boards_after(plays_of_question(question)))}
        case {"ask": "orders", "points": _, "dice": _}:
            orders = sorted(orders_of(plays_of_question(question)))
            return {"orders": [[[*move] for move in order] for order in orders]}
        case {"ask": "perft", "start": start, "depth": depth}:
            return {"plays": [*count_plays(Position.start(start), depth)]}
        case _:
            return _answer_or_refusal(answering(question))


def _answer_or_refusal(make_answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return make_answer()
    except GammonError:
        return {"refused": True}


def answering(question: Mapping[str, Any]) -> Callable[[], dict[str, Any]]:
    """A function that answers a question about a table or an identifier, and raises GammonError if that is refused."""
    match question:
        case {"ask": "table", "state": {}, "action": {}}:
            before = state_of_flat(question["state"])
            event = event_of(question["action"])
            return lambda: {"state": flat(before.apply(event))}
        case {"ask": "identifiers", "kind": str() as kind, "text": str() as text}:
            return lambda: {"state": identifier_described(kind, text, question.get("checkers", 15))}
        case {"ask": "identifiers", "kind": "position", "state": {}}:
            board = board_of_question(question["state"])
            return lambda: {"text": board.id}
        case {"ask": "identifiers", "kind": str() as kind, "state": {}}:
            state = state_of_flat(question["state"])
            return lambda: {"text": write(state, _FORMS[kind])}
        case _:
            raise ArgumentError(f"this is no question: {shown(question, 100)}")


def board_of_question(question: Mapping[str, Any]) -> Position:
    """The board of a question."""
    return Position.from_points(question.get("points", ()), checkers=question.get("checkers", 15))


def plays_of_question(question: Mapping[str, Any]) -> Plays:
    """The legal plays of the board and the dice of a question."""
    return board_of_question(question).legal_plays(question["dice"])


def orders_of(plays: Plays) -> set[Order]:
    """Every sequence of single moves (from, to) in the tree of a turn (see `TurnTree`); an empty one for a dance."""
    nodes = plays.tree().nodes

    def orders_from(node: int) -> Iterator[Order]:
        next_moves = nodes[node]
        if not next_moves:  # the turn ends here
            yield ()
        for source, target, _, next_node in next_moves:
            for rest in orders_from(next_node):
                yield ((source, target), *rest)

    return set(orders_from(0))


def identifier_described(kind: str, text: str, checkers: int = 15) -> dict[str, Any]:
    """The state, or the board, of an identifier. Raises GammonError."""
    if kind == "position":
        return board_keys(Position.from_id(text, checkers=checkers).points, checkers)
    with warnings.catch_warnings(category=IdentifierWarning, action="ignore"):
        return flat(read(text, form=_FORMS[kind]))


def digest_of(answer: Mapping[str, Any]) -> str:
    """The digest of a right answer, which stands for it in the packed core."""
    unnumbered = {key: value for key, value in answer.items() if key != "id"}
    compact = json.dumps(unnumbered, sort_keys=True, separators=(",", ":"))
    return blake2b(compact.encode(), digest_size=4).hexdigest()
