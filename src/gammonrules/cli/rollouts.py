"""Rollouts on the command line: their options, and `analyze --rollout`, which goes on decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial, reduce
from itertools import groupby, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import attrs
import click
from attrs import frozen

from gammonrules import records
from gammonrules._shared.levels import USUAL_LEVEL
from gammonrules.cli.options import until_of
from gammonrules.cli.output import read_match, write_file
from gammonrules.cli.refusals import Refused, refusing
from gammonrules.engine import ENGINES
from gammonrules.errors import GammonError
from gammonrules.records import DecisionKind, Match, Scanned
from gammonrules.records.internals import Start, analyzed_by, for_each_file

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import Rollout, SimpleEngine, Tiers

_Command = TypeVar("_Command", bound=Callable[..., object])


def _all_options(*options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


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

        return Rollout(trials, truncate or 0, 1 if seed is None else seed, until=until_of(until))


def engine_maker(
    name: str | None, level: int | Tiers | None, rollout: Rollout | None = None
) -> Callable[[], SimpleEngine]:
    """What starts an engine, here or in another process. Raises ImportError."""
    from gammonrules.engine import SimpleEngine  # noqa: PLC0415 - it takes time to load

    return partial(SimpleEngine.open, name, level, rollout)


Doubt: TypeAlias = tuple[int, int]
"""A decision to be rolled out: the index of its game, and that of its event."""


def doubts_in(match: Match, limits: Mapping[str, float]) -> list[Doubt]:
    """What needs a rollout by these limits of `needs_rollout`; an answer goes with its double."""
    doubts: list[Doubt] = []
    for number, game in enumerate(match.games):
        for decision in game.decisions():
            is_with_double = decision.kind is DecisionKind.ANSWER and doubts[-1:] == [
                (number, decision.index - 1)
            ]
            if not is_with_double and records.needs_rollout(decision, **limits):
                doubts.append((number, decision.index))
    return doubts


def rolled_out(
    start: Start,
    doubts: Mapping[Path, Sequence[Doubt]],
    jobs: int | None,
    advance: Callable[[], object],
) -> Generator[tuple[Match | None, str | None]]:
    """Roll out decisions in these files: each match, if it is still there, and what went wrong.

    A file is written again with every answer. So what is in it is not asked again, wherever this is stopped.
    """
    tasks, questions = tee(_tasks(doubts))
    results = for_each_file(questions, partial(_answered, start), jobs)
    with closing(results):
        for target, answers in groupby(
            zip(tasks, results, strict=True), key=lambda answer: answer[0].path
        ):
            match = None
            failed = None
            for task, (analyses, why) in answers:
                match = match or task.match
                failed = failed or why
                if analyses and match is not None:
                    match = _with(match, task.game, analyses)
                    write_file(Path(target), records.dumps(match, "json"))
                advance()
            yield match, failed


@frozen
class _InDoubt(Scanned):
    """A file with its match, or why it cannot be gone on with, and the indices of a game and an event."""

    game: int = 0
    event: int = 0


def _tasks(doubts: Mapping[Path, Sequence[Doubt]]) -> Iterator[_InDoubt]:
    for target, each in doubts.items():
        match = None
        error = None
        try:
            match = read_match(str(target))
            _ = [match.games[number].analyses[index] for number, index in each]
        except Refused as why:
            error = f"{target}: {why.message}"
        except IndexError:
            match = None
            error = f"{target}: this is no longer the match that was analyzed"
        yield from (
            _InDoubt(str(target), match, error, game=game, event=event) for game, event in each
        )


def _with(match: Match, number: int, analyses: Mapping[int, Any]) -> Match:
    game = match.games[number]
    every = tuple(analyses.get(index, old) for index, old in enumerate(game.analyses))
    games = *match.games[:number], attrs.evolve(game, analyses=every), *match.games[number + 1 :]
    return attrs.evolve(match, games=games)


_Answer: TypeAlias = tuple[dict[int, Any], str | None]
"""The analyses that change, by the index of the event, and why they do not."""


def _answered(start: Start, tasks: Sequence[Scanned]) -> list[_Answer]:
    """In a process of its own."""
    (task,) = cast("Sequence[_InDoubt]", tasks)
    if task.match is None:
        return [({}, task.error)]
    game = task.match.games[task.game]
    try:
        alone = attrs.evolve(task.match, games=(game,))
        after, unknown = analyzed_by(start, alone, lambda decision: decision.index == task.event)
    except GammonError as error:
        return [({}, str(error))]
    changed = {
        index: new
        for index, new in enumerate(after.games[0].analyses)
        if new is not game.analyses[index]
    }
    return [(changed, next(iter(unknown), None))]
