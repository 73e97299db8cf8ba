"""`gammonrules bearoff`: bear-off tables made and verified, and what they say about a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb, isnan
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from gammonrules._shared.disk_files import new_file
from gammonrules.board import Play, Position
from gammonrules.cli.identifier_argument import IdentifierCommand, position_of, read_identifier
from gammonrules.cli.option_conflicts import AnyPath, WordChoice
from gammonrules.cli.output import computing, force_option, say
from gammonrules.cli.usage_errors import Refused, refusing, safe
from gammonrules.errors import ParseError
from gammonrules.limits import MAX_BEAROFF_POINTS
from gammonrules.match import MatchState
from gammonrules.match.internals import place_for
from gammonrules.values import counted

if TYPE_CHECKING:  # NumPy is an extra, and takes time to load
    from gammonrules.bearoff import Equities, OneSided, TwoSided

Cube: TypeAlias = Literal["none", "owned", "centered", "opponent_owns"]
_CUBES: dict[Cube, str] = {
    "none": "without a cube",
    "owned": "owning the cube",
    "centered": "cube centered",
    "opponent_owns": "opponent owns the cube",
}
_MAX_LAYOUTS_ONE_SIDED = comb(6 + 15, 6)
"""Of 15 checkers on 6 points or borne off: a table that takes a second, and so is computed when it is needed."""
_MAX_LAYOUTS_TWO_SIDED = comb(6 + 6, 6)
"""Of 6 checkers on 6 points."""


@click.group("bearoff")
def bearoff_tables() -> None:
    """Make bear-off tables, and look positions up in them."""


@bearoff_tables.command("make")
@click.argument("kind", type=WordChoice(["one-sided", "two-sided"]))
@click.argument("file", metavar="FILE", type=AnyPath())
@click.option("--points", type=int, default=6, help="Points, from the ace point: 1 to 10.")
@click.option(
    "--checkers",
    type=int,
    help="The most checkers of a side; by default 15 one-sided, 6 two-sided.",
)
@click.option("--gnubg", is_flag=True, help="The numbers and the format of GNU Backgammon.")
@force_option
def make_bearoff(
    kind: str, file: str, points: int, checkers: int | None, *, gnubg: bool, force: bool
) -> None:
    """Compute a bear-off table and write it to FILE.

    A one-sided table has the chances of bearing off in each number of rolls, a two-sided one the equities of both
    sides' bear-offs, with and without a cube.
    """
    with refusing():
        from gammonrules import bearoff

        compute: Callable[..., OneSided | TwoSided]
        compute = bearoff.one_sided if kind == "one-sided" else bearoff.two_sided
        if checkers is not None:
            compute = partial(compute, checkers=checkers)
        with computing(file, force=force) as progress:
            with new_file(file):  # raises OSError, before the long work, if it cannot be written
                pass
            table = compute(points, gnubg=gnubg, progress=progress)
            table.save(file)
        click.echo(f"{safe(file)} is written: {_table_words(table)}")


@bearoff_tables.command()
@click.argument("file", metavar="FILE", type=AnyPath())
def verify(file: str) -> None:
    """Say what a bear-off table is, and whether it is right.

    Its checksum is compared if it has one, and thousands of its numbers are computed anew from the others.

    The exit status is 0 if the table is right, 1 if it is wrong, and 2 if it is no table or cannot be read.
    """
    with refusing():
        from gammonrules import bearoff

        # unchecked, so that what is no table is refused here, and a table that is wrong below
        table = bearoff.open(file, check=False)
        try:
            bearoff.open(file).verify()
        except ParseError as error:
            say(file, str(error).removeprefix(f"{file}: "))
            click.get_current_context().exit(1)
        # GNU Backgammon's format has no checksum
        how = "right in a sample" if table.gnubg else "right"
        click.echo(f"{safe(file)} is {how}: {_table_words(table)}")


@bearoff_tables.command("show", cls=IdentifierCommand)
@click.argument("identifier", metavar="ID")
@click.option(
    "--table", "file", metavar="FILE", type=AnyPath(), help="The table to look the position up in."
)
def show_bearoff(identifier: str, file: str | None) -> None:
    """Show what the bear-off of an identifier is worth.

    ID is a {forms}. A one-sided table says how many rolls both sides need,
    and who wins if they play for the fewest; a two-sided one says the equities in money play, and whether to double. If
    ID has dice, the plays follow, the best first.

    Without --table, small tables are computed: a one-sided one, and a two-sided one if both sides have at most about
    six checkers.
    """
    described = read_identifier(identifier)
    position = position_of(described)
    state = None if isinstance(described, Position) else described
    dice = state.dice if state else None
    with refusing():
        from gammonrules import bearoff

        tables = _computed(position) if file is None else [bearoff.open(file)]
        sections: list[str] = []
        plays = ""  # by the last table, which is two-sided if there is one
        for table in tables:
            if isinstance(table, bearoff.OneSided):
                sections.append("\n".join(_race_lines(table, position)))
                if dice:
                    chances = table.plays(position, dice)
                    plays = _play_lines(f"winning chance after {dice}", chances, form="{:.2%}")
            else:
                equities = table[position]
                has_cube = not isnan(equities.centered)
                cube = _cube_place(state) if has_cube else "none"
                sections.append("\n".join(_money_lines(equities, cube, state)))
                if dice:
                    values = table.plays(position, dice, cube)
                    plays = _play_lines(f"equity after {dice}", values, form="{:+.4f}")
        if plays:
            sections.append(plays)
        click.echo("\n\n".join(sections))


def _race_lines(table: OneSided, position: Position) -> Iterator[str]:
    """What a one-sided table says of both sides."""
    side = table[position]
    opponent = table[position.flip()]
    win = table.win(position)
    yield f"{'':<16}{'on roll':>9}{'opponent':>10}"
    yield f"{'pips':<16}{side.pips:>9.0f}{opponent.pips:>10.0f}"
    yield f"{'EPC':<16}{side.epc:>9.3f}{opponent.epc:>10.3f}"
    yield f"{'wastage':<16}{side.wastage:>9.3f}{opponent.wastage:>10.3f}"
    yield f"{'rolls, mean':<16}{side.mean:>9.3f}{opponent.mean:>10.3f}"
    yield f"{'rolls, sd':<16}{side.sd:>9.3f}{opponent.sd:>10.3f}"
    yield f"{'winning chance':<16}{win:>9.2%}{1 - win:>10.2%}"


def _money_lines(equities: Equities, cube: Cube, state: MatchState | None) -> Iterator[str]:
    """What a two-sided table says, with the verdict on a double where the player on roll may double."""
    match = f", not for this match to {state.length}" if state and state.length else ""
    yield f"equities of rolling now, for money play{match}"
    equities_by_place: dict[Cube, float] = {
        "none": equities.cubeless,
        "owned": equities.owned,
        "centered": equities.centered,
        "opponent_owns": equities.opponent_owns,
    }
    for place, equity in equities_by_place.items():
        if not isnan(equity):  # a table without a cube has the first one alone
            yield f"{_CUBES[place]:<24}{equity:+.4f}"
    if cube in {"owned", "centered"}:
        yield f"{_CUBES[cube] + ':':<24}{equities.verdict(cube)}"


def _play_lines(heading: str, plays: Sequence[tuple[Play, float]], form: str) -> str:
    """The plays of a roll with what a table says of them."""
    lines = [heading]
    width = max((len(str(play)) for play, _ in plays), default=0)
    for play, value in plays:
        lines.append(f"{play!s:<{width}}  {form.format(value)}")
    return "\n".join(lines)


def _cube_place(state: MatchState | None) -> Cube:
    """Where the cube is for the player on roll; without a state, in the middle."""
    if state is None:
        return "centered"
    if state.crawford or not state.rules.cube:
        return "none"
    return place_for(state.cube, state.on_roll)


def _computed(position: Position) -> Iterator[OneSided | TwoSided]:
    """The tables that answer for a position, as small as can be.

    Raises Refused if they are large, or the error of a look-up in a table if none answers.
    """
    from gammonrules import bearoff

    points = max(_last_point(position), _last_point(position.flip()), 1)
    if position.outcome is not None or points > MAX_BEAROFF_POINTS:
        # no table answers: the smallest one with all points raises the error that says why
        smallest = bearoff.one_sided(MAX_BEAROFF_POINTS, 1)
        _ = smallest[position]
        return
    fewest_off = min(position.off, position.opponent_off)
    most_on_board = position.checkers - fewest_off
    layouts = comb(points + most_on_board, points)  # of so many checkers on these points or off
    if layouts > _MAX_LAYOUTS_ONE_SIDED:
        how = (
            f"gammonrules bearoff make one-sided --points {points} --checkers {most_on_board} FILE"
        )
        raise Refused(
            f"this takes a table of {points} points, which is made once: {how}; then add --table FILE"
        )
    yield bearoff.one_sided(points, most_on_board)
    # a two-sided table knows no gammons, so both must have borne off a checker
    is_without_gammons = position.off > 0 and position.opponent_off > 0
    if layouts <= _MAX_LAYOUTS_TWO_SIDED and is_without_gammons:
        yield bearoff.two_sided(points, most_on_board)


def _last_point(position: Position) -> int:
    """The highest point on which the player on roll has a checker; 0 if there is none."""
    return max((point for point, count in enumerate(position.points) if count > 0), default=0)


def _table_words(table: OneSided | TwoSided) -> str:
    size = f"{counted(table.points, 'point')} and {counted(table.checkers, 'checker')}"
    kind = "one-sided" if hasattr(table, "rolls") else "two-sided"
    numbers = " with the numbers of GNU Backgammon" if table.gnubg else ""
    return f"a {kind} table of {size}{numbers}"
