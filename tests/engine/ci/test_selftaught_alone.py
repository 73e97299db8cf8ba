"""selftaught in a process of its own, without other libraries or without the kernel."""

from __future__ import annotations

import sys

import pytest

import processes
import wording
from gammonrules import KERNEL
from gammonrules.engine import EngineStartError

pytestmark = pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")


BARE = """
import sys
sys.modules["numpy"] = sys.modules["bgsage"] = None
from gammonrules import MatchState
import gammonrules.engine._bgsage as bgsage
bgsage.installed = lambda: ""
from gammonrules.engine import SimpleEngine
state = MatchState.new(7).opening_roll(white=3, black=1)
engines = [SimpleEngine.open("selftaught", 1), SimpleEngine.open("selftaught", 2), SimpleEngine.default()]
for engine in engines:
    print(engine.name, engine.level, engine.decide(state).argument)
"""


def test_it_needs_attrs_alone() -> None:
    """Without NumPy and bgsage it plays, and answers where nobody is named."""
    said = processes.run(sys.executable, "-c", BARE).stdout.splitlines()
    assert said == [f"selftaught 4 {level}-ply 8/5 6/5" for level in (1, 2, 2)]


def test_without_the_kernel_it_does_not_start() -> None:
    program = "from gammonrules.engine import SimpleEngine; SimpleEngine.selftaught()"
    failed = processes.run(
        sys.executable,
        "-c",
        program,
        check=False,
        env={"GAMMONRULES_PURE_PYTHON": "1", "PYTHONPATH": ":".join(sys.path)},
    )
    error, sentence = failed.stderr.splitlines()[-1].split(": ", 1)
    assert error.endswith(EngineStartError.__name__)
    wording.check(sentence, "selftaught", "kernel")
