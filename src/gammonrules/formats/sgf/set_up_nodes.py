"""Set-up nodes: a board, a cube, a turn or dice that were set by hand, in one node or several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import Factory, define

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.errors import ParseError
from gammonrules.formats.sgf.point_letters import ALL, POINTS, SIDES
from gammonrules.formats.sgf.sgf_trees import Node, first_value, values_of
from gammonrules.match import Cube, MatchState, Player, SetPosition
from gammonrules.values import is_cube_value, shown

SET_UP: Final = frozenset(("PL", "AE", "AW", "AB", "CV", "CP", "CO", "DI"))
"""The properties of such nodes."""
_OWNERS: Final = {"c": None, "n": None, "w": Player.WHITE, "b": Player.BLACK}
_MOST_CHECKERS = 60
"""Values of a property that adds checkers; more cannot be on a board."""


@define
class SetUp:
    """What one or more nodes in a row set by hand, until the next action."""

    player: Player | None = None
    """Whose turn it is."""
    board: dict[Player, list[int]] | None = None
    """The checkers of each player, by points as that player numbers them."""
    value: int | None = None
    owner: Player | None = None
    owner_stated: bool = False
    dice: Dice | None = None
    node: Node | None = None
    """The last node that set anything but dice."""
    dice_node: Node | None = None
    remarks: list[str] = Factory(list[str])
    """The comments of the nodes."""

    def ends_before(self, node: Node) -> bool:
        """Whether a node sets a board for the opponent of the player who has these dice, as after an illegal play."""
        player = side_of(node)
        return self.dice is not None and player not in (None, self.player) and sets_board(node)

    def take(self, node: Node, state: MatchState) -> None:
        """One more node. Raises ParseError if it cannot be read."""
        properties = node.properties
        self.player = side_of(node) or self.player
        if sets_board(node):
            self.board = self.board or board_of(state)
            change_board(self.board, node)
        value = first_value(properties.get("CV"))
        if value is not None:
            self.value = cube_value(value)
        owner = first_value(properties.get("CP", properties.get("CO")))
        if owner is not None:
            if owner not in _OWNERS:
                raise ParseError(f'the owner of the cube must be "c", "w" or "b", not {shown(owner)}')
            self.owner, self.owner_stated = _OWNERS[owner], True
        dice = first_value(properties.get("DI"))
        if dice is not None:
            self.dice, self.dice_node = Dice.of(dice.strip()), node
        if dice is None or len(SET_UP & properties.keys()) > 2:
            self.node = node

    def event(self, state: MatchState, actor: Player | None) -> SetPosition | None:
        """The position set by hand, if more than dice was set; `actor` may be who acts next. Raises PositionError."""
        player = self.player or actor or state.on_roll or Player.WHITE
        cube = self.cube(state)
        turns = self.player is not None and state.on_roll not in (None, self.player) and self.node is not None
        if self.board is None and cube == state.cube and not turns:
            return None
        position = state.view(player) if self.board is None else self.position(player, state.position.checkers)
        return SetPosition(position, player, cube if self.value is not None or self.owner_stated else None)

    def cube(self, state: MatchState) -> Cube:
        value = state.cube.value if self.value is None else self.value
        owner = self.owner if self.owner_stated else state.cube.owner
        return Cube(value, owner if value > 1 else None)

    def position(self, player: Player, checkers: int) -> Position:
        assert self.board is not None  # noqa: S101 - called only if there is one
        sides = (dict(on_points(self.board[side])) for side in (player, player.opponent))
        return Position.of(*sides, checkers=checkers)


def side_of(node: Node) -> Player | None:
    """The player named by `PL`. Raises ParseError if it is not a player."""
    text = first_value(node.properties.get("PL"))
    if text is None:
        return None
    player = SIDES.get(text.strip()[:1].upper())
    if player is None:
        raise ParseError(f'whose turn it is must be "B" or "W", not {shown(text)}')
    return player


def sets_board(node: Node) -> bool:
    return not {"AE", "AW", "AB"}.isdisjoint(node.properties)


def cube_value(text: str) -> int:
    """The value of the cube. Raises ParseError if no cube has this value."""
    value = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if not is_cube_value(value):
        raise ParseError(f"there is no cube of {shown(text)}")
    return value


def board_of(state: MatchState) -> dict[Player, list[int]]:
    """The checkers of each player, by points as that player numbers them; 25 is the bar."""
    return {side: [0, *(max(0, count) for count in state.view(side).points[1:])] for side in Player}


def on_points(counts: list[int]) -> Iterator[tuple[int, int]]:
    return ((point, count) for point, count in enumerate(counts) if point and count)


def change_board(board: dict[Player, list[int]], node: Node) -> None:
    """Empty points, then add checkers, one for each value. Raises ParseError if a value is not a point."""
    for letter in points_in(node.properties.get("AE")):
        for side in Player:
            board[side][POINTS[side][letter]] = 0
    for name, side in (("AW", Player.WHITE), ("AB", Player.BLACK)):
        for letter in points_in(node.properties.get(name)):
            board[side][POINTS[side][letter]] += 1


def points_in(raw: str | None) -> Iterator[str]:
    """The points that a property lists: letters, or ranges such as "a:y". Raises ParseError for anything else."""
    for number, value in enumerate(values_of(raw or "")):
        first, _, last = value.strip().partition(":")
        ends = [ALL.find(letter) if len(letter) == 1 else -1 for letter in (first, last or first)]
        if min(ends) < 0 or number > _MOST_CHECKERS:
            raise ParseError(f"{shown(value)} is not a point, or there are too many points")
        yield from ALL[ends[0] : ends[1] + 1]
