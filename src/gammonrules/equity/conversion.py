"""From the chance of winning the match (MWC) to the normalized equity of the game (EMG), and back."""

from __future__ import annotations

from gammonrules.equity.kazaross import AFTER_CRAWFORD, BEFORE_CRAWFORD, LONGEST
from gammonrules.match import MatchState, Player


def chance_of_match(away: int, opponent_away: int, *, after_crawford: bool) -> float | None:
    """The chance of winning a match for a player who needs this many points, before a game begins.

    Args:
        away: the points that the player still needs; 0 or less if they have won.
        opponent_away: those that the opponent still needs.
        after_crawford: whether the Crawford game is over.

    Returns:
        The chance, from 0 to 1; None beyond 25 points, where the table ends.

    Examples:
        >>> (
        ...     chance_of_match(2, 1, after_crawford=False),
        ...     chance_of_match(2, 1, after_crawford=True),
        ... )
        (0.32264, 0.48803)
    """
    if away <= 0:
        return 1.0
    if opponent_away <= 0:
        return 0.0
    if max(away, opponent_away) > LONGEST:
        return None
    if after_crawford and opponent_away == 1:
        return AFTER_CRAWFORD[away]
    if after_crawford and away == 1:
        return 1 - AFTER_CRAWFORD[opponent_away]
    return BEFORE_CRAWFORD[away, opponent_away]


def emg_of(mwc: float, state: MatchState, player: Player | None = None) -> float | None:
    """The normalized equity that corresponds to a chance of winning the match.

    Winning the points of the present cube is 1, losing them is -1, and the equity is linear in between. While a double
    is pending, the cube is that before doubling.

    Args:
        mwc: the chance of winning the match, from 0 to 1, for `player`.
        state: the state in which the decision is made.
        player: whose chance it is, by default the player on roll; while a double is pending, that is the doubler.

    Returns:
        The equity for the same player; None for money play, before the opening roll without a `player`, and for scores
        that are not in the table.

    Examples:
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> round(emg_of(0.55, state), 3)
        0.799
    """
    ends = _won_and_lost(state, player)
    if ends is None:
        return None
    won, lost = ends
    return (2 * mwc - won - lost) / (won - lost)


def mwc_of(emg: float, state: MatchState, player: Player | None = None) -> float | None:
    """The chance of winning the match that corresponds to a normalized equity: the inverse of `emg_of`.

    Args:
        emg: the normalized equity for `player`.
        state: the state in which the decision is made.
        player: whose equity it is, by default the player on roll.

    Returns:
        The chance for the same player; None where `emg_of` gives None. It is below 0 or above 1 if the equity is
        beyond that of winning or losing the match.

    Examples:
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> mwc_of(0.0, state)
        0.5
    """
    ends = _won_and_lost(state, player)
    if ends is None:
        return None
    won, lost = ends
    return (won + lost + emg * (won - lost)) / 2


def _won_and_lost(state: MatchState, player: Player | None) -> tuple[float, float] | None:
    """The chance of winning the match for a player who wins, and who loses, the points of the present cube."""
    player = state.on_roll if player is None else player
    if player is None or state.length is None:
        return None
    before = state.score_before
    away, other = state.length - before[player], state.length - before[player.opponent]
    # Once a player is 1 away, this is the Crawford game or a later one; what follows is after it.
    after_crawford = min(away, other) <= 1
    won = chance_of_match(away - state.cube.value, other, after_crawford=after_crawford)
    lost = chance_of_match(away, other - state.cube.value, after_crawford=after_crawford)
    return None if won is None or lost is None else (won, lost)
