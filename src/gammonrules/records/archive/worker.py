"""The other end of `pool`: a process that does one thing with one file after another.

All messages are pickles. The first ones to a worker are the paths where Python looks for modules, and the function;
every other one is a file. The worker says that it is ready, and answers each file with the pickle of a pair, as bytes:
whether the function worked, and its result or else a sentence.
"""

from __future__ import annotations

import os
import pickle
import sys
from importlib.abc import MetaPathFinder
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from gammonrules.records.archive.sources import failed

PROGRAM: Final = """\
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from gammonrules.records.archive.worker import work
work()
"""
"""What a worker runs. Before it can import the package it must know where the package is."""


class _WithoutPandas(MetaPathFinder):
    """Makes pandas look uninstalled; a None in `sys.modules` is not enough for compiled code.

    pyarrow imports it, if it can, to ask whether a list is one of its values; that takes longer than many files.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Find nothing, and look no further."""
        if fullname == "pandas":
            raise ModuleNotFoundError("not needed here", name=fullname)


def work() -> None:
    """Answer each file until the parent process is gone."""
    sys.meta_path.insert(0, _WithoutPandas())
    function = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent process
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever else is printed must not get between the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    files: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_take, args=(files,), daemon=True).start()
    answer: object = "ready"
    try:
        while True:
            pickle.dump(answer, answers, protocol=5)
            answers.flush()
            source = files.get()
            try:
                answer = pickle.dumps((True, function(source)), protocol=5)
            except Exception as error:  # noqa: BLE001 - one file must not end the run
                answer = pickle.dumps((False, failed(error)))
    finally:
        os._exit(1)


def _take(files: SimpleQueue[Any]) -> None:
    """Take the files. Once the parent is gone, end in the midst of whatever is done."""
    try:
        while True:
            files.put(pickle.load(sys.stdin.buffer))  # noqa: S301
    finally:
        os._exit(1)
