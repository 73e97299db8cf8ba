"""Lists of names on the pages of `docs/reference`, such as starts, themes and strengths.

Each list is between `<!-- NAME: generate.py -->` and `<!-- end -->`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import library_names as names
from gammonrules.board.board_setup import STARTS
from marked_blocks import on_page

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
LISTS_OF_PAGES = {
    "abi.md": ("options in memory", "numbered strengths"),
    "arena.md": ("strengths",),
    "board.md": ("themes", "quoted strengths"),
    "conformance.md": ("checkers of starts",),
    "draw.md": ("themes",),
    "match-js.md": ("all strengths",),
    "rules.md": ("starts",),
}
"""The lists of each page, by their names."""


def files() -> dict[Path, str]:
    return {REFERENCE / page: on_page(REFERENCE / page, lists(of_page)) for page, of_page in LISTS_OF_PAGES.items()}


def lists(of_page: Iterable[str]) -> dict[str, str]:
    """The lists with these names, by the comments before them."""
    return {f"<!-- {name}: generate.py -->": LISTS[name]() for name in of_page}


def code(values: Sequence[str], quote: str = "") -> list[str]:
    return [f"`{quote}{value}{quote}`" for value in values]


def joined(items: Sequence[str], word: str) -> str:
    """Items with commas, and a word before the last one."""
    *first, last = items
    return f"{', '.join(first)} {word} {last}"


def checkers_of_starts() -> str:
    """A table with a row for each start."""
    rows = [
        f"| `{name}` | {', '.join(f'{count} on {point}' for point, count in STARTS[name].items())} |"
        for name in names.STARTS
    ]
    return "\n\n" + "\n".join(["| `start` | checkers |", "|---|---|", *rows]) + "\n\n"


def options_in_memory() -> str:
    """The options in their order, with the numbers that are not plain."""
    items: list[str] = []
    for option in names.OPTIONS:
        choices = names.CHOICES.get(option.name, [])
        about = " (or 0)" if option.default is None else ""
        if choices:
            about = f" ({joined([f'{number} for `{word}`' for number, word in enumerate(choices)], 'or')})"
        if option.name != "start":
            items.append(f"`{option.name}`{about}")
    return joined(items, "and")


LISTS: dict[str, Callable[[], str]] = {
    "themes": lambda: ", ".join(code(names.THEME_NAMES)),
    "starts": lambda: joined(code(names.STARTS, '"'), "or"),
    "checkers of starts": checkers_of_starts,
    "strengths": lambda: joined(code(names.STRENGTHS), "or"),
    "quoted strengths": lambda: joined(code(names.STRENGTHS, '"'), "or"),
    "all strengths": lambda: joined(code(names.STRENGTHS, '"'), "and"),
    "numbered strengths": lambda: joined([f"{number} {name}" for number, name in enumerate(names.STRENGTHS)], "and"),
    "options in memory": options_in_memory,
}
