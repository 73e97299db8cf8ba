"""The pictures of `docs/explanation/rules.md` show what the library draws today.

`python tests/test_rule_pictures.py` draws them again.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gammonrules.board import Position
from gammonrules.match import MatchState, Player

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "images" / "rules"


def white(mine: dict, theirs: dict, dice: str | None = None) -> MatchState:
    """A match to 5 with White on roll."""
    return MatchState(Position.of(mine=mine, theirs=theirs), Player.WHITE, dice, length=5)


STARTED = MatchState.new(5).opening_roll(white=3, black=1)
CLOSED = dict.fromkeys(range(1, 7), 2)
PICTURES: dict[str, Position | MatchState] = {
    "start": Position.start(),
    "opening": STARTED,
    "both-dice": white({24: 1, 8: 1, 6: 13}, {21: 2, 9: 2, 7: 3, 6: 4, 5: 4}, "62"),
    "entering": white({"bar": 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 1, 13: 4, 8: 3, 6: 5, 4: 2}, "61"),
    "shut-out": white({"bar": 1, 13: 5, 8: 4, 6: 5}, CLOSED | {8: 3}, "64"),
    "bearing-off": white({4: 3, 2: 2, 1: 1}, {3: 3, 2: 2, 1: 3}, "65"),
    "backgammon": white({1: 1}, {22: 1, 6: 6, 5: 4, 4: 4}, "65").play("1/off"),
    "double": STARTED.play("8/5 6/5").double(),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name):
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == PICTURES[name]._repr_svg_() + "\n"


def test_every_picture_is_shown():
    page = (DOCS / "explanation" / "rules.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^\]]+\]\(\.\./images/rules/([a-z-]+)\.svg\)", page) == list(PICTURES)
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.svg" for name in PICTURES}


if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawn._repr_svg_() + "\n", encoding="utf-8")
