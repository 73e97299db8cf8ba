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
    " gammonBoard GAME JSON MATCH RULES URL VIEWS XGID"
)
_NOT_OURS = frozenset(_WORDS.split())
"""Words of the language, what browsers have, and the names that scripts packed apart have in common."""
_LONG_NAME = re.compile(r"[a-z]\w\w+|[A-Z][A-Z_]+")
"""One of variables and constants, but not of classes."""


@cache
def packed(script: str) -> str:
    """The same program, in a third of the space."""
    script = re.sub(r"\bconst\b", "let", _without_spaces(script))
    tokens = [*_classified(script)]
    short_names = _short_names(tokens)
    parts: list[str] = []
    for token in tokens:
        has_short_name = bool(token.role) and token.text in short_names
        if not has_short_name:
            parts.append(token.text)
        elif token.role == "shorthand":  # the key keeps its name
            parts.append(f"{token.text}:{short_names[token.text]}")
        else:
            parts.append(short_names[token.text])
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
    words_of_language = {"do", "in"}
    taken = {token.text for token in tokens if not token.role} | words_of_language
    pairs = ["".join(letters) for letters in product(ascii_lowercase, repeat=2)]
    free = [name for name in [*ascii_lowercase, *pairs] if name not in taken]
    # Private members may be called like variables.
    free_for_variables = iter(free)
    free_for_members = iter(free)
    counts = Counter(tokens)
    short_names: dict[str, str] = {}
    for token, count in counts.most_common():
        if not token.role:
            continue
        # A key that is its own value needs both names then, which must be made up for elsewhere.
        longer = counts[_Token(token.text, "shorthand")]
        if count < 3 * longer:
            continue
        if token.text.startswith("#"):
            short_names[token.text] = f"#{next(free_for_members)}"
        else:
            short_names[token.text] = next(free_for_variables)
    return short_names


def _classified(script: str) -> Iterator[_Token]:
    """The tokens of a script with their roles, which depend on the brackets around them and on their neighbors."""
    texts = _TOKEN.findall(script)
    # those around a token, also "`" of a text; "class" is the brace of a class
    open_brackets = ["{"]
    before = ""  # the token before, leaving out spaces
    next_brace_is_of_class = False
    for text, after in zip(texts, [*texts[1:], ""], strict=True):
        inside = open_brackets[-1]
        if inside == "`":  # a text, up to its end or to an expression in it
            yield _Token(text, "")
            if text == "`":
                open_brackets.pop()
            elif text == "${":
                open_brackets.append(text)
        else:
            yield _Token(text, _role(inside, before, text, after))
            if text in {")", "]", "}"}:
                open_brackets.pop()
            elif text == "{" and next_brace_is_of_class:
                open_brackets.append("class")
                next_brace_is_of_class = False
            elif text in {"`", "${", "(", "[", "{"}:
                open_brackets.append(text)
        if text == "class" and after.isspace():
            next_brace_is_of_class = True
        if text.strip():
            before = text


def _role(inside: str, before: str, text: str, after: str) -> str:
    """The role of a token, by the bracket around it and the tokens beside it."""
    is_private_member = text.startswith("#")
    if is_private_member:
        return "name"
    is_property = before == "."
    is_member_of_class = inside == "class" and before != "="
    is_long_name = _LONG_NAME.fullmatch(text) is not None
    if is_property or is_member_of_class or text in _NOT_OURS or not is_long_name:
        return ""
    can_be_key = inside == "{" and before in {"{", ","}
    if not can_be_key:
        return "name"
    if after == ":":  # a key with a value
        return ""
    return "shorthand" if after in {",", "}", "="} else "name"
