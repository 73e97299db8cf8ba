"""`gammonrules bench` asks a program that ends."""

from __future__ import annotations

import sys
from pathlib import Path

from test_bench_command import BOT, DATA, NOTHING

import commands
import loop


@loop.rows("number", 0, 3)
def test_a_program_that_dies(number: int, tmp_path: Path) -> None:
    """Why is said once; the answer again, if there is one."""
    path = tmp_path / "bot.py"
    path.write_text(BOT.replace("[[24, 1]]", f'[[24, 1]] if answer["id"] <= {number} else sys.exit(1)'))
    bot = f"program:{sys.executable} {path.as_posix()}"
    done = commands.run("bench", bot, "--data", DATA)
    assert (done.exit_code, done.stderr.count("it could not be asked any more: ")) == (2, 1)
    assert "it could not be asked" not in done.stdout
    *_, heading, last = done.stdout.splitlines()
    assert heading.endswith(": losses in thousandths of a point") is last.startswith("  plays  ") is (number > 0)
    xml = commands.run("bench", bot, "--data", DATA, "--junit=-").stdout
    assert xml.count("ended") == 1
    compared = commands.run("bench", "bots:first", "--against", bot, "--data", DATA, "--worst", 0)
    assert compared.stdout.startswith("how much more" if number else NOTHING)
    assert (compared.stdout + compared.stderr).count("it could not be asked any more: ") == 1
