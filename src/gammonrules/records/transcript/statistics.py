"""What players lost by mistakes and won by luck, as an engine judges them.

`counting_rules.py` says which decisions count, `provenance.py` whose numbers they are, and `luck.py` has the luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from attrs import field, frozen

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis import Level
from gammonrules.analysis.internals import Panel, harmless, level_of_text, signed
from gammonrules.board import PositionKind
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.records.transcript.counting_rules import (
    CountingRule,
    counting_rule,
    has_stated_errors_of_xg,
)
from gammonrules.records.transcript.decisions import (
    AnalyzedDecision,
    Decision,
    DecisionKind,
    with_analysis,
)
from gammonrules.records.transcript.luck import (
    GameToRate,
    PlayerLuck,
    in_mwc,
    luck_of_players,
    sum_of_all,
    sum_of_known,
)
from gammonrules.records.transcript.provenance import (
    is_by,
    level_of,
    levels_asked,
    levels_by_engine,
    only_engine,
    refuse_mixed,
)
from gammonrules.values import counted, shown, suggestion

MIN_DECISIONS: Final = 20
"""No rate is told of fewer: its 95% interval is about as wide as the PR is high, and a class would be chance."""


@frozen
class ErrorSummary:
    """What a player lost by the decisions of one kind, or by all of them.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        decisions: how many count.
        error: what they lost, 0 or more, in normalized equity.
        mwc_error: the same as chances of winning the match, 0 or more; None in money play, without decisions, and if
            one was made where a player needs more than 25 points, where the match equity table ends.
        mistakes: the number of mistakes of each size. By the rule "xg" an `error` loses 0.02 or more, and a `blunder`,
            which is an error too, 0.08 or more. By "gnubg" a mistake that loses more than 0.03 is `doubtful`, more than
            0.06 `bad`, and more than 0.12 `very bad`, and counts only once.

    Examples:
        >>> errors = ErrorSummary(20, 0.25)
        >>> errors.rate, errors.pr
        (12.5, 6.25)
    """

    decisions: int = 0
    error: float = 0.0
    mwc_error: float | None = None
    mistakes: Mapping[str, int] = field(factory=dict[str, int], hash=False)

    @property
    def rate(self) -> float | None:
        """What a decision lost on average, in thousandths of normalized equity; None without decisions."""
        return 1000 * self.error / self.decisions if self.decisions else None

    @property
    def pr(self) -> float | None:
        """Half of `rate`, as the performance rating (PR) of eXtreme Gammon; None without decisions."""
        return None if self.rate is None else self.rate / 2


def told_pr(errors: ErrorSummary) -> float | None:
    """The PR that pages and commands tell; None for too few decisions."""
    return errors.pr if errors.decisions >= MIN_DECISIONS else None


@frozen(repr=False)
class ErrorRate(ErrorSummary):
    """What a player lost by mistakes and won by luck in a game, a match or several matches, as an engine judges them.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        decisions: how many decisions count, of all kinds.
        error: what they lost, 0 or more, in normalized equity.
        mwc_error: the same as chances of winning the match; None as in `Errors`.
        mistakes: the number of mistakes of each size, as in `Errors`.
        plays: the plays.
        doubles: the decisions to double or to roll.
        takes: the answers to doubles.
        kinds: all of them by the kind of the position, as far as there are any.
        luck: the luck of all rolls, also of one after which somebody resigned, with its sign, in normalized equity; 0
            for who did not roll. None if it is not known.
        luck_mwc: the same as chances of winning the match; None in money play as well, and beyond that table.
        luck_net: `luck` less that of the opponent; None if one of both is not known.
        luck_worth: what `luck_net` was worth: chances of winning the match, or in money play points, with the cube.
            None as `luck_net`, beyond that table, and for money and matches together.
        luck_adjusted: the result less `luck_worth`, as GNU Backgammon prints it. In a match the result is what the
            chance of winning it became less what it was, so 0.5 for the winner of a whole match; in money play it is in
            points. None without a result, and as `luck_worth`.
        rule: which decisions count, "xg" or "gnubg".
        engine: the program that analyzed, as far as the records say, else "".
        levels: how deep it looked; of eXtreme Gammon all levels in a file, the most frequent first.

    Examples:
        >>> from gammonrules.records import ErrorRate, load
        >>> white, black = load("examples/matches/xg/test.xg").error_rates()
        >>> isinstance(white, ErrorRate), white.decisions, round(white.pr, 2)
        (True, 162, 7.79)
        >>> white.mistakes, round(black.plays.rate, 2)
        ({'error': 25, 'blunder': 14}, 29.03)
        >>> round(white.luck, 3), round(white.luck_net, 3), round(white.luck_worth, 2)
        (3.116, -0.093, 0.27)
        >>> blitzes = white.kinds["blitz"]
        >>> blitzes.decisions, round(blitzes.pr, 2)
        (53, 10.39)
        >>> white.engine, white.levels_text
        ('eXtreme Gammon', 'XG Roller++, 2-ply, 3-ply, 4-ply, opening book')
    """

    plays: ErrorSummary = ErrorSummary()
    doubles: ErrorSummary = ErrorSummary()
    takes: ErrorSummary = ErrorSummary()
    kinds: Mapping[PositionKind, ErrorSummary] = field(
        factory=dict[PositionKind, ErrorSummary], hash=False
    )
    luck: float | None = None
    luck_mwc: float | None = None
    luck_net: float | None = None
    luck_worth: float | None = None
    luck_adjusted: float | None = None
    rule: str = "xg"
    engine: str = ""
    levels: tuple[Level, ...] = ()

    @property
    def levels_text(self) -> str:
        """The levels as one text, which the argument `analysis_level` accepts too."""
        return _words_of(self.levels)

    def __repr__(self) -> str:
        rate = "" if self.pr is None else f" PR {self.pr:.2f},"
        return f"<ErrorRate{rate} {counted(self.decisions, 'decision')}>"

    def _repr_html_(self) -> str:
        head = ["", "Decisions", "PR", "Lost", *[name.capitalize() for name in self.mistakes]]
        rows = [
            self._row("All", self),
            self._row("Plays", self.plays),
            self._row("Doubles", self.doubles),
            self._row("Takes", self.takes),
        ]
        remarks: list[str] = []
        luck = _luck_text(self)
        if luck:
            remarks.append(luck)
        evaluator = ", ".join([words for words in (self.engine, self.levels_text) if words])
        if evaluator:
            remarks.append(f"Engine: {harmless(evaluator)}")
        return Panel("", head=head, rows=rows, chosen=[], remarks=remarks).to_html()

    def _row(self, name: str, errors: ErrorSummary) -> list[str]:
        pr = "" if errors.pr is None else f"{errors.pr:.2f}"
        mistakes = [str(errors.mistakes.get(size, 0)) for size in self.mistakes]
        return [name, str(errors.decisions), pr, f"{errors.error:.3f}", *mistakes]


def _words_of(levels: Iterable[Level]) -> str:
    return ", ".join([level.label for level in levels])


def _luck_text(rate: ErrorRate) -> str:
    """Empty if nothing is known."""
    own = "" if rate.luck is None else f"Own luck: {signed(rate.luck)}"
    if rate.luck_net is None:
        return own
    return f"{own}; net luck: {signed(rate.luck_net)}{worth_of_luck(rate)}"


def worth_of_luck(rate: ErrorRate) -> str:
    """The words after net luck that say what it was worth; empty if that is not known.

    The words say why the sign may be another one: each roll counts as much as the cube and the score make of it.
    """
    if rate.luck_worth is None:
        return ""
    worth = signed(rate.luck_worth, "+.2f")
    if rate.luck_mwc is None:
        return f"; counted with the cube: {worth} points"
    return f"; counted with cube and score: {worth} of a match"


# --- the error rates of games ---------------------------------------------------------------------------------------


@frozen
class DecisionCost:
    """What a decision that counts cost, 0 or more, in normalized equity and in chances of winning the match."""

    decision: Decision
    error: float
    mwc_error: float | None


@frozen
class Rated:
    """What an engine says of some games, as it was asked for."""

    rates: Pair[ErrorRate]
    """White's and Black's."""
    rule: CountingRule
    costs: Sequence[DecisionCost]
    """Of all decisions that count."""
    has_analysis_as_asked: bool
    """Whether an analysis is by the engine, and at the level, that was asked for."""
    why_not_as_asked: str
    """A sentence if there are analyses, but only of other engines or levels; else ""."""

    def counted(self) -> Iterator[tuple[Decision, ErrorSummary]]:
        """The decisions that count, each with what it cost."""
        for cost in self.costs:
            yield cost.decision, _errors_of([cost], self.rule)


def rates_in(
    games: Sequence[GameToRate],
    rule: str,
    analyzed_by: str | None,
    analysis_level: Level | str | None,
) -> Pair[ErrorRate]:
    """White's and Black's. Raises ArgumentError as `Match.error_rates`."""
    answer = rated(games, rule, analyzed_by, analysis_level)
    if answer.why_not_as_asked:
        raise ArgumentError(answer.why_not_as_asked)
    return answer.rates


def rated(
    games: Sequence[GameToRate],
    rule: str,
    analyzed_by: str | None,
    analysis_level: Level | str | None,
) -> Rated:
    """The error rates in some games, by one engine and at one level, or at several that mix.

    Raises ArgumentError as `Match.error_rates`, but if there are only analyses of others, the result says so.
    """
    counting = counting_rule(rule)
    check_kind("analyzed_by", analyzed_by, str | None)
    check_kind("at", analysis_level, Level | str | None)
    decisions = list(chain.from_iterable(game.decisions for game in games))
    analyzed = _analyzed_decisions(decisions)
    chosen = _by_engine_asked(analyzed, analyzed_by)
    engine = only_engine([known.analysis.engine for known in chosen])
    levels = levels_asked(engine, [known.analysis for known in chosen])
    only_level = None
    names_all_levels = analysis_level == _words_of(levels)
    if analysis_level is not None and not names_all_levels:
        only_level = level_of_text(analysis_level)
        levels = (only_level,)
    refuse_mixed(engine, levels)
    costs = _costs(chosen, counting, only_level)
    luck = luck_of_players(games, decisions, chosen)
    rates: list[ErrorRate] = []
    for player in Player:
        costs_of_player = [cost for cost in costs if cost.decision.player is player]
        rates.append(_error_rate(costs_of_player, luck[player], counting, engine, levels))
    why_not_as_asked = _why_not_as_asked(analyzed, chosen, analyzed_by, only_level)
    return Rated(
        Pair(rates),
        rule=counting,
        costs=costs,
        has_analysis_as_asked=bool(analyzed) and not why_not_as_asked,
        why_not_as_asked=why_not_as_asked,
    )


def rated_apart(games: Sequence[GameToRate], rule: str) -> list[Rated]:
    """The rates of some games by each engine, and by each of its levels if these do not mix; none if not analyzed."""
    decisions = list(chain.from_iterable(game.decisions for game in games))
    apart: list[Rated] = []
    for engine, levels in levels_by_engine(decisions).items():
        if len(levels) > 1:
            apart += [rated(games, rule, engine, level) for level in levels]
        else:
            apart.append(rated(games, rule, engine, None))
    return apart


def _analyzed_decisions(decisions: Iterable[Decision]) -> list[AnalyzedDecision]:
    evaluated: list[AnalyzedDecision] = []
    for decision in decisions:
        analysis = decision.analysis
        if analysis is not None:
            evaluated.append(with_analysis(decision, analysis))
    return evaluated


def _by_engine_asked(
    evaluated: Sequence[AnalyzedDecision], analyzed_by: str | None
) -> list[AnalyzedDecision]:
    """The decisions by the engine with exactly this name, or else by those that may be meant."""
    engines = {known.analysis.engine for known in evaluated}
    chosen = (
        {analyzed_by}
        if analyzed_by in engines
        else {engine for engine in engines if is_by(engine, analyzed_by)}
    )
    return [known for known in evaluated if known.analysis.engine in chosen]


def _why_not_as_asked(
    analyzed: Sequence[AnalyzedDecision],
    by_engine: Sequence[AnalyzedDecision],
    analyzed_by: str | None,
    analysis_level: Level | None,
) -> str:
    """A sentence if there are analyses, but none by the engine, or none of it at the level; else "".

    `by_engine`: those of the analyzed decisions that the engine analyzed.
    """
    if by_engine:
        argument = "analysis_level"
        asked = None if analysis_level is None else analysis_level.label
        available = {level_of(known.analysis).label for known in by_engine}
    else:
        argument = "analyzed_by"
        asked = analyzed_by
        available = {known.analysis.engine for known in analyzed}
    if not available or asked is None or asked in available:
        return ""
    others = " and ".join(shown(name, 60) for name in sorted(available))
    near = suggestion(asked, available)
    return f"no analysis has {argument}={shown(asked, 60)}, only {others}{near}"


def _costs(
    evaluated: Sequence[AnalyzedDecision], rule: CountingRule, level: Level | None
) -> list[DecisionCost]:
    """The costs of the decisions that count, at this level, or at any."""
    xg_states_errors = has_stated_errors_of_xg(known.analysis for known in evaluated)
    costs: list[DecisionCost] = []
    for known in evaluated:
        error = known.error
        if level is not None and level_of(known.analysis) != level:
            continue
        if error is not None and rule.counts(known, xg_states_errors=xg_states_errors):
            costs.append(DecisionCost(known.decision, error, in_mwc(error, known.decision)))
    return costs


def _error_rate(
    costs: Sequence[DecisionCost],
    luck: PlayerLuck,
    rule: CountingRule,
    engine: str,
    levels: tuple[Level, ...],
) -> ErrorRate:
    """The rate of a player, whose decisions these are."""
    plays = [cost for cost in costs if cost.decision.kind is DecisionKind.PLAY]
    doubles = [cost for cost in costs if cost.decision.kind is DecisionKind.DOUBLE]
    takes = [cost for cost in costs if cost.decision.kind is DecisionKind.ANSWER]
    of_all = _errors_of([*plays, *doubles, *takes], rule)  # resignations count in no rate
    return ErrorRate(
        of_all.decisions,
        of_all.error,
        mwc_error=of_all.mwc_error,
        mistakes=of_all.mistakes,
        plays=_errors_of(plays, rule),
        doubles=_errors_of(doubles, rule),
        takes=_errors_of(takes, rule),
        kinds=_errors_by_kind(costs, rule),
        luck=luck.equity,
        luck_mwc=luck.mwc,
        luck_net=luck.net,
        luck_worth=luck.worth,
        luck_adjusted=luck.adjusted,
        rule=rule.name,
        engine=engine,
        levels=levels,
    )


def _errors_by_kind(
    costs: Sequence[DecisionCost], rule: CountingRule
) -> dict[PositionKind, ErrorSummary]:
    by_kind: dict[PositionKind, list[DecisionCost]] = {kind: [] for kind in PositionKind}
    for cost in costs:
        by_kind[cost.decision.state.position.kind].append(cost)
    return {kind: _errors_of(of_kind, rule) for kind, of_kind in by_kind.items() if of_kind}


def _errors_of(costs: Sequence[DecisionCost], rule: CountingRule) -> ErrorSummary:
    errors = [cost.error for cost in costs]
    return ErrorSummary(
        len(errors),
        error=sum(errors),
        mwc_error=sum_of_all([cost.mwc_error for cost in costs]),
        mistakes=rule.number_mistakes(errors),
    )


# --- sums of error rates --------------------------------------------------------------------------------------------


def merged(by_name: Mapping[str, Sequence[ErrorRate]]) -> dict[str, ErrorRate]:
    """The errors and the luck of each player in all. Raises ArgumentError if engines or levels stand side by side."""
    levels_of_engine: dict[str, list[Level]] = {}
    for rates in by_name.values():
        for rate in rates:
            says_something = rate.decisions > 0 or rate.luck is not None
            if says_something:
                levels_of_engine.setdefault(rate.engine, []).extend(rate.levels)
    engine = only_engine(levels_of_engine)
    levels = tuple(dict.fromkeys(levels_of_engine.get(engine, [])))
    refuse_mixed(engine, levels)
    return {name: _total(rates, engine, levels) for name, rates in by_name.items()}


def added(errors: Sequence[ErrorSummary]) -> ErrorSummary:
    """The sum of the errors of several decisions, or of several kinds of them."""
    mistakes: dict[str, int] = {}
    for size in errors[0].mistakes:  # all are by one rule, and so have the same sizes
        mistakes[size] = sum(addend.mistakes.get(size, 0) for addend in errors)
    return ErrorSummary(
        sum(addend.decisions for addend in errors),
        error=sum(addend.error for addend in errors),
        mwc_error=sum_of_known([addend.mwc_error for addend in errors]),
        mistakes=mistakes,
    )


def _total(rates: Sequence[ErrorRate], engine: str, levels: tuple[Level, ...]) -> ErrorRate:
    """The error rates of one player, added up."""
    of_all = added(rates)
    kinds: dict[PositionKind, ErrorSummary] = {}
    for kind in PositionKind:
        of_kind = [rate.kinds[kind] for rate in rates if kind in rate.kinds]
        if of_kind:
            kinds[kind] = added(of_kind)
    with_luck = [rate for rate in rates if rate.luck is not None]
    worth = None
    adjusted = None
    units_of_worth = {"points" if rate.luck_mwc is None else "mwc" for rate in with_luck}
    if len(units_of_worth) == 1:  # points and chances of winning a match do not add up
        worth = sum_of_all([rate.luck_worth for rate in with_luck])
        adjusted = sum_of_known([rate.luck_adjusted for rate in with_luck])
    return ErrorRate(
        of_all.decisions,
        of_all.error,
        mwc_error=of_all.mwc_error,
        mistakes=of_all.mistakes,
        plays=added([rate.plays for rate in rates]),
        doubles=added([rate.doubles for rate in rates]),
        takes=added([rate.takes for rate in rates]),
        kinds=kinds,
        luck=sum_of_known([rate.luck for rate in rates]),
        luck_mwc=sum_of_known([rate.luck_mwc for rate in rates]),
        luck_net=sum_of_all([rate.luck_net for rate in with_luck]),
        luck_worth=worth,
        luck_adjusted=adjusted,
        rule=rates[0].rule,
        engine=engine,
        levels=levels,
    )
