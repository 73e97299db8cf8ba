"""`Hint`: what an engine would do in a state, drawn, with its reasons as a table."""

from __future__ import annotations

from attrs import frozen

from gammonrules.engine._evaluation import Evaluation
from gammonrules.match import Action, MatchState
from gammonrules.problems import refuse, wrong_fields
from gammonrules.transcript import CubeAnalysis, Panel, PlayAnalysis, Row, filled, html, panel, said_by

MOST_PLAYS = 100
"""The plays of a roll that a hint lists at most."""


@frozen(repr=False)
class Hint:
    """What an engine would do in a state, and why. Printed, and in a notebook, it is a board with a table.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: where it was asked.
        action: what it would do; a play is the first of the candidates.
        analysis: the candidates of a roll; the equities of a double, where there may be one or it must be answered;
            else the evaluation of the state.
        engine: its name.

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

    def __attrs_post_init__(self) -> None:
        refuse("hint", wrong_fields(self))

    def __repr__(self) -> str:
        found, said = self._table()
        rows = [found.head, *found.rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows)
        return "\n".join([str(self.state), "", *lines, *said]).replace("\N{MINUS SIGN}", "-")

    def _repr_html_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        found, said = self._table()
        rows = (("th", found.head), *(("td", row) for row in found.rows))
        lines = ("".join(f"<{tag}>{html(cell)}</{tag}>" for cell in row) for tag, row in rows)
        table = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"{svg.table(self.state)}<table>{table}</table><p>{'<br>'.join(map(html, said))}</p>"

    def _table(self) -> tuple[Panel, list[str]]:
        """The table of the analysis, and the lines below it."""
        found = self.analysis
        if isinstance(found, Evaluation):
            player = self.state.to_act
            row = Row(player.title() if player else "", found.equity, found.chances, None, found.mwc, found.level)
            shown = filled("Evaluation", "Before the roll", [row], [*said_by(self.engine)])
        else:
            shown = panel(found, None, MOST_PLAYS)
        is_answer = self.action not in {Action.PLAY, Action.ROLL, Action.DOUBLE}
        return shown, [*shown.said, *([f"Answer: {self.action}"] if is_answer else [])]
