"""`examples/one_page.html`, as one uses it against the computer, and two people, from their disk."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gammonrules import Action, MatchState, records
from gammonrules.json import loads
from test_board import Chromium, a_firefox

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["a_firefox"]  # a fixture
EXAMPLE = (Path(__file__).parents[2] / "examples" / "one_page.html").as_uri()
ANN = "Ann </script><b>"
HURRY = "() => { const later = setTimeout; setTimeout = act => later(act, 0); board.speed = 0; }"
AT_REST = """async () => {
    while (isComputer(game.turn) || told.textContent.startsWith("Looking")) await new Promise(go => setTimeout(go));
}"""
CHOICES = "() => game.history().filter(isChoice).length"


@pytest.fixture(params=["chromium", "firefox"])
def page(request: pytest.FixtureRequest) -> Any:
    if request.param == "firefox":
        page = request.getfixturevalue("a_firefox")
        page.open(EXAMPLE)
    else:
        page = Chromium(request.getfixturevalue("open_page")(EXAMPLE, has_touch=True))
    page.evaluate(HURRY)
    return page


def start(page: Any, length: int, opponent: str = "", *, teacher: bool = False) -> None:
    """Fill in the form and press Enter in it."""
    page.evaluate("teacher => { choice.querySelector('[name=teacher]').checked = teacher; }", teacher)
    values = {"length": str(length), "opponent": opponent, "white": ANN, "black": ""}
    page.evaluate(
        """values => {
            if (!choice.open) fresh.click();
            for (const name in values) choice.querySelector(`[name=${name}]`).value = values[name];
            choice.querySelector("[name=length]").focus();
        }""",
        values,
    )
    page.press("Enter")
    assert page.evaluate("() => choice.open") is False


def state_of(page: Any) -> MatchState:
    """The match in the page, which its events lead to by the rules of the library, and which is on the board."""
    start, events, state, shown = page.evaluate(
        "() => [game.start, game.history(), game.state, board.state].map(JSON.stringify)"
    )
    assert shown == state
    replayed = loads(start)
    for event in json.loads(events):
        replayed = replayed.apply(loads(json.dumps(event)))
    assert replayed == loads(state)
    return replayed


def press(page: Any, name: str) -> None:
    page.evaluate("name => board.shadowRoot.getElementById(name).click()", name)


def act(page: Any, state: MatchState, rng: random.Random) -> None:
    """What White, or a person for each side, does: by keys, but for what the focus does not lead to."""
    actions = state.legal_actions if state.to_act else {Action.NEXT_GAME if state.result else Action.OPENING_ROLL}
    page.evaluate("() => board.focus()")
    if Action.PLAY in actions:
        for _ in range(5):  # at most four checkers, and Done
            if page.evaluate("() => game.phase") == "to_play":
                page.press("Enter")
    elif Action.TAKE in actions:
        press(page, rng.choice(["take", "take", "drop"]))
    elif Action.ACCEPT in actions:
        press(page, "accept")
    elif Action.DOUBLE in actions and rng.random() < 0.2:
        press(page, "double")
    elif Action.NEXT_GAME in actions:
        press(page, "next_game")
    else:
        page.press("Enter")


@pytest.mark.parametrize("opponent", ["", "beginner", "strong"])
def test_a_match_is_played(page: Any, opponent: str) -> None:
    """Its record is read as the same match, names and all."""
    length = 3 if opponent else 1
    start(page, length, opponent)
    rng = random.Random(81)
    while not (state := state_of(page)).winner:
        act(page, state, rng)
        page.evaluate(AT_REST)
    listed = page.evaluate("() => [mistakes.hidden, mistakes.children.length, told.textContent.split(' ')[0]]")
    assert state.length == length
    assert listed in ([True, 0, "No"], [False, listed[1], str(listed[1])])
    page.evaluate("() => write.click()")
    text = page.evaluate("() => document.getElementById('text').value")
    match = records.loads(text)
    assert match.players == (ANN, "Computer" if opponent else "Black")
    assert (match.score, match.winner) == (state.score, state.winner)


def test_a_choice_is_taken_back(page: Any) -> None:
    """With the dice and what the computer has done since, but no further than the first choice."""
    start(page, 7, "club")
    rng = random.Random(7)
    before = []
    while len(before) < 4:
        state = state_of(page)
        act(page, state, rng)
        page.evaluate(AT_REST)
        if page.evaluate(CHOICES) > len(before):
            before.append(state)
    for state in reversed(before):
        page.evaluate("() => undo.click()")
        assert state_of(page) == state
    assert page.evaluate("() => undo.disabled")


def test_a_page_that_is_opened_again_goes_on(page: Any) -> None:
    start(page, 5)
    rng = random.Random(5)
    for _ in range(6):
        act(page, state_of(page), rng)
    state = state_of(page)
    page.open(EXAMPLE)
    assert state_of(page) == state
    assert page.evaluate("() => [choice.open, people.white, told.querySelector('b')]") == [False, ANN, None]


@pytest.mark.parametrize("kept", ["", "{}", '{"start": {"length": 3}, "events": [1], "people": {}}'])
def test_a_page_that_cannot_go_on_begins_a_match_against_the_computer(page: Any, kept: str) -> None:
    page.evaluate("kept => localStorage.setItem(KEPT, kept)", kept)
    page.open(EXAMPLE)
    told = page.evaluate("() => [choice.open, game.state.length, game.history().length, board.opponent, board.teacher]")
    assert told == [False, 5, 0, "club", True]
    act(page, state_of(page), random.Random(3))
    assert page.evaluate("() => game.history()[0].action") == "opening_roll"


OPENING = """() => {
    board.roll = () => [3, 1];
    board.shadowRoot.getElementById("opening_roll").click();
}"""
"""White begins, with a roll whose best play everybody knows."""


def test_a_hint_and_a_question(page: Any) -> None:
    """By keys alone: a play that loses much is asked about, the question answered, and a hint asked for."""
    start(page, 5, "club", teacher=True)
    page.evaluate(OPENING)
    page.evaluate("() => board.focus()")
    for _ in range(3):  # two checkers, and Done
        page.press("Enter")
    asked = page.evaluate(
        "() => [game.history().length, undo.disabled, hint.disabled, board.shadowRoot.activeElement.id]"
    )
    assert asked == [1, True, True, "take_back"]
    page.press("Enter")
    assert page.evaluate("() => [board.moves, undo.disabled, hint.disabled]") == [[], True, False]
    page.evaluate("() => hint.focus()")
    page.press("Enter")
    assert page.evaluate("() => board.arrows") == [[8, 5], [6, 5]]
    note = page.evaluate("() => board.shadowRoot.getElementById('note').textContent")
    assert note == "selftaught 1 prefers 8/5 6/5"


def test_the_mistakes_of_a_game_are_listed(page: Any) -> None:
    """With the board before each; they go with the next game."""
    start(page, 5)
    page.evaluate(OPENING)
    worst = page.evaluate(
        """() => {
            const worst = computer.candidates(game.state).at(-1);
            for (const event of [
                { action: "play", argument: worst.text }, { action: "double" }, { action: "drop" }
            ]) game.apply(event);
            board.state = game.state;
            goOn();
            return worst;
        }"""
    )
    page.evaluate(AT_REST)
    texts, arrows, made, movable = page.evaluate(
        """() => {
            const boards = [...mistakes.querySelectorAll("gammon-board")];
            const [{ arrows, made }] = boards;
            const texts = [...mistakes.querySelectorAll("p")].map(({ textContent }) => textContent);
            return [texts, arrows, made, mistakes.querySelectorAll(".movable, [data-action]").length];
        }"""
    )
    assert texts[0].startswith(f"{ANN}: {worst['text']} loses 0.")
    assert texts[0].endswith(". selftaught 1 prefers 8/5 6/5.")
    assert (arrows, made, movable) == ([[8, 5], [6, 5]], worst["moves"], 0)
    press(page, "next_game")
    assert page.evaluate("() => [mistakes.hidden, mistakes.children.length, told.textContent]") == [True, 0, ""]


def test_the_page_reads_well(
    open_page: Callable[..., Page],
    look: dict[str, Any],
    violations: Callable[..., list[str]],
    picture: Callable[[Page, str], None],
) -> None:
    """Its first screen, the board and the record, on a screen and on a phone, light and dark."""
    page = open_page(EXAMPLE, **look)
    assert violations(page) == []
    start(Chromium(page), 7)
    picture(page, f"one-page-{look['width']}")
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.click("#write")
    assert violations(page) == []


def test_the_die_is_fair(open_page: Callable[..., Page]) -> None:
    """Every byte is a face or is drawn again: 42 bytes for each."""
    page = open_page(EXAMPLE)
    counts = page.evaluate(
        """() => {
            const counts = Array(7).fill(0), bytes = [...Array(256).keys()];
            crypto.getRandomValues = list => (list[0] = bytes.pop(), list);
            while (bytes.length) counts[die()] += 1;
            return counts;
        }"""
    )
    assert counts == [0, *[42] * 6]
