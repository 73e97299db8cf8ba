"""What other folders of this package need of records beside the model. None of it is public."""

from gammonrules.records.analysis import EncodedAnalysis, decoded
from gammonrules.records.analyzing import is_of_double
from gammonrules.records.archive.scan import entries_of
from gammonrules.records.archive.sources import Source, failed, sentence, sources, together
from gammonrules.records.archive.worker_pool import MOST_JOBS, checked_jobs, in_order
from gammonrules.records.files import content_of
from gammonrules.records.formats.registry import WRITERS, seems_to_be, writer_for
from gammonrules.records.formats.round_trip import Writer, losses
from gammonrules.records.page.panels import Panel, Row, filled, panel, said_by
from gammonrules.records.page.safe_text import html

__all__ = [
    "MOST_JOBS",
    "WRITERS",
    "EncodedAnalysis",
    "Panel",
    "Row",
    "Source",
    "Writer",
    "checked_jobs",
    "content_of",
    "decoded",
    "entries_of",
    "failed",
    "filled",
    "html",
    "in_order",
    "is_of_double",
    "losses",
    "panel",
    "said_by",
    "seems_to_be",
    "sentence",
    "sources",
    "together",
    "writer_for",
]
