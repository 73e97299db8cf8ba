"""What a report tells first of a player: a sentence, four tiles, the worst mistakes, and what to practice."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from html import escape
from itertools import starmap
from typing import Any, Final, TypeAlias

from attrs import frozen

from gammonrules.board import PositionKind
from gammonrules.draw import svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Action
from gammonrules.records.page.frame import filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.tables import signed_number, wide_table
from gammonrules.records.page.tallies import MONEY, Details, Mistake
from gammonrules.records.transcript import FEW_PLAYS, DecisionKind, Errors, dashed, harmless, panel, signed, xgid_of
from gammonrules.values import counted

PageOf: TypeAlias = Callable[[str], str]
"""The address of the page of a match, by the path of its record; "" if there is none."""

SHOWN: Final = 3
"""Mistakes at the top of the page."""
_AGAIN: Final = {2: 3, 3: 1}
"""Positions of a kind to try again, by the level of headings."""
_PRACTICED: Final = 2
"""Kinds of position to practice."""
_CLASSES = "World champion", "World class", "Expert", "Advanced", "Intermediate", "Casual", "Beginner", "Distracted"
_CLASS_ENDS: Final = 0, 2.5, 5, 7.5, 12.5, 17.5, 22.5, 30
"""From which PR on eXtreme Gammon calls it so."""
_KINDS: Final[Mapping[PositionKind, tuple[str, str]]] = {
    PositionKind.BEAR_OFF: ("bear-offs", "All checkers are home, and none can be hit any more"),
    PositionKind.BEAR_IN: (
        "bear-ins",
        "One side, ahead, brings checkers home or off past some that can still hit them",
    ),
    PositionKind.RACE: ("races", "The sides have passed each other"),
    PositionKind.BACK_GAME: ("back games", "One side trails and holds two anchors, and you may be the other"),
    PositionKind.PRIME_AGAINST_PRIME: ("priming battles", "Each side blocks the other by four points in a row"),
    PositionKind.BLITZ: ("blitzes", "One side attacks checkers that have no anchor"),
    PositionKind.CONTAINMENT: ("containment games", "One side tries to hold back the other's last checkers"),
    PositionKind.HOLDING_GAME: ("holding games", "One side waits on an anchor while the other comes home"),
    PositionKind.OPENING: ("openings", "Most checkers are where they started"),
}
"""The kinds that can be practiced, in the plural, and what is going on in them."""
_LEGEND: Final = '<p><span class="best">best,</span> <span class="made">made, both where they agree</span></p>\n'
_QUESTIONS: Final = {DecisionKind.DOUBLE: "Double or roll?", DecisionKind.ANSWER: "Take or drop?"}


def plural(kind: PositionKind) -> str:
    return _KINDS.get(kind, (f"{kind} positions",))[0]


@frozen
class Lessons:
    """What is told first of a player."""

    name: str
    details: Details
    everyone: Mapping[PositionKind, Errors]
    """What all players lost in each kind of position; empty if they are too few."""
    page_of: PageOf
    number: int
    """Of this player on the page."""
    level: int
    """Of the headings: 2 if the page is about this player alone."""

    @property
    def practice(self) -> dict[PositionKind, float]:
        """The kinds that lose most beyond the player's mean, and how much; more is expected where others lose more."""
        kinds, total = self.details.total.kinds, self.details.total
        weights = {kind: errors.decisions * (self._others_in(kind).rate or 1) for kind, errors in kinds.items()}
        share = total.error / (sum(weights.values()) or 1)
        excess = {kind: kinds[kind].error - share * weights[kind] for kind in _KINDS if kind in kinds}
        ranked = sorted(excess, key=lambda kind: -excess[kind])[:_PRACTICED]
        return {kind: excess[kind] for kind in ranked if excess[kind] > 1e-9}

    def _others_in(self, kind: PositionKind) -> Errors:
        every, own = self.everyone.get(kind, Errors()), self.details.total.kinds[kind]
        return Errors(max(every.decisions - own.decisions, 0), every.error - own.error)

    @property
    def sentence(self) -> str:
        """What to practice, with a link to it, and where points are lost."""
        rate, kinds = self.details.total, ", then ".join(map(plural, self.practice))
        advice = f'<a href="#practice-{self.number}"><b>Practice {kinds}.</b></a> ' * bool(kinds)
        parts = {"Checker play": rate.plays, "Doubling": rate.doubles, "Takes and drops": rate.takes}
        most, form = max(parts, key=lambda name: parts[name].error), ".1f" if rate.error >= 1 else ".3f"
        lost, of_all = (f"{errors.error:{form}}" for errors in (parts[most], rate))
        told = f"{most} cost {f'{lost} of the' if lost != of_all else 'all'} {of_all} points lost."
        return advice + told if rate.error else "No mistake was made."

    def html(self) -> str:
        worst = self.details.worst[:SHOWN]
        practice = "".join(self._practice(kind, {*map(id, worst)}) for kind in self.practice)
        tiles = "".join(starmap("<div><dt>{}</dt><dd>{}</dd><dd>{}</dd></div>".format, self._tiles()))
        name = escape(harmless(self.name, LONGEST_NAME))
        head = f'<p class="lead" data-player="{name}">{self.sentence}</p>\n<dl class="tiles">{tiles}</dl>\n'
        boards = headed(self.level, "The worst mistakes, solved", self.positions(worst, is_open=True))
        title = f'<span id="practice-{self.number}">What to practice</span>: try these'
        return head + boards + headed(self.level, title, practice)

    def _tiles(self) -> Iterator[tuple[str, str, str]]:
        """The title of each tile, what stands in it, and what is told of that."""
        rate, sums, off = self.details.total, self.details.groups["all", "All"].counts, self.details.uncertainty
        if rate.pr is not None:
            at, told = bisect(_CLASS_ENDS, rate.pr), f"{rate.pr:.1f}" + (f" <small>± {off:.1f}</small>" if off else "")
            ends = " to ".join(map("{:g}".format, _CLASS_ENDS[at - 1 : at + 1])) + " or more" * (at == len(_CLASSES))
            yield "PR", told, f"{_CLASSES[at - 1]}, as eXtreme Gammon calls {ends}"
        decisions, won = counted(rate.decisions, "decision", ","), f"{sums['won']:,} won, {sums['lost']:,} lost"
        if sums["matches"] == 1:
            (played,) = self.details.latest
            opponent = link_to(shown_name(played.opponent), self.page_of(played.path))
            won = f"{dashed(played.score, played.length)} against {opponent}"
        yield "Matches", f"{sums['matches']:,}", f"{won}; {decisions}"
        if rate.luck is not None:
            worth = "" if rate.luck_mwc is None else f", worth {signed_number(rate.luck_mwc)} matches"
            yield "Luck", signed_number(rate.luck), f"points from the dice{worth}"
        for kind in [*self.practice][:1]:
            errors = self.details.total.kinds[kind]
            lost = f"{errors.error:.2f} of {rate.error:.2f} points lost in {errors.decisions:,} of {decisions}"
            yield "Worst kind", plural(kind).capitalize(), lost

    def _practice(self, kind: PositionKind, known: set[int]) -> str:
        """A kind with its worst positions, but not those that are known."""
        errors, others = self.details.total.kinds[kind], self._others_in(kind).pr
        again = [mistake for mistake in self.details.worst if mistake.kind == kind and id(mistake) not in known]
        usual = "at the player's mean" if others is None else f"is usual, as others have a PR of {others:.1f}"
        decisions = counted(errors.decisions, "decision", ",")
        cost = f"{decisions} with a PR of {errors.pr:.1f} lost {errors.error:.2f} points"
        told = f"<p>{_KINDS[kind][1]}. {cost}, {self.practice[kind]:.2f} more than {usual}.</p>\n"
        return headed(self.level + 1, plural(kind).capitalize(), told + self.positions(again[: _AGAIN[self.level]]))

    def positions(self, mistakes: list[Mistake], *, is_open: bool = False) -> str:
        """Mistakes as boards, with the answers open or closed."""
        boards = "".join(self._position(mistake, " open" * is_open) for mistake in mistakes)
        return f'{_LEGEND * is_open}<div class="lessons">{boards}</div>\n' if boards else ""

    def _position(self, mistake: Mistake, is_open: str) -> str:
        decision, length, page = mistake.decision, mistake.played.length, self.page_of(mistake.played.path)
        state, side, analysis = decision.state, decision.state.on_roll or decision.player, decision.analysis
        if analysis is None:
            return ""
        table, xgid = panel(analysis, decision.event.action, FEW_PLAYS), escape(xgid_of(state))
        columns = [at for at, name in enumerate(table.head) if "%" not in name]  # chances are on the page of the match
        head, *rows = ([escape(row[at]) for at in columns] for row in (table.head, *table.rows))
        score = dashed((state.score[side], state.score[side.opponent])) + f" to {length}" * bool(length)
        pips = f"pips {state.position.pip_count}-{state.position.opponent_pip_count}"
        where = [mistake.kind, score if length else MONEY.lower(), pips]
        if len(self.details.latest) > 1:
            where += [str(mistake.played.date or "no date"), f"against {shown_name(mistake.played.opponent)}"]
        pieces = {
            "board": _board(mistake),
            "question": _QUESTIONS.get(decision.kind) or f"{decision.dice}: which play?",
            "where": " · ".join(where) + f' · <a href="{page}#{xgid}">in the match</a>' * bool(page),
            "open": is_open,
            "best": _words(decision.best or ""),
            "made": _words(decision.action),
            "cost": signed(-mistake.error),
            "numbers": wide_table("What else there was", head, rows, table.chosen),
            "remarks": " · ".join([*map(escape, table.remarks), f"<code>{xgid}</code>"]),
        }
        return filled(part("mistake.html"), pieces)


def link_to(words: str, address: str) -> str:
    return f'<a href="{address}">{words}</a>' if address else words


def headed(level: int, title: str, inside: str) -> str:
    return f"<h{level}>{title}</h{level}>\n{inside}" if inside else ""


def _words(action: str) -> str:
    return "no double" if action == Action.ROLL else escape(harmless(action, LONGEST_NAME))


def _board(mistake: Mistake) -> str:
    """The board with arrows of the best play and the one that was made, of which its description tells nothing."""
    look: dict[str, Any] = {"names": mistake.names, "theme": "auto", "header": False, "footer": False}
    plain, drawn = svg.table(mistake.decision, arrows=(), **look), svg.table(mistake.decision, **look)
    return plain.partition("</desc>")[0] + "".join(drawn.partition("</desc>")[1:])
