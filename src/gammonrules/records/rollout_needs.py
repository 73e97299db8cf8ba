"""`needs_rollout`: the decisions about which an analysis leaves doubts."""

from __future__ import annotations

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis import PlayAnalysis
from gammonrules.analysis.internals import level_reached
from gammonrules.records.transcript import Decision
from gammonrules.values import real_argument


def needs_rollout(decision: Decision, *, close: float = 0.02, error: float = 0.04) -> bool:
    """Whether an analyzed decision is close, or seems to be a mistake, and is neither exact nor rolled out.

    Args:
        decision: of a match that an engine has analyzed.
        close: it is close if the best two plays, doubling and rolling, or, of a double that was made, taking and
            dropping are not worth the same, but differ by no more than this normalized equity. Default 0.02.
        error: it seems to be a mistake if it cost more than this normalized equity. Default 0.04.

    Raises:
        ArgumentError: `decision` is none, or a limit is not a number from 0 up.

    Examples:
        >>> from gammonrules.records import load
        >>> match = load("examples/matches/xg/test.xg")
        >>> doubts = [*filter(needs_rollout, match.decisions())]
        >>> len(doubts) < len([*match.decisions()]) / 2
        True
    """
    check_kind("decision", decision, Decision)
    for name, limit in ("close", close), ("error", error):
        _ = real_argument(
            name, value=limit, needed="a number from 0 up", fits=lambda number: number >= 0
        )
    analysis = decision.analysis
    if analysis is None:
        return False
    level = level_reached(analysis)
    if level.is_rollout or level.is_exact:
        return False
    if isinstance(analysis, PlayAnalysis):
        best = analysis.candidates[:2]
        is_close = len(best) == 2 and _differ_little(best[0].equity, best[1].equity, close)
    else:
        is_close = _differ_little(analysis.no_double, analysis.equity_double, close)
        is_doubled = decision.action != "roll"
        if is_doubled and _differ_little(analysis.double_take, analysis.double_drop, close):
            is_close = True
    is_mistake = decision.error is not None and decision.error > error
    return is_close or is_mistake


def _differ_little(equity: float | None, other: float | None, close: float) -> bool:
    """Whether two equities are known and not the same, but differ by no more than this."""
    if equity is None or other is None:
        return False
    return 0 < abs(equity - other) <= close
