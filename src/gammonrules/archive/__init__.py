"""Archives: files, folders and ZIP archives of records, read side by side, and as a table of decisions.

Users import its public names from `gammonrules.records`; the rest is for the rooms of this package.
"""

from gammonrules.archive.decision_columns import COLUMNS, Column
from gammonrules.archive.exporting import Exported, export, to_table
from gammonrules.archive.scanning import Scanned, entries_of, scan
from gammonrules.archive.source_files import Source, content_of, failed, for_each, sentence, sources, together
from gammonrules.archive.zip_files import ZIP_SIGNS, only_record

__all__ = [
    "COLUMNS",
    "ZIP_SIGNS",
    "Column",
    "Exported",
    "Scanned",
    "Source",
    "content_of",
    "entries_of",
    "export",
    "failed",
    "for_each",
    "only_record",
    "scan",
    "sentence",
    "sources",
    "to_table",
    "together",
]
