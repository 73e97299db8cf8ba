"""`needs_rollout`: the decisions about which an analysis leaves doubts."""

from __future__ import annotations

from collections.abc import Iterator

from gammonrules.errors import ArgumentError
from gammonrules.transcript import CubeAnalysis, Decision, PlayAnalysis
from gammonrules.values import real_number, shown


def needs_rollout(decision: Decision, *, close: float = 0.02, error: float = 0.04) -> bool:
    """Whether an analyzed decision is close, or seems to be a mistake, and has not been rolled out.

    Args:
        decision: of a match that an engine has analyzed.
        close: it is close if the best two plays, doubling and rolling, or, of a double that was made, taking and
            dropping are not worth the same, but differ by no more than this normalized equity. Default 0.02.
        error: it seems to be a mistake if it cost more than this normalized equity. Default 0.04.

    Raises:
        ArgumentError: a limit is not a number from 0 up.

    Examples:
        >>> from gammonrules.records import load
        >>> match = load("examples/matches/xg/test.xg")
        >>> doubts = [*filter(needs_rollout, match.decisions())]
        >>> len(doubts) < len([*match.decisions()]) / 2
        True
    """
    for name, limit in ("close", close), ("error", error):
        number = real_number(limit)
        if number is None or not number >= 0:  # NaN is not
            raise ArgumentError(f"{name} must be a number from 0 up, not {shown(limit)}")
    analysis = decision.analysis
    if isinstance(analysis, PlayAnalysis):
        is_rolled_out = any(candidate.standard_error is not None for candidate in analysis.candidates[:2])
    else:
        is_rolled_out = analysis is None or analysis.standard_errors is not None
    gaps = [abs(first - second) for first, second in _choices(decision) if first is not None and second is not None]
    return not is_rolled_out and (any(0 < gap <= close for gap in gaps) or (decision.error or 0) > error)


def _choices(decision: Decision) -> Iterator[tuple[float | None, float | None]]:
    """The equities of the best alternatives."""
    match decision.analysis:
        case PlayAnalysis(candidates=(first, second, *_)):
            yield first.equity, second.equity
        case CubeAnalysis() as cube:
            yield cube.no_double, cube.equity_double
            if decision.action != "roll":
                yield cube.double_take, cube.double_pass
        case _:
            pass
