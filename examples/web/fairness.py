"""Dice that players can check: each throw follows from a secret of the server and a number of each player.

docs/how-to/web-game.md states the rule, and page/dice.js checks it.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections.abc import Iterator

import attrs
from attrs.validators import deep_iterable, instance_of, matches_re, optional

NUMBER = "[0-9]{1,20}"


class Throw:
    """The dice of one throw, as a `gammonrules.dice.Generator`: the bytes of as many HMACs as it needs."""

    def __init__(self, secret: bytes, text: str) -> None:
        blocks = (hmac.digest(secret, f"{text}:{block}".encode(), "sha256") for block in itertools.count())
        self.bytes: Iterator[int] = itertools.chain.from_iterable(blocks)

    def randrange(self, start: int, stop: int) -> int:
        """A number below `stop`. Bytes above the last multiple are skipped, since they would favor the low numbers."""
        fair = 256 - 256 % (stop - start)
        return start + next(byte for byte in self.bytes if byte < fair) % (stop - start)


@attrs.frozen
class Promise:
    """A secret of 32 bytes, whose hash is told before the first throw, and the numbers of White and Black."""

    secret: bytes = attrs.field(repr=False, validator=instance_of(bytes))
    numbers: tuple[str | None, str | None] = attrs.field(
        default=(None, None), validator=deep_iterable(optional(matches_re(NUMBER)))
    )

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def throw(self, number: int) -> Throw:
        """The throw with this number; the first of a match is 0."""
        white, black = self.numbers
        return Throw(self.secret, f"{white}:{black}:{number}")
