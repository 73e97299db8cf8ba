"""What a picture shows, as text or SVG: the board as the side at the bottom sees it, and the words beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import attrs

from gammonrules.board import Position
from gammonrules.board.setup import STANDARD_CHECKERS
from gammonrules.dice import Dice
from gammonrules.draw._names import columns, cut, isolated, printable
from gammonrules.errors import ArgumentError
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Cube, Double, End, MatchState, Player, Resignation, Result
from gammonrules.match.players import player_of
from gammonrules.match.results import level_name
from gammonrules.values import counted, is_pair_of, items_of_pair, shown

_ENDS = {End.PLAYED: "", End.DROPPED: " (double dropped)", End.RESIGNED: " (resigned)"}
_BEAVERS = ("", " (beaver)", " (raccoon)")
_MOST_COLUMNS = 18


@attrs.frozen
class Side:
    """One side: its color, its checkers off, and the words beside it."""

    color: Player
    """The player whose checkers these are. For a position, which has no colors, White is the player on roll."""
    name: str
    """The name, cut to what fits into a picture."""
    full_name: str
    """The name for the description."""
    off: int
    pips: int
    points: int | None = None
    """Its points in the match, or None for a bare position."""
    doing: str = ""
    """Its turn, its roll, a cube to answer, or its own resignation."""


@attrs.frozen
class Scene:
    """The content of a picture."""

    position: Position
    sides: tuple[Side, Side]
    """The player on roll and the opponent."""
    on_roll_at_bottom: bool
    kind: str = ""
    """The kind of game: length, Crawford, no cube."""
    standing: tuple[str, ...] = ()
    """What concerns both sides: the opening roll, a result."""
    cube: Cube | None = None
    """The cube, before the offer while a double is pending; None if nobody may use it."""
    offered: Double | None = None
    crawford: bool = False
    dice: Dice | None = None

    @property
    def bottom(self) -> Side:
        return self.sides[0 if self.on_roll_at_bottom else 1]

    @property
    def top(self) -> Side:
        return self.sides[1 if self.on_roll_at_bottom else 0]

    @property
    def points(self) -> tuple[int, ...]:
        """26 counts as the side at the bottom sees them, its own positive."""
        return (self.position if self.on_roll_at_bottom else self.position.flip()).points

    def number(self, point: int) -> int:
        """The number that the player on roll gives to this point of the side at the bottom."""
        return point if self.on_roll_at_bottom else 25 - point

    @property
    def identity(self) -> str:
        checkers = self.position.checkers
        unusual = "" if checkers == STANDARD_CHECKERS else f" ({counted(checkers, 'checker')} a side)"
        return f"Position ID: {self.position.id}{unusual}"


def of_position(position: Position, *, flipped: bool) -> Scene:
    """The picture of a position.

    Raises:
        ArgumentError: `position` is not a `Position`, or `flipped` is not a bool.
    """
    if not isinstance(cast("object", position), Position):
        raise ArgumentError(f"expected a Position, not {shown(position)}")
    if type(flipped) is not bool:
        raise ArgumentError(f"flipped must be True or False, not {shown(flipped)}")
    on_roll = Side(Player.WHITE, "on roll", "Player on roll", position.off, position.pip_count)
    opponent = Side(Player.BLACK, "opponent", "Opponent", position.opponent_off, position.opponent_pip_count)
    return Scene(position, (on_roll, opponent), on_roll_at_bottom=not flipped)


def of_state(state: MatchState, *, bottom: Player, names: Sequence[str] | None = None) -> Scene:
    """The picture of a match state.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `bottom` is not a `Player`, or `names` is not a pair of strings.
    """
    if not isinstance(cast("object", state), MatchState):
        raise ArgumentError(f"expected a MatchState, not {shown(state)}")
    lower, called = player_of(bottom, "bottom"), _names(names)
    on_roll = state.on_roll or Player.WHITE
    position = state.position
    return Scene(
        position,
        (
            _side(state, on_roll, called, position.off, position.pip_count),
            _side(state, on_roll.opponent, called, position.opponent_off, position.opponent_pip_count),
        ),
        on_roll_at_bottom=on_roll is lower,
        kind=_kind_of_game(state),
        standing=_standing(state, called),
        cube=state.cube if state.rules.cube and not state.crawford else None,
        offered=state.pending_double,
        crawford=state.crawford,
        dice=state.dice,
    )


def _names(names: Sequence[str] | None) -> tuple[str, str]:
    """The full names of White and Black; the colors if there are none."""
    if names is None:
        names = ("", "")
    given = items_of_pair(names)
    if not is_pair_of(given, str):
        raise ArgumentError(f"names must be a pair of strings, White's and Black's, not {shown(names)}")
    white, black = (printable(cut(name, LONGEST_NAME, len)) for name in given)
    return white or Player.WHITE.title(), black or Player.BLACK.title()


def _short(name: str) -> str:
    """A name as it is written beside a board."""
    return isolated(cut(name, _MOST_COLUMNS, columns))


def _side(state: MatchState, player: Player, names: tuple[str, str], off: int, pips: int) -> Side:
    name = names[player]
    return Side(player, _short(name), isolated(name), off, pips, state.score[player], _doing(state, player))


def _doing(state: MatchState, player: Player) -> str:
    if state.result is not None:
        return ""
    doing: list[str] = []
    if (double := state.pending_double) is not None:
        doing += [_offered(double)] if double.answerer is player else []
    elif state.on_roll is player:
        doing += [f"Rolled {state.dice}" if state.dice else "On roll"]
    if isinstance(state.offer, Resignation) and state.offer.by is player:
        doing += [f"resigns a {level_name(state.offer.win)}"]
    text = ", ".join(doing)
    return text[:1].upper() + text[1:]


def _offered(double: Double) -> str:
    turned = _BEAVERS[double.beavers] if double.beavers < len(_BEAVERS) else f" (beaver {double.beavers})"
    return f"Cube offered at {double.value}{turned}"


def _kind_of_game(state: MatchState) -> str:
    kind = "Money play" if state.length is None else f"{state.length} point match"
    if state.crawford:
        return f"{kind} (Crawford game)"
    if not state.rules.cube:
        return f"{kind} (no cube)"
    return f"{kind}, post-Crawford" if state.post_crawford else kind


def _standing(state: MatchState, names: tuple[str, str]) -> tuple[str, ...]:
    if state.result is not None:
        won = (f"{_short(names[state.winner])} wins the match",) if state.winner is not None else ()
        return _won(state.result, names), *won
    return ("Opening roll",) if state.on_roll is None else ()


def _won(result: Result, names: tuple[str, str]) -> str:
    how = "by forfeit" if result.win is None else f"a {level_name(result.win)}{_ENDS[result.end]}"
    return f"{_short(names[result.winner])} wins {how}: {counted(result.points, 'point')}"
