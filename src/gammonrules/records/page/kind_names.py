"""The kinds of positions in the words of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gammonrules.board import PositionKind

DOUBLING: Final = "doubling"
"""What cube decisions are called where kinds of positions have names."""
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    PositionKind.BEAR_OFF: ("bear-offs", "All checkers are home, and none can be hit any more"),
    PositionKind.BEAR_IN: (
        "bear-ins",
        "One side, ahead, comes home or off past checkers that can still hit",
    ),
    PositionKind.RACE: ("races", "The sides have passed each other"),
    PositionKind.BACK_GAME: ("back games", "One side trails and holds two anchors"),
    PositionKind.PRIME_AGAINST_PRIME: (
        "priming battles",
        "Each side blocks the other by four points in a row",
    ),
    PositionKind.BLITZ: ("blitzes", "One side attacks checkers that have no anchor"),
    PositionKind.CONTAINMENT: (
        "containment games",
        "One side tries to hold back the other's last checkers",
    ),
    PositionKind.HOLDING_GAME: (
        "holding games",
        "One side waits on an anchor while the other comes home",
    ),
    PositionKind.OPENING: ("openings", "Most checkers are where they started"),
    DOUBLING: ("doubling", "Whether to double, and how to answer"),
}
"""The kinds that can be practiced, in the plural, and what is going on in them."""
SIDES: Final[Mapping[str, tuple[str, str]]] = {
    PositionKind.BEAR_IN: ("bear-ins against contact", "waiting for shots in bear-ins"),
    PositionKind.BACK_GAME: ("playing back games", "playing against back games"),
    PositionKind.BLITZ: ("attacking in blitzes", "defending in blitzes"),
    PositionKind.CONTAINMENT: ("bringing the last checkers home", "containing the last checkers"),
    PositionKind.HOLDING_GAME: ("holding an anchor", "coming home past an anchor"),
}
"""What each side does in them, first the one that a kind is named after."""


def plural(kind: str) -> str:
    if kind not in KINDS:
        return f"{kind} positions"
    words, _ = KINDS[kind]
    return words
