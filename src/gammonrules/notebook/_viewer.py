"""`Viewer`: the decisions of a match one after another, with what an engine says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis.internals import FEW_PLAYS, Panel, harmless, panel, xgid_of
from gammonrules.draw import svg
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.notebook._board import BoardPlayer
from gammonrules.notebook._host import BoardHost
from gammonrules.notebook._widget import Shown
from gammonrules.records.transcript import (
    MISTAKES,
    Decision,
    ErrorRate,
    Match,
    brief_name,
    dashed,
    games_to_rate,
    rated_apart,
    title_of,
    words_with_cost,
)
from gammonrules.values import counted, shown

MAX_DECISIONS: Final = 2_000
"""A longer match is cut off: each decision is some 400 bytes."""
_MAX_NOTE_LENGTH = 1_000
_NOT_ANALYZED = "No engine has analyzed this match."


class Viewer(BoardHost):
    """A match to click through: each decision with what was played and what was best, error rates, and the mistakes.

    The board shows the state before a decision, with arrows for the play that was made; where it cost something, they
    are dashed, and those of the best play are above them. Beside it is the analysis, as far as the record has one, and
    the mistakes by cost. The page draws the boards by itself; the kernel is only asked for a board to try a decision
    again.

    Args:
        match: the match. Its first 2,000 decisions are shown, and the page says so if there are more.
        engine: what plays the other side when a decision is tried again, as for `Board`; who decides is White
            then. None (the default) for nobody.

    Raises:
        ArgumentError: `match` is not a `Match`.
        GammonError: an event breaks the rules. Games that `records` has read hold no such events.

    Examples:
        >>> from gammonrules.notebook import Viewer
        >>> from gammonrules.records import load
        >>> match = load("examples/matches/xg/test.xg")
        >>> viewer = Viewer(match)
        >>> decisions = match.decisions()
        >>> viewer.decision = max(decisions, key=lambda decision: decision.error or 0)
        >>> viewer
        <Viewer of Kévin Unger 7-4 Maxence Job, to 7, 7 games>
        >>> viewer.close()
    """

    decision: Shown[Decision | None, Decision] = Shown()
    """The decision that is shown, one of `match.decisions()`, which can be set; None if there is none."""

    def __init__(self, match: Match, *, engine: BoardPlayer | str | None = None) -> None:
        check_kind("match", match, Match)
        games = games_to_rate(match.games)
        decisions = [decision for game in games for decision in game.decisions]
        names = Pair(
            brief_name(name) or player.title()
            for name, player in zip(match.players, Player, strict=True)
        )
        remarks = list[str]()
        for rated in rated_apart(games, "xg"):  # one for each engine, or level, that does not mix
            for name, rate in zip(names, rated.rates, strict=True):
                remarks.append(_rate_line(name, rate))
        if not remarks:
            remarks.append(_NOT_ANALYZED)
        number_of_decisions = counted(len(decisions), "decision", ",")
        if len(decisions) > MAX_DECISIONS:
            number_of_decisions += f", of which {MAX_DECISIONS:,} are shown"
        remarks.append(number_of_decisions)
        self._match = match
        self._decisions = decisions[:MAX_DECISIONS]
        data = _match_data(self._decisions, names)
        data["title"] = title_of(match)
        data["remark"] = "\n".join(remarks)
        super().__init__([decision.state for decision in self._decisions], data, engine)
        if self._decisions:
            self._go_to(0, page="")

    def __repr__(self) -> str:
        return f"<Viewer of {title_of(self._match)}>"

    def _show_other(self, decision: Decision) -> None:
        if decision not in self._decisions:
            raise ArgumentError(
                f"decision must be one of the match that is shown, not {shown(decision, 60)}"
            )
        self._go_to(self._decisions.index(decision), page="")

    def _go_to(self, at: int, page: str, **more: object) -> None:
        super()._go_to(at, page, decision=self._decisions[at], **more)

    def _still(self) -> str:
        """The decision as a picture."""
        if self.decision is None:
            return "<p>This match has no decisions.</p>"
        return svg.match_state(
            self.decision, bottom=Player.WHITE, names=self._match.players, style=svg.NOTEBOOK_STYLE
        )


def _rate_line(name: str, rate: ErrorRate) -> str:
    parts = list[str]()
    if rate.pr is not None:
        parts.append(f"PR {rate.pr:.2f}")
    parts.append(counted(rate.decisions, "decision"))
    parts += [counted(number, size) for size, number in rate.mistakes.items()]
    engine_words = [words for words in (rate.engine, rate.levels_text) if words]
    engine = harmless(", ".join(engine_words)) or "an unnamed program"
    return f"{name}: {', '.join(parts)}, by {engine}"


def _match_data(decisions: Sequence[Decision], names: Pair[str]) -> dict[str, Any]:
    """The data that the page shows. Texts and numbers recur: each is there once, among the strings, else its index."""
    indices: dict[Any, int] = {}  # of the strings

    def with_indices(item: Any) -> Any:
        """Lists in lists, with the index of each text and number in its place."""
        if isinstance(item, list):
            return [*map(with_indices, item)]  # pyright: ignore[reportUnknownArgumentType]
        return indices.setdefault(item, len(indices))

    rows = [_decision_data(decision, names[decision.player]) for decision in decisions]
    decisions_data = with_indices(rows)
    errors = [decision.error or 0.0 for decision in decisions]
    least_cost = MISTAKES["xg"]["error"]
    mistakes = [index for index, error in enumerate(errors) if error >= least_cost]
    mistakes.sort(key=lambda index: errors[index], reverse=True)
    return {"decisions": decisions_data, "mistakes": mistakes, "strings": [*indices]}


def _decision_data(decision: Decision, name: str) -> list[Any]:
    """The data of a decision, in the order in which `viewer.js` reads it."""
    state = decision.state
    analysis = decision.analysis
    if analysis is None:
        table = Panel("", head=[], rows=[], chosen=[], remarks=[])
    else:
        table = panel(analysis, decision.event.action, FEW_PLAYS)
    rows = ["\t".join(row) for row in (table.head, *table.rows) if row]
    note = harmless(decision.note or "", _MAX_NOTE_LENGTH)
    remarks = "\n".join([*table.remarks, note])
    return [
        xgid_of(state),
        state.position.checkers,
        f"Game {decision.game}, {dashed(state.score)}",
        decision.turn,
        name,
        words_with_cost(decision),
        table.title,
        rows,
        table.chosen,
        remarks,
    ]
