"""What is wrong with an answer, and the plays and sentences that prove it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import attrs

from gammonrules.board import BrokenRule, IllegalPlayError, Plays, Position
from gammonrules.conformance.answers import (
    Order,
    answering,
    identifier_described,
    plays_of_question,
)
from gammonrules.errors import GammonError
from gammonrules.values import counted, listed, shown

_SAME_POSITION = "Plays that lead to the same position are one play"
_DANCE = "A turn without a legal play is one empty play; a finished game has none"
_BEARING_OFF = (
    "Bearing off needs all checkers home; a die that overshoots bears off from the highest point"
)
_POINTS = "Points: level times cube, or the loser's pips (pip scoring)"
_LEVEL = "Which level counts: Jacoby, games without gammons or backgammons"
_UNDER_A_DOUBLE = "What a drop or a resignation under a double loses"
_OPENING = "Opening roll: ties, who starts, with which dice"
_IDENTIFIERS = "Identifiers: a state and its text say the same, and a text that says nothing possible is refused"
_BOTH_DICE = "Both dice if possible"
_DOUBLET = "A doublet is played four times, or as often as possible"
_RULES: Mapping[BrokenRule, str] = {
    BrokenRule.BAR_FIRST: "A checker on the bar enters before any other moves",
    BrokenRule.BLOCKED_POINT: "Two or more opposing checkers block a point; a blot is hit",
    BrokenRule.NOT_ALL_HOME: _BEARING_OFF,
    BrokenRule.HIGHER_CHECKER_FIRST: _BEARING_OFF,
    BrokenRule.BOTH_DICE: _BOTH_DICE,
    BrokenRule.HIGHER_DIE: "The higher die if only one can be played",
    BrokenRule.MORE_OF_DOUBLET: _DOUBLET,
}
"""The rules in the words of the suite."""
_OF_MOVES = {
    _RULES[reason]
    for reason in (BrokenRule.BAR_FIRST, BrokenRule.BLOCKED_POINT, BrokenRule.NOT_ALL_HOME)
}
MOVE_BY_MOVE = "A turn move by move: every order that is a legal play, and no other"
_MOST_SHOWN = 3
_WIDTH = 90
_SERIES = {"plays": ("points", "board"), "orders": ("orders", "sequence")}

_Object: TypeAlias = Mapping[str, Any]


@attrs.frozen
class Fault:
    """What is wrong with an answer, or what proves it."""

    sentence: str
    rule: str | None = None
    """The rule that is broken, in words, if this proves it, whatever was asked for."""
    differences: float = math.inf
    """How many boards, sequences or fields are wrong, where they can be compared."""


def rule_proved(proofs: Sequence[Fault]) -> str | None:
    """The rule that is broken, if all of the proofs say so.

    Where a move is allowed that is not, legal plays may be missing as well, since they use fewer dice.
    """
    rules = {proof.rule for proof in proofs}
    if rules & _OF_MOVES:
        rules.discard(None)
    return rules.pop() if len(rules) == 1 else None


def faults(question: _Object, right: _Object, reply: _Object) -> Iterator[Fault]:
    """What is wrong with a reply, and then what proves it; nothing if it is right."""
    if question["ask"] in _SERIES and "error" not in reply:
        yield from _in_series(question, right, reply)
    else:
        rule = (
            None
            if {"refused", "error"} & {*right, *reply}
            else _rule_of_state(question, right, reply)
        )
        if wrong := _what_differs(question, right, reply):
            compared = not {"refused", "error", "text"} & {*right, *reply}
            yield Fault(listed(wrong), rule, len(wrong) if compared else math.inf)


def _what_differs(question: _Object, right: _Object, reply: _Object) -> list[str]:
    if "error" in reply:
        return [f"it has no answer: {shown(reply['error'], 200)}"]
    if "refused" in right:
        return (
            []
            if reply.get("refused") is True
            else [f"it must be refused: {_why_refused(question)}"]
        )
    if reply.get("refused") is True:
        return ["it is refused, but it is legal"]
    if "text" in right:
        return [*_in_text(question["kind"], right["text"], reply.get("text"))]
    return [*_different_keys(_expressed(question, right), reply)]


# --- boards and orders ------------------------------------------------------------------------------------------------


def _in_series(question: _Object, right: _Object, reply: _Object) -> Iterator[Fault]:
    key, noun = _SERIES[question["ask"]]
    items = cast("list[Any]", reply.get(key))
    legal = _by_text(right[key])
    if not isinstance(cast("object", items), list):
        yield Fault(f'"{key}" is {shown(items)}, not an array of {counted(len(legal), noun)}')
        return
    told = _by_text(items)
    missing = [item for text, item in legal.items() if text not in told]
    extra = [item for text, item in told.items() if text not in legal]
    if len(items) == len(told) and not missing and not extra:
        return
    plays = plays_of_question(question)
    if missing or extra:
        is_dance = plays[0].is_dance and not items
        first = f"; the first {_MOST_SHOWN}:" if max(len(missing), len(extra)) > _MOST_SHOWN else ""
        sentence = f"{counted(len(missing), noun)} missing, {len(extra):,} too many{first}"
        yield Fault(sentence, _DANCE if is_dance else None, len(missing) + len(extra))
    else:
        [(again, _)] = Counter(map(json.dumps, items)).most_common(1)
        yield Fault(
            f"a {noun} is listed twice: {again}", _SAME_POSITION if key == "points" else None
        )
    why, why_not = (_named_play, _why_not_board) if key == "points" else (_spelled, _why_not_order)
    yield from (Fault(f"missing: {why(plays, item)}") for item in missing[:_MOST_SHOWN])
    for item in extra[:_MOST_SHOWN]:
        try:
            reason = why_not(plays, item)
        except GammonError as error:
            reason = error
        yield Fault(f"too many: {shown(item, 200)}: {reason}", _rule_of(plays, reason))


def _rule_of(plays: Plays, reason: object) -> str | None:
    """The rule of the suite that an illegal play breaks."""
    if not isinstance(reason, IllegalPlayError):
        return None
    as_many = _DOUBLET if plays.dice.is_doublet else _BOTH_DICE
    return as_many if reason.reason is BrokenRule.MUST_PLAY else _RULES.get(reason.reason)


def _by_text(items: list[Any]) -> dict[str, Any]:
    """The items by their JSON, in which neither true nor 1.0 is 1."""
    return {json.dumps(item): item for item in items}


def _named_play(plays: Plays, board: list[int]) -> str:
    play = plays.find(Position.from_points(board, checkers=plays.position.checkers).flip())
    return f"{str(play) or 'no play'}, which leads to {board}"


def _spelled(plays: Plays, order: list[list[int]]) -> str:
    return f"{order} ({plays.find(order) if order else 'no play'})"


def _why_not_board(plays: Plays, board: Any) -> str:
    """Why no play leads to a board: it raises what refuses the moves of these dice that do, if they broke a rule."""
    _ = Position.from_points(board, checkers=plays.position.checkers)
    if any([*play.position.points] == board for play in plays):
        return "this is the board as the opponent sees it"
    ways = (moves for moves, after in _lawless(plays) if after == board)
    before, now = (
        -sum(min(count, 0) for count in points) for points in (plays.position.points, board)
    )
    lost = f"the opponent has {counted(now, 'checker')}, not {before}: one that is hit goes to their bar"
    otherwise = f"no moves of {plays.dice} lead there" if before == now else lost
    return next((f"{plays.find(moves)} leads elsewhere" for moves in ways), otherwise)


def _lawless(plays: Plays) -> Iterator[tuple[Order, list[int]]]:
    """Boards after moves of these dice, whether or not the rules allow them; fewer moves come first."""
    dice = plays.dice.to_play
    for faces in (dice, dice[::-1]):
        level: dict[tuple[int, ...], Order] = {plays.position.points: ()}
        yield (), [*plays.position.points]
        for die in faces:
            level = {
                new: (*moves, move)
                for old, moves in level.items()
                for move, new in _boards_after_move(old, die)
            }
            yield from ((moves, [*board]) for board, moves in level.items())


def _boards_after_move(
    board: tuple[int, ...], die: int
) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
    """The boards after one move by this die; where opposing checkers are, they are left, or one or all of them hit."""
    for source in (point for point in range(1, 26) if board[point] > 0):
        target = max(source - die, 0)
        there = board[target] if target else 0
        for hit, held in {(0, there + 1), *(((1, 1), (-there, 1)) if there < 0 else ())}:
            changed = {source: board[source] - 1} | (
                {target: held, 0: board[0] - hit} if target else {}
            )
            yield (
                (source, target),
                tuple(changed.get(point, count) for point, count in enumerate(board)),
            )


def _why_not_order(plays: Plays, order: Any) -> str | GammonError:
    """Why a sequence is no turn. Raises GammonError."""
    try:
        for number, (source, target) in enumerate(order):
            so_far = order[:number]
            if not any(
                [source, target] == [move.from_point, move.to_point]
                for move in plays.next_moves(so_far)
            ):
                return (
                    plays.why(source, target, so_far) or "this takes several dice: each move is one"
                )
    except (TypeError, ValueError):
        return "a sequence is an array of moves, each [from, to]"
    return f"these are not all moves of {plays.find(order)}"


# --- states and texts -------------------------------------------------------------------------------------------------


def _why_refused(question: _Object) -> str:
    try:
        return f"not {answering(question)()}"
    except GammonError as error:
        return str(error)


def _rule_of_state(question: _Object, right: _Object, reply: _Object) -> str | None:
    """The rule that a state or a text breaks, whatever was asked for, if all that is wrong is of one kind."""
    if question["ask"] != "table":
        return _IDENTIFIERS if question["ask"] == "identifiers" else None
    wrong = {
        line.partition(" ")[0].removeprefix("state.") for line in _different_keys(right, reply)
    }
    result = right["state"]["result"]
    offer = question["state"]["offer"]
    if result is None:
        return (
            _OPENING if question["action"]["do"] == "next_game" and wrong <= {"on_roll"} else None
        )
    if offer and offer.get("double") and wrong <= {"score", "result.points", "cube", "owner"}:
        return _UNDER_A_DOUBLE
    if wrong == {"result.win"} and result["win"]:
        return _LEVEL
    # what it costs to leave a game has rules of its own
    counts = {"score", "result.points"} if result["end"] == "played" else {"score"}
    return _POINTS if wrong <= counts else None


def _different_keys(right: _Object, told: _Object, path: str = "") -> Iterator[str]:
    if not isinstance(cast("object", told), dict):
        yield f"{path[:-1]} must be an object, not {_as_json(told)}"
        return
    for key, value in right.items():
        if key not in told:
            yield f"{path}{key} is missing"
        elif isinstance(cast("object", value), dict):
            yield from _different_keys(value, told[key], f"{path}{key}.")
        elif json.dumps(value) != json.dumps(told[key]):
            yield f"{path}{key} must be {_as_json(value)}, not {_as_json(told[key])}"


def _as_json(value: object) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "xgid": ("jacoby", "beavers", "max_cube", "cube"),
    "gnubg": ("jacoby",),
}
"""The options of the rules that an identifier expresses; the first two in money play alone."""


def _expressed(question: _Object, right: _Object) -> _Object:
    """What the answer must contain: of a state that was read from an identifier, what such a text can say."""
    if question["ask"] != "identifiers" or question["kind"] == "position":
        return right
    state = right["state"]
    options = [
        name
        for name in _OPTIONS.get(question["kind"], ())
        if "cube" in name or state["length"] is None
    ]
    return {"state": {**state, "rules": {name: state["rules"][name] for name in options}}}


def _in_text(kind: str, right: str, told: object) -> Iterator[str]:
    if not isinstance(told, str):
        yield f'"text" is {shown(told)}, not a text'
    elif told != right:
        try:
            differences = listed(
                _different_keys(identifier_described(kind, right), identifier_described(kind, told))
            )
        except GammonError as error:
            differences = str(error)
        if differences:
            yield f"{shown(told, 100)} for {right}: {differences}"
