"""What engines know of the rules: as which game they are asked about a state, and what they are not asked about."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

import attrs

from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.identifiers.internals import MAX_GNUBG_MATCH_LENGTH
from gammonrules.match import Cube, MatchState, Pair, Phase, Player
from gammonrules.match.internals import highest_win, limit_matters
from gammonrules.rules import unknown_options

_FAR: Final = 16
"""In money play, a limit of so many times the cube is left out: a game seldom has four more doubles."""
_KNOWN: Final[AbstractSet[str]] = {
    "crawford",
    "jacoby",
    "beavers",
    "auto_doubles",
    "cube",
    "opening",
    "start",
}
"""The options of the usual rules, at any value."""
_UNKNOWN: Final = {
    "scoring": "pip scoring",
    "max_cube": "a limit of {:,} that the cube may come near; "
    'ask without it: max_cube=None, in an XGID 10 at its end, in a record CubeLimit "1024"',
    "gammons": "games without gammons",
    "backgammons": "games without backgammons",
}
"""What others mean if they are not at their defaults."""
_TURNED: Final = Cube(2, Player.WHITE)


def as_known(state: MatchState) -> MatchState:
    """The same game by rules that engines know: without what cannot matter, and without a limit that is far away.

    An option that cannot matter gets the value that engines know.
    """
    rules = state.rules
    has_limit = rules.max_cube is not None
    if _is_last(state):
        # these options matter to later doubles and games alone, of which there are none
        rules = attrs.evolve(rules, crawford=True, cube=True, max_cube=None)
    elif has_limit and (is_far(state) or not _limit_may_matter(state)):
        rules = attrs.evolve(rules, max_cube=None)
    elif rules.max_cube == 1:  # nobody ever doubles
        rules = attrs.evolve(rules, cube=False, max_cube=None)
    if not rules.cube:  # so there is no double that the Crawford rule could forbid
        rules = attrs.evolve(rules, crawford=True)
    if not rules.backgammons and _wins_are_equal(state):
        rules = attrs.evolve(rules, gammons=True, backgammons=True)
    known = _as_short_match(state)
    return known if rules == state.rules else attrs.evolve(known, rules=rules)


def is_far(state: MatchState) -> bool:
    """Whether a limit of the cube is left out though it may matter: in money play, if it is far away."""
    limit = state.rules.max_cube
    return (
        limit is not None
        and state.length is None
        and limit >= _FAR * state.cube.value
        and _limit_may_matter(state)
    )


def _limit_may_matter(state: MatchState) -> bool:
    return limit_matters(state.rules, state.length, state.crawford, state.cube, state.score)


def _is_last(state: MatchState) -> bool:
    """Whether any win is enough for the match, so that nobody may double, and no game follows."""
    return state.away is not None and state.cube.value >= max(state.away)


def _wins_are_equal(state: MatchState) -> bool:
    """Whether all wins that the board allows count as they do with gammons and backgammons."""
    if _is_last(state):
        return True
    is_in_match = state.length is not None
    if is_in_match or state.rules.scoring != "points":
        # there a win of each level is worth something else
        return False
    if state.phase is Phase.RESIGNED:  # any level may be offered, whatever the board
        return False
    # the Jacoby rule, by which only single wins may count, stays as it is
    without_jacoby = attrs.evolve(state.rules, jacoby=False)
    highest_counted = highest_win(without_jacoby, None, _TURNED)
    return all(outcome.win <= highest_counted for outcome in state.position.possible_outcomes)


def _as_short_match(state: MatchState) -> MatchState:
    """A match that is too long for some engine becomes one to as many points as the players still need."""
    length = state.length
    away = state.away
    if length is None or away is None or length <= MAX_GNUBG_MATCH_LENGTH:
        return state
    short_length = max(away)
    score = Pair(short_length - points_needed for points_needed in away)
    return attrs.evolve(state, length=short_length, score=score)


def jacoby_as_match(state: MatchState) -> MatchState:
    """The state as engines are asked about it: without a cube, the Jacoby rule makes a match to 1 of it.

    Every win is then single in both.
    """
    if state.rules.cube or not state.rules.jacoby or state.length is not None:
        return state
    return attrs.evolve(state, length=1, score=(0, 0))


def unknown_rules(
    state: MatchState, known: int = STANDARD_CHECKERS, also_known: AbstractSet[str] = frozenset()
) -> str | None:
    """Why an engine that knows the usual rules and these options alone, with so many checkers, does not know a game.

    None if it does.
    """
    unknown = unknown_options(state.rules, _KNOWN | also_known)
    for option, words in _UNKNOWN.items():
        if option in unknown:
            return words.format(state.rules.max_cube)  # one of them names the limit
    if unknown:
        return f"the option {unknown[0]}"
    checkers = state.position.checkers
    return None if checkers == known else f"games with {checkers} checkers a side"


def without_crawford(state: MatchState) -> str | None:
    """Why an engine whose numbers count the Crawford rule does not know a match; None if it does."""
    if state.rules.crawford or state.away is None or min(state.away) <= 1:
        return None
    return "matches without the Crawford rule, unless a player needs only one point"
