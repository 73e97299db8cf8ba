"""`gammonrules show`: what an identifier describes, drawn as text."""

from __future__ import annotations

import click

from gammonrules.cli.identifier_argument import doubled_turn, read_identifier
from gammonrules.identifiers.internals import DoubledTurn


@click.command()
@click.argument("identifier", metavar="ID")
@doubled_turn
def show(identifier: str, doubled_turn: DoubledTurn) -> None:
    """Draw what an identifier describes.

    ID is a Position ID, which is drawn as a board, or a GNU Backgammon ID, XGID, OGID or FIBS board line, which is
    drawn with players, cube and score.
    """
    click.echo(str(read_identifier(identifier, doubled_turn)))
