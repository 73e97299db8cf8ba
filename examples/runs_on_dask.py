"""What the programs for dask share: a cluster, a folder that belongs to one run, and how a run ends.

Workers do not have this file, so nothing here is for their tasks.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from pathlib import Path

from distributed import Client, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where to run."""
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster; without it one is made here")
    parser.add_argument("--workers", type=int, help="of the cluster made here: one for each processor")


def claim(folder: Path, run: dict[str, object], content: str, pattern: str, otherwise: str = "") -> None:
    """Make the folder, or check that what is in it belongs to the same run."""
    note = folder / "_run.json"
    folder.mkdir(parents=True, exist_ok=True)
    if note.exists():
        if noted(note) != run:
            sys.exit(f"{folder} contains the {content} of another run{otherwise}: {note.read_text()}")
    elif any(folder.glob(pattern)):
        sys.exit(f"{folder} contains {content}, but no {note.name} that says which run it belongs to")
    else:
        unfinished = note.with_name(f".{note.name}.{os.getpid()}.unfinished")
        unfinished.write_text(json.dumps(run))
        unfinished.replace(note)
    for left_by_a_lost_worker in folder.glob(".*.unfinished"):
        left_by_a_lost_worker.unlink()


def noted(note: Path) -> object:
    """The run that wrote the files in the folder."""
    try:
        return json.loads(note.read_text())
    except ValueError as error:
        sys.exit(f"{note} does not say which run the files beside it belong to: {error}")


@contextmanager
def connected(options: argparse.Namespace) -> Iterator[Client]:
    """The client of the cluster, with a line of standard error to show the progress in."""
    with ExitStack() as stack:
        address = options.scheduler
        if address is None:
            with interrupts_held_back():
                address = stack.enter_context(local_cluster(options.workers))
        try:
            client = stack.enter_context(Client(address))
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            sys.exit(f"no scheduler can be reached at {address}: {error}")
        stack.callback(logging.disable)  # what a client logs when it closes does not matter
        stack.callback(print, file=sys.stderr)  # ends the progress line
        yield client


def local_cluster(workers: int | None) -> LocalCluster:
    """Processes on this machine, without what they log when they close; errors of tasks are raised as exceptions."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes started in this block ignore Ctrl-C; it is left to this process, which then ends them in order."""
    if sys.platform == "win32":
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
    else:
        resource_tracker.ensure_running()  # otherwise the first process to start would unblock the signal
        came: list[int] = []  # a thread of a library may take the signal, although this one blocks it
        before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            signal.signal(signal.SIGINT, before)
        if came:
            raise KeyboardInterrupt


@contextmanager
def may_be_stopped(parts: str = "chunks") -> Iterator[None]:
    """What ends a run that can be continued becomes a sentence."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(f"stopped; the same command goes on with the {parts} that are missing")
    except (FutureCancelledError, CommClosedError):
        sys.exit(f"the scheduler is gone; the same command goes on with the {parts} that are missing")
    except OSError as error:
        sys.exit(f"stopped: {error}")
