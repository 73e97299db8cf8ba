"""Check that the modules and programs that a benchmark needs are installed, before it measures anything."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

INSTALL = 'python -m pip install -e ".[engine,environments,tables]" -r benchmarks/requirements.txt'
KERNEL = "gammonrules.board._kernel"
MAKEBEAROFF = shutil.which("makebearoff") or "/usr/games/makebearoff"
"""GNU Backgammon's program that computes bear-off tables."""

NEXT_STEPS = {
    KERNEL: "install a C compiler, and gammonrules again",
    MAKEBEAROFF: "install GNU Backgammon; Debian's package is gnubg",
}
"""What to do without a kernel or a program; Python's modules come with `INSTALL`."""


def check_installed(needed: Iterable[str], advice: str = "") -> None:
    """End the program with one message if a module, or a program given by its path, is missing."""
    missing = [name for name in needed if not is_installed(name)]
    if not missing:
        return
    steps = dict.fromkeys(NEXT_STEPS.get(name, f"run {INSTALL}") for name in missing)
    raise SystemExit("\n".join([f"not installed: {', '.join(missing)}", *steps, *filter(None, [advice])]))


def is_installed(name: str) -> bool:
    """Whether a module, or a program given by its path, is there."""
    if "/" in name:
        return Path(name).exists()
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a module above it
        return False
