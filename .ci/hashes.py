"""The files of a release, by their hashes: `python .ci/hashes.py FOLDER` prints them, in the jobs that build.

Where they are checked and published, `python .ci/hashes.py FOLDER 26 <LINES` fails unless there are 26 such lines, and
the folder has just these files.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path


def hashes(folder: Path) -> list[str]:
    """As `sha256sum` writes them."""
    return [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(folder.iterdir())]


def wrong(here: list[str], built: list[str], number: int) -> list[str]:
    """Why the files that are here are not those that were built, in a line each."""
    said = [f"was not built: {line}" for line in here if line not in built]
    said += [f"is not here: {line}" for line in built if line not in here]
    return said if len(built) == number else [f"{number} files were to be built, not {len(built)}", *said]


def lines_of(text: str) -> list[str]:
    """Those that are not blank, as where a job that built nothing has an empty output."""
    return [line for line in text.splitlines() if line.strip()]


def main(folder: str, number: str = "") -> None:
    here = hashes(Path(folder))
    if not number:
        sys.stdout.reconfigure(newline="\n")  # type: ignore[union-attr]  # on Windows, too
        print("\n".join(here))
    elif said := wrong(here, lines_of(sys.stdin.read()), int(number)):
        sys.exit("\n".join(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
