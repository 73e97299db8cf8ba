"""The pages of a report, of openings and of rows: at every width, light, dark, printed, by keys, without JavaScript."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from commands import run
from gammonrules.records import dump, export, load, openings, openings_to_html, report_to_html, rows_to_html, search

HOSTILE = "<img src=x onerror=alert(1)>"
ROOT = Path(__file__).parents[2]
XG, ANALYZED = ROOT / "examples" / "matches" / "xg", ROOT / "tests" / "data" / "analysis" / "xg"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "all.html").write_text(report_to_html(XG), encoding="utf-8")
    same = dict.fromkeys(["charlot1", "Harmand/Unger"], "Kévin Unger")
    three = report_to_html(XG, ANALYZED, player="Kévin Unger", aliases=same, analyzed_by="eXtreme")
    (folder / "player.html").write_text(three, encoding="utf-8")
    export(XG, folder / "table.parquet", workers=1)
    (folder / "openings.html").write_text(openings_to_html(openings(folder / "table.parquet")), encoding="utf-8")
    rows = search(folder / "table.parquet", "error >= 0.02").to_pylist()
    (folder / "find.html").write_text(rows_to_html(rows, title="error >= 0.02"), encoding="utf-8")
    return serve(folder)


@pytest.mark.parametrize("name", ["all", "player", "openings", "find"])
def test_looks(open_page, address, violations, picture, name: str) -> None:
    """Nothing is wider than the window, what is too wide scrolls, and axe-core finds nothing serious."""
    page = open_page(f"{address}/{name}.html")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for scheme, width, height in (("light", 1440, 900), ("dark", 390, 844), ("light", 320, 640)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"report-{name}-{scheme}-{width}")
        assert width == 320 or violations(page) == []


@pytest.fixture(scope="module")
def pages(serve, tmp_path_factory) -> str:
    """A report with its pages, and a page of `find` beside it; names and remarks are HTML that would run."""
    folder = tmp_path_factory.mktemp("pages")
    match = load(XG / "test.xg")
    games = [attrs.evolve(game, notes=(HOSTILE,) * len(game.events)) for game in match.games]
    dump(attrs.evolve(match, players=(HOSTILE, f"Bob {HOSTILE}"), games=tuple(games)), folder / "match.json")
    for arguments in (
        ("report", folder / "match.json", "-o", folder, "--pages", "--player", HOSTILE, "--workers", "1"),
        ("find", "error > 0", folder / "match.json", "-o", folder / "matches" / "find.html"),
    ):
        assert run(*arguments).exit_code == 0
    return serve(folder)


def is_text(page) -> bool:
    """Whether the name is shown as it is, and nothing came of it."""
    shown = HOSTILE in page.locator("body").inner_text()
    return shown and page.locator("img, body script:not(:last-of-type):not([type])").count() == 0


def test_from_a_mistake_to_its_match_and_back(open_page, pages, look) -> None:
    """A mistake leads to its position, the match to the report and the openings, which lead back."""
    page = open_page(f"{pages}/index.html", **look)
    assert is_text(page)
    page.get_by_role("link", name="in the match").first.click()
    page.locator("#beside .loss").first.wait_for()
    assert is_text(page)
    assert HOSTILE in page.inner_text("#beside .note")
    page.get_by_role("link", name="Openings").click()
    assert is_text(page)
    page.get_by_role("link", name="Report").click()
    page.get_by_role("button", name="Quiz me").click()
    assert page.locator(".lesson:visible").count() == 1
    assert is_text(page)
    page.keyboard.press("1")
    page.locator("#stage summary", has_text="Numbers").click()
    xgid = page.locator("#stage code").first
    assert xgid.is_visible()
    assert xgid.evaluate("one => one.getClientRects().length === 1 && one.clientHeight < 32")


def test_find_leads_to_the_match(open_page, pages) -> None:
    page = open_page(f"{pages}/matches/find.html")
    assert is_text(page)
    page.get_by_role("button", name="Quiz me").click()
    page.keyboard.press("1")
    page.locator("#stage").get_by_role("link", name="in the match").click()
    page.locator("#beside .loss").first.wait_for()


def test_on_paper_all_plays_are_listed(open_page, pages) -> None:
    """Those behind "more" too."""
    page = open_page(f"{pages}/matches/match.html")
    extra = page.locator("#beside .extra")
    assert extra.count() > 0
    assert not extra.first.is_visible()
    page.emulate_media(media="print")
    assert extra.first.is_visible()
    assert not page.locator("button.all").first.is_visible()


def test_a_name_leads_to_its_section(open_page, address) -> None:
    """By keys; a section that is closed opens, and needs no script for that."""
    page = open_page(f"{address}/all.html", java_script_enabled=False)
    heading = page.get_by_role("heading", name="Maxence Job")
    assert not heading.is_visible()
    page.get_by_role("link", name="Maxence Job").press("Enter")
    heading.wait_for(state="visible")


@pytest.mark.parametrize("name", ["all", "player", "find"])
def test_what_to_do_is_said_above_the_first_boards(open_page, address, name: str) -> None:
    """The meaning of arrows is not, until there are some."""
    page = open_page(f"{address}/{name}.html", width=1280, height=800)
    said = page.get_by_text("Choose an answer; then see what it costs.")
    question = page.locator(".lesson:has(.choices)").first
    assert said.bounding_box()["y"] < question.bounding_box()["y"]
    start = page.get_by_role("button", name="Quiz me").bounding_box()
    assert start["x"] + start["width"] == page.locator("main").evaluate("main => main.getBoundingClientRect().right")
    if name == "find":
        assert not page.locator(".key").is_visible()
        question.locator(".choices button").first.click()
        assert page.locator(".key").is_visible()


def test_a_question_is_asked_before_its_answer(open_page, address) -> None:
    """Its arrows are seen once the answer is open, without JavaScript; those of the worst mistakes at once."""
    page = open_page(f"{address}/player.html", java_script_enabled=False)
    solved = page.locator(".lesson:has(> details[open])").filter(has_text="which play?")
    assert solved.first.locator(".arrow").first.is_visible()
    asked = page.locator(".lesson").filter(has_text="which play?").first
    assert not asked.locator(".arrow").first.is_visible()
    asked.get_by_text("Answer").click()
    asked.locator(".arrow").first.wait_for(state="visible")
    assert asked.locator(".best").is_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_type_of_charts_is_legible(open_page, address, width: int) -> None:
    page = open_page(f"{address}/player.html", width=width)
    sizes = page.eval_on_selector_all(
        ".chart text", "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(sizes) >= 4
    assert 11 <= min(sizes) <= max(sizes) <= 18


@pytest.mark.parametrize("name", ["openings", "find"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_boards_stand_on_one_grid(open_page, address, name: str, width: int, height: int) -> None:
    """The first screen has one at least, those of a row begin and end on one line; words have 11 pixels."""
    page = open_page(f"{address}/{name}.html", width=width, height=height, java_script_enabled=False)
    first = page.locator(".card > svg").first.bounding_box()
    assert first["y"] + first["height"] <= height
    cards = page.locator(".boards .card:visible").all()
    boards = [card.locator("> svg").bounding_box() for card in cards]
    words = [card.locator("> :is(.bars, details)").first.bounding_box() for card in cards]
    by_row = {}
    for at, (board, word) in enumerate(zip(boards, words, strict=True)):
        by_row.setdefault(at // (3 if width > 1000 else 1), set()).add((board["y"], board["height"], word["y"]))
    assert {len(lines) for lines in by_row.values()} == {1}
    sizes = page.locator("main :is(h1, h2, h3, p, th, td, code, small, summary, span)").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 11


def test_boards_that_ask_stand_on_one_grid(open_page, address) -> None:
    """Three in a row fill a desk, with their answers on one line."""
    page = open_page(f"{address}/find.html", width=1280, height=720)
    boards = [card.locator("> svg").bounding_box() for card in page.locator(".card").all()[:3]]
    words = [card.locator("> details").bounding_box() for card in page.locator(".card").all()[:3]]
    assert len({(board["y"], board["height"]) for board in boards}) == 1
    assert len({word["y"] for word in words}) == 1
    assert boards[2]["x"] + boards[2]["width"] > 1200
    assert max(word["y"] for word in words) < 720


@pytest.mark.parametrize("name", ["openings", "find"])
def test_two_boards_stand_beside_one_another_on_paper(open_page, address, name: str) -> None:
    page = open_page(f"{address}/{name}.html", width=718)
    page.emulate_media(media="print")
    first, second = (page.locator(".boards .card").nth(at).bounding_box() for at in (0, 1))
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] < second["x"]


def test_one_position_after_another(open_page, address, look) -> None:
    """By clicks: the answer is not in view before, a choice is told and counted, what is left open comes back.

    On a phone it begins so, on a desk all boards stand in a grid.
    """
    page = open_page(f"{address}/find.html", **look)
    if look["width"] > 1000:
        assert page.locator(".lesson:visible").count() == page.locator(".lesson").count() > 20
        page.get_by_role("button", name="Quiz me").click()
    shown, next_one = page.locator(".lesson:visible"), page.get_by_role("button", name="Next")
    assert shown.count() == 1
    assert not shown.locator(":is(.best, .arrow)").first.is_visible()
    assert page.locator(".key").is_hidden()
    question = shown.locator("h2").inner_text()
    next_one.click()
    assert shown.locator("h2").inner_text() != question
    right = shown.locator('.choices [data-cost="0.000"]').first
    right.click()
    assert shown.locator(".choices p").inner_text().startswith("Right: ")
    assert page.inner_text("#count") == "1 of 1 right, 0.000 points lost"
    assert shown.locator(".best").first.is_visible()
    shown.locator('.choices button:not([data-cost="0.000"])').first.click(force=True)  # it is answered
    assert page.inner_text("#count").startswith("1 of 1")
    next_one.click()
    wrong = shown.locator('.choices button:not([data-cost="0.000"])').first
    cost = wrong.get_attribute("data-cost")
    wrong.click()
    assert f"costs {cost} points" in shown.locator(".choices p").inner_text()
    assert page.inner_text("#count") == f"1 of 2 right, {cost} points lost"
    page.get_by_role("button", name="Show all").click()
    asked = page.locator(".lesson:has(.choices)")
    assert shown.count() == page.locator(".lesson").count() > 20
    assert page.locator(".lesson:has(.choices) > details[open]").count() == 2
    page.get_by_role("button", name="Quiz me").click()
    assert shown.locator("h2").inner_text() == question == asked.first.locator("h2").inner_text()


def test_a_report_asks_by_keys(open_page, address) -> None:
    """A number chooses, n goes on, the last one leads to what is open, Escape leaves; all is where it was."""
    page = open_page(f"{address}/player.html")
    before = page.locator("main").inner_text()
    page.get_by_role("button", name="Quiz me").press("Enter")
    shown = page.locator(".lesson:visible")
    assert shown.count() == 1
    total = int(page.inner_text("#place").removeprefix("1 of "))
    page.keyboard.press("n")
    page.keyboard.press("1")
    assert page.inner_text("#count").split(" ")[2] == "1"
    page.keyboard.press("p")
    page.keyboard.press("9")  # there is no such answer
    assert page.inner_text("#place") == f"1 of {total}"
    for _ in range(total):
        page.keyboard.press("ArrowRight")
    assert page.inner_text("#place") == f"1 of {total}"
    page.keyboard.press("2")
    page.keyboard.press("Enter")  # the button to go on has the focus
    assert page.inner_text("#place") == f"2 of {total}"
    page.keyboard.press("Escape")
    assert page.locator(".lesson:visible").count() > 3
    assert page.inner_text("#count").split(" ")[2] == "2"
    page.reload()
    assert page.locator("main").inner_text() == before


def test_chips_choose(open_page, address) -> None:
    """A player, and one of the kinds: what is asked and counted, and what stands below one another."""
    page = open_page(f"{address}/find.html")
    page.get_by_role("button", name="Quiz me").click()
    page.get_by_text("Filter").click()
    name, number = page.locator('#chips [data-of="player"]').first.inner_text().rsplit(" ", 1)
    assert page.inner_text("#chosen") == ""
    page.locator('#chips [data-of="player"]').first.click()
    assert page.inner_text("#place") == f"1 of {number}"
    assert page.inner_text("#chosen") == f"{number} of {page.locator('.lesson').count()}"
    page.locator('#chips [data-value="double"]').click()
    page.get_by_role("button", name="Show all").click()
    titles = page.locator(".lesson:visible h2").all_inner_texts()
    assert titles
    assert [title for title in titles if title != f"{name}: double or roll?"] == []
    page.locator('#chips [data-value="opening"]').click()
    assert page.locator("#none").is_visible() == (page.locator(".lesson:visible").count() == 0)


def test_a_roll_leads_to_its_plays(open_page, address) -> None:
    """By keys, without a script: the best play is marked by a sign, a word for those who hear it, and a color."""
    page = open_page(f"{address}/openings.html", java_script_enabled=False)
    roll = page.locator(".rolls a").nth(1)
    dice = roll.inner_text().split()[0]
    roll.press("Enter")
    heading = page.get_by_role("heading", name=dice).first
    assert 0 <= heading.bounding_box()["y"] < 400
    best = page.locator(".bars tr:has(.best)").first
    color = "one => getComputedStyle(one).fill"
    mark = page.locator(".bars .best").first
    assert mark.evaluate("one => getComputedStyle(one, '::before').content") == '"➡ " / "best: "'
    others = page.locator(".bars tr:not(:has(.best)) rect").evaluate_all(f"all => all.map({color})")
    assert best.locator("rect").evaluate(color) not in others


def test_print_has_what_is_closed(open_page, address) -> None:
    page = open_page(f"{address}/all.html")
    heading = page.get_by_role("heading", name="Maxence Job")
    assert not heading.is_visible()
    page.emulate_media(media="print")
    assert heading.is_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720), (1440, 900), (2560, 1440)])
def test_the_first_screen_has_a_board_to_practice(open_page, address, width: int, height: int) -> None:
    """Under the advice, as a whole, with its question; on a phone on its side its upper half."""
    page = open_page(f"{address}/player.html", width=width, height=height, java_script_enabled=False)
    question = page.locator(".lesson > p").first.bounding_box()
    assert question["y"] + question["height"] <= height
    page.set_viewport_size({"width": 844, "height": 390})
    board = page.locator(".lesson > svg").first.bounding_box()
    assert board["y"] + board["height"] / 2 <= 390
