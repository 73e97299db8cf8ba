"""`Hint`: what an engine would do in a state, drawn, with its reasons as a table."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from attrs import frozen

from gammonrules.engine._evaluation import Evaluation
from gammonrules.match import Action, MatchState
from gammonrules.records.transcript import (
    MOST_PLAYS,
    CubeAnalysis,
    Panel,
    PlayAnalysis,
    Row,
    harmless,
    panel,
)
from gammonrules.values import Checked

ALL_PLAYS = 100_000
"""More than any roll has."""
LONGEST_REMARK = 300
"""Characters of a line that says what an engine said."""


class BoardAndPanel:
    """A state with what was said of it: printed, and in a notebook, a board with a table."""

    __slots__ = ()
    state: MatchState  # pyright: ignore[reportUninitializedInstanceVariable] - attrs does

    def __repr__(self) -> str:
        return f"{self.state}\n\n{self._panel()}"

    def _repr_html_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        return f"{svg.table(self.state, size=svg.USUAL_WIDTH)}{self._panel().to_html()}"

    def _panel(self) -> Panel:
        raise NotImplementedError


@frozen(repr=False)
class Hint(Checked, BoardAndPanel):
    """What an engine would do in a state, and why. Printed, and in a notebook, it is a board with a table.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: where it was asked.
        action: what it would do; a play is the first of the candidates.
        analysis: the candidates of a roll; the equities of a double, where there may be one or it must be answered;
            else the evaluation of the state.
        engine: its name.
        chosen: the indices of the candidates that are shown, if only some were asked about; () (the default) for all.
        asked_without: what was left out, as by `SimpleEngine.asked_without`; "" (the default) for nothing.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     hint = bgsage.hint(state, 2)
        >>> hint.analysis.best.play, hint.action
        ('8/5 6/5', <Action.PLAY: 'play'>)
        >>> "1. 8/5 6/5" in str(hint)
        True
    """

    state: MatchState
    action: Action
    analysis: PlayAnalysis | CubeAnalysis | Evaluation
    engine: str = ""
    chosen: tuple[int, ...] = ()
    asked_without: str = ""

    def _panel(self) -> Panel:
        analysis = self.analysis
        if isinstance(analysis, Evaluation):
            player = self.state.to_act
            row = Row(
                player.title() if player else "",
                equity=analysis.equity,
                chances=analysis.chances,
                mwc=analysis.mwc,
                level=analysis.level,
                standard_error=analysis.standard_error,
            )
            of_analysis = Panel.of("Evaluation", "Before the roll", [row], (), self.engine)
        else:
            of_analysis = panel(analysis, None, ALL_PLAYS if self.chosen else MOST_PLAYS)
            rows = [of_analysis.rows[rank] for rank in self.chosen] or of_analysis.rows
            best = [f"Best of all: {' '.join(of_analysis.rows[0][:2])}"] if self.chosen else []
            remarks = [*_rolled_out_lines(analysis), *best, *of_analysis.remarks]
            of_analysis = attrs.evolve(of_analysis, rows=rows, remarks=remarks)
        remarks = [*of_analysis.remarks, *left_out_line(self.asked_without)]
        if self.action not in {Action.PLAY, Action.ROLL, Action.DOUBLE}:
            remarks.append(f"Answer: {self.action}")
        return attrs.evolve(of_analysis, remarks=remarks)


def left_out_line(what: str) -> list[str]:
    """The line that says what was left out."""
    return [harmless(f"Asked without {what}", LONGEST_REMARK)] if what else []


def _rolled_out_lines(analysis: PlayAnalysis | CubeAnalysis) -> Iterator[str]:
    """Which plays were rolled out, if others were not."""
    plays = analysis.candidates if isinstance(analysis, PlayAnalysis) else ()
    ranks = [str(rank) for rank, play in enumerate(plays, 1) if play.standard_error is not None]
    if 0 < len(ranks) < len(plays):
        yield f"Rolled out: {', '.join(ranks)}; the equities of the others do not compare with theirs"
