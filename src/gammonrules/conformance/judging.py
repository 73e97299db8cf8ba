"""What is wrong with an answer, and the plays and sentences that prove it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from gammonrules.board import IllegalPlayError, IllegalPlayReason, Plays, Position
from gammonrules.conformance.answers import (
    Order,
    answering,
    identifier_described,
    plays_of_question,
)
from gammonrules.errors import GammonError
from gammonrules.values import counted, is_json_object, is_series, listed, shown

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
_RULES: Mapping[IllegalPlayReason, str] = {
    IllegalPlayReason.BAR_FIRST: "A checker on the bar enters before any other moves",
    IllegalPlayReason.BLOCKED_POINT: "Two or more opposing checkers block a point; a blot is hit",
    IllegalPlayReason.NOT_ALL_HOME: _BEARING_OFF,
    IllegalPlayReason.HIGHER_CHECKER_FIRST: _BEARING_OFF,
    IllegalPlayReason.BOTH_DICE: _BOTH_DICE,
    IllegalPlayReason.HIGHER_DIE: "The higher die if only one can be played",
    IllegalPlayReason.MORE_OF_DOUBLET: _DOUBLET,
}
"""The rules in the words of the suite."""
_OF_MOVES = {
    _RULES[reason]
    for reason in (
        IllegalPlayReason.BAR_FIRST,
        IllegalPlayReason.BLOCKED_POINT,
        IllegalPlayReason.NOT_ALL_HOME,
    )
}
MOVE_BY_MOVE = "A turn move by move: every order that is a legal play, and no other"
_MAX_SHOWN = 3
_WIDTH = 90

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


def faults(question: _Object, right: _Object, reply: _Object | str) -> Iterator[Fault]:
    """The faults of a reply, or of its absence, and then what proves it; nothing if it is right."""
    if isinstance(reply, str):
        yield Fault(reply)
        return
    if question["ask"] in _LISTS and "error" not in reply:
        yield from _faults_in_list(question, right, reply)
        return
    wrong = _what_differs(question, right, reply)
    if not wrong:
        return
    sentence = listed(wrong)
    is_refused = "refused" in right or "refused" in reply
    if is_refused or "error" in reply:
        yield Fault(sentence)
        return
    rule = _rule_of_state(question, right, reply)
    if "text" in right or "text" in reply:
        yield Fault(sentence, rule)  # a text has no parts whose differences could be counted
    else:
        yield Fault(sentence, rule, differences=len(wrong))


def _what_differs(question: _Object, right: _Object, reply: _Object) -> list[str]:
    """The faults of a reply about a table, an identifier or perft, in sentences."""
    if "error" in reply:
        return [f"it has no answer: {shown(reply['error'], 200)}"]
    is_refused = reply.get("refused") is True
    if "refused" in right:
        return [] if is_refused else [f"it must be refused: {_why_refused(question)}"]
    if is_refused:
        return ["it is refused, but it is legal"]
    if "text" in right:
        wrong = _wrong_text(question["kind"], right["text"], reply.get("text"))
        return [] if wrong is None else [wrong]
    differences = _different_keys(_expressed(question, right), reply)
    return [difference.sentence for difference in differences]


# --- boards and orders ------------------------------------------------------------------------------------------------


def _faults_in_list(question: _Object, right: _Object, reply: _Object) -> Iterator[Fault]:
    """The faults of the boards or the orders of a reply."""
    answer_list = _LISTS[question["ask"]]
    legal_by_text = _items_by_json(right[answer_list.key])
    items: object = reply.get(answer_list.key)
    if not is_series(items):
        needed = f"an array of {counted(len(legal_by_text), answer_list.noun)}"
        yield Fault(f'"{answer_list.key}" is {shown(items)}, not {needed}')
        return
    answered_by_text = _items_by_json(items)
    missing = [item for text, item in legal_by_text.items() if text not in answered_by_text]
    extra = [item for text, item in answered_by_text.items() if text not in legal_by_text]
    if not missing and not extra:
        has_repeated = len(items) > len(answered_by_text)
        if has_repeated:
            counts = Counter(json.dumps(item) for item in items)
            most_frequent = max(counts, key=lambda text: counts[text])
            sentence = f"a {answer_list.noun} is listed twice: {most_frequent}"
            yield Fault(sentence, answer_list.rule_of_repetition)
        return
    plays = plays_of_question(question)
    sentence = f"{counted(len(missing), answer_list.noun)} missing, {len(extra):,} too many"
    if max(len(missing), len(extra)) > _MAX_SHOWN:
        sentence += f"; the first {_MAX_SHOWN}:"
    # who cannot move has one play all the same, the empty one
    lacks_dance = plays[0].is_dance and not items
    rule = _DANCE if lacks_dance else None
    yield Fault(sentence, rule, differences=len(missing) + len(extra))
    for item in missing[:_MAX_SHOWN]:
        yield Fault(f"missing: {answer_list.described(plays, item)}")
    for item in extra[:_MAX_SHOWN]:
        reason: str | GammonError
        try:
            reason = answer_list.why_not(plays, item)
        except GammonError as error:
            reason = error
        yield Fault(f"too many: {shown(item, 200)}: {reason}", _rule_of(plays, reason))


def _rule_of(plays: Plays, reason: object) -> str | None:
    """The rule of the suite that an illegal play breaks."""
    if not isinstance(reason, IllegalPlayError) or reason.reason is None:
        return None
    if reason.reason is IllegalPlayReason.MUST_PLAY:
        return _DOUBLET if plays.dice.is_doublet else _BOTH_DICE
    return _RULES.get(reason.reason)


def _items_by_json(items: Sequence[object]) -> dict[str, Any]:
    """The items by their JSON, so that 1, true and 1.0 are three."""
    return {json.dumps(item): item for item in items}


def _named_play(plays: Plays, board: list[int]) -> str:
    play = plays.find(Position.from_points(board, checkers=plays.position.checkers).flip())
    return f"{str(play) or 'no play'}, which leads to {board}"


def _spelled(plays: Plays, order: list[list[int]]) -> str:
    return f"{order} ({plays.find(order) if order else 'no play'})"


def _why_not_board(plays: Plays, board: Any) -> str:
    """Why no play leads to a board. Raises GammonError if it is none, or if the moves that lead there break a rule."""
    _ = Position.from_points(board, checkers=plays.position.checkers)
    for play in plays:
        if [*play.position.points] == board:
            return "this is the board as the opponent sees it"
    for moves, after in _boards_after_any_moves(plays):
        if after == board:
            legal_play = plays.find(moves)  # raises IllegalPlayError for the rule that they break
            return f"{legal_play} leads elsewhere"
    before = _opposing_checkers(plays.position.points)
    now = _opposing_checkers(board)
    if before == now:
        return f"no moves of {plays.dice} lead there"
    return f"the opponent has {counted(now, 'checker')}, not {before}: one that is hit goes to their bar"


def _opposing_checkers(points: Sequence[int]) -> int:
    return -sum(min(count, 0) for count in points)


def _boards_after_any_moves(plays: Plays) -> Iterator[tuple[Order, list[int]]]:
    """Boards after moves of these dice, whether or not the rules allow them, and the moves that lead to each.

    Of those with the dice in one order, fewer moves come first, from none. A board may come more than once.
    """
    start = plays.position.points
    dice = plays.dice.to_play
    reversed_dice = dice[::-1]
    for faces in (dice, reversed_dice):
        moves_to: dict[tuple[int, ...], Order] = {start: ()}
        yield (), [*start]
        for die in faces:
            moves_to_next = dict[tuple[int, ...], Order]()
            for board, moves in moves_to.items():
                for move, next_board in _boards_after_move(board, die):
                    moves_to_next[next_board] = (*moves, move)
            moves_to = moves_to_next
            for board, moves in moves_to.items():
                yield moves, [*board]


def _boards_after_move(
    board: tuple[int, ...], die: int
) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
    """The boards after one move by this die; where opposing checkers are, they are left, or one or all of them hit."""
    for source in range(1, 26):
        if board[source] <= 0:
            continue
        target = max(source - die, 0)
        move = (source, target)
        after = [*board]
        after[source] -= 1
        if target == 0:  # borne off
            yield move, tuple(after)
            continue
        after[target] = board[target] + 1
        yield move, tuple(after)
        opposing = -board[target]
        if opposing > 0:
            after[target] = 1
            after[0] = board[0] - 1  # the opponent's bar, whose checkers are negative too
            yield move, tuple(after)
        if opposing > 1:
            after[0] = board[0] - opposing
            yield move, tuple(after)


def _why_not_order(plays: Plays, order: Any) -> str | GammonError:
    """Why a sequence is no turn. Raises GammonError."""
    try:
        for number, move in enumerate(order):
            source, target = move
            so_far = order[:number]
            next_moves = [(legal.from_point, legal.to_point) for legal in plays.next_moves(so_far)]
            if (source, target) not in next_moves:
                why = plays.why(source, target, so_far)
                if why is None:  # the checker may go there, but only by several moves
                    return "this takes several dice: each move is one"
                return why
    except (TypeError, ValueError):
        return "a sequence is an array of moves, each [from, to]"
    begun_play = plays.find(order)  # raises IllegalPlayError where it is no whole play
    return f"these are not all moves of {begun_play}"


@attrs.frozen
class _AnswerList:
    """What is asked for as an array of items.

    Attributes:
        key: where the array stands in an answer.
        noun: what an item is called.
        rule_of_repetition: the rule that is broken if an item is listed twice, if it is one.
        described: an item that is missing.
        why_not: why an item is none. It may raise GammonError, which says it as well.
    """

    key: str
    noun: str
    rule_of_repetition: str | None
    described: Callable[[Plays, Any], str]
    why_not: Callable[[Plays, Any], str | GammonError]


_LISTS = {
    "plays": _AnswerList("points", "board", _SAME_POSITION, _named_play, _why_not_board),
    "orders": _AnswerList("orders", "sequence", None, _spelled, _why_not_order),
}


# --- states and texts -------------------------------------------------------------------------------------------------


def _why_refused(question: _Object) -> str:
    try:
        return f"not {answering(question)()}"
    except GammonError as error:
        return str(error)


def _rule_of_state(question: _Object, right: _Object, reply: _Object) -> str | None:
    """The rule that a state or a text breaks, whatever was asked for, if all that is wrong is of one kind."""
    if question["ask"] == "identifiers":
        return _IDENTIFIERS
    if question["ask"] != "table":
        return None
    wrong = {difference.path for difference in _different_keys(right, reply)}
    result = right["state"]["result"]
    offer = question["state"]["offer"]
    if result is None:  # the game goes on, or the next one begins
        is_next_game = question["action"]["do"] == "next_game"
        return _OPENING if is_next_game and wrong <= {"state.on_roll"} else None
    is_under_a_double = bool(offer and offer.get("double"))
    keys_of_loss = {"state.score", "state.result.points", "state.cube", "state.owner"}
    if is_under_a_double and wrong <= keys_of_loss:
        return _UNDER_A_DOUBLE
    if wrong == {"state.result.win"} and result["win"]:
        return _LEVEL
    keys_of_points = {"state.score"}
    if result["end"] == "played":  # what it costs to leave a game has rules of its own
        keys_of_points.add("state.result.points")
    return _POINTS if wrong <= keys_of_points else None


@attrs.frozen
class _Difference:
    """A value in an answer that is wrong, by the keys that lead to it."""

    path: str
    sentence: str


def _different_keys(right: _Object, answered: object, path: str = "") -> Iterator[_Difference]:
    if not is_json_object(answered):
        yield _Difference(path, f"{path} must be an object, not {_as_json(answered)}")
        return
    for key, value in right.items():
        path_of_value = f"{path}.{key}" if path else key
        if key not in answered:
            yield _Difference(path_of_value, f"{path_of_value} is missing")
        elif is_json_object(value):
            yield from _different_keys(value, answered[key], path_of_value)
        elif json.dumps(value) != json.dumps(answered[key]):
            needed = f"{_as_json(value)}, not {_as_json(answered[key])}"
            yield _Difference(path_of_value, f"{path_of_value} must be {needed}")


def _as_json(value: object) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "xgid": ("jacoby", "beavers", "max_cube", "cube"),
    "gnubg": ("jacoby",),
}
"""The options of the rules that an identifier expresses."""
_OF_MONEY_PLAY = frozenset({"jacoby", "beavers"})
"""The options that it expresses in money play alone."""


def _expressed(question: _Object, right: _Object) -> _Object:
    """The part of an answer that a reply must contain: of a state read from an identifier, what such a text can say."""
    if question["ask"] != "identifiers" or question["kind"] == "position":
        return right
    state = right["state"]
    rules = dict[str, Any]()
    is_money_play = state["length"] is None
    for name in _OPTIONS.get(question["kind"], ()):
        if is_money_play or name not in _OF_MONEY_PLAY:
            rules[name] = state["rules"][name]
    return {"state": {**state, "rules": rules}}


def _wrong_text(kind: str, right: str, answered: object) -> str | None:
    """The fault of an identifier; None if it says the same."""
    if not isinstance(answered, str):
        return f'"text" is {shown(answered)}, not a text'
    if answered == right:
        return None
    try:
        expected = identifier_described(kind, right)
        differences = _different_keys(expected, identifier_described(kind, answered))
        wrong = listed(difference.sentence for difference in differences)
    except GammonError as error:
        wrong = str(error)
    return f"{shown(answered, 100)} for {right}: {wrong}" if wrong else None
