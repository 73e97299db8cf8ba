"""The score and the cube of an identifier that does not state them: `--away 4-2 --crawford --cube 2`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import attrs
import click
from attrs import frozen

from gammonrules.board import Position
from gammonrules.cli.option_conflicts import WordChoice
from gammonrules.cli.usage_errors import Refused
from gammonrules.errors import GammonError
from gammonrules.match import Cube, Double, MatchState, Player
from gammonrules.match.internals import score_with_away

OF_A_SCORE: Final = {("--crawford",): ("--away",), ("--owner",): ("--cube",)}
"""Options that do nothing without another one."""
_AWAY: Final = re.compile(r"([1-9]\d?)-([1-9]\d?)")


_OPTIONS: Final = (
    click.option(
        "--owner",
        type=WordChoice(["player", "opponent"]),
        default="player",
        help="Who owns that cube: the player on roll, or the opponent.",
    ),
    click.option(
        "--cube", type=int, metavar="N", help="The value of a turned cube, where ID states none."
    ),
    click.option("--crawford", is_flag=True, help="It is the Crawford game."),
    click.option(
        "--away",
        metavar="MINE-THEIRS",
        help="What the player on roll and the opponent need, where ID states no score.",
    ),
)
"""As decorators, of which the last one is applied first."""


@frozen
class AskedScore:
    """A score and a cube that an identifier does not state."""

    away: str | None
    """What the player on roll and the opponent need, such as "4-2"."""
    crawford: bool
    cube: int | None
    owner: str

    def of(self, described: Position | MatchState) -> MatchState:
        """The state of an identifier with these. Raises Refused where it states the same.

        A position without more is one of money play, with the cube in the middle.
        """
        state = described
        if isinstance(state, Position):
            state = MatchState(state, Player.WHITE)
        player = state.on_roll
        if self.away is None and self.cube is None:
            return state
        if player is None:
            raise Refused("--away and --cube are for a position in which a player is on roll")
        if state.away is not None:
            stated = f"{state.away[player]}-{state.away[player.opponent]}"
            raise Refused(f"ID states a score, {stated}: leave out --away and --cube")
        if self.cube is not None and state.cube != Cube():
            raise Refused(f"ID states a cube at {state.cube.value}: leave out --cube")
        try:
            return attrs.evolve(state, **self._cube(state, player), **self._match(player))
        except GammonError as error:
            raise Refused(f"{self}: {error}") from None

    def _cube(self, state: MatchState, player: Player) -> dict[str, Any]:
        if self.cube is None:
            return {}
        cube = Cube(self.cube, player if self.owner == "player" else player.opponent)
        offer = state.offer
        if isinstance(offer, Double):
            offer = attrs.evolve(offer, value=offer.value * cube.value)
        return {"cube": cube, "offer": offer}

    def _match(self, player: Player) -> dict[str, Any]:
        if self.away is None:
            return {}
        matched = _AWAY.fullmatch(self.away)
        if matched is None:
            needed = "two numbers from 1 to 99, that of the player on roll first"
            raise Refused(f"--away must be {needed}, such as 4-2")
        mine, theirs = map(int, matched.groups())
        length = max(mine, theirs)
        score = score_with_away(player, mine, theirs, length)
        return {"length": length, "score": score, "crawford": self.crawford}

    def __str__(self) -> str:
        """As it is typed."""
        words: list[str] = []
        if self.away is not None:
            words.append(f"--away {self.away}")
        if self.crawford:
            words.append("--crawford")
        if self.cube is not None:
            words.append(f"--cube {self.cube} --owner {self.owner}")
        return " ".join(words)


def score_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a score and a cube, of which the command gets an `asked_score`."""

    @wraps(command)
    def with_score(**others: Any) -> None:
        asked = {name: others.pop(name) for name in ("away", "crawford", "cube", "owner")}
        command(asked_score=AskedScore(**asked), **others)

    for option in _OPTIONS:
        with_score = option(with_score)
    return with_score
