"""Boards, dice and plays.

A board is drawn as groups of checkers, each with a place and a height, first those of the player on roll and then the
opponent's. Whatever is drawn is made valid, so no draw is thrown away: a group whose point is taken goes to the next
free one. Boards of all kinds come from the same draws, which a `_Shape` adapts to the kind; so a failing board of any
kind shrinks to a simpler board of a simpler shape. Simple means few checkers, on low points.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from hypothesis import strategies as st

from gammonrules.board import Move, Play, Plays, Position, StartName
from gammonrules.board.internals import BAR, STANDARD_CHECKERS, is_shut_out, start_of_games
from gammonrules.dice import ROLLS, Dice
from gammonrules.strategies import _arguments
from gammonrules.values import choice_argument, whole_argument

PositionKind: TypeAlias = Literal[
    "any", "live", "contact", "race", "bear-off", "bar", "shut-out", "finished"
]
"""The kinds of positions: see `positions`."""

_HOME = range(1, 7)
_CLOSED_BOARD = 12
"""The checkers in a closed board."""
_SIZES = (*[STANDARD_CHECKERS] * 12, 3, 2, 1, 5, 10)
"""Checkers a side, unless the caller sets them."""

_Group: TypeAlias = tuple[int, int]
_Side: TypeAlias = dict[int, int]


class _Shape(NamedTuple):
    """How the drawn groups are turned into a board of some kind."""

    mine: int = BAR
    """The highest place of the player on roll."""
    theirs: int = BAR
    """The opponent's, in their own numbering."""
    bar: bool = False
    """Whether the first group of the player on roll is on the bar."""
    contact: bool = False
    """Whether the first group of the opponent is behind a checker of the player on roll."""
    closed: bool = False
    """Whether the opponent's home board is closed."""
    groups: Literal[1, 5] = 1
    """The least number of groups of a side."""
    over: Literal["", "won", "lost"] = ""
    """The side whose checkers are all borne off, if any."""


_FULL = _Shape(groups=5)
_BARS = (_Shape(bar=True), _Shape(bar=True, groups=5))
_CONTACTS = (_Shape(contact=True), _Shape(contact=True, groups=5))
_RACES = tuple(
    _Shape(rear, 24 - rear) for rear in sorted(range(1, 24), key=lambda rear: abs(rear - 12))
)
_BEAR_OFFS = (_Shape(6), _Shape(6, groups=5), _Shape(6, 6), _Shape(6, 18))
_SHUT_OUTS = (_Shape(bar=True, closed=True), _Shape(bar=True, closed=True, groups=5))
_FINISHED = (
    _Shape(over="lost"),
    _Shape(6, over="lost"),
    _Shape(over="won"),
    _Shape(theirs=6, over="won"),
)
# Shrinking tries the earlier shapes, so each comes after the simpler ones of which it is a special case.
_LIVE = (
    _Shape(),
    *[_FULL] * 12,
    *_BARS,
    *_SHUT_OUTS,
    *_CONTACTS,
    _RACES[0],
    *_BEAR_OFFS,
    _Shape(theirs=6, groups=5),
)
_SHAPES: dict[PositionKind, tuple[_Shape, ...]] = {
    "any": (*_LIVE, *_FINISHED),
    "live": _LIVE,
    "contact": _CONTACTS,
    "race": _RACES,
    "bear-off": _BEAR_OFFS,
    "bar": _BARS,
    "shut-out": _SHUT_OUTS,
    "finished": _FINISHED,
}

# Most of the rules are about pairs, which block. So pairs are drawn more often than blots and stacks.
_HEIGHTS = st.sampled_from((1, 2, 2, 2, 1, 2, 3, 2, 4, 1, 3, 6))


def _groups(highest: int, least: int) -> st.SearchStrategy[list[_Group]]:
    """So many groups of checkers or more, up to this place."""
    group = st.tuples(st.integers(1, highest), _HEIGHTS)
    return st.lists(group, min_size=least, max_size=STANDARD_CHECKERS)


_FEW_GROUPS = {highest: _groups(highest, 1) for highest in range(1, BAR + 1)}
_MANY_GROUPS = {highest: _groups(highest, 5) for highest in range(1, BAR + 1)}


def positions(
    *, kind: PositionKind = "live", checkers: int | None = None
) -> st.SearchStrategy[Position]:
    """Positions of a kind, reachable by play or not.

    Every position of the kind can be drawn; those where much happens (blocks, blots, checkers on the bar) are drawn
    often. A failing one shrinks toward few checkers, on low points.

    Args:
        kind: "any"; or "live" (the default) if the game goes on, "finished" if it is over. Live positions of a special
            kind are "contact" (the sides have not passed each other), "race" (they have), "bear-off" (the player on
            roll has nothing outside their home board), "bar" (they have a checker on the bar) and "shut-out" (they do,
            and the opponent's home board is closed).
        checkers: of each side, on the board and off, 1 to 15, or 12 to 15 if `kind` is "shut-out"; None: usually 15,
            sometimes fewer.

    Raises:
        ArgumentError: `kind` is not one of these, or `checkers` is out of bounds.

    Examples:
        >>> from hypothesis import given
        >>> @given(positions(kind="race"))
        ... def test_nobody_is_hit_in_a_race(position):
        ...     for play in position.legal_plays("65"):
        ...         assert not any(move.hit for move in play.moves)
        >>> test_nobody_is_hit_in_a_race()
    """
    known_kind: PositionKind = choice_argument("kind", kind, [*_SHAPES])
    least = _CLOSED_BOARD if known_kind == "shut-out" else 1
    if checkers is None:
        sizes = [size for size in _SIZES if size >= least]
    else:
        name = f"checkers of {known_kind} positions"
        sizes = [whole_argument(name, checkers, least, STANDARD_CHECKERS)]
    shapes: Sequence[_Shape] = _SHAPES[known_kind]
    can_be_closed = max(sizes) >= _CLOSED_BOARD
    if not can_be_closed:
        shapes = [shape for shape in shapes if not shape.closed]
    return _positions(st.sampled_from(sizes), st.sampled_from(shapes))


_live = positions  # for functions with a parameter of that name


@st.composite
def _positions(
    draw: st.DrawFn, sizes: st.SearchStrategy[int], shapes: st.SearchStrategy[_Shape]
) -> Position:
    shape = draw(shapes)
    size = draw(sizes)
    if shape.closed:
        size = max(size, _CLOSED_BOARD)
    groups_by_highest_place = _FEW_GROUPS if shape.groups == 1 else _MANY_GROUPS
    my_groups = draw(groups_by_highest_place[shape.mine])
    their_groups = draw(groups_by_highest_place[shape.theirs])
    their_closed_home = dict.fromkeys(_HOME, 2) if shape.closed else {}
    if shape.bar:
        _, height = my_groups[0]
        my_groups[0] = (BAR, height)
    mine = _standing(my_groups, size, their_closed_home)
    if shape.contact:
        point, height = their_groups[0]
        # their point n is my point 25 - n, so they have not passed my rearmost checker from here on
        least_point = BAR + 1 - max(mine)
        point = max(point, least_point)
        if BAR - point in mine:  # the point is taken; their bar is behind every checker of mine
            point = BAR
        their_groups[0] = (point, height)
    theirs = _standing([*their_closed_home.items(), *their_groups], size, mine)
    let_somebody_move(mine, theirs)
    if shape.over == "won":  # the player on roll has borne off all checkers
        mine.clear()
    elif shape.over == "lost":
        theirs.clear()
    return Position.of(mine=mine, theirs=theirs, checkers=size)


def _standing(groups: Sequence[_Group], size: int, opposing: Container[int]) -> _Side:
    """The checkers of a side, at most `size` of them, on points that the opposing ones leave free."""
    side: _Side = {}
    left = size
    for drawn_point, height in groups:
        point = drawn_point
        while BAR - point in opposing:  # this ends: one side cannot hold every point
            point = point % 24 + 1  # after the last point comes the first
        count = min(height, left)
        if count:
            side[point] = side.get(point, 0) + count
            left -= count
    return side


def let_somebody_move(mine: _Side, theirs: _Side) -> None:
    """Bear off the opponent's checkers on the bar if both sides are shut out, since nobody could ever move."""
    if is_shut_out(mine, theirs) and is_shut_out(theirs, mine):
        del theirs[BAR]


_DIE = st.integers(1, 6)
_MIXED = [roll for roll in ROLLS if not roll.is_doublet]
_DOUBLETS = [roll for roll in ROLLS if roll.is_doublet]
_MIXED_TWICE = chain.from_iterable((roll, roll) for roll in _MIXED)
_ROLLS = st.sampled_from([*_MIXED_TWICE, *_DOUBLETS])
CHOICES = st.integers(0, 4095)
"""More plays than any roll has."""
_TURN = st.tuples(_ROLLS, CHOICES)


def reachable_positions(
    *, start: StartName | Position = "standard", max_turns: int = 40
) -> st.SearchStrategy[Position]:
    """Positions that legal play leads to from a start; the game goes on in all of them.

    A failing one shrinks toward few turns, and so toward the start.

    Args:
        start: where play begins: a position, or the name of one as in `Position.start`.
        max_turns: the most turns that are played, 0 to 1,000.

    Raises:
        PositionError: there is no start position with this name.
        ArgumentError: `start` is neither a name nor a position in which the game goes on, or `max_turns` is out of
            bounds.

    Examples:
        >>> from hypothesis import given
        >>> @given(reachable_positions(max_turns=3))
        ... def test_bearing_off_takes_longer(position):
        ...     assert position.off == position.opponent_off == 0
        >>> test_bearing_off_takes_longer()
    """
    position = start_of_games(start)
    turns = scripts(_TURN, _arguments.limit("max_turns", max_turns))
    return _reachable_positions(position, turns)


@st.composite
def _reachable_positions(
    draw: st.DrawFn, position: Position, turns: st.SearchStrategy[list[tuple[Dice, int]]]
) -> Position:
    for roll, choice in draw(turns):
        after = chosen(position.legal_plays(roll), choice).position
        is_game_over = after.outcome is not None
        if is_game_over:
            break
        position = after
    return position


_Turn = TypeVar("_Turn")


def scripts(turn: st.SearchStrategy[_Turn], maximum: int) -> st.SearchStrategy[list[_Turn]]:
    """A script of what to do in each turn, independent of the board, so that shrinking can leave out any turn.

    Without a `min_size`, most lists would be short. A list may have one turn more than is kept: one that must be
    full is drawn in a different way, which Hypothesis cannot shrink to a shorter one.
    """
    shortest = st.sampled_from((0, maximum // 4, maximum // 2, maximum))
    lists = shortest.flatmap(lambda minimum: st.lists(turn, min_size=minimum, max_size=maximum + 1))
    return lists.map(lambda turns: turns[:maximum])


def chosen(plays: Plays, choice: int) -> Play:
    """The play for a choice; 0 is the first."""
    return plays[choice % len(plays)]


def dice() -> st.SearchStrategy[Dice]:
    """Rolls of two dice, as likely as with real dice: one sixth of them are doublets.

    A failing one shrinks toward 2-1, and a doublet toward 1-1.

    Examples:
        >>> from hypothesis import given
        >>> @given(dice())
        ... def test_doublets_are_played_four_times(roll):
        ...     assert len(roll.to_play) == (4 if roll.is_doublet else 2)
        >>> test_doublets_are_played_four_times()
    """
    return _ROLLS


def legal_plays(
    *,
    positions: st.SearchStrategy[Position] | None = None,
    rolls: st.SearchStrategy[Dice] | None = None,
) -> st.SearchStrategy[Plays]:
    """A position with a roll, as `Plays`, which has both.

    Args:
        positions: draws the positions; None: live ones, see `positions`.
        rolls: draws the rolls; None: all, see `dice`.

    Raises:
        ArgumentError: `positions` or `rolls` is not a strategy; while drawing, if it draws something else.

    Examples:
        >>> from hypothesis import given
        >>> @given(legal_plays())
        ... def test_a_bot_makes_a_legal_play(plays):
        ...     chosen = max(plays, key=lambda play: play.position.pip_count)  # the bot
        ...     assert chosen in plays.position.legal_plays(plays.dice)
        >>> test_a_bot_makes_a_legal_play()
    """
    return st.builds(
        Position.legal_plays,
        _arguments.strategy_for("positions", positions, _live()),
        _arguments.strategy_for("rolls", rolls, dice()),
    )


def plays(
    *,
    positions: st.SearchStrategy[Position] | None = None,
    rolls: st.SearchStrategy[Dice] | None = None,
) -> st.SearchStrategy[Play]:
    """Legal plays, each of some position and some roll; positions in which the game is over are left out.

    Arguments and errors are those of `strategies.legal_plays`.

    Examples:
        >>> from hypothesis import given
        >>> @given(plays())
        ... def test_a_play_is_found_by_its_text(play):
        ...     assert play.before.legal_plays(play.dice).find(str(play)) == play
        >>> test_a_play_is_found_by_its_text()
    """
    lists = legal_plays(positions=positions, rolls=rolls).filter(len)
    return lists.flatmap(lambda listed: CHOICES.map(lambda choice: chosen(listed, choice)))


def moves() -> st.SearchStrategy[Move]:
    """Single checker moves as a person might try them, by the number of a die, legal or not.

    Examples:
        >>> from hypothesis import given
        >>> @given(legal_plays(), moves())
        ... def test_an_offered_move_can_be_made(plays, move):
        ...     if move in plays.next_moves():
        ...         assert plays.points_after([move]) != plays.position.points
        >>> test_an_offered_move_can_be_made()
    """
    return st.builds(_move_by, st.integers(1, BAR), _DIE, st.booleans())


def _move_by(source: int, die: int, hit: bool) -> Move:  # noqa: FBT001 - drawn, never written
    target = max(source - die, 0)
    return Move(source, target, hit=hit and target > 0)
