"""What pages say between their examples: plain words, spelled in one way, and no names of code without its font."""

from __future__ import annotations

import re
from pathlib import Path

import loop

ROOT = Path(__file__).parents[2]
GENERATED = {"api.md"}
"""Signatures, which are code."""
PAGES = [ROOT / "README.md", *(page for page in sorted(ROOT.glob("docs/**/*.md")) if page.name not in GENERATED)]

CODE = r"(?ms)\A---\n.*?\n---\n|<!--.*?-->|^( *)```.*?^\1```$"
SPAN = r"`[^`\n]*(?:\n(?! *[\n|])[^`\n]*)*`"
"""A span may go on in the next line, but not beyond its paragraph or its row of a table."""
ELSE = (
    r"(?m)<table(?s:.*?)</table>|<[^>]+>|\]\([^)]*\)|\]\[[^]]*\]|\{[^}\n]*\}|^:::.*|^    .*|^--8<--.*"
    r"|^\#\# gammonrules .*|^ *\|.*|https?://\S+"
)
"""Addresses, what mkdocstrings is asked for, tables (whose rows quote titles and names), headings that are commands."""

NUMBER = r"(?<![\d.,/-])"
THINGS = "checker|pip|roll|game|match|move|play|player"
REFUSED = {
    "a name of code without its font": r"\b[A-Za-z]+_[A-Za-z_]+\b",
    "a plural in brackets": r"\w\(e?s\)",
    "one of something in the plural": NUMBER
    + r"(?<!and )1 (?:points|checkers|pips|rolls|games|matches|moves|plays|players)\b",
    "several in the singular": rf"{NUMBER}(?:[2-9]|\d{{2,}}) (?:{THINGS})\b",
    "a hyphen for a dash": r"[a-z]{2} --? [a-z]{2}",
    "Latin": r"\b(?:e\.g\.|i\.e\.|etc\.|viz\.)",
    "another spelling of a term": (
        r"\b(?:[Bb]earoffs?|[Bb]ackgames?|pipcounts?|(?:take|cash)-points?|match-equity|home-boards?|doubling-cubes?"
        r"|bear off (?:table|database|position)s?|(?:one|two) sided|post crawford)\b"
    ),
    "a word that says nothing": (
        r"(?i)\b(?:utili[sz]e\w*|leverag\w+|simply|obviously|seamless\w*|performant|robustly|powerful)\b"
    ),
}


def prose(text: str) -> str:
    """A page without its code, with as many lines."""
    for pattern, instead in ((CODE, ""), (SPAN, "code"), (ELSE, "")):
        text = re.sub(pattern, lambda part, instead=instead: instead + "\n" * part[0].count("\n"), text)
    return text


def wrong_words(text: str) -> list[str]:
    return [
        f"line {text[: part.start()].count(chr(10)) + 1}, {what}: {part[0]!r}"
        for what, pattern in REFUSED.items()
        for part in re.finditer(pattern, text)
    ]


@loop.over("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_is_in_plain_words(page: Path) -> None:
    assert wrong_words(prose(page.read_text(encoding="utf-8"))) == []
