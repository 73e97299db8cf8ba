"""What can be asked of the rows of a table of decisions: conditions as a person types them."""

from __future__ import annotations

import datetime as dt
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from gammonrules import identifiers
from gammonrules._shared.identifier_text import bounded
from gammonrules.board import Position
from gammonrules.board.internals import BAR, STANDARD_CHECKERS
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.match import MatchState
from gammonrules.records.archive.decision_table import COLUMNS, VALUES_OF
from gammonrules.records.archive.row_files import pyarrow, table_schema
from gammonrules.values import choice_argument, saying_where, shown, suggestion

Condition: TypeAlias = Callable[[Callable[[str], Any]], Any]
"""Which rows meet a condition, as an array of booleans, by a function that reads a column."""

_TYPES: Final = {column.name: column.type for column in COLUMNS}
_COMPARISON: Final = re.compile(r"\s*(?!xgid\b)([a-z]\w*)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*", re.DOTALL)
_TEST: Final = {
    "=": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
_PATTERN: Final = re.compile(r"\s*(vs\s+)?[^\s:=]{1,9}:[^\s:]{0,9}(\s|$)", re.IGNORECASE)
_ITEM: Final = re.compile(
    r"(bar|off|(?:[1-9]|1\d|2[0-4])(?:-(?:[1-9]|1\d|2[0-4]))?):(\d\d?)([+-]?)"
)
_WORDS: Final = re.compile(r"\s*(?!(.*\s)?[^\W_]{14}(\s|$))[^\W\d][\w\s-]*", re.DOTALL)
"""What is no identifier either: a Position ID has 14 letters and digits, or other signs among them."""
_SIGNS: Final = {"": operator.eq, "+": operator.ge, "-": operator.le}
_LETTERS: Final = dict(zip(range(-15, 16), "onmlkjihgfedcba-ABCDEFGHIJKLMNO", strict=True))
"""What an XGID has for a number of checkers, below 0 of Black."""


def conditions_in(condition: object, *, any_score: bool) -> list[Condition]:
    """What a state, a position or a text asks of a row; `any_score` as for `search`.

    Raises GammonError if a condition cannot be read, or no board meets it.
    """
    if isinstance(condition, MatchState):
        return [_same_state(condition, any_score=any_score)]
    if isinstance(condition, Position):
        return [_comparison("position_id", "=", condition.id)]
    text = bounded(condition, "condition")
    comparison = comparison_in(text)
    if comparison is not None:
        return [_comparison(comparison.column, comparison.sign, comparison.value)]
    if _PATTERN.match(text):
        return [_pattern(text)]
    if _WORDS.fullmatch(text):
        example = shown(_likely_comparison(text), 60)
        raise IdentifierError(f"{shown(text, 60)}: compare a column, as in {example}")
    with saying_where("neither a comparison nor a pattern", IdentifierError):
        read_identifier = identifiers.read(text)  # a state, or a position
        return conditions_in(read_identifier, any_score=any_score)


class Comparison(NamedTuple):
    """What a text compares."""

    column: str
    sign: str
    value: str
    """Another column, a value, or "" for none."""


def comparison_in(text: str) -> Comparison | None:
    """The comparison that a text is; None if it is none."""
    parts = _COMPARISON.fullmatch(text)
    return None if parts is None else Comparison(*parts.groups())


def _likely_comparison(words: str) -> str:
    """A comparison that may be meant by words without one: of a column, or of a value that a column can have."""
    word = _one_word(words)
    if word in _TYPES:
        return f"{word} !="
    for name, values in VALUES_OF.items():
        for value in values:
            if _one_word(value) == word:
                return f"{name} = {value}"
    return f"player = {words.strip()}"


def _one_word(words: str) -> str:
    return re.sub(r"[\s_-]+", "_", words.strip().lower())


_FIELDS_OF_THE_BOARD: Final = (0, 3, 4)
"""Those of an XGID with the board, whose turn it is, and the dice."""


def _same_state(state: MatchState, *, any_score: bool) -> Condition:
    """The same XGID, or that of the same state with the players exchanged."""
    alternatives: list[str] = []
    for same_state in (state, state.swap_players()):
        fields = [re.escape(field) for field in same_state.xgid.split(":")]
        if any_score:
            fields = [
                field if index in _FIELDS_OF_THE_BOARD else "[^:]*"
                for index, field in enumerate(fields)
            ]
        alternatives.append(":".join(fields))
    expression = f"^({'|'.join(alternatives)})$"
    compute = pyarrow("pyarrow.compute")
    return lambda column: compute.match_substring_regex(column("xgid"), expression)


def _comparison(name: str, sign: str, text: str) -> Condition:
    """A column and a value, or another column of its type; without a value, whether the row has none."""
    if name not in _TYPES:
        raise no_column(name)
    pa = pyarrow()
    compute = pyarrow("pyarrow.compute")
    if not text and sign == "=":
        return lambda column: compute.is_null(column(name))
    if not text and sign == "!=":
        return lambda column: compute.is_valid(column(name))
    # as "opening" is of position_kind, and a column too; a player may have any name
    is_value = text in VALUES_OF.get(name, ()) or name in {"player", "opponent"}
    is_other_column = text in _TYPES and _TYPES[text] == _TYPES[name]
    if is_other_column and not is_value:
        return lambda column: compute.call_function(_TEST[sign], [column(name), column(text)])
    if sign in {"=", "!="}:
        _check_word(name, text)
    if name == "dice":  # the table has the higher die first
        dice = Dice.of(text)
        text = f"{dice.high}{dice.low}"
    # pyarrow reads no time of day in a text
    parsed = dt.time.fromisoformat if _TYPES[name] == "time" else str
    try:
        value = pa.scalar(parsed(text)).cast(table_schema("decisions").field(name).type)
    except ValueError:
        raise ArgumentError(
            f"{name} {sign} {shown(text)}: this is no value of type {_TYPES[name]}"
        ) from None
    return lambda column: compute.call_function(_TEST[sign], [column(name), value])


def no_column(name: str) -> ArgumentError:
    """The error for a name that no column of the table of decisions has."""
    near = suggestion(name, _TYPES)
    return ArgumentError(f"the table of decisions has no column {shown(name)}{near}")


def _check_word(name: str, text: str) -> None:
    """Raise ArgumentError for a word that no row can have in this column."""
    words = VALUES_OF.get(name)
    is_play = name == "action" and "/" in text  # plays are no words
    if words is not None and not is_play:
        choice_argument(name, text, words)


def _pattern(text: str) -> Condition:
    """The boards that a pattern allows, as one expression for a White decider and one for a Black one."""
    allowed = _allowed_by(text)
    letters_by_slot: list[str] = []
    for numbers in allowed[:_OFF]:
        letters = sorted(_LETTERS[number] for number in numbers)
        letters_by_slot.append(f"[{''.join(letters)}]")
    board_of_white = "".join(letters_by_slot)
    # Black numbers the points from the other end, and an XGID has small letters for their checkers.
    board_of_black = "".join(reversed(letters_by_slot)).swapcase()
    pa = pyarrow()
    compute = pyarrow("pyarrow.compute")
    off = pa.array({max(number, 0) for number in allowed[_OFF]})
    opponent_off = pa.array({max(-number, 0) for number in allowed[_OPPONENT_OFF]})

    def condition(column: Callable[[str], Any]) -> Any:
        is_board = compute.if_else(
            compute.equal(column("seat"), "white"),
            compute.match_substring_regex(column("xgid"), f"^XGID={board_of_white}"),
            compute.match_substring_regex(column("xgid"), f"^XGID={board_of_black}"),
        )
        # an XGID does not say what is borne off
        is_off = compute.and_(
            compute.is_in(column("off"), off), compute.is_in(column("opponent_off"), opponent_off)
        )
        return compute.and_(is_board, is_off)

    return condition


_OFF: Final = 26
_OPPONENT_OFF: Final = 27
"""The slots of what is borne off, after those of the points and both bars as the decider numbers them."""
_SLOTS_AND_OFF: Final = 28


def _allowed_by(text: str) -> list[set[int]]:
    """The numbers of checkers that a pattern allows in each slot, below 0 of the opponent's."""
    any_number = set(_LETTERS)
    allowed = [any_number.copy() for _ in range(_SLOTS_AND_OFF)]
    of_decider, _, of_opponent = text.lower().partition("vs")
    for item in of_decider.split():
        _allow_item(allowed, item, _SIGN_OF_DECIDER)
    for item in of_opponent.split():
        _allow_item(allowed, item, _SIGN_OF_OPPONENT)
    return allowed


_SIGN_OF_DECIDER: Final = 1
_SIGN_OF_OPPONENT: Final = -1
"""What makes the number of a player's checkers in a slot positive."""


def _allow_item(allowed: list[set[int]], item: str, sign_of_side: int) -> None:
    """Leave only what an item allows of a side. Raises ArgumentError if no board is left."""
    parts = _ITEM.fullmatch(item)
    if parts is None:
        raise ArgumentError(
            f"{shown(item)}: a pattern has points 1 to 24, bar, off, as in 6:5 4-8:2+ off:3-"
        )
    points, count, sign = parts.groups()
    fits = _SIGNS[sign]
    checkers_of_side = {number: max(sign_of_side * number, 0) for number in _LETTERS}
    fitting = {number for number in _LETTERS if fits(checkers_of_side[number], int(count))}
    for slot in _slots_of_points(points, sign_of_side):
        allowed[slot] &= fitting
    has_number_for_each_slot = all(allowed)
    fewest_in_all = 0  # checkers of this side on any board that is left
    for numbers in allowed:
        fewest_in_all += min([checkers_of_side[number] for number in numbers], default=0)
    if not has_number_for_each_slot or fewest_in_all > STANDARD_CHECKERS:
        raise ArgumentError(
            f"{item}: with the rest of the pattern, no board of 15 checkers a side has this"
        )


def _slots_of_points(points: str, sign_of_side: int) -> Iterable[int]:
    """The slots of a point, or of the points from one to another, as the side numbers them."""
    is_decider = sign_of_side == _SIGN_OF_DECIDER
    if points == "off":
        return [_OFF if is_decider else _OPPONENT_OFF]
    ends = [BAR if end == "bar" else int(end) for end in points.split("-")]
    from_first_to_last = range(min(ends), max(ends) + 1)
    return [point if is_decider else BAR - point for point in from_first_to_last]
