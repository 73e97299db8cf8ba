"""The command `gammonrules`, called in this process, and as a program."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result, _NamedTextIOWrapper

import gammonrules.cli
from gammonrules import ROLLS, Position
from gammonrules._shared.work import Workers
from gammonrules.cli.app import app
from gammonrules.engine._bgsage import Bgsage, _played_board
from gammonrules.engine._races import ExactRaces

PROGRAM = [sys.executable, "-c", "from gammonrules.cli import main; main()"]
NO_LUCK = "gammonrules.engine._bgsage.Bgsage.roll_equities", lambda *_: dict.fromkeys(ROLLS, 0.0)
"""What a test puts in the place of the luck, which takes most of an analysis."""
WORTH = {
    "probs": SimpleNamespace(win=0.5, gammon_win=0.1, backgammon_win=0.0, gammon_loss=0.1, backgammon_loss=0.0),
    "cubeful_equity": 0.0,
    "equity_nd": 0.0,
    "equity_nd_se": None,
    "equity_dt": 0.5,
    "equity_dt_se": None,
}


def answering_at_once(patch: pytest.MonkeyPatch) -> None:
    """bgsage counts blots, at whatever level it is asked: for tests of messages, which repeat no number."""

    def answer(engine: Bgsage, method: str, board: list[int], *dice: int, **_: object) -> SimpleNamespace:
        if method != "checker_play":
            return SimpleNamespace(**WORTH)
        plays = Position.from_points([-board[0], *board[1:]]).legal_plays(dice)
        boards = sorted((_played_board(play.position) for play in plays), key=lambda board: board.count(1))
        level = {"eval_level": str(engine.level), "std_error": None}
        moves = [SimpleNamespace(board=board, equity=-board.count(1), **level, **WORTH) for board in boards]
        return SimpleNamespace(moves=moves)

    patch.setattr(Bgsage, "_ask", answer)
    patch.setattr(*NO_LUCK)
    patch.setattr(ExactRaces, "roll_equities", NO_LUCK[1])  # of each roll it would solve a race


def in_this_process(patch: pytest.MonkeyPatch) -> None:
    """A single job, and an engine that rolls out, have no process of their own."""

    def here(workers: int | None, *, apart: bool) -> Workers:
        return Workers(workers)

    patch.setattr("gammonrules.arena._run.Workers", here)
    patch.setattr("gammonrules.engine._factory.OwnProcess", lambda driver, _: driver)


def run(*arguments: object, **environment: str) -> Result:
    """As click runs it: no error is left but the end of the program."""
    result = CliRunner(env=environment).invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def at_terminal(patch: pytest.MonkeyPatch, answers: str, *arguments: object) -> Result:
    """As `run`, by somebody at a terminal who answers what is asked."""
    with patch.context() as terminal:
        terminal.setattr(_NamedTextIOWrapper, "isatty", lambda stream: stream.name == "<stdin>")
        return CliRunner().invoke(app, [str(argument) for argument in arguments], answers)


def refused(*arguments: object, says: str | tuple[str, ...]) -> None:
    """It ends with status 2, prints nothing, and says this where errors go."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [words for words in ([says] if isinstance(says, str) else says) if words not in result.stderr] == []


def files_in(folder: Path) -> list[str]:
    """All of them, by their paths from there."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def main(*arguments: object, encoding: str = "utf-8") -> tuple[int, bytes, str]:
    """As the program runs it: its exit status, and what it has written to standard output and to standard error."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding, newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setattr(sys, "argv", ["gammonrules", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            gammonrules.cli.main()
    for stream in (output, errors):
        stream.flush()
    return ended.value.code, output.buffer.getvalue(), errors.buffer.getvalue().decode(encoding, "replace")


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may have more bytes; on Linux only."""
    import resource  # noqa: PLC0415

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_nothing = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python itself would leave half a .pyc file of a module that is imported meanwhile
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        sys.dont_write_bytecode = writes_nothing
