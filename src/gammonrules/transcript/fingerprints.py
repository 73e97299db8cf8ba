"""The fingerprint of a match or a game: the same in another file, another format, or with seats exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gammonrules.board.internals import board_of, flip
from gammonrules.match import Action, Event

if TYPE_CHECKING:
    from gammonrules.transcript.matches import Game, Match

_BYTES: Final = 16


def fingerprint_of_game(game: Game) -> str | None:
    """See `Game.fingerprint`."""
    return _of_game(game, b"".join(_played(game)))


def fingerprints_of(match: Match) -> tuple[str | None, tuple[str | None, ...]]:
    """The fingerprint of a match, and those of its games."""
    games = [b"".join(_played(game)) for game in match.games]
    whole = _digest(b"%d:" % (match.length or 0), b"".join(games))
    return whole, tuple(map(_of_game, match.games, games))


def _of_game(game: Game, played: bytes) -> str | None:
    """Of what was played in a game, at the score as the player sees it who begins."""
    starter = next((state.on_roll for state in game.states() if state.dice is not None), None)
    return None if starter is None else _digest(b"%d-%d:" % (game.score[starter], game.score[starter.opponent]), played)


def _digest(kind: bytes, played: bytes) -> str | None:
    return blake2b(kind + played, digest_size=_BYTES).hexdigest() if played else None


def _played(game: Game) -> Iterator[bytes]:
    """The dice and the board after each play that moves a checker; players do not matter, as boards have no colors."""
    for event, (before, after) in zip(game.events, pairwise(game.states()), strict=False):
        if isinstance(event, Event) and event.action is Action.PLAY and before.dice is not None:
            board = board_of(after.position.points)
            if flip(board) != board_of(before.position.points):
                yield bytes(before.dice) + board
