"""A program in a process of its own, whose output is read while it runs, and which never stays behind."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import IO, Final

from attrs import frozen

from gammonrules._shared.forks import abandon, call_in_forks
from gammonrules.errors import (
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
)
from gammonrules.values import printable, shown

_SECONDS_TO_END: Final = 5
_SECONDS_TO_LOOK: Final = 1
"""After so long without a line we look whether the program has ended."""
_SECONDS_FOR_LAST_WORDS: Final = 0.5
_SECONDS_TO_TRY: Final = 5
"""After so long, what may be no Python is done without."""
_PIECE: Final = 4_096
"""Bytes of the error stream that are looked at together."""
_MAX_WORDS_LENGTH: Final = 200
"""Characters of its last words that a message repeats, and so all that is kept of a line."""

_GUARD: Final = """exec {free}<&0
"$@" <&{free} {free}<&- &
program=$!
trap '' PIPE
exec <&- {free}<&- >&-
end_rest() {{
  read -r own_number _ </proc/self/stat || return
  rounds=0
  before=none
  while [ $rounds -lt 500 ]; do
    children=
    living=
    read -r children </proc/$$/task/$$/children
    for child in $children; do
      [ $child = $own_number ] && continue
      kill -9 $child
      while read -r key state _ && [ $key != State: ]; do :; done </proc/$child/status || continue
      [ $state = Z ] || living=yes
    done
    if [ $living ]; then sleep 0.01; elif [ "$children" = "$before" ]; then return; fi
    before=$children
    rounds=$((rounds + 1))
  done
}}
if read -r _ </dev/fd/$0; then kill -9 $program; else kill -9 $program; end_rest; kill -9 0; fi 2>&- &
watch=$!
wait $program
echo "exit status $?" >&2
exec 2>&-
kill -9 $watch
wait
end_rest
kill -9 0
"""
"""A shell that runs a program until it ends, we write a line to a pipe, or that closes, even because we are killed.

The shell ignores that nobody reads its errors (PIPE), as after our end: it has more to do.

It says how the program ended, and leaves nothing that this has started. On Linux `end_rest` also ends processes that
have left the group: see `_ADOPTING`. A zombie (Z) is dead, or its other threads end now, and the watching shell
(`own_number`) ends last. The state is read from `status`, where the name of a process has no line breaks. The list is
read once more after all in it are dead, since only then it has the children of the last ones."""

_ADOPTING: Final = """import _signal, os, sys
for number in _signal.SIGPIPE, _signal.SIGXFSZ:
    _signal.signal(number, _signal.SIG_DFL)
try:
    import ctypes
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
except (ImportError, OSError, AttributeError):
    pass
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A Python that turns into the shell, after it has made itself a subreaper: 36 is PR_SET_CHILD_SUBREAPER.

So processes whose parent has ended become children of the shell, even in a session of their own, and not of the system.
In our own process this would adopt processes of the user's, and `preexec_fn` is not safe where there are threads. The
signals are those that Python ignores, and its children would ignore as well."""


class _WaitingAnswers(queue.Queue[bytes | None]):
    """Answers that nobody has read: as many as may wait, and no further one beyond so many bytes.

    `queue.Queue` calls both methods under its lock, as it does those of a `queue.PriorityQueue`.
    """

    def __init__(self, limit: int, most_bytes: int) -> None:
        super().__init__(limit)
        self._most_bytes = most_bytes
        self._bytes = 0

    def _put(self, item: bytes | None) -> None:
        if self._bytes >= self._most_bytes:
            raise queue.Full
        self._bytes += len(item or b"")
        super()._put(item)

    def _get(self) -> bytes | None:
        item: bytes | None = super()._get()
        self._bytes -= len(item or b"")
        return item


class Program:
    """A running program: lines go in, lines come out, and each has to come before a deadline.

    Attributes:
        who: its name, for messages.
    """

    longest_line = 4_096
    most_lines = 10_000
    most_bytes = 1 << 22
    """Lines, and bytes of them, that may wait to be read, or come before an answer; whoever writes more floods us."""
    most_words = 3
    """How many of its last lines are kept for a message."""
    _lifeline: IO[bytes] | None = None

    def __init__(
        self,
        who: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        guarded: bool = True,
        files: Sequence[int] = (),
        folder: str | None = None,
    ) -> None:
        """Start the program. Raises EngineStartError.

        Args:
            who: its name.
            command: the program and its arguments.
            environment: variables to set beside those of this process.
            guarded: whether a shell ends it even if it does not read, and its last words are wanted.
            files: descriptors of open files that it gets too, on POSIX.
            folder: its working directory, if that is not to be ours.
        """
        self.who = who
        self._owner = os.getpid()
        self._answers = _WaitingAnswers(self.most_lines, self.most_bytes)
        self._flooded = False
        self._last_lines: deque[str] = deque(maxlen=self.most_words)
        check_that_it_is_there(who, command[0])
        try:
            self._process = self._started(
                command, environment=environment or {}, guarded=guarded, files=files, folder=folder
            )
        except (OSError, ValueError) as error:
            if self._lifeline is not None:
                self._lifeline.close()
            raise EngineStartError(
                f"{who}: {shown(command[0], 60)} cannot be started: {error}"
            ) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        self._threads = list[threading.Thread]()
        try:
            self._start_thread(self._take_answers, self._process.stdout)
            if self._process.stderr is not None:
                self._start_thread(self._take_words, self._process.stderr)
        except EngineStartError:
            self._end_without_threads()
            raise
        call_in_forks(self, Program._give_up_pipes)

    def _started(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        guarded: bool,
        files: Sequence[int],
        folder: str | None,
    ) -> subprocess.Popen[bytes]:
        """The process, with a shell around it if it is to be guarded. Raises OSError and ValueError."""
        end_of_shell = None  # of a pipe through which we tell the shell to end the program
        if guarded and os.name == "posix":
            end_of_shell, our_end = os.pipe()
            self._lifeline = os.fdopen(our_end, "wb", buffering=0)
            files = [end_of_shell, *files]
            # a descriptor of one digit, as the shell needs it, that stands for no file
            free = min({*range(3, 10)} - {*files})
            guard = _GUARD.format(free=free)
            # the argument after the script is its $0
            command = ["/bin/sh", "-c", guard, str(end_of_shell), *command]
            if sys.platform == "linux" and has_python() and _can_adopt(sys.executable):
                command = [sys.executable, "-I", "-S", "-c", _ADOPTING, *command]
        try:
            return subprocess.Popen(  # noqa: S603 - the caller chooses the program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if guarded else subprocess.DEVNULL,
                env={**os.environ, **environment},
                pass_fds=files,
                cwd=folder,
                # Ctrl-C is for us: in a group of its own, the program is ended in order.
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                process_group=0 if os.name == "posix" else None,
            )
        finally:
            if end_of_shell is not None:
                os.close(end_of_shell)

    def _start_thread(self, take: Callable[[IO[bytes]], None], stream: IO[bytes]) -> None:
        name = f"gammonrules {self.who}"
        thread = threading.Thread(target=take, args=(stream,), name=name, daemon=True)
        start_thread(self.who, thread)
        self._threads.append(thread)

    # What it writes, taken by threads so that it never waits for us ---------------------------------------------------

    def _take_answers(self, stream: IO[bytes]) -> None:
        with stream:
            for answer in self._answers_in(stream):
                self._put(answer)
        self._put(None)

    def _answers_in(self, stream: IO[bytes]) -> Iterator[bytes]:
        while line := stream.readline(self.longest_line):
            self._remember(line)
            is_too_long = len(line) == self.longest_line
            if is_too_long:
                self._flooded = True
            is_whole = line.endswith(b"\n")  # half a line, before the program dies, is no answer
            if is_whole or self._flooded:  # in a flood any line will do, to wake whoever waits
                yield line

    def _take_words(self, stream: IO[bytes]) -> None:
        """Remember how each line of the error stream begins, however long it is."""
        begins_line = True
        with stream:
            while piece := stream.readline(_PIECE):
                if begins_line:
                    self._remember(piece)
                begins_line = piece.endswith(b"\n")

    def _remember(self, line: bytes) -> None:
        """Keep of its last words as much as a message may repeat."""
        beginning = _stripped_text(line[:_PIECE])[:_MAX_WORDS_LENGTH]
        if beginning:
            self._last_lines.append(beginning)

    def _put(self, answer: bytes | None) -> None:
        try:
            self._answers.put_nowait(answer)
        except queue.Full:
            self._flooded = True

    @property
    def last_words(self) -> str:
        """The end of what it wrote, for a message; empty if it wrote nothing."""
        if not self._last_lines:
            return ""
        return f"; it said last: {shown(' / '.join(self._last_lines), _MAX_WORDS_LENGTH)}"

    # Questions and answers --------------------------------------------------------------------------------------------

    def write(self, line: str) -> None:
        """Send a line. Raises EngineTerminatedError."""
        self._send(line.encode() + b"\n")

    def _send(self, message: bytes) -> None:
        if self._is_of_fork():
            raise self.ended()
        try:
            self._stdin.write(message)
            self._stdin.flush()
        except (OSError, ValueError):
            raise self.ended() from None

    def close_input(self) -> None:
        """Tell it that no more lines will come."""
        with suppress(OSError, ValueError):
            self._stdin.close()

    def read(self, deadline: Deadline | None) -> str:
        """The next line that it writes.

        Raises EngineTimeoutError if none comes in time, EngineTerminatedError if it has ended, and EngineReplyError if
        it writes without end.
        """
        return _stripped_text(self._answer(deadline))

    def _answer(self, deadline: Deadline | None) -> bytes:
        answer = self._next_answer(deadline)
        if self._flooded:
            raise self.flooded()
        if answer is None:
            self._put(None)  # so that the next one who asks is told too
            raise self.ended()
        return answer

    def _next_answer(self, deadline: Deadline | None) -> bytes | None:
        """The next answer, or None if it has ended, even if a child that left its group keeps the pipe open."""
        if self._is_of_fork():
            raise self.ended()
        while True:
            # asked before we wait, so that what it wrote before its end is taken
            has_ended = self._process.poll() is not None
            left = seconds_left(deadline)
            timeout = _SECONDS_TO_LOOK if left is None else min(left, _SECONDS_TO_LOOK)
            try:
                return self._answers.get(timeout=timeout)
            except queue.Empty:
                if has_ended:
                    return None
                if deadline is not None and left == 0:
                    raise self.late(deadline) from None

    def until(self, *beginnings: str, deadline: Deadline | None) -> list[str]:
        """The lines up to one that begins with one of these texts, and that one. Raises as `read`."""
        lines: list[str] = []
        characters = 0
        while len(lines) < self.most_lines and characters < self.most_bytes:
            line = self.read(deadline)
            lines.append(line)
            characters += len(line)
            if line.startswith(beginnings):
                return lines
        raise self.flooded()

    def forget(self) -> None:
        """Drop the lines that nobody has read, and its last words so far."""
        if self._is_of_fork():
            return
        self._last_lines.clear()
        with suppress(queue.Empty):
            while True:
                answer = self._answers.get_nowait()
                if answer is None:  # it has ended, which is to be read later
                    self._put(None)
                    return

    def flooded(self) -> EngineReplyError:
        return EngineReplyError(f"{self.who}: it writes without end{self.last_words}")

    def late(self, deadline: Deadline) -> EngineTimeoutError:
        """The error if it has not answered until then."""
        return EngineTimeoutError(
            f"{self.who}: it did not answer within {deadline.seconds:g} seconds{self.last_words}"
        )

    def ended(self) -> EngineError:
        """The error if it has ended, or is not ours."""
        if self._is_of_fork():
            return EngineTerminatedError(
                f"{self.who}: another process started it, of which this one is a fork: start it here as well"
            )
        for thread in self._threads:
            thread.join(_SECONDS_FOR_LAST_WORDS)  # they are still being read
        return EngineTerminatedError(f"{self.who}: it has ended{self.last_words}")

    # Its end ----------------------------------------------------------------------------------------------------------

    def _is_of_fork(self) -> bool:
        """Whether this process is a fork of the one that started the program, and so must leave it alone."""
        return self._owner != os.getpid()

    def _give_up_pipes(self) -> None:
        """In a fork, give up its pipes: the program is to notice when the process ends that started it."""
        abandon(self._stdin, self._process.stdout, self._process.stderr, self._lifeline)

    def kill(self) -> None:
        """End the program at once; this may be called from another thread, and more than once."""
        if self._is_of_fork():
            return
        if self._lifeline is None:
            self._process.kill()
            return
        # a line has the shell end the program; that the pipe closes is not enough, since another copy of us may have it
        # open: a fork that Python does not know of
        # OSError: the shell has ended; ValueError: this was done before
        with suppress(OSError, ValueError), self._lifeline:
            self._lifeline.write(b"\n")
        self._send_to_group("SIGCONT")  # the program may have stopped the shell

    def _send_to_group(self, name: str) -> None:
        """Send a signal to the shell, the program and all that they have started, unless the shell has ended."""
        if self._lifeline is not None and self._process.returncode is None:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.Signals[name])

    def close(self) -> None:
        """Close its input, and kill it if that does not end it. Afterward nothing of it is left."""
        if self._is_of_fork():
            return
        self.close_input()
        deadline = deadline_in(_SECONDS_TO_END)
        reader = self._threads[0]  # of its answers
        while reader.is_alive() and self._process.poll() is None and seconds_left(deadline):
            reader.join(0.05)
        self._kill_and_wait()
        deadline = deadline_in(_SECONDS_TO_END)
        for thread in self._threads:
            # it ends unless a child that left the group holds the pipe
            thread.join(seconds_left(deadline))

    def _kill_and_wait(self) -> None:
        self.kill()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:  # the shell is stopped again and again
            self._send_to_group("SIGKILL")
            self._process.wait()

    def _end_without_threads(self) -> None:
        """End the program though not all of the threads run that would close its streams."""
        self.close_input()
        self._kill_and_wait()
        outputs = self._process.stdout, self._process.stderr
        for stream in outputs[len(self._threads) :]:
            if stream is not None:
                stream.close()


def _stripped_text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip("\r\n\0 ")


@frozen
class Deadline:
    """When an answer must be there: so many seconds after the question, and the time then, by the monotonic clock."""

    seconds: float
    time: float


def deadline_in(seconds: float | None) -> Deadline | None:
    """The time at which so many seconds will have passed; None for never."""
    return None if seconds is None else Deadline(seconds, time.monotonic() + seconds)


def seconds_left(deadline: Deadline | None) -> float | None:
    """The seconds until a deadline; None for as long as it takes."""
    return None if deadline is None else max(0.0, deadline.time - time.monotonic())


def start_thread(who: str, thread: threading.Thread) -> None:
    """Start a thread; `who` says whose it is. Raises EngineStartError."""
    try:
        thread.start()
    except RuntimeError as error:  # a subinterpreter has no such threads, or there are too many
        raise EngineStartError(
            f"{who}: Python starts no thread for it ({error}):"
            " start it in the main interpreter, or end other threads first"
        ) from error


def has_python() -> bool:
    """Whether there is a Python to be started: the executable of a frozen application is the application."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


@cache
def _can_adopt(executable: str) -> bool:
    """Whether this runs `_ADOPTING`: where Python is embedded, it may be any program, or a Python without its files."""
    word = "adopted"
    try:
        tried = subprocess.run(  # noqa: S603 - it is our own executable
            [executable, "-I", "-S", "-c", _ADOPTING, "/bin/sh", "-c", f"echo {word}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS_TO_TRY,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return tried.stdout == f"{word}\n".encode()


def in_a_line(text: str) -> str:
    """The beginning of a text as part of a line."""
    return printable(text[:60], "?")


def check_that_it_is_there(who: str, program: str) -> None:
    """Raise EngineStartError if there is no such program; `who` says whose it is."""
    if shutil.which(program) is not None:
        return
    name = shown(program, 60)
    if os.path.isfile(program):  # noqa: PTH113 - it is a stranger's text
        why = f"{name} is a file, but cannot be started: is it executable, and named with its folder (./)?"
    else:
        why = f"there is no program {name}"
    raise EngineStartError(f"{who}: {why}")
