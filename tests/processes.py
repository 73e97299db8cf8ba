"""Programs that a test starts: as fresh as from a terminal, and bounded in time and memory.

A process inherits the signals that its parent ignores: a shell without job control starts `pytest &` with Ctrl-C
ignored, and a child that a test wants to interrupt would then run forever. So every child begins here, sets its
signals and limits, and becomes the program (`execv`: it keeps its process id and its limits). Tests start nothing in
another way.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

IS_POSIX = os.name == "posix"
MEGABYTE = 1 << 20


def bounded(command: Sequence[object], seconds: float, megabytes: int) -> list[str]:
    """The command line that runs this one with fresh signals, and within these limits where the system has them."""
    plain = [os.fspath(part) if isinstance(part, os.PathLike) else str(part) for part in command]
    # -I and -S: nothing is loaded that the launcher does not need, so that it costs a few milliseconds.
    return [sys.executable, "-I", "-S", __file__, str(seconds), str(megabytes), *plain] if IS_POSIX else plain


def run(
    *command: object, seconds: float = 120, megabytes: int = 2048, check: bool = True, text: bool = True, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Wait for the program, as `subprocess.run` does; it is ended when its time is over."""
    wanted = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE) | {"stdin": subprocess.DEVNULL, **options}
    done = subprocess.run(bounded(command, seconds, megabytes), check=False, text=text, timeout=seconds + 10, **wanted)
    assert not check or done.returncode == 0, done.stderr
    return done


@contextmanager
def running(
    *command: object, seconds: float = 120, megabytes: int = 2048, **options: Any
) -> Iterator[subprocess.Popen[str]]:
    """A program in its own process group; nothing of it is left when the block ends, however it ends."""
    wanted = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE) | {"stdin": subprocess.DEVNULL, **options}
    process = subprocess.Popen(bounded(command, seconds, megabytes), text=True, start_new_session=True, **wanted)
    try:
        yield process
    finally:
        end(process)


def free_port() -> int:
    """A port for a server that must be told one, where others cannot take it; who can say its own takes port 0."""
    import atexit  # noqa: PLC0415  the launcher does without
    import socket  # noqa: PLC0415

    kept = socket.socket()
    kept.bind(("127.0.0.1", 0))
    port = int(kept.getsockname()[1])
    if sys.platform == "linux":  # only a server listens there, since servers take addresses that are in use
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        atexit.register(kept.close)
    else:
        kept.close()
    return port


@contextmanager
def serving(port: int, *command: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program that runs as in `running`, once it answers at this port."""
    import socket  # noqa: PLC0415  the launcher does without

    with running(*command, **options) as process:
        deadline = time.monotonic() + 30
        while True:
            with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)):
                break
            assert process.poll() is None, process.stderr and process.stderr.read()
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)
        yield process


def end(process: subprocess.Popen[str]) -> None:
    """Kill the program with all that it has started, and take what is still in its pipes."""
    if IS_POSIX:
        with suppress(ProcessLookupError, PermissionError):  # macOS does not permit to signal the dead
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait(timeout=60)


def is_alive(process: int) -> bool:
    """Whether this process runs; whose parent has not asked how it ended does not."""
    from pathlib import Path  # noqa: PLC0415  the launcher does without

    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text("latin-1").split()[2] != "Z" if Path("/proc").exists() else True
    except (ProcessLookupError, FileNotFoundError, PermissionError):  # macOS does not permit to signal the dead
        return False


def children() -> list[str]:
    """The processes that this one has started and not yet ended, where the system tells."""
    from pathlib import Path  # noqa: PLC0415  the launcher does without

    started = list[str]()
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(FileNotFoundError):  # of a thread that has ended since it was listed
            started += path.read_text().split()
    return started


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def become(seconds: float, megabytes: int, command: list[str]) -> None:
    """Take the signals of a fresh process and the limits, then turn into the program."""
    import resource  # noqa: PLC0415  POSIX only

    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.setitimer(signal.ITIMER_REAL, seconds)  # the system ends the program, even if the test is gone
    # Only Linux counts all of the data; AddressSanitizer reserves terabytes of it.
    if sys.platform == "linux" and "libasan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)
    os.execvp(command[0], command)


if __name__ == "__main__":
    become(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
