"""The argument ID of commands: an identifier of a position or a state."""

from __future__ import annotations

import re
import warnings
from typing import get_args

import click

from gammonrules import identifiers
from gammonrules.board import Position
from gammonrules.cli.options import Command
from gammonrules.cli.refusals import refusing
from gammonrules.errors import IdentifierWarning
from gammonrules.identifiers.internals import DoubledTurn
from gammonrules.match import MatchState

_TURNS = click.Choice(get_args(DoubledTurn))
_WHOSE_TURN = "Whose turn an XGID shows while a double is pending."
doubled_turn = click.option("--doubled-turn", type=_TURNS, default="doubler", help=_WHOSE_TURN)

_BARE_XGID = re.compile("-[^ :=]{15,} ?:")
"""The beginning of an XGID without its label. No option has a colon, but in a value after =."""


class IdentifierCommand(Command):
    """A command that takes identifiers, also those that begin like an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        labeled = [f"XGID={text}" if _BARE_XGID.match(text) else text for text in args]
        return super().parse_args(ctx, labeled)


def read_identifier(
    identifier: str, doubled_turn: DoubledTurn = "doubler", checkers: int | None = None
) -> Position | MatchState:
    """What an identifier describes; doubts go to standard error. Raises Refused."""
    with (
        warnings.catch_warnings(record=True, category=IdentifierWarning, action="always") as doubts,
        refusing(),
    ):
        described = identifiers.read(identifier, checkers=checkers, doubled_turn=doubled_turn)
    for doubt in doubts:
        click.echo(f"Warning: {doubt.message}", err=True)
    return described


def position_of(described: Position | MatchState) -> Position:
    """The position that was described, with or without a match."""
    return described if isinstance(described, Position) else described.position
