"""`gammonrules evaluate` where neither NumPy nor an engine is installed."""

from __future__ import annotations

import sys

import pytest
from test_evaluate import OPENING, run

import processes
import wording
from gammonrules import KERNEL

pytestmark = pytest.mark.usefixtures("real_bgsage")


def evaluated_alone(state: str) -> str:
    """What is printed of the best play where neither NumPy nor bgsage is installed."""
    blocked = "import sys; sys.modules['numpy'] = sys.modules['bgsage'] = None; from gammonrules.engine import _bgsage"
    missing = "from gammonrules.engine import _factory; _factory.find_spec = lambda _: None"
    program = f"{blocked}; _bgsage.installed = lambda: ''; {missing}; from gammonrules.cli import main; main()"
    return processes.run(sys.executable, "-c", program, "evaluate", state, "--limit", 1).stdout


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
def test_it_needs_no_engine_and_no_numpy() -> None:
    """With the command's own extra alone, selftaught answers; and it does by its name."""
    *named, advice = evaluated_alone(OPENING.xgid).splitlines()
    assert named == run(OPENING.xgid, "--limit", 1, "--engine", "selftaught").stdout.splitlines()
    assert named[-2:] == ["Engine: selftaught 4", "Level: 2-ply"]
    wording.check(advice, "bgsage", "selftaught", "pip install")


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
def test_the_last_rolls_need_no_numpy() -> None:
    """They are those of a table; 3/off 2/1 loses 0.93."""
    printed = evaluated_alone("XGID=-ABA--------------------c-:3:1:1:41:0:0:0:5:10")
    assert "1. 3/off 1/off" in printed
    assert "Engine: selftaught 4" in printed
