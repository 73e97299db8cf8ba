"""The `<gammon-board>` on which people play a whole match without a server."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fuzzing.tables import random_table
from gammonrules import Action, MatchState, Player, draw
from gammonrules.json import dumps
from test_alone import BOARD, assign, finish, page_of, write
from test_board import KINDS_OF_PICTURES, Chromium, a_firefox, one_move, opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = Path(__file__).with_name("match_page.js").read_text(encoding="utf-8")
__all__ = ["a_firefox", "write"]  # fixtures


@pytest.fixture(scope="module")
def url(write: Callable[..., str]) -> str:
    files = page_of(BOARD)
    return write(files | {"page.js": files["page.js"] + TABLE})


@pytest.fixture
def chromium(open_page: Callable[..., Page], url: str) -> Chromium:
    return Chromium(open_page(url, expected=("favicon",), has_touch=True, height=900))


@pytest.fixture(params=["chromium", "firefox"])
def page(request: pytest.FixtureRequest, url: str) -> Any:
    """The page with the board, in each browser."""
    return opened("chromium", request, url)


def data_of(state: MatchState) -> Any:
    return json.loads(dumps(state))


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_table_looks_as_the_library_draws_it(chromium: Chromium, count: int) -> None:
    """With its lines, and what stands on the board. Where it is not one's turn, nothing is offered."""
    rng = random.Random(count)
    for _ in range(count):
        state = random_table(rng)
        kind = rng.choice(KINDS_OF_PICTURES)
        flip = rng.random() < 0.5
        waiting = state.to_act and str(state.to_act.opponent)
        assert assign(chromium, state=data_of(state), player=waiting, flip=flip, **kind) is None
        svg = draw.svg.table(state, bottom=Player.BLACK if flip else Player.WHITE, **kind)
        is_drawn, should = chromium.evaluate("svg => [table(board), table(parsed(svg))]", svg)
        assert is_drawn == should, (state, kind, flip)


# --- a match ---


def play_a_match(page: Any, means: Sequence[str], rng: random.Random, length: int) -> MatchState:
    """Both sides in turn; each event is that which the library makes of the same message."""
    assign(page, state=data_of(MatchState.new(length)))
    page.evaluate("() => { board.roll = () => thrown.shift(); board.focus(); }")
    state = MatchState.new(length)
    while state.winner is None:
        state = act(page, state, rng.choice(means), rng)
    return state


def act(page: Any, state: MatchState, means: str, rng: random.Random) -> MatchState:
    """Do something legal; the state after it."""
    actions = sorted(state.legal_actions - ({Action.RESIGN} if rng.random() < 0.97 else set()))
    action = rng.choice(actions)
    argument: Any = None
    roll = rng.randint(1, 6), rng.randint(1, 6)
    page.evaluate("roll => thrown.splice(0, 1, roll)", roll)
    if action is Action.PLAY:
        argument = []
        while state.legal_plays.next_moves(argument):
            one_move(page, state, means, rng, argument)
        finish(page, means)
    elif action is Action.RESIGN:
        argument = str(rng.choice([*state.possible_wins(state.to_act.opponent)]).name.lower())
        press(page, "resign", means)
        page.evaluate("isThere", argument)
        press(page, argument, means)
    else:
        press(page, action.value, means if means == "keys" else rng.choice([means, "board"]))
    message = {"action": action.value, "argument": argument}
    event, after = state.receive(message, state.to_act or Player.WHITE, roll=lambda: roll)
    [detail] = page.evaluate("heardOf")
    assert detail == {"event": data_of(event), "state": data_of(after)}, (state, message)
    assert page.evaluate("async () => [await null, board.state][1]") == data_of(after)
    return after


ON_BOARD = {"roll": ".roll", "opening_roll": ".roll", "double": ".cube", "take": ".cube"}


def press(page: Any, name: str, means: str) -> None:
    """A button; or "board": what is clicked on the board instead, where there is something."""
    if means == "keys":
        for _ in range(40):
            if page.evaluate("focus") in {name, "roll" if name == "opening_roll" else name}:
                break
            page.press("Tab")
        page.press("Enter")
        if page.evaluate("() => board.shadowRoot.activeElement === null") and name in {"double", "take"}:
            page.press("Enter")  # the cube has asked
        return
    place = page.evaluate("part", ON_BOARD.get(name, name) if means == "board" else name)
    if means == "touch":
        time.sleep(0.6)  # at once it would be the second of a double tap
    page.pointer([place], "touch" if means == "touch" else "mouse")


@pytest.mark.parametrize("means", [["click", "drag"], ["keys"], pytest.param(["touch"], marks=pytest.mark.long)])
def test_a_match_is_played(page: Any, means: list[str]) -> None:
    """To 3 points, with the cube."""
    state = play_a_match(page, means, random.Random(5), 3)
    assert page.evaluate("buttons") == []
    assert f"{state.winner.name.title()} wins the match" in page.evaluate("status")
