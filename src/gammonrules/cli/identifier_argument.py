"""The argument ID of commands: an identifier of a position or a state."""

from __future__ import annotations

import re
import warnings
from itertools import pairwise
from typing import Any, get_args

import click

from gammonrules import identifiers
from gammonrules.board import Position
from gammonrules.cli.option_conflicts import Command, WordChoice
from gammonrules.cli.usage_errors import refusing
from gammonrules.errors import IdentifierWarning
from gammonrules.identifiers.internals import SHOWN_FORMS, DoubledTurn
from gammonrules.match import MatchState

_TURNS = WordChoice(get_args(DoubledTurn))
_WHOSE_TURN = "Whose turn an XGID shows while a double is pending."
doubled_turn = click.option("--doubled-turn", type=_TURNS, default="doubler", help=_WHOSE_TURN)

_BARE_XGID = re.compile("(?!--[a-z-]+ ?:)-[-A-Pa-p]{19,31} ?: ?-?[0-9]+ ?:")
"""The beginning of an XGID without its label, even with a few places too many or too few.

An option has small letters only, and a value that stands at its option has no such numbers.
"""


class IdentifierCommand(Command):
    """A command that takes identifiers, also those that begin like an option.

    Its help names their forms where it has `{forms}`.
    """

    def __init__(self, name: str | None, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.help = (self.help or "").replace("{forms}", SHOWN_FORMS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with_value: set[str] = set()
        for parameter in self.params:
            if isinstance(parameter, click.Option) and not parameter.is_flag:
                with_value.update(parameter.opts)
        labeled: list[str] = []
        for before, text in pairwise(["", *args]):
            is_identifier = before not in with_value and _BARE_XGID.match(text)
            labeled.append(f"XGID={text}" if is_identifier else text)
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
