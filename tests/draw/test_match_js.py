"""`match.js` says what `MatchState` says: states, legal actions, refusals, and what strangers send."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any

import match_tries
import pytest
from hypothesis import given, settings
from match_tries import Refused, Try

import node
from gammonrules import draw
from match_setups import SETUPS

AT_ONCE = 10_000
"""Tries of one process."""
PROGRAM = """
import { createInterface } from "node:readline";
const match = await import(process.argv[1]);
const facts = (state) => [
  match.phase(state), match.toAct(state), match.winner(state), match.legalActions(state),
  match.legalActions(state, "white"), match.legalActions(state, "black"), match.view(state, "white"),
];
const receive = (state, message, player, { roll, ...others }) =>
  match.receive(state, message, player, { roll: () => roll, ...others });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = ({ ...match, facts, receive })[name](...args);
  } catch (error) {
    if (!(error instanceof match.GammonError) || error.cause) throw error;
    const problems = error.problems?.map(({ path, reason, message }) => ({ path, reason, message }));
    answer = { error: error.message, reason: error.reason, problems };
  }
  console.log(JSON.stringify(answer));
}
"""


Ask = Callable[[Sequence[list[Any]]], list[Any]]


@pytest.fixture(scope="session")
def ask_match(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What `match.js` answers to these calls."""
    folder = tmp_path_factory.mktemp("match")
    script = folder / "match.mjs"
    script.write_text(draw.match_js(), encoding="utf-8")
    return lambda calls: node.answers(PROGRAM, script, calls, folder)


def check(ask: Ask, tries: Iterable[Try], agree: Callable[[Any, Any], bool] = match_tries.agree) -> None:
    """The answers agree with those of the library."""
    tries = iter(tries)
    while some := [*islice(tries, AT_ONCE)]:
        answers = ask([call for call, _ in some])
        for (call, wanted), answer in zip(some, answers, strict=True):
            assert agree(wanted, answer), (call, wanted, answer)


def is_same_verdict(wanted: Any, answer: dict[str, Any]) -> bool:
    return "error" in answer if isinstance(wanted, Refused) else answer == wanted


@pytest.mark.parametrize("count", [2_000, pytest.param(200_000, marks=pytest.mark.long)])
def test_every_step(ask_match: Ask, count: int) -> None:
    """What players and the house do, legal or not: the state after it, what is legal there, and the sentences."""
    check(ask_match, match_tries.steps(count, count))


@pytest.mark.parametrize("count", [500, pytest.param(50_000, marks=pytest.mark.long)])
def test_messages(ask_match: Ask, count: int) -> None:
    check(ask_match, match_tries.messages(count, count))


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.long)])
def test_arguments_of_any_kind(ask_match: Ask, count: int) -> None:
    """For each of the eleven actions so many values of JSON: taken or refused as in Python."""
    check(ask_match, match_tries.arguments(count, count), is_same_verdict)


@pytest.mark.parametrize("count", [500, pytest.param(50_000, marks=pytest.mark.long)])
def test_documents_of_strangers(ask_match: Ask, count: int) -> None:
    """States with something else in some place: each wrong place is named with its path."""
    check(ask_match, match_tries.strangers(count, count))


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_impossible_states(ask_match: Ask, count: int) -> None:
    """Fields that contradict each other or the rules: as many contradictions; `web/test/` has their sentences."""
    drawn: list[dict[str, Any]] = []

    @settings(max_examples=count, database=None, derandomize=True)
    @given(SETUPS)
    def draw_setup(setup: SimpleNamespace) -> None:
        drawn.append(vars(setup))

    draw_setup()
    check(ask_match, match_tries.setups(drawn))


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_new_matches(ask_match: Ask, count: int) -> None:
    check(ask_match, match_tries.new_matches(count, count))


def test_it_is_small() -> None:
    assert len(gzip.compress(draw.match_js().encode(), 9)) <= 30_500
