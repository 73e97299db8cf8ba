"""Rolls the decisions of the benchmark out, in chunks, each with a seed of its own, until the error is small enough.

Each decision has a file of lines: the decision, then a line for each chunk, then `{"done": true}`. A process holds the
lock of the file that it works on, and each line is on the disk before the next one is begun. So any number of processes
may work in a folder, and each may end at any moment: who comes next goes on after the last whole line.

Errors are those of the means of chunks, as they scatter. What engines state is kept, but not used: that of bgsage does
not count that each first throw comes up equally often, and is often five times too large.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean, stdev
from typing import IO, Any

from positions import (
    FURTHER,
    JUDGE,
    RACES,
    Job,
    Panel,
    canonical,
    decision,
    judged_decision,
    judgment,
    race_decision,
    rounded,
)

from gammonrules import MatchState
from gammonrules._json_protocol.flat_states import state_of_flat
from gammonrules.engine import EngineError, Rollout, SimpleEngine

TRUNCATE = {"bgsage": 11, "gnubg": 0}
"""The engines that roll out, and after how many turns a game of theirs is evaluated: never by GNU Backgammon."""
CUBE = ("no_double", "take")
"""The equities of a cube: if there is no double, and if it is taken."""
TRIALS = 72
"""Of a chunk: each first throw twice."""
MIN_CHUNKS, MAX_CHUNKS = 8, 150
"""Chunks of a decision."""
MIN_OTHERS, MAX_OTHERS = 5, 75
"""Chunks of plays that are no candidates."""
HOPELESS = 1.25
"""After half of the chunks, a decision ends if its error would be so many times too large after all of them."""
CLOSE = 0.03
"""What loses less than this is close."""
ERROR, ERROR_IF_CLOSE, SHARE = 0.01, 0.006, 0.05
"""How large an error may be, of what loses little or more, and as a share of what loses much."""
SETTINGS = {
    "trials": TRIALS,
    "truncate": TRUNCATE,
    "level": 1,
    "fewest": MIN_CHUNKS,
    "most": MAX_CHUNKS,
    "hopeless": HOPELESS,
}

Chunk = dict[str, Any]


# What chunks say ------------------------------------------------------------------------------------------------------


def samples(chunks: Sequence[Chunk], engine: str) -> dict[str, dict[int, float]]:
    """For each candidate, the equity in each chunk in which it was rolled out."""
    by_name: dict[str, dict[int, float]] = {}
    for chunk in chunks:
        if chunk["engine"] == engine:
            for name, (equity, _) in chunk["equities"].items():
                by_name.setdefault(name, {})[chunk["chunk"]] = equity
    return by_name


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean, and its standard error by how they scatter."""
    return fmean(numbers), stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.inf


def difference(mine: Mapping[int, float], theirs: Mapping[int, float]) -> tuple[float, float]:
    """By how much one exceeds the other, and its error, in the chunks, with the same dice, that both are in."""
    return mean_and_error([mine[chunk] - theirs[chunk] for chunk in mine.keys() & theirs.keys()])


def pooled(chunks: Sequence[Chunk]) -> dict[str, float]:
    """The equities of candidates, the mean of both engines."""
    by_engine = [samples(chunks, engine) for engine in TRUNCATE]
    return {name: fmean(fmean(of_engine[name].values()) for of_engine in by_engine) for name in by_engine[0]}


def wanted(loss: float) -> float:
    """How large an error may be."""
    return ERROR_IF_CLOSE if loss < CLOSE else max(ERROR, SHARE * loss)


def cube_questions(of_engine: Mapping[str, Mapping[int, float]], *, drops: bool) -> list[tuple[float, float]]:
    """What is gained by not doubling, if a double is answered rightly, and what a take of it costs; with their errors.

    The two equities have the same dice, so their difference is known much better than either.
    """
    no_double, take = (of_engine[name] for name in CUBE)
    answered = dict.fromkeys(no_double, 1.0) if drops else take
    return [difference(no_double, answered), difference(take, dict.fromkeys(take, 1.0))]


def unsettled(chunks: Sequence[Chunk], engine: str, ask: str, names: Sequence[str], times: float = 1) -> list[str]:
    """The candidates that this engine still has to roll out: none, if no error exceeds so many times what it may be."""
    of_engine = samples(chunks, engine)
    if len(of_engine) < len(names) or min(map(len, of_engine.values())) < MIN_CHUNKS:
        return [*names]
    equities = pooled(chunks)
    if ask == "cube":
        no_double, take = (equities[name] for name in CUBE)
        costs = abs(no_double - min(take, 1)), abs(take - 1)
        questions = cube_questions(of_engine, drops=take >= 1)
        is_enough = all(error <= times * wanted(cost) for (_, error), cost in zip(questions, costs, strict=True))
        return [] if is_enough else [*names]
    best = max(equities, key=lambda name: equities[name])
    losses = {name: equities[best] - equities[name] for name in names}
    losses[best] = min(loss for name, loss in losses.items() if name != best)
    left = {name for name in names if mean_and_error([*of_engine[name].values()])[1] > times * wanted(losses[name])}
    return [name for name in names if name in left or name == best] if left else []


def is_hopeless(chunks: Sequence[Chunk], engine: str, ask: str, names: Sequence[str]) -> bool:
    """Whether the error would be far too large even after all chunks, by how those until now scatter."""
    number = sum(chunk["engine"] == engine for chunk in chunks)
    return 2 * number >= MAX_CHUNKS and bool(
        unsettled(chunks, engine, ask, names, HOPELESS * math.sqrt(MAX_CHUNKS / number))
    )


# Rolling out ----------------------------------------------------------------------------------------------------------


def chunk_of(job: Job, engine: str, chunk: int, state: MatchState, names: Sequence[str], key: str = "chunk") -> Chunk:
    """One more chunk."""
    begun = time.monotonic()
    rollout = Rollout(TRIALS, TRUNCATE[engine], job.seed(engine, chunk), plays=1)
    start = SimpleEngine.gnubg if engine == "gnubg" else SimpleEngine.bgsage
    with start(level=1, rollout=rollout, timeout=None) as rolling:
        if job.ask == "cube":
            cube = rolling.cube_analysis(state)
            errors = cube.standard_errors or (None, None)
            equities = {CUBE[0]: rounded(cube.no_double, errors[0]), CUBE[1]: rounded(cube.double_take, errors[1])}
        else:
            plays = {canonical(state, play.play): play for play in rolling.candidates(state, 1, also=names)}
            equities = {name: rounded(plays[name].equity, plays[name].standard_error) for name in names}
    spent = {"seconds": round(time.monotonic() - begun, 1), "cpu": cpu_seconds()}
    return {"engine": engine, key: chunk, "seed": rollout.seed, "equities": equities, **spent}


def timed(make: Callable[[], Chunk]) -> Chunk:
    """A line, and what it took."""
    begun = time.monotonic()
    cpu_seconds()
    made = make()
    return made | {"seconds": round(time.monotonic() - begun, 1), "cpu": cpu_seconds()}


def cpu_seconds() -> float:
    """Of this process and those that it has started and ended, since this was last asked."""
    global _counted
    times = os.times()
    now = times.user + times.system + times.children_user + times.children_system
    spent, _counted = round(now - _counted, 2), now
    return spent


_counted = 0.0


def names_of(asked: Mapping[str, Any]) -> list[str]:
    """What is rolled out: nothing if one play alone is a candidate."""
    if asked["ask"] == "cube":
        return [*CUBE]
    names = asked["candidates"]
    return [*names] if len(names) > 1 else []


def missing_lines(lines: list[Chunk], job: Job, panel: Panel) -> Iterator[Chunk]:
    """The lines that are missing in the file of a decision; the caller adds each to `lines` when it is on the disk."""
    if job.number >= FURTHER:
        make = race_decision if job.number >= RACES else judged_decision
        yield timed(lambda: make(job, panel)) | {"done": True}
        return
    if not is_done(lines):
        yield from lines_of_rollout(lines, job, panel)
    if job.drawn == "at random":
        yield from lines_of_others(lines, job, panel)


def lines_of_rollout(lines: list[Chunk], job: Job, panel: Panel) -> Iterator[Chunk]:
    """The decision, and the chunks of its candidates."""
    if not lines:
        yield timed(lambda: decision(job, panel) | {"engines": panel.names(), "settings": SETTINGS})
    asked, names = lines[0], names_of(lines[0])
    state = state_of_flat(asked["state"])
    while names:
        chunks = chunks_in(lines)
        numbers = {engine: sum(chunk["engine"] == engine for chunk in chunks) for engine in TRUNCATE}
        left = {
            engine: unsettled(chunks, engine, asked["ask"], names)
            for engine in TRUNCATE
            if numbers[engine] < MAX_CHUNKS
        }
        waiting = [engine for engine in left if left[engine]]
        if not waiting or any(is_hopeless(chunks, engine, asked["ask"], names) for engine in waiting):
            break
        engine = min(waiting, key=lambda engine: numbers[engine])
        yield chunk_of(job, engine, numbers[engine], state, left[engine])
    yield {"done": True}


def chunks_in(lines: Sequence[Chunk]) -> list[Chunk]:
    """Those of the candidates."""
    return [line for line in lines if "chunk" in line]


# Plays that are no candidates -----------------------------------------------------------------------------------------


def lines_of_others(lines: list[Chunk], job: Job, panel: Panel) -> Iterator[Chunk]:
    """What the judge says, and the chunks of plays that a player chooses though they are no candidates.

    They are the chunks in which the best play was rolled out; if these are too few, it is rolled out in more.
    """
    asked = lines[0]
    state = state_of_flat(asked["state"])
    if not any("judged" in line for line in lines):
        yield timed(lambda: {"judged": judgment(panel, state), "judge": panel.engine(JUDGE).name})
    names = chosen_others(asked)
    while names:
        left = {engine: unsettled_others(lines, engine, names) for engine in TRUNCATE}
        waiting = {engine: left[engine] for engine in left if left[engine]}
        if not waiting:
            break
        engine = min(waiting, key=lambda engine: min(waiting[engine].values()))
        number = min(waiting[engine].values())
        best, of_engine = best_of(lines), samples_with_others(lines, engine)
        rolled = [name for name in waiting[engine] if waiting[engine][name] == number]
        unknown = [] if number in of_engine.get(best, {}) else [best]
        yield chunk_of(job, engine, number, state, [*unknown, *rolled], key="of_chunk")
    yield {"done": "others"}


def chosen_others(asked: Mapping[str, Any]) -> list[str]:
    """The plays that a player chooses, and that are no candidates."""
    if asked["ask"] == "cube":
        return []
    chosen = {choice for (choice,) in asked["choices"].values()}
    return sorted(chosen - {*asked["candidates"]})


def best_of(lines: Sequence[Chunk]) -> str:
    """The best of the candidates."""
    equities = pooled(chunks_in(lines)) if names_of(lines[0]) else {lines[0]["candidates"][0]: 0.0}
    return min(equities, key=lambda name: (-equities[name], name))


def samples_with_others(lines: Sequence[Chunk], engine: str) -> dict[str, dict[int, float]]:
    """For each play that was rolled out, the equity in each chunk."""
    by_name = samples(chunks_in(lines), engine)
    for line in lines:
        if "of_chunk" in line and line["engine"] == engine:
            for name, (equity, _) in line["equities"].items():
                by_name.setdefault(name, {})[line["of_chunk"]] = equity
    return by_name


def unsettled_others(lines: Sequence[Chunk], engine: str, names: Sequence[str]) -> dict[str, int]:
    """Those of which this engine still has to roll out a chunk, with its number: whose loss it knows least well."""
    best = best_of(lines)
    by_engine = {name: samples_with_others(lines, name) for name in TRUNCATE}
    left = dict[str, int]()
    for name in names:
        numbers = {engine: len(by_name.get(name, {})) for engine, by_name in by_engine.items()}
        if numbers[engine] < MIN_OTHERS:
            left[name] = numbers[engine]
        elif numbers[engine] < MAX_OTHERS and min(numbers.values()) >= MIN_OTHERS:
            losses = {engine: difference(by_name[best], by_name[name]) for engine, by_name in by_engine.items()}
            loss = fmean(loss for loss, _ in losses.values())
            errors = {engine: error for engine, (_, error) in losses.items()}
            error_of_mean = math.hypot(*errors.values()) / len(errors)
            if error_of_mean > wanted(loss) and errors[engine] == max(errors.values()):
                left[name] = numbers[engine]
    return left


# Files ----------------------------------------------------------------------------------------------------------------


def file_of(folder: Path, job: Job) -> Path:
    return folder / "jobs" / f"{job.number:05}.jsonl"


def whole_lines(data: bytes) -> list[Chunk]:
    """The lines that were written to their end."""
    return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def is_done(lines: Sequence[Chunk]) -> bool:
    """Whether the candidates are rolled out, or the decision is judged."""
    return any("done" in line for line in lines)


def is_complete(lines: Sequence[Chunk], job: Job) -> bool:
    """Whether no line is missing."""
    has_others = job.drawn == "at random" and job.number < FURTHER
    return is_done(lines) and (not has_others or lines[-1].get("done") == "others")


def append(file: IO[bytes], line: Chunk) -> None:
    """Write a line so that it is on the disk."""
    file.write(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n")
    file.flush()
    os.fsync(file.fileno())


def work_on(folder: Path, job: Job, panel: Panel) -> bool:
    """Whether there was anything to do, and nobody else does it."""
    path = file_of(folder, job)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        file.seek(0)
        data = file.read()
        lines = whole_lines(data)
        if is_complete(lines, job):
            return False
        file.truncate(data.rfind(b"\n") + 1)
        for line in missing_lines(lines, job, panel):
            append(file, line)
            lines.append(line)
        return True


def run(folder: Path, first: int, last: int | None, secret: str = "") -> None:
    """Roll out one decision after another, at the lowest priority, until an engine fails three times in a row."""
    os.nice(19)
    panel, failures = Panel(), 0
    try:
        for number in count(first) if last is None else range(first, last + 1):
            job = Job(number, secret)
            try:
                if job.is_wanted and work_on(folder, job, panel):
                    print(f"job {number} is done", flush=True)
                    failures = 0
            except EngineError as error:  # who comes next goes on with this one
                failures += 1
                panel.close()
                print(f"job {number}: {error}", file=sys.stderr, flush=True)
                if failures == 3:
                    sys.exit(1)
    finally:
        panel.close()
