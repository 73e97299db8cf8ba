"""The `<gammon-board>` that needs no server: whole games by hand, what it tells and draws, and what it refuses."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import loop
from gammonrules import Dice, MatchState, Player, Position, draw
from test_board import KINDS_OF_PICTURES, MEANS, POLICY, SCRIPT, Chromium, Moves, a_firefox, one_move, opened
from test_setup import MORE, WEB, random_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

HEADERS = {name: text.replace("script-src", "script-src 'wasm-unsafe-eval'") for name, text in POLICY.items()}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width">
<script src="page.js"></script><script src="alone.js" MODULE></script></head>
<body><main><h1>A board</h1>BOARD</main></body>"""
BOARD = "<gammon-board speed='0'></gammon-board>"
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
CLOSED_OUT = Position.of({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {8: 3})
__all__ = ["a_firefox"]  # a fixture


def page_of(board: str, *, module: bool = False) -> dict[str, str]:
    index = PAGE.replace("BOARD", board).replace("MODULE", "type=module" * module)
    return {"index.html": index, "alone.js": draw.alone_js(module=module), "page.js": SCRIPT + MORE}


@pytest.fixture(scope="module")
def write(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """The address of these files, under the strictest policy with which WebAssembly runs."""

    def served(files: dict[str, str], headers: dict[str, str] = HEADERS) -> str:
        folder = tmp_path_factory.mktemp("page")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return serve(folder, headers)

    return served


@pytest.fixture(scope="module")
def url(write: Callable[..., str]) -> str:
    return write(page_of(BOARD))


@pytest.fixture
def chromium(open_page: Callable[..., Page], url: str) -> Chromium:
    return Chromium(open_page(url, expected=("favicon",), has_touch=True, height=900))


@pytest.fixture(params=["chromium", "firefox"])
def page(request: pytest.FixtureRequest, url: str) -> Any:
    """The page with the board, in each browser."""
    return opened("chromium", request, url)


def assign(page: Any, **properties: object) -> Any:
    """Assign properties in this order, and wait until they are drawn; the error that comes of it."""
    return page.evaluate(
        """async properties => {
            try { for (const name in properties) board[name] = properties[name]; }
            catch (error) { return [error.name, error.message]; }
            await null;
            board.style.maxWidth = board.layout === "portrait" ? "400px" : "560px"; // all of it in the window
        }""",
        properties,
    )


REASON = """() => {
    const { hidden, textContent } = board.shadowRoot.getElementById("reason");
    return hidden ? "" : textContent;
}"""


# --- a game ---


def test_a_whole_game_is_played(page: Any) -> None:
    """Each color in turn on the same board; of the roll alone, the board makes what the library knows of it."""
    rng = random.Random(3)
    state = MatchState.new(1).opening_roll(*rng.sample(range(1, 7), 2))
    assign(page, position=[*state.position.points], side=str(state.on_roll), **rng.choice(KINDS_OF_PICTURES))
    while state.result is None:
        assign(page, dice=str(state.dice))
        assert page.evaluate("() => [board.position, board.side, board.dice, board.tree]") == [
            [*state.position.points],
            str(state.on_roll),
            [state.dice.high, state.dice.low],
            state.legal_plays.tree().data,
        ]
        so_far: Moves = []
        means = rng.choice(MEANS)
        if means == "keys":
            page.evaluate("() => board.focus()")
        while state.legal_plays.next_moves(so_far):
            one_move(page, state, means, rng, so_far)
            if (len(so_far) > 1 or means == "keys") and rng.random() < 0.1:
                page.evaluate("() => board.undo()") if means != "keys" else page.press("u")
                so_far.pop()
        finish(page, means)
        [name, detail] = page.evaluate("played")
        play = state.legal_plays.find(so_far)
        after = play.position
        outcome = after.outcome and {"won": after.outcome.won, "win": after.outcome.win.value}
        told = {"moves": [[*move] for move in so_far], "play": str(play), "position": [*after.points]}
        assert (name, detail) == ("play", told | {"outcome": outcome})
        state = state.play(play)
        if state.result is None:
            state = state.roll(Dice.random(rng))
            assert page.evaluate("() => [board.dice, board.tree, board.side]") == [None, None, str(state.on_roll)]
    assert page.evaluate("() => board.querySelectorAll('.die').length") == 0


def finish(page: Any, means: str) -> None:
    if means == "keys":
        while page.evaluate("() => board.shadowRoot.activeElement?.id") != "done":
            page.press("Tab")
        page.press("Enter")
    else:
        # At once it would be the second of a double click, which ends no turn in which nobody can move.
        page.evaluate("async () => { if (!board.moves.length) await new Promise(go => setTimeout(go, 600)); }")
        page.pointer([page.evaluate("buttonOf", "done")], "touch" if means == "touch" else "mouse")


CHECKERS = """() => String([...board.querySelectorAll(".checker")].map(one => {
    return one.dataset.player + middle(one).map(Math.round);
}).sort())"""


def test_the_drawing_stays_while_the_sides_take_turns(chromium: Chromium) -> None:
    """The same player at the bottom; only the numbers are those of who is on roll."""
    assign(chromium, position=START)
    play(chromium, "white", (8, 3), (6, 1))
    before = chromium.evaluate(CHECKERS)
    chromium.evaluate("() => board.done()")
    for dice in (None, "62"):
        assign(chromium, dice=dice)
        assert chromium.evaluate(CHECKERS) == before
    assert chromium.evaluate("() => [board.side, board.position[20], group(20).querySelector('text').textContent]") == [
        "black",
        -2,
        "20",
    ]


def play(page: Any, player: str, *steps: tuple[int, int]) -> None:
    """Play a checker from this point by this die, as its keys do."""
    page.evaluate(
        """([player, steps]) => {
            for (const [point, die] of steps) {
                const event = new KeyboardEvent("keydown", { key: String(die), bubbles: true });
                group(point, player).dispatchEvent(event);
            }
        }""",
        [player, steps],
    )


@pytest.mark.filterwarnings("ignore:.*centered cube")
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_table_looks_as_the_library_draws_it(chromium: Chromium, count: int) -> None:
    """Of an XGID with its dice and cube, which may be offered, and which the Crawford game has not."""
    rng = random.Random(count)
    for _ in range(count):
        state = MatchState.from_xgid(random_state(rng).xgid)
        while not state.dice and {"double", "beaver"} & state.legal_actions and rng.random() < 0.7:
            state = state.double() if "double" in state.legal_actions else state.beaver()
        kind = rng.choice(KINDS_OF_PICTURES)
        flip = rng.random() < 0.5
        bottom = Player.BLACK if flip else Player.WHITE
        assert assign(chromium, position=state.xgid, dice=None, flip=flip, **kind) is None
        svg = draw.svg.table(state, bottom=bottom, header=False, footer=False, **kind)
        [is_drawn, should] = chromium.evaluate("svg => [seen(board), seen(parsed(svg))]", svg)
        assert is_drawn == should, (state.xgid, flip, kind)
        tree = state.legal_plays.tree().data if state.dice else None
        said = [[*state.position.points], str(state.on_roll), tree]
        assert chromium.evaluate("() => [board.position, board.side, board.tree]") == said


def test_hypergammon(chromium: Chromium) -> None:
    """Trays, plays, reasons and the end of the game are those of three checkers."""
    state = MatchState.from_xgid(START.replace("-b----E-C---eE---c-e----B-", "-a-a--------------A----B--"), checkers=3)
    assert assign(chromium, position=state.position.points) is None
    assert assign(chromium, checkers=3, position=state.xgid) is None
    [is_drawn, should] = chromium.evaluate(
        "svg => [seen(board), seen(parsed(svg))]", draw.svg.table(state, header=False, footer=False)
    )
    assert is_drawn == should
    assert chromium.evaluate("() => board.tree") == state.legal_plays.tree().data
    assert assign(chromium, checkers=2)[0] == "GammonError"
    assert chromium.evaluate("() => [board.checkers, board.moves]") == [3, []]
    last = Position.of({1: 1}, {10: 3}, checkers=3)
    assign(chromium, position=last.points, dice="31")
    play(chromium, "white", (1, 3))
    ended = chromium.evaluate("() => { board.done(); return heard.at(-1)[1]; }")
    assert [ended["play"], ended["outcome"]] == ["1/off", {"won": False, "win": 2}]


# --- reasons ---


def test_a_reason_stands_where_an_illegal_move_is_tried(page: Any) -> None:
    """That of `plays.why`, after the moves that were made."""
    assign(page, position=START)
    plays = Position.start().legal_plays("31")
    for made, start, end in (([], 13, 8), ([], 24, 19), ([(8, 5)], 6, 1), ([(8, 5)], 24, 20)):
        assign(page, position=START)
        play(page, "white", *((source, source - target) for source, target in made))
        page.pointer([page.evaluate("placeOf", [point, "white"]) for point in (start, end)])
        assert page.evaluate(REASON) == str(plays.why(start, end, made))
        page.evaluate("() => board.undo()")


def test_the_reason_of_the_page_comes_first_and_its_words_count(chromium: Chromium) -> None:
    assign(chromium, position=START, words={"blocked_point": "{point}: {count}!", "bar": "Bar"})
    sentences = chromium.evaluate(
        """reason => {
            const key = () => new KeyboardEvent("keydown", { key: "5", bubbles: true });
            const press = () => group(24, "white").dispatchEvent(key());
            const told = [];
            const late = ({ detail }) => told.push(detail.explain);
            for (const explain of [() => {}, ({ detail }) => detail.explain("Mine"), late]) {
                addEventListener("gammon-refuse", explain, { once: true });
                press();
                told.push((0, eval)(reason)());
            }
            told[2]("Late");
            return [told[0], told[1], told[3], (0, eval)(reason)()];
        }""".replace("(0, eval)(reason)", f"({REASON})")
    )
    own = str(Position.start().legal_plays("31").why(24, 19))
    assert sentences == [own, "Mine", own, "Late"]
    assign(chromium, position=START.replace(":31:", ":51:"))
    play(chromium, "white", (24, 5))
    assert chromium.evaluate(REASON) == "19: 5!"


# --- what is given ---


POINTS = [*Position.start().points]
GIVEN = {"position": POINTS, "side": "black", "dice": "62", "checkers": 15, "look": "depth", "layout": "portrait"}
SAID = """() => [
    board.position, board.side, board.dice, board.checkers, board.look, board.layout, board.tree?.dice, diceOf()
]""".replace("diceOf()", "[...board.querySelectorAll('.die')].map(die => die.dataset.player)")


def test_properties_and_attributes_say_the_same_in_any_order(chromium: Chromium, write: Callable[..., str]) -> None:
    """Also before the script is there, and of the dice the XGID's only if there are no others."""
    texts = [Position.start().id, ",".join(map(str, POINTS)), str(POINTS), START.replace(":1:31:", ":-1:31:")]
    rng = random.Random(1)
    expected = [POINTS, "black", [6, 2], 15, "depth", "portrait", [6, 2], ["black", "black"]]
    for text in [POINTS, *texts] * 3:
        attributes = GIVEN | {"position": text}
        names = rng.sample([*attributes], 6)
        for how in ("attributes", "properties", "own"):
            chromium.evaluate(
                """([names, given, how]) => {
                    board = document.createElement(how === "own" ? "x-later" : "gammon-board");
                    for (const name of names) {
                        if (how === "attributes") board.setAttribute(name, given[name]);
                        else board[name] = given[name];
                    }
                    document.body.replaceChildren(board);
                    if (how === "own") customElements.get("x-later") ? customElements.upgrade(board)
                        : customElements.define("x-later", class extends customElements.get("gammon-board") {});
                }""",
                [names, attributes, how],
            )
            assert chromium.evaluate(SAID) == expected, (names, text, how)
    assign(chromium, dice=None)
    assert chromium.evaluate("() => board.dice") == [3, 1]


def test_what_is_equal_keeps_the_moves_and_another_look_too(chromium: Chromium) -> None:
    assign(chromium, position=START)
    play(chromium, "white", (8, 3))
    for properties in ({"position": START}, {"dice": "13"}, {"look": "depth"}, {"layout": "portrait"}, {"side": None}):
        assign(chromium, **properties)
        assert chromium.evaluate("() => [board.moves, group(5, 'white').dataset.count]") == [[[8, 5]], "1"]
    assign(chromium, dice="21")
    assert chromium.evaluate("() => [board.moves, board.dice]") == [[], [2, 1]]


def test_who_is_on_roll(chromium: Chromium) -> None:
    """White, unless the page says otherwise; after a play the other, of whom a new position knows nothing."""
    assign(chromium, position=POINTS, dice="31")
    assert chromium.evaluate("() => board.side") == "white"
    play(chromium, "white", (8, 3), (6, 1))
    chromium.evaluate("() => board.done()")
    assert chromium.evaluate("() => [board.side, board.dice]") == ["black", None]
    assign(chromium, position=POINTS, dice="31")
    assert chromium.evaluate("() => board.side") == "white"
    assign(chromium, side="black")
    assert chromium.evaluate("() => [board.side, board.position]") == ["black", POINTS]
    assign(chromium, position=START)
    assert chromium.evaluate("() => board.side") == "white"


def test_a_page_that_answers_at_once_never_shows_the_board_between(chromium: Chromium) -> None:
    """New dice in the handler of the play, as most pages have it, and then what can be done has the focus."""
    shown = chromium.evaluate(
        """async start => {
            const shown = [];
            Object.assign(board, { position: start });
            const look = () => shown.push(board.querySelectorAll(".die").length);
            new MutationObserver(look).observe(board, { childList: true });
            board.focus();
            addEventListener("gammon-play", () => { board.dice = [6, 6]; }, { once: true });
            for (const [point, key] of [[8, "3"], [6, "1"]]) {
                group(point, "white").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }
            await null;
            shown.length = 0;
            board.done();
            await new Promise(go => setTimeout(go));
            return [shown, board.dice, document.activeElement.matches(".movable")];
        }""",
        START,
    )
    assert shown == [[2, 4], [6, 6], True]


def test_a_dance_and_a_game_that_is_over(chromium: Chromium) -> None:
    assign(chromium, position=[*CLOSED_OUT.points], dice="64")
    assert chromium.evaluate("() => [board.complete, board.shadowRoot.getElementById('done').textContent]") == [
        True,
        "No play",
    ]
    assert chromium.evaluate("() => (board.done(), heard.at(-1)[1].play)") == "no play"
    last = Position.of({1: 1}, {6: 15})
    assign(chromium, position=[*last.points], dice="21")
    play(chromium, "white", (1, 1))
    outcome = chromium.evaluate("() => (board.done(), heard.at(-1)[1].outcome)")
    assert outcome == {"won": False, "win": 2}
    assert assign(chromium, dice="55") is None  # they are those of the next game
    assert chromium.evaluate("() => [board.dice, board.tree, board.side]") == [None, None, "black"]
    assign(chromium, position=POINTS)
    assert chromium.evaluate("() => [board.dice, board.side]") == [[5, 5], "white"]


def test_a_page_that_has_a_server_goes_on_with_it(chromium: Chromium) -> None:
    """`view` and `show` are those of the board: what is told has no more, and no turn follows."""
    state = MatchState.new(7).opening_roll(3, 1)
    view = {"svg": draw.svg.table(state), "tree": state.legal_plays.tree().data}
    assign(chromium, position=START.replace(":31:", ":62:"))
    chromium.evaluate("show", view)
    assert chromium.evaluate("() => [board.position, board.dice, board.side, board.tree.dice]") == [
        None,
        None,
        "white",
        [3, 1],
    ]
    play(chromium, "white", (8, 3), (24, 5), (6, 1))
    assert chromium.evaluate("() => (board.done(), heard.splice(0).slice(-2))") == [
        ["move", {"moves": [[8, 5], [6, 5]], "complete": True}],
        ["play", {"moves": [[8, 5], [6, 5]]}],
    ]
    assert chromium.evaluate(f"async () => [await null, board.side, ({REASON})()]") == [None, "white", ""]


WRONG: dict[str, tuple[object, ...]] = {
    "position": (
        *(5, "", "a" * 10**6, "0,1", [0] * 26, [*POINTS, 0], ["0"] * 26),
        *(START.replace(":31:", ":71:"), START.replace("b", "p"), START[:-3], "4HPwATDgc/ABM", f"{START} and so on"),
    ),
    "dice": (0, "70", "311", [3], [0, 1], ["3", "1"]),
    "checkers": (0, 16, "", "x", [], True, 14),
    "side": ("White", 1, "", "constructor", ["white"]),
    "look": ("Depth", 0, "constructor"),
    "layout": ("upright", 0),
}


@loop.over(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_what_is_wrong_is_one_error_and_changes_nothing(chromium: Chromium, name: str, value: object) -> None:
    """Of a property; an attribute's stands on the board."""
    assign(chromium, position=START, dice="31", look=None, layout=None, side=None)
    play(chromium, "white", (8, 3))
    before = chromium.evaluate(f"() => [board.innerHTML, ({SAID})()]")
    error = assign(chromium, **{name: value})
    assert error[0] == "GammonError"
    assert chromium.evaluate(f"() => [board.innerHTML, ({SAID})()]") == before
    if isinstance(value, str):
        chromium.evaluate("([name, value]) => board.setAttribute(name, value)", [name, value])
        assert chromium.evaluate(REASON) == error[1]
        assert chromium.evaluate(f"() => [board.innerHTML, ({SAID})()]") == before
        chromium.evaluate("name => board.removeAttribute(name)", name)
        assert chromium.evaluate(REASON) == ""


@loop.rows(
    ("words", "error"),
    (5, "TypeError"),
    ("x", "TypeError"),
    ({"undo": "Back", "bloked_point": "x"}, "TypeError"),
    ({"undo": "Back", "dance": 5}, "TypeError"),
    ({"undo": "Back", "blocked_point": 5}, "GammonError"),
    ({"undo": "Back", "numbers": "x"}, "GammonError"),
    ({"bar": 5}, "GammonError"),
)
def test_words_that_are_none(chromium: Chromium, words: object, error: str) -> None:
    """Neither of the board nor of reasons; then none of them is taken."""
    before = chromium.evaluate("() => JSON.stringify(board.words)")
    assert assign(chromium, words=words)[0] == error
    assert chromium.evaluate("() => JSON.stringify(board.words)") == before


def test_words_of_the_board_and_of_reasons(chromium: Chromium) -> None:
    words = {"undo": "Back", "bar": "Bar", "no_pass": "no", "numbers": ["0", "1", "2", "3", "4"]}
    before = chromium.evaluate("() => board.words")
    assert assign(chromium, words=words) is None
    assert chromium.evaluate("() => board.words") == before | words
    assert assign(chromium, words=None) is None
    assert assign(chromium, words={name: before.get(name, "no") for name in ("undo", "bar", "no_pass")}) is None


def test_an_xgid_as_people_paste_it(chromium: Chromium) -> None:
    bare = START.removeprefix("XGID=")
    for text in (f"**XGID: {bare}**", f"`xgid={bare}`.", f"XGID: {bare.replace('-', chr(0x2013))}", f"(XGID:\n{bare})"):
        assert assign(chromium, position=Position.start().id) is None
        assert assign(chromium, position=text) is None
        assert chromium.evaluate("() => board.dice") == [3, 1]


# --- pages ---


def test_a_board_with_a_bad_attribute_says_so(
    write: Callable[..., str], open_page: Callable[..., Page], violations: Any
) -> None:
    """With nothing to draw, on an empty board."""
    page = open_page(
        write(page_of("<gammon-board position='nonsense' dice=31></gammon-board>", module=True)), expected=("favicon",)
    )
    assert "no Position ID" in page.evaluate(REASON)
    assert page.evaluate("() => board.querySelectorAll('.point .checker').length") == 0
    assert violations(page) == []
    page.evaluate("id => board.setAttribute('position', id)", Position.start().id)
    assert page.evaluate("() => board.tree.dice") == [3, 1]
    assert page.evaluate(REASON) == ""


@pytest.mark.parametrize("browser_name", ["chromium", "firefox"])
def test_a_page_that_forbids_webassembly_says_so(
    write: Callable[..., str], request: pytest.FixtureRequest, browser_name: str
) -> None:
    address = write(page_of(f"<gammon-board position='{START}'></gammon-board>"), POLICY)
    if browser_name == "firefox":
        page = request.getfixturevalue("a_firefox")
        page.open(address)
    else:
        page = Chromium(request.getfixturevalue("open_page")(address, expected=("favicon", "WebAssembly")))
    assert "wasm-unsafe-eval" in page.evaluate(REASON)
    assert assign(page, position=POINTS)[0] == "GammonError"
    assert page.evaluate("() => board.querySelectorAll('.point').length") == 24


def test_two_copies_of_the_module_on_one_page(write: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """The first has the element; each board knows its own turn."""
    boards = "".join(f"<gammon-board position='{START}' dice={dice} layout={layout}></gammon-board>"
                     for dice, layout in (("31", "landscape"), ("62", "portrait")))  # fmt: skip
    page = open_page(write(page_of(boards, module=True)), expected=("favicon",))
    dice = page.evaluate(
        """async () => {
            const { GammonBoard } = await import("./alone.js?2");
            const boards = [...document.querySelectorAll("gammon-board")];
            return [...boards.map(board => [board.dice, board.layout]), boards[0] instanceof GammonBoard];
        }"""
    )
    assert dice == [[[3, 1], "landscape"], [[6, 2], "portrait"], False]


def test_a_copy_begins_as_its_attributes_say(chromium: Chromium) -> None:
    """And shows what is on the board where only properties were assigned."""
    shown = chromium.evaluate(
        """async start => {
            Object.assign(board, { position: start });
            await null;
            const copies = [board.cloneNode(true)];
            board.setAttribute("position", start);
            board.setAttribute("dice", "62");
            copies.push(board.cloneNode(true));
            document.body.append(...copies);
            await null;
            const pictures = copy => copy.querySelectorAll("svg").length;
            return copies.map(copy => [pictures(copy), copy.position?.length ?? null, copy.tree?.dice ?? null]);
        }""",
        START,
    )
    assert shown == [[1, None, None], [1, 26, [6, 2]]]


def test_what_stands_inside_is_there_until_the_board_is(
    write: Callable[..., str], open_page: Callable[..., Page]
) -> None:
    page = open_page(
        write(page_of(f"<gammon-board position='{START}'><p>No script.</p></gammon-board>")), expected=("favicon",)
    )
    assert page.evaluate("() => [...board.children].map(child => child.localName)") == ["svg"]


def test_looks(open_page: Callable[..., Page], url: str, look: dict[str, Any], violations: Any, picture: Any) -> None:
    page = open_page(url, **look, expected=("favicon",))
    page.evaluate("styled", ":root { color-scheme: light dark }")
    upright = {"layout": "portrait"} if look["width"] < 500 else {}
    assign(Chromium(page), position=START, look="depth", theme="auto", **upright)
    play(page, "white", (8, 3), (24, 5))
    assert page.evaluate(REASON)
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    picture(page, f"alone-{look['width']}")


def test_frameworks_can_give_what_the_element_takes() -> None:
    """The type of their properties has those that this element adds to the one of board.js."""
    script = (WEB / "alone" / "board.ts").read_text(encoding="utf-8")
    types = (WEB / "alone" / "types.ts").read_text(encoding="utf-8")
    properties = re.findall(r"(?m)^  (\w+)\?: ", types.partition("interface TableProperties {")[2].partition("\n}")[0])
    assert {*properties, "view", "words"} == set(re.findall(r"(?m)^  (?:override )?set (\w+)", script))
