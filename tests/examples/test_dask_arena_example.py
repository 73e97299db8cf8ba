"""The example that plays an arena on a cluster: the games of one process, whatever happens on the way.

It needs the extra `dask`: `python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from test_dask_example import MISSING, cluster, end, starting, wait_until

from gammonrules import arena

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAYERS = ["bot:choose", "colors:dark", "colors:light"]
COLORS = """
from gammonrules import arena
dark = arena.Policy(lambda turns, rng: turns.best(turns.random()))
light = arena.Policy(lambda turns, rng: turns.best((turns.points > 1).sum(axis=1)))
"""


def test_a_worker_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two is killed while it plays: all is as in one process, and in two, also if it is taken up there."""
    (tmp_path / "colors.py").write_text(COLORS)
    for folder in (EXAMPLES, tmp_path):
        monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", f"{EXAMPLES}:{tmp_path}")
    saved = tmp_path / "saved"
    folders = [tmp_path / name for name in ("dask", "one", "two")]

    def records(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.glob("*.mat")}

    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        options = ["--games", "12", "--length", "3", "--records", folders[0], "--save", saved, "--scheduler", address]
        with starting(EXAMPLES / "arena_on_dask.py", *PLAYERS, *options) as run:
            wait_until(lambda: len(records(folders[0])) >= 4)
            workers[0].kill()
            assert len(records(folders[0])) < 36
            code, printed, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert code == 0, shown
    one, two = (
        arena.play(PLAYERS, games=12, length=3, records=folder, jobs=jobs)
        for jobs, folder in enumerate(folders[1:], start=1)
    )
    assert one == two
    assert printed == f"{one}\n"
    assert records(folders[0]) == records(folders[1]) == records(folders[2])
    assert len(records(folders[0])) == 36
    saved.write_bytes(b"".join(saved.read_bytes().splitlines(keepends=True)[:8]))
    assert arena.play(PLAYERS, games=12, length=3, save=saved, jobs=1) == one
