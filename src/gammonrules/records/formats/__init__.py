"""The formats of records: read and written as text or bytes, each in a folder of its own."""

from gammonrules.records.formats.json_documents import match_from as match_from
from gammonrules.records.formats.registry import (
    MAX_FILE_SIZE as MAX_FILE_SIZE,
    MAX_RECORD_SIZE as MAX_RECORD_SIZE,
    SUFFIXES as SUFFIXES,
    WRITERS as WRITERS,
    ReadFormat as ReadFormat,
    RecordFormat as RecordFormat,
    WrittenBytes as WrittenBytes,
    WrittenFormat as WrittenFormat,
    WrittenText as WrittenText,
    parts_lost_in as parts_lost_in,
    read as read,
    read_all as read_all,
    read_saved_record as read_saved_record,
    seems_to_be as seems_to_be,
    text_of as text_of,
    too_large as too_large,
    writer_for as writer_for,
    written_record as written_record,
)
from gammonrules.records.formats.sgf.sgf_analyses import (
    PlayProperties as PlayProperties,
    decode_plays as decode_plays,
)
from gammonrules.records.formats.sgf.sgf_writer import write_sgf as write_sgf
from gammonrules.records.formats.texts.gnubg_sheet import is_gnubg_text as is_gnubg_text
from gammonrules.records.formats.texts.gnubg_text import span_of_text as span_of_text
