"""The tables of pages, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

UNKNOWN: Final = "\N{EN DASH}"
_LESS: Final = "Net luck", "Error", "Doubtful", "Bad"
"""Columns that a narrow report leaves out: what a tile has, and mistakes but for the worst."""


def wide_table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[str]], done: Sequence[int] = ()
) -> str:
    """A table of cells that are HTML, which can be moved sideways where it is too wide; "" if it has no rows."""
    marks = [' class="less"' * (cell in _LESS) for cell in head]
    heads = "".join(map('<th scope="col"{}>{}</th>'.format, marks, map(escape, head)))
    cell = "<td{}>{}</td>".format
    lines = [
        f'<th scope="row">{first}</th>{"".join(map(cell, marks[1:], others))}'
        for first, *others in rows
    ]
    body = "".join(
        f"<tr class={'done' if at in done else 'row'}>{line}</tr>" for at, line in enumerate(lines)
    )
    region = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}">'
    return (
        f"{region}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>\n"
        if lines
        else ""
    )


def signed_number(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")


def share_bar(share: float, usual: float) -> str:
    """A bar of this length, from 0 to 1, with a line where it would usually end."""
    shape = f'<rect y="2" width="{100 * share:.1f}" height="8"/><path d="M{100 * min(usual, 1):.1f} 0v12"/>'
    return f'<svg class="lost" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">{shape}</svg>'
