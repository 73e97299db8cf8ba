"""The other end of `pool`: a process that does one thing with one file after another.

A message is eight bytes with its length, and then as many bytes. The first one to a worker has the paths where
Python looks for modules and the function; every other one has a file. The worker answers the first with an empty
message and each file with a pickled pair: whether the function worked, and its result or else a sentence.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from typing import IO, Any, Final

from gammonrules.records.archive.sources import failed

_SIZE: Final = 8

PROGRAM: Final = """\
import pickle, sys
def take():
    return sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(8), "little"))
sys.path[:] = pickle.loads(take())
from gammonrules.records.archive.working import work
work(take())
"""
"""What a worker runs. Before it can import the package it must know where the package is."""


def write(stream: IO[bytes] | None, message: bytes) -> None:
    """Send a message. Raises OSError if the other process is gone."""
    if stream is not None:
        stream.write(len(message).to_bytes(_SIZE, "little"))
        stream.write(message)
        stream.flush()


def read(stream: IO[bytes] | None) -> bytes | None:
    """The next message; None if there is none, or only a part. Raises OSError."""
    head = b"" if stream is None else stream.read(_SIZE)
    size = int.from_bytes(head, "little")
    message = b"" if stream is None else stream.read(size)
    return message if len(head) == _SIZE and len(message) == size else None


class _WithoutPandas(MetaPathFinder):
    """Makes pandas look uninstalled.

    pyarrow imports it, if it can, to ask whether a list is one of its values; that takes longer than reading a match.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Find nothing, and look no further."""
        if fullname == "pandas":
            raise ModuleNotFoundError("not needed here", name=fullname)


def work(program: bytes) -> None:
    """Answer each file until there are no more, or the parent process is gone."""
    sys.meta_path.insert(0, _WithoutPandas())
    function: Callable[[Any], Any] = pickle.loads(program)  # noqa: S301 - from our own parent process
    results = os.fdopen(os.dup(1), "wb")
    # Whatever else is printed must not get between the results.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        write(results, b"")
        while (message := read(sys.stdin.buffer)) is not None:
            write(results, _answer(function, message))
    except OSError:  # the parent is gone
        os._exit(1)


def _answer(function: Callable[[Any], Any], message: bytes) -> bytes:
    try:
        return pickle.dumps((True, function(pickle.loads(message))), protocol=5)  # noqa: S301
    except Exception as error:  # noqa: BLE001 - one file must not end the run
        return pickle.dumps((False, failed(error)))
