"""Rollouts of decisions in files, one by one, for `analyze --rollout`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby, tee
from pathlib import Path

from attrs import frozen

from gammonrules import records
from gammonrules.cli.output import write_file
from gammonrules.cli.record_files import read_match
from gammonrules.cli.usage_errors import Refused
from gammonrules.records import Match
from gammonrules.records.internals import (
    Doubt,
    RolledOutDecision,
    Start,
    decision_rolled_out,
    for_each_with_engine,
)


@frozen
class RolledOut:
    """A match after its rollouts, if it is still there, and what went wrong."""

    match: Match | None
    error: str | None


def rolled_out(
    start: Start,
    doubts: Mapping[Path, Sequence[Doubt]],
    workers: int | None,
    advance: Callable[[], object],
) -> Generator[RolledOut]:
    """Roll out decisions in these files.

    A file is written again with every answer. So what is in it is not asked again, wherever this is stopped.
    """
    # each task is read twice: by the process that answers it, and here, beside its answer
    tasks, tasks_to_answer = tee(_tasks(doubts))
    answers = for_each_with_engine(
        partial(_answer_about, start), tasks_to_answer, _lost_answer, workers
    )
    with closing(answers):
        answered_tasks = zip(tasks, answers, strict=True)
        for path, tasks_of_file in groupby(answered_tasks, key=lambda pair: pair[0].path):
            yield _written_with_answers(path, tasks_of_file, advance)


def _written_with_answers(
    target: Path,
    answered_tasks: Iterable[tuple[_InDoubt, RolledOutDecision]],
    advance: Callable[[], object],
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
            match = answer.changed(match)
            write_file(target, records.dumps(match, "json"))
        advance()
    return RolledOut(match, error)


@frozen
class _InDoubt:
    """A file with its match, or why it cannot be gone on with, and a decision in it."""

    path: Path
    match: Match | None
    error: str | None
    doubt: Doubt


def _tasks(doubts: Mapping[Path, Sequence[Doubt]]) -> Iterator[_InDoubt]:
    for target, doubts_of_match in doubts.items():
        match: Match | None = None
        error: str | None = None
        try:
            match = read_match(str(target))
        except Refused as why:
            error = f"{target}: {why.message}"
        if match is not None:
            is_unchanged = all(doubt.is_in(match) for doubt in doubts_of_match)
            if not is_unchanged:
                match = None
                error = f"{target}: this is no longer the match that was analyzed"
        for doubt in doubts_of_match:
            yield _InDoubt(target, match, error, doubt)


def _answer_about(start: Start, task: _InDoubt) -> RolledOutDecision:
    if task.match is None:
        return RolledOutDecision(task.error)
    return decision_rolled_out(start, task.match, task.doubt)


def _lost_answer(_task: _InDoubt, sentence: str) -> RolledOutDecision:
    return RolledOutDecision(sentence)
