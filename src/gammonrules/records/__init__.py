r"""Match records: read, written, replayed and refereed.

A record is read in three steps. The text is split into rows and cells. The cells become events, each of which is passed
to a `MatchState`, which knows the rules. Then the referee compares what was played with what the file says about it.
Anything wrong with a file becomes a `Finding`, and the rest of the file is still read. After an illegal play, an action
out of turn or a play that is not shown, the rest of that game is not replayed, and the next game starts from its own
score line.

A roll without a play is judged by what follows. If there is no legal play, it is a dance. If it is the last action of a
game that somebody won, it is a resignation after the roll: `????` says so (`hidden-play`, info), an empty cell does
not (`resign-without-marker`, info). If there is only one legal play, that play was made (`hidden-play`, info).
Otherwise the play is unknown (`hidden-play`, warning). "Cannot Move" where there is a legal play is an illegal play.

Examples:
    >>> from gammonrules.records import loads, referee
    >>> match = loads("5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5")
    >>> [str(event.argument) for event in match.games[0].events]
    ['(3, 1)', '8/5 6/5']
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named

__all__ = ["COLUMNS", "MAX_RECORD_SIZE", "Analysis", "Analyzer", "Candidate", "Chances"]
__all__ += [
    "ChancesLike",
    "Column",
    "CubeAnalysis",
    "Decision",
    "DecisionKind",
    "ErrorRate",
    "ErrorSummary",
    "ExportSummary",
    "Finding",
]
__all__ += [
    "FindingKind",
    "Game",
    "Level",
    "MapFunction",
    "Match",
    "PlayAnalysis",
    "RecordedResult",
    "Samples",
    "ScanEntry",
    "Severity",
    "analyze",
]
__all__ += [
    "analyze_files",
    "dump",
    "dumps",
    "error_rates",
    "export",
    "join",
    "load",
    "load_all",
    "loads",
]
__all__ += ["loads_all", "lost_fields", "needs_rollout", "openings", "openings_to_html", "referee"]
__all__ += [
    "report_to_html",
    "rows_to_html",
    "scan",
    "search",
    "similar_names",
    "to_html",
    "to_samples",
    "to_table",
]

if TYPE_CHECKING:
    from gammonrules._shared.map_functions import MapFunction
    from gammonrules.analysis import (
        Analysis,
        Candidate,
        Chances,
        ChancesLike,
        CubeAnalysis,
        Level,
        PlayAnalysis,
    )
    from gammonrules.records.analyzed_files import analyze_files
    from gammonrules.records.analyzing import Analyzer, analyze
    from gammonrules.records.archive import (
        COLUMNS,
        Column,
        ExportSummary,
        ScanEntry,
        export,
        scan,
        search,
        to_table,
    )
    from gammonrules.records.files import dump, dumps, load, load_all, loads, loads_all, lost_fields
    from gammonrules.records.formats import MAX_RECORD_SIZE
    from gammonrules.records.opening_counts import openings
    from gammonrules.records.page import openings_to_html, rows_to_html, to_html
    from gammonrules.records.reporting import report_to_html
    from gammonrules.records.rollout_needs import needs_rollout
    from gammonrules.records.sampling import Samples, to_samples
    from gammonrules.records.transcript import (
        Decision,
        DecisionKind,
        ErrorRate,
        ErrorSummary,
        Finding,
        FindingKind,
        Game,
        Match,
        RecordedResult,
        Severity,
        error_rates,
        join,
        referee,
        similar_names,
    )
else:
    # What needs the model of a record, as JSON and engines do, loads no reader, archive or page with it.
    __getattr__ = _when_named(
        __name__,
        transcript=tuple(__all__),  # but for those that follow
        analyzed_files=("MapFunction", "analyze_files"),
        analyzing=("Analyzer", "analyze"),
        archive=(
            "COLUMNS",
            "Column",
            "ExportSummary",
            "ScanEntry",
            "export",
            "scan",
            "search",
            "to_table",
        ),
        files=("dump", "dumps", "load", "load_all", "loads", "loads_all", "lost_fields"),
        formats=("MAX_RECORD_SIZE",),
        opening_counts=("openings",),
        page=("openings_to_html", "rows_to_html", "to_html"),
        reporting=("report_to_html",),
        rollout_needs=("needs_rollout",),
        sampling=("Samples", "to_samples"),
    )
__dir__ = __all__.copy
