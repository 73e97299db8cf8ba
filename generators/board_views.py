"""`web/src/pictures.json`, the measures and blank boards of the scripts, and the views in `web/testing/views.json`."""

import json
import re
from pathlib import Path
from typing import Any

import attrs

from gammonrules import MatchState, Player, Position
from gammonrules.draw import BoardStyle, svg

WEB = Path(__file__).parents[1] / "web"


def pictures() -> dict[str, object]:
    """The measures of a picture, and the landscape and portrait boards on which the scripts draw.

    These have no checker on a point: one of each side is on the bar.
    """
    state = MatchState(Position.of({25: 1}, {25: 1}, checkers=1), Player.WHITE)
    style = BoardStyle(look="depth", header=False, footer=False)
    landscape = svg.match_state(state, style=style)
    portrait = svg.match_state(state, style=attrs.evolve(style, layout="portrait"))
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


def views() -> dict[str, object]:
    """Tables and boards as a server sends them, for test/board.test.js."""
    opening = MatchState.new(7).opening_roll(6, 5)
    to_roll = opening.play("24/18 18/13")
    doubled = to_roll.double()
    taken = doubled.take()
    rolled = MatchState.new(7).opening_roll(3, 1)
    fixed: dict[str, Any] = {"bottom": Player.BLACK, "style": BoardStyle(numbers="fixed")}
    blot = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 20: 1, 13: 5, 6: 5, 8: 2})
    closed_out = Position.of({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3})
    last_checker = Position.of({1: 1}, {6: 15})
    bear_off = {6: 2, 5: 2}
    far = {6: 2}
    two_on_the_bar = {25: 2, 7: 1}
    return {
        "opening": table(opening),
        "openingFixed": table(opening, **fixed),
        "toRoll": table(to_roll),
        "toRollFixed": table(to_roll, **fixed),
        "next": table(to_roll.roll("31")),
        "doubled": table(doubled),
        "taken": table(taken),
        "takenAndRolled": table(taken.roll("21")),
        "dropped": table(doubled.drop()),
        "rolled": table(rolled),
        "blot": table(attrs.evolve(rolled, position=blot)),
        "dance": table(attrs.evolve(opening, position=closed_out)),
        "won": table(attrs.evolve(opening, position=last_checker).play("1/off")),
        "offByBoth": board(Position.of({3: 1, 2: 1}, {24: 2, 1: 13}), "31"),
        "onlyPlay": board(Position.of({20: 1}, far), "65"),
        "bearOff": board(Position.of(bear_off, far), "65"),
        "bearOffOne": board(Position.of(bear_off, far), "61"),
        "bearOffDoublet": board(Position.of({6: 1, 5: 1, 2: 3}, far), "66"),
        "bearOffContact": board(Position.of(bear_off, {24: 2}), "65"),
        "oneEnters": board(Position.of(two_on_the_bar, {13: 2, 6: 2, 8: 2}), "61"),
        "afterOneEnters": board(Position.of(two_on_the_bar, {11: 2, 6: 2, 8: 2}), "61"),
    }


def table(state: MatchState, *, bottom: Player = Player.WHITE, style: BoardStyle | None = None) -> dict[str, object]:
    """An image, and the legal actions or plays."""
    drawn = svg.match_state(state, bottom=bottom, style=style)
    if state.dice and not state.result:
        return {"svg": drawn, "tree": state.legal_plays.tree().data}
    return {"svg": drawn, "actions": sorted(state.legal_actions)}


def board(position: Position, dice: str) -> dict[str, object]:
    """The same of a position alone."""
    return {"svg": svg.position(position, dice=dice), "tree": position.legal_plays(dice).tree().data}


def files() -> dict[Path, str]:
    """The files; of the views each has a line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(view)}" for name, view in views().items())
    return {
        WEB / "src" / "pictures.json": json.dumps(pictures(), indent=2) + "\n",
        WEB / "testing" / "views.json": f"{{\n{lines}\n}}\n",
    }
