"""Rollouts on the command line: their options, and `analyze --rollout`, which goes on decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial, reduce
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
import click
from attrs import frozen

from gammonrules import records
from gammonrules.cli.output import Refused, refusing, write
from gammonrules.errors import GammonError
from gammonrules.records import DecisionKind, Match
from gammonrules.work import Kept, in_order

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import Rollout, SimpleEngine

_Command = TypeVar("_Command", bound=Callable[..., object])


def _together(*options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


_EQUITY: Final = click.FloatRange(0, 10)

rollout_options: Final = _together(
    click.option("--rollout", "trials", type=int, metavar="TRIALS", help="Roll out: play so many games."),
    click.option("--truncate", type=int, metavar="TURNS", help="Evaluate the games of a rollout after so many turns."),
    click.option("--seed", type=int, help="What the dice of a rollout are made from; by default 1."),
)
doubts_options: Final = _together(
    click.option("--close", type=_EQUITY, default=0.02, show_default=True, help="Roll out what is this close."),
    click.option("--error", type=_EQUITY, default=0.04, show_default=True, help="Roll out what seems to cost more."),
)


def rollout_of(*, trials: int | None, **settings: Any) -> Rollout | None:
    """The rollout of the options; None if there is none. Raises Refused."""
    chosen = {name: value for name, value in settings.items() if value is not None}
    if trials is None:
        if chosen:
            raise Refused(f"--{next(iter(chosen))} is for a rollout: add --rollout TRIALS")
        return None
    with refusing():
        from gammonrules.engine import Rollout  # noqa: PLC0415 - it takes time to load

        return Rollout(trials, **chosen)


@frozen
class RolloutPlan:
    """Which decisions are rolled out, and how. It can be pickled."""

    engine: str
    level: int
    rollout: Rollout
    limits: Mapping[str, float]
    """What is close, and what a mistake, for `needs_rollout`."""

    @property
    def words(self) -> str:
        """What the engine calls the level of what it rolls out."""
        return self.rollout.level(self.level)

    def opened(self) -> SimpleEngine:
        """Raises EngineError and ArgumentError."""
        from gammonrules.engine import SimpleEngine  # noqa: PLC0415

        return SimpleEngine.open(self.engine, self.level, rollout=self.rollout)

    def needing(self, match: Match) -> list[tuple[int, int]]:
        """The decisions to roll out, by the index of the game and of the event; an answer goes with its double."""
        needing: list[tuple[int, int]] = []
        for number, game in enumerate(match.games):
            for decision in game.decisions():
                is_with_double = decision.kind is DecisionKind.ANSWER and needing[-1:] == [(number, decision.index - 1)]
                if not is_with_double and records.needs_rollout(decision, **self.limits):
                    needing.append((number, decision.index))
        return needing


@frozen
class _Task:
    """A decision to roll out, with its game alone."""

    target: Path
    number: int
    index: int
    match: Match


@frozen
class _Answer:
    """What comes of it: the analyses that change, by the index of the event, or why there are none."""

    task: _Task
    analyses: Mapping[int, Any] = {}
    error: str | None = None

    def put_in(self, match: Match) -> Match:
        before, number = match.games, self.task.number
        analyses = [self.analyses.get(index, old) for index, old in enumerate(before[number].analyses)]
        game = attrs.evolve(before[number], analyses=tuple(analyses))
        return attrs.evolve(match, games=(*before[:number], game, *before[number + 1 :]))


def rolled_out(
    plan: RolloutPlan, targets: Iterable[Path], jobs: int | None, advance: Callable[[], object]
) -> Generator[tuple[Match, str | None]]:
    """Roll out what needs it in these files: each match, and what went wrong.

    A file is written again with every answer. So what is in it is not asked again, wherever this is stopped.
    """
    results = in_order(partial(_answered, plan), _tasks(plan, targets), _lost, jobs=jobs, apart=True)
    with closing(results):
        for target, answers in groupby(results, key=lambda answer: answer.task.target):
            match, error = records.load(target), None
            for answer in answers:
                error = error or answer.error
                if answer.analyses:
                    match = answer.put_in(match)
                    write(target, records.dumps(match, "json"))
                advance()
            yield match, error


def _tasks(plan: RolloutPlan, targets: Iterable[Path]) -> Iterator[_Task]:
    for target in targets:
        match = records.load(target)
        for number, index in plan.needing(match):
            yield _Task(target, number, index, attrs.evolve(match, games=(match.games[number],)))


# --- in a process of its own ------------------------------------------------------------------------------------------


def _answered(plan: RolloutPlan, task: _Task) -> _Answer:
    reasons = list[str | None]()
    try:
        match = records.analyze(
            task.match,
            _engines.of(plan),
            only=lambda decision: decision.index == task.index,
            progress=lambda _state, why: reasons.append(why),
        )
    except GammonError as error:
        _engines.close()
        return _Answer(task, error=str(error))
    before, after = (each.games[0].analyses for each in (task.match, match))
    changed = {index: new for index, new in enumerate(after) if new is not before[index]}
    return _Answer(task, changed, next(filter(None, reasons), None))


def _lost(task: _Task, sentence: str) -> _Answer:
    return _Answer(task, error=sentence)


_engines = Kept(RolloutPlan.opened)
