"""What bots lose in the decisions of the benchmark: programs that go wrong, and the published decisions."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_bench import PLAYS, asked, program, worst

import loop
from gammonrules.arena._benchmark_decisions import read_decisions
from gammonrules.errors import EngineReplyError


def test_the_published_decisions_are_right() -> None:
    """They are trusted when they are read, so they are read as those of a stranger here."""
    published = read_decisions(None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gammonrules.arena._benchmark_decisions.PUBLISHED", "")
        assert read_decisions(None) == published


@loop.rows(
    ("play", "words", "is_illegal"),
    ('{"do": "play", "moves": [[24, 1]]}', "it decided play '24/1', which is not legal", True),
    ('{"points": "?"}', "", False),
    ('{"do": 5}', "this is no action", False),
    ('{"error": "not yet"}', "its answer is refused: this is no decision: {", False),
    ('{"points": state["points"]}', "no legal play leads to this position", True),
    ('{"id": id + 1000, "do": "roll"}', "the id of the answer is", False),
)
def test_programs_that_go_wrong(tmp_path: Path, play: str, words: str, *, is_illegal: bool) -> None:
    """A sentence for each answer that does not count; the cubes have a number all the same."""
    results = asked(program(tmp_path, play))
    bad = [answer for answer in results.answers if answer.ask == "plays"]
    assert all(words in answer.problem and answer.problem for answer in bad), bad[0].problem
    if words:
        assert {answer.is_illegal for answer in bad} == {is_illegal}
    assert results.stopped is None
    assert results.plays.loss == asked(worst).plays.loss
    assert results.cubes.decisions > 0


@loop.rows(
    ("play", "words"),
    ("sys.exit(3)", "it has ended"),
    ("time.sleep(60)", "did not answer"),
    ("print('x' * (1 << 24))", "it writes without end"),
)
def test_programs_that_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play: str, words: str) -> None:
    """What was answered until then is told."""
    monkeypatch.setattr("gammonrules._json_protocol.client._MAX_LATE", 1)
    monkeypatch.setattr("gammonrules._shared.work.programs._SECONDS_TO_END", 0.1)
    results = asked(program(tmp_path, f"{play} if id > 3 else {{'do': 'double'}}"), timeout=1)
    assert words in (results.stopped or "")
    assert len(results.answers) < PLAYS
    assert [answer.is_illegal for answer in results.answers[:3]] == [True] * 3


@loop.rows(
    ("hello", "words"),
    ('{"protocol": 2}', "it knows protocol 2, and this is 1"),
    ('{"asks": ["plays"]}', "an answer to hello has a name"),
    *((f'{{"wants": {wants}}}', "and can only want") for wants in ('["moves"]', '"plays"', "5", "None")),
)
def test_programs_of_another_kind(tmp_path: Path, hello: str, words: str) -> None:
    with pytest.raises(EngineReplyError, match=words):
        asked(program(tmp_path, hello=hello))
