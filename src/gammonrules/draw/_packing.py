"""Scripts without what only their readers need: comments, spaces and long names.

This is no compiler. It knows the style of `board.js` and `setup.js`: strings have double quotes, a `const` has one
name, and the brackets of patterns are pairs. The tests in a browser run what it makes of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from string import ascii_lowercase

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
    # The strings of a line keep their spaces, the patterns have none, and in the style no space counts beside a sign.
    script = re.sub(r"\n\s+", "\n", re.sub(r" // .*|/\*\*[\s\S]*?\*/", "", script))
    script = re.sub(r"""("[^"\n]*"|`[^`\n]*`|//.*)| *([={}();,:?<>&|*!+-]+) *""", r"\1\2", script)
    script = re.sub(r"[,;]}", "}", re.sub(r"(?<=[{}(,;])\n", "", script))
    tokens = [*_classified(re.sub(r"\bconst\b", "let", script))]
    counts = Counter(tokens)
    taken = {token for token, role in tokens if not role} | {"do", "in"}
    letters = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]
    # Private members may be called like variables.
    free = {sign: (name for name in letters if name not in taken) for sign in ("", "#")}
    # A key that is its own value needs both names then.
    names = [
        name
        for (name, role), count in counts.most_common()
        if role and count >= 3 * counts[name, "shorthand"]
    ]
    short = {name: (sign := "#" * name.startswith("#")) + next(free[sign]) for name in names}
    forms = {"": "{0}", "name": "{1}", "shorthand": "{0}:{1}"}
    return "".join(
        forms[role].format(token, short[token]) if token in short else token
        for token, role in tokens
    )


def _classified(script: str) -> Iterator[tuple[str, str]]:
    """Each token, with "name" for a variable or private member, and "shorthand" for a variable that is its own key."""
    tokens = _TOKEN.findall(script)
    opened = ["{"]
    before = ""
    is_class = False
    for sign, after in zip(tokens, [*tokens[1:], ""], strict=True):
        inside = opened[-1]
        yield sign, "" if inside == "`" else _role(inside, before, sign, after)
        if sign == "`" == inside or (inside != "`" and sign in {")", "]", "}"}):
            opened.pop()
        elif sign in {"`", "${"} or (inside != "`" and sign in {"(", "[", "{"}):
            opened.append("class" if is_class and sign == "{" else sign)
            is_class = is_class and sign != "{"
        is_class = is_class or (sign == "class" and after.isspace())
        before = sign if sign.strip() else before


def _role(inside: str, before: str, sign: str, after: str) -> str:
    if sign[0] == "#":
        return "name"
    is_member = before == "." or (inside == "class" and before != "=")
    if is_member or sign in _NOT_OURS or not re.fullmatch(r"[a-z]\w\w+", sign):
        return ""
    if inside != "{" or before not in {"{", ","}:
        return "name"
    return "" if after == ":" else "shorthand" if after in {",", "}", "="} else "name"
