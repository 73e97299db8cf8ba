"""The `<gammon-board>` that needs no server: whole games by hand, what it draws, and the reasons that it gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from gammonrules import Dice, MatchState, Player, Position, draw
from test_board import KINDS_OF_PICTURES, MEANS, POLICY, SCRIPT, Chromium, Moves, a_firefox, one_move, opened, served
from test_setup import random_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

POLICY_WITH_RULES = {name: text.replace("script-src", "script-src 'wasm-unsafe-eval'") for name, text in POLICY.items()}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width">
<script src="page.js"></script><script src="match-board.js"></script></head>
<body><main><h1>A board</h1><gammon-board speed="0"></gammon-board></main></body>"""
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
BARE = draw.BoardStyle(header=False, footer=False)
__all__ = ["a_firefox"]  # a fixture


@pytest.fixture(scope="module")
def url(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    files = {"index.html": PAGE, "match-board.js": draw.match_board_js(), "page.js": SCRIPT}
    return served(files, serve, tmp_path_factory, POLICY_WITH_RULES)


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


def play(page: Any, player: str, *steps: tuple[int, int]) -> None:
    """Play a checker from this point by this die, as its keys do."""
    page.evaluate(
        """([player, steps]) => {
            for (const [point, die] of steps) pressOn(point, player, die);
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
        svg = draw.svg.match_state(state, bottom=bottom, style=attrs.evolve(BARE, **kind))
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
        "svg => [seen(board), seen(parsed(svg))]", draw.svg.match_state(state, style=BARE)
    )
    assert is_drawn == should
    assert chromium.evaluate("() => board.tree") == state.legal_plays.tree().data
    assert assign(chromium, checkers=2)[0] == "GammonError"
    assert chromium.evaluate("() => [board.checkers, board.moves]") == [3, []]
    last = Position.of({1: 1}, {10: 3}, checkers=3)
    assign(chromium, position=last.points, dice="31")
    play(chromium, "white", (1, 3))
    ended = chromium.evaluate("() => { board.endTurn(); return heard.at(-1)[1]; }")
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
        assert page.evaluate("reason") == str(plays.why(start, end, made))
        page.evaluate("() => board.undo()")
