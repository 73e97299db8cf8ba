"""What a picture shows, as text or SVG: the board as the side at the bottom sees it, and the words beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import attrs

from gammonrules.board import MoveLike, Plays, Position
from gammonrules.board.internals import STANDARD_CHECKERS, PlainMove, chains_of, read_moves, spell_play
from gammonrules.dice import Dice, DiceLike
from gammonrules.draw._marks import BOTTOM_TRAY, NO_MARKS, TOP_TRAY, Marks, number_of
from gammonrules.draw._player_names import columns, cut, isolated, printable
from gammonrules.errors import ArgumentError
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Cube, Double, End, MatchState, Pair, Player, Resignation, Result
from gammonrules.match.internals import kind_of_game, level_name, player_of, to_pair
from gammonrules.values import counted, is_pair_of, shown

_ENDS = {End.PLAYED: "", End.DROPPED: " (double dropped)", End.RESIGNED: " (resigned)"}
_BEAVERS = ("", " (beaver)", " (raccoon)")
_MOST_COLUMNS = 18


@attrs.frozen
class Side:
    """One side: its color, its checkers off, and the words beside it."""

    color: Player
    """The player whose checkers these are. For a position, which has no colors, White is the player on roll."""
    name: str
    """The name, cut to fit into a picture."""
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
    """The position between turns; `counts` is what is drawn."""
    counts: tuple[int, ...]
    """26 counts as the player on roll sees them, their own positive."""
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
    dice_used: tuple[bool, bool] = (False, False)
    """Whether the higher and the lower die have been played; the first die of a doublet stands for two moves."""
    so_far: str = ""
    """The moves made in this turn, as text."""
    marks: Marks = NO_MARKS

    @property
    def bottom(self) -> Side:
        return self.sides[0 if self.on_roll_at_bottom else 1]

    @property
    def top(self) -> Side:
        return self.sides[1 if self.on_roll_at_bottom else 0]

    @property
    def flipped(self) -> Scene:
        """The same with the other side at the bottom."""
        return attrs.evolve(self, on_roll_at_bottom=not self.on_roll_at_bottom, marks=self.marks.flipped)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """26 counts as the side at the bottom sees them, its own positive."""
        return self.counts if self.on_roll_at_bottom else tuple(-count for count in reversed(self.counts))

    def count_in(self, place: int) -> int:
        """The checkers in a place, those of the side at the bottom positive."""
        if place in {BOTTOM_TRAY, TOP_TRAY}:
            return self.bottom.off if place == BOTTOM_TRAY else -self.top.off
        return self.points[place]

    def number_of(self, place: int) -> int:
        """The number that its owner gives to a bar or a tray, and the player on roll to a point."""
        return number_of(place, on_roll_at_bottom=self.on_roll_at_bottom)

    @property
    def identity(self) -> str:
        if self.so_far:
            return "In the middle of a turn"
        checkers = self.position.checkers
        unusual = "" if checkers == STANDARD_CHECKERS else f" ({counted(checkers, 'checker')} a side)"
        return f"Position ID: {self.position.id}{unusual}"


@attrs.frozen
class _Turn:
    """The board in the middle of a turn, as the player on roll sees it."""

    counts: tuple[int, ...]
    checkers: int
    dice_used: tuple[bool, bool] = (False, False)
    so_far: str = ""

    @property
    def off(self) -> int:
        return self.checkers - sum(count for count in self.counts if count > 0)

    @property
    def opponent_off(self) -> int:
        return self.checkers + sum(count for count in self.counts if count < 0)

    @property
    def pips(self) -> int:
        return sum(point * count for point, count in enumerate(self.counts) if count > 0)

    @property
    def opponent_pips(self) -> int:
        return sum((point - 25) * count for point, count in enumerate(self.counts) if count < 0)


def _turn(position: Position, plays: Plays | None, made: Sequence[PlainMove]) -> _Turn:
    """The board after the moves made so far; IllegalPlayError if they cannot have been made."""
    if plays is None or not made:
        return _Turn(position.points, position.checkers)
    counts = plays.points_after(made)
    left = plays.dice_left(made)
    if plays.dice.is_doublet:
        used = (len(left) <= 2, not left)
    else:
        used = (plays.dice.high not in left, plays.dice.low not in left)
    return _Turn(counts, position.checkers, used, spell_play(chains_of(made)))


def of_position(
    position: Position, *, flipped: bool, dice: DiceLike | None = None, so_far: Iterable[MoveLike] = ()
) -> Scene:
    """The picture of a position, perhaps with a roll and the moves made with it.

    Raises:
        ArgumentError: `position` is not a `Position`, `flipped` is not a bool, or there are moves without a roll.
        DiceError: `dice` is not a roll.
        IllegalPlayError: the moves cannot have been made.
    """
    given: object = position
    if not isinstance(given, Position):
        hint = ": for a match state there is `table`" if isinstance(given, MatchState) else ""
        raise ArgumentError(f"expected a Position, not {shown(given)}{hint}")
    if type(flipped) is not bool:
        raise ArgumentError(f"flipped must be True or False, not {shown(flipped)}")
    plays, made = None if dice is None else position.legal_plays(dice), read_moves(so_far)
    if plays is None and made:
        raise ArgumentError("so_far has the moves made with a roll, so it needs dice")
    turn = _turn(position, plays, made)
    return Scene(
        position,
        turn.counts,
        (
            Side(Player.WHITE, "on roll", "Player on roll", turn.off, turn.pips),
            Side(Player.BLACK, "opponent", "Opponent", turn.opponent_off, turn.opponent_pips),
        ),
        on_roll_at_bottom=not flipped,
        dice=None if plays is None else plays.dice,
        dice_used=turn.dice_used,
        so_far=turn.so_far,
    )


def of_state(
    state: MatchState, *, bottom: Player, names: Sequence[str] | None = None, so_far: Iterable[MoveLike] = ()
) -> Scene:
    """The picture of a match state, perhaps with moves made in this turn.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `bottom` is not a `Player`, `names` is not a pair of strings, or
            `so_far` is not a series of moves.
        IllegalActionError: there are moves, but no dice have been rolled.
        IllegalPlayError: the moves cannot have been made.
    """
    given: object = state
    if not isinstance(given, MatchState):
        hint = ": for a position there is `board`" if isinstance(given, Position) else ""
        raise ArgumentError(f"expected a MatchState, not {shown(given)}{hint}")
    lower, called = player_of(bottom, "bottom"), _names(names)
    on_roll = state.on_roll or Player.WHITE
    made = read_moves(so_far)
    turn = _turn(state.position, state.legal_plays if made else None, made)
    return Scene(
        state.position,
        turn.counts,
        (
            _side(state, on_roll, called, turn.off, turn.pips),
            _side(state, on_roll.opponent, called, turn.opponent_off, turn.opponent_pips),
        ),
        on_roll_at_bottom=on_roll is lower,
        kind=kind_of_game(state),
        standing=_standing(state, called),
        cube=state.cube if state.rules.cube and not state.crawford else None,
        offered=state.pending_double,
        crawford=state.crawford,
        dice=state.dice,
        dice_used=turn.dice_used,
        so_far=turn.so_far,
    )


def _names(names: Sequence[str] | None) -> Pair[str]:
    """The full names of White and Black; the colors if there are no names."""
    if names is None:
        names = ("", "")
    given = to_pair(names)
    if not is_pair_of(given, str):
        raise ArgumentError(f"names must be a pair of strings, White's and Black's, not {shown(names)}")
    white, black = (printable(cut(name, LONGEST_NAME, len)) for name in given)
    return Pair((white or Player.WHITE.title(), black or Player.BLACK.title()))


@lru_cache(maxsize=64)
def _short(name: str) -> str:
    """A name as it is written beside a board."""
    return isolated(cut(name, _MOST_COLUMNS, columns))


def _side(state: MatchState, player: Player, names: Pair[str], off: int, pips: int) -> Side:
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


def _standing(state: MatchState, names: Pair[str]) -> tuple[str, ...]:
    if state.result is not None:
        won = (f"{_short(names[state.winner])} wins the match",) if state.winner is not None else ()
        return _won(state.result, names), *won
    return ("Opening roll",) if state.on_roll is None else ()


def _won(result: Result, names: Pair[str]) -> str:
    how = "by forfeit" if result.win is None else f"a {level_name(result.win)}{_ENDS[result.end]}"
    return f"{_short(names[result.winner])} wins {how}: {counted(result.points, 'point')}"
