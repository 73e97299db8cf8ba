"""Write every file that is generated, in the order of their dependencies.

    python generate.py [--check] [NAME...]

Each name is a module in `generators/`, whose function `files` returns the files with their new content. Without a name
all of them run. With `--check` nothing is written: each file that is out of date is an error, which names the command.
A module that needs a tool says which one is missing, and is left out unless you name it. The last line of a check names
the modules that were left out.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError
from types import ModuleType

ROOT = Path(__file__).resolve().parent
NAMES = (
    "schemas",
    "python_lists",
    "c_names",
    "typescript",
    "conformance_names",
    "page_lists",
    "board_views",
    "compiled_rules",
    "scripts",
    "example_page",
    "command_pages",
    "decision_columns",
    "api_page",
    "kinds_page",
    "findings_page",
    "layers",
    "architecture_page",
    "tests_page",
    "pictures",
    "speed",
)
"""Each module may read what those before it have written."""

sys.path.insert(0, str(ROOT / "generators"))


def chosen(names: list[str], left_out: list[str]) -> Iterator[tuple[str, ModuleType]]:
    """The modules with these names, or all whose tools are installed; the names of the others go to `left_out`."""
    for name in NAMES:
        if names and name not in names:
            continue
        module = importlib.import_module(name)
        missing = module.missing() if hasattr(module, "missing") else None
        if not missing:
            yield name, module
        elif names:
            raise SystemExit(f"{name} needs {missing}")
        else:
            left_out.append(name)
            print(f"left out: {name} needs {missing}")


def stale_files(module: ModuleType) -> dict[Path, bytes | None]:
    """The new content of each file that is out of date; None for a file that has to be removed."""
    stale: dict[Path, bytes | None] = {}
    for path, content in module.files().items():
        new = content.encode() if isinstance(content, str) else content
        old = path.read_bytes() if path.exists() else None
        if old != new:
            stale[path] = new
    return stale


def write(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write every file that is generated.")
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a file is out of date")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(NAMES)}")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"unknown name {unknown[0]!r}; expected one of: {', '.join(NAMES)}")
    is_stale = False
    left_out: list[str] = []
    for name, module in chosen(options.names, left_out):
        try:
            stale = stale_files(module)
        except CalledProcessError as error:  # it has told what is wrong
            raise SystemExit(f"{name} failed: {' '.join(map(str, error.cmd))}") from None
        for path, content in stale.items():
            place = path.relative_to(ROOT).as_posix()
            is_stale = True
            if options.check:
                print(f"{place} is out of date: run `python generate.py {name}`", file=sys.stderr)
            else:
                write(path, content)
                print(place)
    if options.check and left_out:
        parts = "1 part was" if len(left_out) == 1 else f"{len(left_out)} parts were"
        print(f"{parts} not checked: {', '.join(left_out)}")
    if options.check and is_stale:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
