"""The argument ID of commands: an identifier of a position or a state."""

from __future__ import annotations

import warnings
from typing import get_args

import click

from gammonrules import identifiers
from gammonrules.board import Position
from gammonrules.cli.refusals import refusing
from gammonrules.errors import IdentifierWarning
from gammonrules.identifiers.internals import DoubledTurn
from gammonrules.match import MatchState

_TURNS = click.Choice(get_args(DoubledTurn))
_WHOSE_TURN = "Whose turn an XGID shows while a double is pending."
doubled_turn = click.option("--doubled-turn", type=_TURNS, default="doubler", help=_WHOSE_TURN)


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
