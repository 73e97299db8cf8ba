"""The model of a record: matches and games, decisions, analyses, findings, the referee and joining.

Users import its public names from `gammonrules.records`; the others are for the packages beside it.
"""

from gammonrules.analysis import (
    Analysis as Analysis,
    Candidate as Candidate,
    Chances as Chances,
    ChancesLike as ChancesLike,
    CubeAnalysis as CubeAnalysis,
    Level as Level,
    PlayAnalysis as PlayAnalysis,
)
from gammonrules.records.transcript.counting_rules import (
    MISTAKES as MISTAKES,
    counting_rule as counting_rule,
    has_stated_errors_of_xg as has_stated_errors_of_xg,
)
from gammonrules.records.transcript.decisions import (
    AnalyzedDecision as AnalyzedDecision,
    Decision as Decision,
    DecisionKind as DecisionKind,
    best_words as best_words,
    done_words as done_words,
    known_play as known_play,
    name_cube_mistake as name_cube_mistake,
    with_analysis as with_analysis,
)
from gammonrules.records.transcript.findings import (
    MAX_QUOTE_LENGTH as MAX_QUOTE_LENGTH,
    Finding as Finding,
    FindingKind as FindingKind,
    FindingLog as FindingLog,
    Severity as Severity,
    findings_counted as findings_counted,
    quoted as quoted,
    renumbered as renumbered,
)
from gammonrules.records.transcript.game_copies import (
    KnownGame as KnownGame,
    KnownRecord as KnownRecord,
    KnownRecords as KnownRecords,
    RecordCounts as RecordCounts,
    matches_counted as matches_counted,
)
from gammonrules.records.transcript.game_decisions import (
    begins_with_its_turn as begins_with_its_turn,
    is_only_a_turn as is_only_a_turn,
)
from gammonrules.records.transcript.joining import (
    Span as Span,
    chains as chains,
    is_loose as is_loose,
    join as join,
    loose_told as loose_told,
    part_of as part_of,
)
from gammonrules.records.transcript.luck import GameToRate as GameToRate, in_mwc as in_mwc
from gammonrules.records.transcript.matches import (
    ROLLS_THAT_TELL_APART as ROLLS_THAT_TELL_APART,
    Fingerprints as Fingerprints,
    Game as Game,
    Match as Match,
    RecordedResult as RecordedResult,
    beginning_of as beginning_of,
    brief_name as brief_name,
    cut_games as cut_games,
    dashed as dashed,
    fingerprints_of as fingerprints_of,
    games_to_rate as games_to_rate,
    index_of_last_roll as index_of_last_roll,
    known_game as known_game,
    length_of_games as length_of_games,
    make_game as make_game,
    points_stated as points_stated,
    rolls_in as rolls_in,
    score_after as score_after,
    title_of as title_of,
    why_none as why_none,
    with_decoded as with_decoded,
    won_in as won_in,
    words_with_cost as words_with_cost,
)
from gammonrules.records.transcript.player_rates import (
    checked_aliases as checked_aliases,
    error_rates as error_rates,
    letters_of as letters_of,
    name_in_mat as name_in_mat,
    players_of as players_of,
    seat_of_player as seat_of_player,
    similar_names as similar_names,
    unnamed as unnamed,
    with_player_as_asked as with_player_as_asked,
)
from gammonrules.records.transcript.provenance import (
    XG as XG,
    Evaluator as Evaluator,
    count_by_evaluator as count_by_evaluator,
    is_as_asked as is_as_asked,
    is_by as is_by,
    is_close as is_close,
    level_of as level_of,
    levels_by_engine as levels_by_engine,
    trials_of as trials_of,
)
from gammonrules.records.transcript.refereeing import (
    NOT_REPLAYED as NOT_REPLAYED,
    as_replayed as as_replayed,
    jacoby_decided as jacoby_decided,
    kind_of_refusal as kind_of_refusal,
    odd_resignations as odd_resignations,
    referee as referee,
    replay_once as replay_once,
)
from gammonrules.records.transcript.statistics import (
    MIN_DECISIONS as MIN_DECISIONS,
    ErrorRate as ErrorRate,
    ErrorSummary as ErrorSummary,
    added as added,
    merged as merged,
    rated as rated,
    rated_apart as rated_apart,
    rates_in as rates_in,
    told_pr as told_pr,
    worth_of_luck as worth_of_luck,
)
