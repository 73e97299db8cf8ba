"""The texts of an image: its title and description, and the lines above, on and below the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil

from gammonrules._shared.checked_fields import check_kind
from gammonrules.draw._labels import LabelFormatter, capitalized
from gammonrules.draw._player_names import columns, cut, isolated, printable_name
from gammonrules.draw._scene import Scene, SceneSide
from gammonrules.draw._themes import Palette
from gammonrules.draw.svg._elements import box, circle, escaped, text_element
from gammonrules.draw.svg._geometry import Geometry
from gammonrules.errors import ArgumentError

_WIDTH_OF_NAME = 160
"""The width that every name has."""
_MAX_LINE_LENGTH = 500
"""The most for a line on the board."""
_PLATE_LINE = 16
"""From one line on the board to the next."""
_CAPTION_LINE = 20
"""From one line below an image to the next."""
_MAX_CAPTION_LENGTH = 1_000
"""Characters."""
_NARROW = frozenset("fijlrtIJ .,:;'!|()[]-")
_WIDE = frozenset("mwMW@%")


def title(scene: Scene) -> str:
    text = scene.labels("title", kind=scene.kind) if scene.kind else scene.labels("position_title")
    return f"<title>{escaped(text)}</title>"


def description(scene: Scene, *, fixed: bool) -> str:
    """The description of the image for screen readers. `fixed`: points as the side at the bottom numbers them."""
    # whether the printed numbers are not those of the player on roll
    is_turned = fixed and not scene.on_roll_at_bottom
    on_roll, opponent = scene.sides
    counts = scene.turn.counts
    opponent_counts = [-count for count in counts]  # still by the points of the player on roll
    sentences = [
        *scene.standing,
        _cube_label(scene),
        _side_label(scene, on_roll, counts, is_turned=is_turned),
        _side_label(scene, opponent, opponent_counts, is_turned=is_turned),
        *_mark_labels(scene, is_turned=is_turned),
        scene.labels("turned_numbering" if is_turned else "numbering"),
        *scene.caption,
    ]
    text = ". ".join([sentence for sentence in sentences if sentence])
    return f"<desc>{escaped(text)}.</desc>"


def _cube_label(scene: Scene) -> str:
    if scene.cube is None or scene.offered is not None:
        return ""
    value = scene.cube.value
    for side in scene.sides:
        if side.color is scene.cube.owner:
            return scene.labels("owned", value=value, name=side.full_name)
    return scene.labels("centered", value=value)


def _side_label(scene: Scene, side: SceneSide, counts: Sequence[int], *, is_turned: bool) -> str:
    """The label of a side and where its checkers are, the positive ones of the counts.

    `counts` are by the points of the player on roll; `is_turned`: whether the opponent's numbers are printed.
    """
    places: list[str] = []
    for number in range(25, -1, -1):
        if counts[number] > 0:
            printed = _printed(number, is_turned=is_turned)
            places.append(_stack_label(scene.labels, printed, counts[number]))
    if side.off:
        places.append(scene.labels("borne_off", count=side.off))
    facts = _score_and_pips(scene, side)
    if side.doing:
        facts.append(side.doing)
    return scene.labels(
        "side", name=side.full_name, about=", ".join(facts), places=", ".join(places)
    )


def _printed(number: int, *, is_turned: bool) -> int:
    return 25 - number if is_turned and 1 <= number <= 24 else number


@lru_cache(maxsize=1024)
def _stack_label(labels: LabelFormatter, number: int, count: int) -> str:
    return labels("on_bar" if number in {0, 25} else "on_point", count=count, point=number)


def _mark_labels(scene: Scene, *, is_turned: bool) -> list[str]:
    labels = scene.labels
    marks = scene.marks
    plays = {
        "so_far": scene.turn.so_far,
        "last_play": marks.last_play.text,
        "arrows": marks.arrows.text,
        "made": marks.made.text,
    }
    places = {"highlighted": marks.highlighted, "targets": marks.targets}
    sentences: list[str] = []
    if scene.last_dice is not None:
        sentences.append(labels("last_dice", dice=scene.last_dice))
    for key, play in plays.items():
        if play:
            sentences.append(labels(key, play=_play_label(play, labels)))
    for key, marked in places.items():
        if marked:
            points = _points_label(scene, marked, is_turned=is_turned)
            sentences.append(labels(key, points=points))
    return sentences


def _play_label(play: str, labels: LabelFormatter) -> str:
    """A play with the labels for "bar", "off" and "no play"."""
    return re.sub("no play|bar|off", lambda word: labels(word[0].replace(" ", "_")), play)


def _points_label(scene: Scene, places: Iterable[int], *, is_turned: bool) -> str:
    numbers = [_printed(scene.number_of(place), is_turned=is_turned) for place in places]
    names = {25: scene.labels("bar"), 0: scene.labels("off")}
    return ", ".join([names.get(number, str(number)) for number in sorted(numbers, reverse=True)])


def _score_and_pips(scene: Scene, side: SceneSide) -> list[str]:
    """The labels for the score and the pips of a side."""
    pips = scene.labels("pips", count=side.pips)
    return [side.score, pips] if side.score else [pips]


def player_line(scene: Scene, side: SceneSide, geometry: Geometry, palette: Palette) -> str:
    """The line of a player, above or below the board."""
    y = 18 if side is scene.top else geometry.height - 32
    score_and_pips = " · ".join(_score_and_pips(scene, side))
    margins = 66  # the checker before the name, and the spaces between the labels and around them
    left_for_name = geometry.width - margins - _width(score_and_pips) - _width(side.doing)
    limit = max(_WIDTH_OF_NAME, left_for_name)
    name = side.name
    if _width(name) > limit:
        name = cut(name, limit - _width("…"), _width)
    width = _width(name)
    x_after_name = 46 + width
    drawn = [
        f'<g class="player" data-player="{side.color}">',
        circle(18, y, 8, palette(str(side.color))),
        # A nested image clips what is too wide or too high, so no name covers anything else.
        f'<svg x="34" y="{y - 12}" width="{width}" height="24">',
        text_element(0, 17, isolated(name), palette("ink", "name"), end="start"),
        "</svg>",
        text_element(
            x_after_name, y + 5, score_and_pips, palette("ink", "score"), bold=False, end="start"
        ),
    ]
    if side.doing:
        doing = capitalized(side.doing)
        right = geometry.width - 8
        drawn.append(text_element(right, y + 5, doing, palette("ink", "doing"), end="end"))
    return "\n".join([*drawn, "</g>"])


def last_line(scene: Scene, geometry: Geometry, palette: Palette) -> list[str]:
    """The kind of game, and the identifier of the position."""
    y = geometry.height - 8
    right = geometry.width - 8
    faint = palette("faint")
    identity = text_element(right, y, scene.identity, faint, size=12, bold=False, end="end")
    if not scene.kind:
        return [identity]
    return [text_element(8, y, scene.kind, faint, size=12, bold=False, end="start"), identity]


def caption_lines(caption: str, geometry: Geometry) -> tuple[str, ...]:
    """The lines of a caption, each broken where it is wider than the image. Raises ArgumentError."""
    check_kind("caption", caption, str)
    if len(caption) > _MAX_CAPTION_LENGTH:
        raise ArgumentError(
            f"caption must have at most {_MAX_CAPTION_LENGTH:,} characters, not {len(caption):,}"
        )
    lines: list[str] = []
    for line in caption.splitlines():
        lines += broken(printable_name(line), geometry.width - 16)
    return tuple(lines)


def height_of_caption(lines: Sequence[str]) -> int:
    """The height that a caption adds to an image."""
    return _CAPTION_LINE * len(lines) + 8 if lines else 0


def drawn_caption(lines: Sequence[str], top: int, palette: Palette) -> Iterator[str]:
    """The lines of a caption, the first one in bold, below the y of `top`."""
    for number, line in enumerate(lines):
        y = top + _CAPTION_LINE * number + 15
        look = palette("ink" if number == 0 else "faint", "caption")
        yield text_element(8, y, line, look, bold=number == 0, end="start")


def _width(text: str) -> int:
    """Of a text in a wide bold font, at most; the actual font cannot be measured."""
    return sum(map(_widest, text))


@lru_cache(maxsize=1024)
def _widest(letter: str) -> int:
    if letter in _NARROW:
        return 7
    if letter in _WIDE or columns(letter) > 1:
        return 15
    return 11 if letter.isupper() else 10


def plate(texts: Sequence[str], geometry: Geometry, palette: Palette) -> list[str]:
    """Texts in a box between the stacks: the opening roll, or a result."""
    if not texts:
        return []
    longest_line = min(_MAX_LINE_LENGTH, geometry.width - 32)
    lines: list[str] = []
    for text in texts:
        lines += broken(text, longest_line)
    width = max([_width(line) for line in lines]) + 24
    height = 8 + _PLATE_LINE * len(lines)
    x = geometry.bar
    y = geometry.middle + geometry.below
    drawn = [box(x - width // 2, y - height // 2, width, height, f'rx="6" {palette("plate")}')]
    middle_of_first_line = y - _PLATE_LINE // 2 * (len(lines) - 1)
    baseline = middle_of_first_line + 5
    for line in lines:
        drawn.append(text_element(x, baseline, line, palette("ink", "standing")))
        baseline += _PLATE_LINE
    return drawn


def broken(text: str, limit: int) -> list[str]:
    """A text in lines of at most this width, if it has spaces, and of about the same."""
    width = _width(text)
    rows = ceil(width / limit)
    longest_line = limit
    if rows > 1:
        # equal shares, and some more, since a line ends before the word that does not fit
        longest_line = width // rows + 40
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        is_first_word = not lines[-1]
        if is_first_word or _width(longer) <= longest_line:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
