"""Bots that go wrong, and names that are none: one sentence that says who, in which pair, and where; nothing stays."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from test_arena_laws import NO_CUBE, SHORT

import arena_calls
import loop
import processes
import wording
from arena_bots import MuteEngineError
from bots import MuteError, first, hitting
from gammonrules import Action, Event, GammonError, MatchState, Rules, arena
from gammonrules.arena import _work_units
from gammonrules.errors import ArgumentError, BotError, EngineTerminatedError
from gammonrules.records import load
from matches_in_batch import WRONG_STARTS, anything

Decide = Callable[[MatchState], Any]


def says(what: object) -> Decide:
    return lambda _: what


def raises(error: Exception) -> Decide:
    def bot(_: MatchState) -> NoReturn:
        raise error

    return bot


def forever(state: MatchState) -> Any:
    return forever(state)


def busy(_: MatchState) -> NoReturn:
    while True:
        pass


def runs(state: MatchState) -> Any:
    return Event(Action.PLAY, state.to_act, "24/1") if state.dice else first(state)


def of_the_other(state: MatchState) -> Any:
    event = first(state)
    return Event(event.action, state.to_act.opponent, event.argument) if isinstance(event, Event) else event


LATE = ["0.2 seconds"]
"""Said of a bot that takes longer; all others have time, since the machine may be busy."""


def failed(bot: Any, opponent: Any = first, **options: Any) -> str:
    """The sentence with which an arena ends."""
    settings: dict[str, Any] = {"rules": NO_CUBE, "games": 4, "workers": 1} | options
    with pytest.raises(BotError) as caught:
        arena_calls.play({"Bad one": bot, "opponent": opponent}, **settings)
    wording.check(caught.value, "Bad one against opponent", "pair", longest=700)
    return str(caught.value)


@loop.over(
    "bot, words",
    [
        (raises(ValueError("no idea")), ["Bad one: ", "ValueError", "no idea", "XGID="]),
        (raises(ValueError("x\ny" * 100_000)), ["ValueError", "XGID="]),
        (raises(MuteError()), ["Bad one: ", "raised MuteError", "XGID="]),
        (raises(MuteEngineError()), ["its text cannot be shown"]),
        (forever, ["RecursionError"]),
        (says(None), ["None", "XGID="]),
        (says("8/5 6/5"), ["8/5 6/5"]),
        (says("x" * 1_000_000), ["xxx"]),
        (says(Action.OPENING_ROLL), ["opening_roll"]),
        (runs, ["24/1", "not legal"]),
        (says(Action.DOUBLE), ["double", "not legal"]),
        (of_the_other, ["black", "not to act"]),
        (lambda _: time.sleep(30), LATE),
        (busy, LATE),
    ],
    ids=lambda case: str(case[1]),
)
def test_a_bot_that_goes_wrong(bot: Decide, words: list[str]) -> None:
    timeout = 0.2 if words == LATE else 60
    wording.check(failed(bot, timeout=timeout), *words, longest=700)


@loop.over(
    "choose, cube, words",
    [
        (lambda turns, _: 1 / 0, None, ["ZeroDivisionError"]),
        (lambda turns, _: raises(MuteError())(turns), None, ["raised MuteError"]),
        (lambda turns, _: None, None, ["choose"]),
        (lambda turns, _: turns.offsets[1:], None, ["choose"]),
        (hitting, lambda states, _: ["take"] * len(states), ["take"]),
        (hitting, lambda states, _: states.nothing, ["AttributeError"]),
    ],
    ids=lambda case: str(case[2]),
)
def test_a_policy_that_goes_wrong(choose: Any, cube: Any, words: list[str]) -> None:
    for opponent in (first, arena.Policy(hitting)):
        sentence = failed(arena.Policy(choose, cube), opponent, rules=SHORT)
        wording.check(sentence, ": Bad one: ", "XGID=", *words, longest=700)


def test_a_function_of_turns_is_no_bot() -> None:
    """It is asked with a state, and told what makes a player of it."""
    wording.check(failed(lambda state: state.random_rows()), "AttributeError", "arena.Policy", longest=700)


def mute_from_the_start() -> NoReturn:
    raise MuteError


@loop.rows("bot", raises(MuteError()), raises(MuteEngineError()), arena.EnginePlayer(mute_from_the_start))
def test_who_raises_what_cannot_be_shown_forfeits_or_is_dropped(bot: Any) -> None:
    players = {"Bad one": bot, "first": first, "second": first}
    settings: dict[str, Any] = {"rules": NO_CUBE, "games": 4, "workers": 1, "seed": 1}
    results = arena_calls.play(players, **settings, on_error="drop")
    assert "its text cannot be shown" in dict(results.dropped)["Bad one"]
    if isinstance(bot, arena.EnginePlayer):  # it is in no game that it could forfeit
        return
    results = arena_calls.play(players, **settings, on_error="forfeit")
    forfeits = [dict(zip(pairing.players, pairing.forfeits, strict=True)) for pairing in results.pairings]
    assert [each.get("Bad one") for each in forfeits] == [4, 4, None]


def test_what_fails_beside_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with the pair; there is no file that it would be about."""
    monkeypatch.setattr(_work_units, "play_match", lambda *_, **__: {}["no such key"])
    sentence = failed(first)
    wording.check(sentence, "KeyError", "no such key")
    assert "file" not in sentence


WAYS: dict[str, Callable[[], object]] = {
    "signal 9": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "status 3": lambda: os._exit(3),
    "status 1": sys.exit,
}


@pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX")
@pytest.mark.long
@pytest.mark.parametrize("how", WAYS)
def test_what_a_bot_does_to_its_process(how: str) -> None:
    """It prints, goes to another folder, and ends in the third pair: two are counted, and no process stays."""
    seen = list[MatchState]()
    arena.play([lambda state: seen.append(state) or first(state), first], games=6, rules=NO_CUBE, workers=1)
    last, end, finished, before = seen[-1], WAYS[how], list[int](), processes.children()

    def bot(state: MatchState) -> Any:
        sys.stdout.write("noise")
        os.write(1, b"noise")
        os.chdir("/")
        return end() if state == last else first(state)

    sentence = failed(bot, games=8, workers=2, progress=lambda running: finished.append(running.finished))
    wording.check(sentence, "pair 3", "process", how, longest=700)
    assert finished == [2, 4, 4]  # once more before the error
    assert processes.children() == before


# Names --------------------------------------------------------------------------------------------------------------


UNNAMED = [".my:bot", "my..x:bot", "my.:bot", "math:.sin", "math:sin.", "math:", ":sin", "math.1:sin"]
"""A part of each is empty, or cannot be the name of anything."""


@loop.over(
    "players, words",
    [
        ([], ["2 to 64", "0"]),
        ([first], ["2 to 64", "1"]),
        ([first] * 65, ["64", "65"]),
        ("gnubg:1", ["players"]),
        (7, ["players", "7"]),
        ([first, 7], ["7"]),
        ({"": first, "b": first}, ["name"]),
        ({"a\nb": first, "b": first}, ["name"]),
        ({"a" * 101: first, "b": first}, ["name", "100"]),
        ([first, "gnubg:９"], ["gnubg"]),
        ([first, 'ubgi:"no end'], ["ubgi"]),
        ([first, "gnubg:0"], ["gnubg:0", "N-ply is level N+1"]),
        ([first, "nothing"], ["nothing", "module:function"]),
        ([first, "no_such_module:bot"], ["no_such_module:bot", "there is no no_such_module.py in this folder"]),
        ([first, "math:no_such"], ["math:no_such", "there is no no_such in "]),
        ([first, "math:pi"], ["math:pi"]),
        ([first, "math:sin;ls"], ["math:sin;ls"]),
        *[([first, name], [name, "module:function"]) for name in UNNAMED],
        ({"a": first, "b": f"{'x' * 100_000}:bot"}, ["there is no xxx"]),
        ({"a": first, "b": f"{'x.' * 50_000}x:bot"}, ["x.x.x", "cannot be imported"]),
        ({"a": first, "b": f"{'x.' * 50_000}py:bot"}, ["x.x.x", "cannot be imported"]),
        ({"a": first, "b": f"math:{'x' * 100_000}"}, ["math:xxx", "there is no xxx"]),
    ],
    ids=lambda case: str(case[1]),
)
def test_who_is_no_player(players: Any, words: list[str]) -> None:
    with wording.tells(ArgumentError, *words):
        arena.play(players, games=2, workers=1)


@loop.rows("name", "progress")
def test_what_is_called_is_a_function(name: str) -> None:
    wrong: dict[str, Any] = {name: 5}
    with wording.tells(ArgumentError, name, "function", "5"):
        arena_calls.play([first, first], games=2, workers=1, **wrong)


def test_names_of_players(tmp_path: Path) -> None:
    """Equal ones are numbered; a program may have blanks and colons in its path; one that is not there is named."""
    results = arena.play([first, first, "bots:first", first], games=2, rules=NO_CUBE, workers=1)
    assert results.players == ("first", "first 2", "bots:first", "first 3")
    results = arena_calls.play({"Zoë: 1": first, "x" * 100: first}, games=2, rules=NO_CUBE, records=tmp_path, workers=1)
    assert results.pairings[0].players == ("Zoë: 1", "x" * 100)
    for command in ("/no such/engine: x", f"'{tmp_path}/no such engine' -x"):
        with pytest.raises(BotError) as caught:
            arena.play([first, f"ubgi:{command}"], games=2, rules=NO_CUBE, workers=1)
        wording.check(caught.value, "no such", longest=700)


def test_an_engine_that_ends_in_mid_game(tmp_path: Path) -> None:
    fake = Path(__file__).parents[1] / "engine" / "fake_engine.py"
    script = tmp_path / "a script"
    script.write_text("> ubgi\n< id name Fake|proto 0.2|ubgiok\n> isready\n< readyok\n> \n")
    command = f"ubgi:{sys.executable} {fake} '{script}'"
    sentence = failed(first, command, games=2, timeout=None)
    wording.check(sentence, "pair 1", "ended", longest=900)


def test_players_that_cannot_be_sent_to_other_processes() -> None:
    lock = threading.Lock()
    with wording.tells(ArgumentError, "workers=1", "process"):
        arena.play([lambda state: lock and first(state), first], games=2, rules=NO_CUBE, workers=2)


def test_a_player_that_says_nothing_about_it() -> None:
    class Unsendable:
        def __call__(self, state: MatchState) -> Any:
            return first(state)

        def __reduce__(self) -> NoReturn:
            raise MuteError

    with wording.tells(ArgumentError, "workers=1", "MuteError: its text cannot be shown"):
        arena.play([Unsendable(), first], games=2, rules=NO_CUBE, workers=2)


def test_a_module_that_raises_what_cannot_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mute_module.py").write_text("from bots import MuteError\nraise MuteError\n")
    monkeypatch.syspath_prepend(tmp_path)
    with wording.tells(ArgumentError, "mute_module:bot cannot be imported", "MuteError: its text cannot be shown"):
        arena.play([first, "mute_module:bot"], games=2, workers=1)


def test_records_state_any_rules(tmp_path: Path) -> None:
    rules = Rules(auto_doubles=1, backgammons=False)
    arena_calls.play([first, first], games=2, rules=rules, records=tmp_path, workers=1)
    assert {load(path).rules for path in tmp_path.iterdir()} == {rules}


def test_a_long_sentence_of_a_bot_fits_into_the_file(tmp_path: Path) -> None:
    """A bot that asks a program may raise an error of ours with all that it said; the file can be gone on with."""
    saved = tmp_path / "arena.jsonl"
    players = {"Bad one": raises(EngineTerminatedError("castle " * 100_000)), "first": first, "second": first}
    for _ in range(2):
        results = arena_calls.play(players, rules=NO_CUBE, games=4, workers=1, seed=1, save=saved, on_error="drop")
        assert len(str(results)) < 4_000
    assert max(map(len, saved.read_text("utf-8").splitlines())) < 4_000


@loop.over("start, error, words", WRONG_STARTS)
def test_starts_that_are_none(start: object, error: type[GammonError], words: str) -> None:
    with wording.raises(error, words):
        arena.play([arena.Policy(anything)] * 2, games=2, start=start)


@loop.rows(
    ("setting", "value", "words"),
    ("table", 3, ("a two-sided table", "as table", "3")),
    ("table", "", ("path of its file, as table", "''")),
    ("records", 3, ("path of a folder as records", "3")),
    ("exclude", [3], ("exclude must be the name of a player", "[3]")),
    ("rerun", ["x"] * 65, ("at most 64 names",)),
)
def test_a_wrong_setting_is_named(setting: str, value: object, words: tuple[str, ...]) -> None:
    with pytest.raises(ArgumentError) as refused:
        arena.Options(**{setting: value})  # type: ignore[arg-type]
    wording.check(str(refused.value), *words)


def test_settings_that_are_no_options_get_advice() -> None:
    with wording.raises(ArgumentError, "write options=arena.Options("):
        arena.play({"first": first, "second": first}, games=2, options={"on_error": "drop"})  # type: ignore[arg-type]
