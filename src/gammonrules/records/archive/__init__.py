"""Archives: files, folders and ZIP archives of records, read side by side, and as a table of decisions.

Users import its public names from `gammonrules.records`; the others are for the packages beside it.
"""

from gammonrules.records.archive.conditions import (
    Comparison as Comparison,
    comparison_in as comparison_in,
)
from gammonrules.records.archive.decision_table import (
    CANDIDATES as CANDIDATES,
    COLUMNS as COLUMNS,
    Column as Column,
    storable as storable,
)
from gammonrules.records.archive.deduplication import (
    PlayedMatch as PlayedMatch,
    Unique as Unique,
    checked_choice as checked_choice,
    played_in as played_in,
)
from gammonrules.records.archive.exporting import (
    ExportSummary as ExportSummary,
    Piece as Piece,
    Record as Record,
    entries_and_paths as entries_and_paths,
    export as export,
    export_files as export_files,
    pieces_of as pieces_of,
    record_counts_of as record_counts_of,
    to_table as to_table,
)
from gammonrules.records.archive.row_files import pyarrow as pyarrow
from gammonrules.records.archive.scanning import (
    ScanEntry as ScanEntry,
    entries_of as entries_of,
    lost_entry as lost_entry,
    played_of as played_of,
    read_files as read_files,
    scan as scan,
    scan_unique_games as scan_unique_games,
    with_entries as with_entries,
)
from gammonrules.records.archive.searching import (
    candidates_of_rows as candidates_of_rows,
    is_folder_of_tables as is_folder_of_tables,
    search as search,
    selected as selected,
)
from gammonrules.records.archive.source_files import (
    ALIASES_HEAD as ALIASES_HEAD,
    Paths as Paths,
    Source as Source,
    content_of as content_of,
    failed as failed,
    for_each as for_each,
    one_by_one as one_by_one,
    sentence as sentence,
    sources as sources,
    together as together,
)
from gammonrules.records.archive.spill_file import (
    KeptItems as KeptItems,
    kept_items as kept_items,
    packed_items as packed_items,
)
from gammonrules.records.archive.zip_files import ZIP_SIGNS as ZIP_SIGNS, only_record as only_record
