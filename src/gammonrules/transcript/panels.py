"""What an engine says about a step, as panels of texts that the page shows beside the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import frozen

from gammonrules.equity import Chances
from gammonrules.match import Action
from gammonrules.transcript.analysis import Analysis, Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.transcript.safe_text import harmless

Analyzed: TypeAlias = tuple[Analysis, Action | None]
"""The analysis of a decision, and what was done; None if that is open."""

_LONGEST_WORD = 100
"""Characters of the name of an engine, and of its levels."""


@frozen
class Panel:
    """A table of texts, and lines below it."""

    title: str
    head: list[str]
    rows: list[list[str]]
    done: list[int]
    """The rows that were done."""
    said: list[str]


@frozen
class Row:
    """A row of a panel."""

    name: str
    equity: float | None
    chances: Chances | None = None
    standard_error: float | None = None
    mwc: float | None = None
    level: str = ""
    is_done: bool = False
    """Whether it was done."""


def panel(analysis: Analysis, action: Action | None, candidates: int) -> Panel:
    """The panel of an analysis."""
    if isinstance(analysis, PlayAnalysis):
        return filled("Plays", "Play", list(_plays(analysis, candidates)), list(_about_play(analysis, candidates)))
    title = "Answer to the double" if action in _ANSWERS else "Cube"
    return filled(title, "Action", list(_actions(analysis, action)), list(_about_cube(analysis, action)))


def filled(title: str, of: str, rows: list[Row], said: list[str]) -> Panel:
    """The panel; empty columns are left out."""
    best = rows[0].equity if of == "Play" and rows else None
    columns: list[tuple[str, list[str]]] = [
        ("Equity", [_equity(row.equity, row.standard_error) for row in rows]),
        ("Loss", [_loss(best, row.equity) for row in rows]),
        ("Wins % (G, BG)", [_wins(row.chances) for row in rows]),
        ("Losses % (G, BG)", [_losses(row.chances) for row in rows]),
        ("Match %", [_percent(row.mwc) for row in rows]),
    ]
    levels = [harmless(row.level, _LONGEST_WORD) for row in rows]
    if len({*levels} - {""}) == 1:
        said = [*said, f"Level: {max(levels)}"]
    else:
        columns.append(("Level", levels))
    used = [(head, cells) for head, cells in columns if any(cells)]
    body = [[row.name, *(cells[index] for _, cells in used)] for index, row in enumerate(rows)]
    done = [index for index, row in enumerate(rows) if row.is_done]
    return Panel(title, [of, *(name for name, _ in used)], body, done, said)


# --- plays ----------------------------------------------------------------------------------------------------------


def listed(analysis: PlayAnalysis, most: int) -> Iterator[tuple[Candidate, int]]:
    """The best candidates, and the play that was made even if it is not among them, with their indices."""
    for index, candidate in enumerate(analysis.candidates):
        if index < most or index == analysis.played:
            yield candidate, index


def _plays(analysis: PlayAnalysis, most: int) -> Iterator[Row]:
    for candidate, index in listed(analysis, most):
        name = f"{index + 1}. {harmless(candidate.play, _LONGEST_WORD)}"
        about = candidate.chances, candidate.standard_error, candidate.mwc, candidate.level
        yield Row(name, candidate.equity, *about, index == analysis.played)


def _about_play(analysis: PlayAnalysis, most: int) -> Iterator[str]:
    if analysis.error is not None:
        yield f"Error: {analysis.error:.3f}"
    if analysis.luck is not None:
        yield f"Luck of the roll: {_signed(analysis.luck)}"
    if len(analysis.candidates) > most:
        yield f"The best {most} of {len(analysis.candidates)} plays that were evaluated"
    yield from said_by(analysis.engine)


# --- the cube -------------------------------------------------------------------------------------------------------

_ANSWERS = {Action.TAKE, Action.DROP, Action.BEAVER}
_DONE = {Action.ROLL: (0,), Action.DOUBLE: (1, 2), Action.TAKE: (1,), Action.DROP: (2,)}
"""The rows of the panel that an action chooses."""


def _actions(analysis: CubeAnalysis, action: Action | None) -> Iterator[Row]:
    errors = analysis.standard_errors or (None, None)
    mwc = analysis.mwc or (None, None, None)
    done = _DONE.get(action, ()) if action is not None else ()
    yield Row("No double", analysis.no_double, analysis.chances, errors[0], mwc[0], analysis.level, 0 in done)
    yield Row("Double, take", analysis.double_take, analysis.chances_double_take, errors[1], mwc[1], "", 1 in done)
    yield Row("Double, drop", analysis.double_pass, None, None, mwc[2], "", 2 in done)


_BEST = {Action.ROLL: "no double", Action.DOUBLE: "double", Action.TAKE: "take", Action.DROP: "drop"}


def _about_cube(analysis: CubeAnalysis, action: Action | None) -> Iterator[str]:
    best, answer = analysis.best, analysis.best_answer
    if best is not None and answer is not None:
        yield f"Best: {_BEST[best]}, {_BEST[answer]}"
    if action is not None:
        error = analysis.error_of(action)
        if error is not None:
            yield f"Error: {error:.3f}"
    yield from said_by(analysis.engine)


def said_by(engine: str) -> Iterator[str]:
    """A line with the name of the engine, if it is known."""
    if engine:
        yield f"Engine: {harmless(engine, _LONGEST_WORD)}"


# --- numbers --------------------------------------------------------------------------------------------------------


def _signed(number: float) -> str:
    """A number with its sign, and with a minus that is as wide as a plus."""
    return f"{number:+.3f}".replace("-", "\N{MINUS SIGN}")


def _equity(equity: float | None, standard_error: float | None) -> str:
    if equity is None:
        return ""
    return _signed(equity) + (f" ± {standard_error:.3f}" if standard_error is not None else "")


def _loss(best: float | None, equity: float | None) -> str:
    if best is None or equity is None:
        return ""
    return "" if best == equity else _signed(equity - best)


def _percent(chance: float | None) -> str:
    return "" if chance is None else f"{100 * chance:.1f}"


def _wins(chances: Chances | None) -> str:
    """Wins, and in brackets gammons and backgammons among them."""
    return "" if chances is None else _levels(chances.win, chances.win_gammon, chances.win_backgammon)


def _losses(chances: Chances | None) -> str:
    return "" if chances is None else _levels(chances.lose, chances.lose_gammon, chances.lose_backgammon)


def _levels(game: float, gammon: float, backgammon: float) -> str:
    return f"{_percent(game)} ({_percent(gammon)}, {_percent(backgammon)})"


def costs_of(analyses: Iterable[Analyzed]) -> Iterator[str]:
    """What each decision of a step cost, if that can be seen in three decimals."""
    for analysis, action in analyses:
        cost = _cost(analysis, action)
        if cost is not None and cost >= 0.0005:
            is_about_cube = isinstance(analysis, CubeAnalysis) and action not in _ANSWERS
            yield f"{'cube ' if is_about_cube else ''}{_signed(-cost)}"


def _cost(analysis: Analysis, action: Action | None) -> float | None:
    if action is None:
        return None
    return analysis.error if isinstance(analysis, PlayAnalysis) else analysis.error_of(action)
