"""The `<gammon-board>` on which people play a whole match without a server."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import random_logs
from fuzzing.tables import random_table
from gammonrules import Action, Event, MatchState, Play, Player, draw
from gammonrules.json import dumps
from gammonrules.match import RecordEvent
from rules_by_chance import rules_by_chance
from test_board import KINDS_OF_PICTURES, Chromium, a_firefox, one_move
from test_match_board import assign, chromium, finish, page, play, url

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
__all__ = ["a_firefox", "chromium", "page", "url"]  # fixtures


def data_of(value: MatchState | RecordEvent) -> Any:
    return json.loads(dumps(value))


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_table_looks_as_the_library_draws_it(chromium: Chromium, count: int) -> None:
    """With its lines, and what stands on the board. Where it is not one's turn, nothing is offered."""
    rng = random.Random(count)
    for _ in range(count):
        state = random_table(rng)
        kind: Any = rng.choice(KINDS_OF_PICTURES)
        flip = rng.random() < 0.5
        waiting = state.to_act and state.to_act.opponent
        names = rng.choice([None, ("Ann", "Bob"), ("", "\N{HEBREW LETTER SHIN}" * 8)])
        assert assign(chromium, state=data_of(state), player=waiting, flip=flip, names=by_color(names), **kind) is None
        bottom = waiting or Player.WHITE
        numbers: Any = "fixed" if waiting else "turning"
        style = draw.BoardStyle(numbers=numbers, **kind)
        svg = draw.svg.match_state(state, bottom=bottom.opponent if flip else bottom, names=names, style=style)
        is_drawn, should = chromium.evaluate("svg => [table(board), table(parsed(svg))]", svg)
        assert is_drawn == should, (state, kind, flip)


def by_color(names: tuple[str, str] | None) -> dict[str, str] | None:
    return names and dict(zip(("white", "black"), names, strict=True))


@pytest.mark.parametrize("count", [2, pytest.param(60, marks=pytest.mark.long)])
def test_the_last_play_is_marked_as_the_library_draws_it(chromium: Chromium, count: int) -> None:
    """With its dice, until the next play and after the end of the game."""
    rng = random.Random(count)
    for _ in range(count):
        for state, last, before, last_play in last_plays(rng):
            flip = rng.random() < 0.5
            kind: Any = rng.choice(KINDS_OF_PICTURES)
            waiting = state.to_act and state.to_act.opponent
            properties = {"state": data_of(state), "last": last, "player": waiting, "flip": flip, **kind}
            assert assign(chromium, **properties) is None
            bottom = waiting or Player.WHITE
            svg = draw.svg.match_state(
                state,
                bottom=bottom.opponent if flip else bottom,
                last_play=last_play,
                last_dice=before.dice,
                style=draw.BoardStyle(numbers="fixed" if waiting else "turning", **kind),
            )
            is_drawn, should = chromium.evaluate("svg => [table(board), table(parsed(svg))]", svg)
            assert is_drawn == should, (state, last_play, kind, flip)


def last_plays(rng: random.Random) -> Iterator[tuple[MatchState, Any, MatchState, Play]]:
    """States of a match, how each came about, and the last play of its game with the state before it."""
    rules = rules_by_chance(rng.choice)
    start = random_logs.beginning(rng, rules, None if rules.scoring == "pips" else rng.choice([None, 1, 3]))
    states = [start]
    log: list[RecordEvent] = []
    at: int | None = None
    for event in random_logs.events(rng, start):
        log.append(event)
        states.append(states[-1].apply(event))
        if not isinstance(event, Event) or event.action in {Action.NEXT_GAME, Action.OPENING_ROLL}:
            at = None
        elif event.action is Action.PLAY:
            at = len(log) - 1
        if at is None or states[-1].on_roll is states[at].on_roll:
            continue
        first = rng.randint(max(0, len(log) - 100), at)
        last = {"start": data_of(states[first]), "events": [data_of(event) for event in log[first:]]}
        yield states[-1], last, states[at], log[at].argument


# --- a match ---


def play_a_match(
    page: Any, means: Sequence[str], rng: random.Random, state: MatchState, most: int = 1000
) -> MatchState:
    """Both sides in turn; each event is that which the library makes of the same message."""
    assign(page, state=data_of(state))
    page.evaluate("() => { board.roll = () => thrown.shift(); board.focus(); }")
    while most and state.winner is None:
        most -= 1
        state = act(page, state, rng.choice(means), rng)
    return state


def act(page: Any, state: MatchState, means: str, rng: random.Random) -> MatchState:
    """Do something legal; the state after it."""
    actor = state.to_act or Player.WHITE
    levels = sorted(state.possible_wins(actor.opponent))  # without any, a resignation is not offered
    actions = state.legal_actions
    if not levels or rng.random() < 0.97:
        actions -= {Action.RESIGN}
    action = rng.choice(sorted(actions))
    argument: Any = None
    roll = rng.randint(1, 6), rng.randint(1, 6)
    page.evaluate("roll => thrown.splice(0, 1, roll)", roll)
    if action is Action.PLAY:
        argument = []
        if means == "script":
            play_by_script(page, state, rng, argument)
        else:
            while state.legal_plays.next_moves(argument):
                one_move(page, state, means, rng, argument)
            finish(page, means)
    elif action is Action.RESIGN:
        argument = rng.choice(levels).name.lower()
        press(page, "resign", means)
        page.evaluate("isThere", argument)
        press(page, argument, means)
    else:
        press(page, action.value, means if means in {"keys", "script"} else rng.choice([means, "board"]))
    message = {"action": action.value, "argument": argument}
    event, after = state.receive(message, actor, roll=lambda: roll)
    [detail] = page.evaluate("heardOf")
    assert detail == {"event": data_of(event), "state": data_of(after)}, (state, message)
    assert page.evaluate("async () => [await null, board.state][1]") == data_of(after)
    return after


def play_by_script(page: Any, state: MatchState, rng: random.Random, made: list[tuple[int, int]]) -> None:
    while moves := state.legal_plays.next_moves(made):
        move = rng.choice(moves)
        assert move.die
        play(page, str(state.on_roll), (move.from_point, move.die))
        made.append((move.from_point, move.to_point))
    page.evaluate("() => board.endTurn()")


ON_BOARD = {"roll": ".roll", "opening_roll": ".roll", "double": ".cube", "take": ".cube"}


def press(page: Any, name: str, means: str = "click") -> None:
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
    if means == "script":
        page.evaluate("name => board.shadowRoot.getElementById(name).click()", name)
        return
    place = page.evaluate("part", ON_BOARD.get(name, name) if means == "board" else name)
    if means == "touch":
        time.sleep(0.6)  # at once it would be the second of a double tap
    page.pointer([place], "touch" if means == "touch" else "mouse")
    if means == "board" and name in {"double", "take"}:
        page.pointer([place], "mouse")  # the cube has asked


@pytest.mark.parametrize("means", [["click", "drag"], ["keys"], pytest.param(["touch"], marks=pytest.mark.long)])
def test_a_match_is_played(page: Any, means: list[str]) -> None:
    """To 3 points, with the cube."""
    state = play_a_match(page, means, random.Random(5), MatchState.new(3))
    assert page.evaluate("buttons") == []
    assert state.winner
    assert f"{state.winner.name.title()} wins the match" in page.evaluate("status")


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.long)])
def test_matches_under_all_rules(chromium: Chromium, count: int) -> None:
    """Beavers and automatic doubles, pip scoring, Hypergammon, and whatever else there is."""
    rng = random.Random(count)
    for _ in range(count):
        rules = rules_by_chance(rng.choice)
        length = None if rules.scoring == "pips" else rng.choice([None, 1, 2, 5])
        play_a_match(chromium, ["script"], rng, MatchState.new(length, rules=rules), most=150)


# --- pages ---


PAGES = re.findall(
    r"(?ms)^```html\n(.*?)^```$",
    (ROOT / "docs" / "reference" / "board.md").read_text(encoding="utf-8").partition("## A match")[2],
)


def test_the_pages_of_the_reference(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """From a folder, without a server."""
    for name, text in zip(("two.html", "one.html"), PAGES, strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "match-board.js").write_text(draw.match_board_js(), encoding="utf-8")
    (tmp_path / "opponent.js").write_text(draw.opponent_js(), encoding="utf-8")
    page = open_page((tmp_path / "two.html").as_uri())
    page.evaluate(
        """() => {
            while (rules.phase(board.state) === "opening") board.shadowRoot.getElementById("opening_roll").click();
        }"""
    )
    assert page.evaluate("() => log.at(-1).action") == "opening_roll"
    page.set_viewport_size({"width": 844, "height": 390})  # a phone held sideways
    assert page.evaluate("() => document.documentElement.scrollHeight") == 390
    page = open_page((tmp_path / "one.html").as_uri())
    page.evaluate(
        """() => {
            board.roll = () => [1, 2]; // Black begins
            board.shadowRoot.getElementById("opening_roll").click();
        }"""
    )
    page.wait_for_function("board.state.on_roll === 'white' && board.shadowRoot.getElementById('roll')")
    page.get_by_role("button", name="Hint").click()
    assert "selftaught 4 would" in page.evaluate("() => board.shadowRoot.getElementById('note').textContent")


def test_the_recipe_of_a_bot_shows_what_it_has_played(chromium: Chromium) -> None:
    recipes = (ROOT / "docs" / "cookbook" / "boards.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"(?ms)^```js\n(.*?)^```$", recipes)
    state = MatchState.new(5).opening_roll(3, 1)
    assign(chromium, state=data_of(state))
    chromium.evaluate(
        """code => {
            const { legalPlays, phase } = gammonBoard.rules;
            const first = ({ position, dice }) => legalPlays(position.points, dice)[0].moves;
            const choose = (state) =>
                phase(state) === "to_roll" ? { action: "roll" } : { action: "play", argument: first(state) };
            board.roll = () => [6, 5];
            new Function("choose", "setTimeout", code)(choose, (act) => queueMicrotask(act));
            board.focus();
        }""",
        code,
    )
    play_by_script(chromium, state, random.Random(1), [])
    assert chromium.evaluate("() => board.last.events.map(({ action, by }) => [action, by])") == [["play", "black"]]
    assert chromium.evaluate("() => [board.state.on_roll, board.querySelectorAll('.die.last').length]") == ["white", 2]
    assert chromium.evaluate("() => board.querySelectorAll('.last-to').length") > 0
