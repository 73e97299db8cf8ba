"""`gammonrules view`: a match as a page for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammonrules import records
from gammonrules.cli.common_options import error_option, output_option, player_option
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.engine_options import ENGINES_IN_WORDS, engine_option_of, level_option_of
from gammonrules.cli.json_files import read_viewed
from gammonrules.cli.option_conflicts import Command, InputPath
from gammonrules.cli.output import force_option, is_folder, output_file, say, say_cut, write_page
from gammonrules.cli.record_files import encoding_option, renamed
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing
from gammonrules.match import Player
from gammonrules.values import shown

if TYPE_CHECKING:
    from gammonrules.engine import ScoreMatrix
    from gammonrules.records import Match


_OUTPUT = "The page to write, or - for standard output; by default, RECORD's name with .html, in this folder."


@click.command(
    cls=Command,
    only_with={("--engine", "--level", "--error"): ("--matrix",)},
    never_with={("--force",): ("--output=-",)},
)
@click.argument("record", metavar="RECORD", type=InputPath())
@output_option(_OUTPUT)
@player_option("Who sits at the bottom, and whose mistakes are asked.")
@click.option("--matrix", is_flag=True, help="Ask an engine at all scores about each cube error.")
@engine_option_of(f"For --matrix: {ENGINES_IN_WORDS}; by default as for evaluate.")
@level_option_of("For --matrix: how deep it looks.")
@error_option("For --matrix: what an error costs at least.", 0.04)
@encoding_option
@force_option
def view(
    record: str,
    output: str | None,
    player: str | None,
    encoding: str | None,
    *,
    force: bool,
    **of_matrix: Any,
) -> None:
    """Write a match as a page to look through in a browser.

    RECORD is a record in any format that gammonrules reads, or a ZIP archive with one record in it. It may also be a
    file of JSON with a log of events, one on each line, or with the state of a match. The page is one file that needs
    no network: the board, the list of moves, what the referee found, and the analyses of the record.

    With --matrix, each decision to double, to take or to drop that cost 0.04 (--error) or more, by the analyses of the
    record, gets the verdict of an engine at all scores, which can be opened beside the board.

    The exit status is 0 if the page is written, whatever the referee found. It is 2 if the record cannot be read or the
    page cannot be written.
    """
    try:
        must_be_named(record, output)
        if output is None:
            path = Path(record).absolute()  # so that it has a name, also as "."
            output = renamed(path, ".html").name  # in the working directory
        with output_file(output, record, force=force):
            write_page(output, _page(record, player, encoding, **of_matrix))
    except Refused as why:
        say(record, why.message)
        click.get_current_context().exit(why.exit_code)


def _page(
    record: str,
    name: str | None,
    encoding: str | None,
    *,
    matrix: bool,
    engine: str | None,
    level: int | None,
    error: float,
) -> str:
    from gammonrules.records.archive import failed
    from gammonrules.records.transcript import cut_games

    if is_folder(record):
        raise Refused("a page shows one match: name a record, not a folder")
    match = read_viewed(record, encoding)
    say_cut([(record, words) for _, words in cut_games(match)])
    player = None if name is None else _seat_of(name, match)
    matrices = _matrices(match, engine, level, least=error) if matrix else {}
    try:
        bottom = player or Player.WHITE
        return records.to_html(match, bottom=bottom, matrices=matrices, player=player)
    except Exception as why:  # noqa: BLE001 - a traceback would say less, even about a bug of ours
        raise Refused(failed(why)) from None


def _seat_of(name: str, match: Match) -> Player:
    from gammonrules.records.transcript import seat_of_player

    seat = seat_of_player(match.players, name)
    if seat is not None:
        return seat
    names = " and ".join(shown(player_name, 60) for player_name in match.players)
    raise Refused(f"there is no player {shown(name, 60)} in this record, only {names}")


def _matrices(
    match: Match, engine: str | None, level: int | None, least: float
) -> dict[tuple[int, int], ScoreMatrix]:
    """The verdicts at all scores on cubes that cost at least so much, by the game and the index of the decision."""
    cubes = [decision for decision in match.decisions() if decision.cube_analysis]
    if not cubes:
        raise Refused(
            "--matrix is for cube errors, and no cube is analyzed: gammonrules analyze does it"
        )
    costly = [decision for decision in cubes if (decision.error or 0) >= least]
    with refusing():
        from gammonrules.engine import SimpleEngine, score_matrix

        with (
            SimpleEngine.open(engine, level) as evaluator,
            progress_bar(console_for_output(stderr=True)) as bar,
        ):
            return {
                (decision.game, decision.index): score_matrix(evaluator, decision.state)
                for decision in bar.track(costly, description="Asking at all scores")
            }
