"""Rollouts on the command line: their options, and `analyze --rollout`, which goes on decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
import click
from attrs import frozen

from gammonrules import records
from gammonrules._shared.levels import USUAL_LEVEL
from gammonrules.cli.options import until_of
from gammonrules.cli.output import write_file
from gammonrules.cli.record_files import read_match
from gammonrules.cli.refusals import Refused, refusing
from gammonrules.engine import ENGINES
from gammonrules.errors import GammonError
from gammonrules.records import DecisionKind, Match, Scanned
from gammonrules.records.internals import Start, analyzed_by, for_each_file

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import Rollout, SimpleEngine, Tiers

_Command = TypeVar("_Command", bound=Callable[..., object])


def _all_options(*options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    def with_options(command: _Command) -> _Command:
        for option in reversed(options):  # as decorators, of which the last one is applied first
            command = option(command)
        return command

    return with_options


OF_A_ROLLOUT: Final = {("--truncate", "--until", "--seed"): ("--rollout",)}
EQUITY: Final = click.FloatRange(0, 10)
ENGINES_IN_WORDS: Final = " or ".join(ENGINES)

engine_option: Final = click.option(
    "--engine",
    metavar="NAME",
    help=f"{ENGINES_IN_WORDS}, which gives its own numbers. By default what is known exactly, and else bgsage.",
)
level_option: Final = click.option(
    "--level",
    type=int,
    help=f"How deep it looks: {USUAL_LEVEL}, or 1 in a rollout; gnubg's N-ply is level N+1.",
)
rollout_options: Final = _all_options(
    click.option(
        "--rollout", "trials", type=int, metavar="TRIALS", help="Roll out: play so many games."
    ),
    click.option(
        "--truncate", type=int, metavar="TURNS", help="Evaluate those games after so many turns."
    ),
    click.option(
        "--until",
        metavar="EQUITY",
        help='End a rollout at this error of differences, or when "decided".',
    ),
    click.option(
        "--seed", type=int, help="What the dice of these games are made from; by default 1."
    ),
)
doubts_options: Final = _all_options(
    click.option("--close", type=EQUITY, default=0.02, help="Roll out what is this close."),
    click.option("--error", type=EQUITY, default=0.04, help="Roll out what seems to cost more."),
)


def rollout_of(
    trials: int | None, truncate: int | None, until: str | None, seed: int | None
) -> Rollout | None:
    """The rollout of the options; None if there is none. Raises Refused."""
    if trials is None:
        return None
    with refusing():
        from gammonrules.engine import Rollout  # noqa: PLC0415 - it takes time to load

        return Rollout(
            trials,
            truncate=0 if truncate is None else truncate,
            seed=1 if seed is None else seed,
            until=until_of(until),
        )


def engine_maker(
    name: str | None, level: int | Tiers | None, rollout: Rollout | None = None
) -> Callable[[], SimpleEngine]:
    """What starts an engine, here or in another process. Raises ImportError."""
    from gammonrules.engine import SimpleEngine  # noqa: PLC0415 - it takes time to load

    return partial(SimpleEngine.open, name, level, rollout)


@frozen
class Doubt:
    """A decision to be rolled out."""

    game: int
    """The index of its game."""
    event: int
    """The index of its event."""


def doubts_in(match: Match, limits: Mapping[str, float]) -> list[Doubt]:
    """What needs a rollout by these limits of `needs_rollout`; an answer goes with its double."""
    doubts: list[Doubt] = []
    for game_index, game in enumerate(match.games):
        for decision in game.decisions():
            if decision.kind is DecisionKind.ANSWER:
                double = Doubt(game_index, decision.index - 1)
                is_double_in_doubt = bool(doubts) and doubts[-1] == double
                if is_double_in_doubt:  # they share one analysis
                    continue
            if records.needs_rollout(decision, **limits):
                doubts.append(Doubt(game_index, decision.index))
    return doubts


@frozen
class RolledOut:
    """A match after its rollouts, if it is still there, and what went wrong."""

    match: Match | None
    error: str | None


def rolled_out(
    start: Start,
    doubts: Mapping[Path, Sequence[Doubt]],
    jobs: int | None,
    advance: Callable[[], object],
) -> Generator[RolledOut]:
    """Roll out decisions in these files.

    A file is written again with every answer. So what is in it is not asked again, wherever this is stopped.
    """
    # each task is read twice: by the process that answers it, and here, beside its answer
    tasks, tasks_to_answer = tee(_tasks(doubts))
    answers = for_each_file(tasks_to_answer, partial(_answered, start), jobs)
    with closing(answers):
        answered_tasks = zip(tasks, answers, strict=True)
        for path, tasks_of_file in groupby(answered_tasks, key=lambda pair: pair[0].path):
            yield _written_with_answers(Path(path), tasks_of_file, advance)


def _written_with_answers(
    target: Path, answered_tasks: Iterable[tuple[_InDoubt, _Answer]], advance: Callable[[], object]
) -> RolledOut:
    """Write a match with each answer as it comes."""
    match: Match | None = None
    error: str | None = None  # the first one
    for task, answer in answered_tasks:
        # at the first task: all of them have the match as it was before the rollouts
        if match is None:
            match = task.match
        if error is None:
            error = answer.error
        if match is not None and answer.analyses:
            match = _with_changed(match, task.game, answer.analyses)
            write_file(target, records.dumps(match, "json"))
        advance()
    return RolledOut(match, error)


@frozen
class _InDoubt(Scanned):
    """A file with its match, or why it cannot be gone on with, and the indices of a game and an event."""

    game: int = 0
    event: int = 0


def _tasks(doubts: Mapping[Path, Sequence[Doubt]]) -> Iterator[_InDoubt]:
    for target, doubts_of_match in doubts.items():
        match: Match | None = None
        error: str | None = None
        try:
            match = read_match(str(target))
        except Refused as why:
            error = f"{target}: {why.message}"
        if match is not None:
            is_unchanged = all(_has_event(match, doubt) for doubt in doubts_of_match)
            if not is_unchanged:
                match = None
                error = f"{target}: this is no longer the match that was analyzed"
        for doubt in doubts_of_match:
            yield _InDoubt(str(target), match, error, game=doubt.game, event=doubt.event)


def _has_event(match: Match, doubt: Doubt) -> bool:
    return doubt.game < len(match.games) and doubt.event < len(match.games[doubt.game].analyses)


def _with_changed(match: Match, index: int, changed: Mapping[int, Any]) -> Match:
    """A match with other analyses in one of its games, by the index of the event."""
    games = list(match.games)
    game = games[index]
    analyses = tuple(changed.get(event, old) for event, old in enumerate(game.analyses))
    games[index] = attrs.evolve(game, analyses=analyses)
    return attrs.evolve(match, games=tuple(games))


@frozen
class _Answer:
    """The analyses that change, by the index of the event, and why they do not."""

    analyses: Mapping[int, Any]
    error: str | None


def _answered(start: Start, tasks: Sequence[Scanned]) -> list[_Answer]:
    """The answers to the tasks of a file, which come as its entries; in a process of its own."""
    return [_answer_about(start, task) for task in tasks if isinstance(task, _InDoubt)]


def _answer_about(start: Start, task: _InDoubt) -> _Answer:
    if task.match is None:
        return _Answer({}, task.error)
    game = task.match.games[task.game]
    alone = attrs.evolve(task.match, games=(game,))
    try:
        analyzed = analyzed_by(start, alone, lambda decision: decision.index == task.event)
    except GammonError as error:
        return _Answer({}, str(error))
    changed: dict[int, Any] = {}
    analyses_after = analyzed.match.games[0].analyses
    for index, (before, after) in enumerate(zip(game.analyses, analyses_after, strict=True)):
        if after is not before:  # the engine made a new one
            changed[index] = after
    reasons = [*analyzed.unknown]
    return _Answer(changed, error=reasons[0] if reasons else None)
