"""Boards as SVG, for notebooks and web pages.

The player at the bottom moves toward the lower right corner, the other toward the upper right. The points are numbered
along the edges as the player on roll numbers them, so a play can be followed on the board as it is written.

A stack shows at most five checkers; if there are more, the fifth shows their number. Checkers on the bar are on their
owner's half of it, checkers borne off are in the tray on the right. Dice, and a cube that is offered, are in the half
to the right of the player who must play or answer; otherwise the cube is in the tray on the left.

A picture is a complete SVG document without ids, styles or external references, so any number of them can be on one
page, under the strictest Content-Security-Policy. It has its own background and does not depend on the colors or the
writing direction of the page. Without a width, it is as wide as the element that contains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape as escape_html

import attrs

from gammonrules.board import Position
from gammonrules.draw._names import columns
from gammonrules.draw._scene import Scene, Side, of_position, of_state
from gammonrules.limits import LARGEST_PICTURE
from gammonrules.match import MatchState, Player
from gammonrules.problems import whole_argument
from gammonrules.values import counted

__all__ = ["board", "table"]

# Lengths are in units of the viewBox. The board is symmetrical about _MIDDLE; a half is five checkers high.
_WIDTH, _HEIGHT = 628, 526
USUAL_WIDTH = _WIDTH
"""The width in pixels at which notebooks show a picture."""
_TOP, _BOTTOM, _MIDDLE = 56, 456, 256
_RADIUS, _PITCH, _POINT_LENGTH = 18, 40, 176
_LEFT_HALF, _BAR, _RIGHT_HALF = 52, 292, 336
_CUBE_TRAY, _OFF_TRAY = 30, 598
_MOST_SHOWN = 5
_SIZE = 13
"""The font size of most words."""
_LONGEST_NAME = 200
_NARROW, _WIDE = frozenset("fijlrtIJ .,:;'!|()[]-"), frozenset("mwMW@%")

_PAPER, _INK, _FAINT = "#fbf7ee", "#33261d", "#75665a"
_FRAME, _FELT, _PALE, _DEEP, _TRAY = "#5d4030", "#ecdfc6", "#d3b588", "#a8744a", "#7a5a45"


@attrs.frozen
class _Paint:
    """The colors of a side: of its checkers and dice, of their rims, and of what is written on them."""

    fill: str
    rim: str
    ink: str


_PAINTS = {Player.WHITE: _Paint("#fffdf7", "#4a372b", _INK), Player.BLACK: _Paint("#2d2a2e", "#a2978c", "#fffdf7")}
_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The spots of each face in a grid of three by three, lettered from a to i."""


def board(position: Position, *, flipped: bool = False, width: int | None = None) -> str:
    """Draw a position; the light checkers are those of the player on roll.

    Args:
        position: the position to draw. A position has no colors: the light side is always the one whose turn it is.
        flipped: whether the opponent is at the bottom. Colors and numbers stay those of the player on roll.
        width: in pixels, 1 to 100,000; None (the default): as wide as the element that contains the picture, growing
            and shrinking with it. An image file should have a width; notebooks use 628.

    Returns:
        An SVG document of about 5 kB, the same for the same arguments.

    Raises:
        ArgumentError: `position` is not a `Position`, `flipped` is not a bool, or `width` is out of bounds.

    Examples:
        >>> from gammonrules import Position
        >>> picture = board(Position.start())
        >>> picture.startswith("<svg "), picture.count("<circle ")
        (True, 32)
    """
    return _picture(of_position(position, flipped=flipped), width)


def table(
    state: MatchState,
    *,
    bottom: Player = Player.WHITE,
    names: Sequence[str] | None = None,
    width: int | None = None,
) -> str:
    """Draw a match state: the board, the score, the cube, the dice and whose turn it is.

    The light checkers are White's, whoever is on roll. (`board` knows no colors; there they are those of the player
    on roll.)

    The cube is at its owner's end of the tray, or in the middle if it is centered. A pending double shows the cube,
    with the value offered, beside the player who must answer. In the Crawford game, "Cr" takes the place of the cube.

    Args:
        state: the state to draw. Before the opening roll the points are numbered as White numbers them.
        bottom: the player whose side is drawn at the bottom.
        names: the names of White and Black, such as `Match.players`; None or empty names: "White" and "Black". A name
            is cut to 18 columns, of which a wide character takes two, and to 100 characters in the description of the
            picture. Unprintable characters are shown as "�"; a right-to-left name does not disturb the words around it.
        width: as for `board`.

    Returns:
        An SVG document of about 5 kB, the same for the same arguments.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `bottom` is not a `Player`, `names` is not a pair of strings, or
            `width` is out of bounds.

    Examples:
        >>> from gammonrules import MatchState
        >>> picture = table(MatchState.new(length=7).opening_roll(white=3, black=1), names=("Ann", "Bob"))
        >>> "7 point match" in picture, "Ann" in picture, "Rolled 31" in picture
        (True, True, True)
    """
    return _picture(of_state(state, bottom=bottom, names=names), width)


def _picture(scene: Scene, width: int | None) -> str:
    view = f'{_size(width)}viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {view} font-family="sans-serif" font-size="{_SIZE}"',
        'text-anchor="middle" direction="ltr">',
        f"<title>{_escaped(_title(scene))}</title>",
        f"<desc>{_escaped('. '.join(_description(scene)))}.</desc>",
        *_empty_board(),
        *_numbers(scene),
        *_checkers(scene),
        *_cube(scene),
        *_dice(scene),
        *_captions(scene),
        "</svg>",
    ]
    return "\n".join(parts)


def _size(width: int | None) -> str:
    if width is None:
        return ""
    number = whole_argument("width", width, 1, LARGEST_PICTURE)
    return f'width="{number}" height="{round(number * _HEIGHT / _WIDTH)}" '


# --- words ------------------------------------------------------------------------------------------------------------


def _title(scene: Scene) -> str:
    return f"Backgammon: {scene.kind}" if scene.kind else "Backgammon position"


def _description(scene: Scene) -> Iterator[str]:
    """The picture in words, for people who cannot see it."""
    yield from scene.standing
    if scene.cube is not None and scene.offered is None:
        owner = next((side.full_name for side in scene.sides if side.color is scene.cube.owner), None)
        yield f"Cube at {scene.cube.value}, {'centered' if owner is None else f'owned by {owner}'}"
    for side, sign in zip(scene.sides, (1, -1), strict=True):
        stacks = [(number, sign * count) for number, count in enumerate(scene.position.points) if sign * count > 0]
        places = [f"{count} on {'the bar' if number in {0, 25} else number}" for number, count in reversed(stacks)]
        places += [f"{side.off} off"] if side.off else []
        said = [*_counts(side), side.doing[:1].lower() + side.doing[1:]]
        yield f"{side.full_name}: {', '.join(filter(None, said))}; checkers: {', '.join(places)}"
    yield "The points are numbered as the player on roll numbers them"


def _counts(side: Side) -> Iterator[str]:
    """Points and pips of a side, in words."""
    if side.points is not None:
        yield counted(side.points, "point")
    yield counted(side.pips, "pip")


def _captions(scene: Scene) -> Iterator[str]:
    """A line for each side along its edge of the board, one below the board, and what concerns both sides."""
    for side, y in ((scene.top, 18), (scene.bottom, 494)):
        paint = _PAINTS[side.color]
        yield f'<circle cx="18" cy="{y}" r="8" fill="{paint.fill}" stroke="{paint.rim}"/>'
        # A nested picture clips what is too wide or too high, so no name covers anything else.
        space = min(_LONGEST_NAME, sum(map(_widest, side.name)))
        yield f'<svg x="34" y="{y - 12}" width="{space}" height="24">'
        yield f"{_text(0, 17, side.name, _INK, end='start')}</svg>"
        yield _text(46 + space, y + 5, " · ".join(_counts(side)), _INK, bold=False, end="start")
        if side.doing:
            yield _text(620, y + 5, side.doing, _INK, end="end")
    if scene.kind:
        yield _text(8, 518, scene.kind, _FAINT, size=12, bold=False, end="start")
    yield _text(620, 518, scene.identity, _FAINT, size=12, bold=False, end="end")
    yield from _box_of_words(scene.standing)


def _widest(letter: str) -> int:
    """The width of a letter in a wide bold font; the actual font cannot be measured."""
    if letter in _NARROW:
        return 7
    return 15 if letter in _WIDE or columns(letter) > 1 else 11 if letter.isupper() else 10


def _box_of_words(lines: Sequence[str]) -> Iterator[str]:
    """Lines in a box between the stacks: the opening roll, or a result."""
    if not lines:
        return
    height = 8 + 16 * len(lines)
    longest = max(map(columns, lines))
    width = min(524, 40 + 8 * longest)
    yield _box(314 - width // 2, _MIDDLE - height // 2, width, height, f'rx="6" fill="{_PAPER}" stroke="{_FRAME}"')
    for row, line in enumerate(lines):
        yield _text(314, _MIDDLE - 8 * (len(lines) - 1) + 16 * row + 5, line, _INK)


# --- the board --------------------------------------------------------------------------------------------------------


def _empty_board() -> Iterator[str]:
    """Frame, trays, both halves and the 24 points."""
    yield _box(0, 0, _WIDTH, _HEIGHT, f'rx="8" fill="{_PAPER}"')
    yield _box(8, 34, 612, 444, f'rx="6" fill="{_FRAME}"')
    for tray in (_CUBE_TRAY, _OFF_TRAY):
        yield _box(tray - 18, _TOP, 36, 400, f'fill="{_TRAY}"')
    for half in (_LEFT_HALF, _RIGHT_HALF):
        yield _box(half, _TOP, 240, 400, f'fill="{_FELT}"')
    for first, color in ((0, _PALE), (1, _DEEP)):
        yield f'<g fill="{color}">'
        for point in range(1, 25):
            if point % 2 == first:
                left, length = _column(point) - 20, _POINT_LENGTH
                edge, length = (_BOTTOM, -length) if point <= 12 else (_TOP, length)
                yield f'<path d="M{left} {edge}l20 {length} 20 {-length}z"/>'
        yield "</g>"


def _column(point: int) -> int:
    """The x of the middle of a point, as the side at the bottom numbers it."""
    along = 12 - point if point <= 12 else point - 13
    half, column = (_LEFT_HALF, along) if along < 6 else (_RIGHT_HALF, along - 6)
    return half + _PITCH * column + 20


def _numbers(scene: Scene) -> Iterator[str]:
    yield f'<g fill="{_FELT}">'
    for point in range(1, 25):
        yield f'<text x="{_column(point)}" y="{472 if point <= 12 else 50}">{scene.number(point)}</text>'
    yield "</g>"


def _checkers(scene: Scene) -> Iterator[str]:
    """The checkers of each side: on the points, on the bar, and off."""
    for side, sign in ((scene.bottom, 1), (scene.top, -1)):
        paint = _PAINTS[side.color]
        yield f'<g fill="{paint.fill}" stroke="{paint.rim}" stroke-width="1.5">'
        labels: list[str] = []
        for point, signed in enumerate(scene.points):
            if (count := sign * signed) > 0:
                x, ys = _places(point)
                yield from (f'<circle cx="{x}" cy="{y}" r="{_RADIUS - 1}"/>' for y in ys[:count])
                labels += [_text(x, ys[-1] + 6, str(count), paint.ink, size=17)] if count > _MOST_SHOWN else []
        yield from (_box(_OFF_TRAY - 15, y, 30, 11, 'rx="3"') for y in _slabs(side.off, at_bottom=sign > 0))
        yield "</g>"
        if side.off:
            beyond = _BOTTOM - 12 * side.off - 6 if sign > 0 else _TOP + 12 * side.off + 15
            labels.append(_text(_OFF_TRAY, beyond, str(side.off), _FELT))
        yield from labels


def _slabs(off: int, *, at_bottom: bool) -> Iterator[int]:
    """The upper edges of the checkers in the tray, seen from the side."""
    return (_BOTTOM - 12 - 12 * row if at_bottom else _TOP + 1 + 12 * row for row in range(off))


def _places(point: int) -> tuple[int, Sequence[int]]:
    """Where the checkers on a point (as the side at the bottom numbers it) or a bar are: one x, and the y of each."""
    steps = [_RADIUS + 2 * _RADIUS * row for row in range(_MOST_SHOWN)]
    if point == 25:
        return _BAR + 22, [_MIDDLE + 20 + step for step in steps]
    if point == 0:
        return _BAR + 22, [_MIDDLE - 20 - step for step in steps]
    return _column(point), [_BOTTOM - step if point <= 12 else _TOP + step for step in steps]


# --- cube and dice ----------------------------------------------------------------------------------------------------


def _right_hand(scene: Scene, color: Player) -> int:
    """The x of the middle of the half to the right of a player."""
    return (_RIGHT_HALF if scene.bottom.color is color else _LEFT_HALF) + 120


def _cube(scene: Scene) -> Iterator[str]:
    if scene.offered is not None:
        yield from _cube_at(_right_hand(scene, scene.offered.answerer), _MIDDLE, scene.offered.value)
    elif scene.cube is not None:
        ends = {None: _MIDDLE, scene.bottom.color: _BOTTOM - 20, scene.top.color: _TOP + 20}
        yield from _cube_at(_CUBE_TRAY, ends[scene.cube.owner], scene.cube.value)
    elif scene.crawford:
        yield _box(_CUBE_TRAY - 15, _MIDDLE - 15, 30, 30, f'rx="5" fill="none" stroke="{_PALE}" stroke-dasharray="3"')
        yield _text(_CUBE_TRAY, _MIDDLE + 5, "Cr", _PALE, size=15)


def _cube_at(x: int, y: int, value: int) -> Iterator[str]:
    """A cube; a value of six digits or more is written as a power of two."""
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size = min(18, 46 // len(face))
    yield _box(x - 16, y - 16, 32, 32, f'rx="5" fill="#fff" stroke="{_INK}" stroke-width="1.5"')
    yield _text(x, y + size * 3 // 8, face, _INK, size=size)


def _dice(scene: Scene) -> Iterator[str]:
    """The roll, in the color of the player who threw it."""
    if scene.dice is None:
        return
    color = scene.sides[0].color
    paint, middle = _PAINTS[color], _right_hand(scene, color)
    for x, face in ((middle - 20, scene.dice.high), (middle + 20, scene.dice.low)):
        yield _box(x - 16, _MIDDLE - 16, 32, 32, f'rx="6" fill="{paint.fill}" stroke="{paint.rim}" stroke-width="1.5"')
        yield f'<g fill="{paint.ink}">'
        for spot in _SPOTS[face]:
            row, column = divmod("abcdefghi".index(spot), 3)
            yield f'<circle cx="{x + 9 * (column - 1)}" cy="{_MIDDLE + 9 * (row - 1)}" r="3"/>'
        yield "</g>"


# --- elements ---------------------------------------------------------------------------------------------------------


def _box(x: int, y: int, width: int, height: int, rest: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" {rest}/>'


def _text(x: int, y: int, text: str, color: str, *, size: int = _SIZE, bold: bool = True, end: str = "") -> str:
    """Words centered on `x`, or with their start or end there."""
    look = [
        f' fill="{color}"',
        f' font-size="{size}"' if size != _SIZE else "",
        ' font-weight="bold"' if bold else "",
        f' text-anchor="{end}"' if end else "",
    ]
    return f'<text x="{x}" y="{y}"{"".join(look)}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return escape_html(text, quote=False)
