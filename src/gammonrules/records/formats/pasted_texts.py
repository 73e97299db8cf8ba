"""What mails, forums and web pages do to a text, undone line by line, so that lines keep their numbers."""

from __future__ import annotations

import re
from typing import Final

_MARKS = r"(^|[\r\n])[ \t]{0,20}>(?: ?>){0,19}"
_QUOTED, _WITH_BLANK, _WITHOUT_BLANK = (re.compile(_MARKS + rest) for rest in ("", " ?", r"(?=[^\s>])"))
"""The marks of a quotation, with which no line of a record begins. Blanks belong to them if there is one after each."""
_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]{0,3}(?:`{3,20}|~{3,20})[\w.+-]{0,20}[ \t]{0,20}(?=[\r\n]|$)")
"""The line of Markdown before and after code."""
_ESCAPED = re.compile(r"=&gt;|(?:^|[\r\n])[ \t]{0,20}&gt;")
"""Signs of the source of a web page: the arrow of a double, or a quotation. A name may have an entity of its own."""
_ENTITIES: Final = {"&gt;": ">", "&lt;": "<", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))


def as_written(text: str) -> str:
    """The text without the marks of a quotation, the entities of HTML, and the fences of Markdown if it begins so."""
    if "&gt;" in text and _ESCAPED.search(text):
        text = _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], text)
    if ">" in text:
        text = (_QUOTED if _WITHOUT_BLANK.search(text) else _WITH_BLANK).sub(r"\1", text)
    return without_fences(text) if text[:200].lstrip()[:3] in {"```", "~~~"} else text


def without_fences(text: str) -> str:
    """The text without the lines of Markdown around code, which tell a manual from a record."""
    return _FENCE.sub("", text) if "```" in text or "~~~" in text else text
