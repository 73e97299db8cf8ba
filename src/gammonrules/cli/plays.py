"""`gammonrules plays`: the legal plays of a roll."""

from __future__ import annotations

import json

import click

from gammonrules.board import Position
from gammonrules.cli.common_options import json_option
from gammonrules.cli.identifier_argument import (
    IdentifierCommand,
    doubled_turn,
    position_of,
    read_identifier,
)
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.dice import Dice
from gammonrules.identifiers.internals import DoubledTurn


@click.command(cls=IdentifierCommand)
@click.argument("identifier", metavar="ID")
@click.argument("roll", required=False)
@doubled_turn
@json_option
def plays(identifier: str, roll: str | None, doubled_turn: DoubledTurn, *, as_json: bool) -> None:
    """List the legal plays of a roll in a position.

    ROLL, such as 31, may be left out if the identifier shows dice. Each play is followed by the Position ID of the
    position that it leads to, with the opponent on roll.
    """
    described = read_identifier(identifier, doubled_turn)
    position = position_of(described)
    dice = None if isinstance(described, Position) else described.dice
    if roll is not None:
        with refusing():
            dice = Dice.of(roll)
    if dice is None:
        raise Refused("the identifier shows no dice: add a roll such as 31")
    legal_plays = position.legal_plays(dice)
    if as_json:
        rows = [{"play": str(play), "id": play.position.id} for play in legal_plays]
        click.echo(json.dumps({"id": position.id, "roll": str(dice), "plays": rows}))
        return
    width = max((len(str(play)) for play in legal_plays), default=0)
    for play in legal_plays:
        click.echo(f"{play!s:<{width}}  {play.position.id}")
