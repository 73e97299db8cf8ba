"""How well a match was played: error rates, a graph, the mistakes by size, and questions about them.

What counts as a mistake, and what it cost, is decided where error rates are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from attrs import frozen

from gammonrules.analysis import Analysis, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import harmless, signed, xgid_of
from gammonrules.board import Move, Plays, TurnTree
from gammonrules.draw import svg
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import GammonError
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import Action, Pair, Player
from gammonrules.records.page.charts import Mark, Point, Series, strip
from gammonrules.records.page.html_tables import UNKNOWN, pr_cell
from gammonrules.records.page.move_list import in_bdi, shown_evaluator
from gammonrules.records.page.quiz import choices_of
from gammonrules.records.page.shared_images import Pictures, Plain
from gammonrules.records.page.template import filled, part
from gammonrules.records.page.timeline import GameSteps, Step
from gammonrules.records.transcript import (
    MISTAKES,
    Decision,
    DecisionKind,
    ErrorRate,
    Evaluator,
    GameToRate,
    best_words,
    level_of,
    rated_apart,
    told_pr,
    won_in,
    worth_of_luck,
)

_RULE = "xg"
_ERROR = MISTAKES[_RULE]["error"]
_BLUNDER = MISTAKES[_RULE]["blunder"]
_SIZES = _ERROR, 0.04, _BLUNDER, 0.16
"""The list of mistakes can begin with each of these; they rise."""
_KINDS = {DecisionKind.PLAY: "play", DecisionKind.DOUBLE: "double", DecisionKind.ANSWER: "take"}
_CUBE_QUESTIONS = {
    DecisionKind.DOUBLE: "to double or to roll?",
    DecisionKind.ANSWER: "to take or to drop?",
}
NO_REVIEW = "mistake_buttons", "mistakes", "graph"
"""The pieces of a page that one without analyses does not have."""


@frozen
class PlacedDecision:
    """A decision with an analysis, and where it is on the page."""

    decision: Decision
    analysis: Analysis
    cost: float
    """0 if it does not count in the error rates."""
    number: int
    """Of its step on the page, from 0."""
    step: Step

    @property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.analysis.engine, level_of(self.analysis))

    @property
    def label(self) -> str:
        """The words for what was done."""
        return "No double" if self.decision.event.action is Action.ROLL else self.step.label

    @property
    def best(self) -> str:
        """The words for what would have been best."""
        return harmless(best_words(self.decision), MAX_NAME_LENGTH)

    @property
    def chance(self) -> float | None:
        """White's chance of winning the match if all goes on well; None in money play."""
        equity = self.equity
        if equity is None:
            return None
        chance = KAZAROSS_XG2.to_chance(equity, self.decision.state, Player.WHITE)
        return None if chance is None else min(max(chance, 0.0), 1.0)

    @property
    def equity(self) -> float | None:
        """The equity for White if all goes on well."""
        equity = self.decision.equity_best
        if equity is None or self.decision.player is Player.WHITE:
            return equity
        return -equity


@frozen
class Review:
    """What the page of a match says about how well it was played."""

    names: Pair[str]
    games: Sequence[GameSteps]
    rates: Sequence[Pair[ErrorRate]]
    """White's and Black's, for each engine apart, and for each of its levels if these do not mix."""
    decisions: Sequence[PlacedDecision]
    play_url_prefix: str
    """The beginning of an address at which a game goes on, or nothing."""

    @classmethod
    def of(
        cls,
        names: Pair[str],
        games: Sequence[GameSteps],
        games_left_out: Sequence[GameSteps],
        play_url_prefix: str,
    ) -> Review | None:
        """The review of `games`; its error rates also count the games that are left out of the page."""
        games_to_rate: list[GameToRate] = []
        for game in (*games, *games_left_out):
            if game.is_followed:
                start = game.game.start
                games_to_rate.append(GameToRate(start, game.decisions, won_in(game.game)))
        rated_by_evaluators = rated_apart(games_to_rate, _RULE)
        if not rated_by_evaluators:
            return None
        costs: dict[int, float] = {}  # by the id, since two decisions may be equal
        for rated in rated_by_evaluators:
            for decision, errors in rated.counted():
                costs[id(decision)] = errors.error
        rates = [rated.rates for rated in rated_by_evaluators]
        return cls(
            names,
            games,
            rates,
            decisions=_placed_decisions(games, costs),
            play_url_prefix=play_url_prefix,
        )

    @property
    def mistakes(self) -> list[PlacedDecision]:
        """The decisions that count as errors in the error rates, except resignations and their answers."""
        return [
            placed
            for placed in self.decisions
            if placed.cost >= _ERROR and placed.decision.kind in _KINDS
        ]

    def worst_of(self, player: Player | None) -> PlacedDecision | None:
        """The mistake of the player that cost most, or of both where they made none or None is asked for."""
        mistakes = self.mistakes
        of_player = [mistake for mistake in mistakes if mistake.decision.player is player]
        return max(of_player or mistakes, key=lambda mistake: mistake.cost, default=None)

    def html(self, addresses: Sequence[str]) -> dict[str, str]:
        """The pieces of the page; `addresses` are those of its steps."""
        return {
            "rates": _rate_tables(self.rates, self.names),
            "graph": self._graph(addresses),
            "mistake_buttons": part("mistake-buttons.html"),
            "mistakes": self._list_of_mistakes(addresses),
        }

    @property
    def is_mixed(self) -> bool:
        """Whether there are several engines or levels, whose numbers do not mix."""
        return len(self.rates) > 1

    @property
    def prs(self) -> tuple[str, str]:
        """The PR behind each name: nothing where numbers do not mix, or none is known."""
        if self.is_mixed:
            return "", ""
        white, black = self.rates[0]
        return _pr_beside_name(white), _pr_beside_name(black)

    def _graph(self, addresses: Sequence[str]) -> str:
        """White's chance of winning the match along the moves, or the equity where that is not known."""
        steps_before = 0
        starts_of_games: list[Mark] = []
        for game in self.games:
            starts_of_games.append(Mark(steps_before, str(game.game.number)))
            steps_before += len(game.steps)
        last_step = steps_before - 1
        values: Mapping[int, float | None] = {
            placed.number: placed.chance for placed in self.decisions
        }
        has_chances = any(chance is not None for chance in values.values())
        if has_chances:
            title = "chance of winning the match"
            name_of_value = "chance to win"
            lowest = 0
        else:
            title = "equity of the game"
            name_of_value = "equity"
            lowest = -1
            values = {placed.number: placed.equity for placed in self.decisions}
        drawn = strip(
            title,
            lines=self._lines(values),
            mistakes=[_mistake_point(placed, self.names, addresses) for placed in self.mistakes],
            marks=starts_of_games,
            lowest=lowest,
            highest=1,
            last=last_step,
        )
        sizes = '<span class="error">errors,</span> <span class="blunder">blunders</span>'
        caption = f"{in_bdi(self.names[Player.WHITE])}'s {name_of_value}, {sizes}"
        if not self.is_mixed:
            caption = f"Light: {caption}"
        return f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>\n"

    def _lines(self, values: Mapping[int, float | None]) -> list[Series]:
        """The line of a chart, or where numbers do not mix, one for each engine and level; `values` are by step."""
        known_values: dict[int, float] = {}
        for step in sorted(values):
            value = values[step]
            if value is not None:
                known_values[step] = value
        if not self.is_mixed:
            return [Series("", [Point(step, value) for step, value in known_values.items()])]
        evaluators = {placed.number: placed.evaluator for placed in self.decisions}
        lines: list[Series] = []
        for pair in self.rates:
            rate = pair[Player.WHITE]  # Black's is of the same engine and levels
            evaluators_of_line = {Evaluator(rate.engine, level) for level in rate.levels}
            points: list[Point] = []
            for step, value in known_values.items():
                if evaluators[step] in evaluators_of_line:
                    points.append(Point(step, value))
            lines.append(Series(f"{rate.levels_text} {rate.engine}", points))
        return lines

    def questions(self, boards: svg.PageBoards, pictures: Pictures) -> Mapping[str, Plain]:
        """The questions of the page, by the steps with a mistake: the picture before it, and what each answer costs.

        A play is asked with the tree of the turn; its costs are by the node of the tree at which an answer ends.
        """
        asked: dict[str, list[Plain]] = {}
        for mistake in self.mistakes:
            decision = mistake.decision
            is_play = decision.kind is DecisionKind.PLAY
            has_play_analysis = isinstance(mistake.analysis, PlayAnalysis)
            if is_play != has_play_analysis:
                continue  # a program has put one in the place of the other
            board = boards.board(decision.state, mistake.step.last_play)
            white_at_bottom, black_at_bottom = board.both_sides(None)
            question = _question(mistake)
            question["side"] = 0 if decision.player is Player.WHITE else 1
            question["pictures"] = [pictures.add(white_at_bottom), pictures.add(black_at_bottom)]
            key_of_step = str(mistake.number)
            asked.setdefault(key_of_step, []).append(question)
        return asked

    def _list_of_mistakes(self, addresses: Sequence[str]) -> str:
        """The list of each player's mistakes by size, filtered by a style sheet; `addresses` are those of the steps."""
        mistakes = self.mistakes
        items: dict[Player, list[str]] = {Player.WHITE: [], Player.BLACK: []}
        for mistake in sorted(mistakes, key=lambda mistake: -mistake.cost):
            item = _item(
                mistake,
                addresses[mistake.number],
                play_url_prefix=self.play_url_prefix,
                is_mixed=self.is_mixed,
            )
            items[mistake.decision.player].append(item)
        pieces = {
            "white": in_bdi(self.names[Player.WHITE]),
            "black": in_bdi(self.names[Player.BLACK]),
            "count": str(len(mistakes)),
            "white_count": str(len(items[Player.WHITE])),
            "black_count": str(len(items[Player.BLACK])),
            "whites": "".join(items[Player.WHITE]),
            "blacks": "".join(items[Player.BLACK]),
        }
        return filled(part("mistakes.html"), pieces)


def _pr_beside_name(rate: ErrorRate) -> str:
    pr = told_pr(rate)
    return "" if pr is None else f" <small>PR {pr:.1f}</small>"


def _placed_decisions(
    games: Sequence[GameSteps], costs: Mapping[int, float]
) -> list[PlacedDecision]:
    """The decisions on a page that have an analysis, in order; `costs` has the ids of those that count."""
    placed: list[PlacedDecision] = []
    steps_before = 0
    for game in games:
        step_of_event: dict[int, int] = {}
        for index, step in enumerate(game.steps):
            for event in step.events:
                step_of_event[event] = index
        for decision in game.decisions:
            index_of_step = step_of_event.get(decision.index)
            if decision.analysis is None or index_of_step is None:  # None beyond the page's end
                continue
            placed.append(
                PlacedDecision(
                    decision,
                    decision.analysis,
                    cost=costs.get(id(decision), 0.0),
                    number=steps_before + index_of_step,
                    step=game.steps[index_of_step],
                )
            )
        steps_before += len(game.steps)
    return placed


def _mistake_point(mistake: PlacedDecision, names: Pair[str], addresses: Sequence[str]) -> Point:
    """A mistake in the graph. Black's have negative heights, so that they hang from above."""
    cost = mistake.cost
    player = mistake.decision.player
    return Point(
        x=mistake.number,
        y=cost if player is Player.WHITE else -cost,
        label=f"{signed(-cost)} {names[player]}: {mistake.label}",
        href=f"#{addresses[mistake.number]}",
        # as its label has it, so that mistakes that cost the same there have the same color
        kind="blunder" if round(cost, 3) >= _BLUNDER else "error",
    )


# --- error rates ------------------------------------------------------------------------------------------------------


def _rate_tables(rates: Sequence[Pair[ErrorRate]], names: Pair[str]) -> str:
    """Tables of error rates, each with its engine and level."""
    tables = "".join([_rates_table(pair, names) for pair in rates])
    if len(rates) > 1:
        tables = f"{_MIXED}{tables}"
    section = filled(part("rates.html"), {"tables": tables})
    return f'<section id="rates" aria-label="Error rates">{section}</section>\n'


_MIXED = (
    "<p>Two engines or levels stand in this record, whose numbers do not mix: each has a table.</p>"
)


def _rates_table(rates: Pair[ErrorRate], names: Pair[str]) -> str:
    white = rates[Player.WHITE]
    rows = [_rate_row(name, rate) for name, rate in zip(names, rates, strict=True)]
    pieces = {
        "rows": "".join(rows),
        "by": shown_evaluator(Evaluator(white.engine, white.levels_text)),
        "net": _net_luck(names[Player.WHITE], white),
    }
    return filled(part("rate-table.html"), pieces)


def _net_luck(name: str, rate: ErrorRate) -> str:
    """Of one player: that of the other is the same with the other sign."""
    if rate.luck_net is None:
        return ""
    luck = f"{signed(rate.luck_net)}{worth_of_luck(rate)}"
    return f"<p><b>Net luck</b> of {in_bdi(name)}: {luck}.</p>"


def _rate_row(name: str, rate: ErrorRate) -> str:
    columns = [
        pr_cell(rate),
        UNKNOWN if told_pr(rate) is None else f"{rate.rate:.2f}",  # it is twice the PR
        str(rate.decisions),
        *map(str, rate.mistakes.values()),
        UNKNOWN if rate.luck is None else signed(rate.luck),
    ]
    cells = "".join([f"<td>{column}</td>" for column in columns])
    return f'<tr><th scope="row">{in_bdi(name)}</th>{cells}</tr>'


# --- the list of mistakes ---------------------------------------------------------------------------------------------


def _item(mistake: PlacedDecision, address: str, *, play_url_prefix: str, is_mixed: bool) -> str:
    decision = mistake.decision
    link = ""
    if play_url_prefix:
        xgid = xgid_of(decision.state)
        if xgid:
            href = escape(play_url_prefix + quote(xgid))
            link = f' <a href="{href}" target="_blank">try again</a>'
    # the style sheet has a class for each size: that of the largest one that is reached
    sizes_reached = [size for size in _SIZES if mistake.cost >= size]
    size_class = f"size{len(sizes_reached) - 1}"
    where = f"game {decision.game}"
    if is_mixed:
        where += f", {shown_evaluator(mistake.evaluator)}"
    return (
        f'<li class="{decision.player} {_KINDS[decision.kind]} {size_class}"><a href="#{escape(address)}">'
        f'<b class="loss">{signed(-mistake.cost)}</b> <span class="answer">{escape(mistake.label)}</span></a> '
        f'<small>{where}<span class="answer">; best: {escape(mistake.best)}</span>{link}</small></li>'
    )


# --- questions --------------------------------------------------------------------------------------------------------


def _question(mistake: PlacedDecision) -> dict[str, Plain]:
    """The question about a mistake, and the cost of each answer: of words with the cube, of nodes with checkers."""
    decision = mistake.decision
    analysis = mistake.analysis
    if isinstance(analysis, CubeAnalysis):
        costs = {choice.words: _cost_text(choice.cost) for choice in choices_of(decision)}
        return {"text": _CUBE_QUESTIONS[decision.kind], "costs": costs}
    assert isinstance(analysis, PlayAnalysis)
    plays = decision.state.legal_plays
    tree = plays.tree()
    return {
        "text": f"to play {decision.dice}",
        "tree": tree.data,
        "costs": _costs_of_plays(analysis, plays, tree),
    }


def _cost_text(cost: float | None) -> str | None:
    return None if cost is None else f"{cost:.3f}"


def _costs_of_plays(analysis: PlayAnalysis, plays: Plays, tree: TurnTree) -> dict[str, str]:
    """The known costs of plays, by the node of the tree at which each ends."""
    best_equity = analysis.best.equity if analysis.best else None
    costs: dict[str, str] = {}
    for index, candidate in enumerate(analysis.candidates):
        cost: float | None = None
        if best_equity is not None and candidate.equity is not None:
            cost = max(0.0, best_equity - candidate.equity)
        elif index == analysis.played:
            cost = analysis.error  # a record can state it without equities
        if cost is None:
            continue
        node = _end_node(tree, plays, candidate.play)
        if node is not None:
            costs[str(node)] = f"{cost:.3f}"
    return costs


def _end_node(tree: TurnTree, plays: Plays, text: str) -> int | None:
    """The node at which a play ends; None for a text that is no play."""
    try:
        moves = plays.find(text).moves
    except GammonError:
        return None
    node = 0  # where the turn begins
    for move in moves:
        node = _node_after(tree, node, move)
    return node


def _node_after(tree: TurnTree, node: int, move: Move) -> int:
    for source, target, _, following in tree.nodes[node]:
        if (source, target) == (move.from_point, move.to_point):
            return following
    raise AssertionError(f"{move} is not in the tree of its turn")
