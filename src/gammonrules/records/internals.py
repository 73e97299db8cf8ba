"""What other folders of this package need of records beside the model. None of it is public."""

from gammonrules.records.analysis import EncodedAnalysis, decoded
from gammonrules.records.archive.sources import Source, failed, sentence, sources
from gammonrules.records.archive.worker_pool import MOST_JOBS, in_order
from gammonrules.records.formats.registry import WRITERS, seems_to_be, writer_for
from gammonrules.records.formats.round_trip import Writer, losses

__all__ = [
    "MOST_JOBS",
    "WRITERS",
    "EncodedAnalysis",
    "Source",
    "Writer",
    "decoded",
    "failed",
    "in_order",
    "losses",
    "seems_to_be",
    "sentence",
    "sources",
    "writer_for",
]
