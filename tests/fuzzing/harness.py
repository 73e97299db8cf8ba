"""What the fuzzers have in common: rounds, findings, smaller cases, and what every error must be like."""

from __future__ import annotations

import pickle
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

import attrs

from gammonrules import GammonError
from gammonrules.errors import ProblemsError

MAX_MESSAGE_LENGTH = 300
"""Characters of an error's text: a sentence, and no more than a line of what was given."""
MAX_LIST_LENGTH = 1_000
"""The same of an error that tells all the problems of a value at once."""
STUCK = 20.0
"""Seconds of processor time after which a case is given up."""
SHRINKING = 10.0
"""Seconds for making the case of a finding smaller."""
MAX_CASE_LENGTH = 3_000
"""Characters of a case that a finding prints; its round makes it again."""


class SlowError(AssertionError):
    """A call took longer than its input justifies."""


class StuckError(BaseException):
    """A call did not end. Not an Exception, so that nothing on the way can swallow it."""


# --- what must hold everywhere ------------------------------------------------------------------------------------


def check_message(error: BaseException, longest: int = MAX_MESSAGE_LENGTH) -> None:
    """One printable line that is not too long, also after pickling."""
    text = str(error)
    if isinstance(error, ProblemsError) or text.startswith("impossible "):
        longest = max(longest, MAX_LIST_LENGTH)
    try:
        assert 0 < len(text) <= longest, f"a message of {len(text)} characters: {text[:100]!r}"
        assert text.isprintable(), f"a message that cannot be printed: {text[:200]!r}"
        if isinstance(error, GammonError):
            again = pickle.loads(pickle.dumps(error))
            assert (type(again), str(again)) == (type(error), text), f"another error after pickling: {again!r:.200}"
    except AssertionError as finding:
        raise finding from error


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """At most this much processor time: that of this thread, so that a busy machine makes no difference."""
    start = time.thread_time()
    yield
    taken = time.thread_time() - start
    if taken > seconds:
        raise SlowError(f"{taken:.3f} s, {seconds:.3f} s are allowed")


def attempt(
    call: Callable[[], Any], *, seconds: float = 0.05, longest: int = MAX_MESSAGE_LENGTH
) -> tuple[Any, GammonError | None]:
    """What a call returns, or the error of the library that it raises; any other exception is a finding."""
    try:
        with within(seconds):
            return call(), None
    except GammonError as error:
        check_message(error, longest)
        return None, error


# --- rounds -------------------------------------------------------------------------------------------------------


@attrs.frozen
class Finding:
    """A case for which something does not hold."""

    where: tuple[str, ...]
    error: str
    case: object
    number: int


@attrs.define
class Report:
    """What a run has done and found."""

    target: str
    seed: int
    executions: int = 0
    rounds: int = 0
    seconds: float = 0.0
    findings: list[Finding] = attrs.Factory(list)

    def __str__(self) -> str:
        rate = self.executions / self.seconds if self.seconds else 0.0
        return (
            f"{self.target:<12} {self.executions:>12,} executions in {self.seconds:6.1f} s ({rate:>7,.0f} a second), "
            f"seed {self.seed}, {len(self.findings)} findings"
        )

    def described(self) -> Iterator[str]:
        """Each finding with its case, as it can be pasted into a test."""
        for finding in self.findings:
            yield f"{self.target}, round {finding.number}: {finding.error[:500]}"
            yield f"    at {' <- '.join(finding.where)}"
            shown = repr(finding.case)
            cut = f"  # cut: it has {len(shown):,} characters" * (len(shown) > MAX_CASE_LENGTH)
            yield f"    {self.target}.check({shown[:MAX_CASE_LENGTH]}){cut}"
            yield f"    python tests/fuzz.py {self.target} --seed {self.seed} --start {finding.number} --rounds 1"


def run(
    target: ModuleType, seed: int, *, seconds: float | None = None, rounds: int | None = None, start: int = 0
) -> Report:
    """Rounds of a target for some time, or some number of them; each has its own seed, and so can be repeated alone."""
    report = Report(target.__name__.rpartition(".")[2], seed)
    begun, number, seen = time.monotonic(), start, set()
    while (rounds is None or number < start + rounds) and (seconds is None or report.seconds < seconds):
        case = target.case(random.Random(seed << 40 | number))
        failure, executions = failing(target, case)
        report.executions += executions
        report.rounds += 1
        if failure is not None and (where := place(failure)) not in seen:
            failed_at = time.monotonic()
            seen.add(where)
            small = shrunk(target, case, where)
            failure = failing(target, small)[0] or failure  # that of the case that is shown
            report.findings.append(Finding(where, described(failure), small, number))
            begun += time.monotonic() - failed_at  # what is made smaller is not counted
        number += 1
        report.seconds = time.monotonic() - begun
    return report


def failing(target: ModuleType, case: object) -> tuple[BaseException | None, int]:
    """What goes wrong with a case, and how many executions there were. What was slow once is tried three times."""
    for _ in range(3):
        try:
            with unstuck():
                return None, target.check(case) or 1
        except (SlowError, StuckError) as error:
            failure: BaseException = error
            if isinstance(error, StuckError):
                break
        except Exception as error:  # noqa: BLE001 - whatever comes is what a fuzzer looks for
            return error, 1
    return failure, 1


@contextmanager
def unstuck() -> Iterator[None]:
    """No case may keep the fuzzer forever (if the system has a clock for that)."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise StuckError(f"no end after {STUCK:.0f} s")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, STUCK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def place(error: BaseException) -> tuple[str, ...]:
    """Where an error comes from, and where the one that caused it does: findings with the same place are one."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, StuckError):  # at this very moment it is anywhere, the last line of a check is always the same
        return (
            "StuckError",
            *(f"{frame.name}:{frame.lineno}" for frame in frames if frame.name in ("check", "<module>")),
        )
    frame = frames[-1]
    here = f"{type(error).__name__} in {frame.filename.rpartition('/')[2]}:{frame.lineno}"
    return (here, *place(error.__cause__)) if error.__cause__ is not None else (here,)


def described(error: BaseException) -> str:
    """The kind of an error and its text."""
    return f"{type(error).__name__}: {error}"


# --- smaller cases ------------------------------------------------------------------------------------------------


def fails_at(target: ModuleType, case: object, where: tuple[str, ...]) -> bool:
    """Whether a case fails at this place."""
    failure, _ = failing(target, case)
    return failure is not None and place(failure) == where


def shrunk(target: ModuleType, case: object, where: tuple[str, ...]) -> object:
    """A case that fails in the same way, with as much left out as there is time for."""
    smaller_cases = getattr(target, "candidates", candidates)
    end = time.monotonic() + SHRINKING
    smaller = where[0] != "StuckError"  # each attempt would take long
    while smaller:
        smaller = False
        for candidate in smaller_cases(case):
            if time.monotonic() > end:
                return case
            if fails_at(target, candidate, where):
                case, smaller = candidate, True
                break
    return case


def candidates(case: object) -> Iterator[object]:
    """The same with something left out: halves first, then ever smaller parts; then parts with something left out."""
    if isinstance(case, (str, bytes, tuple, list)):
        size = len(case)
        while size:
            for begin in range(0, len(case), size):
                yield case[:begin] + case[begin + size :]
            size //= 2
    if isinstance(case, (tuple, list)):
        parts: Sequence[object] = case
        for index, part in enumerate(parts):
            for smaller in candidates(part):
                yield type(case)([*parts[:index], smaller, *parts[index + 1 :]])
