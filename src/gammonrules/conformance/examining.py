"""A program asked one question after another, and the verdict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from random import Random
from typing import Any

import attrs

from gammonrules.conformance.answers import position_of
from gammonrules.conformance.asking import Interview
from gammonrules.conformance.judging import MOVE_BY_MOVE, Fault, faults, rule_proved
from gammonrules.conformance.questions import Case
from gammonrules.conformance.states import board_keys, state_of
from gammonrules.errors import EngineError

_PROVED = 30
"""Of how many failures of each rule it is found out which rule they break; that takes time."""
AT_RANDOM = "Boards drawn at random"
"""What stands for the rule of a question beyond the suite."""


@attrs.define
class Tally:
    """The cases of a rule, and how many failed."""

    cases: int = 0
    failures: int = 0
    question: dict[str, Any] | None = None
    """The first that failed."""
    lines: list[str] = attrs.Factory(list[str])
    """What was wrong with its answer, and what proves it."""

    @property
    def drawn(self) -> str:
        """The board or the state of the question; empty if there is none."""
        question = self.question or {}
        if "points" in question:
            return str(position_of(question))
        return str(state_of(question["state"])) if "cube" in question.get("state", ()) else ""


@attrs.define
class Verdict:
    """What a program was asked, and where it failed."""

    program: Interview
    left_out: Counter[str] = attrs.Factory(Counter[str])
    """Questions of kinds that the program does not answer."""
    rules: dict[str, Tally] = attrs.Factory(dict[str, Tally])
    results: list[tuple[Case, str]] = attrs.Factory(list[tuple[Case, str]])
    """Each question with the rule that counts, and what was wrong with its answer; empty if nothing was."""
    failed: Counter[str] = attrs.Factory(Counter[str])
    """How many questions of each kind were not answered rightly."""
    failed_for: Counter[str] = attrs.Factory(Counter[str])
    """How many were asked for each rule, whatever they prove to be broken."""
    blamed: set[str] = attrs.Factory(set[str])
    """The rules that failures are about: those for which the case was asked, unless the answer breaks another."""
    stopped: str | None = None
    """Why the program could not be asked any more."""

    def examine(self, cases: Iterable[Case]) -> None:
        """Ask every question, until the program cannot be asked any more.

        Raises GammonError if we do not know an answer.
        """
        for case in cases:
            if case.question["ask"] not in self.program.asks:
                self.left_out[case.question["ask"]] += 1
            elif self.stopped is None:
                self._examine(case)

    def _examine(self, case: Case) -> None:
        right = case.right_answer()
        try:
            reply = self.program.ask(case.question)
        except EngineError as error:
            self.stopped = reply = f"{error}; it was asked {json.dumps(case.question)}"
        proofs = iter([Fault(reply)] if isinstance(reply, str) else faults(case.question, right, reply))
        fault = next(proofs, None)
        rule, lines = case.rule, list[Fault]()
        if fault is not None:
            rule, lines = self._rule_broken(case, fault, proofs)
        self.results.append((attrs.evolve(case, rule=rule), fault.sentence if fault else ""))
        tally = self.rules.setdefault(rule, Tally())
        tally.cases += 1
        tally.failures += fault is not None
        # at random, each board that fails is smaller than the one before
        if fault is not None and (tally.failures == 1 or rule == AT_RANDOM):
            tally.question, tally.lines = case.question, [line.sentence for line in (fault, *lines)]

    def _rule_broken(self, case: Case, fault: Fault, proofs: Iterable[Fault]) -> tuple[str, list[Fault]]:
        """The rule that counts: the one that is proved, or for which it was asked. And what proves it, where it is new.

        Who answers wrongly about plays, does so about orders and perft too: these tell nothing more.
        """
        self.failed_for[case.rule] += 1
        self.failed[case.question["ask"]] += 1
        follows = "plays" in self.program.asks and case.question["ask"] in {"orders", "perft"}
        is_new = self.failed_for[case.rule] <= _PROVED or case.rule == AT_RANDOM
        lines = [*proofs] if is_new or fault.rule else []
        rule = fault.rule or rule_proved(lines) or case.rule
        if case.rule == AT_RANDOM:
            rule = AT_RANDOM
        elif fault.rule is None and follows and not self.failed["plays"] and case.question["ask"] == "orders":
            rule = MOVE_BY_MOVE
        if is_new and not (follows and self.failed["plays"]):
            self.blamed.add(rule)
        return rule, lines

    def examine_random(self, number: int, seed: int, advance: Callable[[], object]) -> None:
        """Ask about this many boards; if one fails, about smaller ones too. Raises ImportError without Hypothesis."""
        from gammonrules import strategies  # noqa: I001, PLC0415  it says which extra is missing
        from hypothesis import HealthCheck, Phase, errors, find, settings, strategies as st  # noqa: PLC0415

        def fails(drawn: tuple[Any, ...]) -> bool:
            ask, position, dice = drawn
            question = {"id": len(self.results) + 1, "ask": ask, "dice": [dice.high, dice.low]}
            advance()
            self.examine([Case(AT_RANDOM, question | board_keys(position.points, position.checkers))])
            return self.stopped is None and bool(self.results[-1][1])

        kinds = [kind for kind in ("plays", "orders") if kind in self.program.asks]
        if not kinds:
            self.left_out["at random"] = number
            return
        patient = settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        patient = settings(patient, database=None, phases=[Phase.generate, Phase.shrink])
        # It raises if none fails, and if a program answers the same question in two ways.
        with suppress(errors.HypothesisException):
            boards = st.tuples(st.sampled_from(kinds), strategies.positions(), strategies.dice())
            _ = find(boards, fails, settings=patient, random=Random(seed))  # noqa: S311

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
    def broken(self) -> list[tuple[str, Tally]]:
        """The rules with failures: first those that failures are about, all in the order of the suite.

        A case is asked for the last rule that its answer needs, so whoever has one rule wrong fails first in the cases
        of that rule.
        """
        broken = [(rule, tally) for rule, tally in self.rules.items() if tally.failures]
        return sorted(broken, key=lambda entry: entry[0] not in self.blamed)

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "version": 1,
            "program": {"name": self.program.name, "version": self.program.version, "asks": [*self.program.asks]},
            "cases": len(self.results),
            "failures": self.failures,
            "stopped": self.stopped,
            "left_out": dict(self.left_out),
            "kinds": {kind: {"cases": cases, "failures": failed} for kind, (cases, failed) in self.kinds.items()},
            "rules": [{"rule": rule, **attrs.asdict(tally)} for rule, tally in self.broken],
        }
