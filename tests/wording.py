"""What is promised of the text of an error: it is one line, it is short, and it names what it is about.

The words themselves are not public, and no test pins them: it asks for the names, numbers and terms of the game without
which nobody would know what was wrong, and where. They are listed (`check`), or taken from an example of such a
sentence (`like`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

MAX_LENGTH = 400
"""A sentence with a quotation of up to 200 characters; a text with several problems has a clause for each."""

QUOTED = r"'[^']*'|\"[^\"]*\""
NUMBER = r"-?\d+(?:,\d{3})*(?:/(?:\d+|off|bar)\*?)*"
NAME = r"\b[A-Z]\w+(?:\.\w+)*|\b\w+=|\b\w+\(\)"
TERM = r"crawford|jacoby|beaver|raccoon|gammon|doubl|drop|resign|cube|dice|roll|score|money|pip|star|\bbar\b|\boff\b"
PLACE = r"\$(?:\.\w+|\[[^\]]*\])+|\b(?:row|line|column|index|mine|theirs|scores)\b|\b(?:points|start)(?=[,:])"
FACTS = re.compile(f"{QUOTED}|{NUMBER}|{NAME}|{PLACE}|(?i:{TERM})")


def check(text: object, *named: object, longest: int = MAX_LENGTH) -> None:
    """This text (of an error, a finding) is one line, not too long, and has each of these words, in any case."""
    words = str(text)
    assert words.strip()
    assert "\n" not in words
    assert len(words) <= longest, f"{len(words)} characters: {words[:200]}..."
    missing = [name for name in map(str, named) if name.lower() not in words.lower()]
    assert missing == [], f"not named in {words!r}"


def facts(sentence: str) -> set[str]:
    """The quotations, numbers, names, places and terms of the game in a sentence, whatever the words around them."""
    return {fact.lower() for fact in FACTS.findall(sentence)}


def like(text: object, example: str, longest: int = MAX_LENGTH) -> None:
    """This text has every fact of an example, which is one way to put it."""
    check(text, longest=longest)
    assert facts(example) - facts(str(text)) == set(), f"{str(text)!r} does not say what {example!r} does"


@contextmanager
def tells(error: type[Exception], *named: object, **facts: object) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """As `pytest.raises`, with words of the sentence, and with attributes of the error such as its reason."""
    with pytest.raises(error) as caught:
        yield caught
    check(caught.value, *named)
    assert {name: getattr(caught.value, name) for name in facts} == facts


@contextmanager
def raises(error: type[Exception], example: str, **facts: object) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """The same, with an example of the sentence."""
    with tells(error, **facts) as caught:
        yield caught
    like(caught.value, example)
