"""Write src/pictures.json, what the scripts have of the pictures of Python: python web/pictures.py."""

import json
import re
from pathlib import Path

from gammonrules import MatchState, Player, Position
from gammonrules.draw import svg

FILE = Path(__file__).with_name("src") / "pictures.json"


def pictures() -> dict[str, object]:
    """The measures of a picture, and the landscape and portrait boards on which the scripts draw.

    These have no checker on a point: one of each side is on the bar.
    """
    state = MatchState(Position.of({25: 1}, {25: 1}, checkers=1), Player.WHITE)
    landscape = svg.table(state, header=False, footer=False, look="depth", layout="landscape")
    portrait = svg.table(state, header=False, footer=False, look="depth", layout="portrait")
    blanks = {"landscape": with_few_points(landscape), "portrait": with_few_points(portrait)}
    return {"measures": svg.MEASURES_OF_BOARD_JS, "blanks": blanks}


def with_few_points(picture: str) -> dict[str, str | float]:
    """Take from a picture what is needed to make all its points from two of each row.

    These are the start and the end, before and after the points; the pitch, which is how far one point is from the
    next, and the gap, which is how much farther where the bar is between; two points of the lower row, and two of the
    upper one. In the points, "~" is before their numbers, and "@" before the x that changes from point to point.
    """
    picture = re.sub(r"<(title|desc)>.*?</\1>|\n", "", picture.replace('"', "'"))
    points = re.findall("<g class='point'.*?</g>", picture)  # from the 1 point to the 24 point
    before, _, _ = picture.partition(points[0])
    _, _, after = picture.rpartition(points[-1])
    pitch = left_edge(points[0]) - left_edge(points[1])
    six_point = points[5]
    bar_point = points[6]
    width_of_bar = left_edge(six_point) - left_edge(bar_point) - pitch
    # the last of each row: their two colors are those of all
    lower_points = with_signs(points[10] + points[11])
    upper_points = with_signs(points[22] + points[23])
    return {
        "start": before,
        "end": after,
        "pitch": pitch,
        "gap": width_of_bar,
        "lower": lower_points,
        "upper": upper_points,
    }


def left_edge(point: str) -> float:
    """Read the first x of a point."""
    (first, *_) = re.findall(r" x='([^']*)'", point)
    return float(first)


def with_signs(points: str) -> str:
    """Put signs before what changes from point to point."""
    numbered = re.sub(r"(point='|>)(\d)", r"\1~\2", points)
    return re.sub("( x='|M)", r"\1@", numbered)


def text_of_file() -> str:
    """Write them as the file has them."""
    return json.dumps(pictures(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text_of_file(), encoding="utf-8", newline="\n")
