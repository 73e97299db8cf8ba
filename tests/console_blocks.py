"""The commands of the pages, run as they stand: `python console_blocks.py` in a folder with README.md and docs.

It needs the installed package and nothing of a clone, so `.ci/test-pages` copies it to where there is none. The blocks
of a page run one after another in a folder of their own, which begins as BEGIN says, with the files that the page shows
under their names. Where a page shows what a command prints, it must print that; else it must succeed. LEFT_OUT lists by
its reason what cannot run so.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import NamedTuple

LEFT_OUT = {
    "the environment has it already": {"docs/install.md": ["git clone", "python -m venv"]},
    "a server that stays, or asks one": {
        "docs/how-to/an-api-of-your-own.md": ["uvicorn", "python > state.json"],
        "docs/how-to/archive-to-table.md": ["jupyter lab"],
        "docs/how-to/build-a-board-ui.md": ["python examples/clickable_board.py"],
        "docs/how-to/your-own-server.md": ["uvicorn", "sqlite3", "rm tables.sqlite", "useradd", "systemctl"],
        "docs/tutorials/archive.md": ["jupyter lab"],
        "docs/tutorials/bot.md": ["jupyter lab"],
        "docs/reference/board.md": ["npm install ws"],
        "docs/tutorials/tour.md": ["jupyter lab"],
    },
    "a person at a terminal": {
        "docs/how-to/terminal-game.md": ["python examples/terminal/play.py"],
        "docs/tutorials/hypergammon.md": ["python examples/terminal/play.py"],
        "docs/how-to/analyze-matches.md": ["gammonrules report examples/matches/galaxy"],
        "docs/reference/command/report.md": ["gammonrules report examples/matches/galaxy"],
    },
    "the network": {
        "docs/how-to/an-api-of-your-own.md": ["npm install"],
        "docs/how-to/archive-to-table.md": ["archive="],
        "docs/how-to/tutor-for-a-language-model.md": ["npx"],
        "docs/reference/json.md": ["python -c"],
    },
    "other machines": {"docs/how-to/scale.md": ["python examples/", "find analyzed"]},
    "GNU Backgammon": {
        "docs/reference/benchmark.md": ["gammonrules bench bgsage:1"],
        "docs/reference/command/arena.md": ["gammonrules arena bgsage:1 gnubg:1"],
    },
    "minutes of an engine or of training": {
        "docs/how-to/analyze-matches.md": ["gammonrules analyze examples/matches/galaxy"],
        "docs/how-to/train-a-bot.md": ["python examples/td_gammon.py"],
        "docs/reference/hypergammon.md": ["gammonrules hypergammon solve"],
    },
    "a program that breaks a rule": {"docs/reference/command/conform.md": ["gammonrules conform"]},
    "a clone": {"README.md": ["python -m pytest"]},
    "a clone, until the npm package is in the registry": {"docs/reference/board.md": ["npm --prefix web ci"]},
}
"""By reason and page: how the first command of each block begins that does not run."""
BEGIN = "gammonrules examples"
"""What each folder begins with."""
INSTALLATION = re.compile(r"python -m pip install [^&]*?(?:&& |$)")


class Block(NamedTuple):
    """Commands of a page."""

    page: str
    line: int
    commands: str
    """As a shell reads them, without those that install: that has been done."""
    printed: str
    """What the page says they print, if it does."""

    @property
    def place(self) -> str:
        """As editors find it."""
        return f"{self.page}:{self.line}"


def blocks(root: Path, page: Path) -> Iterator[Block]:
    """Those of a page that do more than install."""
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(r"(?ms)^( *)```console\n(.*?)^\1```$", text):
        commands, printed = _apart(re.sub(rf"(?m)^{fence[1]}", "", fence[2]))
        if commands:
            line = text[: fence.start()].count("\n") + 1
            yield Block(page.relative_to(root).as_posix(), line, commands, printed)


def shown_files(page: Path) -> dict[str, str]:
    """Files whose content a page shows, by the name above it; one may be shown in parts."""
    files: dict[str, str] = {}
    text = page.read_text(encoding="utf-8")
    for name, content in re.findall(r'(?ms)^```\w+ title="([\w.]+)"\n(.*?)^```$', text):
        files[name] = files.get(name, "") + content
    return files


def pages(root: Path) -> list[Path]:
    """All but those for who changes the library, in a clone."""
    docs = sorted(root.glob("docs/**/*.md"))
    return [root / "README.md", *(page for page in docs if root / "docs/development" not in page.parents)]


def _apart(text: str) -> tuple[str, str]:
    """What is typed, and what is printed: where a block shows both, `$` stands before what is typed."""
    typed, printed = text, ""
    if text.startswith("$ "):
        is_typed = r"(?m)^\$ (?:.*\\\n)*.*\n"
        typed = re.sub(r"(?m)^\$ ", "", "".join(re.findall(is_typed, text)))
        printed = re.sub(is_typed, "", text)
    lines = [INSTALLATION.sub("", line) for line in re.split(r"(?<!\\)\n", typed)]
    return "".join(f"{line}\n" for line in lines if line), printed


def why_not(block: Block) -> str | None:
    """The reason for which it is left out."""
    for reason, beginnings in LEFT_OUT.items():
        if block.commands.startswith(tuple(beginnings.get(block.page, ()))):
            return reason
    return None


def fault(block: Block, folder: Path) -> str | None:
    """What it prints, if something goes wrong when it runs there."""
    code, printed = _run(block.commands, folder)
    if block.printed:
        is_right = OutputChecker().check_output(block.printed, printed, ELLIPSIS | NORMALIZE_WHITESPACE)
    else:
        is_right = code == 0
    return None if is_right else f"exit code {code}\n{printed}"


def _run(commands: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _main() -> int:
    root = Path.cwd()
    ran, failed, left_out = 0, 0, Counter[str]()
    for page in pages(root):
        of_page = list(blocks(root, page))
        left_out.update(filter(None, map(why_not, of_page)))
        to_run = [block for block in of_page if why_not(block) is None]
        faults = _faults(to_run, shown_files(page))
        print(*faults, sep="\n", end="", flush=True)
        ran += len(to_run)
        failed += len(faults)
    print(f"{ran} console blocks ran, {failed} failed, {left_out.total()} left out:")
    for reason, count in left_out.items():
        print(f"{count:3} {reason}")
    return 1 if failed else 0


def _faults(of_page: list[Block], files: dict[str, str]) -> list[str]:
    """What goes wrong in those of a page, in a new folder."""
    if not of_page:
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "folder")  # some write beside it
        folder.mkdir()
        code, printed = _run(BEGIN, folder)
        assert code == 0, printed
        for file, content in files.items():
            (folder / file).write_text(content, encoding="utf-8")
        return [f"{block.place}: {wrong}\n" for block in of_page if (wrong := fault(block, folder))]


if __name__ == "__main__":
    sys.exit(_main())
