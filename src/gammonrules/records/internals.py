"""What the commands need of records beside their public names: the parts of `analyze_files` and of reports."""

from gammonrules.records.analysis_plans import (
    AnalysisPlan as AnalysisPlan,
    Doubt as Doubt,
    PlannedRollout as PlannedRollout,
    RolledOutDecision as RolledOutDecision,
    decision_rolled_out as decision_rolled_out,
    evaluators_in as evaluators_in,
)
from gammonrules.records.analyzed_files import (
    Start as Start,
    for_each_file as for_each_file,
    for_each_with_engine as for_each_with_engine,
)
from gammonrules.records.page import (
    match_in_set as match_in_set,
    openings_in_set as openings_in_set,
    report_in_set as report_in_set,
    report_page as report_page,
)
from gammonrules.records.reporting import tallied as tallied
