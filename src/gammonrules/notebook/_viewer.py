"""`Viewer`: the decisions of a match one after another, with what an engine says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gammonrules.draw import svg
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.notebook._again import BoardHost
from gammonrules.notebook._board import BoardPlayer
from gammonrules.notebook._widget import Shown
from gammonrules.records.transcript import (
    FEW_PLAYS,
    MISTAKES,
    Decision,
    ErrorRate,
    Match,
    Panel,
    brief_name,
    dashed,
    harmless,
    panel,
    rated_apart,
    won_in,
    words_with_cost,
    xgid_of,
)
from gammonrules.values import check_kind, counted, shown

MOST_DECISIONS: Final = 2_000
"""A longer match is cut off: each decision is some 400 bytes."""
_LONGEST_NOTE = 1_000
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
        GammonError: an event breaks the rules. Games that were read from a file hold no such events.

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

    def __init__(self, match: Match, *, engine: BoardPlayer | None = None) -> None:
        check_kind("match", match, Match)
        games = [(game.start, [*game.decisions()], won_in(game)) for game in match.games]
        decided = [decision for _, own, _ in games for decision in own]
        names = Pair(
            brief_name(name) or player.title()
            for name, player in zip(match.players, Player, strict=True)
        )
        rates = [
            _rate_line(*pair)
            for by in rated_apart(games, "xg")
            for pair in zip(names, by.rates, strict=True)
        ]
        count = counted(len(decided), "decision", ",")
        more = f", of which {MOST_DECISIONS:,} are shown" * (len(decided) > MOST_DECISIONS)
        self._match = match
        self._decisions = decided[:MOST_DECISIONS]
        about = {
            "title": repr(match)[7:-1],
            "remark": "\n".join([*(rates or [_NOT_ANALYZED]), count + more]),
        }
        states = [decision.state for decision in self._decisions]
        super().__init__(states, _match_data(self._decisions, names) | about, engine)
        if self._decisions:
            self._go_to(0, "")

    def __repr__(self) -> str:
        return f"<Viewer of {repr(self._match)[7:]}"

    def _show_other(self, decision: Decision) -> None:
        if decision not in self._decisions:
            raise ArgumentError(
                f"decision must be one of the match that is shown, not {shown(decision, 60)}"
            )
        self._go_to(self._decisions.index(decision), "")

    def _go_to(self, at: int, page: str, **more: object) -> None:
        super()._go_to(at, page, decision=self._decisions[at], **more)

    def _still(self) -> str:
        """The decision as a picture."""
        if self.decision is None:
            return "<p>This match has no decisions.</p>"
        return svg.table(
            self.decision, bottom=Player.WHITE, names=self._match.players, size=svg.USUAL_WIDTH
        )


def _rate_line(name: str, rate: ErrorRate) -> str:
    sizes = ", ".join(counted(number, size) for size, number in rate.mistakes.items())
    by = harmless(", ".join(filter(None, (rate.engine, rate.level))))
    return f"{name}: {repr(rate)[11:-1]}, {sizes}, by {by or 'an unnamed program'}"


def _match_data(decisions: Sequence[Decision], names: Pair[str]) -> dict[str, Any]:
    """What the page shows. Texts and numbers recur: each is there once, among the words, and elsewhere its index."""
    words: dict[Any, int] = {}

    def numbered(item: Any) -> Any:
        if isinstance(item, list):
            return [*map(numbered, item)]  # pyright: ignore[reportUnknownArgumentType]
        return words.setdefault(item, len(words))

    told = numbered([_decision_data(decision, names[decision.player]) for decision in decisions])
    errors = {at: decision.error or 0.0 for at, decision in enumerate(decisions)}
    mistakes = [at for at, error in errors.items() if error >= MISTAKES["xg"]["error"]]
    mistakes.sort(key=errors.__getitem__, reverse=True)
    return {"decisions": told, "mistakes": mistakes, "words": [*words]}


def _decision_data(decision: Decision, name: str) -> list[Any]:
    """What the page tells of a decision."""
    state = decision.state
    analysis = decision.analysis
    where = [
        xgid_of(state),
        state.position.checkers,
        f"Game {decision.game}, {dashed(state.score)}",
        decision.turn,
    ]
    table = (
        panel(analysis, decision.event.action, FEW_PLAYS)
        if analysis
        else Panel("", head=[], rows=[], chosen=[], remarks=[])
    )
    remarks = "\n".join([*table.remarks, harmless(decision.note or "", _LONGEST_NOTE)])
    rows = ["\t".join(row) for row in (table.head, *table.rows) if row]
    return [*where, name, words_with_cost(decision), table.title, rows, table.chosen, remarks]
