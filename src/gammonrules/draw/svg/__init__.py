"""Boards as SVG, for notebooks and web pages.

The player at the bottom moves toward the lower right corner, the other toward the upper right; with `home="left"` the
picture is mirrored. Checkers on the bar are on their owner's half of it, checkers borne off are in the tray beside the
home boards. Dice, and a cube that is offered, are in the half to the right of the player who must play or answer;
otherwise the cube is in the other tray.

A picture is a complete SVG document without ids, styles or external references, so any number of them can be on one
page, under the strictest Content-Security-Policy. It has its own background and does not depend on the colors or the
writing direction of the page. Without a size, it is as wide as the element that contains it.

Its parts have classes and `data-` attributes, with which a page can style them and tell what was clicked.
`docs/reference/draw.md` lists them, with the measures of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable

import attrs

from gammonrules._shared.rechecking import RECHECK
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
from gammonrules.draw.svg._themes import (
    AUTO,
    COLORS,
    THEMES,
    Theme,
    ThemeLike,
    palette_of,
    style_element,
    stylesheet,
)
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
from gammonrules.limits import MAX_WIDTH
from gammonrules.match import MatchState, Pair, Player, PlayerLike
from gammonrules.match.internals import player_of
from gammonrules.values import choice_argument, shown, whole_argument, whole_number

__all__ = ["THEMES", "Theme", "board", "checker_center", "match_state", "matrix", "stylesheet"]
__dir__ = __all__.copy

USUAL_WIDTH = 628
"""The width in pixels at which notebooks show a picture."""
MEASURES_OF_BOARD_JS = MEASURES | COLORS | {"arrows": ARROWS}
Home: TypeAlias = Literal["right", "left"]
Numbers: TypeAlias = Literal["turning", "fixed", "off"]
Score: TypeAlias = Literal["points", "away"]
Look: TypeAlias = Literal["flat", "depth"]
Layout: TypeAlias = Literal["landscape", "portrait"]


@runtime_checkable
class DecisionLike(Protocol):
    """What `match_state` draws besides a `MatchState`, such as a `records.Decision`."""

    def _drawn_(self) -> tuple[MatchState, Player, Moves | None, Moves | None]:
        """The state before it, who is at the bottom, and of a play the best one, and that which was made instead."""
        ...


class _Look:
    """How a picture is drawn, independent of what it shows."""

    def __init__(
        self,
        theme: ThemeLike,
        nonce: str | None,
        size: int | None,
        home: str = "right",
        numbers: str = "turning",
        look: str = "flat",
        layout: str = "landscape",
        *,
        header: bool = False,
        footer: bool = False,
    ) -> None:
        has_depth = choice_argument("look", look, get_args(Look)) == "depth"
        self.palette = palette_of(theme, has_depth=has_depth)
        style = style_element(nonce)  # which checks the nonce for every theme
        self.style = style if self.palette.name == AUTO else ""
        self.geometry = _geometry(home, layout)
        self.size: int | None = None
        if size is not None:
            self.size = whole_argument("size", value=size, minimum=1, maximum=MAX_WIDTH)
        self.numbers = choice_argument("numbers", numbers, get_args(Numbers))
        self.header = flag("header", header)
        self.footer = flag("footer", footer)
        # without its first or last lines, a picture begins further down, or ends earlier
        self.top = 0 if header else self.geometry.header
        bottom = self.geometry.height
        if not footer:
            bottom -= self.geometry.footer
        self.height = bottom - self.top
        self.classes = f"gammonrules {self.palette.name}"
        if has_depth:
            self.classes += " depth"
        if layout == "portrait":
            self.classes += " portrait"


def board(  # noqa: PLR0913, D417 - options of a picture, all by name; `match_state` describes them
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
    theme: ThemeLike = "light",
    nonce: str | None = None,
    size: int | None = None,
    home: Home = "right",
    numbers: Numbers = "turning",
    header: bool = True,
    footer: bool = True,
    caption: str = "",
    look: Look = "flat",
    layout: Layout = "landscape",
) -> str:
    """Draw a position; the light checkers are those of the player on roll.

    Arguments and errors are those of `draw.svg.match_state`, which has `state`, `names`, `bottom`, `score` and
    `centered_cube` besides, except:

    Args:
        position: the position to draw. A position has no colors: the light side is always the one whose turn it is.
        flipped: whether the opponent is at the bottom. Colors and numbers stay those of the player on roll.
        dice: the roll, in any form that `Dice.of` takes; None (the default): no dice.

    Returns:
        An SVG document, as large as one of `match_state`, the same for the same arguments.

    Raises:
        DiceError: `dice` or `last_dice` is not a roll.

    Examples:
        >>> from gammonrules import Position
        >>> picture = board(Position.start(), dice="31", arrows="8/5 6/5")
        >>> picture.startswith("<svg "), picture.count('class="arrow"')
        (True, 2)
    """
    drawn = _Look(theme, nonce, size, home, numbers, look, layout, header=header, footer=footer)
    formatter = read_labels(labels)
    scene = of_position(
        position, flipped=flipped, labels=formatter, dice=dice, so_far=so_far, last_dice=last_dice
    )
    marked = _marked(scene, highlight, targets, last_play, arrows, made)
    return _whole_picture(_with_caption(marked, caption, drawn), drawn)


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
    theme: ThemeLike = "light",
    nonce: str | None = None,
    size: int | None = None,
    home: Home = "right",
    numbers: Numbers = "turning",
    header: bool = True,
    footer: bool = True,
    caption: str = "",
    score: Score = "points",
    centered_cube: Literal[1, 64] = 1,
    look: Look = "flat",
    layout: Layout = "landscape",
) -> str:
    """Draw a match state: the board, the score, the cube, the dice and whose turn it is.

    The light checkers are White's, whoever is on roll. (`board` knows no colors; there they are those of the player
    on roll.)

    The cube is at its owner's end of the tray, or in the middle if it is centered. A pending double shows the cube,
    with the value offered, beside the player who must answer. In the Crawford game, "Cr" takes the place of the cube;
    where nobody may ever double, as in a match to 1 point, there is none. A doublet has four dice.

    All points are numbered as the player on roll numbers them (before the opening roll as White does), whatever is
    printed beside them; so are those in `data-point`. Then what was clicked, what is highlighted and what
    `Plays.next_moves` returns are the same numbers.

    Args:
        state: the state to draw; or a `records.Decision`, which shows the state before it and, with arrows, the play
            that was made, or `made` where another was best. Then the numbers beside the points are, if "turning", those
            of the player at the bottom.
        bottom: the player whose side is drawn at the bottom; None (the default): White; of a decision who decided, or,
            of an answer to a double, who doubled.
        names: the names of White and Black, such as `Match.players`; None or empty names: "White" and "Black". A name
            is cut where the line of its player is full, and to 100 characters in the description of the picture.
            Unprintable characters are shown as "�"; a right-to-left name does not disturb the text around it.
        labels: the labels in another language, as in `draw.text.match_state`. None (the default): English, as in
            `draw.LABELS`.
        so_far: the moves made in this turn, by default none. The board is drawn after them, and dice that have been
            played are faint.
        highlight: points whose last checkers have a ring, such as those that can move: one or up to 100 of 1 to 24 (or
            "1" to "24"), "bar" or 25, "off" or 0; by default none. Empty points are filled.
        targets: points with a ring where a checker can go, given in the same way; by default none.
        last_play: the play that led to this state: a `Play`, its text, or its moves, as the opponent of the player on
            roll numbers them. Rings show where checkers were, dots where they went. None (the default): no play
            is marked.
        last_dice: the roll of the turn before, in any form that `Dice.of` takes: faint dice at the right hand of the
            player who is not on roll, or, if the offered cube or a result is there, in the tray of the cube. Before the
            opening roll they are left out. None (the default): no such dice.
        arrows: a play of the player on roll, its text, or up to 100 moves, which need not be legal: an arrow for each
            move. A `Play` that led to this position is drawn as its player numbers it. None (the default): no arrows,
            or the play of a decision.
        made: the play that was made where that of `arrows` is best, given in the same way: dashed arrows of another
            color, below the others; a move that both have has one arrow, in a neutral color. None (the default), or the
            same play: no such arrows.
        theme: "light", "dark", "print" (black and white), "colorblind" (for readers who see some colors alike), "auto"
            (follows the reader: needs `stylesheet` or `nonce`), or a `Theme`.
        nonce: for the theme "auto": puts its stylesheet into the picture, as a `<style>` with this nonce, or without
            one if it is empty, as image files need; None (the default): the page has the stylesheet.
        size: the width in pixels, 1 to 100,000; None (the default): as wide as the element that contains the picture,
            growing and shrinking with it. An image file should have a size; notebooks use 628.
        home: the side of the picture on which checkers are borne off, "right" or "left".
        numbers: the numbers beside the points: "turning" (those of the player on roll), "fixed" (those of the player
            at the bottom; so are those in the description), or "off" (none).
        header: whether the line of the player at the top is drawn.
        footer: whether the line of the player at the bottom, and the one with the kind of game, are drawn.
        caption: lines below the picture, the first one in bold, such as what an engine says; at most 1,000 characters.
            They are broken where they are wider than the picture, and stand in its description too. Default "": none.
        score: the score of a match in "points", or "away", how many a player still needs.
        centered_cube: what is written on the cube in the middle while it is at 1: 1, or 64 as on a cube of wood.
        look: "flat", or "depth": checkers, points, dice and the frame have light and shadow, in the same colors.
        layout: "landscape", or "portrait" for phones that are held upright: the trays are above and below the points,
            which are longer, and a centered cube is on the bar.

    Returns:
        An SVG document of about 14 kB (26 kB with depth, 3 kB if compressed), the same for the same arguments.

    Raises:
        ArgumentError: an argument is not as described here.
        DiceError: `last_dice` is not a roll.
        IllegalActionError: there are moves so far, but the player on roll has no dice to play. (ArgumentError in
            `board`.)
        IllegalPlayError: the moves so far cannot have been made.
        ParseError: a play as text cannot be read.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> sources = {move.from_point for move in state.legal_plays.next_moves()}
        >>> picture = match_state(state, names=("Ann", "Bob"), highlight=sources)
        >>> "7 point match" in picture, "Ann" in picture
        (True, True)
        >>> picture.count('class="highlight"')
        4
    """
    if not isinstance(state, MatchState) and isinstance(state, DecisionLike):
        state, player_at_bottom, best_play, play_made_instead = state._drawn_()
        bottom = player_at_bottom if bottom is None else player_of(bottom, "bottom")
        if arrows is None:
            arrows = best_play
            made = play_made_instead
        if numbers == "turning" and bottom is player_at_bottom:
            numbers = "fixed"  # the player at the bottom may not be on roll
    drawn = _Look(theme, nonce, size, home, numbers, look, layout, header=header, footer=footer)
    scene = of_state(
        state,
        bottom=Player.WHITE if bottom is None else bottom,
        names=names,
        labels=read_labels(labels),
        so_far=so_far,
        last_dice=last_dice,
        away=choice_argument("score", score, get_args(Score)) == "away",
        centered_cube=_face(centered_cube),
    )
    marked = _marked(scene, highlight, targets, last_play, arrows, made)
    return _whole_picture(_with_caption(marked, caption, drawn), drawn)


def matrix(
    matrix: MatrixLike,
    *,
    theme: ThemeLike = "light",
    nonce: str | None = None,
    size: int | None = None,
) -> str:
    """Draw the verdicts at all scores, such as those of `engine.score_matrix`, like the tables in books.

    Each cell has the verdict, and below it what the smallest error costs. The colors tell the verdicts apart, and the
    letters too. Each cell is a picture with a title of its own, which says in words what it shows, with its equities.

    Args:
        matrix: the verdicts.
        theme: as in `match_state`.
        nonce: as in `match_state`.
        size: as in `match_state`.

    Returns:
        An SVG document of about 40 kB, the same for the same arguments.

    Raises:
        ArgumentError: an argument is not as described here.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, score_matrix
        >>> state = MatchState.new(7).opening_roll(white=6, black=4)
        >>> with SimpleEngine.bgsage(1) as bgsage:
        ...     picture = matrix(score_matrix(bgsage, state, away=3), size=430)
        >>> picture.count('class="verdict"')
        13
    """
    _check_matrix(matrix)
    look = _Look(theme, nonce, size)
    grid = matrix._grid_()
    width, height = size_of_grid(grid)
    drawn = [_svg(look, 0, width, height, role="group"), f"<title>{escaped(grid.title)}</title>"]
    if look.style:
        drawn.append(look.style)
    drawn += elements(grid, look.palette)
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
    """Where a checker is in every picture, for those who animate it or draw something on it.

    Args:
        point: the point, as a player numbers it; "bar" or 25 and "off" or 0 are that player's own.
        checker: which one on that point, counted from the edge of the board (on the bar, from the middle), 1 to 15.
        count: how many are there, `checker` to 15: more than five are closer together, except in the tray.
        flipped: whether the player who numbers the point is at the top of the picture.
        home: the side of the picture on which checkers are borne off, "right" or "left".
        layout: "landscape" or "portrait".

    Returns:
        The x and y of its middle, in units of the `viewBox`.

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
    return x, round(y, 1)  # as it is written in pictures


class PageBoards:
    """Boards for the page of a match: as `match_state` draws them, following the reader, without the lines around them.

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
        """The elements of the picture with White at the bottom, and of that with Black there.

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


def _face(value: object) -> int:
    face = whole_number(value)
    if face not in {1, 64}:
        raise ArgumentError(f"centered_cube must be 1 or 64, not {shown(value)}")
    return face


_ON_PAGE = _Look(AUTO, None, None, look="depth")


def _with_caption(scene: Scene, caption: str, look: _Look) -> Scene:
    return attrs.evolve(scene, caption=caption_lines(caption, look.geometry))


def _whole_picture(scene: Scene, look: _Look) -> str:
    return "\n".join(_fixed_elements(scene, look) + _inside(scene, look))


def _fixed_elements(scene: Scene, look: _Look) -> list[str]:
    """The elements that do not depend on who is at the bottom."""
    is_fixed = look.numbers == "fixed"
    data = ' data-numbers="fixed"' if is_fixed else ""
    return [
        _svg(look, look.top, look.geometry.width, _height(scene, look), role="img", data=data),
        title(scene),
        description(scene, fixed=is_fixed),
    ]


def _height(scene: Scene, look: _Look) -> int:
    """With the lines below the picture."""
    return look.height + height_of_caption(scene.caption)


def _svg(look: _Look, top: int, width: int, height: int, role: str, data: str = "") -> str:
    size = ""
    if look.size is not None:
        size = f'width="{look.size}" height="{round(look.size * height / width)}" '
    view = f'{size}viewBox="0 {top} {width} {height}" role="{role}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{look.classes}" {view} '
        f'font-family="sans-serif" font-size="{SIZE}" text-anchor="middle" direction="ltr"{data}>'
    )


def _inside(scene: Scene, look: _Look) -> list[str]:
    """The elements of the drawing; a group is one, with a line for each element in it."""
    geometry = look.geometry
    palette = look.palette
    drawn = [look.style] if look.style else []
    height = _height(scene, look)
    drawn.append(box(0, look.top, geometry.width, height, f'rx="8" {palette("paper")}'))
    drawn += Field(scene, geometry, palette, look.numbers).elements()
    drawn += drawn_cube(scene, geometry, palette)
    drawn += drawn_dice(scene, geometry, palette)
    if look.header:
        drawn.append(player_line(scene, scene.top, geometry, palette))
    if look.footer:
        drawn.append(player_line(scene, scene.bottom, geometry, palette))
        drawn += last_line(scene, geometry, palette)
    drawn += plate(scene.standing, geometry, palette)
    drawn += drawn_caption(scene.caption, look.top + look.height, palette)
    drawn.append("</svg>")
    return drawn
