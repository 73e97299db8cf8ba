"""A program asked one question after another, and the verdict."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from random import Random
from typing import Any

import attrs

from gammonrules._json_protocol.client import Interview
from gammonrules._json_protocol.flat_states import board_keys, state_of_flat
from gammonrules.board import Position
from gammonrules.conformance.answers import board_of_question
from gammonrules.conformance.judging import MOVE_BY_MOVE, Fault, faults, rule_proved
from gammonrules.conformance.questions import Case, suite_version
from gammonrules.dice import Dice
from gammonrules.errors import EngineError

_PROVED = 30
"""Of how many failures of each rule it is found out which rule they break; that takes time."""
AT_RANDOM = "Boards drawn at random"
"""What stands for the rule of a question beyond the suite."""


def pips_in_question(question: Mapping[str, Any]) -> int:
    """The pips of both players on the board of a question; 0 if there is none."""
    state = question.get("state", {})
    points: Iterable[int] = question.get("points") or state.get("points") or ()
    pips = 0
    for point, count in enumerate(points):
        if count > 0:
            pips += count * point
        else:  # the opponent's, who moves in the other direction
            pips += -count * (25 - point)
    return pips


@attrs.define
class CaseCount:
    """The cases of a rule, and how many failed."""

    cases: int = 0
    failures: int = 0
    question: dict[str, Any] | None = None
    """The smallest that failed."""
    lines: list[str] = attrs.Factory(list[str])
    """What was wrong with its answer, and what proves it."""
    size: tuple[float, int] = (math.inf, 0)
    """Of this failure: in how much the answer differs, and how many pips are on the board."""

    @property
    def drawn(self) -> str:
        """The board or the state of the question; empty if there is none."""
        question = self.question or {}
        if "points" in question:
            return str(board_of_question(question))
        return str(state_of_flat(question["state"])) if "cube" in question.get("state", ()) else ""


_WITHOUT_SIZE = attrs.filters.exclude("size")


@attrs.define
class Examination:
    """What a program was asked, and where it failed."""

    program: Interview
    left_out: Counter[str] = attrs.Factory(Counter[str])
    """Questions of kinds that the program does not answer."""
    rules: dict[str, CaseCount] = attrs.Factory(dict[str, CaseCount])
    results: list[tuple[Case, str]] = attrs.Factory(list[tuple[Case, str]])
    """Each question with the rule that counts, and what was wrong with its answer; empty if nothing was."""
    failed: Counter[str] = attrs.Factory(Counter[str])
    """How many questions of each kind were not answered rightly."""
    failed_for: Counter[str] = attrs.Factory(Counter[str])
    """How many were asked for each rule, whatever they prove to be broken."""
    blamed: set[str] = attrs.Factory(set[str])
    """The rules that are broken: whatever an answer proves, and of each kind of questions the first that fails."""
    at_random: str | None = None
    """Why fewer boards were drawn at random than were asked for."""
    suite: int = attrs.Factory(suite_version)
    """The version of the suite."""
    stopped: str | None = None
    """Why the program could not be asked any more."""

    def examine(self, cases: Iterable[Case]) -> None:
        """Ask every question, until the program cannot be asked any more.

        Raises GammonError if we do not know an answer.
        """
        for case in cases:
            if not self.program.answers(case.question):
                self.left_out[case.question["ask"]] += 1
            elif self.stopped is None:
                self._examine(case)

    def _examine(self, case: Case) -> None:
        right = case.right_answer()
        try:
            reply = self.program.ask(case.question)
        except EngineError as error:
            reply = f"{error}; it was asked {json.dumps(case.question)}"
            self.stopped = reply
        fault_and_proofs = faults(case.question, right, reply)
        fault = next(fault_and_proofs, None)
        if fault is None:
            self.results.append((case, ""))
            self.rules.setdefault(case.rule, CaseCount()).cases += 1
            return
        # to find the proofs takes time: they are read where they are needed, and once
        self._count_failure(case, fault, cache(lambda: [*fault_and_proofs]))

    def _count_failure(self, case: Case, fault: Fault, proofs: Callable[[], list[Fault]]) -> None:
        """Count an answer that is wrong; the proofs are found when they are asked for."""
        rule = self._rule_broken(case, fault, proofs)
        self.results.append((attrs.evolve(case, rule=rule), fault.sentence))
        tally = self.rules.setdefault(rule, CaseCount())
        tally.cases += 1
        tally.failures += 1
        size = (fault.differences, pips_in_question(case.question))
        is_first = tally.failures == 1
        # at random, each board that fails counts as smaller than the one before
        is_smaller = size < tally.size or rule == AT_RANDOM
        if is_first or is_smaller:
            tally.question = case.question
            tally.size = size
            tally.lines = [fault.sentence, *(proof.sentence for proof in proofs())]

    def _rule_broken(self, case: Case, fault: Fault, proofs: Callable[[], list[Fault]]) -> str:
        """The rule that counts: the one that is proved, else the one for which the question was asked.

        A program that answers wrongly about plays does so about orders and perft too: these tell nothing more.
        """
        ask = case.question["ask"]
        self.failed_for[case.rule] += 1
        self.failed[ask] += 1
        answers_plays = "plays" in self.program.asks
        plays_are_wrong = answers_plays and self.failed["plays"] > 0
        plays_are_right = answers_plays and self.failed["plays"] == 0
        proved: str | None = None
        if case.rule == AT_RANDOM:
            proved = AT_RANDOM
        elif fault.rule is not None:
            proved = fault.rule
        elif ask == "orders" and plays_are_right:
            proved = MOVE_BY_MOVE
        elif self.failed_for[case.rule] <= _PROVED:
            proved = rule_proved(proofs())
        rule = case.rule if proved is None else proved
        follows_from_plays = ask in {"orders", "perft"} and plays_are_wrong
        is_first_of_kind = self.failed[ask] == 1
        is_clear = proved is not None or is_first_of_kind
        if is_clear and not follows_from_plays:
            self.blamed.add(rule)
        return rule

    def examine_random(self, number: int, seed: int, advance: Callable[[], object]) -> None:
        """Ask about this many boards; if one fails, about smaller ones too. Raises ImportError without Hypothesis."""
        from gammonrules import strategies  # noqa: I001, PLC0415  it says which extra is missing
        from hypothesis import HealthCheck, Phase, errors, find, settings, strategies as st  # noqa: PLC0415

        def fails(drawn: tuple[str, Position, Dice]) -> bool:
            """Whether the answer about a board is wrong: Hypothesis then goes on with smaller ones."""
            ask, position, dice = drawn
            question = {
                "id": len(self.results) + 1,
                "ask": ask,
                "dice": [dice.high, dice.low],
                **board_keys(position.points, position.checkers),
            }
            advance()
            self.examine([Case(AT_RANDOM, question)])
            if self.stopped is not None:  # nor is it asked any more
                return False
            _, wrong = self.results[-1]
            return wrong != ""

        kinds = [kind for kind in ("plays", "orders") if kind in self.program.asks]
        if not kinds:
            self.left_out["at random"] = number
            return
        without_time_limits = settings(
            max_examples=number,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
            database=None,
            phases=[Phase.generate, Phase.shrink],
        )
        boards = st.tuples(st.sampled_from(kinds), strategies.positions(), strategies.dice())
        try:
            # returns the smallest one that fails, and raises NoSuchExample if none does
            _ = find(boards, fails, settings=without_time_limits, random=Random(seed))  # noqa: S311
            self.at_random = (
                "no more are drawn once one fails: it was made smaller as long as it failed"
            )
        except errors.NoSuchExample:
            pass
        except errors.HypothesisException:  # one failed, but not when it was asked again
            self.at_random = "no more are drawn, since the program answers a question in two ways"

    @property
    def failures(self) -> int:
        """How many questions were not answered rightly."""
        return self.failed.total()

    @property
    def kinds(self) -> dict[str, tuple[int, int]]:
        """How many questions of each kind were asked, and how many failed."""
        asked = Counter(case.question["ask"] for case, _ in self.results)
        return {kind: (number, self.failed[kind]) for kind, number in asked.items()}

    @property
    def broken(self) -> list[tuple[str, CaseCount]]:
        """The rules with failures: first those that are broken, then those that may fail for it; in the suite's order.

        A case is asked for the last rule that its answer needs, so whoever has one rule wrong fails first in the cases
        of that rule.
        """
        broken = list[tuple[str, CaseCount]]()
        others = list[tuple[str, CaseCount]]()
        for rule, tally in self.rules.items():
            if tally.failures and rule in self.blamed:
                broken.append((rule, tally))
            elif tally.failures:
                others.append((rule, tally))
        return broken + others

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        program = {
            "name": self.program.name,
            "version": self.program.version,
            "asks": [*self.program.asks],
        }
        kinds = dict[str, Any]()
        for kind, (cases, failures) in self.kinds.items():
            kinds[kind] = {"cases": cases, "failures": failures}
        rules = list[dict[str, Any]]()
        for rule, tally in self.broken:
            plain = attrs.asdict(tally, filter=_WITHOUT_SIZE)
            rules.append({"rule": rule, "follows": rule not in self.blamed, **plain})
        return {
            "version": 1,
            "suite": self.suite,
            "program": program,
            "cases": len(self.results),
            "failures": self.failures,
            "stopped": self.stopped,
            "at_random": self.at_random,
            "left_out": dict(self.left_out),
            "kinds": kinds,
            "rules": rules,
        }
