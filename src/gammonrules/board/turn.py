"""A turn move by move: which moves may come next on the way to a legal result."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import attrs

from gammonrules.board.encoding import Packed, hits, pack, points_of, unpack
from gammonrules.board.generator import Branch, Node, turn_nodes
from gammonrules.board.position import Position, board_in
from gammonrules.board.pure import sources_and_steps, without
from gammonrules.dice import Dice, DiceLike
from gammonrules.values import check_kind

DieMove: TypeAlias = tuple[int, int, bool, int]
"""From, to, whether the move hits, and the die."""


@attrs.frozen(init=False)
class TurnTree:
    """Every order of moves that ends in a legal play of one roll, for a board that walks through it.

    Each plays as many dice as possible, also where fewer would lead to the same position. A last checker alone may be
    borne off by fewer if nothing else comes of it, since the game is over: with 6-1 from the 2 point by 2/off and
    2/1/off.

    `TurnTree(position, dice)` is the same as `position.legal_plays(dice).tree()`.

    *Equality*: the same position and the same roll.

    Attributes:
        position: the position before the turn.
        dice: the roll.
        nodes: the boards on the way, each with its dice left, as tuples of the moves that may come next:
            `(from_point, to_point, die, next_node)`, where `next_node` is the index of the node after the move. They
            stand in order: high points first, then the higher die. Node 0 is the start; in a node without moves the
            turn is finished. Where either die bears a checker off, there is one move, with the smaller die.

    Raises:
        ArgumentError: `position` is not a `Position`.
        DiceError: `dice` is not a roll.

    Examples:
        >>> tree = TurnTree(Position.of(mine={5: 1, 3: 1}, theirs={6: 2}), "41")
        >>> tree.nodes[0]
        ((5, 1, 4, 1), (5, 4, 1, 2), (3, 2, 1, 3))
        >>> tree.nodes[2]
        ((4, 0, 4, 5),)
    """

    position: Position
    dice: Dice
    nodes: tuple[Node, ...] = attrs.field(eq=False, repr=False)

    def __init__(self, position: Position, dice: DiceLike) -> None:
        check_kind("position", position, Position)
        roll = Dice.of(dice)
        nodes = turn_nodes(position._board, roll.high, roll.low)
        self.__attrs_init__(position, roll, nodes)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    @property
    def boards(self) -> tuple[tuple[int, ...], ...]:
        """The board at each node: 26 counts as the player on roll sees them (see `Position.points`).

        Examples:
            >>> tree = TurnTree(Position.start(), "65")
            >>> _, _, _, next_node = tree.nodes[0][0]  # 24/18
            >>> board = tree.boards[next_node]
            >>> board[24], board[18]
            (1, 1)
        """
        stages = {0: Stage(self.nodes, pack(board_in(self.position)), self.dice.to_play)}
        for number in range(len(self.nodes)):  # a node stands after those that lead to it
            for move in stages[number].moves:
                stages[move[3]] = stages[number].after(move)
        return tuple(points_of(unpack(stages[number].board)) for number in range(len(self.nodes)))

    @property
    def data(self) -> dict[str, list[int] | list[list[int]]]:
        """The tree as plain data: `points` (see `Position.points`), `dice`, and `nodes` with four numbers for a move.

        Examples:
            >>> board = Position.of(mine={1: 1}, theirs={6: 2})
            >>> TurnTree(board, "21").data["nodes"]
            [[1, 0, 1, 1], []]
        """
        nodes = [[number for move in node for number in move] for node in self.nodes]
        return {"points": list(self.position.points), "dice": [self.dice.high, self.dice.low], "nodes": nodes}

    def to_json(self) -> str:
        """`data` as compact JSON: usually 1 kB, and less than 175 kB, since no turn has more than 12,240 moves.

        Examples:
            >>> board = Position.of(mine={1: 1}, theirs={6: 2})
            >>> TurnTree(board, "21").to_json()[-36:]
            '"dice":[2,1],"nodes":[[1,0,1,1],[]]}'
        """
        import json  # noqa: PLC0415 - it takes time to load, and few programs need it

        return json.dumps(self.data, separators=(",", ":"))


class Stage(NamedTuple):
    """A board in the middle of a turn."""

    nodes: tuple[Node, ...]
    board: Packed
    dice: tuple[int, ...]
    """Those left."""
    node: int = 0

    @property
    def moves(self) -> Node:
        """The moves that may come next."""
        return self.nodes[self.node]

    def after(self, move: Branch) -> Stage:
        """The stage after one of them."""
        source, _, die, node = move
        _, steps = sources_and_steps(self.board, die)
        return Stage(self.nodes, self.board + steps[source], without(die, self.dice), node)

    def series(self) -> dict[tuple[int, int], tuple[DieMove, ...]]:
        """For everything one checker can do next, with one die or several, the series that hits least on the way."""
        best: dict[tuple[int, int], tuple[DieMove, ...]] = {}

        def go_on(series: tuple[DieMove, ...], stage: Stage) -> None:
            for move in stage.moves:
                source, target, die, _ = move
                if not series or series[-1][1] == source:
                    longer = (*series, (source, target, hits(stage.board, target), die))
                    way = longer[0][0], target
                    best[way] = min(longer, best.get(way, longer), key=_rank)
                    go_on(longer, stage.after(move))

        go_on((), self)
        return best


def _rank(series: tuple[DieMove, ...]) -> tuple[int, list[int]]:
    """Lower is better: fewer hits on the way, then no stop, then stops at lower points, as after the higher die."""
    on_the_way = series[:-1]
    return sum(move[2] for move in on_the_way), [move[1] for move in on_the_way]
