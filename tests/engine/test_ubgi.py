"""UBGI in its dialects: what is sent, line by line, and how the answers are read."""

from __future__ import annotations

import pytest
from test_programs import HELLO, QUESTION, READY, STATE, TO_DOUBLE, Fakes, made_fakes, play_of

import loop
import wording
from gammonrules import Action, ArgumentError, Event, MatchState, Rules
from gammonrules.engine import EngineStartError, EngineUnsupportedError, SimpleEngine

__all__ = ["made_fakes"]

FIRST_DRAFT = """\
> ubgi
< id name Old
< id version 7
< readyok
> XGID=-E-b-b--D-b---e-F---bb----:0:0:1:62:0:0:3:0:10
< 8-2 8-6
> XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
< 8 5 6 5
> XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:7:10
< double
> XGID=-b---BD-B---eE---c-e----B-:0:0:-1:D:0:0:0:7:10
< drop
> quit
"""
FIRST_DRAFT_FIBS = """\
> ubgi
< readyok
> XGID=
< sorry
> board:White:Black:9999:0:0:0:5:0:-2:0:-2:0:0:4:0:-2:0:0:0:-5:0:6:0:0:0:-2:-2:0:0:0:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:
< 8/6 8/2
> board:White:Black:7:0:0:
< 6/5 8/5
> board:White:Black:7:0:0:
< roll
> board:White:Black:7:0:0:
< take
> quit
"""
VERSION_0_1 = """\
> ubgi
< id name Wild
< id version 0.3
< option name Threads type spin default 1 min 1 max 64
< option name EvalPlies type spin default 2 min 0 max 7
< ubgiok
> setoption name EvalMode value cubeful
> isready
< readyok
> setoption name EvalPlies value 1
> isready
< readyok
> newgame
> isready
< error unknown_command
< readyok
> position gnubgid 2MCHwQwf8AA/AA
> dice 6 2
> go role chequer
< info nodes 1
< bestmove {probed}
< bestmoveid {probed}
> isready
< readyok
> position gnubgid 4HPwATDgc/ABMA
> dice 3 1
> go role chequer
< bestmove {played}
> quit
"""
VERSION_0_2 = """\
> ubgi
< id name Sage 0.3
< proto 0.2
< key engine.ply int 1..4 1 ! root-inclusive
< ubgiok
> set EvalMode cubeful
> isready
< readyok
> set engine.ply 2
> isready
< readyok
> newgame
> isready
< readyok
> position gnubgid 2MCHwQwf8AA/AA
> dice 6 2
> go chequer
< bestmove {probed}
> isready
< readyok
> position gnubgid 4HPwATDgc/ABMA
> dice 3 1
> go chequer
< info nodes 3
< bestmove {played}
> quit
"""


@pytest.mark.parametrize(
    ("script", "name", "action", "answer"),
    [(FIRST_DRAFT, "Old 7", Action.DOUBLE, Action.DROP), (FIRST_DRAFT_FIBS, "python", Action.ROLL, Action.TAKE)],
)
def test_the_first_draft(fakes: Fakes, script: str, name: str, action: Action, answer: Action) -> None:
    """A state goes out in one line, as an XGID or else as a board line of FIBS, and what to do there comes back."""
    with fakes.ubgi(script) as engine:
        assert engine.name.startswith(name)
        assert play_of(engine) == "8/5 6/5"
        for state, wanted in ((TO_DOUBLE, action), (TO_DOUBLE.double(), answer)):
            found = engine.decide(state)
            assert (found.action if isinstance(found, Event) else found) is wanted
        with pytest.raises(EngineUnsupportedError, match="crawford"):
            engine.decide(MatchState.new(7, rules=Rules(crawford=False)).opening_roll(3, 1))
    assert fakes.all_ended()


@pytest.mark.parametrize(
    ("script", "probed", "played"),
    [
        (VERSION_0_1, "X8gAPwDYwIfBDA", "sGfwATDgc/ABMA"),
        (VERSION_0_1, "8/6 8/2", "8/5 6/5"),
        (VERSION_0_2, "8/2 8/6", "8/5 6/5"),
    ],
)
def test_later_versions(fakes: Fakes, script: str, probed: str, played: str) -> None:
    """A position and a roll go out, and a play, or the position after it, comes back; there is no cube."""
    script = script.format(probed=probed, played=played)
    with fakes.ubgi(script, level=2, options={"EvalMode": "cubeful"}) as engine:
        assert engine.level == "2-ply"
        assert play_of(engine) == "8/5 6/5"
        for state in (TO_DOUBLE, TO_DOUBLE.double(), STATE.resign()):
            with pytest.raises(EngineUnsupportedError):
                engine.decide(state)
        for question in (engine.evaluate, engine.candidates):
            with pytest.raises(EngineUnsupportedError):
                question(STATE)
        without = MatchState.new(None, rules=Rules(cube=False)).opening_roll(3, 1).play("8/5 6/5")
        assert engine.decide(without) is Action.ROLL
    assert fakes.all_ended()


def test_spellings(fakes: Fakes) -> None:
    """With stars or without, joined or not, with words or numbers."""
    entering = MatchState.from_xgid("XGID=-BBB-BC---------------abbA:0:0:1:31:0:0:0:0:10")
    entered = ["bar/22*/21", "bar/22* 22/21", "25/22 22/21", "bar-22 22-21", "25 22 22 21", "BAR/21"]
    last = MatchState.from_xgid("XGID=-B-BCD---------------b-b--:0:0:1:44:0:0:0:0:10")
    borne_off = ["5/1(3) 4/off", "5/1 5/1 5/1 4/0"]
    said = [(entering, "bar/22*/21", one) for one in entered] + [(last, "5/1(3) 4/off", one) for one in borne_off]
    with fakes.ubgi(READY + "".join(f"{QUESTION}< bestmove {one}\n" for *_, one in said)) as engine:
        for state, play, one in said:
            assert play_of(engine, state) == play, one


@loop.over(
    "script, words",
    [
        ("> ubgi\n< ubgiok\n> x", "level"),
        (HELLO.replace("> newgame", "> set"), "level"),
        (VERSION_0_2.replace("> newgame", "> never").replace("> isready\n<", "> isready\n< error bad_value 2\n<"), "2"),
        ("> ubgi\n< readyok\n> x", "options"),
    ],
)
def test_settings_that_are_refused(fakes: Fakes, script: str, words: str) -> None:
    with pytest.raises(EngineStartError) as caught:
        fakes.ubgi(script, level=2 if words == "level" else None, options={"EvalMode": "cubeful"})
    wording.check(caught.value, words)


@loop.over(
    "arguments",
    [
        {"command": []},
        {"command": ["x", 1]},
        {"command": None},
        {"command": b"x"},
        {"level": 0},
        {"level": 6},
        {"options": 5},
        {"options": {"a\nb": 1}},
        {"options": {"a": "b\nquit"}},
        {"options": {"": 1}},
        {"options": {1: 1}},
        {"options": {"a": "x" * 300}},
        {"options": dict.fromkeys(map(str, range(101)))},
        {"timeout": 0},
    ],
)
def test_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(ArgumentError) as caught:
        SimpleEngine.ubgi(**{"command": "no-such-program", **arguments})  # type: ignore[arg-type]
    wording.check(caught.value)
