"""What programs, mails, forums and web pages do to a text, undone line by line, so that lines keep their numbers."""

from __future__ import annotations

import re
from typing import Final

_LINE_END = re.compile(r"\r{0,2}\n(?:\r(?!\n))?|[\r\v\u2028\u2029]")
"""Also the end that a program made of \\r\\n when it wrote \\n as \\r\\n once more, and those of word processors."""
_INVISIBLE = re.compile("(?m)^[\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\f]+")
_UNUSUAL = re.compile("[\r\v\f\u2028\u2029\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}]")
_NO_BREAK = "\N{NO-BREAK SPACE}"
_ALIGNED = re.compile(rf"(?:^|[ \n{_NO_BREAK}]){_NO_BREAK}|{_NO_BREAK} ")
"""Blanks of a web page that keep columns apart. A single one between two words may be part of a name."""
_MARKS = r"(^|\n)[ \t]{0,20}>(?: ?>){0,19}"
_QUOTED = re.compile(_MARKS)
_WITH_BLANK = re.compile(_MARKS + " ?")
_WITHOUT_BLANK = re.compile(_MARKS + r"(?=[^\s>])")
"""The marks of a quotation, with which no line of a record begins. Blanks belong to them if there is one after each."""
_FENCE = re.compile(r"(?m)^[ \t]{0,3}(?:`{3,20}|~{3,20})[\w.+-]{0,20}[ \t]{0,20}$")
"""The line of Markdown before and after code."""
_ESCAPED = re.compile(r"=&gt;|(?:^|\n)[ \t]{0,20}&gt;")
"""Signs of the source of a web page: the arrow of a double, or a quotation. A name may have an entity of its own."""
_FLUSH = re.compile(r"(?m)^[^ \t\n]")
"""The beginning of a line that has no indentation."""
_INDENTATION = re.compile(r"(?m)^[ \t]+(?=[^ \t\n])")
_ENTITIES: Final = {
    "&gt;": ">",
    "&lt;": "<",
    "&quot;": '"',
    "&#39;": "'",
    "&nbsp;": " ",
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(_ENTITIES))
_LABEL = r"(?:[^\n=]{0,30}[-:.)\]*+\u2022][ \t]{1,4}|[ \t>]{0,20})[*_`\"'(<]{0,3}XGID[ \t]{0,4}[=:][ \t]{0,4}"
XGID_LABEL: Final = re.compile(_LABEL, re.IGNORECASE | re.ASCII)
"""With which a line begins, perhaps after a number, a mark or a word, and in bold or as code."""
XGID_LINE: Final = re.compile(
    _LABEL + r"([-\u2010-\u2015A-P]{26}:[-\u2010-\u2015A-Z0-9:]{1,80})", re.IGNORECASE | re.ASCII
)
_DASHES: Final = dict.fromkeys(range(0x2010, 0x2016), "-")


def xgid_in(line: str) -> str | None:
    """The XGID with which a line begins, as eXtreme Gammon writes it; None if there is none."""
    match = XGID_LINE.match(line)
    return None if match is None else f"XGID={match[1].translate(_DASHES)}"


def as_written(text: str) -> str:
    """The text with ordinary ends of lines and blanks, without the marks of a quotation and the entities of HTML.

    The fences of Markdown go too if it begins with one, and the indentation that all its lines have.
    """
    # hardly any text needs any of this, so each step looks first, the quickest way, whether it is needed
    if _UNUSUAL.search(text):
        text = _INVISIBLE.sub("", _LINE_END.sub("\n", text))
    if _NO_BREAK in text and _ALIGNED.search(text):
        text = text.replace(_NO_BREAK, " ")
    if "&gt;" in text and _ESCAPED.search(text):
        text = _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], text)
    if ">" in text:
        marks = _QUOTED if _WITHOUT_BLANK.search(text) else _WITH_BLANK
        text = marks.sub(r"\1", text)
    if text[:200].lstrip().startswith(("```", "~~~")):
        text = without_fences(text)
    return _without_indentation(text)


def _without_indentation(text: str) -> str:
    """The text without what all lines begin with: tabs, or an even number of blanks, as texts of BGBlitz have one."""
    if _FLUSH.search(text):
        return text
    indentations = _INDENTATION.findall(text)
    common = min(indentations, key=len, default="")
    is_odd_number = len(common) % 2 == 1
    if "\t" not in common and is_odd_number:
        common = common[1:]  # the last blank belongs to the record
    have_all_lines_it = all(indentation.startswith(common) for indentation in indentations)
    if not common or not have_all_lines_it:
        return text
    return "\n".join([line.removeprefix(common) for line in text.split("\n")])


def without_fences(text: str) -> str:
    """The text without the lines of Markdown around code, which tell a manual from a record."""
    return _FENCE.sub("", text) if "```" in text or "~~~" in text else text
