"""Positions and match states as SVG images, for notebooks and web pages.

The player at the bottom moves toward the lower right corner, the other player toward the upper right. With
`home="left"` the image is mirrored. Checkers on the bar are on their owner's half of it, and checkers borne off are in
the tray next to the home boards. Dice and an offered cube are in the half to the right of the player who must play or
answer. Otherwise the cube is in the other tray.

An image is a complete SVG document without ids, styles or external references. So any number of images can be on one
page, under the strictest Content-Security-Policy. An image has its own background, and does not depend on the colors
or the writing direction of the page. Without a size, it is as wide as the element that contains it.

The parts of an image have classes and `data-` attributes. A page can use them to style parts, and to find out what was
clicked. `docs/reference/draw.md` lists them, with the measures of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, get_args, runtime_checkable

import attrs

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import MoveLike, Play, Position
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.dice import DiceLike
from gammonrules.draw._labels import ENGLISH, Labels, read_labels
from gammonrules.draw._marks import (
    ARROWS,
    Marks,
    Moves,
    PointLike,
    Points,
    place_of,
    point_of,
    read_arrows,
    read_last_play,
    read_made,
    read_places,
    steps_of_play,
)
from gammonrules.draw._scene import (
    Scene,
    TurnSoFar,
    flag,
    full_names,
    of_position,
    of_state,
    scene_of,
)
from gammonrules.draw._styles import (
    NOTEBOOK_STYLE as NOTEBOOK_STYLE,
    USUAL_WIDTH as USUAL_WIDTH,
    BoardStyle,
    Home,
    Layout as Layout,
    Look as Look,
    style_argument,
)
from gammonrules.draw._themes import AUTO, COLORS, stylesheet
from gammonrules.draw.svg._canvas import Canvas, canvas_of
from gammonrules.draw.svg._cube_and_dice import drawn_cube, drawn_dice
from gammonrules.draw.svg._elements import SIZE, box, escaped
from gammonrules.draw.svg._geometry import LAYOUTS, MEASURES, Geometry
from gammonrules.draw.svg._matrix import (
    Grid as Grid,
    GridCell as GridCell,
    GridRow as GridRow,
    MatrixLike,
    elements,
    size_of_grid,
)
from gammonrules.draw.svg._points_and_checkers import Field, drawn_arrows
from gammonrules.draw.svg._title_and_lines import (
    caption_lines,
    description,
    drawn_caption,
    height_of_caption,
    last_line,
    plate,
    player_line,
    title,
)
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import MatchState, Pair, Player, PlayerLike
from gammonrules.match.internals import player_of
from gammonrules.values import choice_argument, shown, whole_argument

__all__ = ["checker_center", "match_state", "matrix", "position", "stylesheet"]
__dir__ = __all__.copy

MEASURES_OF_BOARD_JS = MEASURES | COLORS | {"arrows": ARROWS}


@runtime_checkable
class DecisionLike(Protocol):
    """What `match_state` draws besides a `MatchState`, such as a `records.Decision`."""

    def _drawn_(self) -> tuple[MatchState, Player, Moves | None, Moves | None]:
        """The state before it, who is at the bottom, and of a play the best one, and that which was made instead."""
        ...


def position(  # noqa: PLR0913, D417 - options of an image, all by name; `match_state` describes them
    position: Position,
    *,
    flipped: bool = False,
    dice: DiceLike | None = None,
    labels: Labels | None = None,
    so_far: Iterable[MoveLike] = (),
    highlight: Points = (),
    targets: Points = (),
    last_play: Moves | None = None,
    last_dice: DiceLike | None = None,
    arrows: Moves | None = None,
    made: Moves | None = None,
    caption: str = "",
    style: BoardStyle | None = None,
) -> str:
    """Draw a position; the light checkers belong to the player on roll.

    Arguments and errors are those of `draw.svg.match_state`, but instead of `state`, `bottom` and `names` there are the
    arguments below. A position has no score and no cube, so `score` and `centered_cube` of the style change nothing.

    Args:
        position: the position to draw. A position has no colors: the light side is always the player on roll.
        flipped: whether the opponent is at the bottom. Colors and numbers stay those of the player on roll.
        dice: the roll, in any form that `Dice.of` accepts. None (the default): no dice.

    Returns:
        An SVG document, as large as the document of `match_state`. Equal arguments return equal documents.

    Raises:
        DiceError: `dice` or `last_dice` is not a roll.

    Examples:
        >>> from gammonrules import Position
        >>> image = position(Position.start(), dice="31", arrows="8/5 6/5")
        >>> image.startswith("<svg "), image.count('class="arrow"')
        (True, 2)
    """
    canvas = canvas_of(style_argument(style))
    formatter = read_labels(labels)
    scene = of_position(
        position, flipped=flipped, labels=formatter, dice=dice, so_far=so_far, last_dice=last_dice
    )
    marked = _marked(scene, highlight, targets, last_play, arrows, made)
    return _whole_image(_with_caption(marked, caption, canvas), canvas)


def match_state(  # noqa: PLR0913
    state: MatchState | DecisionLike,
    *,
    bottom: PlayerLike | None = None,
    names: Sequence[str] | None = None,
    labels: Labels | None = None,
    so_far: Iterable[MoveLike] = (),
    highlight: Points = (),
    targets: Points = (),
    last_play: Moves | None = None,
    last_dice: DiceLike | None = None,
    arrows: Moves | None = None,
    made: Moves | None = None,
    caption: str = "",
    style: BoardStyle | None = None,
) -> str:
    """Draw a match state: the board, the score, the cube, the dice and whose turn it is.

    The light checkers are White's. (In `position` they belong to the player on roll, because a position has no colors.)

    An owned cube is at its owner's end of the tray, a centered cube in the middle. While a double is pending, the cube
    shows the offered value next to the player who must answer. In the Crawford game, the image shows "Cr" instead of
    the cube. There is no cube where nobody may ever double, as in a match to 1 point. A doublet has four dice.

    The player on roll numbers the points in all arguments and in `data-point`, whatever numbers are printed. Before
    the opening roll, White numbers them. `Plays.next_moves` uses the same numbers.

    Args:
        state: the state to draw, or a `records.Decision`. For a decision, the image shows the state before it, with
            arrows for the play that was made; or for the best play, and dashed arrows for the play that was made. The
            printed numbers, if "turning", are then those of the player at the bottom.
        bottom: the player at the bottom. None (the default): White. For a decision, None means the player who decided,
            or, for the answer to a double, the player who doubled.
        names: the names of White and Black, such as `Match.players`. None or empty names: "White" and "Black". A name
            that is too long for its line is cut, and to 100 characters in the description of the image. Unprintable
            characters are shown as "�". A right-to-left name does not disturb the text around it.
        labels: the labels in another language, as in `draw.text.match_state`. None (the default): English, as in
            `draw.LABELS`.
        so_far: the moves already made in this turn; by default none. The board is drawn after these moves, and dice
            that have been played are faint.
        highlight: the points whose last checkers have a ring, such as checkers that can move. One point or up to 100
            points: 1 to 24 (or "1" to "24"), "bar" or 25, "off" or 0; by default none. Empty points are filled.
        targets: the points that have a ring where a checker can go, in the same form; by default none.
        last_play: the play that led to this state: a `Play`, its string, or its moves. The opponent of the player on
            roll numbers the points of moves. Rings show where the checkers were, and dots where they went. None (the
            default): no play is marked.
        last_dice: the roll of the previous turn, in any form that `Dice.of` accepts. These dice are faint, at the right
            hand of the player who is not on roll, or in the tray of the cube if the offered cube or a result is there.
            Before the opening roll they are left out. None (the default): no such dice.
        arrows: a play of the player on roll, its string, or up to 100 moves, which need not be legal. Each move has an
            arrow. A `Play` that led to this position is drawn as its player numbers it. None (the default): no arrows,
            or the play of a decision.
        made: the play that was made, in the same form, if `arrows` shows the best play. Its arrows are dashed, in
            another color, below the others. A move that both plays share has one arrow in a neutral color. None (the
            default) or the same play: no such arrows.
        caption: lines below the image, such as the verdict of an engine; at most 1,000 characters. The first line is
            bold. Lines wider than the image are broken. The description contains them too. Default "": no lines.
        style: how the image looks. None (the default): `BoardStyle()`.

    Returns:
        An SVG document of about 14 kB (26 kB with depth, 3 kB compressed). Equal arguments return equal documents.

    Raises:
        ArgumentError: an argument is not as described here.
        DiceError: `last_dice` is not a roll.
        IllegalActionError: there are moves so far, but the player on roll has no dice to play. (ArgumentError in
            `position`.)
        IllegalPlayError: the moves so far cannot have been made.
        ParseError: the string of a play cannot be read.

    Examples:
        >>> from gammonrules import MatchState, draw
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> sources = {move.from_point for move in state.legal_plays.next_moves()}
        >>> style = draw.BoardStyle(theme="dark", size=628)
        >>> names = ("Ann", "Bob")
        >>> image = match_state(state, names=names, highlight=sources, style=style)
        >>> "7 point match" in image, "Ann" in image
        (True, True)
        >>> image.count('class="highlight"')
        4
    """
    canvas = canvas_of(style_argument(style))
    if not isinstance(state, MatchState) and isinstance(state, DecisionLike):
        state, player_at_bottom, best_play, play_made_instead = state._drawn_()
        bottom = player_at_bottom if bottom is None else player_of(bottom, "bottom")
        if arrows is None:
            arrows = best_play
            made = play_made_instead
        if canvas.numbers == "turning" and bottom is player_at_bottom:
            canvas = attrs.evolve(canvas, numbers="fixed")  # this player may not be on roll
    scene = of_state(
        state,
        bottom=Player.WHITE if bottom is None else bottom,
        names=names,
        labels=read_labels(labels),
        so_far=so_far,
        last_dice=last_dice,
        away=canvas.style.score == "away",
        centered_cube=canvas.style.centered_cube,
    )
    marked = _marked(scene, highlight, targets, last_play, arrows, made)
    return _whole_image(_with_caption(marked, caption, canvas), canvas)


def matrix(matrix: MatrixLike, *, style: BoardStyle | None = None) -> str:
    """Draw the verdicts at all scores, such as those of `engine.score_matrix`, like the tables in books.

    Each cell shows the verdict, and below it the cost of the smallest error. Colors and letters distinguish the
    verdicts. Each cell has its own title, which describes it for screen readers, with its equities.

    Args:
        matrix: the verdicts.
        style: how the image looks: its `theme`, `nonce` and `size`. A matrix has no board, so the other attributes
            change nothing. None (the default): `BoardStyle()`.

    Returns:
        An SVG document of about 40 kB. Equal arguments return equal documents.

    Raises:
        ArgumentError: an argument is not as described here.

    Examples:
        >>> from gammonrules import MatchState, draw
        >>> from gammonrules.engine import SimpleEngine, score_matrix
        >>> state = MatchState.new(7).opening_roll(white=6, black=4)
        >>> with SimpleEngine.bgsage(1) as bgsage:
        ...     verdicts = score_matrix(bgsage, state, away=3)
        >>> image = matrix(verdicts, style=draw.BoardStyle(size=430))
        >>> image.count('class="verdict"')
        13
    """
    _check_matrix(matrix)
    flat = attrs.evolve(style_argument(style), look="flat", layout="landscape")
    canvas = canvas_of(flat)  # a matrix has the same classes in every look and layout
    grid = matrix._grid_()
    width, height = size_of_grid(grid)
    drawn = [_svg(canvas, 0, width, height, role="group"), f"<title>{escaped(grid.title)}</title>"]
    if canvas.stylesheet:
        drawn.append(canvas.stylesheet)
    drawn += elements(grid, canvas.palette)
    drawn.append("</svg>")
    return "\n".join(drawn)


def _check_matrix(matrix: object) -> None:
    if not isinstance(matrix, MatrixLike):
        raise ArgumentError(
            f"matrix must be one of verdicts, as engine.score_matrix returns it, not {shown(matrix, 60)}"
        )


def checker_center(
    point: PointLike,
    checker: int = 1,
    count: int = 1,
    *,
    flipped: bool = False,
    home: Home = "right",
    layout: Layout = "landscape",
) -> tuple[float, float]:
    """The center of a checker in every image. Use it to animate checkers, or to draw on an image.

    Args:
        point: the point, as a player numbers it. "bar" or 25 and "off" or 0 are that player's own.
        checker: the number of the checker on that point, 1 to 15, counted from the edge of the board. On the bar, it is
            counted from the middle.
        count: the number of checkers there, `checker` to 15. More than five checkers are closer together, except in
            the tray.
        flipped: whether the player who numbers the point is at the top of the image.
        home: "right" or "left", as in the style of the image.
        layout: "landscape" or "portrait", as in the style of the image.

    Returns:
        The x and y of the center, in units of the `viewBox`.

    Raises:
        ArgumentError: an argument is not as described here.

    Examples:
        >>> checker_center(6), checker_center("bar", flipped=True)
        ((356, 438), (314, 218))
    """
    checkers = whole_argument("count", value=count, minimum=1, maximum=STANDARD_CHECKERS)
    slot = whole_argument("checker", value=checker, minimum=1, maximum=checkers) - 1
    at = place_of(point_of("point", point), at_bottom=not flag("flipped", flipped))
    x, y = _geometry(home, layout).spot(at, slot, checkers)
    return x, round(y, 1)  # as images have it


class PageBoards:
    """Boards for the page of a match: as `match_state` draws them with the theme "auto", without header and footer.

    Args:
        names: the names of White and Black.
    """

    def __init__(self, names: Pair[str]) -> None:
        self._names = full_names(names, ENGLISH)

    def board(self, state: MatchState, last_play: Play | None) -> PageBoard:
        """The board of a state; the play that led to it is marked, and its dice are drawn."""
        scene = scene_of(
            state,
            TurnSoFar(state.position.points, state.position.checkers),
            bottom=Player.WHITE,
            names=self._names,
            labels=ENGLISH,
            last_dice=None if last_play is None else last_play.dice,
        )
        return PageBoard(scene, last_play)


@attrs.frozen
class PageBoard:
    """The board of a state with White at the bottom."""

    _scene: Scene
    _last_play: Play | None
    """The play that led to the state."""

    def both_sides(self, play: Play | None) -> tuple[list[str], list[str]]:
        """The elements of the image with White at the bottom, and of the image with Black at the bottom.

        `play` is one of this state, or None; it has arrows.
        """
        at_bottom = self._scene.on_roll_at_bottom
        if RECHECK:
            position = self._scene.position
            assert self._last_play is None or self._last_play.position == position
            assert play is None or play.before == position
        marks = Marks(
            last_play=steps_of_play(self._last_play, at_bottom=not at_bottom),
            arrows=steps_of_play(play, at_bottom=at_bottom),
        )
        white_at_bottom = attrs.evolve(self._scene, marks=marks)
        black_at_bottom = white_at_bottom.flipped
        fixed_elements = _fixed_elements(white_at_bottom, _ON_PAGE)
        return (
            fixed_elements + _inside(white_at_bottom, _ON_PAGE),
            fixed_elements + _inside(black_at_bottom, _ON_PAGE),
        )

    def arrows(self, text: str, *, is_made: bool) -> list[str]:
        """The arrows of a play with White at the bottom, dashed if it was made; none for what is not a play.

        With Black there, the arrows are the same, mirrored at the middle of the board.
        """
        scene = self._scene
        try:
            steps = read_arrows(scene.position, text, at_bottom=scene.on_roll_at_bottom)
        except GammonError:
            return []
        look = "made" if is_made else "arrow"
        return drawn_arrows(scene, _ON_PAGE.geometry, _ON_PAGE.palette, steps, look)


def _marked(
    scene: Scene,
    highlight: Points,
    targets: Points,
    last_play: Moves | None,
    arrows: Moves | None,
    made: Moves | None,
) -> Scene:
    position = scene.position
    at_bottom = scene.on_roll_at_bottom
    best = read_arrows(position, arrows, at_bottom=at_bottom)
    marks = Marks(
        read_places("highlight", highlight, at_bottom=at_bottom),
        targets=read_places("targets", targets, at_bottom=at_bottom),
        last_play=read_last_play(position, last_play, at_bottom=at_bottom),
        arrows=best,
        made=read_made(position, made, best, at_bottom=at_bottom),
    )
    return attrs.evolve(scene, marks=marks)


def _geometry(home: str, layout: str) -> Geometry:
    return LAYOUTS[
        choice_argument("layout", layout, get_args(Layout)),
        choice_argument("home", home, get_args(Home)),
    ]


_ON_PAGE = canvas_of(BoardStyle(theme=AUTO, look="depth", header=False, footer=False))


def _with_caption(scene: Scene, caption: str, canvas: Canvas) -> Scene:
    return attrs.evolve(scene, caption=caption_lines(caption, canvas.geometry))


def _whole_image(scene: Scene, canvas: Canvas) -> str:
    return "\n".join(_fixed_elements(scene, canvas) + _inside(scene, canvas))


def _fixed_elements(scene: Scene, canvas: Canvas) -> list[str]:
    """The elements that do not depend on who is at the bottom."""
    is_fixed = canvas.numbers == "fixed"
    data = ' data-numbers="fixed"' if is_fixed else ""
    return [
        _svg(
            canvas, canvas.top, canvas.geometry.width, _height(scene, canvas), role="img", data=data
        ),
        title(scene),
        description(scene, fixed=is_fixed),
    ]


def _height(scene: Scene, canvas: Canvas) -> int:
    """With the lines below the image."""
    return canvas.height + height_of_caption(scene.caption)


def _svg(canvas: Canvas, top: int, width: int, height: int, role: str, data: str = "") -> str:
    size = ""
    if canvas.style.size is not None:
        size = f'width="{canvas.style.size}" height="{round(canvas.style.size * height / width)}" '
    view = f'{size}viewBox="0 {top} {width} {height}" role="{role}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{canvas.classes}" {view} '
        f'font-family="sans-serif" font-size="{SIZE}" text-anchor="middle" direction="ltr"{data}>'
    )


def _inside(scene: Scene, canvas: Canvas) -> list[str]:
    """The elements of the drawing; a group is one, with a line for each element in it."""
    geometry = canvas.geometry
    palette = canvas.palette
    drawn = [canvas.stylesheet] if canvas.stylesheet else []
    height = _height(scene, canvas)
    drawn.append(box(0, canvas.top, geometry.width, height, f'rx="8" {palette("paper")}'))
    drawn += Field(scene, geometry, palette, canvas.numbers).elements()
    drawn += drawn_cube(scene, geometry, palette)
    drawn += drawn_dice(scene, geometry, palette)
    if canvas.style.header:
        drawn.append(player_line(scene, scene.top, geometry, palette))
    if canvas.style.footer:
        drawn.append(player_line(scene, scene.bottom, geometry, palette))
        drawn += last_line(scene, geometry, palette)
    drawn += plate(scene.standing, geometry, palette)
    drawn += drawn_caption(scene.caption, canvas.top + canvas.height, palette)
    drawn.append("</svg>")
    return drawn
