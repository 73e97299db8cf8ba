"""What is promised of the text of an error: it is one line, it is short, and it names what it is about.

The words themselves are not public, so no test repeats a sentence: it asks for the names, numbers and terms of the game
without which nobody would know what was wrong, and where.
"""

from __future__ import annotations

LONGEST = 400
"""A sentence with a quotation of up to 200 characters; a text with several problems has a clause for each."""


def check(text: object, *named: object, longest: int = LONGEST) -> None:
    """This text (of an error, a finding) is one line, not too long, and has each of these words, in any case."""
    words = str(text)
    assert words.strip()
    assert "\n" not in words
    assert len(words) <= longest, f"{len(words)} characters: {words[:200]}..."
    missing = [name for name in map(str, named) if name.lower() not in words.lower()]
    assert missing == [], f"not named in {words!r}"
