"""What is kept of the words of a program: as much as a message repeats, and no more answers than anybody waits for."""

from __future__ import annotations

import queue
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import loop
from gammonrules._json_protocol.client import _AnsweringProgram
from gammonrules._shared.work import Program, deadline_in
from gammonrules._shared.work.programs import _WaitingAnswers
from gammonrules.errors import EngineReplyError

MEGABYTE = 1 << 20
KINDS = (Program, _AnsweringProgram)


@contextmanager
def at_its_end(kind: type[Program], writes: str) -> Iterator[Program]:
    """A program that has ended, and all of whose words were taken; `err` and `out` are its streams."""
    script = f"import sys\nout, err = sys.stdout.buffer, sys.stderr.buffer\n{writes}\nout.flush()\nerr.flush()"
    program = kind("loud", [sys.executable, "-c", script])
    try:
        for thread in program._threads:
            thread.join(60)
            assert not thread.is_alive()
        yield program
    finally:
        program.close()


def memory_for(kind: type[Program], writes: str) -> float:
    """Megabytes that were taken at most."""
    tracemalloc.start()
    try:
        with at_its_end(kind, writes):
            return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


LONG = '(b"a" * (8 * 2 ** 20 - 6) + "\\U0001f3b2".encode())'
"""Eight megabytes with one wide character, which makes a text of 32."""


@loop.rows(
    "writes, most",
    (f"for _ in range(2): err.write({LONG} + b'aa')", 1),
    (f"for _ in range(2): err.write({LONG} + b'\\n')", 1),
    (f"for _ in range(7): out.write({LONG} + b'\\n')", 45),
    ("for _ in range(7_000): out.write(b'a' * 4_000 + '\\U0001f3b2'.encode() + b'\\n')", 20),
)
def test_how_much_is_kept(writes: str, most: float) -> None:
    for kind in KINDS:
        assert memory_for(kind, writes) < most, kind


@loop.over("kind", KINDS)
def test_the_beginning_of_a_long_line_is_told(kind: type[Program]) -> None:
    """And what comes after that line is another one."""
    writes = "err.write(b'castle ' + b'x' * 100_000 + b'dragon\\n' + b' ' * 9_000 + b'\\n' + b'on fire')"
    with at_its_end(kind, writes) as program:
        sentence = str(program.ended())
    assert "castle xxx" in sentence
    assert "on fire" in sentence or kind is Program  # whose messages are shorter than one such line
    assert "dragon" not in sentence
    assert len(sentence) < 600


def test_several_lines_are_told_whole() -> None:
    with at_its_end(Program, "err.write(b'no\\ncastle\\n\\non fire\\n')") as program:
        assert "; it said last: 'castle / on fire / exit status 0'" in str(program.ended())


def test_answers_wait_up_to_so_many_and_so_many_bytes() -> None:
    answers = _WaitingAnswers(limit=3, most_bytes=5)
    for waiting in [b"long answer"], [b"four", b"one"], [b"", None, b""]:
        for answer in waiting:
            answers.put_nowait(answer)
        assert answers.qsize() == len(waiting)
        with pytest.raises(queue.Full):
            answers.put_nowait(None)
        assert [answers.get_nowait() for _ in waiting] == waiting


def test_answers_of_several_threads() -> None:
    """They leave out no more and no less than those of one thread."""
    answers = _WaitingAnswers(limit=10_000, most_bytes=1_000)
    refused = list[int]()

    def write() -> None:
        for number in range(2_000):
            try:
                answers.put_nowait(b"x")
            except queue.Full:
                refused.append(number)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (answers.qsize(), len(refused)) == (1_000, 7_000)
    assert answers.get_nowait() == b"x"
    answers.put_nowait(b"x")


def test_unread_answers_end_before_the_flood() -> None:
    """A line of any size is read as long as no other waits; whoever goes on writing floods us."""
    with at_its_end(_AnsweringProgram, f"out.write({LONG} + b'\\n')") as program:
        assert len(program.read(deadline_in(60))) == 8 * MEGABYTE - 5
    with (
        at_its_end(_AnsweringProgram, f"for _ in range(3): out.write({LONG} + b'\\n')") as program,
        pytest.raises(EngineReplyError, match="writes without end"),
    ):
        program.read(deadline_in(60))
