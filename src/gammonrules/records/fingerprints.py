"""The fingerprint of a match: the same for the same match in another file, another format, or with seats exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gammonrules.board.encoding import board_of, flip
from gammonrules.match import Action, Event

if TYPE_CHECKING:
    from gammonrules.records.model import Game, Match

_BYTES: Final = 16


def fingerprint_of(match: Match) -> str | None:
    """See `Match.fingerprint`."""
    played = b"".join(part for game in match.games for part in _played(game))
    if not played:
        return None
    return blake2b(b"%d:" % (match.length or 0) + played, digest_size=_BYTES).hexdigest()


def _played(game: Game) -> Iterator[bytes]:
    """The dice and the board after each play that moves a checker; players do not matter, as boards have no colors."""
    for event, (before, after) in zip(game.events, pairwise(game.states()), strict=False):
        if isinstance(event, Event) and event.action is Action.PLAY and before.dice is not None:
            board = board_of(after.position.points)
            if flip(board) != board_of(before.position.points):
                yield bytes(before.dice) + board
