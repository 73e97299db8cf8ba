"""`gammonrules evaluate`: what an engine says about a position."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs
import click

from gammonrules import records
from gammonrules.board import Position
from gammonrules.cli.common_options import json_option
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.engine_options import (
    OF_A_ROLLOUT,
    engine_option,
    level_option,
    rollout_of,
    rollout_options,
)
from gammonrules.cli.identifier_argument import IdentifierCommand, doubled_turn, read_identifier
from gammonrules.cli.image_files import NO_FILE, OF_A_PICTURE, Picture, picture_options
from gammonrules.cli.score_options import OF_A_SCORE, AskedScore, score_options
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.identifiers.internals import DoubledTurn
from gammonrules.match import MatchState

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import StateAnalysis


@click.command(
    cls=IdentifierCommand,
    only_with=OF_A_ROLLOUT | OF_A_SCORE | OF_A_PICTURE | {("--scores",): ("--matrix",)},
    never_with=NO_FILE
    | {
        ("--json",): ("--output",),
        ("--look",): ("--matrix",),
        ("--matrix",): ("--cubes", "--plays", "--limit"),
        ("--cubes",): ("--plays", "--limit"),
        ("--plays",): ("--limit",),
    },
)
@click.argument("identifier", metavar="ID")
@click.argument("roll", required=False)
@doubled_turn
@engine_option
@level_option
@rollout_options
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="How many plays to list.")
@click.option(
    "--plays", metavar="PLAYS", help='Compare these plays alone, such as "13/8 6/5; 24/20".'
)
@click.option(
    "--cubes",
    is_flag=True,
    help="Put the cube in the middle, with the player on roll, with the opponent.",
)
@click.option(
    "--matrix", is_flag=True, help="Ask at all scores: the cube action, or the best play."
)
@click.option(
    "--scores", type=int, default=9, metavar="N", help="How far away the scores of a matrix go."
)
@score_options
@picture_options
@json_option
def evaluate(  # noqa: PLR0913 - an argument for each option
    identifier: str,
    roll: str | None,
    doubled_turn: DoubledTurn,
    engine: str | None,
    level: int | None,
    limit: int,
    plays: str | None,
    scores: int,
    asked_score: AskedScore,
    picture: Picture | None,
    *,
    cubes: bool,
    matrix: bool,
    as_json: bool,
    **of_rollout: Any,
) -> None:
    """Ask an engine about a position.

    With dice it lists the best plays; before a roll, what a double is worth if it is allowed, else why not, and what
    the position is worth; while a double or a resignation is pending, it answers.

    ID is a {forms}. A Position ID is taken for money play with the cube in the middle. ROLL, such as 31, takes the
    place of its dice.

    --matrix asks for the cube action, or the best play, at all scores; --cubes, with the cube in its three places;
    --plays, for these plays, and what each loses against the best one.

    --away 4-2, perhaps with --crawford, asks at a score, that of the player on roll first, where ID states none; --cube
    2, with a cube that the player on roll owns, where ID is a Position ID.

    With --rollout it plays that many games for each of the plays that seem best, and for a cube. Each equity is then
    followed by ± half of its 95% interval, and the level names the rollout.
    """
    if plays is not None and plays.strip().isdecimal():
        raise Refused(
            f'--plays names plays, such as "13/8 6/5; 24/20": --limit {plays.strip()} lists so many'
        )

    def answer() -> Any:
        with refusing():
            from gammonrules.engine import (
                SimpleEngine,
                compare_cube_positions,
                compare_plays,
                score_matrix,
            )

            rollout = rollout_of(**of_rollout)
            with (
                SimpleEngine.open(engine, level, rollout=rollout) as evaluator,
                _questions_bar() as progress,
            ):
                described = read_identifier(identifier, doubled_turn, evaluator.checkers)
                state = asked_score.of(described)
                if roll is not None:
                    state_before_roll = attrs.evolve(state, dice=None)
                    state = state_before_roll.roll(roll)
                if matrix:
                    return score_matrix(evaluator, state, away=scores, progress=progress)
                if cubes:
                    return compare_cube_positions(evaluator, state, progress=progress)
                if plays is not None:
                    return compare_plays(evaluator, state, plays)
                return evaluator.hint(state, limit)

    if picture is not None:
        with picture.writing() as write:
            told = answer()
            write(told.to_svg)
        if picture.output != "-":
            click.echo(str(told))
    elif as_json:
        data = attrs.asdict(answer(), filter=_is_known, value_serializer=_plain_value)
        click.echo(json.dumps(data))
    else:
        click.echo(str(answer()))


@contextmanager
def _questions_bar() -> Generator[Callable[[int, int], object]]:
    """What shows how many questions were answered."""
    with progress_bar(console_for_output(stderr=True)) as bar:
        task = bar.add_task("Asking", visible=False)
        yield lambda done, of: bar.update(task, completed=done, total=of, visible=True)


def _is_known(_field: object, value: object) -> bool:
    """Whether a value stands in JSON."""
    return value not in (None, (), "")


def _plain_value(_owner: object, field: attrs.Attribute[Any] | None, value: Any) -> object:
    """A value for JSON: states and positions are identifiers, and levels are their words."""
    if field is not None and field.name == "analyses":
        return [_plain_analysis(analysis) for analysis in value]
    if isinstance(value, MatchState):
        return value.xgid
    if isinstance(value, Position):
        return value.id
    if isinstance(value, records.Level):
        return value.label
    return value


def _plain_analysis(analysis: StateAnalysis) -> dict[str, Any]:
    away = None
    is_crawford = False
    if analysis.score:  # of a match: what each player needs, and whether it is the Crawford game
        mine, theirs, is_crawford = analysis.score
        away = (mine, theirs)
    return {
        "away": away,
        "crawford": is_crawford,
        "verdict": analysis.verdict,
        "margin": analysis.margin,
        "state": analysis.state.xgid,
        "analysis": analysis.analysis,
    }
