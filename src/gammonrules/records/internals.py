"""What the commands need of records beside their public names: the parts of `analyze_files` and of reports."""

from gammonrules.records.analyzed_files import (
    AnalyzedMatch as AnalyzedMatch,
    Start as Start,
    analyzed_by as analyzed_by,
    analyzed_once as analyzed_once,
    for_each_file as for_each_file,
)
from gammonrules.records.page import (
    match_in_set as match_in_set,
    openings_in_set as openings_in_set,
    report_in_set as report_in_set,
    report_page as report_page,
)
from gammonrules.records.reporting import tallied as tallied
