"""The Base64 text of an identifier: a fixed number of characters, with or without a label and padding."""

from __future__ import annotations

import re

from gammonrules.errors import IdentifierError

_ALPHABET = re.compile(r"[A-Za-z0-9+/]", re.ASCII)


def body(text: str, name: str, length: int) -> str:
    """The characters of an identifier in a text that may carry its name as a label, padding and white space.

    Raises:
        IdentifierError: another number of characters, or one outside the alphabet.
    """
    if not isinstance(text, str):
        raise IdentifierError(f"{name}: a text is needed, not {text!r:.40}")
    label = re.compile(name.replace(" ", r"\s+") + r"\s*:\s*", re.IGNORECASE)
    characters = label.sub("", text.strip(), count=1).removesuffix("==")
    bad = next((char for char in characters if not _ALPHABET.fullmatch(char)), None)
    if bad is not None:
        raise IdentifierError(f"{name}: {bad!r} is not a Base64 character")
    if len(characters) != length:
        shown = characters if len(characters) <= 40 else characters[:40] + "..."
        raise IdentifierError(f"{name}: {length} characters are needed, {shown!r} has {len(characters)}")
    return characters
