"""What other packages need of analyses in addition to their public names. None of it is public."""

from gammonrules.analysis.analyses import (
    MIN_SEEN as MIN_SEEN,
    EncodedAnalysis as EncodedAnalysis,
    StoredAnalysis as StoredAnalysis,
    Triple as Triple,
    candidate_of as candidate_of,
    cube_of as cube_of,
    decoded as decoded,
    level_reached as level_reached,
    make_candidate as make_candidate,
    make_encoded as make_encoded,
)
from gammonrules.analysis.analysis_text import (
    CUBE_ANSWERS as CUBE_ANSWERS,
    DEVIATIONS as DEVIATIONS,
    FEW_PLAYS as FEW_PLAYS,
    MAX_PLAYS as MAX_PLAYS,
    TOO_GOOD as TOO_GOOD,
    Panel as Panel,
    Row as Row,
    best_of_doubling as best_of_doubling,
    candidates_shown as candidates_shown,
    cell_text as cell_text,
    cube_verdict as cube_verdict,
    harmless as harmless,
    panel as panel,
    signed as signed,
)
from gammonrules.analysis.chances import (
    chances_of as chances_of,
    fit_together as fit_together,
    five_of as five_of,
    may_be_chances as may_be_chances,
    to_chances as to_chances,
    to_chances_or_none as to_chances_or_none,
)
from gammonrules.analysis.decision_states import is_of_double as is_of_double, xgid_of as xgid_of
from gammonrules.analysis.levels import (
    EXACT as EXACT,
    ROLLOUT as ROLLOUT,
    UNKNOWN as UNKNOWN,
    default_level as default_level,
    labels_of_levels as labels_of_levels,
    level_of_text as level_of_text,
    ply_level as ply_level,
    rollout_level as rollout_level,
    tiers_level as tiers_level,
    trials_at_levels as trials_at_levels,
    trials_text as trials_text,
)
