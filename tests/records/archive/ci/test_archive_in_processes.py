"""Archives of records that are read in several processes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import in_workers
from gammonrules.records import ScanEntry, scan
from gammonrules.records.archive.source_files import Source, for_each, sources

DATA = Path(__file__).parents[3] / "data" / "matches"


class TestWorkers:
    def test_few_large_files_are_shared(self, tmp_path: Path) -> None:
        for number in range(2):
            (tmp_path / str(number)).write_bytes(bytes(600_000))
        files = [Source(str(path)) for path in sorted(tmp_path.iterdir())]
        assert len(set(for_each(in_workers.busy, files, in_workers.lost, workers=2))) == 2

    @pytest.mark.usefixtures("few_are_shared")
    def test_the_same_with_any_number_of_processes_and_in_threads(self) -> None:
        folders = DATA / "endings", DATA / "broken"
        alone = list(scan(*folders, workers=1))
        assert [entry.path for entry in alone] == [source.path for source in sources(*folders)]
        scans: list[list[ScanEntry]] = []
        threads = [threading.Thread(target=lambda: scans.append(list(scan(*folders, workers=2)))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert scans == [alone] * 2
