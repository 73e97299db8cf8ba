"""What several commands say of a folder with files that cannot be read."""

from __future__ import annotations

from pathlib import Path

from test_folders import LINES, closed_folder, folder_with, run

import loop

__all__ = ["closed_folder"]


def test_the_same_sentence(game: Path) -> None:
    folder = folder_with(game)
    said = {}
    for line in LINES:
        if line.startswith(("cards", "find", "openings", "report")):
            lines = run(line, folder).stderr.splitlines()
            said[line] = sorted(text for text in lines if ": skipped: " in text)
    assert {len(texts) for texts in said.values()} == {4}  # with the notes
    assert len({tuple(texts) for texts in said.values()}) == 1


@loop.rows(
    ("line", "most"),
    ("cards {} -o deck.apkg --error 0.01", 20),
    ("report {} -o page.html --workers 1", 20),
    ("openings {} -o page.html", 2 * 3 + 3),
    ("find turn>0 {}", 2 * 3 + 3),
)
def test_of_many_files_the_first_are_named_and_all_are_counted(line: str, most: int, game: Path) -> None:
    """The first of all, or of each reason: two reasons here have many files, three have one."""
    folder = folder_with(game, name=f"for {line.partition(' ')[0]}")
    for number in range(30):
        (folder / f"{number}.bin").write_bytes(b"" if number % 2 else b"-")
    said = run(line, folder).stderr
    named = said.count(": skipped: ")
    (more,) = [int(text.split()[1]) for text in said.splitlines() if text.endswith("more files skipped")]
    assert named == most
    assert named + more == 34
