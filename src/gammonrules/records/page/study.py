"""How well a match was played: error rates, a graph, the mistakes by size, and questions about them.

What counts as a mistake, and what it cost, is decided where error rates are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import accumulate
from typing import cast
from urllib.parse import quote

from attrs import frozen

from gammonrules.board import Plays, TurnTree
from gammonrules.draw import svg
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import GammonError
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Action, Pair, Player
from gammonrules.records.page.charts import Point, Series, strip
from gammonrules.records.page.frame import filled, part
from gammonrules.records.page.listing import in_bdi, shown_evaluator
from gammonrules.records.page.pictures import Pictures, Plain
from gammonrules.records.page.steps import GameSteps, Step
from gammonrules.records.page.tables import UNKNOWN
from gammonrules.records.transcript import (
    MISTAKES,
    Analysis,
    CubeAnalysis,
    Decision,
    DecisionKind,
    ErrorRate,
    Evaluator,
    PlayAnalysis,
    best_words,
    harmless,
    level_of,
    rated_apart,
    signed,
    won_in,
    worth_of_luck,
    xgid_of,
)

_RULE = "xg"
_ERROR, _BLUNDER = MISTAKES[_RULE].values()
_SIZES = _ERROR, 0.04, _BLUNDER, 0.16
"""The list of mistakes can begin with each of these."""
_KINDS = {DecisionKind.PLAY: "play", DecisionKind.DOUBLE: "double", DecisionKind.ANSWER: "take"}
_CHOICES = {
    DecisionKind.DOUBLE: (
        "to double or to roll?",
        {"Double": Action.DOUBLE, "No double": Action.ROLL},
    ),
    DecisionKind.ANSWER: ("to take or to drop?", {"Take": Action.TAKE, "Drop": Action.DROP}),
}
NO_STUDY = "mistake_buttons", "mistakes", "graph"
"""The pieces of a page that one without analyses does not have."""


@frozen
class Judged:
    """A decision with an analysis, and where it is on the page."""

    decision: Decision
    cost: float
    """0 if it does not count in the error rates."""
    number: int
    """Of its step on the page, from 0."""
    step: Step

    @property
    def label(self) -> str:
        """What was done."""
        return "No double" if self.decision.event.action is Action.ROLL else self.step.label

    @property
    def best(self) -> str:
        """What would have been best."""
        return harmless(best_words(self.decision), LONGEST_NAME)

    @property
    def chance(self) -> float | None:
        """White's chance of winning the match if all goes on well; None in money play."""
        equity = self.equity
        chance = (
            None
            if equity is None
            else KAZAROSS_XG2.to_chance(equity, self.decision.state, Player.WHITE)
        )
        return None if chance is None else min(max(chance, 0.0), 1.0)

    @property
    def equity(self) -> float | None:
        """The equity for White if all goes on well."""
        equity = self.decision.equity_best
        return equity if equity is None or self.decision.player is Player.WHITE else -equity


@frozen
class Study:
    """What the page of a match says about how well it was played."""

    names: Pair[str]
    games: Sequence[GameSteps]
    rates: Sequence[Pair[ErrorRate]]
    """White's and Black's, for each engine apart, and for each of its levels if these do not mix."""
    judged: Sequence[Judged]
    again: str
    """The beginning of an address at which a game goes on, or nothing."""

    @classmethod
    def of(
        cls, names: Pair[str], games: Sequence[GameSteps], rest: Sequence[GameSteps], again: str
    ) -> Study | None:
        """The error rates are those of all games, also of the rest, which is not on the page."""
        played = [game for game in (*games, *rest) if game.is_followed]
        decided = [(game.game.start, game.decisions, won_in(game.game)) for game in played]
        by_evaluator = rated_apart(decided, _RULE)
        costs = {
            id(decision): errors.error
            for rated in by_evaluator
            for decision, errors in rated.counted
        }
        rates = [rated.rates for rated in by_evaluator]
        return (
            cls(names, games, rates, judged=[*_judged_decisions(games, costs)], again=again)
            if by_evaluator
            else None
        )

    @property
    def mistakes(self) -> list[Judged]:
        """What counts as an error in the error rates."""
        return [
            judged
            for judged in self.judged
            if judged.cost >= _ERROR and judged.decision.kind in _KINDS
        ]

    def html(self, addresses: Sequence[str]) -> dict[str, str]:
        """The pieces of the page; `addresses` are those of its steps."""
        mistakes = _list(
            self.mistakes, self.names, addresses, self.again, is_mixed=len(self.rates) > 1
        )
        pieces = {"rates": _rate_tables(self.rates, self.names), "graph": self._graph(addresses)}
        return pieces | {"mistake_buttons": part("mistake-buttons.html"), "mistakes": mistakes}

    @property
    def prs(self) -> Sequence[str]:
        """What stands behind each name: nothing where numbers do not mix, or none is known."""
        prs = (
            [pair[player].pr for pair in self.rates[:1] for player in Player]
            if len(self.rates) == 1
            else [None] * 2
        )
        return ["" if pr is None else f" <small>PR {pr:.1f}</small>" for pr in prs]

    def _graph(self, addresses: Sequence[str]) -> str:
        """White's chance of winning the match along the moves, or the equity where that is not known."""
        starts = [*accumulate((len(game.steps) for game in self.games), initial=0)]
        chances = {judged.number: judged.chance for judged in self.judged}
        is_chance = any(chance is not None for chance in chances.values())
        values = chances if is_chance else {judged.number: judged.equity for judged in self.judged}
        mistakes = [_mark(judged, self.names, addresses) for judged in self.mistakes]
        title = "chance of winning the match" if is_chance else "equity of the game"
        marks = [
            (start, str(game.game.number)) for game, start in zip(self.games, starts, strict=False)
        ]
        drawn = strip(
            title,
            lines=self._lines(values),
            mistakes=mistakes,
            marks=marks,
            ends=(0, 1) if is_chance else (-1, 1),
            last=starts[-1] - 1,
        )
        sizes = '<span class="error">errors,</span> <span class="blunder">blunders</span>'
        light = "Light: " * (len(self.rates) == 1)
        about = f"{light}{in_bdi(self.names[0])}'s {'chance to win' if is_chance else 'equity'}, {sizes}"
        return f"<figure>{drawn}<figcaption>{about}</figcaption></figure>\n"

    def _lines(self, values: Mapping[int, float | None]) -> list[Series]:
        """One, or where numbers do not mix, one for each engine and level."""
        points = [
            Point(number, value) for number, value in sorted(values.items()) if value is not None
        ]
        if len(self.rates) == 1:
            return [Series("", points)]
        evaluators = {judged.number: _evaluator(judged.decision) for judged in self.judged}
        return [
            Series(
                f"{white.level} {white.engine}",
                [point for point in points if evaluators[int(point.x)] in shown],
            )
            for white, shown in (
                (white, {Evaluator(white.engine, level) for level in white.levels})
                for white, _ in self.rates
            )
        ]

    def questions(self, pictures: Pictures) -> dict[str, Plain]:
        """What the page asks at each step with a mistake: the picture before it, and what each answer costs.

        A play is asked with the tree of the turn; its costs are by the node of the tree at which an answer ends.
        """
        asked: dict[str, list[Plain]] = {}
        for mistake in self.mistakes:
            decision = mistake.decision
            if isinstance(decision.analysis, PlayAnalysis) is not (
                decision.kind is DecisionKind.PLAY
            ):
                continue  # a program has put one in the place of the other
            drawn = svg.OnPage(decision.state, self.names, mistake.step.last_play).both_sides(
                arrows=None
            )
            question = _question(mistake) | {"side": [*Player].index(decision.player)}
            question["pictures"] = [*map(pictures.add, drawn)]
            asked.setdefault(str(mistake.number), []).append(question)
        return {**asked}


def _judged_decisions(games: Sequence[GameSteps], costs: Mapping[int, float]) -> Iterator[Judged]:
    """The decisions on a page that have an analysis, in order; `costs` has the ids of those that count."""
    before = 0
    for game in games:
        steps = {
            index: (before + at, step)
            for at, step in enumerate(game.steps)
            for index in step.events
        }
        for decision in game.decisions:
            if decision.analysis is not None and decision.index in steps:
                yield Judged(decision, costs.get(id(decision), 0.0), *steps[decision.index])
        before += len(game.steps)


def _mark(mistake: Judged, names: Pair[str], addresses: Sequence[str]) -> Point:
    cost = mistake.cost
    player = mistake.decision.player
    label = f"{signed(-cost)} {names[player]}: {mistake.label}"
    height = cost if player is Player.WHITE else -cost
    kind = "blunder" if cost >= _BLUNDER else "error"
    return Point(mistake.number, height, label, f"#{addresses[mistake.number]}", kind)


# --- error rates ------------------------------------------------------------------------------------------------------


def _rate_tables(rates: Sequence[Pair[ErrorRate]], names: Pair[str]) -> str:
    """Tables of error rates, each with its engine and level."""
    mixed = "<p>Two engines or levels stand in this record, whose numbers do not mix: each has a table.</p>"
    tables = mixed * (len(rates) > 1) + "".join(_rates_table(pair, names) for pair in rates)
    return f'<section id="rates" aria-label="Error rates">{filled(part("rates.html"), {"tables": tables})}</section>\n'


def _rates_table(rates: Pair[ErrorRate], names: Pair[str]) -> str:
    rows = "".join(_rate_row(name, rate) for name, rate in zip(names, rates, strict=True))
    pieces = {"rows": rows, "by": shown_evaluator(Evaluator(rates[0].engine, rates[0].level))}
    return filled(
        part("rate-table.html"),
        pieces | {"net": _net_luck(names[Player.WHITE], rates[Player.WHITE])},
    )


def _net_luck(name: str, rate: ErrorRate) -> str:
    """Of one player: that of the other is the same with the other sign."""
    if rate.luck_net is None:
        return ""
    return (
        f"<p><b>Net luck</b> of {in_bdi(name)}: {signed(rate.luck_net)}{worth_of_luck(rate)}.</p>"
    )


def _evaluator(decision: Decision) -> Evaluator:
    analysis = cast("Analysis", decision.analysis)
    return Evaluator(analysis.engine, level_of(analysis))


def _rate_row(name: str, rate: ErrorRate) -> str:
    pr, thousandths = (
        UNKNOWN if number is None else f"{number:.2f}" for number in (rate.pr, rate.rate)
    )
    luck = UNKNOWN if rate.luck is None else signed(rate.luck)
    cells = pr, thousandths, str(rate.decisions), *map(str, rate.mistakes.values()), luck
    return f'<tr><th scope="row">{in_bdi(name)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


# --- the list of mistakes ---------------------------------------------------------------------------------------------


def _list(
    mistakes: Sequence[Judged],
    names: Pair[str],
    addresses: Sequence[str],
    again: str,
    *,
    is_mixed: bool,
) -> str:
    """Each player's mistakes by size, which a style sheet filters; `addresses` are those of the steps."""
    pieces = {"white": in_bdi(names[0]), "black": in_bdi(names[1]), "count": str(len(mistakes))}
    pieces |= {"whites": "", "blacks": ""}
    for mistake in sorted(mistakes, key=lambda mistake: -mistake.cost):
        pieces[f"{mistake.decision.player}s"] += _item(
            mistake, addresses[mistake.number], again, is_mixed=is_mixed
        )
    return filled(part("mistakes.html"), pieces)


def _item(mistake: Judged, address: str, again: str, *, is_mixed: bool) -> str:
    decision = mistake.decision
    xgid = xgid_of(decision.state) if again else ""
    link = f' <a href="{escape(again + quote(xgid))}" target="_blank">try again</a>' if xgid else ""
    size = sum(mistake.cost >= least for least in _SIZES) - 1
    where = f"game {decision.game}" + (
        f", {shown_evaluator(_evaluator(decision))}" if is_mixed else ""
    )
    return (
        f'<li class="{decision.player} {_KINDS[decision.kind]} size{size}"><a href="#{escape(address)}">'
        f'<b class="loss">{signed(-mistake.cost)}</b> <span class="answer">{escape(mistake.label)}</span></a> '
        f'<small>{where}<span class="answer">; best: {escape(mistake.best)}</span>{link}</small></li>'
    )


# --- questions --------------------------------------------------------------------------------------------------------


def _question(mistake: Judged) -> dict[str, Plain]:
    decision = mistake.decision
    analysis = mistake.decision.analysis
    if isinstance(analysis, CubeAnalysis):
        text, choices = _CHOICES[decision.kind]
        return {
            "text": text,
            "costs": {name: _cost_of(action, mistake) for name, action in choices.items()},
        }
    tree = decision.state.legal_plays.tree()
    costs = dict(_costs_of_plays(mistake, tree))
    return {
        "text": f"to play {decision.dice}",
        "tree": cast("Plain", tree.data),
        "costs": cast("Plain", costs),
    }


def _cost_of(action: Action, mistake: Judged) -> str | None:
    """What an answer about the cube costs; None if the engine does not say."""
    analysis = cast("CubeAnalysis", mistake.decision.analysis)
    is_made = action is mistake.decision.event.action
    best = analysis.equity_of_best(action)
    error = analysis.error_of(action) if is_made or best is not None else None
    return None if error is None else f"{error:.3f}"


def _costs_of_plays(mistake: Judged, tree: TurnTree) -> Iterator[tuple[str, str]]:
    analysis = cast("PlayAnalysis", mistake.decision.analysis)
    best = analysis.best.equity if analysis.best else None
    for index, candidate in enumerate(analysis.candidates):
        cost = analysis.error if index == analysis.played else None
        if best is not None and candidate.equity is not None:
            cost = max(0.0, best - candidate.equity)
        end = _end_node(tree, mistake.decision.state.legal_plays, candidate.play)
        if cost is not None and end is not None:
            yield str(end), f"{cost:.3f}"


def _end_node(tree: TurnTree, plays: Plays, text: str) -> int | None:
    """The node at which a play ends; None for a text that is no play."""
    node = 0
    with suppress(GammonError):
        for move in plays.find(text).moves:
            way = move.from_point, move.to_point
            node = next(
                after for source, target, _, after in tree.nodes[node] if (source, target) == way
            )
        return node
    return None
