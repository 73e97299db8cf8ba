"""The texts of a picture: its title and description, and the lines above, on and below the board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil

from gammonrules.draw._player_names import columns, cut, isolated
from gammonrules.draw._scene import Scene, SceneSide
from gammonrules.draw._wording import Wording, capitalized
from gammonrules.draw.svg._elements import box, circle, escaped, text_element
from gammonrules.draw.svg._geometry import Geometry
from gammonrules.draw.svg._themes import Palette

_NAME = 160
_LONGEST_LINE = 500
"""The room that every name has, and the most for a line on the board."""
_NARROW = frozenset("fijlrtIJ .,:;'!|()[]-")
_WIDE = frozenset("mwMW@%")


def title(scene: Scene) -> str:
    text = scene.words("title", kind=scene.kind) if scene.kind else scene.words("position_title")
    return f"<title>{escaped(text)}</title>"


def description(scene: Scene, *, fixed: bool) -> str:
    """The picture in words, for people who cannot see it; with fixed numbers the points are those that are printed."""
    sentences = filter(None, _sentences(scene, turned=fixed and not scene.on_roll_at_bottom))
    return f"<desc>{escaped('. '.join(sentences))}.</desc>"


def _sentences(scene: Scene, *, turned: bool) -> Iterator[str]:
    wording = scene.words
    yield from scene.standing
    if scene.cube is not None and scene.offered is None:
        owner = next(
            (side.full_name for side in scene.sides if side.color is scene.cube.owner), None
        )
        yield wording("centered" if owner is None else "owned", value=scene.cube.value, name=owner)
    for side, sign in zip(scene.sides, (1, -1), strict=True):
        stacks = [
            (number, sign * count)
            for number, count in enumerate(scene.turn.counts)
            if sign * count > 0
        ]
        places = [
            _stack_words(wording, _printed(number, turned), count)
            for number, count in reversed(stacks)
        ]
        places += [wording("borne_off", count=side.off)] if side.off else []
        about = ", ".join([*_score_and_pips(scene, side), *([side.doing] if side.doing else [])])
        yield wording("side", name=side.full_name, about=about, places=", ".join(places))
    yield from _marks(scene, turned)
    yield wording("turned_numbering" if turned else "numbering")


def _printed(number: int, turned: bool) -> int:  # noqa: FBT001
    return 25 - number if turned and number % 25 else number


@lru_cache(maxsize=1024)
def _stack_words(wording: Wording, number: int, count: int) -> str:
    return wording("on_bar" if number in {0, 25} else "on_point", count=count, point=number)


def _marks(scene: Scene, turned: bool) -> Iterator[str]:  # noqa: FBT001
    marks = scene.marks
    if scene.last_dice is not None:
        yield scene.words("last_dice", dice=scene.last_dice)
    plays = {"last_play": marks.last_play, "arrows": marks.arrows, "made": marks.made}
    for key, play in {
        "so_far": scene.turn.so_far,
        **{key: steps.text for key, steps in plays.items()},
    }.items():
        if play:
            named = re.sub(
                "no play|bar|off", lambda word: scene.words(word[0].replace(" ", "_")), play
            )
            yield scene.words(key, play=named)
    for key, places in (("highlighted", marks.highlighted), ("targets", marks.targets)):
        if places:
            points = sorted(
                (_printed(scene.number_of(place), turned) for place in places), reverse=True
            )
            named = ", ".join(
                {25: scene.words("bar"), 0: scene.words("off")}.get(at, str(at)) for at in points
            )
            yield scene.words(key, points=named)


def _score_and_pips(scene: Scene, side: SceneSide) -> Iterator[str]:
    """The score and the pips of a side, in words."""
    if side.score:
        yield side.score
    yield scene.words("pips", count=side.pips)


def player_line(
    scene: Scene, side: SceneSide, geometry: Geometry, palette: Palette
) -> Iterator[str]:
    """The line of a player, above or below the board."""
    y = 18 if side is scene.top else geometry.height - 32
    yield f'<g class="player" data-player="{side.color}">'
    yield circle(18, y, 8, palette(str(side.color)))
    counts = " · ".join(_score_and_pips(scene, side))
    room = max(_NAME, geometry.width - 66 - _width(counts) - _width(side.doing))
    name = side.name if _width(side.name) <= room else cut(side.name, room - _width("…"), _width)
    space = _width(name)
    # A nested picture clips what is too wide or too high, so no name covers anything else.
    yield f'<svg x="34" y="{y - 12}" width="{space}" height="24">'
    yield text_element(0, 17, isolated(name), palette("ink", "name"), end="start")
    yield "</svg>"
    yield text_element(46 + space, y + 5, counts, palette("ink", "score"), bold=False, end="start")
    if side.doing:
        yield text_element(
            geometry.width - 8, y + 5, capitalized(side.doing), palette("ink", "doing"), end="end"
        )
    yield "</g>"


def last_line(scene: Scene, geometry: Geometry, palette: Palette) -> Iterator[str]:
    """The kind of game, and the identifier of the position."""
    y = geometry.height - 8
    if scene.kind:
        yield text_element(8, y, scene.kind, palette("faint"), size=12, bold=False, end="start")
    yield text_element(
        geometry.width - 8, y, scene.identity, palette("faint"), size=12, bold=False, end="end"
    )


def _width(text: str) -> int:
    """Of a text in a wide bold font, at most; the actual font cannot be measured."""
    return sum(map(_widest, text))


@lru_cache(maxsize=1024)
def _widest(letter: str) -> int:
    if letter in _NARROW:
        return 7
    return 15 if letter in _WIDE or columns(letter) > 1 else 11 if letter.isupper() else 10


def plate(lines: Sequence[str], geometry: Geometry, palette: Palette) -> Iterator[str]:
    """Lines in a box between the stacks: the opening roll, or a result."""
    if not lines:
        return
    lines = [
        part for line in lines for part in broken(line, min(_LONGEST_LINE, geometry.width - 32))
    ]
    width = max(map(_width, lines)) + 24
    x = geometry.bar
    y = geometry.middle + geometry.below
    height = 8 + 16 * len(lines)
    yield box(x - width // 2, y - height // 2, width, height, f'rx="6" {palette("plate")}')
    for row, line in enumerate(lines):
        yield text_element(
            x, y - 8 * (len(lines) - 1) + 16 * row + 5, line, palette("ink", "standing")
        )


def broken(text: str, most: int) -> list[str]:
    """A text in lines of at most this width, if it has spaces, and of about the same."""
    rows = ceil(_width(text) / most)
    lines = [""]
    most = _width(text) // rows + 40 if rows > 1 else most
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if not lines[-1] or _width(longer) <= most else [lines[-1], word]
    return lines
