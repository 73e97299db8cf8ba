"""What players lost by mistakes and won by luck, as an engine judges them.

Which decisions count is a matter of custom: "xg" is the rule of eXtreme Gammon's statistics, "gnubg" that of GNU
Backgammon's command `show statistics`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import field, frozen

from gammonrules.board import PositionKind
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import EquityScale, equity_scale
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, MatchState, Pair, Player
from gammonrules.records.transcript.analysis import Analysis, CubeAnalysis, PlayAnalysis
from gammonrules.records.transcript.decisions import Decision, DecisionKind, judgment
from gammonrules.records.transcript.levels import UNKNOWN, Level, level_of_text
from gammonrules.records.transcript.panels import Panel, harmless, signed
from gammonrules.values import check_kind, choice_argument, counted, shown

MISTAKES: Final[Mapping[str, Mapping[str, float]]] = {
    "xg": {"error": 0.02, "blunder": 0.08},
    "gnubg": {"doubtful": 0.03, "bad": 0.06, "very bad": 0.12},
}
"""By rule, from which loss of normalized equity a mistake has a name, in the programs as they are delivered."""
_CLOSE: Final = {"xg": 0.2, "gnubg": 0.16}
"""By rule: a decision to roll counts if a double would have lost less than this, and if it was wrong."""
_EQUAL: Final = 0.0001
"""Plays that differ by no more than this are no choice for eXtreme Gammon."""
_NARROWEST_FILTER: Final = 0.02
"""However few plays GNU Backgammon is to look at more deeply, those this close to the best are among them."""
XG: Final = "eXtreme Gammon"
_ENGINES: Final = {"gnubg": "GNU Backgammon", "xg": XG}
"""What programs call themselves, by the names of rules and of `SimpleEngine.open`."""


@frozen
class Errors:
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
        >>> errors = Errors(20, 0.25)
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


@frozen(repr=False)
class ErrorRate(Errors):
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
        >>> white.engine, white.level
        ('eXtreme Gammon', 'XG Roller++, 2-ply, 3-ply, 4-ply, opening book')
    """

    plays: Errors = Errors()
    doubles: Errors = Errors()
    takes: Errors = Errors()
    kinds: Mapping[PositionKind, Errors] = field(factory=dict[PositionKind, Errors], hash=False)
    luck: float | None = None
    luck_mwc: float | None = None
    luck_net: float | None = None
    luck_worth: float | None = None
    luck_adjusted: float | None = None
    rule: str = "xg"
    engine: str = ""
    levels: tuple[Level, ...] = ()

    @property
    def level(self) -> str:
        """The levels as one text."""
        return ", ".join(map(str, self.levels))

    def __repr__(self) -> str:
        rate = "" if self.pr is None else f" PR {self.pr:.2f},"
        return f"<ErrorRate{rate} {counted(self.decisions, 'decision')}>"

    def _repr_html_(self) -> str:
        parts = {"All": self, "Plays": self.plays, "Doubles": self.doubles, "Takes": self.takes}
        rows = [
            [
                name,
                str(part.decisions),
                "" if part.pr is None else f"{part.pr:.2f}",
                f"{part.error:.3f}",
            ]
            + [str(part.mistakes.get(size, 0)) for size in self.mistakes]
            for name, part in parts.items()
        ]
        engine = ", ".join(filter(None, (self.engine, self.level)))
        head = ["", "Decisions", "PR", "Lost", *map(str.capitalize, self.mistakes)]
        remarks = [*filter(None, (_luck_text(self), engine and f"Engine: {harmless(engine)}"))]
        return Panel("", head=head, rows=rows, chosen=[], remarks=remarks).to_html()


def _luck_text(rate: ErrorRate) -> str:
    """Empty if nothing is known."""
    own = "" if rate.luck is None else f"Own luck: {signed(rate.luck)}"
    if rate.luck_net is None:
        return own
    return f"{own}; net luck: {signed(rate.luck_net)}{worth_of_luck(rate)}"


def worth_of_luck(rate: ErrorRate) -> str:
    """What is added to net luck: what it was worth, or nothing if that is not known."""
    unit = "points with the cube" if rate.luck_mwc is None else "of a match"
    return "" if rate.luck_worth is None else f", worth {signed(rate.luck_worth, '+.2f')} {unit}"


_Judged: TypeAlias = tuple[Decision, Analysis]
_Cost: TypeAlias = tuple[float, float | None]
"""In normalized equity, and in chances of winning the match."""
_Game: TypeAlias = tuple[MatchState, Iterable[Decision], tuple[Player, int] | None]
"""The start of a game, its decisions, and its winner with the points."""


@frozen
class Evaluator:
    """An engine at one level: its numbers do not mix with those of another."""

    engine: str
    level: Level = field(converter=level_of_text)
    """`UNKNOWN` where it is not known, or mixed as in eXtreme Gammon."""


def rates_in(
    games: Sequence[_Game], rule: str, by: str | None, at: Level | str | None
) -> Pair[ErrorRate]:
    """White's and Black's. Raises ArgumentError as `Match.error_rates`."""
    answer = rated(games, rule, by, at)
    if answer.only_others:
        raise ArgumentError(answer.only_others)
    return answer.rates


class Rated(NamedTuple):
    """What an engine says of some games, as it was asked for."""

    rates: Pair[ErrorRate]
    """White's and Black's."""
    counted: Iterator[tuple[Decision, Errors]]
    """The decisions that count, each with what it cost."""
    is_there: bool
    """Whether an analysis is as asked."""
    only_others: str
    """A sentence if there are analyses, but none as asked; else ""."""


def rated(games: Sequence[_Game], rule: str, by: str | None, at: Level | str | None) -> Rated:
    """Raises ArgumentError as `Match.error_rates`."""
    rule = choice_argument("rule", rule, [*MISTAKES])
    check_kind("by", by, str | None)
    check_kind("at", at, Level | str | None)
    decisions = [*chain.from_iterable(of_game for _, of_game, _ in games)]
    each = ((decision, decision.analysis) for decision in decisions)
    analyzed = [(decision, analysis) for decision, analysis in each if analysis is not None]
    names = {analysis.engine for _, analysis in analyzed}
    chosen_names = {by} & names or {name for name in names if is_by(name, by)}
    judged = [
        (decision, analysis) for decision, analysis in analyzed if analysis.engine in chosen_names
    ]
    name, _ = _of_one({analysis.engine: () for _, analysis in judged})
    levels = _levels_asked(name, [analysis for _, analysis in judged])
    takes_all = at == ", ".join(map(str, levels))
    chosen = None if at is None or takes_all else level_of_text(at)
    _, levels = _of_one({name: levels if chosen is None else (chosen,)})
    counted = _counting(judged, rule, chosen)
    luck = _luck(games, decisions, judged)
    who: dict[str, Any] = {"rule": rule, "engine": name, "levels": levels}
    rates = Pair(
        ErrorRate(**_costs(counted, player, rule), **luck[player], **who) for player in Player
    )
    errors = ((decision, _errors(rule, [cost])) for decision, cost in counted)
    only_others = _only_others(analyzed, judged, by, at=chosen)
    return Rated(
        rates, counted=errors, is_there=bool(analyzed) and not only_others, only_others=only_others
    )


def rated_apart(games: Sequence[_Game], rule: str) -> list[Rated]:
    """What each engine says of some games, and each of its levels if these do not mix; none without an analysis."""
    by_engine = levels_by_engine(chain.from_iterable(decisions for _, decisions, _ in games))
    by = [
        (name, level)
        for name, levels in by_engine.items()
        for level in (levels if len(levels) > 1 else (None,))
    ]
    return [rated(games, rule, name, level) for name, level in by]


def levels_by_engine(decisions: Iterable[Decision]) -> dict[str, tuple[Level, ...]]:
    """The engines that analyzed, each with the levels among which one must be chosen; none for eXtreme Gammon."""
    return {
        engine: _levels_apart(engine, analyses)
        for engine, analyses in _by_engine(decisions).items()
    }


def count_by_evaluator(decisions: Iterable[Decision]) -> Counter[Evaluator]:
    """How many decisions each engine analyzed at each of these levels; "" stands for all others."""
    numbers = Counter[Evaluator]()
    for engine, analyses in _by_engine(decisions).items():
        apart = {*_levels_apart(engine, analyses)}
        for level in map(level_of, analyses):
            numbers[Evaluator(engine, level if level in apart else UNKNOWN)] += 1
    return numbers


def _by_engine(decisions: Iterable[Decision]) -> dict[str, list[Analysis]]:
    by_engine: dict[str, list[Analysis]] = defaultdict(list)
    for decision in decisions:
        if (analysis := decision.analysis) is not None:
            by_engine[analysis.engine].append(analysis)
    return by_engine


def _levels_apart(engine: str, analyses: Sequence[Analysis]) -> tuple[Level, ...]:
    return tuple(
        level for level in _levels_asked(engine, analyses) if engine != XG and not level.is_rollout
    )


def is_by(name: str, engine: str | None) -> bool:
    """Whether an engine is the one that was asked for: by the beginning of its name, or as `SimpleEngine.open` does."""
    return name.startswith(_ENGINES.get(engine or "", engine or ""))


def _only_others(
    analyzed: list[_Judged], judged: list[_Judged], by: str | None, at: Level | None
) -> str:
    if judged:
        argument = "at"
        asked = None if at is None else at.words
        there = {level_of(analysis).words for _, analysis in judged}
    else:
        argument = "by"
        asked = by
        there = {analysis.engine for _, analysis in analyzed}
    if not there or asked is None or asked in there:
        return ""
    others = " and ".join(shown(name, 60) for name in sorted(there))
    return f"no analysis has {argument}={shown(asked, 60)}, only {others}"


def _of_one(levels_by_engine: Mapping[str, Sequence[Level]]) -> tuple[str, tuple[Level, ...]]:
    """The engine with its levels. Raises ArgumentError if there are two, or two levels besides rollouts."""
    engines = [shown(engine, 60) if engine else "an unnamed program" for engine in levels_by_engine]
    if len(engines) > 1:
        both = " and ".join(engines[:2])
        raise ArgumentError(f"{both} analyzed here, whose numbers do not mix: choose one with by=")
    name, levels = next(iter(levels_by_engine.items()), ("", ()))
    asked = [shown(level.words, 60) for level in levels if not level.is_rollout]
    if len(asked) > 1 and name != XG:
        both = " and ".join(asked[:2])
        raise ArgumentError(f"{engines[0]} looked at {both}, which do not mix: choose one with at=")
    return name, tuple(levels)


def _levels_asked(engine: str, analyses: Sequence[Analysis]) -> tuple[Level, ...]:
    """The levels at which an engine was asked to look, the most frequent first, and then those of rollouts.

    It may look less deep where one play is far better than the others, and where it is the only one.
    """
    levels = Counter(level for level in map(level_of, analyses) if level != UNKNOWN)
    asked = {level_of(analysis) for analysis in analyses if engine == XG or is_as_asked(analysis)}
    asked.update(level for level in levels if level.is_rollout)
    used = [level for level, _ in levels.most_common() if level in asked] or [*levels][:1]
    return tuple(sorted(used, key=lambda level: level.is_rollout))


def level_of(analysis: Analysis) -> Level:
    """How deep the engine was to look at the best play, or at the cube: all `tiers` are one level, as all trials are.

    So is a level of the default engine, with what it knows exactly. Which of them answered, or how many trials a
    rollout took before it ended, is in the level itself, as `looked`.
    """
    return looked(analysis).asked


def looked(analysis: Analysis) -> Level:
    """How deep the engine looked at the best play, or at the cube."""
    judged = analysis.best if isinstance(analysis, PlayAnalysis) else analysis
    return judged.level if judged else UNKNOWN


def trials_of(analyses: Iterable[Analysis | None]) -> Counter[str]:
    """The trials of rollouts that may end early, `used` and `asked` for. A double and its answer share one."""
    trials = Counter[str]()
    for analysis, _ in groupby(analyses):
        level = UNKNOWN if analysis is None else looked(analysis)
        if level.trials is not None and level.trials_done is not None:
            trials.update(used=level.trials_done, asked=level.trials)
    return trials


def trials_text(trials: Mapping[str, int]) -> str:
    """These as words; empty without such rollouts."""
    return f"Trials of rollouts: {trials['used']:,} of {trials['asked']:,}" if trials else ""


def is_as_asked(analysis: Analysis) -> bool:
    """Whether an engine looked as deep as it was asked to: less deep, two plays are never this close."""
    if isinstance(analysis, CubeAnalysis):
        return True
    plays = analysis.candidates[:2]
    return (
        len(plays) == 2
        and plays[0].level == plays[1].level
        and is_close(*(play.equity for play in plays))
    )


def is_close(best: float | None, second: float | None) -> bool:
    """Whether plays of these equities are so close that GNU Backgammon looks at both as deep as it was asked to."""
    return best is not None and second is not None and best - second <= _NARROWEST_FILTER


# --- what decisions cost ----------------------------------------------------------------------------------------------


def counts(decision: Decision, analysis: Analysis, rule: str, *, states_errors: bool) -> bool:
    """Whether a decision counts in an error rate.

    `states_errors`: whether this is a file of eXtreme Gammon, which states no error where it sees no choice.
    """
    error = judgment(analysis, decision.kind, decision.event.action).error
    if error is None or decision.is_forced:
        return False
    if isinstance(analysis, PlayAnalysis):
        if rule != "xg":
            return True
        if states_errors and analysis.engine == XG:
            return analysis.stated_error is not None
        equities = [play.equity for play in analysis.candidates if play.equity is not None]
        return max(equities, default=0) - min(equities, default=0) > _EQUAL
    if decision.event.action is not Action.ROLL or error > 0:
        return True
    double = analysis.equity_double
    best = analysis.equity_of_best(Action.ROLL)
    return double is not None and best is not None and best - double < _CLOSE[rule]


def in_mwc(equity: float, decision: Decision) -> float | None:
    """A difference of normalized equities as one of chances of winning the match; None in money play."""
    scale = mwc_scale(decision)
    return None if scale is None else chance_difference(equity, scale)


def mwc_scale(decision: Decision) -> EquityScale | None:
    """The scale for `chance_difference` by `KAZAROSS_XG2`, the default of both programs; None in money play."""
    return equity_scale(KAZAROSS_XG2, decision.state, decision.player)


def chance_difference(equity: float, scale: EquityScale) -> float:
    """A difference of normalized equities as one of chances of winning the match."""
    chance: float = scale.chance(equity) - scale.chance(0)
    return chance


def _counting(
    judged: Sequence[_Judged], rule: str, level: Level | None
) -> list[tuple[Decision, _Cost]]:
    stated = any(
        analysis.engine == XG and analysis.stated_error is not None for _, analysis in judged
    )
    counted: list[tuple[Decision, _Cost]] = []
    for decision, analysis in judged:
        if level in {None, level_of(analysis)} and counts(
            decision, analysis, rule, states_errors=stated
        ):
            error = judgment(analysis, decision.kind, decision.event.action).error or 0.0
            counted.append((decision, (error, in_mwc(error, decision))))
    return counted


def _costs(counted: Iterable[tuple[Decision, _Cost]], player: Player, rule: str) -> dict[str, Any]:
    own = [(decision, cost) for decision, cost in counted if decision.player is player]
    costs = {
        name: [cost for decision, cost in own if decision.kind is kind]
        for name, kind in _KINDS.items()
    }
    by_position: dict[PositionKind, list[_Cost]] = defaultdict(list)
    for decision, cost in own:
        by_position[decision.state.position.kind].append(cost)
    total = _sums([_errors(rule, [*chain(*costs.values())])])
    kinds = {kind: _errors(rule, by_position[kind]) for kind in PositionKind if kind in by_position}
    return (
        total | {name: _errors(rule, of_kind) for name, of_kind in costs.items()} | {"kinds": kinds}
    )


_KINDS: Final = {
    "plays": DecisionKind.PLAY,
    "doubles": DecisionKind.DOUBLE,
    "takes": DecisionKind.ANSWER,
}


def _errors(rule: str, costs: Sequence[_Cost]) -> Errors:
    errors = [error for error, _ in costs]
    return Errors(
        len(errors),
        error=sum(errors),
        mwc_error=_sum_of_all([mwc for _, mwc in costs]),
        mistakes=_mistakes(rule, errors),
    )


def _mistakes(rule: str, errors: Sequence[float]) -> dict[str, int]:
    sizes = MISTAKES[rule]
    if rule == "xg":
        return {name: sum(error >= size for error in errors) for name, size in sizes.items()}
    bounds = pairwise([*sizes.values(), inf])
    return {
        name: sum(low < error <= high for error in errors)
        for name, (low, high) in zip(sizes, bounds, strict=True)
    }


def _sum_of_known(numbers: Iterable[float | None]) -> float | None:
    """The sum of the numbers that are known; None if none is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _sum_of_all(numbers: Sequence[float | None]) -> float | None:
    """The sum; None if a number is not known, or there is none."""
    return None if None in numbers else _sum_of_known(numbers)


# --- luck -------------------------------------------------------------------------------------------------------------


class _Luck(NamedTuple):
    """That of a roll, or of all rolls of a player."""

    equity: float | None
    mwc: float | None
    worth: float | None
    """In the unit of a result: a chance of winning the match, or in money play points."""


def _luck(
    games: Sequence[_Game], decisions: Sequence[Decision], judged: Sequence[_Judged]
) -> dict[Player, dict[str, Any]]:
    """For each player what `ErrorRate` has of luck."""
    sums = _luck_of_rolls(decisions, judged)
    results = [_gain(start, *won) for start, _, won in games if won is not None]
    white = _sum_of_all(results)
    result = {Player.WHITE: white, Player.BLACK: _less(0, white)}
    luck: dict[Player, dict[str, Any]] = {}
    for player in Player:
        own = sums[player]
        other = sums[player.opponent]
        worth = _less(own.worth, other.worth)
        luck[player] = {
            "luck": own.equity,
            "luck_mwc": own.mwc,
            "luck_net": _less(own.equity, other.equity),
            "luck_worth": worth,
            "luck_adjusted": _less(result[player], worth),
        }
    return luck


def _luck_of_rolls(decisions: Sequence[Decision], judged: Sequence[_Judged]) -> dict[Player, _Luck]:
    """That of each player. Who did not roll had none, if that of the other one is known."""
    rolls: dict[Player, list[_Luck]] = {player: [] for player in Player}
    for decision, analysis in judged:
        if isinstance(analysis, PlayAnalysis) and analysis.luck is not None:
            rolls[_roller(decision)].append(_luck_of(decision, analysis.luck))
    rolled = {_roller(decision) for decision in decisions if decision.dice is not None}
    for player in Player:
        if rolls[player.opponent] and player not in rolled:
            rolls[player].append(_luck_of(decisions[0], 0.0))
    sums: dict[Player, _Luck] = {}
    for player, of_player in rolls.items():
        equity = _sum_of_known(roll.equity for roll in of_player)
        mwc = _sum_of_all([roll.mwc for roll in of_player])
        sums[player] = _Luck(equity, mwc, _sum_of_all([roll.worth for roll in of_player]))
    return sums


def _luck_of(decision: Decision, equity: float) -> _Luck:
    state = decision.state
    mwc = in_mwc(equity, decision)
    return _Luck(equity, mwc, mwc if state.length else equity * state.cube.value)


def _roller(decision: Decision) -> Player:
    """Whose dice they are: a resignation may come after the opponent's roll."""
    return decision.state.on_roll or decision.player


def _less(number: float | None, other: float | None) -> float | None:
    return None if number is None or other is None else number - other


def _gain(start: MatchState, winner: Player, points: int) -> float | None:
    """What White gained by a game: chances of winning the match, or points in money play."""
    won = points if winner is Player.WHITE else -points
    if start.length is None:
        return won
    before = KAZAROSS_XG2.chance(start, Player.WHITE)
    after = KAZAROSS_XG2.chance_after(start, Player.WHITE, won)
    return None if before is None or after is None else after - before


# --- together ---------------------------------------------------------------------------------------------------------


def merged(by_name: Mapping[str, Sequence[ErrorRate]]) -> dict[str, ErrorRate]:
    """What each player lost and won in all. Raises ArgumentError if engines or levels stand side by side."""
    levels: dict[str, tuple[Level, ...]] = {}
    for rate in chain(*by_name.values()):
        if rate.decisions or rate.luck is not None:
            levels[rate.engine] = tuple(dict.fromkeys((*levels.get(rate.engine, ()), *rate.levels)))
    engine, of_all = _of_one(levels)
    return {name: _total(rates, engine, of_all) for name, rates in by_name.items()}


def added(errors: Sequence[Errors]) -> Errors:
    """What several decisions, or several kinds of them, cost together."""
    return Errors(**_sums(errors))


def _total(rates: Sequence[ErrorRate], engine: str, levels: tuple[Level, ...]) -> ErrorRate:
    parts: dict[str, Any] = {
        name: added([getattr(rate, name) for rate in rates]) for name in _KINDS
    }
    by_position = {
        kind: [rate.kinds[kind] for rate in rates if kind in rate.kinds] for kind in PositionKind
    }
    parts["kinds"] = {kind: added(errors) for kind, errors in by_position.items() if errors}
    luck: dict[str, Any] = {
        name: _sum_of_known(getattr(rate, name) for rate in rates) for name in ("luck", "luck_mwc")
    }
    lucky = [rate for rate in rates if rate.luck is not None]
    luck["luck_net"] = _sum_of_all([rate.luck_net for rate in lucky])
    is_of_one_unit = len({rate.luck_mwc is None for rate in lucky}) == 1
    if is_of_one_unit:
        luck["luck_worth"] = _sum_of_all([rate.luck_worth for rate in lucky])
        luck["luck_adjusted"] = _sum_of_known(rate.luck_adjusted for rate in lucky)
    by: dict[str, Any] = {"rule": rates[0].rule, "engine": engine, "levels": levels}
    return ErrorRate(**_sums(rates), **parts, **luck, **by)


def _sums(errors: Sequence[Errors]) -> dict[str, Any]:
    """The arguments of `Errors` for several."""
    return {
        "decisions": sum(part.decisions for part in errors),
        "error": sum(part.error for part in errors),
        "mwc_error": _sum_of_known(part.mwc_error for part in errors),
        "mistakes": {
            name: sum(part.mistakes.get(name, 0) for part in errors) for name in errors[0].mistakes
        },
    }
