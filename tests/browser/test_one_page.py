"""`examples/one_page.html`, as one uses it against the computer, and two people, from their disk."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gammonrules import Action, MatchState, Player, Position, records
from gammonrules.json import dumps, loads
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
EVENTS = "() => game.history().length"
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


def start(page: Any, length: int, opponent: str = "", *, tutor: bool = False) -> None:
    """Fill in the form and press Enter in it."""
    page.evaluate("tutor => { choice.querySelector('[name=tutor]').checked = tutor; }", tutor)
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


def states_before_choices(page: Any) -> list[MatchState]:
    """The states in which people have chosen what the history of the page has."""
    start, events, choices = page.evaluate(
        "() => [game.start, game.history(), game.history().map(event => isChoice(event))].map(JSON.stringify)"
    )
    state, states = loads(start), []
    for event, is_choice in zip(json.loads(events), json.loads(choices), strict=True):
        if is_choice:
            states.append(state)
        state = state.apply(loads(json.dumps(event)))
    return states


def press(page: Any, name: str) -> None:
    page.evaluate("name => board.shadowRoot.getElementById(name).click()", name)


def act(page: Any, state: MatchState, rng: random.Random) -> None:
    """What White, or a person for each side, does: by keys, but for what the focus does not lead to."""
    actions = state.legal_actions if state.to_act else {Action.NEXT_GAME if state.result else Action.OPENING_ROLL}
    page.evaluate("() => board.focus()")
    if Action.PLAY in actions:
        events = page.evaluate(EVENTS)
        for _ in range(5):  # at most four checkers, and Done
            if page.evaluate(EVENTS) == events:  # not in the next turn, which may come at once
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
    while page.evaluate(CHOICES) < 4:
        act(page, state_of(page), rng)
        page.evaluate(AT_REST)
    page.evaluate("() => new Promise(go => setTimeout(go, 500))")  # a roll may follow by itself
    for state in reversed(states_before_choices(page)):
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
    told = page.evaluate("() => [choice.open, game.state.length, game.history().length, board.opponent, board.tutor]")
    assert told == [False, 5, 0, "club", True]
    act(page, state_of(page), random.Random(3))
    assert page.evaluate("() => game.history()[0].action") == "opening_roll"


OPENING = """() => {
    board.roll = () => [3, 1];
    board.shadowRoot.getElementById("opening_roll").click();
}"""
"""White begins, with a roll whose best play everybody knows."""


TURNS: list[dict[str, Any]] = [
    {"action": "opening_roll", "argument": [3, 1]},
    {"action": "play", "argument": "8/5 6/5"},
    {"action": "roll", "argument": [6, 1]},
    {"action": "play", "argument": "13/7 8/7"},
]
"""White begins, and is on roll again."""

MARKS = """async () => {
    const marks = () => [".last-from", ".last-to", ".die.last"].map(part => board.querySelectorAll(part).length);
    const end = performance.now() + 5000;
    while (marks().includes(0) && performance.now() < end) await new Promise(go => setTimeout(go)); // they are painted
    return marks();
}"""


def go_on_from(page: Any, events: list[dict[str, Any]], opponent: str = "club", start: Any = None) -> None:
    page.evaluate(
        """([start, events, opponent]) => {
            begin(start, events, { ...unnamed(opponent), opponent, tutor: true });
        }""",
        [start or {"length": 5}, events, opponent],
    )


@pytest.mark.parametrize("ties", [0, 120])
def test_the_last_play_stays_marked(page: Any, ties: int) -> None:
    """When the page is opened again, and when something is taken back, however much has happened."""
    events = [{"action": "opening_roll", "argument": [2, 2]}] * ties + TURNS
    go_on_from(page, events)
    assert page.evaluate(MARKS) == [2, 2, 2]
    page.open(EXAMPLE)
    assert page.evaluate(MARKS) == [2, 2, 2]
    assert page.evaluate("() => board.last.events.length") == min(len(events), 100)
    page.evaluate("() => undo.click()")
    assert page.evaluate("async () => [await null, board.last.events.at(-1).action]")[1] == "opening_roll"
    go_on_from(page, [*events, {"action": "roll", "argument": [6, 5]}, {"action": "play", "argument": "13/7 13/8"}])
    page.evaluate("() => undo.click()")
    assert page.evaluate(MARKS) == [2, 2, 2]


def test_who_is_who(page: Any) -> None:
    """A person without a name is "You", with the verbs of it."""
    explained = "You play White. Computer plays Black. Each throws a die, and the higher one begins."
    assert page.evaluate("() => told.textContent") == explained
    assert page.evaluate("() => board.names") == {"white": "You", "black": "Computer"}
    page.evaluate(OPENING)
    note = page.evaluate("async () => [await null, board.shadowRoot.getElementById('note').textContent]")[1]
    assert (note, page.evaluate("() => told.textContent")) == ("3-1: You begin", "")
    go_on_from(page, [*TURNS, {"action": "double"}, {"action": "drop"}])
    assert "You win a single game" in page.evaluate("async () => [await null, board.textContent]")[1]
    start(page, 5)
    assert page.evaluate("() => told.textContent").startswith(f"{ANN} plays White. Each throws")


def test_what_plays_by_itself_is_taken_back(page: Any) -> None:
    """It is not played again, but what is forced later is."""
    last = MatchState(Position.of(mine={3: 2}, theirs={6: 5}), Player.WHITE, "61", length=5)
    go_on_from(page, [], "", json.loads(dumps(last)))
    wait = "async () => { while (!game.history().length) await new Promise(go => setTimeout(go)); }"
    page.evaluate(wait)
    page.evaluate("() => undo.click()")
    told = page.evaluate("async () => [await new Promise(go => setTimeout(go, 100)), game.history().length]")
    assert told == [None, 0]
    for _ in range(3):  # two checkers, and Done
        page.evaluate("() => board.focus()")
        page.press("Enter")
    assert page.evaluate("() => [game.history()[0].action, board.auto]") == ["play", "forced bear-off roll"]


STATES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "opening": ([], ""),
    "begun": (TURNS[:1], ""),
    "to roll": (TURNS, ""),
    "how to resign": (TURNS, "resign"),
    "double": ([*TURNS[:2], {"action": "double"}], ""),
    "resignation": ([*TURNS[:2], {"action": "resign", "argument": "gammon", "by": "black"}], ""),
    "rolled": ([*TURNS, {"action": "roll", "argument": [6, 5]}], ""),
    "hint": ([*TURNS, {"action": "roll", "argument": [6, 5]}], "hint"),
    "question": (TURNS[:1], "three"),
    "over": ([*TURNS[:2], {"action": "double"}, {"action": "drop"}], ""),
}
"""The events, and what is pressed then."""

OUTSIDE = """() => {
    const parts = [...document.querySelectorAll("#board svg, #table button, #told")];
    parts.push(...board.shadowRoot.querySelectorAll("button, p"));
    const shown = parts.filter(part => part.id !== "status" && part.checkVisibility({ visibilityProperty: true }));
    return shown.filter(part => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return Math.min(left, top) < 0 || right > innerWidth || bottom > innerHeight;
    }).map(part => part.id || part.localName);
}"""
"""What cannot be seen on the first screen."""


@pytest.mark.parametrize(("width", "height"), [(844, 390), (320, 640), (390, 844), (1280, 800)])
def test_it_fits_on_a_screen(
    open_page: Callable[..., Page], picture: Callable[..., None], width: int, height: int
) -> None:
    """In all states, with its board as large as there is room; below it come only the mistakes."""
    page = open_page(EXAMPLE, width=width, height=height)
    page.evaluate(HURRY)
    for name, (events, pressed) in STATES.items():
        go_on_from(page, events)
        page.evaluate("async () => { await null; board.focus(); }")
        if pressed == "three":
            for _ in range(3):  # two checkers, and Done, which is asked about
                page.keyboard.press("Enter")
        elif pressed:
            page.get_by_role("button", name=pressed.title(), exact=True).click()
        page.evaluate(AT_REST)
        picture(page, f"one-page-{width}-{name.replace(' ', '-')}")
        assert page.evaluate(OUTSIDE) == [], name
        wide, high = page.evaluate(
            "() => (({ width, height }) => [width, height])(board.firstChild.getBoundingClientRect())"
        )
        assert (wide >= 300, high >= 290) == (True, True), (name, wide, high)
        if page.evaluate("() => mistakes.hidden"):
            assert page.evaluate("() => document.documentElement.scrollHeight") <= height, name


def test_a_hint_and_a_question(page: Any) -> None:
    """By keys alone: a play that loses much is asked about, the question answered, and a hint asked for."""
    start(page, 5, "club", tutor=True)
    page.evaluate(OPENING)
    page.evaluate("() => board.focus()")
    for _ in range(3):  # two checkers, and Done
        page.press("Enter")
    asked = page.evaluate(
        "() => [game.history().length, undo.hidden, hint.disabled, board.shadowRoot.activeElement.id]"
    )
    assert asked == [1, True, True, "take_back"]
    page.press("Enter")
    assert page.evaluate("() => [board.moves, undo.hidden, hint.disabled]") == [[], False, False]
    page.evaluate("() => hint.focus()")
    page.press("Enter")
    assert page.evaluate("() => board.arrows") == [[8, 5], [6, 5]]
    note = page.evaluate("() => board.shadowRoot.getElementById('note').textContent")
    assert note == "selftaught 4 prefers 8/5 6/5"


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
            show();
            return worst;
        }"""
    )
    page.evaluate(AT_REST)
    texts, arrows, played, movable, bottom = page.evaluate(
        """() => {
            const boards = [...mistakes.querySelectorAll("gammon-board")];
            const [{ arrows, playedArrows, lastElementChild: picture }] = boards;
            const low = [...picture.querySelectorAll(".side")].sort((side, other) =>
                other.getBoundingClientRect().y - side.getBoundingClientRect().y)[0].dataset.player;
            const texts = [...mistakes.querySelectorAll("p")].map(({ textContent }) => textContent);
            return [texts, arrows, playedArrows, mistakes.querySelectorAll(".movable, [data-action]").length, low];
        }"""
    )
    assert texts[0].startswith(f"{ANN}: {worst['text']} loses 0.")
    assert texts[0].endswith(". selftaught 4 prefers 8/5 6/5.")
    assert (arrows, played, movable, bottom) == ([[8, 5], [6, 5]], worst["moves"], 0, "white")
    press(page, "next_game")
    told = page.evaluate("() => [mistakes.hidden, mistakes.children.length, told.textContent.includes('mistake')]")
    assert told == [True, 0, False]


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
