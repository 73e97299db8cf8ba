"""`gammonrules perft`: how many plays and positions there are at each depth."""

from __future__ import annotations

import json

import click

from gammonrules._shared.identifier_text import whole_field
from gammonrules.board import PerftCount
from gammonrules.board.internals import count_depths
from gammonrules.cli.common_options import json_option
from gammonrules.cli.console import console_for_output, progress_by_depth
from gammonrules.cli.identifier_argument import IdentifierCommand, position_of, read_identifier
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.limits import MAX_DEPTH

_ROW = "{:>5}  {:>20}  {:>14}"


class _WithNumber(IdentifierCommand):
    """A command that reads -1 as a number, which it can refuse, instead of an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        numbers = [text for text in args if text[:1] == "-" and text[1:2].isdigit()]
        if numbers and "--" not in args:
            others = [text for text in args if text not in numbers]
            args = [*others, "--", *numbers]  # what follows "--" is no option
        return super().parse_args(ctx, args)


@click.command(cls=_WithNumber)
@click.argument("identifier", metavar="ID")
@click.argument("depth", metavar="DEPTH")
@json_option
def perft(identifier: str, depth: str, *, as_json: bool) -> None:
    """Count plays and positions at each depth from 1 to DEPTH.

    All rolls are played.

    The numbers test move generators. Deep levels take much time and memory: about 110 bytes for each position of the
    last level.
    """
    position = position_of(read_identifier(identifier))
    with refusing():
        digits = depth.lstrip("0") or depth  # 007 is 7, and 0 stays, to be refused
        last = whole_field("DEPTH", digits, range(1, MAX_DEPTH + 1))
    console = console_for_output(stderr=as_json)
    counts: list[PerftCount] = []
    if not as_json:
        console.print(_ROW.format("depth", "plays", "positions"), soft_wrap=True)
    out_of_memory = False
    try:
        with progress_by_depth(console) as track:
            for count in count_depths(position, last, track):
                counts.append(count)
                if not as_json:
                    row = _ROW.format(count.depth, count.plays, count.positions)
                    console.print(row, soft_wrap=True)
    except MemoryError:
        out_of_memory = True
    # not raised above: there the MemoryError still keeps all positions alive, and no memory is left
    if out_of_memory:
        raise Refused(f"the positions of depth {len(counts) + 1} do not fit into memory")
    if as_json:
        numbers = {
            "id": position.id,
            "checkers": position.checkers,
            "plays": [count.plays for count in counts],
            "positions": [count.positions for count in counts],
        }
        click.echo(json.dumps(numbers))
