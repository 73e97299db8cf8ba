"""The tables of pages, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from gammonrules.records.transcript import ErrorSummary, told_pr

UNKNOWN: Final = "\N{EN DASH}"
_LESS: Final = "Net luck", "Error", "Doubtful", "Bad"
"""Columns that a narrow report leaves out: what a tile has, and mistakes but for the worst."""


def wide_table(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    done: Sequence[int] = (),
    less: Sequence[str] = _LESS,
) -> str:
    """A table of cells that are HTML, which can be moved sideways where it is too wide; "" if it has no rows.

    A narrow page leaves out the columns of `less`.
    """
    attributes = [' class="less"' if cell in less else "" for cell in head]
    body: list[str] = []
    for number, row in enumerate(rows):
        cells = [f'<th scope="row">{row[0]}</th>']
        for attribute, cell in zip(attributes[1:], row[1:], strict=False):
            cells.append(f"<td{attribute}>{cell}</td>")
        is_done = number in done  # the row of the play or action that was done
        kind = "done" if is_done else "row"
        body.append(f"<tr class={kind}>{''.join(cells)}</tr>")
    if not body:
        return ""
    heads: list[str] = []
    for attribute, cell in zip(attributes, head, strict=True):
        named = f'<th scope="col"{attribute}>{escape(cell)}</th>'
        heads.append(named if cell else f"<td{attribute}></td>")
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}">'
        f"<table><thead><tr>{''.join(heads)}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>\n"
    )


def pr_cell(errors: ErrorSummary) -> str:
    pr = told_pr(errors)
    if pr is not None:
        return f"{pr:.2f}"
    return "<small>too few</small>" if errors.decisions else UNKNOWN


def signed_number(number: float | None) -> str:
    if number is None:
        return UNKNOWN
    return f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")


def share_bar(share: float, usual: float) -> str:
    """A bar of this length, from 0 to 1, with a line where it would usually end."""
    end = 100 * min(usual, 1)
    shape = f'<rect y="2" width="{100 * share:.1f}" height="8"/><path d="M{end:.1f} 0v12"/>'
    return f'<svg class="lost" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">{shape}</svg>'
