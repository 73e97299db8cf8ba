"""`gammonrules examples`: the records, programs and notebooks that the documentation names."""

from __future__ import annotations

import os
from pathlib import Path

import click

from gammonrules.cli.usage_errors import Refused
from gammonrules.values import counted

_FOLDER = Path("examples")
_ALREADY_THERE = "examples exists here already"


@click.command
def examples() -> None:
    """Write the folder `examples` here: records and programs.

    Every command in the documentation that names `examples/` then works as it stands. If its
    files are there already, unchanged, nothing is written.
    """
    from gammonrules.cli.example_files import installed_files

    files = installed_files()
    if files is None:
        raise Refused("this installation has no examples")
    try:
        if os.path.lexists(_FOLDER):  # also a link to nothing
            _refuse_changed_files(files)
            done = "is there already"
        else:
            _write_folder(files)
            done = "is written"
    except OSError as error:
        raise Refused(f"examples cannot be written: {error.strerror or error}") from None
    click.echo(f"examples {done}: {counted(len(files), 'file')}")


def _refuse_changed_files(files: dict[str, bytes]) -> None:
    if not _FOLDER.is_dir():
        raise Refused(f"{_ALREADY_THERE}, and is no folder: nothing is written")
    for name, content in files.items():
        path = _FOLDER / name
        if not path.is_file() or path.read_bytes() != content:
            raise Refused(
                f"{_ALREADY_THERE}, and {name} in it is missing or changed: nothing is written"
            )


def _write_folder(files: dict[str, bytes]) -> None:
    """All of them, or nothing: the folder gets its name when it is complete."""
    import shutil

    unfinished = _FOLDER.with_name(f".gammonrules-{os.urandom(8).hex()}.unfinished")
    try:
        for name, content in files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if os.path.lexists(_FOLDER):  # it appeared meanwhile
            raise Refused(_ALREADY_THERE)
        unfinished.rename(_FOLDER)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
