"""Scripts without what only their readers need: comments, spaces and long names.

This is no compiler. It knows the style of `board.js` and `setup.js`: strings have double quotes, a `const` has one
name, and the brackets of patterns are pairs. The tests in a browser run what it makes of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from string import ascii_lowercase
from typing import NamedTuple

_TOKEN = re.compile(r'"[^"\n$`]*"|//.*|`|\$\{|\.\.\.|#?\w+|\s+|.')
_WORDS = (
    "async await break case catch class const continue default delete document else export extends false finally for"
    " function get globalThis instanceof let matchMedia new null parseInt return set setTimeout static structuredClone"
    " super switch this throw true try typeof undefined void while"
)
_NOT_OURS = frozenset(_WORDS.split())
"""Words of the language and functions of the browser. Its classes have capitals, as our constants have."""


@cache
def packed(script: str) -> str:
    """The same program, in a third of the space."""
    script = re.sub(r"\bconst\b", "let", _without_spaces(script))
    tokens = [*_classified(script)]
    short = _short_names(tokens)
    parts: list[str] = []
    for token in tokens:
        text = token.text
        if token.role and text in short:
            is_key = token.role == "shorthand"
            text = f"{text}:{short[text]}" if is_key else short[text]
        parts.append(text)
    return "".join(parts)


def _without_spaces(script: str) -> str:
    # The strings of a line keep their spaces, the patterns have none, and in the style no space counts beside a sign.
    script = re.sub(r" // .*|/\*\*[\s\S]*?\*/", "", script)
    script = re.sub(r"\n\s+", "\n", script)
    script = re.sub(r"""("[^"\n]*"|`[^`\n]*`|//.*)| *([={}();,:?<>&|*!+-]+) *""", r"\1\2", script)
    script = re.sub(r"(?<=[{}(,;])\n", "", script)
    return re.sub(r"[,;]}", "}", script)


class _Token(NamedTuple):
    text: str
    role: str
    """"name" for a variable or private member, "shorthand" for a variable that is its own key, "" for all else."""


def _short_names(tokens: Sequence[_Token]) -> dict[str, str]:
    """Short names for variables and private members, the shortest for the most frequent."""
    taken = {token.text for token in tokens if not token.role} | {"do", "in"}
    letters = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]
    free = [name for name in letters if name not in taken]
    # Private members may be called like variables.
    free_for_variables = iter(free)
    free_for_members = iter(free)
    counts = Counter(tokens)
    short: dict[str, str] = {}
    for token, count in counts.most_common():
        if not token.role:
            continue
        # A key that is its own value needs both names then.
        if count < 3 * counts[_Token(token.text, "shorthand")]:
            continue
        if token.text.startswith("#"):
            short[token.text] = f"#{next(free_for_members)}"
        else:
            short[token.text] = next(free_for_variables)
    return short


def _classified(script: str) -> Iterator[_Token]:
    texts = _TOKEN.findall(script)
    opened = ["{"]  # the brackets and texts around, "class" for the braces of a class
    before = ""
    is_class = False
    for text, after in zip(texts, [*texts[1:], ""], strict=True):
        inside = opened[-1]
        if inside == "`":  # a text, up to its end or to an expression in it
            yield _Token(text, "")
            if text == "`":
                opened.pop()
            elif text == "${":
                opened.append(text)
        else:
            yield _Token(text, _role(inside, before, text, after))
            if text in {")", "]", "}"}:
                opened.pop()
            elif text == "{" and is_class:
                opened.append("class")
                is_class = False
            elif text in {"`", "${", "(", "[", "{"}:
                opened.append(text)
        if text == "class" and after.isspace():
            is_class = True
        if text.strip():
            before = text


def _role(inside: str, before: str, text: str, after: str) -> str:
    if text[0] == "#":
        return "name"
    is_member = before == "." or (inside == "class" and before != "=")
    if is_member or text in _NOT_OURS or not re.fullmatch(r"[a-z]\w\w+", text):
        return ""
    can_be_key = inside == "{" and before in {"{", ","}
    if not can_be_key:
        return "name"
    if after == ":":
        return ""
    return "shorthand" if after in {",", "}", "="} else "name"
