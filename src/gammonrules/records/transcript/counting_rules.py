"""The rules of error rates: which decisions count, and what mistakes are called.

Each is a matter of custom: "xg" is the rule of eXtreme Gammon's statistics, "gnubg" that of GNU Backgammon's command
`show statistics`. A new rule is an entry of `RULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from attrs import frozen

from gammonrules.analysis import Analysis, CubeAnalysis, PlayAnalysis
from gammonrules.match import Action
from gammonrules.records.transcript.decisions import AnalyzedDecision
from gammonrules.records.transcript.provenance import XG
from gammonrules.values import choice_argument


@frozen
class CountingRule:
    """Which decisions count in an error rate, and what mistakes are called."""

    name: str
    mistakes: Mapping[str, float]
    """From which loss of normalized equity a mistake has a name, in the program as it is delivered; smallest first."""
    is_least_named: bool
    """Whether a mistake that loses exactly this has the name."""
    is_named_once: bool
    """Whether a mistake has the name of its size alone, and not those of smaller ones too."""
    close: float
    """A decision to roll counts if it was wrong, or if a double would have lost less than this."""
    is_choice: Callable[[PlayAnalysis, bool], bool]
    """Whether a play that is not forced counts; the flag is the `xg_states_errors` of `counts`."""

    @property
    def least(self) -> float:
        """From which loss of normalized equity a decision is a mistake."""
        return min(self.mistakes.values())

    def counts(self, analyzed: AnalyzedDecision, *, xg_states_errors: bool) -> bool:
        """Whether a decision counts.

        `xg_states_errors`: whether the analyses of eXtreme Gammon have the errors that it states. Where the program
        sees no choice, it states none.
        """
        decision = analyzed.decision
        analysis = analyzed.analysis
        if analyzed.error is None or decision.is_forced:
            return False
        if isinstance(analysis, PlayAnalysis):
            return self.is_choice(analysis, xg_states_errors)
        is_right_roll = decision.event.action is Action.ROLL and analyzed.error == 0
        if is_right_roll:  # where nobody would think of doubling, that is hardly a decision
            return self._is_close_to_a_double(analysis)
        return True

    def _is_close_to_a_double(self, analysis: CubeAnalysis) -> bool:
        double = analysis.equity_double
        best = analysis.equity_of_best(Action.ROLL)
        return double is not None and best is not None and best - double < self.close

    def number_mistakes(self, errors: Iterable[float]) -> dict[str, int]:
        """The number of mistakes of each name."""
        numbers = dict.fromkeys(self.mistakes, 0)
        for error in errors:
            names = self._names_of(error)
            if self.is_named_once:
                names = names[-1:]  # that of the largest size
            for name in names:
                numbers[name] += 1
        return numbers

    def _names_of(self, error: float) -> list[str]:
        """The names of all sizes that a mistake reaches, the smallest first."""
        if self.is_least_named:
            return [name for name, least in self.mistakes.items() if error >= least]
        return [name for name, least in self.mistakes.items() if error > least]


def has_stated_errors_of_xg(analyses: Iterable[Analysis]) -> bool:
    """Whether those of eXtreme Gammon have the errors that it states, as its files have, and files made of these."""
    return any(analysis.engine == XG and analysis.stated_error is not None for analysis in analyses)


_EQUAL: Final = 0.0001
"""Plays that differ by no more than this are no choice for eXtreme Gammon."""


def _is_choice_for_xg(analysis: PlayAnalysis, xg_states_errors: bool) -> bool:  # noqa: FBT001 - as all rules take it
    if xg_states_errors and analysis.engine == XG:
        return analysis.stated_error is not None
    equities = [play.equity for play in analysis.candidates if play.equity is not None]
    return max(equities, default=0) - min(equities, default=0) > _EQUAL


def _is_always_choice(_analysis: PlayAnalysis, _xg_states_errors: bool) -> bool:  # noqa: FBT001 - as all rules take it
    return True


RULES: Final[Mapping[str, CountingRule]] = {
    "xg": CountingRule(
        "xg",
        mistakes={"error": 0.02, "blunder": 0.08},
        is_least_named=True,
        is_named_once=False,
        close=0.2,
        is_choice=_is_choice_for_xg,
    ),
    "gnubg": CountingRule(
        "gnubg",
        mistakes={"doubtful": 0.03, "bad": 0.06, "very bad": 0.12},
        is_least_named=False,
        is_named_once=True,
        close=0.16,
        is_choice=_is_always_choice,
    ),
}
MISTAKES: Final[Mapping[str, Mapping[str, float]]] = {
    name: rule.mistakes for name, rule in RULES.items()
}
"""By rule, from which loss of normalized equity a mistake has a name."""


def counting_rule(name: object) -> CountingRule:
    """The rule with this name. Raises ArgumentError."""
    return RULES[choice_argument("rule", name, list(RULES))]
