"""A bot behind UBGI: the published dialogues, whole matches with our own client, and whatever else may come in."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from typing import Any
from unittest import mock

import attrs
import pytest
import ubgi_dialogues
from hypothesis import assume, given, settings, strategies as st

import loop
import wording
from gammonrules import Action, ArgumentError, Cube, Dice, Event, MatchState, Player, Win, strategies
from gammonrules.engine import Bot, serve_ubgi
from gammonrules.engine._ubgi_bot import UbgiBot

ASKED = b"position gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo\n"


def deciding(decisions: Iterator[str]) -> Bot:
    """A bot that decides this in turn, whatever it is asked."""

    def bot(state: MatchState) -> Event | Action:
        said = next(decisions)
        if said == "raise":
            raise RuntimeError("no idea\n" * 1000)
        if said == "resign":
            return Event(Action.RESIGN, state.to_act, Win.SINGLE)
        return Event(Action.PLAY, state.to_act, said) if "/" in said else Action(said)

    return bot


@loop.over("dialogue", ubgi_dialogues.held_by("engine"), ids=ubgi_dialogues.title)
def test_dialogues(dialogue: dict[str, Any]) -> None:
    """It says exactly this, but that what follows the code of an error is ours; and the bot is asked this often."""
    decisions = iter(dialogue["decisions"])
    held, bot = [], UbgiBot(deciding(decisions), "Bot", "unknown", None)
    for line in dialogue["lines"]:
        if line.startswith(">"):
            answers = bot.answers(line[2:])
            held += [line, *(f"< {answer}".rstrip() for answer in answers)]
            for error in answers:
                wording.check(error or "a blank line")
    assert [re.sub(r"^(< error \S+) .+", r"\1", line) for line in held] == dialogue["lines"]
    assert bot.is_over == ("> quit" in held)
    assert [*decisions] == []


@given(strategies.match_states(phase="to_play"))
def test_an_xgid_says_the_whole_state(state: MatchState) -> None:
    """With the rules that the bot is served with; the identifier drops what it cannot state."""
    assume(len(state.legal_plays) > 1)
    seen = list[MatchState]()

    def bot(asked: MatchState) -> Event:
        seen.append(asked)
        return Event(Action.PLAY, asked.to_act, asked.legal_plays[0])

    ubgi = UbgiBot(bot, "Bot", "unknown", state.rules)
    assert ubgi.answers(f"position xgid {state.xgid}") == []
    [answer] = ubgi.answers("go")
    assert answer.startswith("bestmove ")
    expected = MatchState.from_xgid(state.xgid, state.rules)
    assert seen == [attrs.evolve(expected, rules=attrs.evolve(expected.rules, beavers=0))]


def test_after_a_double_the_cube_is_turned() -> None:
    """In the same turn; an earlier double, or an earlier game, leaves nothing."""
    seen = list[tuple[Any, ...]]()

    def bot(state: MatchState) -> Event | Action:
        seen.append((state.cube, state.dice))
        return Event(Action.PLAY, argument=state.legal_plays[0]) if state.dice else Action.DOUBLE

    doubled = MatchState.new(None).opening_roll(white=1, black=3).play("8/5 6/5").double()
    ask = ASKED.decode().replace("go", "go turn")
    lines = f"position xgid {doubled.xgid}\n{ask}position xgid {doubled.take().xgid}\nnewgame\n{ask}"
    serve_ubgi(bot, input=BytesIO(lines.encode()), output=BytesIO())
    assert seen == 2 * [(Cube(), None), (Cube(2, Player.BLACK), Dice(3, 1))]


def test_standard_output_is_given_back(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a bot that closed it."""
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO()))
    bot: Any = lambda _: sys.stdout.close() or os.write(1, b"inside")  # noqa: E731
    serve_ubgi(bot, input=BytesIO(ASKED))
    os.write(1, b"over")
    said, printed = capfd.readouterr()
    assert re.fullmatch(r"error internal .*\nover", said)
    assert printed == "inside"


def test_it_ends_when_nobody_reads_its_answers() -> None:
    output = mock.Mock(**{"flush.side_effect": BrokenPipeError})
    serve_ubgi(deciding(iter(())), input=BytesIO(b"ubgi\n" * 9), output=output)
    output.flush.assert_called_once_with()


def answered(asked: bytes, **others: Any) -> bytes:
    answers = BytesIO()
    serve_ubgi(deciding(iter(())), input=BytesIO(asked), output=answers, **others)
    return answers.getvalue()


def test_lines_of_any_length_and_bytes() -> None:
    for long in (b"x" * 4_097, b" " * 20_000 + b"quit", b"\xff" * 9_000):
        answer = answered(b"\0\r\n \n" + long + b"\nisready\r\n\0isready\nisready")
        assert re.fullmatch(rb"error bad_command .{1,80}\n" + b"readyok\n" * 3, answer), answer
    assert answered(b" " * 4_096 + b"\nquit\nisready\n") == b""
    assert answered(b"\xff\x00\xfe\nisready\n").endswith(b"readyok\n")


def test_a_warning_that_was_made_an_error() -> None:
    doubtful = b"position xgid XGID=-b----E-C---eE---c-e----B-:2:0:1:31:0:0:0:0:10\nisready\n"
    assert re.fullmatch(rb"error bad_value .+ cube of 4,.+\nreadyok\n", answered(doubtful))


WORDS = "0 1 2 3 6 7 99999999999 value game.variant backgammon"
STARTS = sorted(
    {line[2:] for dialogue in ubgi_dialogues.ALL for line in dialogue["lines"] if line.startswith("> ")} - {"quit"}
)
LINES = st.sampled_from(STARTS) | st.lists(st.sampled_from([*WORDS.split(), *" ".join(STARTS).split()])).map(" ".join)


@pytest.mark.filterwarnings("ignore::gammonrules.IdentifierWarning")
@settings(max_examples=12)
@given(st.lists(LINES | st.text(max_size=9), max_size=9))
def test_it_goes_on_whatever_is_said(lines: list[str]) -> None:
    """Every line has at most the answers of a greeting, each of them one line."""
    bot = UbgiBot(deciding(iter(())), "Bot", "unknown", None)
    for line in lines:
        answers = bot.answers(line)
        assert len(answers) <= 5
        for answer in answers:
            wording.check(answer or "a blank line", longest=1_000)
    assert bot.answers("ubgi")[0] == "id name Bot"


@loop.rows(
    "arguments, words",
    ({"bot": Action.ROLL}, "bot"),
    ({"rules": "money"}, "money"),
    ({"name": "a\nubgiok"}, "ubgiok"),
    ({"author": "x" * 101}, "author"),
)
def test_arguments(arguments: dict[str, Any], words: str) -> None:
    with wording.tells(ArgumentError, words):
        serve_ubgi(**{"bot": print, "input": BytesIO(), "output": BytesIO(), **arguments})
