"""The images of boards and the charts in `docs/images`, which the pages of the documentation show.

In the gallery, a picture that follows a block of Python shows what the last line of the block makes. Other pages show
pictures without the code that draws them: it is here.

The pictures are image files with a stylesheet of their own, so that they follow the page that shows them. Browsers tell
an image whether the element around it is light or dark (`color-scheme`), which the site's switch changes. How wide it
is they tell it too: `phone.css`, which each picture contains, has larger words for a narrow one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from typing import Any

import attrs

from gammonrules.board import Position
from gammonrules.draw import BoardStyle, svg
from gammonrules.match import MatchState, Player
from result_charts import CHARTS, chart

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "images"
PHONE = f"<style>{' '.join((FOLDER / 'phone.css').read_text(encoding='utf-8').split())}</style>"
GALLERY = "gallery.md"

BLOCK = re.compile(r"(?ms)^```(python|pycon)\n(.*?)^```\n(?:\n(?:<div[^>]+>\n)?!\[[^\]]+\]\((images/[^)]+\.svg)\))?")


# --- pictures that the code of a page draws -----------------------------------------------------------


def drawn_by_code(page: str) -> Iterator[tuple[Path, str]]:
    """The pictures of a page, as its blocks make them one after the other."""
    names: dict[str, Any] = {}
    for language, code, picture in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        made = last_value(typed(code) if language == "pycon" else code, names)
        if picture:
            yield DOCS / picture, made


def typed(session: str) -> str:
    """What is typed in a session, except what is shown to raise an error."""
    return "".join(example.source for example in DocTestParser().get_examples(session) if example.exc_msg is None)


def last_value(code: str, names: dict[str, Any]) -> Any:
    """The value of the last line of a program: of an expression, or what gets a name."""
    *before, last = ast.parse(code).body
    with redirect_stdout(StringIO()):
        exec(compile(ast.Module(before, []), "<page>", "exec"), names)
        if isinstance(last, ast.Expr):
            return eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
        exec(compile(ast.Module([last], []), "<page>", "exec"), names)
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        return names[last.targets[0].id]
    return None


# --- pictures without code -----------------------------------------------------------------------------


def white(mine: Mapping[Any, int], theirs: Mapping[Any, int], dice: str | None = None) -> MatchState:
    """A match to 5 with White on roll."""
    return MatchState(Position.of(mine=mine, theirs=theirs), Player.WHITE, dice, length=5)


STARTED_TO_7 = MatchState.new(7).opening_roll(white=3, black=1)
"""The start page's, as in `docs/try/beforehand.py`."""
STARTED = MatchState.new(5).opening_roll(white=3, black=1)
CLOSED = dict.fromkeys(range(1, 7), 2)
TRAP = white({24: 1, 8: 1, 6: 13}, {21: 2, 9: 2, 7: 3, 6: 4, 5: 4}, "62")
RULES: dict[str, Position | MatchState] = {
    "start": Position.start(),
    "opening": STARTED,
    "both-dice": TRAP,
    "entering": white({"bar": 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 1, 13: 4, 8: 3, 6: 5, 4: 2}, "61"),
    "shut-out": white({"bar": 1, 13: 5, 8: 4, 6: 5}, CLOSED | {8: 3}, "64"),
    "bearing-off": white({4: 3, 2: 2, 1: 1}, {3: 3, 2: 2, 1: 3}, "65"),
    "backgammon": white({1: 1}, {22: 1, 6: 6, 5: 4, 4: 4}, "65").play("1/off"),
    "double": STARTED.play("8/5 6/5").double(),
}
"""The pictures of `explanation/rules.md`, in their order."""


FEATURES: dict[str, tuple[Position, set[int]]] = {
    "structure": (
        Position.of(
            mine={"bar": 1, 24: 2, 21: 2, 8: 2, 7: 2, 6: 2, 5: 2, 4: 2}, theirs={24: 2, 22: 1, 13: 4, 8: 3, 6: 4, 3: 1}
        ),
        {8, 7, 6, 5, 4},
    ),
    "blots": (
        Position.of(mine={24: 1, 13: 3, 10: 1, 8: 3, 6: 4, 5: 1, 4: 2}, theirs={24: 2, 13: 5, 8: 3, 6: 4, 4: 1}),
        {24, 5},
    ),
    "race": (Position.of(mine={9: 2, 6: 6, 5: 4, 3: 3}, theirs={10: 2, 6: 5, 5: 4, 4: 3, 1: 1}), set()),
    "bear-off": (Position.of(mine={6: 4, 5: 3, 4: 2, 1: 1}, theirs={5: 3, 4: 4, 3: 1}), set()),
}
"""The pictures of `reference/batch.md`, in their order, and the points that stand out."""

KINDS = {
    "over": "4HPwATAAAAAAAA",
    "bear-off": "dwcAAOgsAAAAAA",
    "bear-in": "sNstADC2ew8AAA",
    "race": "tnbJIAA2uz0AAA",
    "back game": "zN6NAQBmG2GAMQ",
    "prime against prime": "j20bABBsdw0ARA",
    "blitz": "mNuRAUjYdk8AIA",
    "containment": "PwAABLBtGwgRAA",
    "holding game": "4HPGAQPg28HBAA",
    "opening": "4HPwAyDgc+QBIg",
    "other": "23iICRCMZ3CAYQ",
}
"""A position of each kind, by its Position ID, on `explanation/position-kinds.md`."""


STYLE = BoardStyle(theme="auto", nonce="", size=svg.USUAL_WIDTH)
ARROWS = svg.match_state(
    MatchState.from_xgid("XGID=--bB-BBBBa--bBA--b-ec---B-:1:-1:1:53:1:0:0:7:10"),
    names=("Ann", "Bob"),
    arrows="24/21 14/9*",
    style=STYLE,
)
"""The picture of `README.md`."""


DOUBLE_OR_ROLL = "XGID=--aBaBCBB---bBb--c-cc--AA-:0:0:1:00:3:2:0:7:10"
"""That of `reference/engine.md`."""


MISTAKE = MatchState.from_xgid("XGID=-a--bBDBBB--bB---b-d-bb-A-:1:-1:1:53:3:4:0:7:10")
REPLYING = STARTED.play("8/5 6/5").roll("42")
TWO_BROWSERS = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5").roll("42")
LONELY = Position.of(mine={1: 1}, theirs={1: 1})
HOW_TO: dict[str, tuple[Position | MatchState, dict[str, Any]]] = {
    "is-this-a-double": (MatchState.from_xgid("XGID=-AAA--B------------aaba---:0:0:1:00:0:0:3:0:10"), {}),
    "cards-to-study-front": (MISTAKE, {"names": ("You", "They")}),
    "cards-to-study-back": (MISTAKE, {"names": ("You", "They"), "arrows": "13/5"}),
    "referee-records": (STARTED.play("8/5 6/5").roll("64").play("24/14").roll("52"), {"arrows": "13/8 6/3"}),
    "write-records": (STARTED, {"arrows": "8/5"}),
    "prove-your-rules": (Position.of(mine={"bar": 2, 12: 1}, theirs={1: 2, "off": 1}, checkers=3), {"dice": "43"}),
    "test-your-code": (LONELY, {"dice": "21", "arrows": "1/off 1/off"}),
    "train-with-gymnasium": (MatchState.new(None).opening_roll(6, 5), {"arrows": "24/13"}),
    "an-api-of-your-own": (REPLYING, {}),
    "tutor": (STARTED, {"arrows": "8/5 6/5"}),
    "two-browsers-white": (TWO_BROWSERS, {"bottom": Player.WHITE, "last_play": "8/5 6/5"}),
    "two-browsers-black": (TWO_BROWSERS, {"bottom": Player.BLACK, "last_play": "8/5 6/5"}),
}
"""The boards of the how-tos, which show what comes out."""


FIRST_STEPS: dict[str, tuple[Position | MatchState, dict[str, Any]]] = {
    "race": (Position.of(mine={6: 2, 3: 1, 1: 1}, theirs={4: 3, 2: 2}), {}),
    "play": (Position.start(), {"dice": "31", "arrows": "8/5 6/5"}),
    "trap": (TRAP.position, {"dice": "62", "arrows": "24/22 8/2"}),
    "taken": (STARTED.play("8/5 6/5").double().take(), {"last_play": "8/5 6/5"}),
}
"""Those of `tutorials/first-steps.md`, in their order."""


def for_a_page(shown: Position | MatchState, look: svg.Look = "flat", **marks: Any) -> str:
    """An image that follows the light or dark theme of its page."""
    draw = svg.position if isinstance(shown, Position) else svg.match_state
    return draw(shown, **marks, style=attrs.evolve(STYLE, look=look))


def pictures() -> dict[Path, str]:
    """Every picture, by its file."""
    files: dict[Path, str] = {}
    for name, shown in RULES.items():
        files[FOLDER / "rules" / f"{name}.svg"] = for_a_page(shown)
    for name, (position, points) in FEATURES.items():
        files[FOLDER / "features" / f"{name}.svg"] = for_a_page(position, highlight=points)
    for name, (shown, marks) in HOW_TO.items():
        files[FOLDER / "how-to" / f"{name}.svg"] = for_a_page(shown, **marks)
    for name, (shown, marks) in FIRST_STEPS.items():
        files[FOLDER / "first-steps" / f"{name}.svg"] = for_a_page(shown, **marks)
    for kind, text in KINDS.items():
        files[FOLDER / "kinds" / f"{kind.replace(' ', '-')}.svg"] = for_a_page(Position.from_id(text))
    files[FOLDER / "board.svg"] = ARROWS
    files |= drawn_by_code(GALLERY)
    files[FOLDER / "double-or-roll.svg"] = for_a_page(MatchState.from_xgid(DOUBLE_OR_ROLL))
    files[FOLDER / "home.svg"] = for_a_page(STARTED_TO_7, look="depth", bottom=Player.WHITE)
    boards = {file: picture.replace("</desc>", f"</desc>\n{PHONE}", 1) for file, picture in files.items()}
    return boards | {FOLDER / picture: chart(printed) for picture, printed in CHARTS.items()}


def files() -> dict[Path, str]:
    return {file: f"{picture}\n" for file, picture in pictures().items()}
