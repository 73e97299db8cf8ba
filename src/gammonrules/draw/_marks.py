"""The marks that callers put on a board: points that stand out, targets, the last play, and arrows.

A *place* is a point, a bar or a tray as the side at the bottom of the drawing sees it: 1 to 24 are the points, 25 its
bar, 0 the bar of the side at the top, `BOTTOM_TRAY` and `TOP_TRAY` where each side bears off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

import attrs

from gammonrules.board import MoveLike, Play, Position
from gammonrules.board.internals import chains_of, legs_of, parse_play, read_moves, spell_play
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MAX_MARKED
from gammonrules.values import (
    first_items,
    plain_text,
    saying_where,
    shown,
    suggestion,
    whole_number,
)

BOTTOM_TRAY = -1
TOP_TRAY = 26

PointLike: TypeAlias = int | str
"""A point as the player on roll numbers it: 1 to 24, "1" to "24", "bar" or 25, "off" or 0."""

Points: TypeAlias = PointLike | Iterable[PointLike]
"""One point or several, as `highlight` and `targets` take them."""

Moves: TypeAlias = Play | str | Iterable[MoveLike]
"""A play, its text, or its moves, as `arrows` and `last_play` take them; they need not be legal."""

Step: TypeAlias = tuple[int, int]
"""A checker that goes from one place, or one point, to another."""

ARROWS = {
    "arrow": {"fill-opacity": "0.9"},
    "both": {"fill-opacity": "0.9"},
    "made": {"fill-opacity": "0.7", "stroke-width": "2.5", "stroke-dasharray": "6 4"},
}
"""How the arrows look of a play, of one that was made where that one was best, and of moves that both have."""

_NAMES = {"bar": 25, "off": 0} | {str(point): point for point in range(1, 25)}


@attrs.frozen
class Steps:
    """The moves of one side, from place to place."""

    at_bottom: bool = True
    """Whether the side at the bottom moves."""
    steps: tuple[Step, ...] = ()
    text: str = ""

    @property
    def flipped(self) -> Steps:
        """The same with the other side at the bottom."""
        steps = [(_opposite(start), _opposite(end)) for start, end in self.steps]
        return Steps(not self.at_bottom, tuple(steps), self.text)

    def parted(self, other: Steps) -> tuple[list[Step], list[Step]]:
        """Its moves that the other has too, and the rest."""
        unmatched = Counter(other.steps)  # the same move can be there up to four times
        common: list[Step] = []
        rest: list[Step] = []
        for step in self.steps:
            if unmatched[step] > 0:
                unmatched[step] -= 1
                common.append(step)
            else:
                rest.append(step)
        return common, rest

    @cached_property
    def vacated(self) -> Mapping[int, int]:
        """The number of checkers that left each place for good, not counting those that only passed it."""
        return Counter(self._starts) - Counter(self._ends)  # which leaves out what is not above 0

    @cached_property
    def reached(self) -> Mapping[int, int]:
        """The number of checkers that stayed in each place that they reached."""
        return Counter(self._ends) - Counter(self._starts)

    @property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.steps]

    @property
    def _ends(self) -> list[int]:
        return [end for _, end in self.steps]


NO_STEPS = Steps()


@attrs.frozen
class Marks:
    """All marks of a drawing, by place."""

    highlighted: frozenset[int] = frozenset()
    targets: frozenset[int] = frozenset()
    last_play: Steps = NO_STEPS
    arrows: Steps = NO_STEPS
    made: Steps = NO_STEPS

    @property
    def flipped(self) -> Marks:
        """The same with the other side at the bottom."""
        return Marks(
            highlighted=frozenset(map(_opposite, self.highlighted)),
            targets=frozenset(map(_opposite, self.targets)),
            last_play=self.last_play.flipped,
            arrows=self.arrows.flipped,
            made=self.made.flipped,
        )


NO_MARKS = Marks()


def _opposite(place: int) -> int:
    """The same place as the other side sees it."""
    return 25 - place


def place_of(point: int, *, at_bottom: bool) -> int:
    """The place of a point as one side, at the bottom or not, numbers it; 25 is its own bar and 0 its own tray."""
    if point == 0:
        return BOTTOM_TRAY if at_bottom else TOP_TRAY
    return point if at_bottom else 25 - point


def place_number(place: int, *, on_roll_at_bottom: bool) -> int:
    """The number that its owner gives to a bar or a tray, and the player on roll to a point."""
    if 1 <= place <= 24:
        return place if on_roll_at_bottom else 25 - place
    return 25 if place in {0, 25} else 0


def read_places(name: str, points: object, *, at_bottom: bool) -> frozenset[int]:
    """The places of points as one side numbers them. Raises ArgumentError if something is not a point."""
    is_one_point = isinstance(points, str) or whole_number(points) is not None
    # one more than can be marked is enough to see that there are too many
    items = [points] if is_one_point else first_items(points, MAX_MARKED + 1)
    if items is None or len(items) > MAX_MARKED:
        raise ArgumentError(
            f"{name} must be a point or up to {MAX_MARKED} of them, not {shown(points)}"
        )
    return frozenset(place_of(point_of(name, item), at_bottom=at_bottom) for item in items)


def point_of(name: str, point: object) -> int:
    """The number of a point. Raises ArgumentError if it is none."""
    name_of_point = plain_text(point)
    number = whole_number(point) if name_of_point is None else _NAMES.get(name_of_point)
    if number is None or not 0 <= number <= 25:
        raise ArgumentError(
            f'{name}: a point is a number from 1 to 24, "bar" or "off", not {shown(point)}'
            + suggestion(point, ["bar", "off"])
        )
    return number


def read_last_play(position: Position, play: Moves | None, *, at_bottom: bool) -> Steps:
    """The play that led here. Raises as `read_arrows`. `at_bottom` is whether the player on roll is at the bottom."""
    if play is None:
        return NO_STEPS
    if isinstance(play, Play) and play.position != position:
        raise ArgumentError(
            f"last_play must lead to the position that is drawn, but {play!r} does not"
        )
    opponent_at_bottom = not at_bottom
    return _steps("last_play", play, at_bottom=opponent_at_bottom)


def read_arrows(
    position: Position, play: Moves | None, *, at_bottom: bool, name: str = "arrows"
) -> Steps:
    """A play of the player on roll; or one that led here, as in a drawing of what was played.

    Raises:
        ArgumentError: it is not a series of moves, or is a play of another position.
        ParseError: a text cannot be read as a play.
    """
    if play is None:
        return NO_STEPS
    if not isinstance(play, Play) or play.before == position:
        return _steps(name, play, at_bottom=at_bottom)
    if play.position != position:
        raise ArgumentError(
            f"{name} must be a play of the position that is drawn, but {play!r} is not"
        )
    opponent_at_bottom = not at_bottom  # a play that led here was made by the opponent
    return _steps(name, play, at_bottom=opponent_at_bottom)


def read_made(position: Position, play: Moves | None, best: Steps, *, at_bottom: bool) -> Steps:
    """A play that was made where another was best; nothing if it is the same. Raises as `read_arrows`."""
    steps = read_arrows(position, play, at_bottom=at_bottom, name="made")
    return NO_STEPS if sorted(steps.steps) == sorted(best.steps) else steps


def _steps(name: str, play: Moves, *, at_bottom: bool) -> Steps:
    if isinstance(play, Play):
        return steps_of_play(play, at_bottom=at_bottom)
    written = plain_text(play)
    if written is not None:
        chains, roll = parse_play(written)
        if roll is not None:
            raise ParseError(
                f"{name}: moves are drawn without a roll, but {shown(written)} begins with one"
            )
        moves = legs_of(chains)
        text = spell_play(chains)
    else:
        with saying_where(name):
            plain_moves = read_moves(play, MAX_MARKED)
        moves = [(start, end) for start, end, _ in plain_moves]
        text = spell_play(chains_of(plain_moves))
    if len(moves) > MAX_MARKED:
        raise ArgumentError(f"{name} can have at most {MAX_MARKED} moves")
    return _steps_of_moves(moves, text, at_bottom=at_bottom)


def steps_of_play(play: Play | None, *, at_bottom: bool) -> Steps:
    """The moves of a play that exists, so that nothing is left to check."""
    if play is None:
        return NO_STEPS
    moves = [(move.from_point, move.to_point) for move in play.moves]
    return _steps_of_moves(moves, str(play), at_bottom=at_bottom)


def _steps_of_moves(moves: Iterable[Step], text: str, *, at_bottom: bool) -> Steps:
    places = [
        (place_of(start, at_bottom=at_bottom), place_of(end, at_bottom=at_bottom))
        for start, end in moves
    ]
    return Steps(at_bottom, tuple(places), text)
