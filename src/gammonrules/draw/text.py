"""Positions and match states as text, in the form familiar from GNU Backgammon's console.

The player at the bottom moves toward the lower right corner, the other player toward the upper right. The player on
roll numbers the points along the edges, so you can follow a play on the board as it is written. In the left margin,
"v" means that the player on roll is at the bottom, and "^" that they are at the top.

A stack shows at most five checkers. If there are more, the fifth place shows their number. Checkers on the bar are on
their owner's half of it. Checkers borne off are next to the board, five in a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gammonrules.board import Position
from gammonrules.draw._labels import Labels, capitalized, read_labels
from gammonrules.draw._player_names import columns, cut
from gammonrules.draw._scene import Scene, SceneSide, of_position, of_state, short
from gammonrules.match import Cube, MatchState, Player, PlayerLike

__all__ = ["match_state", "position"]
__dir__ = __all__.copy

_ROWS = 5
"""Of one half of the board; the edges and the line between the halves are besides."""
_LINES = 2 * _ROWS + 3
_MIDDLE = _ROWS + 1
_UPPER = range(13, 25)
_LOWER = range(12, 0, -1)
"""The points of each half of the board, from left to right, as the player at the bottom numbers them."""
_LETTERS = {Player.WHITE: "X", Player.BLACK: "O"}


def position(position: Position, *, flipped: bool = False, labels: Labels | None = None) -> str:
    """Draw a position; `X` is the player on roll.

    Args:
        position: the position to draw. A position has no colors: `X` is always the player on roll.
        flipped: whether the opponent is at the bottom. The letters and the numbers of the points stay the same.
        labels: the labels in another language, as in `match_state`. None (the default): English, as in `LABELS`.

    Returns:
        Fourteen lines without trailing blanks, joined by newlines.

    Raises:
        ArgumentError: `position` is not a `Position`, `flipped` is not a bool, or `labels` is not as described.

    Examples:
        >>> from gammonrules import Position
        >>> print(position(Position.start()))
         Position ID: 4HPwATDgc/ABMA
         +13-14-15-16-17-18------19-20-21-22-23-24-+     O: opponent
         | X           O    |   | O              X |     167 pips
         | X           O    |   | O              X |
         | X           O    |   | O                |
         | X                |   | O                |
         | X                |   | O                |
        v|                  |BAR|                  |
         | O                |   | X                |
         | O                |   | X                |
         | O           X    |   | X                |
         | O           X    |   | X              O |
         | O           X    |   | X              O |     167 pips
         +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: on roll
    """
    return _text_drawing(of_position(position, flipped=flipped, labels=read_labels(labels)))


def match_state(
    state: MatchState,
    *,
    bottom: PlayerLike = Player.WHITE,
    names: Sequence[str] | None = None,
    labels: Labels | None = None,
) -> str:
    """Draw a match state: the board, the score, the cube, the dice and whose turn it is.

    White is always `X` and Black `O`, whoever is at the bottom. An owned cube is next to its owner's name, a centered
    cube in the middle. A pending double is next to the player who must answer; the cube stays where it was.

    Args:
        state: the state to draw. Before the opening roll, White numbers the points.
        bottom: the player at the bottom.
        names: the names of White and Black, such as `Match.players`. None or empty names: "White" and "Black". A name
            is cut to 18 columns; a wide character takes two. Unprintable characters are shown as "�". A right-to-left
            name does not disturb the text around it.
        labels: the labels in another language: strings of up to 200 characters by the keys of `LABELS`, with the same
            fields. A label with the field `{count}` may be a function of the count that returns the string, for plural
            forms. Keys that are left out stay English. None (the default): English, as in `LABELS`.

    Returns:
        Fourteen lines without trailing blanks, joined by newlines.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `bottom` is not a player, `names` is not a pair of strings, or
            `labels` is not as described.

    Examples:
        >>> from gammonrules import MatchState
        >>> print(match_state(MatchState.new(length=7).opening_roll(white=3, black=1)))
         Position ID: 4HPwATDgc/ABMA
         +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Black
         | X           O    |   | O              X |     0 points
         | X           O    |   | O              X |     167 pips
         | X           O    |   | O                |
         | X                |   | O                |
         | X                |   | O                |
        v|                  |BAR|                  |     7 point match (Cube: 1)
         | O                |   | X                |
         | O                |   | X                |
         | O           X    |   | X                |     Rolled 31
         | O           X    |   | X              O |     167 pips
         | O           X    |   | X              O |     0 points
         +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: White
    """
    return _text_drawing(of_state(state, bottom=bottom, names=names, labels=read_labels(labels)))


def _text_drawing(scene: Scene) -> str:
    bar_sign = _sign(scene.labels("bar_sign"))
    six_points = f"{'':18}"  # of three columns each
    board_lines = [
        _edge(scene, _UPPER),
        *_half(scene, _UPPER, scene.top),
        f"|{six_points}|{bar_sign}|{six_points}|",
        *reversed(_half(scene, _LOWER, scene.bottom)),
        _edge(scene, _LOWER),
    ]
    labels = _labels_beside(scene)
    margins = [" "] * len(board_lines)
    margins[_MIDDLE] = "v" if scene.on_roll_at_bottom else "^"  # it points to the player on roll
    lines = [f" {scene.identity}"]
    for margin, line, text in zip(margins, board_lines, labels, strict=True):
        # padded, so that the labels are below one another, beyond the checkers borne off
        lines.append(f"{margin}{line:48}{text}".rstrip())
    return "\n".join(lines)


def _labels_beside(scene: Scene) -> list[str]:
    """The labels next to each line of the board: the sides at its edges, the game and its result in the middle."""
    top = _caption(scene, scene.top)
    bottom = _caption(scene, scene.bottom)
    game = scene.kind
    if scene.cube is not None and scene.cube.owner is None:
        game += _cube_value(scene, scene.cube)
    middle = [game, *scene.standing]
    lines = [""] * _LINES
    lines[: len(top)] = top
    lines[_MIDDLE : _MIDDLE + len(middle)] = middle
    # a caption begins at its edge of the board, which is the last line here
    lines[_LINES - len(bottom) :] = reversed(bottom)
    return lines


@lru_cache(maxsize=64)
def _sign(label: str) -> str:
    """A label in three columns."""
    sign = cut(label, 3, columns)
    blanks = 3 - columns(sign)  # a wide character takes two
    return sign.center(len(sign) + blanks)


def _half(scene: Scene, numbers: Iterable[int], owner: SceneSide) -> list[str]:
    """The five rows of one half of the board, from its edge to the middle, with the owner's checkers off beside it.

    `numbers` are its points as the player at the bottom numbers them.
    """
    bottom = _LETTERS[scene.bottom.color]
    top = _LETTERS[scene.top.color]
    stacks = [_stack(scene.counts[number], bottom, top) for number in numbers]
    bar = 25 if owner is scene.bottom else 0
    bar_stack = _stack(scene.counts[bar], bottom, top)
    lines: list[str] = []
    for row in range(_ROWS):
        cells = [stack[row] for stack in stacks]
        left = "".join(cells[:6])
        right = "".join(cells[6:])
        # those off stand in columns of five, so this row has every fifth of them
        off_in_row = [number for number in range(owner.off) if number % _ROWS == row]
        borne_off = _LETTERS[owner.color] * len(off_in_row)
        lines.append(f"|{left}|{bar_stack[row]}|{right}| {borne_off}")
    return lines


def _stack(count: int, bottom: str, top: str) -> list[str]:
    """The cells of one stack, from the edge of the board to the middle."""
    height = abs(count)
    letter = bottom if count > 0 else top
    cells = [f" {letter} " if row < height else "   " for row in range(_ROWS)]
    if height > _ROWS:  # the number stands for those that have no cell
        cells[-1] = f"{height:>2} "
    return cells


def _edge(scene: Scene, numbers: Iterable[int]) -> str:
    labels = [f"{scene.number_of(number):->2}-" for number in numbers]
    return f"+{''.join(labels[:6])}-----{''.join(labels[6:])}+"


def _caption(scene: Scene, side: SceneSide) -> Sequence[str]:
    """The line beside the edge of the board, then those toward the middle."""
    name = f"{_LETTERS[side.color]}: {short(side.name)}"
    if scene.cube is not None and scene.cube.owner is side.color:
        name += _cube_value(scene, scene.cube)
    pips = scene.labels("pips", count=side.pips)
    if not side.score:
        return name, pips
    return name, side.score, pips, capitalized(side.doing)


def _cube_value(scene: Scene, cube: Cube) -> str:
    return f" ({scene.labels('cube', value=cube.value)})"
