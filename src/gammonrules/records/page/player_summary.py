"""What a report says first of a player: a sentence, four tiles, what to practice, and the worst mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from attrs import frozen

from gammonrules.analysis.internals import FEW_PLAYS, harmless, panel, xgid_of
from gammonrules.board import PositionKind
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.records.page.aggregates import MAX_WORST, MONEY, Details, Mistake, SideOfKind
from gammonrules.records.page.html_tables import UNKNOWN, signed_number, wide_table
from gammonrules.records.page.kind_names import DOUBLING, KINDS, SIDES, plural
from gammonrules.records.page.move_list import shown_name
from gammonrules.records.page.quiz import choice_buttons, choices_of, quiz_board
from gammonrules.records.page.template import filled, part
from gammonrules.records.transcript import (
    MIN_DECISIONS,
    DecisionKind,
    ErrorSummary,
    best_words,
    dashed,
    done_words,
    known_play,
    told_pr,
)
from gammonrules.values import counted

PageOf: TypeAlias = Callable[[str], str]
"""The address of the page of a match, by the path of its record; "" if there is none."""


def _no_page(_path: str) -> str:
    return ""


SHOWN: Final = 3
"""The worst mistakes, which are solved."""
_AGAIN: Final = {2: 3, 3: 1}
"""Positions of a kind to try, by the level of headings."""
_PRACTICED: Final = 2
"""Kinds to practice."""
_ONE_SIDED: Final = 2 / 3
"""The share of a loss from which on it is that of one side."""


class PlayerClass(NamedTuple):
    """What eXtreme Gammon calls a player from this PR on."""

    name: str
    least: float


CLASSES: Final = (
    PlayerClass("World champion", 0),
    PlayerClass("World class", 2.5),
    PlayerClass("Expert", 5),
    PlayerClass("Advanced", 7.5),
    PlayerClass("Intermediate", 12.5),
    PlayerClass("Casual", 17.5),
    PlayerClass("Beginner", 22.5),
    PlayerClass("Distracted", 30),
)
_NO_ADVICE: Final = "Too few decisions to say what to practice."
_QUESTIONS: Final = {DecisionKind.DOUBLE: "Double or roll?", DecisionKind.ANSWER: "Take or drop?"}


def about_matches(number: float) -> str:
    """The words for a chance of winning a match, without its sign."""
    size = abs(number)
    rounded = f"{size:.1f}" if size >= 0.05 else f"{size:.2f}"
    return f"about {rounded} of a match" if size < 0.95 else f"about {rounded} matches"


@frozen
class Topic:
    """A kind to practice."""

    kind: str
    errors: ErrorSummary
    excess: float
    """How much more is lost than is usual."""
    others: float | None = None
    """The PR of others, if it is known."""


@frozen
class Tile:
    title: str
    number: str
    words: str
    """What is said of the number."""

    def html(self) -> str:
        return f"<div><dt>{self.title}</dt><dd>{self.number}</dd><dd>{self.words}</dd></div>"


@frozen
class Lessons:
    """What is said first of a player."""

    details: Details
    everyone: Mapping[PositionKind, ErrorSummary]
    """What all players lost in each kind of position; empty if they are too few."""
    number: int
    """Of this player on the page."""
    level: int
    """Of the headings: 2 if the page is about this player alone."""
    page_of: PageOf = _no_page

    @property
    def is_whole_page(self) -> bool:
        """Whether the page is about this player alone."""
        return self.level == 2

    @property
    def topics(self) -> list[Topic]:
        """The kinds in which most is lost beyond what is usual, the worst first."""
        total = self.details.all.rate
        cube = self.details.cube
        mean = total.error / total.decisions if total.decisions else 0.0
        topics = [Topic(DOUBLING, cube, excess=cube.error - mean * cube.decisions)]
        usual_errors = self._usual_errors()
        for kind, errors in total.kinds.items():
            excess = errors.error - usual_errors[kind]
            topics.append(Topic(kind, errors, excess, others=self._errors_of_others(kind).pr))
        costly = [topic for topic in topics if _can_be_practiced(topic)]
        costly.sort(key=lambda topic: -topic.excess)
        return costly[:_PRACTICED]

    def _usual_errors(self) -> dict[PositionKind, float]:
        """The errors in each kind if the player lost more in those in which others do.

        The whole loss is shared out by weights: how many decisions a kind has, times what others lose in one of them.
        Where that is not known, the decisions alone are the weight, which gives the player's mean.
        """
        total = self.details.all.rate
        weights: dict[PositionKind, float] = {}
        for kind, errors in total.kinds.items():
            weights[kind] = errors.decisions
            rate_of_others = self._errors_of_others(kind).rate
            if rate_of_others:
                weights[kind] *= rate_of_others
        weight_of_all = sum(weights.values())
        error_per_weight = total.error / weight_of_all if weight_of_all else 0.0
        return {kind: error_per_weight * weight for kind, weight in weights.items()}

    def _errors_of_others(self, kind: PositionKind) -> ErrorSummary:
        everyone = self.everyone.get(kind, ErrorSummary())
        own = self.details.all.rate.kinds[kind]
        return ErrorSummary(max(everyone.decisions - own.decisions, 0), everyone.error - own.error)

    def _loses_as_named_side(self, topic: Topic) -> bool | None:
        """Whether most is lost as the side that the kind is named after, or else as the other; None if as neither."""
        if topic.kind == DOUBLING:
            return None
        by_side = self.details.parts.by_side
        for is_named_side in (True, False):
            side = SideOfKind(PositionKind(topic.kind), is_named_side)
            lost_on_side = by_side.get(side, ErrorSummary()).error
            if lost_on_side >= _ONE_SIDED * topic.errors.error:
                return is_named_side
        return None

    def _words(self, topic: Topic) -> str:
        as_named_side = self._loses_as_named_side(topic)
        if as_named_side is None:
            return plural(topic.kind)
        words_of_named_side, words_of_other = SIDES[topic.kind]
        return words_of_named_side if as_named_side else words_of_other

    @property
    def sentences(self) -> tuple[str, str]:
        """A sentence about what to practice, and those about what all mistakes cost."""
        if not self.details.all.rate.error:
            return "No mistake was made.", ""
        practice = self.practice
        advice = f"Practice {practice}." if practice else _NO_ADVICE
        return advice, self._words_about_cost()

    @property
    def practice(self) -> str:
        """The words for what to practice first, and what then; "" where too little is known."""
        return ", then ".join([self._words(topic) for topic in self.topics])

    def _words_about_cost(self) -> str:
        rate = self.details.all.rate
        counts = self.details.all.counts
        cost = f"{rate.error:.1f}" if rate.error >= 1 else f"{rate.error:.2f}"
        words = f"Mistakes cost {cost} points"
        has_money_play = counts["money"] > 0
        if rate.mwc_error is not None and not has_money_play:
            words += f", {about_matches(rate.mwc_error)}"
        words += f". Checkers: {_pr_words(rate.plays)}. Cube: {_pr_words(self.details.cube)}"
        wrong_cube_actions = self.details.wrong_cube_actions
        if wrong_cube_actions:
            words += f"; {wrong_cube_actions}"
        return f"{words}. One match is only a hint." if counts["matches"] == 1 else f"{words}."

    def html(self, note: str) -> str:
        """What is said first, with `note`, which is HTML, below the tiles."""
        advice, sentence = self.sentences
        topics = self.topics
        to_try = self._positions_to_try
        if topics:  # the advice leads to the first of them
            advice = f'<a href="#practice-{self.number}">{advice}</a>'
        parts = [f'<p class="lead">{advice}</p>\n']
        if sentence:
            parts.append(f"<p>{sentence}</p>\n")
        tiles = "".join([tile.html() for tile in self._tiles()])
        parts.append(f'<dl class="tiles">{tiles}</dl>\n{note}')
        for rank, topic in enumerate(topics, start=1):
            parts.append(self._practice(topic, rank, to_try[topic.kind]))
        solved = self.positions(self.solved, is_open=True)
        parts.append(
            headed(
                self.level,
                f'<span id="worst-{self.number}">The worst mistakes, solved</span>',
                solved,
            )
        )
        return "".join(parts)

    def _tiles(self) -> Iterator[Tile]:
        rate = self.details.all.rate
        pr = told_pr(rate)
        if pr is not None:
            yield _pr_tile(pr, self.details.uncertainty)
        elif rate.decisions:
            decisions = counted(rate.decisions, "decision")
            yield Tile("PR", UNKNOWN, f"{decisions}: too few, it takes {MIN_DECISIONS}")
        yield self._matches_tile()
        if rate.luck is not None:
            yield _luck_tile(rate.luck, rate.luck_net)
        if self.solved:
            yield self._worst_tile()

    def _worst_tile(self) -> Tile:
        """The mistake that cost most, with a link to where it was made."""
        worst = self.solved[0]
        decision = worst.decision
        cost = f'<span class="loss">\N{MINUS SIGN}{worst.error:.3f}</span>'
        done = escape(harmless(done_words(decision), MAX_NAME_LENGTH))
        best = escape(harmless(best_words(decision), MAX_NAME_LENGTH))
        if decision.dice:
            done = f"{decision.dice}: {done}"
        page = self.page_of(worst.played.path)
        if page:
            done = f'<a href="{page}#{escape(xgid_of(decision.state))}">{done}</a>'
        return Tile("Worst mistake", cost, f"{done}; best: {best}")

    def _matches_tile(self) -> Tile:
        counts = self.details.all.counts
        decisions = counted(self.details.all.rate.decisions, "decision", ",")
        if counts["matches"] == 1:
            # several records may have parts of it, of which the last one has the result
            only_match = max(self.details.latest, key=lambda played: sum(played.score))
            opponent = link_to(shown_name(only_match.opponent), self.page_of(only_match.path))
            result = f"{dashed(only_match.score, only_match.length)} against {opponent}"
        else:
            result = f"{counts['won']:,} won, {counts['lost']:,} lost"
        return Tile("Matches", f"{counts['matches']:,}", f"{result}; {decisions}")

    @property
    def _positions_to_try(self) -> dict[str, list[Mistake]]:
        """The positions to try, by the kind of their topic: each is there once, and none that is solved on the page."""
        on_page = self.solved
        by_kind: dict[str, list[Mistake]] = {}
        for topic in self.topics:
            mistakes = [mistake for mistake in self.details.worst if topic.kind in mistake.kinds]
            as_named_side = self._loses_as_named_side(topic)
            if as_named_side is not None:
                mistakes = [
                    mistake for mistake in mistakes if mistake.is_named_side is as_named_side
                ]
            new = [mistake for mistake in mistakes if mistake not in on_page]
            to_try = new[: _AGAIN[self.level]]
            by_kind[topic.kind] = to_try
            on_page = on_page + to_try
        return by_kind

    @property
    def solved(self) -> list[Mistake]:
        """The worst mistakes, which are shown with the answer."""
        return self.details.worst[:SHOWN]

    @property
    def more(self) -> list[Mistake]:
        """The other mistakes among the worst."""
        to_try = [*chain.from_iterable(self._positions_to_try.values())]
        not_solved = self.details.worst[SHOWN:MAX_WORST]
        return [mistake for mistake in not_solved if mistake not in to_try]

    @property
    def shown(self) -> list[Mistake]:
        """All mistakes that the page has on boards."""
        to_try = chain.from_iterable(self._positions_to_try.values())
        more = self.more if self.is_whole_page else []
        return [*self.solved, *to_try, *more]

    def _practice(self, topic: Topic, rank: int, to_try: Sequence[Mistake]) -> str:
        """A kind, what was lost in it, and positions to try, if there are some that are not solved below."""
        errors = topic.errors
        decisions = counted(errors.decisions, "decision", ",")
        names_one_side = self._loses_as_named_side(topic) is not None
        if names_one_side:  # the numbers are those of both sides
            decisions += f" in {plural(topic.kind)}"
        pr = errors.pr or 0.0  # it is None only without decisions
        usual = "at the player's mean"
        if topic.others is not None:
            usual = f"is usual: others have a PR of {topic.others:.1f}"
        sentence = (
            f"{decisions} with a PR of {pr:.1f} lost {errors.error:.2f} points, "
            f"{topic.excess:.2f} more than {usual}"
        )
        is_solved_below = any(topic.kind in mistake.kinds for mistake in self.solved)
        if is_solved_below and not to_try:
            sentence += ". What was worst in them is solved below"
        number = str(rank)
        if rank == 1:  # where the advice above leads
            number = f'<span id="practice-{self.number}">1</span>'
        title = f"Practice {number}: {self._words(topic)}"
        _, what_goes_on = KINDS[topic.kind]
        contents = f"{self.positions(to_try)}<p>{what_goes_on}. {sentence}.</p>\n"
        return headed(self.level, title, contents)

    def positions(self, mistakes: Sequence[Mistake], *, is_open: bool = False) -> str:
        """Mistakes as boards, with the answers open or closed."""
        boards = "".join([self.position(mistake, is_open=is_open) for mistake in mistakes])
        return f'<div class="boards">{boards}</div>\n' if boards else ""

    def position(self, mistake: Mistake, *, is_open: bool, is_named: bool = False) -> str:
        """A mistake as a board that asks, unless the answer is open; `is_named`: it says whose it is."""
        decision = mistake.decision
        analysis = decision.analysis
        if analysis is None:
            return ""
        table = panel(analysis, decision.event.action, FEW_PLAYS)
        # chances, whose heads have a "%", are left to the page of the match
        columns = [column for column, name in enumerate(table.head) if "%" not in name]
        head = [escape(table.head[column]) for column in columns]
        rows = [[escape(row[column]) for column in columns] for row in table.rows]
        xgid = escape(xgid_of(decision.state))
        remarks = [escape(remark) for remark in table.remarks]
        remarks.append(f"<code>{xgid}</code>")
        pieces = {
            "board": _board_of_mistake(mistake),
            "question": _QUESTIONS.get(decision.kind, f"{decision.dice}: which play?"),
            "where": self._where(mistake, xgid, is_named=is_named),
            "choices": "" if is_open else choice_buttons(choices_of(decision)),
            "open": " open" if is_open else "",
            "best": escape(harmless(best_words(decision), MAX_NAME_LENGTH)),
            "made": escape(harmless(done_words(decision), MAX_NAME_LENGTH)),
            "cost": f"{mistake.error:.3f}",
            "numbers": wide_table("What else there was", head=head, rows=rows, done=table.chosen),
            "remarks": " · ".join(remarks),
        }
        return filled(part("mistake.html"), pieces)

    def _where(self, mistake: Mistake, xgid: str, *, is_named: bool) -> str:
        """The words on where a mistake was made: by whom if `is_named`, the kind of position, score, pips and match."""
        state = mistake.decision.state
        player = mistake.decision.player
        played = mistake.played
        if played.length:
            points = dashed((state.score[player], state.score[player.opponent]))
            score = f"{points} to {played.length}"
        else:
            score = MONEY.lower()
        position = state.view(player)
        pips = f"pips {position.pip_count}-{position.opponent_pip_count}"
        kind_of_position = mistake.kinds[0]
        words = [kind_of_position, score, pips]
        if is_named:
            words.insert(0, shown_name(mistake.names[player]))
        has_several_matches = len(self.details.latest) > 1
        if has_several_matches:
            words.append(str(played.date or "no date"))
            words.append(f"against {shown_name(played.opponent)}")
        page = self.page_of(played.path)
        if page:
            words.append(f'<a href="{page}#{xgid}">in the match</a>')
        return " · ".join(words)


def _board_of_mistake(mistake: Mistake) -> str:
    decision = mistake.decision
    state = decision.state
    made: str | None = None
    best: str | None = None
    if decision.kind is DecisionKind.PLAY:
        made = decision.action
        best = known_play(state.legal_plays, decision.best)
    player = decision.player
    asked, opponent = mistake.names[player], mistake.names[player.opponent]
    return quiz_board(state, asked, opponent, made=made, best=best)


def _can_be_practiced(topic: Topic) -> bool:
    has_a_name = topic.kind in KINDS
    has_enough_decisions = told_pr(topic.errors) is not None
    is_costly = topic.excess > 1e-9  # more than the rounding of sums
    return has_a_name and has_enough_decisions and is_costly


def _pr_tile(pr: float, uncertainty: float | None) -> Tile:
    number = f"{pr:.1f}"
    if uncertainty:
        number += f" <small>± {uncertainty:.1f}</small>"
    reached = [each.name for each in CLASSES if each.least <= round(pr, 1)]
    return Tile("PR: lower is better", number, f"points lost in 500 decisions; {reached[-1]}")


def _luck_tile(own: float, net: float | None) -> Tile:
    if net is None:
        return Tile(
            "Own luck", signed_number(own), "points from the dice; the opponents' are not known"
        )
    return Tile("Net luck", signed_number(net), "points from the dice beyond the opponents'")


def link_to(words: str, address: str) -> str:
    return f'<a href="{address}">{words}</a>' if address else words


def headed(level: int, title: str, contents: str) -> str:
    return f"<h{level}>{title}</h{level}>\n{contents}" if contents else ""


def _pr_words(errors: ErrorSummary) -> str:
    pr = told_pr(errors)
    if pr is None:
        return f"{counted(errors.decisions, 'decision')}, too few for a PR"
    return f"PR {pr:.1f}"
