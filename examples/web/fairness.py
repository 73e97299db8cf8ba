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

HASH = 64  # digits, more than any number has
NUMBER = "[0-9]{40,60}"  # so long that nobody finds it by its hash
BINDING = f"[0-9a-f]{{64}}|{NUMBER}"


def binding_of(side: str, number: str) -> str:
    """The hash of a number, which binds a side to it."""
    return hashlib.sha256(f"{side}:{number}".encode()).hexdigest()


class Throw:
    """The dice of one throw, as a `gammonrules.dice.RandomSource`: the bytes of as many HMACs as it needs."""

    def __init__(self, secret: bytes, text: str) -> None:
        blocks = (hmac.digest(secret, f"{text}:{block}".encode(), "sha256") for block in itertools.count())
        self.bytes: Iterator[int] = itertools.chain.from_iterable(blocks)

    def randrange(self, start: int, stop: int) -> int:
        """A number below `stop`. Bytes above the last multiple are skipped, since they would favor the low numbers."""
        fair = 256 - 256 % (stop - start)
        return start + next(byte for byte in self.bytes if byte < fair) % (stop - start)


@attrs.frozen
class Promise:
    """A secret of 32 bytes, whose hash is told first, and what binds White and Black: a hash, and then its number."""

    secret: bytes = attrs.field(repr=False, validator=instance_of(bytes))
    bindings: tuple[str | None, str | None] = attrs.field(
        default=(None, None), validator=deep_iterable(optional(matches_re(BINDING)))
    )

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def hashes(self) -> list[str | None]:
        """What binds each side; None where nothing does."""
        sides = zip(("white", "black"), self.bindings, strict=True)
        return [binding_of(side, binding) if binding and len(binding) < HASH else binding for side, binding in sides]

    @property
    def numbers(self) -> list[str | None]:
        """The numbers, none before both sides are bound."""
        shown = zip(self.bindings, self.hashes, strict=True)
        is_bound = None not in self.bindings
        return [binding if is_bound and binding != bound else None for binding, bound in shown]

    def throw(self, number: int) -> Throw:
        """The throw with this number; the first of a match is 0."""
        white, black = self.numbers
        return Throw(self.secret, f"{white}:{black}:{number}")
