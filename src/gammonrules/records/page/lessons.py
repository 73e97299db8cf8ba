"""What a report tells first of a player: a sentence, four tiles, what to practice, and the worst mistakes."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain, starmap
from typing import Final, TypeAlias

from attrs import frozen

from gammonrules.board import PositionKind
from gammonrules.draw import svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.records.page.frame import filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.tables import signed_number, wide_table
from gammonrules.records.page.tallies import DOUBLING, MONEY, MOST_WORST, Details, Mistake
from gammonrules.records.transcript import (
    FEW_PLAYS,
    DecisionKind,
    ErrorRate,
    Errors,
    best_words,
    dashed,
    done_words,
    harmless,
    panel,
    worth_of_luck,
    xgid_of,
)
from gammonrules.values import counted

PageOf: TypeAlias = Callable[[str], str]
"""The address of the page of a match, by the path of its record; "" if there is none."""

SHOWN: Final = 3
"""The worst mistakes, which are solved."""
TOO_FEW: Final = 10
"""With fewer decisions no PR is told, and no kind is to be practiced."""
_AGAIN: Final = {2: 3, 3: 1}
"""Positions of a kind to try, by the level of headings."""
_PRACTICED: Final = 2
"""Kinds to practice."""
_ONE_SIDED: Final = 2 / 3
"""The share of a loss from which on it is that of one side."""
_CLASSES = (
    "World champion",
    "World class",
    "Expert",
    "Advanced",
    "Intermediate",
    "Casual",
    "Beginner",
    "Distracted",
)
_CLASS_ENDS: Final = 0, 2.5, 5, 7.5, 12.5, 17.5, 22.5, 30
"""From which PR on eXtreme Gammon calls it so."""
LEVELS: Final = [*zip(_CLASS_ENDS[1:], _CLASSES, strict=False)]
"""Where each class ends but the last."""
_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    PositionKind.BEAR_OFF: ("bear-offs", "All checkers are home, and none can be hit any more"),
    PositionKind.BEAR_IN: (
        "bear-ins",
        "One side, ahead, comes home or off past checkers that can still hit",
    ),
    PositionKind.RACE: ("races", "The sides have passed each other"),
    PositionKind.BACK_GAME: ("back games", "One side trails and holds two anchors"),
    PositionKind.PRIME_AGAINST_PRIME: (
        "priming battles",
        "Each side blocks the other by four points in a row",
    ),
    PositionKind.BLITZ: ("blitzes", "One side attacks checkers that have no anchor"),
    PositionKind.CONTAINMENT: (
        "containment games",
        "One side tries to hold back the other's last checkers",
    ),
    PositionKind.HOLDING_GAME: (
        "holding games",
        "One side waits on an anchor while the other comes home",
    ),
    PositionKind.OPENING: ("openings", "Most checkers are where they started"),
    DOUBLING: ("doubling", "Whether to double, and how to answer"),
}
"""The kinds that can be practiced, in the plural, and what is going on in them."""
_SIDES: Final[Mapping[str, tuple[str, str]]] = {
    PositionKind.BEAR_IN: ("bear-ins against contact", "waiting for shots in bear-ins"),
    PositionKind.BACK_GAME: ("playing back games", "playing against back games"),
    PositionKind.BLITZ: ("attacking in blitzes", "defending in blitzes"),
    PositionKind.CONTAINMENT: ("bringing the last checkers home", "containing the last checkers"),
    PositionKind.HOLDING_GAME: ("holding an anchor", "coming home past an anchor"),
}
"""What each side does in them, first the one that a kind is named after."""
_NO_ADVICE: Final = "Too few decisions to say what to practice."
_QUESTIONS: Final = {DecisionKind.DOUBLE: "Double or roll?", DecisionKind.ANSWER: "Take or drop?"}
_UNSAID: Final = {"arrows": "", "made": ""}
"""The description of a board does not tell the answer."""


def plural(kind: str) -> str:
    return _KINDS.get(kind, (f"{kind} positions",))[0]


def about_matches(number: float) -> str:
    """A chance of winning a match, without its sign."""
    size = abs(number)
    return f"about {size:.{1 if size >= 0.05 else 2}f} {'of a match' if size < 0.95 else 'matches'}"


@frozen
class Topic:
    """A kind to practice."""

    kind: str
    errors: Errors
    excess: float
    """How much more is lost than is usual."""
    others: float | None = None
    """The PR of others, if it is known."""


@frozen
class Lessons:
    """What is told first of a player."""

    details: Details
    everyone: Mapping[PositionKind, Errors]
    """What all players lost in each kind of position; empty if they are too few."""
    page_of: PageOf
    number: int
    """Of this player on the page."""
    level: int
    """Of the headings: 2 if the page is about this player alone."""

    @property
    def topics(self) -> list[Topic]:
        """The kinds that lose most beyond the player's mean; more is expected where others lose more."""
        total = self.details.all.rate
        cube = self.details.cube
        others = {kind: self._others_in(kind) for kind in total.kinds}
        weights = {
            kind: errors.decisions * (others[kind].rate or 1)
            for kind, errors in total.kinds.items()
        }
        share = total.error / (sum(weights.values()) or 1)
        mean = total.error / (total.decisions or 1)
        topics = [Topic(DOUBLING, cube, cube.error - mean * cube.decisions)]
        for kind, errors in total.kinds.items():
            topics.append(
                Topic(
                    kind,
                    errors,
                    excess=errors.error - share * weights[kind],
                    others=others[kind].pr,
                )
            )
        known = [
            topic for topic in topics if topic.kind in _KINDS and topic.errors.decisions >= TOO_FEW
        ]
        ranked = sorted(known, key=lambda topic: -topic.excess)
        return [topic for topic in ranked if topic.excess > 1e-9][:_PRACTICED]

    def _others_in(self, kind: PositionKind) -> Errors:
        every = self.everyone.get(kind, Errors())
        own = self.details.all.rate.kinds[kind]
        return Errors(max(every.decisions - own.decisions, 0), every.error - own.error)

    def _side(self, topic: Topic) -> bool | None:
        """On which side nearly all is lost: the one that a kind is named after, or the other; None if on none."""
        lost = {
            side: self.details.cells.get(("side", topic.kind, str(side)), Errors()).error
            for side in (True, False)
        }
        return next(
            (side for side, error in lost.items() if error >= _ONE_SIDED * topic.errors.error), None
        )

    def _words(self, topic: Topic) -> str:
        side = self._side(topic)
        return plural(topic.kind) if side is None else _SIDES[topic.kind][not side]

    @property
    def sentences(self) -> tuple[str, str]:
        """What to practice, and what is lost by what."""
        rate = self.details.all.rate
        cube = self.details.cube
        wrong = self.details.wrong_doubles
        if not rate.error:
            return "No mistake was made.", ""
        advice = (
            f"Practice {', then '.join(map(self._words, self.topics))}."
            if self.topics
            else _NO_ADVICE
        )
        counts = self.details.all.counts
        worth = (
            ""
            if rate.mwc_error is None or counts["money"]
            else f", worth {about_matches(rate.mwc_error)}"
        )
        subject = "One match is a hint: mistakes" if counts["matches"] == 1 else "Mistakes"
        told = f"{subject} cost {rate.error:.{1 if rate.error >= 1 else 2}f} points{worth}."
        prs = [
            f"{where} {_pr_words(part)}"
            for where, part in (("with checkers", rate.plays), ("with the cube", cube))
        ]
        return advice, f"{told} PR {', '.join(prs)}{f': {wrong}' if wrong else ''}."

    def html(self) -> str:
        asked = zip(self.topics, self._asked, strict=True)
        practice = "".join(
            self._practice(topic, at, boards) for at, (topic, boards) in enumerate(asked, start=1)
        )
        tiles = "".join(
            starmap("<div><dt>{}</dt><dd>{}</dd><dd>{}</dd></div>".format, self._tiles())
        )
        advice, told = self.sentences
        link = f'<a href="#practice-{self.number}">{advice}</a>' if self.topics else advice
        worst = self.positions(self.details.worst[:SHOWN], is_open=True)
        solved = headed(self.level, "The worst mistakes, solved", worst)
        lead = f'<p class="lead">{link}</p>\n' + f"<p>{told}</p>\n" * bool(told)
        return f'{lead}<dl class="tiles">{tiles}</dl>\n{practice}{solved}'

    def _tiles(self) -> Iterator[tuple[str, str, str]]:
        """The title of each tile, what stands in it, and what is told of that."""
        rate = self.details.all.rate
        sums = self.details.all.counts
        off = self.details.uncertainty
        if rate.pr is not None:
            at = bisect(_CLASS_ENDS, rate.pr)
            told = f"{rate.pr:.1f}" + (f" <small>± {off:.1f}</small>" if off else "")
            ends = " to ".join(map("{:g}".format, _CLASS_ENDS[at - 1 : at + 1])) + " or more" * (
                at == len(_CLASSES)
            )
            yield "PR", told, f"{_CLASSES[at - 1]}: {ends} in eXtreme Gammon"
        decisions = counted(rate.decisions, "decision", ",")
        won = f"{sums['won']:,} won, {sums['lost']:,} lost"
        if sums["matches"] == 1:
            (played,) = self.details.latest
            opponent = link_to(shown_name(played.opponent), self.page_of(played.path))
            won = f"{dashed(played.score, played.length)} against {opponent}"
        yield "Matches", f"{sums['matches']:,}", f"{won}; {decisions}"
        if rate.luck is not None:
            yield _luck_tile(
                rate, "opponent's" if len(self.details.opponents) == 1 else "opponents'"
            )
        for topic in self.topics[:1]:
            told = f"{topic.errors.error:.1f} of {rate.error:.1f} points lost"
            yield "Worst kind", plural(topic.kind).capitalize(), told

    @property
    def _asked(self) -> list[list[Mistake]]:
        """The positions of each topic to try, on the side that loses: each is there once, and none is solved."""
        elsewhere = self.details.worst[:SHOWN]
        asked: list[list[Mistake]] = []
        for topic in self.topics:
            side = self._side(topic)
            of_kind = [
                it for it in self.details.worst if topic.kind in it.kinds and it not in elsewhere
            ]
            asked.append(
                [it for it in of_kind if side is None or it.is_mine is side][: _AGAIN[self.level]]
            )
            elsewhere = [*elsewhere, *asked[-1]]
        return asked

    @property
    def more(self) -> list[Mistake]:
        """The other mistakes among the worst."""
        asked = [*chain(*self._asked)]
        return [mistake for mistake in self.details.worst[SHOWN:MOST_WORST] if mistake not in asked]

    def _practice(self, topic: Topic, at: int, asked: Sequence[Mistake]) -> str:
        """A kind with positions to try, or without, where all are solved below."""
        errors = topic.errors
        usual = (
            "at the player's mean"
            if topic.others is None
            else f"is usual: others have a PR of {topic.others:.1f}"
        )
        decisions = (
            f"{counted(errors.decisions, 'decision', ',')} with a PR of {errors.pr or 0:.1f}"
        )
        told = f"{decisions} lost {errors.error:.2f} points, {topic.excess:.2f} more than {usual}"
        anchor = f'<span id="practice-{self.number}">{at}</span>' if at == 1 else at
        is_solved = not asked and any(
            topic.kind in mistake.kinds for mistake in self.details.worst[:SHOWN]
        )
        told += ". What was worst in them is solved below" * is_solved
        boards = self.positions(asked)
        title = f"Practice {anchor}: {self._words(topic)}"
        return headed(self.level, title, f"{boards}<p>{_KINDS[topic.kind][1]}. {told}.</p>\n")

    def positions(self, mistakes: Sequence[Mistake], *, is_open: bool = False) -> str:
        """Mistakes as boards, with the answers open or closed."""
        boards = "".join(self._position(mistake, " open" * is_open) for mistake in mistakes)
        return f'<div class="boards">{boards}</div>\n' * bool(boards)

    def _position(self, mistake: Mistake, is_open: str) -> str:
        decision = mistake.decision
        length = mistake.played.length
        page = self.page_of(mistake.played.path)
        state = decision.state
        player = decision.player
        analysis = decision.analysis
        if analysis is None:
            return ""
        table = panel(analysis, decision.event.action, FEW_PLAYS)
        xgid = escape(xgid_of(state))
        # chances are on the page of the match
        columns = [at for at, name in enumerate(table.head) if "%" not in name]
        head, *rows = ([escape(row[at]) for at in columns] for row in (table.head, *table.rows))
        score = dashed(
            (state.score[player], state.score[player.opponent])
        ) + f" to {length}" * bool(length)
        position = state.view(player)
        pips = f"pips {position.pip_count}-{position.opponent_pip_count}"
        where = [mistake.kinds[0], score if length else MONEY.lower(), pips]
        if len(self.details.latest) > 1:
            where += [
                str(mistake.played.date or "no date"),
                f"against {shown_name(mistake.played.opponent)}",
            ]
        pieces = {
            "board": svg.table(
                decision,
                names=mistake.names,
                words=_UNSAID,
                theme="auto",
                header=False,
                footer=False,
            ),
            "question": _QUESTIONS.get(decision.kind) or f"{decision.dice}: which play?",
            "where": " · ".join(where)
            + f' · <a href="{page}#{xgid}">in the match</a>' * bool(page),
            "open": is_open,
            "best": escape(harmless(best_words(decision), LONGEST_NAME)),
            "made": escape(harmless(done_words(decision), LONGEST_NAME)),
            "cost": f"{mistake.error:.3f}",
            "numbers": wide_table("What else there was", head=head, rows=rows, done=table.chosen),
            "remarks": " · ".join([*map(escape, table.remarks), f"<code>{xgid}</code>"]),
        }
        return filled(part("mistake.html"), pieces)


def _luck_tile(rate: ErrorRate, opponents: str) -> tuple[str, str, str]:
    if rate.luck is None or rate.luck_net is None:
        return (
            "Own luck",
            signed_number(rate.luck),
            f"points from dice; the {opponents} luck is not known",
        )
    halves = f"own {signed_number(rate.luck)}, the {opponents} {signed_number(rate.luck - rate.luck_net)}"
    return (
        "Net luck",
        signed_number(rate.luck_net),
        f"points from dice{worth_of_luck(rate)}: {halves}",
    )


def link_to(words: str, address: str) -> str:
    return f'<a href="{address}">{words}</a>' if address else words


def headed(level: int, title: str, inside: str) -> str:
    return f"<h{level}>{title}</h{level}>\n{inside}" if inside else ""


def _pr_words(errors: Errors) -> str:
    is_known = errors.pr is not None and errors.decisions >= TOO_FEW
    return f"{errors.pr:.1f}" if is_known else f"unknown (too few decisions: {errors.decisions})"
