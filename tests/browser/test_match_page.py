"""A match as a page, in a browser: paging, addresses, remarks, analyses; nothing is loaded, and nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest

import each
from gammonrules import MatchState, Player
from gammonrules.records import Candidate, Decision, DecisionKind, Game, Match, PlayAnalysis, load, loads, to_html

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "matches"
HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\u05e9\u05dc\u05d5\u05dd \u202e ]]> & \"quotes' \U0001f468\u200d\U0001f469",
)
ILLEGAL = """ 5 point match

 Game 1
 Ann : 0                       Bob : 0
  1) 31: 8/5 6/5                62: 24/18 13/11
  2) 64: 24/18 13/9             52: 13/8 13/11
  3) 55: 8/3(2) 6/2(2)
"""


def hostile(games: tuple[Game, ...]) -> tuple[Game, ...]:
    """The games with an analysis of the first play, by an engine with such a name."""
    first = games[0]
    decision = next(first.decisions())
    other = next(play for play in decision.state.legal_plays if str(play) != decision.action)
    candidates = [Candidate(str(other), other.position, 0.5, level=HOSTILE[1])]
    candidates.append(Candidate(decision.action, decision.after.position, 0.1, level=HOSTILE[1]))
    analysis = PlayAnalysis(tuple(candidates), played=1, engine=HOSTILE[0])
    analyses = [analysis if index == decision.index else None for index in range(len(first.events))]
    return attrs.evolve(first, analyses=tuple(analyses)), *games[1:]


def with_chances(match: Match) -> Match:
    """The first game of a match, with chances of winning the match in the analyses of its plays."""
    analyses: list[PlayAnalysis | None] = [None] * len(match.games[0].events)
    for decision in match.games[0].decisions():
        if (plays := decision.play_analysis) is not None:
            known = tuple(attrs.evolve(play, mwc=0.5) for play in plays.candidates)
            analyses[decision.index] = attrs.evolve(plays, candidates=known)
    return attrs.evolve(match, games=(attrs.evolve(match.games[0], analyses=tuple(analyses)),))


def mistakes_in(match: Match, *kinds: str, least: float = 0.02) -> list[Decision]:
    return [step for step in match.decisions() if step.kind in (kinds or DecisionKind) and (step.error or 0) >= least]


@pytest.fixture(scope="module")
def matches() -> dict[str, Match]:
    """The matches that have pages."""
    short = load(EXAMPLES / "studio" / "MrPurple_-_Lasse_3pt_Backgammon_Studio_2024_05_11_20_10_33.txt")
    analyzed = load(EXAMPLES / "gnubg" / "match5563468.4ply.txt")
    return {
        "short": short,
        "analyzed": analyzed,
        "chances": with_chances(analyzed),
        "illegal": loads(ILLEGAL),
        "hostile": Match(HOSTILE, short.length, hostile(short.games), comments=(HOSTILE[0],)),
    }


@pytest.fixture(scope="module")
def address(matches: dict[str, Match], serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the pages are: `{address}/short.html`."""
    folder = tmp_path_factory.mktemp("pages")
    for name, match in matches.items():
        folder.joinpath(f"{name}.html").write_text(to_html(match), encoding="utf-8")
    cell = matches["short"]._repr_html_()
    head = '<meta charset="utf-8"><title>A notebook</title><link rel="icon" href="data:,">'
    folder.joinpath("cell.html").write_text(f'<!DOCTYPE html><html lang="en">{head}{cell}</html>', encoding="utf-8")
    return serve(folder)


def current(page) -> int:
    """The number of the link that is marked as the current one."""
    marked = page.eval_on_selector_all("#moves td > a", "links => links.flatMap((a, n) => a.ariaCurrent ? [n] : [])")
    assert len(marked) == 1
    return marked[0]


def link(page, number: int) -> str:
    return page.eval_on_selector_all("#moves td > a", "(links, n) => links[n].getAttribute('href')", number)


def count(page) -> int:
    return page.locator("#moves td > a").count()


STEP = """() => {
    const links = [...document.querySelectorAll("#moves td > a")], link = links.find(one => one.ariaCurrent);
    return [
        links.flatMap((one, number) => one.ariaCurrent ? [number] : []),
        location.hash === link.getAttribute("href"),
        document.querySelector("#now").innerText.endsWith(link.innerText),
        document.querySelectorAll("#board .checker").length,
    ];
}"""


def test_keys(open_page, address) -> None:
    """The right arrow leads through the whole match, and the address, the words and the mark in the list follow."""
    page = open_page(f"{address}/short.html")
    assert current(page) == 0
    assert "#" not in page.url
    last = count(page) - 1
    games = page.eval_on_selector_all(
        "#moves section", "parts => parts.map(part => part.querySelectorAll('td > a').length)"
    )
    for number in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(STEP) == [[number], True, True, 30]
    page.keyboard.press("ArrowRight")
    assert current(page) == last
    for keys, number in [
        ("ArrowLeft", last - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("Shift+ArrowRight", games[0]),
        ("Shift+ArrowRight", last),
        ("Shift+ArrowLeft", games[0]),
        ("Shift+ArrowLeft", 0),
        ("End", last),
        ("Control+Home", last),
    ]:
        page.keyboard.press(keys)
        assert current(page) == number, keys


def test_buttons_and_links(open_page, address) -> None:
    page = open_page(f"{address}/short.html")
    last = count(page) - 1
    for name, number in [
        ("Next position", 1),
        ("Next position", 2),
        ("Previous position", 1),
        ("Last position", last),
        ("First position", 0),
        ("Next game", page.locator("#moves section").nth(0).locator("td > a").count()),
        ("Previous game", 0),
    ]:
        page.get_by_role("button", name=name, exact=True).click()
        assert current(page) == number, name
    page.locator("#moves td > a").nth(5).click()
    assert (current(page), page.evaluate("location.hash")) == (5, link(page, 5))


def test_touch(open_page, address) -> None:
    """A swipe to the left is as turning a page; one up or down scrolls, and a tap does nothing."""
    page = open_page(f"{address}/short.html", width=390, height=844, has_touch=True)
    swipe = """([across, down]) => {
        const board = document.getElementById("board");
        const at = (x, y) => new Touch({identifier: 1, target: board, clientX: x, clientY: y});
        const send = (type, touches, changed) =>
            board.dispatchEvent(new TouchEvent(type, {touches, changedTouches: changed, bubbles: true}));
        send("touchstart", [at(200, 200)], [at(200, 200)]);
        send("touchend", [], [at(200 + across, 200 + down)]);
    }"""
    for across, down, number in [(-90, 10, 1), (-90, 0, 2), (90, 0, 1), (0, 0, 1), (-20, 0, 1), (-60, 90, 1)]:
        page.evaluate(swipe, [across, down])
        assert current(page) == number


@pytest.mark.parametrize("encoded", [False, True])
def test_an_address_leads_to_its_position(open_page, address, matches, encoded: bool) -> None:
    states = [state for game in matches["short"].games for state in game.states() if state.dice is not None]
    wanted = states[len(states) // 2]
    text = quote(wanted.xgid, safe="") if encoded else wanted.xgid
    page = open_page(f"{address}/short.html#{text}")
    assert link(page, current(page)) == f"#{wanted.xgid}"
    assert page.input_value("#xgid") == wanted.xgid
    pips = [wanted.view(player).pip_count for player in Player]
    assert [page.inner_text(f"#{player}").split(" · ")[1] for player in Player] == [f"{number} pips" for number in pips]


def test_addresses_of_other_programs(open_page, address, matches) -> None:
    """Before the roll, with other rules or limits, in another session; and what is no position of the match."""
    wanted = [state for state in matches["short"].games[0].states() if state.dice is not None][7]
    board, rest = wanted.xgid.split(":", 1)
    cube, owner, turn, dice, *others = rest.split(":")
    page = open_page(f"{address}/short.html#{':'.join([board, cube, owner, turn, '00', *others])}")
    number = current(page)
    assert number > 0
    for fields in ([dice, "0", "0", "1", "3", "8"], [dice, "5", "6", "0", "21", "10"], ["00", "0", "0", "3", "0", "5"]):
        page.goto(f"{address}/short.html#{':'.join([board, cube, owner, turn, *fields])}")
        assert current(page) == number
    for text in ("XGID=castle", MatchState.new(7).xgid.replace("b", "-"), "%E0%A4%A", "position=0", "position=99999"):
        page.goto("about:blank")
        page.goto(f"{address}/short.html#{text}")
        assert current(page) == 0
        assert "not in this match" in page.inner_text("#now")
    page.evaluate("() => { location.hash = 'castle' }")
    page.wait_for_function("() => location.hash === '#castle'")
    assert page.inner_text("#now").count("not in this match") == 1  # once, however many such links were followed
    page.goto(f"{address}/short.html#position=4")
    assert current(page) == 3
    assert "not in this match" not in page.inner_text("#now")


def test_copying(open_page, address) -> None:
    page = open_page(f"{address}/short.html", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    for name, text in [("Copy XGID", link(page, 1)[1:]), ("Copy link", page.url)]:
        page.get_by_role("button", name=name).click()
        page.get_by_text("Copied", exact=True).wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")


def test_flip(open_page, address) -> None:
    """White's side moves to the top, and stays there when the reader goes on."""
    page = open_page(f"{address}/short.html")
    button = page.get_by_role("button", name="Flip the board")

    def is_white_below() -> bool:
        places = [page.locator(f".player.{player}").bounding_box()["y"] for player in Player]
        boards = [
            page.locator(f"#board .checker[data-player={player}][data-point='{point}']").first.bounding_box()["y"]
            for player, point in ((Player.WHITE, 6), (Player.WHITE, 24))
        ]
        assert (places[0] > places[1]) == (boards[0] > boards[1])
        return places[0] > places[1]

    white_to_play = page.locator("#board .die").first.get_attribute("data-player") == "white"
    if not white_to_play:
        page.keyboard.press("ArrowRight")
    assert is_white_below()
    button.click()
    assert not is_white_below()
    assert button.get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert not is_white_below()
    button.click()
    assert is_white_below()


def test_a_candidate_is_drawn_when_it_is_chosen(open_page, address) -> None:
    """The one that was played as the page draws it anyway, whoever is at the bottom; the next position has its own."""
    page = open_page(f"{address}/analyzed.html")
    while page.locator("#beside .loss:not(th, td)").count() or page.locator(".wide tr.done button + span").count() != 1:
        page.keyboard.press("ArrowRight")

    def arrows() -> list[dict[str, int]]:
        boxes = [arrow.bounding_box() for arrow in page.locator("#board .arrow").all()]
        return [{name: round(value) for name, value in box.items()} for box in boxes]

    played = page.locator(".wide tr.done button")
    other = page.locator(".wide tr:not(.done) button").first
    for _ in Player:
        before = arrows()
        played.click()
        assert (arrows(), played.get_attribute("aria-pressed")) == (before, "true")
        other.click()
        assert (played.get_attribute("aria-pressed"), other.get_attribute("aria-pressed")) == ("false", "true")
        assert arrows() != before
        page.keyboard.press("Enter")  # the same button again
        assert arrows() == before
        page.get_by_role("button", name="Flip the board").click()
    other.click()
    page.get_by_role("button", name="Next position", exact=True).click()
    page.get_by_role("button", name="Previous position", exact=True).click()
    assert arrows() == before or page.locator(".wide button[aria-pressed=true]").count() == 0


CUT = """() => {
    const { right } = document.querySelector(".wide").getBoundingClientRect();
    return [...document.querySelectorAll(".wide :is(th, td)")].flatMap((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        const [inside, around] = [words, cell].map((part) => part.getBoundingClientRect());
        const fits = inside.right <= Math.min(around.right, right) + 1 && inside.left >= around.left - 1;
        return fits || !cell.textContent ? [] : [cell.textContent];
    });
}"""
"""What in a table is wider than its cell, or than the table."""

LEVEL = ".wide tbody th > small"


@pytest.mark.parametrize("name", ["analyzed", "chances"])
def test_at_any_size(open_page, address, name: str) -> None:
    """The players stand at the board, however high and narrow the window is; and nothing in a table is cut off."""
    page = open_page(f"{address}/{name}.html")
    while not page.locator(LEVEL).count():
        page.keyboard.press("ArrowRight")
    for width, height in [(390, 900), (800, 900), (920, 1500), (1200, 900), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator("#board svg > rect").first.bounding_box()
        above, below = (page.locator(f".player.{side}").bounding_box() for side in ("black", "white"))
        assert board["y"] - (above["y"] + above["height"]) < 12
        assert below["y"] - (board["y"] + board["height"]) < 12
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(CUT) == [], width


def test_findings(open_page, address, matches) -> None:
    """Beside the board at their position, and in the list; the head of the page leads there."""
    page = open_page(f"{address}/illegal.html")
    assert page.locator("#beside .finding").count() == 0
    page.locator("header summary").click()
    page.get_by_role("link", name="illegal-play").click()
    page.locator("#beside .finding").wait_for()
    assert current(page) == count(page) - 1
    assert page.inner_text("#beside .finding") == page.inner_text("#moves .finding")
    assert page.locator("#board .die:not(.last)").count() == 4  # a doublet


def test_hostile_names(open_page, address) -> None:
    """They are words in the page; no script of theirs runs, and nothing is loaded."""
    page = open_page(f"{address}/hostile.html")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.keyboard.press("End")
    assert page.locator("h1 bdi").all_inner_texts()[0] == HOSTILE[0]
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_the_policy_refuses_everything_else(open_page, address) -> None:
    page = open_page(f"{address}/short.html", expected=("Content Security Policy", "violates", "Refused"))
    refused = page.evaluate(
        """async () => {
            const seen = [];
            addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            const image = document.createElement("img");
            image.src = "/x.png";
            document.body.append(script, image);
            document.body.setAttribute("style", "color: red");
            await fetch("/x").catch(() => 0);
            await new Promise((done) => setTimeout(done));
            return [window.ran ?? false, seen.map((name) => name.split("-")[0]).sort()];
        }"""
    )
    assert refused == [False, ["connect", "img", "script", "style"]]


def test_in_a_notebook(open_page, address, matches) -> None:
    """The frame is low and has a page of its own, which cannot change the notebook's address."""
    page = open_page(f"{address}/cell.html", width=900)
    assert "MrPurple" in page.inner_text("body > p")
    assert page.locator("iframe").bounding_box()["height"] <= 600
    inside = page.frame_locator("iframe")
    inside.get_by_role("button", name="Next position", exact=True).click()
    page.keyboard.press("ArrowRight")
    marked = inside.locator("#moves a[aria-current]")
    assert marked.inner_text() == inside.locator("#moves td > a").nth(2).inner_text()
    assert not inside.get_by_role("button", name="Copy link").is_visible()
    assert page.url == f"{address}/cell.html"


CUBE_ERRORS = [
    EXAMPLES / "xg" / "test.xg",
    EXAMPLES / "gnubg" / "match5563468.4ply.txt",
    ROOT / "tests" / "data" / "analysis" / "gnubg" / "match7662222_1ply.sgf",
    ROOT / "tests" / "data" / "matches" / "xg" / "match_with_comment.xg",
    ROOT / "tests" / "data" / "matches" / "sgf" / "test.sgf",
    *(ROOT / "tests" / "data" / "analysis" / "xg" / f"aachen2024-double-7pt-{name}.xg" for name in "ab"),
]
IN_VIEW = """() => {
    const steps = JSON.parse(document.querySelector("#data").textContent).steps;
    const links = [...document.querySelectorAll("#moves td > a")];
    const isInside = ({ left, top, right, bottom }, { left: x, top: y, right: toX, bottom: toY }) =>
        left >= x - 1 && top >= y - 1 && right <= toX + 1 && bottom <= toY + 1;
    const shown = [];
    steps.forEach((step, at) => {
        for (const { title, cost } of (step.said ?? []).filter(({ title, cost }) => title !== "Plays" && cost)) {
            links[at].click();
            const board = document.querySelector("#board svg").getBoundingClientRect();
            const beside = document.querySelector("#beside").getBoundingClientRect();
            const part = [...document.querySelectorAll("#beside details")].find(
                (part) => part.querySelector("summary b").textContent === title);
            const loss = part.querySelector("summary .loss");
            const parts = [part.querySelector("summary"), loss, part.querySelector("tbody")];
            const seen = parts.map((part) => part.getBoundingClientRect());
            const controls = document.querySelector("#controls"), { top: bar } = controls.getBoundingClientRect();
            const floor = getComputedStyle(controls).position === "fixed" ? bar : innerHeight;
            const window_ = { left: 0, top: 0, right: innerWidth, bottom: floor };
            const { left, top, right, bottom } = loss.getBoundingClientRect();
            const areApart = (one) => one.left >= board.right || one.top >= board.bottom || one.right <= board.left;
            shown.push([at, part.open && loss.textContent === `Error: ${cost}`
                && [board, ...seen].every((rectangle) => isInside(rectangle, window_))
                && seen.every((rectangle) => isInside(rectangle, beside) && areApart(rectangle))
                && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === loss]);
        }
    });
    return shown;
}"""
"""For each step with an error about the cube, whether board, verdict and cost are in view and nothing covers them."""


@each.file(CUBE_ERRORS, lambda path: path.name)
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_every_cube_error_is_in_view(open_page, serve, tmp_path, path: Path, width: int, height: int) -> None:
    match = load(path)
    errors = mistakes_in(match, "double", "answer", least=0.0005)
    tmp_path.joinpath("page.html").write_text(to_html(match), encoding="utf-8")
    address = serve(tmp_path)
    page = open_page(f"{address}/page.html", width=width, height=height)
    shown = page.evaluate(IN_VIEW)
    assert len(shown) == len(errors) > 0
    assert [at for at, is_in_view in shown if not is_in_view] == []
    page = open_page(f"{address}/page.html{link(page, shown[-1][0])}", width=width, height=height)
    assert page.locator("#beside summary .loss").first.is_visible()
    box, board = (page.locator(part).first.bounding_box() for part in ("#beside summary .loss", "#board svg"))
    assert min(board["y"], box["y"]) >= 0
    assert max(part["y"] + part["height"] for part in (board, box)) <= height


def listed(page) -> list[int]:
    """The steps of the mistakes that the filter shows, in order."""
    return page.evaluate("""() => {
        const links = [...document.querySelectorAll("#moves td > a")].map((link) => link.hash);
        const items = [...document.querySelectorAll("#mistakes li")].filter((item) => item.offsetParent);
        return [...new Set(items.map((item) => links.indexOf(item.querySelector("a").hash)))].sort((a, b) => a - b);
    }""")


COUNTS = """[...document.querySelectorAll("#lists section")].map((list) => {
    const items = [...list.querySelectorAll("li")].filter((item) => item.offsetParent);
    return [items.length, Number(list.querySelector(".chip small").textContent)];
})"""
"""How many mistakes of each player are listed, and the number beside the name."""


def test_from_mistake_to_mistake(open_page, address, matches) -> None:
    """By keys, buttons, the list and the graph: those of the list, as it is filtered; first there is the worst."""
    page = open_page(f"{address}/analyzed.html")
    mistakes = mistakes_in(matches["analyzed"])
    assert page.input_value("#xgid") == max(mistakes, key=lambda decision: decision.error).state.xgid
    page.keyboard.press("Home")
    assert len(page.locator("#mistakes li:visible").all()) == len(mistakes)
    wanted = listed(page)
    for number in wanted:
        page.keyboard.press("n")
        assert current(page) == number
    assert page.get_by_role("button", name="Next mistake").get_attribute("aria-disabled") == "true"
    page.keyboard.press("n")
    assert current(page) == wanted[-1]
    page.get_by_role("button", name="Previous mistake").click()
    page.keyboard.press("p")
    assert current(page) == wanted[-3]
    page.get_by_text("Filter").click()
    page.get_by_role("checkbox", name="plays").uncheck()
    doubles = listed(page)
    assert len(doubles) == len({decision.state for decision in mistakes if decision.kind != "play"}) < len(wanted)
    page.keyboard.press("Home")
    page.keyboard.press("n")
    assert current(page) == doubles[0]
    page.get_by_role("checkbox", name="plays").check()
    for size in (0.04, 0.08, 0.16):
        page.get_by_label("from").select_option(f"{size:.2f}")
        shown = sum(decision.error >= size for decision in mistakes)
        assert page.locator("#mistakes li:visible").count() == shown == int(page.inner_text("#mistakes .score"))
        counts = page.evaluate(COUNTS)
        assert [count for _, count in counts] == [listed for listed, _ in counts]
    page.get_by_label("from").select_option("0.02")
    for side in Player:
        page.locator(f"#mistakes [value={side}]").uncheck()
    assert listed(page) == []
    page.locator("#mistakes [value=white]").check()
    page.locator("#mistakes li:visible a").first.click()
    assert current(page) == listed(page)[0] or current(page) in listed(page)
    page.locator(".chart a").first.click()
    assert current(page) == wanted[0]


IN_SIGHT = """(part) => [...document.querySelectorAll(part)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).length"""
"""How many parts of a page are seen: something of them is at their middle."""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768)])
def test_on_a_laptop(open_page, address, width: int, height: int) -> None:
    """Nothing scrolls but the lists: a large board, the names in one line, plays, mistakes and moves."""
    page = open_page(f"{address}/analyzed.html", width=width, height=height)
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.locator("#board .gammonrules").bounding_box()["height"] > 0.65 * height
    assert page.locator("header").bounding_box()["height"] < 48
    plays = page.locator(".wide tbody tr").count()
    assert plays >= 5
    for part, least in ((".wide tbody tr", plays), ("#mistakes li", 4), ("#moves td > a", 10), (".strip a", 7)):
        assert page.evaluate(IN_SIGHT, part) >= least, part


def folded(page) -> list[int]:
    """The games that are closed, from 0."""
    return page.eval_on_selector_all(
        "#moves section > details", "games => games.flatMap((one, at) => one.open ? [] : [at])"
    )


def test_on_a_phone_games_and_mistakes_are_folded(open_page, address) -> None:
    """But for the game on the board; keys lead to the next one, a press opens another, and on paper all is there."""
    page = open_page(f"{address}/short.html", width=390, height=844)
    games = page.locator("#moves section").count()
    assert games > 1
    assert folded(page) == [*range(1, games)]
    page.keyboard.press("Shift+ArrowRight")
    assert folded(page) == [at for at in range(games) if at != 1]
    page.locator("#moves summary").first.press("Enter")
    assert 0 not in folded(page)
    page.keyboard.press("ArrowRight")  # within the game, what is open stays so
    assert 0 not in folded(page)
    page.keyboard.press("Home")
    assert folded(page) == [*range(1, games)]
    page.emulate_media(media="print")
    assert page.get_by_role("link", name="Wins ").last.is_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 720})
    assert folded(page) == []


def test_a_phone_says_who_played_how_well_and_where(open_page, serve, tmp_path) -> None:
    """On its first screen: both names as a whole with their PR, the score, the board, and the ways to mistakes."""
    match = load(EXAMPLES / "xg" / "test.xg")
    (tmp_path / "page.html").write_text(to_html(match), encoding="utf-8")
    page = open_page(f"{serve(tmp_path)}/page.html", width=390, height=844)
    assert page.evaluate("document.documentElement.scrollHeight") < 3_000
    assert page.inner_text("h1").replace("\n", " ").split() == "Kévin Unger PR 7.8 7-4 Maxence Job PR 13.9".split()
    assert page.locator("h1 *").evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")
    assert page.locator("h1").bounding_box()["y"] < 60
    assert not page.locator("#mistakes li").first.is_visible()
    page.get_by_text("The list, the worst first").click()
    assert page.locator("#mistakes li:visible").count() == 57
    page.get_by_role("button", name="Next mistake").click()
    assert page.locator("#beside .loss").count() > 0


def test_both_lists_begin_at_the_mistake_on_the_board(open_page, serve, tmp_path) -> None:
    """It is that of the player at the top, whose mistakes come last; the names stay above the moves."""
    match = load(EXAMPLES / "xg" / "test.xg")
    (tmp_path / "page.html").write_text(to_html(match), encoding="utf-8")
    page = open_page(f"{serve(tmp_path)}/page.html", width=1280, height=800)
    for part in ("#mistakes", "#moves"):
        inside = page.locator(part).bounding_box()
        marked = page.locator(f"{part} [aria-current]").bounding_box()
        assert inside["y"] < marked["y"] < inside["y"] + inside["height"] - marked["height"]
    assert page.locator("#mistakes").evaluate("list => list.scrollTop") > 0
    names = page.locator("#moves section:last-of-type thead").bounding_box()
    assert abs(names["y"] - page.locator("#moves").bounding_box()["y"]) < 2


@pytest.mark.parametrize("width", [390, 1280])
def test_without_javascript_nothing_is_folded(open_page, address, width: int) -> None:
    page = open_page(f"{address}/analyzed.html", width=width, java_script_enabled=False)
    assert folded(page) == []
    assert page.locator("#mistakes li").first.is_visible()


def test_the_match_as_a_strip(open_page, address) -> None:
    """A click leads to the step that is there, and so does dragging; a line shows where that is."""
    page = open_page(f"{address}/analyzed.html")
    last, box = count(page) - 1, page.locator(".strip").bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 4)
    page.mouse.down()
    assert current(page) == round(last / 2)
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 4)
    page.mouse.up()
    assert current(page) == last
    line = page.locator(".here").bounding_box()
    assert abs(line["x"] - box["x"] - box["width"]) < 4
    page.mouse.move(box["x"] + 1, box["y"] + 4)
    assert current(page) == last


def test_mistakes_on_the_strip(open_page, address, matches) -> None:
    """White's from below and Black's from above, the worst the tallest; on a phone only blunders, and so the legend."""
    costs = [(mistake.player, mistake.error) for mistake in mistakes_in(matches["analyzed"])]
    for width, least in ((1280, 0.02), (390, 0.08)):
        page = open_page(f"{address}/analyzed.html", width=width, height=800)
        strip = page.locator(".strip").bounding_box()
        bars = [bar.bounding_box() for bar in page.locator(".strip a").all() if bar.is_visible()]
        below = sum(bar["y"] + bar["height"] > strip["y"] + strip["height"] - 4 for bar in bars)
        expected = [player for player, cost in costs if cost >= least]
        assert (len(bars), below) == (len(expected), expected.count(Player.WHITE))
        assert ("errors" in page.inner_text("figcaption")) is (width > 390)
    worst = max(page.locator(".strip a").all(), key=lambda bar: (bar.bounding_box() or {"height": 0})["height"])
    assert f"−{max(cost for _, cost in costs):.3f}" in worst.get_attribute("aria-label")


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390), (1280, 720)])
def test_text_of_twice_the_size(open_page, address, width: int, height: int) -> None:
    """Nothing is wider than the window, or than its button."""
    page = open_page(f"{address}/analyzed.html", width=width, height=height)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in page.locator("button:visible").all():
        assert button.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), button.inner_text()
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_plays_stand_by_what_they_lose(open_page, address, matches) -> None:
    """With its level, what was not looked at as deep as the best one."""
    page = open_page(f"{address}/analyzed.html")
    while not page.locator(LEVEL).count():
        page.keyboard.press("ArrowRight")
    decision = next(step for step in matches["analyzed"].decisions() if step.state.xgid == page.input_value("#xgid"))
    candidates = sorted(decision.play_analysis.candidates[:10], key=lambda candidate: -candidate.equity)
    expected = [f"{place}. {each.play}" for place, each in enumerate(candidates, 1)]
    table = page.get_by_role("region", name="Plays").locator("table")
    rows = table.locator("tbody th")
    assert [text.replace("\xa0", " ") for text in rows.locator("button").all_text_contents()] == expected
    assert decision.action in table.locator("tr.done").inner_text()
    assert table.get_by_role("img", name="chosen").count() == 1


def test_best_and_made_play_on_one_board(open_page, address, matches) -> None:
    page = open_page(f"{address}/analyzed.html")
    mistake = mistakes_in(matches["analyzed"], "play")[0]
    page.goto(f"{address}/analyzed.html#{mistake.state.xgid}")

    def arrows(part: str) -> list[tuple[str, str]]:
        drawn = page.locator(f"#board {part} .arrow").all()
        return sorted((arrow.get_attribute("data-from"), arrow.get_attribute("data-to")) for arrow in drawn)

    plays = [mistake.state.legal_plays.find(text) for text in (mistake.best, mistake.action)]
    for part, play in zip((".best", ".wrong"), plays, strict=True):
        assert {end for way in arrows(part) for end in way} <= _points(play)
        assert page.locator(f"#beside summary {part}").inner_text().endswith(str(play))
    look = "arrow => [getComputedStyle(arrow).stroke, getComputedStyle(arrow).strokeDasharray]"
    looks = [page.locator(f"#board {part} .arrow").first.evaluate(look) for part in (".best", ".wrong")]
    assert looks[0][0] != looks[1][0]
    assert looks[0][1] == "none" != looks[1][1]
    page.locator(".wide button").nth(2).click()
    assert page.locator("#board :is(.best, .wrong)").count() == 0
    page.locator(".wide button").nth(2).click()
    assert page.locator("#board :is(.best, .wrong)").count() == 2


def _points(play) -> set[str]:
    """The points of a play, by which the arrows are named."""
    numbers = {number for move in play.moves for number in (move.from_point, move.to_point)}
    return {{25: "bar", 0: "off"}.get(number, str(number)) for number in numbers}


def test_the_page_asks_first(open_page, address, matches) -> None:
    """In the order of the list, by keys on the board: the best play is right, and nothing is stored."""
    page = open_page(f"{address}/analyzed.html#position=1")
    page.get_by_role("button", name="Quiz me").click()
    mistakes = iter(mistakes_in(matches["analyzed"]))
    asked = page.evaluate("Object.entries(JSON.parse(document.querySelector('#data').textContent).questions)")
    by_step = {int(step): [next(mistakes) for _ in questions] for step, questions in asked}
    order = dict.fromkeys(page.evaluate(OF_LIST, "#mistakes li"))
    assert order.keys() == by_step.keys()
    dice = {"double": "00", "answer": "D"}
    for step, decision in [(at, decision) for at in order for decision in by_step[at]]:
        assert current(page) == step
        assert page.input_value("#xgid").split(":")[4] == dice.get(decision.kind, str(decision.dice))
        assert page.locator("#board .arrow").count() == 0
        assert not page.locator("#moves").is_visible()
        assert page.locator("#beside table").count() == 0
        assert decision.kind != "play" or decision.action not in page.inner_text("#now")
        if decision.kind == "play":
            moves = [[move.from_point, move.to_point] for move in decision.state.legal_plays.find(decision.best).moves]
            page.evaluate(PLAY, moves)
            verdict = "is right: nothing is better"
        else:
            words = {"double": "Double", "roll": "No double", "take": "Take", "drop": "Drop"}
            page.get_by_role("button", name=words[decision.action], exact=True).click()
            verdict = f"{words[decision.action]} costs {decision.error:.3f}."
        page.get_by_text(verdict).last.wait_for()
        if not page.locator(".asking").count():
            assert page.locator("#beside details[open] .loss").count() > 0
            page.keyboard.press("n")
    assert page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length") == 0
    page.get_by_role("button", name="Quiz me").click()
    assert page.locator("#moves").is_visible()
    lists = {player: page.evaluate(OF_LIST, f"#lists .{player} li") for player in ("white", "black")}
    assert order == dict.fromkeys(lists["white"] + lists["black"])
    for player, other in ("white", "black"), ("black", "white"):
        page = open_page(f"{address}/analyzed.html")  # at the worst of all
        if player == "black":
            page.get_by_role("button", name="Flip the board").click()
        page.get_by_role("button", name="Quiz me").click()
        for step in dict.fromkeys(lists[player] + lists[other]):
            assert current(page) == step
            page.keyboard.press("n")


def test_the_player_of_the_page_is_asked(open_page, serve, tmp_path, matches) -> None:
    """It opens at their worst mistake and asks about theirs alone, until the other one is chosen too."""
    match = matches["analyzed"]
    tmp_path.joinpath("page.html").write_text(to_html(match, player=Player.WHITE), encoding="utf-8")
    page = open_page(f"{serve(tmp_path)}/page.html")
    mistakes = mistakes_in(match)
    of_white = [decision for decision in mistakes if decision.player is Player.WHITE]
    worst = max(of_white, key=lambda decision: decision.error)
    assert worst.error < max(decision.error for decision in mistakes)
    assert page.input_value("#xgid") == worst.state.xgid
    seen = page.locator("#mistakes li:visible")
    assert seen.count() == len(mistakes)
    assert page.evaluate(COUNTS) == [[len(of_white)] * 2, [len(mistakes) - len(of_white)] * 2]
    ask = page.get_by_role("button", name="Quiz me")
    ask.click()
    assert seen.count() == len(of_white) == int(page.inner_text("#mistakes .score"))
    assert page.locator("#mistakes li.white a[aria-current]").count()
    page.get_by_role("checkbox", name=match.players[1]).check()
    assert seen.count() == len(mistakes)
    page.get_by_role("checkbox", name=match.players[0]).uncheck()
    assert page.locator("#mistakes li.black a[aria-current]").count()
    assert seen.count() == len(mistakes) - len(of_white)
    ask.click()
    assert seen.count() == len(mistakes)


def test_no_number_is_wrong_without_the_script(open_page, address, matches) -> None:
    """It could not change with what is listed, so it goes."""
    page = open_page(f"{address}/analyzed.html", java_script_enabled=False)
    numbers = page.locator("#mistakes :is(.score, .chip small)")
    assert int(numbers.first.inner_text()) == len(mistakes_in(matches["analyzed"]))
    assert [number.is_visible() for number in numbers.all()] == [True] * 3
    page.locator("#mistakes [value=black]").uncheck()
    assert not any(number.is_visible() for number in numbers.all())


OF_LIST = """(of) => {
    const links = [...document.querySelectorAll("#moves td > a")].map((link) => link.hash);
    return [...document.querySelectorAll(`${of} > a:first-child`)].map((link) => links.indexOf(link.hash));
}"""
"""The steps of the mistakes, in the order of the list."""
PLAY = """(moves) => {
    const board = document.querySelector("#board");
    const step = JSON.parse(document.querySelector("#data").textContent).questions[
        [...document.querySelectorAll("#moves td > a")].findIndex((link) => link.ariaCurrent)];
    const question = step.find(({ tree }) => tree);
    board.show({ svg: board.querySelector("svg"), tree: question.tree, moves });
    board.endTurn();
}"""


def test_an_answer_by_keys_and_one_that_was_not_analyzed(open_page, address, matches) -> None:
    mistakes = mistakes_in(matches["analyzed"], "play")
    decision = next(
        mistake
        for mistake in mistakes
        if mistake.play_analysis and mistake.plays > len(mistake.play_analysis.candidates)
    )
    candidates = decision.play_analysis.candidates
    other = next(
        play
        for play in decision.state.legal_plays
        if play.position not in {candidate.position for candidate in candidates}
    )
    page = open_page(f"{address}/analyzed.html#{decision.state.xgid}", width=390, height=844, has_touch=True)
    page.get_by_role("button", name="Quiz me").tap()
    assert page.evaluate("document.activeElement.closest('#board') === null")  # no ring without keys
    page.evaluate(PLAY, [[move.from_point, move.to_point] for move in other.moves])
    worst = max(candidates[0].equity - candidate.equity for candidate in candidates)
    made = " ".join(f"{move.from_point}/{move.to_point}" for move in other.moves).replace("25/", "bar/")
    page.get_by_text(f"{made} is nothing that the engine looked at; the worst that it did costs {worst:.3f}").wait_for()
    page.get_by_text("In the match:").wait_for()
    page.get_by_role("button", name="Once more").press("Enter")
    assert page.evaluate("document.activeElement.closest('#board') !== null")
    while not page.get_by_role("button", name="Done").is_visible():
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Done").click()
    page.get_by_text("In the match:").wait_for()
    page.get_by_role("button", name="Quiz me").click()
    page.get_by_role("button", name="Quiz me").click()
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("You did not answer.").wait_for()


def test_the_list_of_mistakes_without_javascript(open_page, address, matches) -> None:
    """It is there, with the error rates and the graph, and its filter works; what needs a script is not."""
    page = open_page(f"{address}/analyzed.html", java_script_enabled=False)
    assert "needs JavaScript" in page.inner_text("noscript")
    assert page.locator("#board .checker").count() == 30
    assert page.get_by_role("link", name="Wins ").last.is_visible()
    for part in ("#controls", "#share", "#quiz"):
        assert not page.locator(part).is_visible()
    rates = matches["analyzed"].error_rates()
    page.get_by_text("Error rates").click()
    assert [row.split("\t")[3] for row in page.locator("#rates tbody tr").all_inner_texts()] == [
        str(rate.decisions) for rate in rates
    ]
    page.get_by_text("Error rates").click()
    assert page.locator("figure > .strip").is_visible()
    assert page.locator("#mistakes li:visible").count() == sum(rate.mistakes["error"] for rate in rates)
    page.get_by_text("Filter").click()
    page.locator("#mistakes [value=white]").uncheck()
    assert page.locator("#mistakes li:visible").count() == rates[1].mistakes["error"]


@pytest.mark.parametrize("name", ["analyzed", "illegal", "hostile"])
def test_looks(open_page, address, violations, picture, name: str) -> None:
    """Nothing is wider than the window, the board is in view, and axe-core finds nothing serious."""
    page = open_page(f"{address}/{name}.html")
    for scheme, width, height in (("light", 1440, 900), ("dark", 390, 844)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = page.locator("#board svg").bounding_box()
        assert box["width"] > 300
        assert box["y"] + box["height"] < height
        picture(page, f"match-{name}-{scheme}-{width}")
        assert violations(page) == []
    if name == "analyzed":
        page.get_by_role("button", name="Quiz me").click()
        assert violations(page) == []
