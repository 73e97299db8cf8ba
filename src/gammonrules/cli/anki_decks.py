"""Decks for Anki: an .apkg file is a ZIP archive of a database and pictures, here with tables of version 11.

Every Anki since 2012 reads these, and adds what its own version has besides.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from attrs import frozen

from gammonrules.cli.usage_errors import Refused

_MARK: Final = "gammonrules"
"""The name of the first file in the archive, which is empty."""
_NOTE: Final = "INSERT INTO notes (id, guid, mod, tags, flds, sfld) VALUES (?, ?, ?, ?, ?, ?)"
_CARDS: Final = "INSERT INTO cards (id, nid, mod, due) SELECT id, id, mod, id - ? FROM notes"
"""A card for each note, which are learned in the order of `due`."""


@frozen
class Note:
    """A note, which has one card.

    Attributes:
        key: what Anki knows it by when it is imported again.
        fields: in HTML, in the order of `anki_deck.sql`.
        tags: with blanks between them.
    """

    key: str
    fields: Sequence[str]
    tags: str


def deck_of(notes: Iterable[Note], pictures: Mapping[str, str]) -> bytes:
    """The file with these notes, the most important first, and with the pictures by their names.

    Raises Refused if there is no room for the database, which is made in a folder for temporary files.
    """
    now = time.time_ns() // 1_000_000  # in milliseconds
    file = BytesIO()
    with TemporaryDirectory() as folder, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(_MARK, "")
        path = Path(folder) / "collection.anki2"
        tables = files("gammonrules.cli").joinpath("anki_deck.sql").read_text(encoding="utf-8")
        try:
            with closing(sqlite3.connect(path)) as database, database:
                database.executescript(tables)
                # Anki takes milliseconds for ids, and seconds for the time of a change
                for note_id, note in enumerate(notes, now):
                    changed_at = now // 1000
                    tags = f" {note.tags} "  # Anki looks for a tag with a blank on either side
                    fields = "\x1f".join(note.fields)
                    sort_field = note.fields[0]
                    row = (note_id, note.key, changed_at, tags, fields, sort_field)
                    database.execute(_NOTE, row)
                database.execute(_CARDS, (now,))
        except sqlite3.OperationalError as error:
            raise Refused(f"{path} cannot be written: {error}") from None
        archive.write(path, path.name)
        # the files of pictures are numbered, and "media" has their names by these numbers
        for number, picture in enumerate(pictures.values()):
            archive.writestr(str(number), picture)
        archive.writestr("media", json.dumps(dict(enumerate(pictures))))
    return file.getvalue()


def is_deck(head: bytes) -> bool:
    """Whether a file that begins so was written here."""
    is_zip = head.startswith(b"PK\3\4")
    # the name of the first file comes after 30 bytes
    return is_zip and head[30:].startswith(_MARK.encode())
