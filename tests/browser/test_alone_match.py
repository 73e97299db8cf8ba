"""The `<gammon-board>` on which people play a whole match without a server."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

import loop
from fuzzing.tables import random_rules, random_table
from gammonrules import Action, Dice, Event, MatchState, Player, Position, Rules, Win, draw
from gammonrules.json import dumps, loads
from gammonrules.rules import MONEY as MONEY_RULES, TOURNAMENT
from test_alone import BOARD, REASON, assign, finish, page_of, play, write
from test_board import KINDS_OF_PICTURES, Chromium, a_firefox, one_move, opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
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


def data_of(value: MatchState | Event) -> Any:
    return json.loads(dumps(value))


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_table_looks_as_the_library_draws_it(chromium: Chromium, count: int) -> None:
    """With its lines, and what stands on the board. Where it is not one's turn, nothing is offered."""
    rng = random.Random(count)
    for _ in range(count):
        state = random_table(rng)
        kind: Any = rng.choice(KINDS_OF_PICTURES)
        flip = rng.random() < 0.5
        waiting = state.to_act and str(state.to_act.opponent)
        assert assign(chromium, state=data_of(state), player=waiting, flip=flip, **kind) is None
        svg = draw.svg.table(state, bottom=Player.BLACK if flip else Player.WHITE, **kind)
        is_drawn, should = chromium.evaluate("svg => [table(board), table(parsed(svg))]", svg)
        assert is_drawn == should, (state, kind, flip)


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
    page.evaluate("() => board.done()")


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
        rules = random_rules(rng)
        length = None if rules.scoring == "pips" else rng.choice([None, 1, 2, 5])
        play_a_match(chromium, ["script"], rng, MatchState.new(length, rules=rules), most=150)


# --- what can be chosen ---


def show(page: Any, state: MatchState, **more: object) -> None:
    """A state, without a word about what was before it, with dice of the test."""
    assign(page, player=None, state=data_of(state), **more)
    page.evaluate("() => { board.roll = () => thrown.shift(); events.length = 0; }")
    page.evaluate("async () => { await null; }")


ROLLED = MatchState.new(5, rules=TOURNAMENT).opening_roll(3, 1)
TO_ROLL = ROLLED.play("8/5 6/5")
DOUBLED = TO_ROLL.double()
MONEY = MatchState.new(None, rules=MONEY_RULES).opening_roll(3, 1).play("8/5 6/5")


@loop.rows(
    ("state", "names"),
    (MatchState.new(5), ["opening_roll"]),
    (ROLLED, ["resign"]),
    (TO_ROLL, ["double", "roll", "resign"]),
    (DOUBLED, ["drop", "take", "resign"]),
    (MONEY.double(), ["drop", "beaver", "take", "resign"]),
    (MONEY.double().beaver(), ["drop", "take", "resign"]),
    (TO_ROLL.resign(), ["decline", "accept"]),
    (DOUBLED.resign("gammon"), ["decline", "accept"]),
    (DOUBLED.drop(), ["next_game"]),
    (MatchState.new(1).opening_roll(3, 1).resign().accept(), []),
    (MatchState.new(1).opening_roll(3, 1).play("8/5 6/5"), ["roll", "resign"]),
)
def test_the_buttons_are_what_is_legal(chromium: Chromium, state: MatchState, names: list[str]) -> None:
    """None of them where the other is to act, but an opening roll and a next game."""
    show(chromium, state)
    assert chromium.evaluate("buttons") == names
    for player in Player:
        assign(chromium, player=str(player))
        expected = names if state.to_act in {None, player} else []
        assert chromium.evaluate("buttons") == expected
        offered = chromium.evaluate("() => board.querySelectorAll('[data-action], .movable').length > 0")
        assert offered == bool({"opening_roll", "double", "take", "roll"} & {*expected} or expected == ["resign"])


@loop.rows(
    ("state", "name", "words"),
    (TO_ROLL, "double", "Double from 1"),
    (DOUBLED, "take", "Take at 2"),
    (MONEY.double(), "beaver", "Beaver at 4"),
    (DOUBLED.resign("gammon"), "accept", "Accept a gammon"),
)
def test_the_buttons_say_how_much(chromium: Chromium, state: MatchState, name: str, words: str) -> None:
    show(chromium, state)
    assert chromium.evaluate("name => board.shadowRoot.getElementById(name).textContent", name) == words


def told(page: Any, state: MatchState) -> MatchState:
    """The state after the one event that was told, which is on the board."""
    [detail] = page.evaluate("heardOf")
    event = loads(json.dumps(detail["event"]))
    assert isinstance(event, Event)
    after = state.apply(event)
    assert page.evaluate("() => board.state") == detail["state"] == data_of(after)
    return after


def test_who_resigns_is_asked_how_much(page: Any) -> None:
    """Of the levels that the other can still win, and it can be left."""
    for state, levels in ((TO_ROLL, ["single", "gammon", "backgammon"]), (one_off(DOUBLED.take()), ["single"])):
        show(page, state)
        before = page.evaluate("buttons")
        press(page, "resign")
        assert page.evaluate("buttons") == [*before, *levels]
        press(page, "resign")
        assert page.evaluate("buttons") == before
        press(page, "resign")
        press(page, levels[-1])
        assert told(page, state) == state.resign(Win[levels[-1].upper()])


def one_off(state: MatchState) -> MatchState:
    """With a checker of each borne off, so that nobody wins a gammon."""
    position = Position.of({6: 14}, {6: 14})
    return attrs.evolve(state, position=position)


def test_a_tie_is_said_and_rolled_again(page: Any) -> None:
    """In money play it may turn the cube."""
    for state in (MatchState.new(5), MatchState.new(None, rules=Rules(auto_doubles=1))):
        show(page, state)
        page.evaluate("() => thrown.splice(0, 9, [5, 5], [2, 6])")
        press(page, "opening_roll")
        after = told(page, state)
        assert "5-5: roll again" in page.evaluate(
            "() => [...board.shadowRoot.querySelectorAll('p')].map(one => one.textContent).join()"
        )
        press(page, "opening_roll", "board")
        assert told(page, after).on_roll is Player.BLACK
        assert "roll again" not in page.evaluate("() => board.shadowRoot.getElementById('note').textContent")


def test_a_page_refuses_and_the_turn_is_open_again(page: Any) -> None:
    """With its moves; a page may also show another state instead."""
    show(page, ROLLED)
    play(page, "white", (8, 3), (6, 1))
    page.evaluate("() => { isRefused = true; board.done(); }")
    page.evaluate("async () => { await null; }")
    assert page.evaluate("() => [board.complete, board.moves, events.length, board.state.dice]") == [
        True,
        [[8, 5], [6, 5]],
        1,
        [3, 1],
    ]
    show(page, TO_ROLL)
    press(page, "double")
    assert page.evaluate("() => [events.length, board.state.offer]") == [1, None]
    assert page.evaluate("buttons") == ["double", "roll", "resign"]
    page.evaluate(
        """other => {
            isRefused = false;
            addEventListener("gammon-event", () => { board.state = other; }, { once: true });
        }""",
        data_of(DOUBLED.drop()),
    )
    press(page, "double")
    assert page.evaluate("async () => [await null, board.state][1]") == data_of(DOUBLED.drop())


def test_a_page_that_assigns_the_state_that_is_there_refuses_nothing(chromium: Chromium) -> None:
    """As frameworks do whenever they render."""
    show(chromium, TO_ROLL)
    chromium.evaluate(
        "same => addEventListener('gammon-event', () => { board.state = same; }, { once: true })", data_of(TO_ROLL)
    )
    press(chromium, "double")
    assert told(chromium, TO_ROLL) == DOUBLED


def test_without_dice_of_the_page_nobody_rolls(page: Any) -> None:
    for state, names in ((TO_ROLL, ["double", "resign"]), (MatchState.new(5), [])):
        assign(page, player=None, roll=None, state=data_of(state))
        assert page.evaluate("buttons") == names
        assert page.evaluate("() => board.querySelector('.roll')") is None
        assert "no dice" in page.evaluate("() => board.shadowRoot.getElementById('note').textContent")
        assert "no dice" in page.evaluate("status")
    page.evaluate("async () => { board.roll = () => [6, 1]; await null; }")
    assert page.evaluate(
        "() => [board.shadowRoot.getElementById('note').textContent, !board.querySelector('.roll')]"
    ) == ["", False]


def test_dice_that_are_none_change_nothing(page: Any) -> None:
    show(page, TO_ROLL)
    for wrong in ("null", "[7, 1]", "[3]", "Promise.resolve([3, 1])"):
        page.evaluate(f"() => {{ board.roll = () => {wrong}; }}")
        page.evaluate("async () => { await null; board.shadowRoot.getElementById('roll').click(); await null; }")
        assert page.evaluate(REASON)
        assert page.evaluate("() => [events.length, board.state]") == [0, data_of(TO_ROLL)]
    page.evaluate(
        "async () => { board.roll = () => [3, 1]; await null; board.shadowRoot.getElementById('roll').click(); }"
    )
    assert told(page, TO_ROLL).dice == Dice(3, 1)


# --- what is given ---


@loop.over(
    ("name", "value"),
    [
        *(
            ("state", value)
            for value in (5, "", "x", "[]", "null", {}, [], data_of(ROLLED) | {"dice": [7, 1]}, "a" * 10**6)
        ),
        *(("state", value) for value in (data_of(ROLLED) | {"length": -1}, data_of(ROLLED) | {"extra": 1})),
        *(("player", value) for value in (1, "", "White", "both", ["white"])),
        *(("roll", value) for value in (5, "", [3, 1], {})),
    ],
)
def test_what_is_wrong_is_one_error_and_changes_nothing(chromium: Chromium, name: str, value: Any) -> None:
    """Of a property; an attribute's stands on the board."""
    show(chromium, ROLLED)
    play(chromium, "white", (8, 3))
    kept = "() => [board.innerHTML, board.state, board.player, board.moves]"
    before = chromium.evaluate(kept)
    error = assign(chromium, **{name: value})
    assert error[0] == "GammonError"
    assert chromium.evaluate(kept) == before
    if name == "roll":
        return
    text = value if isinstance(value, str) else json.dumps(value)
    chromium.evaluate("async ([name, text]) => { board.setAttribute(name, text); await null; }", [name, text])
    assert chromium.evaluate(REASON)
    assert chromium.evaluate(kept) == before
    chromium.evaluate("async name => { board.removeAttribute(name); await null; }", name)


def test_the_state_is_said_by_attributes_too(write: Callable[..., str], open_page: Callable[..., Page]) -> None:
    text = dumps(DOUBLED).replace("'", "&#39;")
    board = f"<gammon-board player=white state='{text}' look=depth></gammon-board>"
    page = open_page(write(page_of(board, module=True)), expected=("favicon",))
    assert page.evaluate("() => [board.state, board.player]") == [data_of(DOUBLED), "white"]
    assert page.evaluate("() => board.position") == [*DOUBLED.position.points]


def test_what_is_equal_keeps_the_moves(chromium: Chromium) -> None:
    show(chromium, ROLLED)
    play(chromium, "white", (8, 3))
    for more in (
        {"state": data_of(ROLLED)},
        {"look": "depth"},
        {"player": "white"},
        {"words": {"points": "{count} P"}},
    ):
        assign(chromium, **more)
        assert chromium.evaluate("() => [board.moves, group(5, 'white').dataset.count]") == [[[8, 5]], "1"]
    assert "0 P" in chromium.evaluate("() => board.querySelector('.score').textContent")
    assign(chromium, words={"points": "{count} points"})


def test_a_match_ends_on_the_board_with_a_position_or_a_view(chromium: Chromium) -> None:
    show(chromium, TO_ROLL)
    assign(chromium, position=[*Position.start().points], dice="31")
    assert chromium.evaluate("() => [board.state, board.dice, board.checkers]") == [None, [3, 1], 15]
    assert chromium.evaluate("buttons") == []
    show(chromium, TO_ROLL)
    chromium.evaluate("show", {"svg": draw.svg.table(ROLLED), "tree": ROLLED.legal_plays.tree().data})
    assert chromium.evaluate("() => [board.state, board.side]") == [None, "white"]
    assert chromium.evaluate("buttons") == []


def test_words_of_a_match(chromium: Chromium) -> None:
    """A function of the fields too; what is neither is refused."""
    before = chromium.evaluate("() => JSON.stringify(board.words)")
    assert assign(chromium, words={"next_game": 5})[0] == "TypeError"
    assert chromium.evaluate("() => JSON.stringify(board.words)") == before
    show(chromium, DOUBLED.drop())
    chromium.evaluate(
        """async () => {
            const points = ({ count }) => `${count} Punkte`;
            board.words = { white: "Anna", next_game: "Weiter", points, one_point: "1 Punkt" };
            await null;
        }"""
    )
    texts = "() => [...board.querySelectorAll('.score, .standing, .name')].map(one => one.textContent)"
    assert {"Anna", "0 Punkte · 163 pips"} <= {*chromium.evaluate(texts)}
    assert chromium.evaluate("() => board.shadowRoot.getElementById('next_game').textContent") == "Weiter"


# --- the other side ---


def test_the_play_of_the_other_side_is_shown_move_by_move(chromium: Chromium) -> None:
    """The board knows it from the state before; a state that does not follow is there at once."""
    steps = """async ([before, after]) => {
        Object.assign(board, { player: "black", state: before, speed: 300 });
        await null;
        const seen = new Set(), look = () => seen.add(group(5, "white").dataset.count);
        new MutationObserver(look).observe(board, { childList: true });
        board.state = after;
        const during = new Promise(go => setTimeout(() => go(buttons().length), 50));
        await new Promise(go => setTimeout(go, 1500));
        const told = status();
        board.speed = 0;
        return [[...seen], await during, told, buttons()];
    }"""
    chromium.page.emulate_media(reduced_motion="no-preference")
    seen, during, words, after = chromium.evaluate(steps, [data_of(ROLLED), data_of(TO_ROLL)])
    assert seen[0] == "1"
    assert during == 0
    assert after == ["double", "resign"]
    assert "White: 8/5 6/5" in words
    assert "Black: on roll" in words


@pytest.mark.parametrize("between", [[], [ROLLED, TO_ROLL]])
def test_no_button_is_there_before_the_play(chromium: Chromium, between: list[MatchState]) -> None:
    """Not where the page assigns the state again meanwhile, nor where the next play begins before this one is over."""
    steps = """async ([before, after, between]) => {
        const pause = ms => new Promise(go => setTimeout(go, ms));
        Object.assign(board, { player: "black", state: before, speed: 900 });
        await null;
        for (const state of [after, ...between, after]) {
            board.state = state;
            await pause(100);
        }
        await pause(200);
        const during = buttons();
        await pause(3000);
        board.speed = 0;
        return [during, buttons()];
    }"""
    chromium.page.emulate_media(reduced_motion="no-preference")
    states = [data_of(ROLLED), data_of(TO_ROLL), [data_of(state) for state in between]]
    assert chromium.evaluate(steps, states) == [[], ["double", "resign"]]


# --- pages ---


def test_looks(open_page: Callable[..., Page], url: str, look: dict[str, Any], violations: Any, picture: Any) -> None:
    page = open_page(url, **look, expected=("favicon",))
    page.evaluate("styled", ":root { color-scheme: light dark }")
    upright = {"layout": "portrait"} if look["width"] < 500 else {}
    for name, state in {"roll": TO_ROLL, "offer": MONEY.double(), "over": DOUBLED.drop()}.items():
        show(Chromium(page), state, look="depth", theme="auto", **upright)
        if name == "roll":
            page.evaluate("() => board.shadowRoot.getElementById('resign').click()")
        assert violations(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"alone-match-{name}-{look['width']}")


PAGES = re.findall(
    r"(?ms)^```html\n(.*?)^```$",
    (ROOT / "docs" / "reference" / "board.md").read_text(encoding="utf-8").partition("## A match")[2],
)


def test_the_pages_of_the_reference(open_page: Callable[..., Page], write: Callable[..., str], tmp_path: Path) -> None:
    """One of them from a folder, without a server."""
    for_two, with_bot = PAGES
    (tmp_path / "index.html").write_text(for_two, encoding="utf-8")
    (tmp_path / "alone.js").write_text(draw.alone_js(), encoding="utf-8")
    page = open_page((tmp_path / "index.html").as_uri())
    page.evaluate(
        """() => {
            while (rules.phase(board.state) === "opening") board.shadowRoot.getElementById("opening_roll").click();
        }"""
    )
    assert page.evaluate("() => log.at(-1).action") == "opening_roll"
    page = open_page(write({"index.html": with_bot, "alone.js": draw.alone_js(module=True)}, {}), expected=("404",))
    page.wait_for_function("board.state")
    page.evaluate(
        """() => {
            board.roll = () => [1, 2]; // Black begins
            board.shadowRoot.getElementById("opening_roll").click();
        }"""
    )
    page.wait_for_function("board.state.on_roll === 'white' && board.shadowRoot.getElementById('roll')")


def test_a_board_with_the_wrong_script_says_so(open_page: Callable[..., Page], tmp_path: Path) -> None:
    (tmp_path / "board.js").write_text(draw.board_js(), encoding="utf-8")
    for name in ("position", "state"):
        board = f"<gammon-board {name}='{{}}'></gammon-board>"
        page = f"<!DOCTYPE html><title>A board</title><script src=board.js></script>{board}"
        (tmp_path / "index.html").write_text(page, encoding="utf-8")
        assert f'"{name}" needs alone.js' in open_page((tmp_path / "index.html").as_uri()).inner_text("gammon-board")


def test_the_console_says_that_the_other_script_came_first(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """Otherwise a state that is assigned would be lost without a word."""
    (tmp_path / "board.js").write_text(draw.board_js(), encoding="utf-8")
    (tmp_path / "alone.js").write_text(draw.alone_js(), encoding="utf-8")
    said = "<script>console.error = text => { document.title = text; }</script>"
    scripts = "".join(f"<script src={name}.js></script>" for name in ("board", "alone"))
    (tmp_path / "index.html").write_text(f"<!DOCTYPE html>{said}{scripts}", encoding="utf-8")
    assert open_page((tmp_path / "index.html").as_uri()).title().startswith("board.js was loaded before alone.js")


def test_the_script_twice_and_the_other_besides(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """One global variable, whose class is that of the element where it comes first."""
    (tmp_path / "board.js").write_text(draw.board_js(), encoding="utf-8")
    (tmp_path / "alone.js").write_text(draw.alone_js(), encoding="utf-8")
    scripts = "".join(f"<script src={name}.js></script>" for name in ("alone", "board", "alone"))
    (tmp_path / "index.html").write_text(f"<!DOCTYPE html>{scripts}<gammon-board></gammon-board>", encoding="utf-8")
    page = open_page((tmp_path / "index.html").as_uri())
    assert page.evaluate("() => document.querySelector('gammon-board') instanceof gammonBoard.GammonBoard")
    assert page.evaluate("() => [Object.keys(gammonBoard), typeof gammonBoard.rules.newMatch]") == [
        ["GammonBoard", "rules"],
        "function",
    ]
