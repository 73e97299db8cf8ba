"""A program is a stranger: whatever it says or does, there is a verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import attrs
import pytest

import loop
import reference
import suite
import wording
import wrong_plays
from gammonrules._json_protocol import client
from gammonrules._json_protocol.client import Interview
from gammonrules._shared.work import Program
from gammonrules.cli.conform import _failures
from gammonrules.conformance import answer
from gammonrules.conformance.asking import ASKS, interviewed
from gammonrules.conformance.examining import AT_RANDOM, Examination
from gammonrules.conformance.questions import Case, core
from gammonrules.errors import EngineError, EngineReplyError, EngineStartError, EngineTimeoutError

BOARD = [0, -1, *[0] * 21, 1, 0, 0]
CASES = [Case("the rule", {"id": n, "ask": "plays", "points": BOARD, "dice": [6, n]}) for n in (1, 2, 3)]
CLOSED = Case("the rule", {"id": 2, "ask": "plays", "points": [0, *[0] * 18, *[-2] * 6, 1], "dice": [6, 5]})
RIGHT = [json.dumps(answer(case.question)) for case in CASES]
HELLO = json.dumps({"id": 0, "name": "Stranger", "version": "7", "asks": ["plays", "songs"]})
FAKE = Path(__file__).parent.parent / "engine" / "fake_engine.py"


class Answers:
    """What stands for a program: its lines, or None where none comes in time."""

    who = "stranger"

    def __init__(self, *lines: str | None) -> None:
        self.lines = [*lines]
        self.heard: list[dict[str, Any]] = []

    def write(self, line: str) -> None:
        self.heard.append(json.loads(line))

    def read(self, _: float) -> str:
        line = self.lines.pop(0) if self.lines else None
        if line is None:
            raise EngineTimeoutError("stranger: it did not answer in time")
        return line


def judged(*lines: str | None, cases: list[Case] = CASES) -> Examination:
    verdict = Examination(Interview(cast("Program", Answers(HELLO, *lines)), 1, ASKS))
    verdict.examine(cases)
    return verdict


def sentences(*lines: str | None) -> list[str]:
    return [sentence for _, sentence in judged(*lines).results]


def test_a_right_program() -> None:
    verdict = judged(*RIGHT)
    assert (verdict.program.name, verdict.program.version, verdict.program.asks) == ("Stranger", "7", ["plays"])
    assert (verdict.failures, verdict.kinds, verdict.broken, verdict.stopped) == (0, {"plays": (3, 0)}, [], None)
    assert verdict.program.unknown == ["'songs'"]


@loop.rows(
    "line, words",
    ("Loading...", "Loading"),
    ("[]", "[]"),
    ('{"id": 1, "points": [[NaN]]}', "NaN"),
    ("[" * 100_000, "[[["),
    *((f'{{"id": 1, "points": {"[" * deep}0{"]" * deep}}}', "[[[") for deep in range(900, 1_000, 7)),
    ('{"id": 1, "points": "' + "[" * 1_000 + '"}', "points"),
    ('{"id": 1, "points": ' + "9" * 5_000 + "}", "999"),
    (RIGHT[0].encode("utf-16").decode("utf-8", "replace"), "id"),
    (RIGHT[0].replace('"id": 1', '"id": 9'), "9, not 1"),
    (RIGHT[0].replace('"id": 1', '"id": "1"'), "'1', not 1"),
    (RIGHT[0].replace('"id": 1', '"id": true'), "True, not 1"),
    (RIGHT[0].replace('"id": 1', '"id": {}'), "{}, not 1"),
    ('{"id": 1}', "points"),
    ('{"id": 1, "error": "\\u001b[31m\\ud800"}', "x1b"),
)
def test_a_wrong_line_is_one_failure(line: str, words: str) -> None:
    """What comes after it is judged as if nothing had been."""
    first, *others = sentences(line, *RIGHT[1:])
    wording.check(first, words)
    assert others == ["", ""]


def test_answers_twice_late_or_out_of_order() -> None:
    """An answer counts for its own question alone, and an answer to an earlier one is waited out."""
    twice = sentences(RIGHT[0], RIGHT[0], RIGHT[1], RIGHT[2])
    assert [bool(sentence) for sentence in twice] == [False, True, False]
    wording.check(twice[1], "1, not 2")
    late = sentences(None, RIGHT[0], RIGHT[1], RIGHT[2])
    assert [bool(sentence) for sentence in late] == [True, False, False]
    wording.check(late[0], "1 seconds")
    swapped = sentences(RIGHT[1], RIGHT[0], None, RIGHT[2])
    assert [bool(sentence) for sentence in swapped] == [True, True, False]


def test_a_program_that_is_late_again_and_again_is_asked_no_more() -> None:
    verdict = judged(cases=CASES * 2)
    assert len(verdict.results) == verdict.failures == 3
    wording.check(verdict.stopped, "in time")


def test_an_answer_tells_which_rule_is_broken() -> None:
    """A board twice; no board where nothing can be played; half a turn, whatever the case was asked for."""
    half = [[*BOARD[:17], 1, *[0] * 8]]
    for case, boards, rules in (
        (CASES[1], 2 * json.loads(RIGHT[1])["points"], ["Plays that lead to the same position are one play"]),
        (CLOSED, [], ["A turn without a legal play is one empty play; a finished game has none"]),
        (CASES[1], json.loads(RIGHT[1])["points"] + half, ["Both dice if possible"]),
        (CASES[1], half, ["the rule", "Both dice if possible"]),
    ):
        again = attrs.evolve(case, rule="Both dice if possible", question=case.question | {"id": 3})
        replies = [json.dumps({"id": number, "points": boards}) for number in (2, 3)]
        assert [rule for rule, _ in judged(*replies, cases=[case, again]).broken] == rules


def test_orders_tell_something_where_plays_are_right() -> None:
    """Who has plays wrong as well hears of their rule first; who has only the orders wrong, of a turn move by move."""
    hello = HELLO.replace('"songs"', '"orders"')
    for case, plays, rules in (
        (CASES[1], RIGHT[0], ["A turn move by move: every order that is a legal play, and no other"]),
        (CASES[1], '{"id": 1, "points": []}', ["the rule", "orders"]),
        (CLOSED, RIGHT[0], ["A turn without a legal play is one empty play; a finished game has none"]),
    ):
        orders = Case("orders", case.question | {"ask": "orders"})
        answers = Answers(hello, plays, '{"id": 2, "orders": []}')
        verdict = Examination(Interview(cast("Program", answers), 1, ASKS))
        verdict.examine([CASES[0], orders])
        assert [rule for rule, _ in verdict.broken] == rules


def test_what_the_program_does_not_answer_is_left_out() -> None:
    verdict = judged(*RIGHT, cases=[Case("x", {"id": 9, "ask": "perft", "start": "standard", "depth": 9}), *CASES])
    assert (verdict.failures, dict(verdict.left_out), len(verdict.results)) == (0, {"perft": 1}, 3)


def test_a_program_may_answer_a_part_of_a_kind() -> None:
    ids = [{"id": 2, "ask": "identifiers", "kind": kind, "text": "AAAAAAAAAAAAAA"} for kind in ("position", "ogid")]
    hello = json.dumps(
        {"id": 0, "name": "x", "version": "1", "asks": ["identifiers:position", "identifiers:songs", []]}
    )
    verdict = Examination(Interview(cast("Program", Answers(hello, json.dumps(answer(ids[0])))), 1, ASKS))
    verdict.examine([*(Case("identifiers", question) for question in ids), *CASES])
    assert (verdict.failures, dict(verdict.left_out)) == (0, {"identifiers": 1, "plays": 3})
    assert verdict.program.unknown == ["'identifiers:songs'", "[]"]


@loop.rows(
    "hello",
    "?",
    '{"id": 1, "name": "x", "version": "1", "asks": ["plays"]}',
    '{"id": 0, "name": "x", "version": 1, "asks": ["plays"]}',
    '{"id": 0, "name": "x", "version": "1", "asks": "plays"}',
    '{"id": 0, "name": "x", "version": "1", "asks": ["songs", 5, null]}',
)
def test_no_answer_to_hello(hello: str) -> None:
    with wording.tells(EngineReplyError, "stranger", "hello"):
        Interview(cast("Program", Answers(hello)), 1, ASKS)


def fails_with(wrong: Callable[[dict[str, Any]], bool], *kinds: str) -> Examination:
    """The verdict on a program that answers nothing where this is so, asked about boards at random."""
    verdict = judged(cases=[])
    verdict.program.asks = kinds

    def ask(question: dict[str, Any]) -> dict[str, Any] | str:
        return "wrong" if wrong(question) else answer(question)

    verdict.program.ask = ask  # type: ignore[method-assign]
    verdict.examine_random(12, 1, lambda: None)
    return verdict


def test_boards_at_random() -> None:
    """The smallest one that fails is shown; the seed decides, and nothing is stored."""
    verdict, again = (fails_with(lambda question: question["points"][25] > 0, "plays") for _ in range(2))
    ((rule, tally),) = verdict.broken
    assert rule == AT_RANDOM
    assert tally.question is not None
    assert tally.question["points"][25] == sum(count for count in tally.question["points"] if count > 0) == 1
    assert "BAR" in tally.drawn
    assert again.broken == verdict.broken
    right = fails_with(lambda _: False, "plays", "orders")
    assert (right.failures, {*right.kinds}, len(right.results)) == (0, {"plays", "orders"}, 12)
    assert right.at_random is None
    assert "one fails" in str(verdict.at_random)
    assert fails_with(lambda _: True, "table").left_out == {"at random": 12}


def test_a_program_that_changes_its_mind() -> None:
    calls = iter(range(10_000))
    verdict = fails_with(lambda _: next(calls) == 10, "plays")
    assert verdict.failures == 1
    assert "two ways" in str(verdict.at_random)


def test_the_smallest_case_is_shown() -> None:
    """The one with the fewest wrong boards, then with the fewest pips."""
    near = Case("the rule", {"id": 4, "ask": "plays", "points": [0, -1, 0, 0, 0, 1, *[0] * 20], "dice": [6, 5]})
    cases, lines = [*CASES, near], list[str]()
    for case, wrong in zip(cases, (3, 1, 2, 1), strict=True):
        boards = answer(case.question)["points"] + [[0, -count, *[0] * 24] for count in range(2, 2 + wrong)]
        lines.append(json.dumps({"id": case.question["id"], "points": boards}))
    assert {tally.size[0] for _, tally in judged(*lines[:1], cases=cases[:1]).broken} == {3}
    assert [tally.question for _, tally in judged(*lines, cases=cases).broken] == [near.question]


def test_what_fails_because_of_another_rule_comes_after_it() -> None:
    plays = wrong_plays.WAYS["nothing is hit"][1]

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        results = plays(suite.board_in(question["points"], question.get("checkers", 15)), tuple(question["dice"]))
        return {"points": [[*reference.signed(after)] for after in results]}

    verdict = judged(cases=[])
    verdict.program.ask = ask  # type: ignore[method-assign]
    verdict.examine([case for case in core() if case.question["ask"] == "plays"][::50])
    (first, _), *others = verdict.broken
    assert (verdict.blamed, "a blot is hit" in first, len(others) > 3) == ({first}, True, True)
    lines = [*_failures(verdict)]
    heading = next(number for number, line in enumerate(lines) if "perhaps only because" in line)
    assert any(line.startswith(first) for line in lines[:heading])
    assert all(any(line.startswith(rule) for line in lines[heading:]) for rule, _ in others)


# --- real processes ---------------------------------------------------------------------------------------------------


def verdict_on(script: str, folder: Path, timeout: float = 1) -> Examination:
    """The verdict on a program that follows a script."""
    (folder / "script").write_text(f"> {{\n< {HELLO}\n{script}", encoding="latin-1")
    with interviewed([sys.executable, "-I", "-S", str(FAKE), str(folder / "script")], timeout, ubgi=False) as program:
        verdict = Examination(program)
        verdict.examine(CASES)
    assert verdict.results, "it was not asked"
    return verdict


def all_of(*lines: str) -> str:
    return "".join(f"> {{\n{line}\n" for line in lines)


RIGHTLY = [f"< {line}" for line in RIGHT]


def test_a_program_is_asked_through_its_pipes(tmp_path: Path) -> None:
    verdict = verdict_on(all_of(f"flood stderr\n{RIGHTLY[0]}", *RIGHTLY[1:]), tmp_path, 10)
    assert (verdict.failures, verdict.stopped) == (0, None)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (all_of(RIGHTLY[0], "! panic at the bar"), "panic at the bar"),
        (all_of(RIGHTLY[0], f"<{RIGHTLY[1]}\nwait"), "did not answer within"),
        (all_of(RIGHTLY[0], "flood"), "without end"),
    ],
)
def test_a_program_that_cannot_be_asked_any_more(
    script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies, stands still, leaves a line unfinished, writes without end: what was asked until then counts."""
    monkeypatch.setattr(client, "_MAX_LATE", 1)
    monkeypatch.setattr("gammonrules._shared.work.programs._SECONDS_TO_END", 0.1)
    verdict = verdict_on(script, tmp_path)
    assert [bool(sentence) for _, sentence in verdict.results] == [False, True]
    wording.check(verdict.stopped, "python", words, "it was asked {", longest=600)


def test_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client._AnsweringProgram, "longest_line", 1_000)
    verdict = verdict_on(all_of(RIGHTLY[0], '< {"points": [' + "[7], " * 300), tmp_path)
    wording.check(verdict.stopped, "without end")


@loop.rows(
    ("command", "kind"),
    (["no-such-program"], EngineStartError),
    ([sys.executable, "-I", "-S", "-c", "print('Welcome!')"], EngineError),
)
@loop.rows("ubgi", False, True)
def test_a_program_that_does_not_start(command: list[str], kind: type[Exception], *, ubgi: bool) -> None:
    with pytest.raises(kind) as error, interviewed(command, 1, ubgi=ubgi):
        pass
    wording.check(error.value, Path(command[0]).name)


def test_a_program_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The most common reason is named: its output waits in a buffer."""
    monkeypatch.setattr(client, "SECONDS_TO_START", 0.3)
    command = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]
    with pytest.raises(EngineTimeoutError) as error, interviewed(command, 0.1, ubgi=False):
        pass
    wording.check(error.value, "within 0.3 seconds", "at once", "a start has 0.3 seconds", "--timeout")
