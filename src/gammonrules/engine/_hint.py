"""`Hint`: what an engine would do in a state, drawn, with its reasons as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from attrs import frozen

from gammonrules._shared.checked_fields import Checked
from gammonrules.analysis import CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    MAX_PLAYS,
    Panel,
    Row,
    cube_verdict,
    harmless,
    level_reached,
    panel,
)
from gammonrules.draw import BoardStyle
from gammonrules.engine._evaluation import Evaluation
from gammonrules.errors import IllegalActionError
from gammonrules.match import Action, MatchState, Phase

ALL_PLAYS = 100_000
"""More than any roll has."""
MAX_REMARK_LENGTH = 300
"""Characters of a line that says what an engine said."""


class BoardAndPanel:
    """A state with what was said of it: printed, and in a notebook, a board with a table."""

    __slots__ = ()
    state: MatchState  # pyright: ignore[reportUninitializedInstanceVariable] - attrs does

    def __repr__(self) -> str:
        return f"{self.state}\n\n{self._panel()}"

    def _repr_html_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        image = svg.match_state(self.state, style=svg.NOTEBOOK_STYLE)
        return f"{image}{self._panel().to_html()}"

    def to_svg(self, *, style: BoardStyle | None = None) -> str:
        """The board as an SVG image, with arrows for the best play and the verdict below it; or the score matrix.

        Args:
            style: how the image looks. None (the default): `draw.BoardStyle()`.

        Raises:
            ArgumentError: `style` is not a `draw.BoardStyle`.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.draw import BoardStyle
            >>> from gammonrules.engine import SimpleEngine
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> with SimpleEngine.bgsage() as bgsage:
            ...     hint = bgsage.hint(state, 2)
            >>> image = hint.to_svg(style=BoardStyle(size=628))
            >>> image.count('class="arrow"'), "Best: 8/5 6/5" in image
            (2, True)
        """
        return self._image(style)

    def _image(self, style: BoardStyle | None) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415

        return svg.match_state(self.state, arrows=self._best, caption=self._caption(), style=style)

    @property
    def _best(self) -> str | None:
        """The play that has arrows."""
        return None

    def _headline(self) -> str:
        """The verdict in a line; "" if there is not one alone."""
        return ""

    def _caption(self) -> str:
        """The verdict, what each alternative is worth, and the remarks, as lines below a picture."""
        panel_of_all = self._panel()
        headline = self._headline()
        remarks = [remark for remark in panel_of_all.remarks if remark != headline]
        lines = [headline, *self._short_rows(panel_of_all), *remarks]
        return "\n".join([line for line in lines if line])

    def _short_rows(self, whole: Panel) -> Sequence[str]:
        """The rows of the panel as lines of a caption."""
        return [*whole.short_rows()]

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
        ignored_rule: the rule that the engine ignored, as `SimpleEngine.ignored_rule` returns it; None (the default) if
            it ignored none.
        advice: what judges such a state better; "" (the default) for nothing.

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
    ignored_rule: str | None = None
    advice: str = ""

    @property
    def _best(self) -> str | None:
        if isinstance(self.analysis, PlayAnalysis) and self.analysis.best is not None:
            return self.analysis.best.play
        return None

    def _headline(self) -> str:
        if isinstance(self.analysis, CubeAnalysis):
            return f"Best: {cube_verdict(self.analysis)}"
        if self._best:
            return f"Best: {self._best}"
        return _why_no_double(self.state)

    def _panel(self) -> Panel:
        if isinstance(self.analysis, Evaluation):
            numbers = self._panel_of_evaluation(self.analysis)
        else:
            numbers = self._panel_of_analysis(self.analysis)
        remarks = numbers.remarks + ignored_rule_line(self.ignored_rule)
        is_answer = self.action not in {Action.PLAY, Action.ROLL, Action.DOUBLE}
        if is_answer:  # to an offer
            remarks.append(f"Answer: {self.action}")
        remarks += advice_line(self.advice, [level_of_analysis(self.analysis)])
        return attrs.evolve(numbers, remarks=remarks)

    def _panel_of_evaluation(self, evaluation: Evaluation) -> Panel:
        player = self.state.to_act
        row = Row(
            player.title() if player else "",
            equity=evaluation.equity,
            chances=evaluation.chances,
            mwc=evaluation.mwc,
            level=evaluation.level,
            standard_error=evaluation.standard_error,
        )
        headline = self._headline()
        remarks = [headline] if headline else []
        return Panel.of("Evaluation", "Before the roll", [row], remarks, self.engine)

    def _panel_of_analysis(self, analysis: PlayAnalysis | CubeAnalysis) -> Panel:
        """All rows, or those that were chosen, with a remark on the best of all."""
        rolled_out = list(_rolled_out_lines(analysis))
        if not self.chosen:
            first_plays = panel(analysis, None, MAX_PLAYS)
            return attrs.evolve(first_plays, remarks=rolled_out + first_plays.remarks)
        all_plays = panel(analysis, None, ALL_PLAYS)
        best_row = all_plays.rows[0]
        name_of_best = best_row[0]
        equity_of_best = best_row[1]
        return attrs.evolve(
            all_plays,
            rows=[all_plays.rows[rank] for rank in self.chosen],
            remarks=[
                *rolled_out,
                f"Best of all: {name_of_best} {equity_of_best}",
                *all_plays.remarks,
            ],
        )


def _why_no_double(state: MatchState) -> str:
    """The rule that forbids a double before the roll, in the words of its refusal; "" if none does."""
    if state.phase is Phase.TO_ROLL:
        try:
            state.double()
        except IllegalActionError as refusal:
            return str(refusal)
    return ""


def ignored_rule_line(rule: str | None) -> list[str]:
    """The line about the rule that the engine ignored, if there is one."""
    return [] if rule is None else [harmless(f"Ignored rule: {rule}", MAX_REMARK_LENGTH)]


def level_of_analysis(analysis: PlayAnalysis | CubeAnalysis | Evaluation) -> Level:
    """How deep an engine looked."""
    return analysis.level if isinstance(analysis, Evaluation) else level_reached(analysis)


def advice_line(advice: str, levels: Sequence[Level]) -> list[str]:
    """The line that says what judges better, if something does: not where all is exact."""
    is_exact = all(level.is_exact for level in levels)
    return [harmless(advice, MAX_REMARK_LENGTH)] if advice and not is_exact else []


def _rolled_out_lines(analysis: PlayAnalysis | CubeAnalysis) -> Iterator[str]:
    """Lines that say which plays were rolled out, if others were not."""
    plays = analysis.candidates if isinstance(analysis, PlayAnalysis) else ()
    ranks = [str(rank) for rank, play in enumerate(plays, 1) if play.standard_error is not None]
    if 0 < len(ranks) < len(plays):
        yield f"Rolled out: {', '.join(ranks)}; the equities of the others do not compare with theirs"
