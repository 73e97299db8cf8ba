"""`gammonrules show`: what an identifier describes, drawn as text or as a picture."""

from __future__ import annotations

from functools import partial

import click

from gammonrules.board import Position
from gammonrules.cli.identifier_argument import IdentifierCommand, doubled_turn
from gammonrules.cli.image_files import NO_FILE, OF_A_PICTURE, Picture, picture_options
from gammonrules.cli.json_files import read_shown
from gammonrules.identifiers.internals import DoubledTurn


@click.command(
    cls=IdentifierCommand,
    only_with=OF_A_PICTURE | {("--play", "--best"): ("--output",)},
    never_with=NO_FILE,
)
@click.argument("identifier", metavar="ID")
@doubled_turn
@click.option("--play", metavar="PLAY", help="A play with arrows; dashed, if --best is another.")
@click.option("--best", metavar="PLAY", help="The best play, with arrows.")
@picture_options
def show(
    identifier: str,
    doubled_turn: DoubledTurn,
    play: str | None,
    best: str | None,
    picture: Picture | None,
) -> None:
    """Draw what an identifier describes.

    ID is a {forms}. A Position ID is drawn as a board, the others with players, cube and score. ID may also be a file
    of JSON with a state, a position or a log of events, of which the state after the last event is drawn. A text that
    is an identifier is never read as the name of a file.

    With -o it is a picture for a page, a forum or a chat, as .svg or, with the extra png, as .png.
    """
    described = read_shown(identifier, doubled_turn)
    if picture is None:
        click.echo(str(described))
        return
    from gammonrules.draw import svg

    arrows, made = (play, None) if best is None else (best, play)
    with picture.writing(identifier) as write:
        if isinstance(described, Position):
            write(partial(svg.position, described, arrows=arrows, made=made))
        else:
            write(partial(svg.match_state, described, arrows=arrows, made=made))
