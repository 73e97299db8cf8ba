"""Dice that players can check: neither the server nor a player can choose them.

Each roll follows from a secret of the server and a number of each player. All three are fixed before anybody knows the
other two:

1. The server draws a secret of 32 bytes and shows its SHA-256 hash.
2. Each player draws a number of 40 digits and sends the SHA-256 hash of `white:NUMBER` or `black:NUMBER`.
3. Both players see both hashes. Then they show their numbers, and the match begins.
4. The rolls are counted from 0, opening rolls and ties too. Roll n is taken from the bytes of HMAC-SHA256 with the
   secret as key and the message `WHITE:BLACK:n:0`, where WHITE and BLACK are the numbers. Bytes from 252 on are
   skipped, because 252 is a multiple of 6. The first two other bytes, modulo 6, plus 1, are the dice. In an opening
   roll, White's die is the first.
   If the 32 bytes are not enough, those of `WHITE:BLACK:n:1` follow, and so on.
5. After the match the server shows the secret, and the page of each player checks all rolls by `provable_dice.mjs`.

`python examples/provable_dice.py` prints what a page has seen of 20 rolls, and the proof of the server, as JSON.
`node examples/provable_dice.mjs` reads that and checks it.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
import secrets

import attrs

from gammonrules import Player


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def hash_of_number(player: Player, number: str) -> str:
    """The player's name is in it, so that a player cannot send the hash of the other player."""
    return hash_of(f"{player}:{number}".encode())


def dice_of(secret: bytes, white: str, black: str, n: int) -> tuple[int, int]:
    """Roll n of a match with this secret and these numbers."""
    messages = (f"{white}:{black}:{n}:{block}".encode() for block in itertools.count())
    numbers = itertools.chain.from_iterable(hmac.digest(secret, message, "sha256") for message in messages)
    dice = (byte % 6 + 1 for byte in numbers if byte < 252)
    return next(dice), next(dice)


@attrs.define
class ProvableDice:
    """The dice of one match, as the server keeps them. Show nobody the secret before the match is over."""

    secret: bytes = attrs.field(factory=lambda: secrets.token_bytes(32), repr=False)
    hashes: dict[Player, str] = attrs.field(factory=dict)
    numbers: dict[Player, str] = attrs.field(factory=dict)
    rolls: list[tuple[int, int]] = attrs.field(factory=list)

    def bind(self, player: Player, number_hash: str) -> None:
        """Take the hash of a player's number. Raises ValueError for a second one."""
        if player in self.hashes:
            raise ValueError("the hash of your number is known already and cannot change")
        self.hashes[player] = number_hash

    def show(self, player: Player, number: str) -> None:
        """Take a player's number. Raises ValueError if a hash is missing, or if the number does not match its hash."""
        if len(self.hashes) < 2:
            raise ValueError("both players must send a hash before they show their numbers")
        if not re.fullmatch("[0-9]{40}", number) or hash_of_number(player, number) != self.hashes[player]:
            raise ValueError("the number must have 40 digits and match the hash that you sent")
        self.numbers[player] = number

    def roll(self) -> tuple[int, int]:
        """The next roll. Raises KeyError before both numbers are known."""
        white, black = (self.numbers[player] for player in Player)
        self.rolls.append(dice_of(self.secret, white, black, len(self.rolls)))
        return self.rolls[-1]


def main() -> None:
    dice = ProvableDice()
    numbers = {player: "".join(secrets.choice("0123456789") for _ in range(40)) for player in Player}
    for player, number in numbers.items():
        dice.bind(player, hash_of_number(player, number))
    for player, number in numbers.items():
        dice.show(player, number)
    for _ in range(20):
        dice.roll()
    seen = {"secretHash": hash_of(dice.secret), "hashes": dice.hashes, "rolls": dice.rolls}
    print(json.dumps({"seen": seen, "proof": {"secret": dice.secret.hex(), "numbers": dice.numbers}}))


if __name__ == "__main__":
    main()
