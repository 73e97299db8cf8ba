"""What an analysis looks like as text: a panel, which the page of a match, `engine.Hint` and the command show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from unicodedata import category

from attrs import frozen

from gammonrules.analysis.analyses import MIN_SEEN, Analysis, Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.chances import Chances
from gammonrules.analysis.levels import UNKNOWN, Level, label_without_head
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import Action

MAX_PLAYS = 100
"""The plays of a roll that a table lists at most."""
FEW_PLAYS = 5
"""The plays that a panel lists beside a board."""
CUBE_ANSWERS = frozenset({Action.TAKE, Action.DROP, Action.BEAVER})
TOO_GOOD = "too good"
DEVIATIONS = 1.96
"""Half the width of a 95% interval, which is what stands behind a ±, in standard errors."""
_MAX_REMARK_LENGTH = 20_000
_MAX_WORD_LENGTH = 100
"""Characters of a play, and of the names of an engine and its levels."""


@frozen
class Row:
    """A row of a panel: an alternative, and what it is worth."""

    name: str
    equity: float | None
    chances: Chances | None = None
    mwc: float | None = None
    level: Level = UNKNOWN
    standard_error: float | None = None
    loss: float | None = None
    is_chosen: bool = False


@frozen
class Panel:
    """A table of texts, and remarks below it."""

    title: str
    head: list[str]
    rows: list[list[str]]
    chosen: list[int]
    """The indices of the rows that were chosen."""
    remarks: list[str]

    @classmethod
    def of(
        cls, title: str, alternatives: str, rows: Sequence[Row], remarks: Iterable[str], engine: str
    ) -> Panel:
        """The panel of these rows, without empty columns; a level that they share is a remark, as is what ± means.

        `alternatives`: the head of the column with the names of the rows.
        """
        remarks = [*remarks]
        if engine:
            remarks.append(f"Engine: {harmless(engine, _MAX_WORD_LENGTH)}")
        if any(row.standard_error is not None for row in rows):
            remarks.append("±: half of a 95% interval")
        levels = {_level_text(row) for row in rows if row.level}
        if len(levels) == 1:
            remarks.append(f"Level: {levels.pop()}")
            columns = {name: text_of for name, text_of in _COLUMNS.items() if name != "Level"}
        else:
            columns = _COLUMNS
        head = [alternatives]
        cells = [[row.name] for row in rows]
        for name, text_of in columns.items():
            column = [text_of(row) for row in rows]
            is_empty = not any(column)
            if is_empty:
                continue
            head.append(name)
            for cells_of_row, text in zip(cells, column, strict=True):
                cells_of_row.append(text)
        return cls(
            title,
            head=head,
            rows=cells,
            chosen=[index for index, row in enumerate(rows) if row.is_chosen],
            remarks=remarks,
        )

    def __str__(self) -> str:
        rows = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines: list[str] = []
        for first, *others in rows:
            cells = [first.ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            lines.append("  ".join(cells).rstrip())
        return "\n".join([*lines, *self.remarks]).replace("\N{MINUS SIGN}", "-")

    def short_rows(self) -> Iterator[str]:
        """The first rows as lines without chances: each alternative, its equity and what it loses."""
        for row in self.rows[:FEW_PLAYS]:
            name, *_ = row
            cells = dict(zip(self.head, row, strict=True))
            equity = cells.get("Equity", "")
            loss = cells.get("Loss")
            yield f"{name}  {equity} ({loss})" if loss else f"{name}  {equity}"

    def to_html(self) -> str:
        """The table and its remarks, without style; what was chosen is in bold."""
        cells = [[f"<th>{escape(cell)}</th>" for cell in self.head]]
        for index, row in enumerate(self.rows):
            is_chosen = index in self.chosen
            texts = [f"<b>{escape(cell)}</b>" if is_chosen else escape(cell) for cell in row]
            cells.append([f"<td>{text}</td>" for text in texts])
        table = "".join([f"<tr>{''.join(row)}</tr>" for row in cells])
        remarks = "<br>".join([escape(remark) for remark in self.remarks])
        return f"<table>{table}</table><p>{remarks}</p>"


def panel(analysis: Analysis, action: Action | None, limit: int) -> Panel:
    """The panel of an analysis and of what was done, with this many plays and the one that was made."""
    if isinstance(analysis, PlayAnalysis):
        rows = [*_play_rows(analysis, limit)]
        remarks = _remarks_on_plays(analysis, limit)
        return Panel.of("Plays", "Play", rows, remarks, analysis.engine)
    title = "Answer to the double" if action in CUBE_ANSWERS else "Cube"
    rows = [*_cube_actions(analysis, action)]
    return Panel.of(title, "Action", rows, _remarks_on_cube(analysis, action), analysis.engine)


def candidates_shown(analysis: PlayAnalysis, limit: int) -> Iterator[tuple[int, Candidate]]:
    """The best candidates, and the play that was made even if it is not among them, with their indices."""
    for index, play in enumerate(analysis.candidates):
        if index < limit or index == analysis.played:
            yield index, play


def _play_rows(analysis: PlayAnalysis, limit: int) -> Iterator[Row]:
    best_equity = None if analysis.best is None else analysis.best.equity
    for index, candidate in candidates_shown(analysis, limit):
        name = f"{index + 1}. {harmless(candidate.play, _MAX_WORD_LENGTH)}"
        equity = candidate.equity
        loss = None
        if best_equity is not None and equity is not None and equity != best_equity:
            loss = equity - best_equity
        yield Row(
            name,
            equity=equity,
            chances=candidate.chances,
            mwc=candidate.mwc,
            level=candidate.level,
            standard_error=candidate.standard_error,
            loss=loss,
            is_chosen=index == analysis.played,
        )


def _remarks_on_plays(analysis: PlayAnalysis, limit: int) -> Iterator[str]:
    if analysis.error is not None:
        yield f"Error: {analysis.error:.3f}"
    if analysis.luck is not None:
        yield f"Luck of the roll: {signed(analysis.luck)}"
    if len(analysis.candidates) > limit:
        yield f"The best {limit} of {len(analysis.candidates)} plays that were evaluated"


def _cube_actions(analysis: CubeAnalysis, action: Action | None) -> Iterator[Row]:
    """The rows of a cube decision. Of a double, both answers are marked: what was done is known, not the answer."""
    no_double_error, take_error = analysis.standard_errors or (None, None)
    no_double_mwc, take_mwc, drop_mwc = analysis.mwc or (None, None, None)
    yield Row(
        "No double",
        equity=analysis.no_double,
        chances=analysis.chances,
        mwc=no_double_mwc,
        level=analysis.level,
        standard_error=no_double_error,
        is_chosen=action is Action.ROLL,
    )
    yield Row(
        "Double, take",
        equity=analysis.double_take,
        chances=analysis.chances_double_take,
        mwc=take_mwc,
        standard_error=take_error,
        is_chosen=action in {Action.DOUBLE, Action.TAKE},
    )
    yield Row(
        "Double, drop",
        equity=analysis.double_drop,
        mwc=drop_mwc,
        is_chosen=action in {Action.DOUBLE, Action.DROP},
    )


_WORDS = {
    Action.ROLL: "no double",
    Action.DOUBLE: "double",
    Action.TAKE: "take",
    Action.DROP: "drop",
}


def cube_verdict(analysis: CubeAnalysis) -> str:
    """The best action and the answer to a double, in the words of players; empty if equities are missing."""
    words = best_of_doubling(analysis)
    answer = analysis.best_answer
    return f"{words}, {_WORDS[answer]}" if words and answer else ""


def best_of_doubling(analysis: CubeAnalysis) -> str:
    """The words for the best of rolling and doubling; empty if equities are missing.

    A position is too good if a double would be dropped and playing on is worth more. If both are worth the same, as
    three decimals show them, the words are "double", as in GNU Backgammon.
    """
    best = analysis.best
    if best is None:
        return ""
    if best is Action.ROLL and analysis.best_answer is Action.DROP:
        cost = analysis.error_of(Action.DOUBLE)
        return TOO_GOOD if cost is not None and cost >= MIN_SEEN else _WORDS[Action.DOUBLE]
    return _WORDS[best]


def _remarks_on_cube(analysis: CubeAnalysis, action: Action | None) -> Iterator[str]:
    words = cube_verdict(analysis)
    if words:
        yield f"Best: {words}"
    error = None if action is None else analysis.error_of(action)
    if error is not None:
        yield f"Error: {error:.3f}"


# --- numbers and texts ----------------------------------------------------------------------------------------------


def signed(number: float, form: str = "+.3f") -> str:
    """A number with its sign; the minus is as wide as the plus."""
    return format(number, form).replace("-", "\N{MINUS SIGN}")


def _equity_text(row: Row) -> str:
    if row.equity is None:
        return ""
    if row.standard_error is None:
        return signed(row.equity)
    return f"{signed(row.equity)} ± {DEVIATIONS * row.standard_error:.3f}"


def _loss_cell(row: Row) -> str:
    return "" if row.loss is None else signed(row.loss)


def _wins_text(row: Row) -> str:
    chances = row.chances
    if chances is None:
        return ""
    return _chances_text(chances.win, chances.win_gammon, chances.win_backgammon)


def _losses_text(row: Row) -> str:
    chances = row.chances
    if chances is None:
        return ""
    return _chances_text(chances.lose, chances.lose_gammon, chances.lose_backgammon)


def _chances_text(games: float, gammons: float, backgammons: float) -> str:
    """The games, and in brackets the gammons and backgammons among them."""
    return f"{_percent(games)} ({_percent(gammons)}, {_percent(backgammons)})"


def _mwc_text(row: Row) -> str:
    return "" if row.mwc is None else _percent(row.mwc)


def _level_text(row: Row) -> str:
    return harmless(label_without_head(row.level), _MAX_WORD_LENGTH)


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}"


_COLUMNS: dict[str, Callable[[Row], str]] = {
    "Equity": _equity_text,
    "Loss": _loss_cell,
    "Wins % (G, BG)": _wins_text,
    "Losses % (G, BG)": _losses_text,
    "Match %": _mwc_text,
    "Level": _level_text,
}

_NOT_SHOWN = {"Cc", "Cs", "Cn"}
"""Control characters, halves of surrogate pairs, and code points that are not characters."""
_TURNING = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
"""They change the direction of the text after them; the page isolates each text itself."""


def harmless(text: str, limit: int = _MAX_REMARK_LENGTH) -> str:
    """A text from a file without such characters; a long one is cut off."""
    if len(text) > limit:
        text = f"{text[:limit]}…"
    if text.isprintable():  # the usual case
        return text
    return "".join(["\N{REPLACEMENT CHARACTER}" if _is_harmful(sign) else sign for sign in text])


def cell_text(value: object) -> str:
    """A value of a row, as it is shown."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return harmless(str(value), MAX_NAME_LENGTH)


def _is_harmful(character: str) -> bool:
    if character.isprintable() or character in "\n\t":
        return False
    return category(character) in _NOT_SHOWN or character in _TURNING
