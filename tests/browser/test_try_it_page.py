"""The page to try it, with the library in the browser: it answers what the library answers here."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from gammonrules import GammonError, MatchState, Position
from gammonrules.identifiers import read
from test_site import COVERED
from try_it import EXAMPLES, ask
from visits import pages

# The theme of the site has scripts in its pages. The library needs 'wasm-unsafe-eval' beside what any site needs.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:"
)


HOSTILE = (
    "x" * 10**5,
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "שלום\u202eabc",
    "🎲" * 999,
    "\x07",
)


@pytest.fixture(scope="module")
def address(site: Path, serve) -> str:
    if not (site / "try" / "assets" / "contents.json").exists():
        pytest.skip("the files of the page were not built (docs/try/build.py)")
    return serve(site, {"Content-Security-Policy": POLICY}) + "/try/"


def shown(open_page, url: str):
    """The page, once it shows a picture or says why there is none."""
    page = open_page(url)
    page.locator("#try-board > svg, #try-problem:not(:empty)").first.wait_for()
    return page


@pytest.fixture(scope="module")
def page(address: str, browser):
    """One for all tests that only ask it questions: it takes seconds to load. Its first address is a hostile one."""
    with pages(browser) as open_page:
        page = shown(open_page, f"{address}?roll=31&position={quote(HOSTILE[1])}")
        assert "is not a Position ID" in page.inner_text("#try-problem")
        yield page


def fill(page, position: str, roll: str, play: str = "") -> None:
    """Type a position and a roll, and a play if there is one, and wait for the answers."""
    page.get_by_label("XGID").fill(position)
    page.get_by_role("textbox", name="Roll").fill(roll)
    page.get_by_label("Your play").fill(play)
    page.get_by_role("button", name="Check").click()
    settle(page)


def settle(page) -> None:
    """Wait for the answers to everything that was asked."""
    page.locator("#try:not([aria-busy=true])").wait_for()


def listed(page) -> list[str]:
    return page.locator("#try-plays button").all_inner_texts()


def verdict(page) -> str:
    return page.inner_text("#try-verdict")


def moves(page) -> int:
    """How many moves the board shows."""
    return page.evaluate("document.getElementById('try-board').moves.length")


def expected(question: dict[str, str]) -> tuple[list[str], str]:
    """The plays, and a part of what there is to say about the play."""
    described = read(question.get("position") or Position.start().id)
    position = described if isinstance(described, Position) else described.position
    roll = question.get("roll") or (None if isinstance(described, Position) else described.dice)
    if roll is None:
        return [], ""
    plays = position.legal_plays(roll)
    try:
        said = str(plays.find(question["play"])) if "play" in question else ""
    except GammonError as error:
        said = str(error)
    return [str(play) for play in plays], said


def test_it_answers_what_the_library_answers_here(page) -> None:
    links = page.locator("#try-examples a")
    assert links.count() == 10
    for number in range(links.count()):
        question = dict(parse_qsl(urlsplit(links.nth(number).get_attribute("href")).query))
        links.nth(number).click()
        settle(page)
        plays, said = expected(question)
        assert listed(page) == plays
        assert said in verdict(page)
        assert dict(parse_qsl(urlsplit(page.url).query)) == question


def test_a_shared_address_shows_the_same(page, open_page, address: str) -> None:
    fill(page, "AAMw4P8DAgAEAA", "62", "24/18")
    assert "both dice can be played" in verdict(page)
    assert "both_dice" in verdict(page)
    page.locator("#try-verdict button", has_text="24/22 8/2").click()
    settle(page)
    assert verdict(page).startswith("Legal: 24/22 8/2")
    again = shown(open_page, f"{address}?{urlsplit(page.url).query}")
    assert verdict(again).startswith("Legal: 24/22 8/2")
    assert again.input_value("#try-play") == "24/22 8/2"


def test_a_play_is_made_on_the_board(page) -> None:
    fill(page, "", "31")
    board = page.locator("#try-board")
    point = "g.point[data-point='{}']".format
    for number in (8, 6):
        board.locator(point(number)).click()
        settle(page)
    assert verdict(page).startswith("Legal: 8/5 6/5")
    assert urlsplit(page.url).query == "roll=31&play=8%2F5+6%2F5"
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert (page.input_value("#try-play"), verdict(page)) == ("8/5", "")
    for number, reason in ((21, "The 3 has been played already."), (23, "")):
        board.locator(point(24)).drag_to(board.locator(point(number)))
        settle(page)
        assert [text for text in page.get_by_role("alert").all_inner_texts() if text] == [reason] * bool(reason)
    assert verdict(page).startswith("Legal: 24/23 8/5")
    page.get_by_role("button", name="Go on from there").click()
    settle(page)
    after = Position.start().play("8/5 24/23", "31")
    assert after.id in page.inner_text("#try-identifiers")
    assert listed(page) == []


def test_without_a_mouse(page) -> None:
    fill(page, "", "")
    page.mouse.move(0, 0)  # plays that it would point at show their arrows
    page.get_by_label("XGID").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("31")
    page.keyboard.press("Enter")
    page.locator("#try-plays button").first.wait_for()
    first = page.locator("#try-plays button").first
    first.focus()
    page.locator("#try-board path.arrow").first.wait_for()
    page.keyboard.press("Enter")
    settle(page)
    assert moves(page) == 2
    assert first.get_attribute("aria-pressed") == "true"
    assert page.locator("#try-plays button:focus").count() == 1
    page.keyboard.press("Tab")
    settle(page)
    assert page.locator("#try-board path.arrow").count() > 0
    assert verdict(page).startswith(f"Legal: {first.inner_text()}")
    page.get_by_label("Your play").focus()
    assert moves(page) == 2


def test_hostile_texts_are_refused_as_texts(page) -> None:
    for text in HOSTILE:
        fill(page, text, "31")
        assert page.locator("#try-position[aria-invalid=true]").count() == 1
        fill(page, "", text)
        assert page.locator("#try-roll[aria-invalid=true]").count() == 1
        fill(page, "", "31", text)
        assert verdict(page).startswith(("Cannot be read", "Not legal"))
        assert len(page.inner_text("#try")) < 2000
        assert len(page.url) < 9000
    assert page.locator("#try img, #try script").count() == 0


def test_what_cannot_be_read_leaves_the_board(page) -> None:
    fill(page, Position.start().id, "31")
    board, movable = page.locator("#try-board > svg > desc"), page.locator("#try-board .movable")
    assert movable.count()
    seen = board.text_content()
    fill(page, Position.start().id[:-1], "31")
    assert page.inner_text("#try-problem")
    assert (board.text_content(), movable.count(), listed(page)) == (seen, 0, [])


def test_the_page_says_what_is_missing(open_page, site, serve, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("assets"))
    page = open_page(serve(tmp_path / "site") + "/try/?roll=31", expected=("404",))
    page.locator("#try-status", has_text="python docs/try/build.py").wait_for()
    assert page.inner_text("#try") == page.inner_text("#try-status")  # and offers nothing that it cannot do


def test_a_board_is_there_before_python(open_page, address: str) -> None:
    """At once, on a phone's first screen, with nothing over it; and what has no answer yet waits for Python."""
    page = open_page(width=390, height=844)
    page.context.route("**/*.wasm", lambda route: None)  # never comes
    page.goto(f"{address}?roll=31")
    page.locator("#try-board .movable").first.wait_for()
    box = page.locator("#try-board").bounding_box()
    assert box["y"] + box["height"] <= 844
    assert page.locator("#try-board svg.portrait").count() == 1
    play = page.get_by_label("Your play").bounding_box()
    assert play["y"] + play["height"] < box["y"]
    assert page.evaluate(COVERED, "#try-board") == []
    page.get_by_label("Your play").fill("8/6 6/5")
    page.get_by_role("button", name="Check").click()
    page.locator("#try-verdict", has_text="die_not_rolled").wait_for()
    assert page.locator("#try-board svg.auto.portrait").count() == 1  # which follows the page into the dark
    page.locator("#try-examples a").last.click()
    assert "a double" in page.inner_text("#try-problem")
    assert page.inner_text("#try-status") == ""
    page.get_by_label("XGID").fill("CAAAAAAAAAAA")  # a Match ID, which needs Python
    page.get_by_role("button", name="Check").click()
    page.locator("#try-status", has_text="Loading Python").wait_for()


EARLY = """async (questions) => {
  const { early } = await import(new URL("../javascripts/try-early.js", location));
  const matchBoard = await import(new URL("assets/match-board.js", location));
  const { fromXgid } = await import(new URL("assets/xgid.js", location));
  return Promise.all(questions.map((question) => early({ ...matchBoard, fromXgid }, question)));
}"""


def test_the_rules_in_the_page_answer_as_python_does(open_page, address: str) -> None:
    """The same plays, turns, verdicts and identifiers; what they do not know, they leave to it."""
    match = MatchState.new(7).opening_roll(5, 3).play("8/3 6/3").double().take().roll("64")
    questions = [
        *EXAMPLES,
        *({"position": match.xgid, "play": play} for play in ("", "24/14", "24/18", "8/5", "nonsense", "x" * 10**4)),
        {"roll": "65", "tried": [24, 19, []]},
        {"roll": "31", "tried": [8, 5, []]},
        {"position": "sAEAAAAAIAAAAA", "roll": "65"},
        {"position": "AAAAQAAAAAAIAA", "roll": "65", "play": "1/off"},
    ]
    full = [{"position": "", "roll": "", "play": ""} | question for question in questions]
    page = open_page(address)
    for question, told in zip(questions, page.evaluate(EARLY, full), strict=True):
        right = ask(**question)
        if told is None:
            assert "waiting" in right or "problem" in right
            continue
        right = {key: value for key, value in right.items() if key not in {"picture", "doubts", "waiting"}}
        assert {key: value for key, value in told.items() if key not in {"picture", "flip", "isEarly"}} == right


@pytest.mark.parametrize("file", ["pyodide.asm.wasm", "pyodide.mjs", "*.whl"])
def test_the_page_says_that_a_file_did_not_come(open_page, address: str, file: str) -> None:
    page = open_page(expected=("Failed to", "instantiation failed"))
    page.context.route(f"**/{file}", lambda route: route.abort())
    page.goto(f"{address}?roll=31")
    page.locator("#try-status", has_text="The page could not load").wait_for()


def test_everyone_can_read_it(page, violations, picture) -> None:
    for name, question in (("legal", ("", "31", "8/5 6/5")), ("illegal", ("AAMw4P8DAgAEAA", "62", "24/18"))):
        fill(page, *question)
        for scheme, width in (("light", 1280), ("dark", 390)):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            page.locator(f"[data-md-color-scheme={'slate' if scheme == 'dark' else 'default'}]").first.wait_for()
            picture(page, f"try-{name}-{scheme}-{width}")
            assert violations(page, "#try") == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
