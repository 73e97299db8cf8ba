"""Coin games of BackgammonGalaxy: single games of money play with the Jacoby rule, written as matches to 16."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gammonrules.records.findings import Finding, FindingKind, Severity
from gammonrules.records.header_tags import Tags, is_from_galaxy

_LENGTH: Final = 16


def length_played(stated: int | None, scores: Iterable[tuple[int, int]], tags: Tags) -> int | None:
    """The length to which games are played that begin at these scores: the stated one, or None for a coin game."""
    return None if stated == _LENGTH and [*scores] == [(0, 0)] and is_from_galaxy(tags) else stated


def coin_game(words: str, line: int | None) -> Finding:
    """That this is not a match; see `Match.is_coin_game`."""
    note = "this is a coin game, one game of money play written as a match"
    return Finding(Severity.INFO, FindingKind.COIN_GAME, None, None, words, note, line)
