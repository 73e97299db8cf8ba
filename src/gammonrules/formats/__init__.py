"""The formats of records: read and written as text or bytes, each in a folder of its own."""

from gammonrules.formats.registry import (
    LARGEST_FILE,
    LARGEST_RECORD,
    WRITERS,
    ReadFormat,
    WrittenFormat,
    read,
    read_all,
    seems_to_be,
    text_of,
    too_large,
    writer_for,
    writer_named,
    written,
)
from gammonrules.formats.round_trip import Writer, losses
from gammonrules.formats.texts.gnubg_sheet import is_gnubg_text
from gammonrules.formats.texts.gnubg_text import span_of_text

__all__ = [
    "LARGEST_FILE",
    "LARGEST_RECORD",
    "WRITERS",
    "ReadFormat",
    "Writer",
    "WrittenFormat",
    "is_gnubg_text",
    "losses",
    "read",
    "read_all",
    "seems_to_be",
    "span_of_text",
    "text_of",
    "too_large",
    "writer_for",
    "writer_named",
    "written",
]
