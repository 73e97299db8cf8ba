"""What can be asked of the rows of a table of decisions: conditions as a person types them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import reduce
from typing import Any, Final, TypeAlias, cast

from gammonrules import identifiers
from gammonrules._shared.identifier_text import bounded
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.match import MatchState
from gammonrules.records.archive.decision_table import COLUMNS
from gammonrules.records.archive.row_files import pyarrow, table_schema
from gammonrules.values import saying_where, shown

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
    """Raises GammonError if a condition cannot be read, or no board meets it."""
    if isinstance(condition, MatchState):
        return [_same_state(condition, any_score=any_score)]
    if isinstance(condition, Position):
        return [_comparison("position_id", "=", condition.id)]
    text = bounded(cast("str", condition), "condition")
    if compared := _COMPARISON.fullmatch(text):
        return [_comparison(*compared.groups())]
    if _PATTERN.match(text):
        return [_pattern(text)]
    if _WORDS.fullmatch(text):
        raise IdentifierError(
            f"{shown(text, 60)}: compare a column, as in {shown(_compared(text), 60)}"
        )
    with saying_where("neither a comparison nor a pattern", IdentifierError):
        return conditions_in(identifiers.read(text), any_score=any_score)


def _compared(words: str) -> str:
    """A comparison that may be meant by words without one: of a column, or of a value that a column can have."""
    if (word := _one_word(words)) in _TYPES:
        return f"{word} !="
    values = (
        (column.name, value)
        for column in COLUMNS
        for value in re.findall("`(.+?)`", column.meaning)
    )
    named = (f"{name} = {value}" for name, value in values if _one_word(value) == word)
    return next(named, f"player = {words.strip()}")


def _one_word(words: str) -> str:
    return re.sub(r"[\s_-]+", "_", words.strip().lower())


def _same_state(state: MatchState, *, any_score: bool) -> Condition:
    """The same XGID, or that of the same state with the players exchanged."""
    # Of its fields, these have the board, whose turn it is, and the dice.
    compared = {0, 3, 4} if any_score else range(10)
    xgids = [side.xgid.split(":") for side in (state, state.swap_players())]
    parts = (
        ":".join(re.escape(x[at]) if at in compared else "[^:]*" for at in range(10)) for x in xgids
    )
    expression = f"^({'|'.join(parts)})$"
    compute = pyarrow("pyarrow.compute")
    return lambda column: compute.match_substring_regex(column("xgid"), expression)


def _comparison(name: str, sign: str, text: str) -> Condition:
    """A column and a value, or another column of its type; without a value, whether the row has none."""
    if name not in _TYPES:
        raise ArgumentError(f"the table of decisions has no column {shown(name)}")
    pa = pyarrow()
    compute = pyarrow("pyarrow.compute")
    if not text and sign in {"=", "!="}:
        return lambda column: compute.xor(compute.is_valid(column(name)), sign == "=")
    if _TYPES.get(text) == _TYPES[name]:
        return lambda column: compute.call_function(_TEST[sign], [column(name), column(text)])
    text = "{0.high}{0.low}".format(Dice.of(text)) if name == "dice" else text
    try:
        value = pa.scalar(text).cast(table_schema("decisions").field(name).type)
    except pa.ArrowInvalid:
        raise ArgumentError(
            f"{name} {sign} {shown(text)}: this is no value of type {_TYPES[name]}"
        ) from None
    return lambda column: compute.call_function(_TEST[sign], [column(name), value])


def _pattern(text: str) -> Condition:
    """What each point may have, with the opponent's checkers below 0, as one expression for White and one for Black."""
    numbers = [{*_LETTERS} for _ in range(28)]
    compute = pyarrow("pyarrow.compute")
    for side, items in zip((1, -1), text.lower().split("vs", 1), strict=False):
        for item in items.split():
            if (parts := _ITEM.fullmatch(item)) is None:
                raise ArgumentError(
                    f"{shown(item)}: a pattern has points 1 to 24, bar, off, as in 6:5 4-8:2+ off:3-"
                )
            points, count, sign = parts.groups()
            fitting = {
                number for number in _LETTERS if _SIGNS[sign](max(side * number, 0), int(count))
            }
            ends = [{"bar": 25, "off": 26}.get(end) or int(end) for end in points.split("-")]
            # the last set is for what the opponent has borne off
            for point in range(min(ends), max(ends) + 1):
                numbers[point if side == 1 else 25 - point] &= fitting
            if (
                sum(min((max(side * number, 0) for number in slot), default=16) for slot in numbers)
                > 15
            ):
                raise ArgumentError(
                    f"{item}: with the rest of the pattern, no board of 15 checkers a side has this"
                )
    slots = [f"[{''.join(sorted(map(_LETTERS.__getitem__, slot)))}]" for slot in numbers[:26]]
    boards = "^XGID=" + "".join(slots), "^XGID=" + "".join(reversed(slots)).swapcase()
    off = [
        pyarrow().array({max(side * n, 0) for n in slot})
        for side, slot in zip((1, -1), numbers[26:], strict=True)
    ]

    def condition(column: Callable[[str], Any]) -> Any:
        by_seat = (compute.match_substring_regex(column("xgid"), board) for board in boards)
        is_board = compute.if_else(compute.equal(column("seat"), "white"), *by_seat)
        return reduce(
            compute.and_, map(compute.is_in, map(column, ("off", "opponent_off")), off), is_board
        )

    return condition
