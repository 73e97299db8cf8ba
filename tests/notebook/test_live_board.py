"""`Board` without a browser: what a page sends and gets, engines, and what strangers send."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import gammonrules.json
import loop
import wording
from bots import MuteError
from gammonrules import (
    Action,
    ArgumentError,
    Dice,
    Event,
    MatchState,
    Phase,
    Player,
    Position,
    Rules,
    Win,
    draw,
    notebook,
)
from gammonrules.errors import EngineTerminatedError
from shown import Shown

ipywidgets = pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")
traitlets = pytest.importorskip("traitlets", reason="traitlets is not installed")

WHITE, BLACK = Player.WHITE, Player.BLACK
OPENING = MatchState.new(3).opening_roll(white=3, black=1)
DOUBLED = OPENING.play("8/5 6/5").double()
MONEY_DOUBLED = MatchState(Position.start(), WHITE).double()
LAST_TWO = MatchState(Position.of({1: 2}, {6: 15}), WHITE, length=3)
"""White can only win, and a gammon."""


class Board(Shown, notebook.Board):
    """With the page that shows it."""

    @property
    def page(self) -> dict[str, Any]:
        return next(told for told in reversed(self.told) if "view" in told)

    def do(self, do: str, **more: Any) -> None:
        self.heard({"number": self.page["number"], "do": do, **more})


class Engine:
    """It plays the first play, doubles never, takes everything, and waits as long as a test wants."""

    name = "Ada"

    def __init__(self) -> None:
        self.asked: list[MatchState] = []
        self.may_answer = threading.Event()
        self.may_answer.set()

    def decide(self, state: MatchState) -> Event | Action:
        self.asked.append(state)
        assert self.may_answer.wait(10)
        match state.phase:
            case Phase.TO_PLAY:
                return Event("play", argument=state.legal_plays[0])
            case Phase.TO_ROLL:
                return Action.ROLL
            case Phase.DOUBLED:
                return Action.TAKE
            case _:
                return Event("accept")

    def hint(self, state: MatchState) -> str:
        assert self.may_answer.wait(10)
        return f"{state}\n\nRoll, I think"


def json_text(state: MatchState) -> str:
    return gammonrules.json.dumps(state)


def play_first(board: Board) -> None:
    board.do("play", argument=[(move.from_point, move.to_point) for move in board.state.legal_plays[0].moves])


# --- what a person does -----------------------------------------------------------------------------------------------


def test_a_page_gets_what_the_element_needs() -> None:
    board = Board(OPENING)
    board.heard({"ask": "view"})
    view = board.page["view"]
    assert view["svg"].startswith("<svg")
    assert view["tree"] == json.loads(json.dumps(OPENING.legal_plays.tree().data))
    assert view["actions"] == ["play", "resign"]
    assert board.page["more"] == []
    assert board.page["resignations"] == [1, 2, 3]


@loop.rows(
    ("state", "side", "levels"),
    (MatchState.new(1).opening_roll(3, 1), None, [1]),
    (MatchState.new(3), None, []),
    (LAST_TWO, None, []),
    (LAST_TWO, WHITE, []),
    (LAST_TWO, BLACK, [2]),
)
def test_a_page_offers_to_resign_what_can_still_be_lost(
    state: MatchState, side: Player | None, levels: list[int]
) -> None:
    assert Board(state, side=side).page["resignations"] == levels


def test_two_people_play_a_whole_match() -> None:
    """Nothing but what a page may send; the events are a record of it."""
    board, seen = Board(MatchState.new(3), rng=Random(5)), list[Any]()
    board.on_change(lambda state, event: seen.append((state, event)))
    while board.state.winner is None:
        match board.state.phase:
            case Phase.OPENING:
                board.do("opening_roll")
            case Phase.TO_ROLL:
                board.do(
                    "double" if board.state.cube.value == 1 and Action.DOUBLE in board.state.legal_actions else "roll"
                )
            case Phase.DOUBLED:
                board.do("take")
            case Phase.OVER:
                board.do("next_game")
            case _:
                play_first(board)
    state = MatchState.new(3)
    for event in board.events:
        state = state.apply(event)
    assert state == board.state
    assert [event for _, event in seen] == [*board.events]
    assert seen[-1][0] is board.state
    assert board.page["view"]["actions"] == []


@loop.rows(
    ("state", "do", "more", "after"),
    (DOUBLED, "drop", {}, DOUBLED.drop()),
    (OPENING, "resign", {"argument": 2}, OPENING.resign(Win.GAMMON)),
    (OPENING, "resign", {}, OPENING.resign()),
    (OPENING.resign(), "decline", {}, OPENING),
    (OPENING.resign(), "accept", {}, OPENING.resign().accept()),
    (MONEY_DOUBLED, "beaver", {}, MONEY_DOUBLED.beaver()),
)
def test_each_action_has_its_message(state: MatchState, do: str, more: dict[str, Any], after: MatchState) -> None:
    board = Board(state)
    assert do in board.page["view"]["actions"]
    board.do(do, **more)
    assert board.state == after


def test_the_page_says_neither_who_starts_nor_from_where() -> None:
    for start in ("white", {"points": [0] * 26, "checkers": 1}):
        board = Board(DOUBLED.drop())
        board.do("next_game", argument=start)
        assert (board.state, board.events) == (DOUBLED.drop(), ())


def test_a_reason_is_that_of_the_library() -> None:
    board = Board(OPENING)
    board.heard({"number": board.page["number"], "why": [24, 16, []], "id": "x"})
    assert {"id": "x", "why": str(OPENING.legal_plays.why(24, 16, []))} in board.told


def test_dice_are_those_of_the_generator() -> None:
    board, dice = Board(MatchState(Position.start(), WHITE), rng=Random(3)), Random(3)
    board.do("roll", argument=[6, 6])
    assert (board.state.dice, board.events) == (None, ())
    board.do("roll")
    assert board.state.dice == Dice(dice.randrange(1, 7), dice.randrange(1, 7))


def test_numpy_throws_the_dice_too() -> None:
    board, dice = Board(MatchState(Position.start(), WHITE), rng=np.random.default_rng(3)), np.random.default_rng(3)
    board.do("roll")
    assert board.state.dice == Dice.random(dice)


def test_a_play_is_shown_with_its_roll() -> None:
    board = Board(OPENING)
    board.do("play", argument=[[8, 5], [6, 5]])
    view = board.page["view"]
    assert view["play"] == [[8, 5], [6, 5]]
    assert "last-" in view["svg"]
    board.do("roll")
    assert board.page["view"]["play"] == []


def test_a_tie_is_thrown_again() -> None:
    class Tie(Random):
        def randrange(self, *_: Any) -> int:
            return 4

    board = Board(MatchState.new(3), rng=Tie())
    board.do("opening_roll")
    assert (board.state.phase, len(board.events)) == (Phase.OPENING, 1)


# --- back -------------------------------------------------------------------------------------------------------------


def test_undo_goes_back_to_a_decision_and_the_roll_stays() -> None:
    engine = Engine()
    board = Board(OPENING, side=WHITE, engine=engine, rng=Random(8))
    play_first(board)
    after, rolled = board.state, [event.argument for event in board.events if event.action is Action.ROLL]
    assert board.page["more"] == ["undo", "hint"]
    board.undo()
    assert (board.state, board.events, board.page["more"]) == (OPENING, (), ["hint"])
    board.do("play", argument=[[8, 5], [6, 5]])
    assert [event.argument for event in board.events if event.action is Action.ROLL] == rolled
    board.do("undo")
    play_first(board)
    assert board.state == after


def test_undo_takes_back_a_double() -> None:
    start = OPENING.play("8/5 6/5")
    board = Board(start, side=BLACK, engine=Engine())
    board.do("double")
    assert board.state.cube.value == 2
    board.undo()
    assert board.state == start
    with pytest.raises(ArgumentError) as caught:
        board.undo()
    wording.check(caught.value, "decision")


def test_a_state_that_is_set_begins_another_log() -> None:
    board, seen = Board(OPENING), list[Any]()
    play_first(board)
    board.on_change(lambda *told: seen.append(told))
    board.state = DOUBLED
    assert (board.state, board.events, seen) == (DOUBLED, (), [(DOUBLED, None)])
    board.state = Position.start()
    assert board.state == MatchState(Position.start(), WHITE)


# --- who observes it --------------------------------------------------------------------------------------------------


def told_of(board: notebook.Board) -> tuple[Any, ...]:
    return board.state, board.xgid, board.last_play, board.result, board.state_json


def test_traits_tell_what_is_on_the_board() -> None:
    """Each is told of only if it changes, when all are what they will be."""
    board, seen = Board(OPENING), list[Any]()
    assert told_of(board) == (OPENING, OPENING.xgid, "", None, json_text(OPENING))
    board.observe(lambda change: seen.append((change.name, change.old, change.new, told_of(board))))
    board.do("play", argument=[[8, 5], [6, 5]])
    played = OPENING.play("8/5 6/5")
    now = played, played.xgid, "8/5 6/5", None, json_text(played)
    names = "xgid", "last_play", "state_json", "state"
    assert [(name, told) for name, _, _, told in seen] == [(name, now) for name in names]
    assert seen[-1][1:3] == (OPENING, played)
    del seen[:]
    board.do("double")
    board.do("drop")
    dropped = DOUBLED.drop()
    assert told_of(board) == (dropped, dropped.xgid, "8/5 6/5", dropped.result, json_text(dropped))
    board.do("next_game")
    assert told_of(board)[2:4] == ("", None)
    board.state = board.state
    assert [name for name, *_ in seen].count("state") == 3


@loop.rows("name", "xgid", "last_play", "result", "state_json")
def test_what_is_told_is_not_set(name: str) -> None:
    board = Board(OPENING)
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(board, name, getattr(board, name))


def test_every_way_to_set_the_state_is_checked() -> None:
    board = Board(OPENING)
    board.set_trait("state", DOUBLED)
    assert told_of(board)[:2] == (DOUBLED, DOUBLED.xgid)
    for wrong in (None, OPENING.xgid):
        with pytest.raises(ArgumentError):
            board.state = wrong  # type: ignore[assignment]
    assert board.state == DOUBLED


def test_an_observer_that_raises_stops_nothing() -> None:
    board, seen = Board(OPENING), list[Any]()

    def wrong(change: Any) -> None:
        raise ZeroDivisionError("<b>division by zero</b>")

    board.observe(wrong, names="xgid")
    board.observe(lambda change: seen.append(change.new), names="state")
    play_first(board)
    assert seen == [board.state]
    wording.check(board.page["said"], "observe", "ZeroDivisionError", "<b>division by zero</b>")
    board.do("double")
    assert seen[1:] == [board.state]


FORGED = {
    "_esm": "alert(1)",
    "state": 1,
    "xgid": DOUBLED.xgid,
    "last_play": "8/5",
    "result": {"winner": "black"},
    "state_json": json_text(DOUBLED),
    "_mark": "x",
    "_seen": "x",
}


def test_a_page_writes_no_trait() -> None:
    """By a message of the comm, all at once and one by one; nor through marimo, which sets them past the comm."""
    board, seen = Board(OPENING), list[Any]()
    board.observe(seen.append)
    before = board.get_state()
    updates = [FORGED, *({name: value} for name, value in FORGED.items())]
    for state in updates:
        update = {"method": "update", "state": state, "buffer_paths": []}
        board.comm.handle_msg({"content": {"data": update}, "buffers": []})
    marimo = pytest.importorskip("marimo", reason="marimo is not installed")
    element = marimo.ui.anywidget(board)
    for state in updates:
        element._update(state)
    assert (told_of(board), board.get_state(), seen) == (told_of(Board(OPENING)), before, [])
    assert element.value["xgid"] == OPENING.xgid
    assert element.state == OPENING


# --- engines ----------------------------------------------------------------------------------------------------------


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(1000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it took more than ten seconds")


def test_an_engine_plays_the_other_side_in_a_thread() -> None:
    async def play() -> None:
        engine, threads = Engine(), list[threading.Thread]()
        board = Board(OPENING, side=BLACK, engine=engine)
        board.on_change(lambda *_: threads.append(threading.current_thread()))
        assert board.page["said"] == "Ada is thinking."
        await until(lambda: board.state.to_act is BLACK)
        assert board.page["said"] == ""
        assert threads == [threading.main_thread()]

    asyncio.run(play())
    assert threading.active_count() == 1 or all(thread.daemon for thread in threading.enumerate()[1:])


def test_an_answer_about_another_state_is_dropped() -> None:
    """One question at a time: the next is asked when the answer has come."""

    async def play() -> None:
        engine = Engine()
        engine.may_answer.clear()
        board = Board(OPENING, side=BLACK, engine=engine)
        other = OPENING.play("24/20").roll("65").play("24/13")
        board.state = other
        await asyncio.sleep(0.05)
        assert engine.asked == [OPENING]
        engine.may_answer.set()
        await until(lambda: board.state.to_act is BLACK)
        assert engine.asked[:2] == [OPENING, other]
        assert board.events[0].action is Action.ROLL

    asyncio.run(play())


def test_who_waits_for_an_engine_may_resign() -> None:
    async def play() -> None:
        engine = Engine()
        engine.may_answer.clear()
        board = Board(OPENING, side=BLACK, engine=engine)
        board.do("play", argument=[[8, 5], [6, 5]])
        await asyncio.sleep(0)
        wording.check(board.page["said"], "thinking")
        board.do("resign")
        engine.may_answer.set()
        await until(lambda: board.state.phase is Phase.OVER)
        assert [event.by for event in board.events] == [BLACK, WHITE]

    asyncio.run(play())


def test_a_closed_board_drops_the_answer() -> None:
    async def play() -> None:
        engine = Engine()
        engine.may_answer.clear()
        board = Board(OPENING, side=BLACK, engine=engine)
        board.close()
        engine.may_answer.set()
        await asyncio.sleep(0.1)
        assert board.state == OPENING
        board.state = DOUBLED.take()
        await asyncio.sleep(0.05)
        assert engine.asked == [OPENING]

    asyncio.run(play())


def test_a_hint_is_told_on_request() -> None:
    board = Board(OPENING, side=WHITE, engine=Engine())
    board.do("hint")
    assert board.page["hint"] == "Roll, I think"
    play_first(board)
    assert board.page["hint"] == ""


def test_no_hint_where_nobody_evaluates() -> None:
    class Silent:
        def decide(self, state: MatchState) -> Action:
            raise AssertionError

    board = Board(OPENING, engine=Silent())
    assert board.page["more"] == []
    board.do("hint")
    wording.check(board.page["said"], "hint")


class Failing(Engine):
    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def decide(self, state: MatchState) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@loop.rows(
    ("answer", "named"),
    (EngineTerminatedError("bgsage: it was closed"), "closed"),
    (ZeroDivisionError("division by zero"), "ZeroDivisionError"),
    (MuteError(), "its text cannot be shown"),
    (None, "None"),
    (Event("play", argument="24/18"), "24/18"),
)
def test_what_an_engine_does_wrong_is_said(answer: Any, named: str) -> None:
    board = Board(OPENING, side=BLACK, engine=Failing(answer))
    wording.check(board.page["said"], "Ada", named)
    assert board.state == OPENING
    board.state = board.state.play("8/5 6/5")
    assert board.page["said"] == ""


def test_an_engine_may_be_named() -> None:
    """The board starts it; it decides and hints."""
    board = Board(OPENING, side=BLACK, engine="selftaught")
    assert board.last_play == "8/5 6/5"
    board.do("hint")
    assert "selftaught 4" in board.page["hint"]


def test_an_engine_that_dies_meanwhile_is_said() -> None:
    async def play() -> None:
        board = Board(OPENING, side=BLACK, engine=Failing(OSError("gone")))
        await until(lambda: "gone" in board.page["said"])

    asyncio.run(play())


# --- what is wrong ----------------------------------------------------------------------------------------------------


def test_a_callback_that_raises_stops_nothing() -> None:
    board, seen = Board(OPENING), list[Any]()

    def wrong(state: MatchState, event: Event | None) -> None:
        raise ZeroDivisionError("<b>division by zero</b>\n" * 100)

    board.on_change(wrong)
    board.on_change(lambda state, event: seen.append(state))
    play_first(board)
    assert seen == [board.state]
    wording.check(board.page["said"], "on_change", "ZeroDivisionError", "<b>division by zero</b>")
    assert len(board.page["said"]) == 300


def test_a_callback_whose_error_cannot_be_shown() -> None:
    board = Board(OPENING)

    def wrong(state: MatchState, event: Event | None) -> None:
        raise MuteError

    board.on_change(wrong)
    play_first(board)
    wording.check(board.page["said"], "on_change", "MuteError: its text cannot be shown")


def test_a_callback_may_set_the_state() -> None:
    board = Board(OPENING)
    board.on_change(lambda state, event: setattr(board, "state", OPENING) if event else None)
    play_first(board)
    assert (board.state, board.events) == (OPENING, ())
    play_first(board)
    assert board.state == OPENING


@loop.rows(
    ("options", "named"),
    ({"state": "4HPwATDgc/ABMA"}, "state"),
    ({"side": "red"}, "side"),
    ({"engine": "sage"}, "engine"),
    ({"engine": 2}, "engine"),
    ({"rng": 5}, "rng"),
    ({"look": "round"}, "look"),
    ({"flip": 1}, "flip"),
)
def test_arguments_are_checked(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        notebook.Board(**{"state": OPENING, **options})
    wording.check(caught.value, named)


def test_only_functions_are_called() -> None:
    with pytest.raises(ArgumentError):
        Board(OPENING).on_change(None)  # type: ignore[arg-type]


@loop.rows(
    "message",
    {},
    {"number": -1, "do": "play", "argument": [[24, 23], [24, 21]]},
    {"number": [1], "do": {}},
    {"number": 1, "do": ["play"]},
    {"number": 1, "do": "roll"},
    {"number": 1, "do": "undo"},
    {"number": 1, "do": "forfeit"},
    {"number": 1, "do": "play"},
    {"number": 1, "do": "play", "argument": "x" * 100_000},
    {"number": 1, "do": "play", "argument": [[10**400, "<b>"]] * 1000},
    {"number": 1, "do": "resign", "argument": 7},
    {"number": 1, "why": ["a", None, 3], "id": []},
    {"number": 1, "why": [24, 23, [[1, 2, 3, 4]]], "id": 4},
    {"ask": ["view"]},
)
def test_a_strangers_message_changes_nothing(message: Any) -> None:
    board = Board(OPENING, rng=Random(1))
    assert board.page["number"] == 1
    board.heard(message)
    assert (board.state, board.events) == (OPENING, ())
    assert len(board.page["said"]) < 400


@loop.rows(
    "message",
    {"content": None},
    {"content": {"data": []}},
    {"content": {"data": {"method": "custom", "content": "text"}}},
)
def test_what_is_no_message_of_a_board_is_dropped(message: Any) -> None:
    board = Board(OPENING)
    before = board.get_state(), len(board.told)
    board._handle_msg(message)
    assert (board.get_state(), len(board.told)) == before


def test_a_late_page_is_shown_the_present() -> None:
    """As of two front ends on one kernel: one has not seen what the other did."""
    board = Board(OPENING)
    late = board.page["number"]
    play_first(board)
    after = board.state
    board.heard({"number": late, "do": "play", "argument": [[8, 5], [6, 5]]})
    assert (board.state, board.page["number"]) == (after, late + 1)


def test_the_side_plays_nobody_elses_turn() -> None:
    board = Board(OPENING, side=BLACK)
    assert (board.page["view"]["tree"], board.page["view"]["actions"]) == (None, ["resign"])
    play_first(board)
    assert board.state == OPENING
    wording.check(board.page["said"], "White")


@loop.rows(
    "state",
    DOUBLED.drop(),
    MatchState.new(1).opening_roll(3, 1).resign().accept(),
    MatchState.new(None, rules=Rules(start="hypergammon")).opening_roll(3, 1),
    Position.of({1: 1}, {1: 1}, checkers=1),
)
def test_any_state_is_shown(state: MatchState | Position) -> None:
    board = Board(state, look="depth", flip=True)
    assert board.page["view"]["svg"].startswith("<svg")
    assert board.page["view"]["actions"] == sorted(board.state.legal_actions)


def test_what_travels_is_small() -> None:
    """The script comes on request, once for a page; each board has a loader."""
    board = Board(OPENING)
    assert len(json.dumps(board.get_state(), default=str)) < 3_000
    board.heard({"ask": "script"})
    assert draw.match_board_js(module=True) in board.told[-1]["script"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is displayed, with the id under which it is renewed."""
    outputs = list[Any]()
    for name in ("display", "update_display"):
        monkeypatch.setattr(
            f"gammonrules.notebook._widget.{name}",
            lambda data, raw, display_id=None, name=name: outputs.append((name, data, display_id)),
        )
    return outputs


def test_a_still_picture_goes_along(shown: list[Any]) -> None:
    board = Board(OPENING)
    board.state = DOUBLED
    assert shown == []  # nobody has displayed it
    board._ipython_display_()
    (_, widget, no_id), (_, still, mark) = shown
    assert widget["application/vnd.jupyter.widget-view+json"]["model_id"] == board.model_id
    assert (widget["text/html"], no_id) == ("", None)
    assert mark in still["text/html"]
    play = board.state.take()
    board.state = play
    name, renewed, again = shown[-1]
    assert (name, again) == ("update_display", mark)
    assert renewed["text/html"] != still["text/html"]
    board.close()
    board._ipython_display_()
    assert [data for _, data, _ in shown[3:]] == [renewed]
