"""`<gammon-setup>`, the board on which a person sets up a position, by hand and as a page uses it; under the strictest
policy.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import loop
import processes
from boards import position_of, random_board
from fuzzing.tables import random_table
from gammonrules import Dice, GammonError, MatchState, Player, draw
from gammonrules.match import Cube
from test_board import KINDS_OF_PICTURES, SCRIPT, Chromium, a_firefox, opened, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A position</title>
<meta name="viewport" content="width=device-width">
<script src="setup.js"></script><script src="page.js"></script></head>
<body><main><h1>A position</h1><gammon-setup></gammon-setup></main></body>"""
MORE = """
let setup, told = [];
addEventListener("gammon-setup", ({ detail }) => told.push(detail));
addEventListener("DOMContentLoaded", () => { setup = board; setup.style.maxWidth = "560px"; });
const placed = part => String(["cx", "cy", "x", "y", "width"].map(name => part.getAttribute(name) ?? ""));
const cubes = root => [...root.querySelectorAll(".cube")].map(({ dataset: { value, player }, children, textContent }) =>
  [value, player, textContent.trim(), ...[...children].map(placed)]);
const dice = root => [...root.querySelectorAll(".die")].map(die => {
  return [die.dataset.player, die.dataset.value, ...[...die.children].map(placed).sort()];
}).sort();
const seen = root => JSON.stringify([drawn(root, true).groups, cubes(root), dice(root)]);
const like = svg => [seen(setup.shadowRoot), seen(parsed(svg))];
const onPlace = place => middle(setup.shadowRoot.querySelector(`[data-place="${place}"]`).firstElementChild);
const label = () => setup.shadowRoot.activeElement?.ariaLabel;
"""
__all__ = ["a_firefox"]  # a fixture
ROOT = Path(__file__).parent.parent.parent
REFERENCE = ROOT / "docs" / "reference"
WEB = ROOT / "web" / "src"
CLEAR = "XGID=--------------------------:0:0:1:00:0:0:3:0:10"


@pytest.fixture(scope="module")
def url(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    files = {"index.html": PAGE, "setup.js": draw.setup_js(), "page.js": SCRIPT + MORE}
    return served(files, serve, tmp_path_factory)


@pytest.fixture
def page(open_page: Callable[..., Page], url: str) -> Chromium:
    return Chromium(open_page(url, expected=("favicon",), has_touch=True, height=900))


@pytest.fixture(params=["chromium", "firefox"])
def either(request: pytest.FixtureRequest, url: str) -> Any:
    """The page in each browser."""
    return opened("page", request, url)


def random_state(rng: random.Random) -> MatchState:
    """With every cube, owner, roll and board."""
    while True:
        state = random_table(rng)
        if state.position.checkers == 15 and not (
            state.offer or state.result or state.on_roll is None or (state.dice and state.phase != "to_play")
        ):
            return state


@pytest.mark.filterwarnings("ignore:.*centered cube")
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_position_looks_as_the_library_draws_it(page: Chromium, count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        state = random_state(rng)
        state = MatchState.from_xgid(re.sub("(:[^:]+){5}$", ":0:0:3:0:10", state.xgid))  # with a cube
        flip = rng.random() < 0.5
        bottom = Player.BLACK if flip else Player.WHITE
        kind = rng.choice(KINDS_OF_PICTURES)
        svg = draw.svg.table(state, bottom=bottom, header=False, footer=False, **kind)
        page.evaluate("([xgid, flip]) => Object.assign(setup, { xgid, flip })", [state.xgid, flip])
        page.evaluate("kind => { for (const name in kind) setup.setAttribute(name, kind[name]); }", kind)
        [is_drawn, should] = page.evaluate("like", svg)
        assert is_drawn == should, (state.xgid, flip, kind)
        assert page.evaluate("() => [setup.xgid, setup.points]") == [state.xgid, [*state.position.points]]


def build(page: Any, counts: list[int], rng: random.Random, by: str) -> None:
    """From an empty board, seen by White."""
    for place, count in rng.sample([*enumerate(counts)], 26):
        player = "white" if count > 0 else "black"
        if by == "keys" and count:
            page.evaluate("place => setup.shadowRoot.querySelector(`[data-place='${place}']`).focus()", player)
            page.press("Enter")
            page.evaluate("place => setup.shadowRoot.querySelector(`[data-place='${place}']`).focus()", place)
            for _ in range(max(abs(count) - 9, 0)):
                page.press(" ")
            page.press(str(abs(count))) if abs(count) < 10 else [page.press("Enter") for _ in range(9)]
            continue
        stock, there = (page.evaluate("onPlace", what) for what in (player, place))
        if by == "click":
            page.pointer([stock])
        for _ in range(abs(count)):
            page.pointer(
                [there] if by == "click" else [stock, (300, 300), there], "touch" if by == "touch" else "mouse"
            )


@pytest.mark.parametrize("by", ["drag", "click", "keys", "touch"])
def test_a_position_is_set_up(either: Any, by: str) -> None:
    """From nothing, as a person does it; the events say each step, and the library takes the last."""
    page, rng = either, random.Random(by)
    while (position := position_of(random_board(rng))).checkers != 15:
        pass
    page.pointer([page.evaluate("() => middle(setup.shadowRoot.querySelector('[name=clear]'))")])
    assert page.evaluate("() => setup.xgid") == CLEAR
    build(page, [*position.points], rng, by)
    xgid, points = page.evaluate("() => [told.at(-1).xgid, told.at(-1).points]")
    assert MatchState.from_xgid(xgid).position == position
    assert points == [*position.points]
    if by != "keys":
        assert page.evaluate("() => told.length") == 1 + sum(map(abs, points))


def test_cube_dice_and_the_player_on_roll_are_chosen(page: Chromium) -> None:
    for name, value in {"turn": "Black", "dice": "4-2", "cube": "4", "owner": "White"}.items():
        page.page.select_option(f"[name={name}]", label=value)
    state = MatchState.from_xgid(page.evaluate("() => told.at(-1).xgid"))
    assert (state.on_roll, state.dice, state.cube) == (Player.BLACK, Dice(4, 2), Cube(4, Player.WHITE))
    assert page.evaluate("() => [told.length, told.at(-1).points[24]]") == [4, 2]


MOVES: dict[str, tuple[str, object, object, str]] = {
    "to an empty point": ("left", 6, 5, "-b---AD-C---eE---c-e----B-"),
    "to an own point": ("left", 6, 8, "-b----D-D---eE---c-e----B-"),
    "to the other's point": ("left", 6, 1, ""),
    "where it was": ("left", 6, 6, ""),
    "to the bar": ("left", 6, 25, "-b----D-C---eE---c-e----BA"),
    "to the other's tray": ("left", 6, "black", "-b----D-C---eE---c-e----B-"),
    "off the board": ("left", 1, None, "-a----E-C---eE---c-e----B-"),
    "from an empty tray": ("left", "white", 5, ""),
    "by the right button": ("right", 6, 6, "-b----D-C---eE---c-e----B-"),
    "by the right button from a tray": ("right", "white", "white", ""),
}


@loop.over("what", MOVES)
def test_a_checker_is_moved(page: Chromium, what: str) -> None:
    """Or not: then nothing is told."""
    button, start, end, board = MOVES[what]
    page.evaluate("xgid => { setup.setAttribute('xgid', xgid); told = []; }", START)
    there = (900, 700) if end is None else page.evaluate("onPlace", end)
    path = [page.evaluate("onPlace", start), (300, 300), there]
    page.pointer(path if button == "left" else path[:1], "mouse", 2 if button == "right" else 0)
    assert page.evaluate("() => told.map(({ xgid }) => xgid.slice(5, 31))") == [board] * bool(board)
    assert page.evaluate("() => setup.xgid.slice(5, 31)") == (board or START[5:31])


START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"


def test_a_click_adds_or_removes(page: Chromium) -> None:
    """The chosen color; from the tray, which may be empty."""
    clicks = (
        ("black", 6, 6),
        ("white", 6, 7, 20),
        ("white", 19),
        ("remove", 13, 4),
        ("black", 25, 0),
        ("white", 0, 25),
    )
    boards = []
    for brush, *places in clicks:
        if brush == "remove":
            page.page.check("input[value=remove]")
        else:
            page.pointer([page.evaluate("onPlace", brush)])
        for place in places:
            page.pointer([page.evaluate("onPlace", place)])
        boards.append(page.evaluate("() => setup.xgid.slice(5, 31)"))
    assert boards == [
        "-b----C-C---eE---c-e----B-",
        "-b----DAC---eE---c-e----B-",  # there is none for the 20 point
        "-b----DAC---eE---c-d----B-",
        "-b----DAC---eD---c-d----B-",
        "ab----DAC---eD---c-d----B-",  # not on White's bar
        "-b----DAC---eD---c-d----BA",
    ]
    page.page.click("[name=start]")
    page.pointer([page.evaluate("onPlace", 5)])
    said = page.evaluate("() => setup.shadowRoot.querySelector('#reason').textContent")
    assert (said, page.evaluate("() => setup.xgid")) == ("All White checkers are on the board.", START)


def test_keys_lead_everywhere_and_screen_readers_are_told(page: Chromium) -> None:
    reached, waiting = {"24"}, ["24"]
    here = "() => setup.shadowRoot.activeElement.dataset.place"
    while waiting:
        start = waiting.pop()
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            page.evaluate("place => setup.shadowRoot.querySelector(`[data-place='${place}']`).focus()", start)
            page.press(key)
            if (place := page.evaluate(here)) not in reached:
                reached.add(place)
                waiting.append(place)
    assert reached == {*map(str, range(26)), "white", "black"}
    page.evaluate("() => setup.shadowRoot.querySelector('[data-place=\"24\"]').focus()")
    said = []
    for key in ("Delete", "ArrowLeft", "x", "1", "Backspace", " ", "9", "Tab"):
        page.press(key)
        status = page.evaluate("() => setup.shadowRoot.querySelector('#status').textContent")
        said.append((page.evaluate("label") or "", status))
    assert said == [
        *(("point 24, 1 White", "point 24, 1 White"), ("point 23, empty", "point 24, 1 White")),
        *(("point 23, empty", "point 24, 1 White"), ("point 23, 1 White", "point 23, 1 White")),
        *(("point 23, empty", "point 23, empty"), ("point 23, 1 White", "point 23, 1 White")),
        *(("point 23, 1 White", "point 23, 1 White"), ("", "point 23, 1 White")),  # there are no nine; to the colors
    ]


WRONG = (
    *(("--", "AO"), ("--", "PP"), ("=---", "=OA-"), ("=-", "=A"), ("-", "?"), ("--", "<b>")),
    *((":00:", ":70:"), (":1:", ":0:"), (":10", ""), (":10", ":10:"), ("0:10", "0:-1")),
)


@loop.rows("xgid", None, 5, "", "XGID=", "x" * 10**6, {}, [], *(CLEAR.replace(*change, 1) for change in WRONG))
def test_what_is_no_xgid_leaves_the_board_as_it_was(page: Chromium, xgid: object) -> None:
    script = (
        "xgid => { try { setup.xgid = xgid; return 'nothing'; } catch (error) { return [error.name, setup.xgid]; } }"
    )
    assert page.evaluate(script, xgid) == ["TypeError", START]


def test_what_happens_while_a_checker_is_held(page: Chromium) -> None:
    for interruption in (
        "const parent = setup.parentNode; setup.remove(); parent.append(setup)",
        "setup.words = { white: '<b>', point: '{constructor}', bar: '' }",
        "setup.flip = true; setup.flip = false",
        "setup.xgid = setup.xgid",
        "setup.hidden = true; setup.hidden = false",
    ):
        mouse, start = page.page.mouse, page.evaluate("onPlace", 6)
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0], start[1] - 90)
        page.evaluate(f"() => {{ {interruption}; }}")
        mouse.up()
        assert page.evaluate("() => setup.shadowRoot.querySelectorAll('svg .checker').length") == 30
        page.evaluate("xgid => { setup.xgid = xgid; }", START)
    page.evaluate(
        """() => {
            const heard = (event) => event.preventDefault();
            addEventListener("error", heard);
            setup.setAttribute("theme", '"] { x');
            setup.cloneNode(true);
            removeEventListener("error", heard);
            setup.style.maxWidth = "100px";
        }"""
    )
    assert page.evaluate("() => setup.shadowRoot.querySelector('b')") is None


def test_a_reason_that_comes_late_is_not_shown(page: Chromium) -> None:
    page.page.select_option("[name=cube]", value="1")
    page.page.select_option("[name=dice]", value="21")
    shown = page.evaluate(
        "() => told.map(({ explain }, at) => (explain(`${at}`), setup.shadowRoot.querySelector('#reason').textContent))"
    )
    assert shown == ["", "1"]


def test_looks(open_page: Callable[..., Page], url: str, look: dict[str, Any], violations: Any, picture: Any) -> None:
    """For a phone too, where nothing is beside the screen."""
    page = open_page(url, **look, expected=("favicon",))
    page.evaluate("styled", ":root { color-scheme: light dark }")
    page.evaluate("setup.setAttribute('theme', 'auto')")
    page.select_option("[name=turn]", value="-1")
    page.evaluate("told[0].explain('The cube is not a power of two.')")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, f"setup-{look['width']}")


def test_the_page_that_asks_the_library(open_page: Callable[..., Page], tmp_path: Path) -> None:
    text = (REFERENCE / "board.md").read_text(encoding="utf-8")
    (program,) = re.findall(r'(?ms)^```py title="setup.py"\n(.*?)^```$', text)
    reason = "document.querySelector('gammon-setup').shadowRoot.querySelector('#reason').textContent"
    port = processes.free_port()
    (tmp_path / "setup.py").write_text(program.replace("8000", str(port)), encoding="utf-8")
    with processes.serving(port, sys.executable, "setup.py", cwd=tmp_path):
        page = open_page(f"http://127.0.0.1:{port}", expected=("favicon",))
        with pytest.raises(GammonError) as error:
            MatchState.from_xgid(CLEAR)
        for button, wrong in (("clear", str(error.value)), ("start", "")):
            with page.expect_response("**"):
                page.click(f"[name={button}]")
            page.wait_for_function(f"text => {reason} === text", arg=wrong)


@loop.rows(
    ("name", "after", "until"),
    ("board", "", "## Without a server"),  # which is of another script
    ("setup", "## Setting up a position", "\n## "),
)
def test_the_page_and_the_types_describe_it(name: str, after: str, until: str) -> None:
    """An element and its page have the same words, properties, methods and events."""
    modules = [WEB / name / f"{name}.ts", *(WEB / "board" / f"{shared}.ts" for shared in ("element", "words"))]
    script = "".join(module.read_text(encoding="utf-8") for module in modules)
    types = (WEB / name / "types.ts").read_text(encoding="utf-8")
    page = (REFERENCE / "board.md").read_text(encoding="utf-8")
    text = page[page.index(after) :].removeprefix(after).partition(until)[0]
    words = dict(re.findall(r'(?m)^  (\w+): "(.*)",$', script))
    assert dict(re.findall(r"(?m)^\| `(\w+)` \| `(.*)` \|$", text.partition("| word | default |")[2])) == words
    shown = "".join(re.findall(r"(?ms)^export class Gammon\w+ .*?^}", script))
    names = re.findall(r"(?m)^  (?:override )?(?:get |set )?([a-z]\w+)\(.*\)(?:: .*)? {$", shown)
    members = {name for name in names if not re.search("constructor|Callback$", name)}
    table = text.partition("| property ")[2].partition("\n##")[0]
    assert set(re.findall(r"(?m)^\| `(\w+)(?:\(\))?` \|", table)) == members - {"show"}
    events = set(re.findall(r'"(gammon-\w+)": Gammon\w+Event', types))
    assert set(re.findall(r"`(gammon-\w+)`", text)) - {"gammon-board"} == events
