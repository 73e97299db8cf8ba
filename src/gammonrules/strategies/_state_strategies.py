"""Rules, and match states in every phase.

A state is drawn with a player about to roll and consistent values, so that no draw is thrown away; from there, legal
actions lead to the other phases. So no rule is repeated here, and everything except the board can be reached by play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import attrs
from hypothesis import assume, strategies as st

from gammonrules.board import START_NAMES, Position, Win
from gammonrules.match import Action, Cube, End, Event, MatchState, Phase, Player
from gammonrules.rules import Options, Rules
from gammonrules.strategies import _arguments, _position_strategies
from gammonrules.values import choice_argument

# The default of each option comes first, since failing examples shrink toward it.
_OPTIONS: dict[str, st.SearchStrategy[object]] = {
    "crawford": st.sampled_from((True, False)),
    "jacoby": st.booleans(),
    "beavers": st.integers(0, 3),
    "auto_doubles": st.integers(0, 3),
    "max_cube": st.sampled_from((None, None, None, 64, 1, 2, 4, 1024)),
    "cube": st.sampled_from((*[True] * 7, False)),
    "gammons": st.sampled_from((True, True, True, False)),
    "backgammons": st.sampled_from((True, False)),
    "scoring": st.sampled_from((*["points"] * 9, "pips")),
    "opening": st.sampled_from(("shared", "reroll")),
    # three of the others have few checkers
    "start": st.sampled_from((*["standard"] * 7, *START_NAMES[1:])),
}
_PIPS: dict[str, object] = {"cube": False, "beavers": 0, "auto_doubles": 0, "jacoby": False}
"""The options that pip scoring requires."""


def rules(**fixed: Unpack[Options]) -> st.SearchStrategy[Rules]:
    """All consistent rules.

    A failing one shrinks toward `Rules()`.

    Args:
        fixed: options of `Rules` with a fixed value; the others are drawn to be consistent with these.

    Raises:
        RulesError: the fixed options are impossible or contradict each other.
        TypeError: there is no option with this name.

    Examples:
        >>> from hypothesis import given
        >>> @given(rules(scoring="pips"))
        ... def test_pip_scoring_has_no_cube(rules):
        ...     assert not rules.cube
        >>> test_pip_scoring_has_no_cube()
    """
    options: dict[str, object] = {}
    if fixed.get("scoring") == "pips":
        options |= _PIPS
    if fixed.get("gammons") is False:
        options["backgammons"] = False
    options |= fixed  # last, so that what contradicts it is refused below
    _ = Rules(**options)  # type: ignore[arg-type]  # raises for what is impossible
    return _drawn_rules(options)


@st.composite
def _drawn_rules(draw: st.DrawFn, fixed: dict[str, object]) -> Rules:
    """Rules with the fixed options; where the drawn ones are not consistent, one that is not fixed gives way."""
    options = {name: draw(drawn) for name, drawn in _OPTIONS.items() if name not in fixed}
    options |= fixed
    if options["scoring"] == "pips":
        fixed_options_allow_it = all(
            fixed.get(name, value) == value for name, value in _PIPS.items()
        )
        if fixed_options_allow_it:
            options |= _PIPS
        else:
            options["scoring"] = "points"
    has_backgammons_alone = options["backgammons"] and not options["gammons"]
    if has_backgammons_alone:
        if "backgammons" in fixed:
            options["gammons"] = True
        else:
            options["backgammons"] = False
    return Rules(**options)  # type: ignore[arg-type]


_ALL_RULES = _drawn_rules({})
_DOUBLING = _drawn_rules({"cube": True}).map(
    lambda old: attrs.evolve(old, max_cube=2) if old.max_cube == 1 else old
)
_BOARDS = {
    start: _position_strategies.positions(checkers=Position.start(start).checkers)
    for start in START_NAMES
}
"""Boards with as many checkers as the start of this name."""
_LENGTHS: st.SearchStrategy[int | None] = st.sampled_from(
    (*[None] * 5, 1, 2, 3, 4, 5, 7, 9, 11, 15, 25)
)
_MONEY_POINTS = st.integers(0, 99)
_TURNS_OF_THE_CUBE = st.sampled_from((0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 15))
_PLAYERS = st.sampled_from(Player)
_OWNERS = st.sampled_from((None, *Player))
_WINS = st.sampled_from(Win)


def match_states(
    *,
    phase: Phase | str | None = None,
    rules: st.SearchStrategy[Rules] | None = None,
    lengths: st.SearchStrategy[int | None] | None = None,
    positions: st.SearchStrategy[Position] | None = None,
) -> st.SearchStrategy[MatchState]:
    """Match states in every phase of match and money play.

    Everything that the rules can lead to is drawn: turned cubes, doubles and beavers, resignations that interrupt a
    double, Crawford games and those after them, games and matches that are over. Only the board need not be reachable
    by play. A failing one shrinks toward money play under `Rules()` at 0-0, White to roll, with few checkers on the
    board.

    Args:
        phase: the phase of the states; None: any.
        rules: draws the rules; None: all, see `rules`.
        lengths: draws the match lengths, where None is money play; None: money play, and matches to 1 to 25. With pip
            scoring, which belongs to single games, match lengths are left out.
        positions: draws the boards; those in which the game is over are left out. None: as in `positions`, with as many
            checkers as the start of the rules has, so three under `Rules(start="hypergammon")`. If the game was played
            to its end, the board is one of these without the winner's checkers.

    Raises:
        ArgumentError: `phase` is not a `Phase`, or another argument is not a strategy; while drawing, if a strategy
            draws something else.

    Examples:
        >>> from hypothesis import given
        >>> @given(match_states(phase="doubled"))
        ... def test_a_double_can_be_taken_or_dropped(state):
        ...     assert {"take", "drop"} <= state.legal_actions
        >>> test_a_double_can_be_taken_or_dropped()
    """
    asked = None if phase is None else choice_argument("phase", phase, [*Phase])
    usual_rules = _DOUBLING if asked is Phase.DOUBLED else _ALL_RULES
    to_roll = _to_roll(
        _arguments.strategy_for("rules", rules, usual_rules),
        _arguments.strategy_for("lengths", lengths, None),
        _arguments.strategy_for("positions", positions, None),
    )
    return _match_states(asked, to_roll)


@st.composite
def _match_states(
    draw: st.DrawFn, asked: Phase | None, to_roll: st.SearchStrategy[MatchState]
) -> MatchState:
    state = draw(to_roll)
    phase = asked
    if phase is None:
        phases = [*_LEADING]
        if not _may_double(state):
            phases.remove(Phase.DOUBLED)
        phase = draw(st.sampled_from(phases))
    elif phase is Phase.DOUBLED and not _may_double(state):
        # with a new cube at the first score, a double is legal under nearly all rules
        state = attrs.evolve(state, cube=Cube(), score=(0, 0), crawford=False)
        assume(_may_double(state))
    lead_to_phase = _LEADING[phase]
    return lead_to_phase(draw, state)


@st.composite
def _to_roll(
    draw: st.DrawFn,
    rules: st.SearchStrategy[Rules],
    lengths: st.SearchStrategy[int | None] | None,
    positions: st.SearchStrategy[Position] | None,
) -> MatchState:
    """A state whose player on roll is about to roll."""
    options = draw(rules)
    if lengths is None:
        lengths = st.none() if options.scoring == "pips" else _LENGTHS
    length = draw(lengths)
    score = draw(_points_before(length)), draw(_points_before(length))
    past_crawford = draw(st.booleans())
    on_roll = draw(_PLAYERS)
    turns = draw(_TURNS_OF_THE_CUBE)
    owner = draw(_OWNERS)
    position = draw(_BOARDS[options.start] if positions is None else positions)
    # what the strategies of callers draw may not fit
    assume(position.outcome is None)
    assume(length is None or options.scoring != "pips")
    crawford = False if past_crawford else None  # None leaves it to the score
    state = MatchState(
        position, on_roll, score=score, length=length, crawford=crawford, rules=options
    )
    if state.crawford or not options.cube:
        return state
    cube = _turned_cube(state, turns, owner)
    return state if cube == state.cube else attrs.evolve(state, cube=cube)


def _points_before(length: int | None) -> st.SearchStrategy[int]:
    """Points of a player before a game; one from winning comes often, since the rules differ there."""
    if length is None:
        return _MONEY_POINTS
    return st.integers(0, length - 1) | st.just(length - 1)


def _turned_cube(state: MatchState, turns: int, owner: Player | None) -> Cube:
    """The cube, turned this many times, or as often as the rules and the score allow."""
    limit = state.rules.max_cube
    while limit is not None and 2**turns > limit:
        turns -= 1
    if owner is None:  # only automatic doubles turn a centered cube
        automatic = state.rules.auto_doubles if state.length is None else 0
        return Cube(2 ** min(turns, automatic))
    while turns and not _turned_alive(turns, owner, state):
        turns -= 1
    return Cube(2**turns, owner) if turns else Cube()


def _turned_alive(turns: int, owner: Player, state: MatchState) -> bool:
    """Whether the cube was alive each time, if the players alternated and the owner was the last to be doubled."""
    if state.length is None:
        return True
    doubler = owner.opponent
    for earlier_turns in reversed(range(turns)):
        value_before = 2**earlier_turns
        wins_without_doubling = state.score[doubler] + value_before >= state.length
        if wins_without_doubling:
            return False
        doubler = doubler.opponent
    return True


def _may_double(state: MatchState) -> bool:
    return Action.DOUBLE in state.legal_actions


# From a player about to roll to each phase, the simplest first.


def _to_roll_itself(_: st.DrawFn, state: MatchState) -> MatchState:
    return state


def _to_play(draw: st.DrawFn, state: MatchState) -> MatchState:
    return state.roll(draw(_position_strategies.dice()))


def _opening(_: st.DrawFn, state: MatchState) -> MatchState:
    cube = state.cube if state.cube.owner is None else Cube()
    return attrs.evolve(state, position=state.view(Player.WHITE), on_roll=None, cube=cube)


def _doubled(draw: st.DrawFn, state: MatchState) -> MatchState:
    state = state.double()
    for _ in range(draw(st.integers(0, state.rules.beavers))):
        if Action.BEAVER in state.legal_actions:
            state = state.beaver()
    return state


def _resigned(draw: st.DrawFn, state: MatchState) -> MatchState:
    live = [_to_roll_itself, _to_play]
    if _may_double(state):
        live.append(_doubled)
    lead_to_phase = draw(st.sampled_from(live))
    state = lead_to_phase(draw, state)
    return state.apply(resignation(draw, state))


def resignation(draw: st.DrawFn, state: MatchState) -> Event:
    win = Win.SINGLE if state.rules.scoring == "pips" else draw(_WINS)
    return Event(Action.RESIGN, draw(_PLAYERS), win)


def _over(draw: st.DrawFn, state: MatchState) -> MatchState:
    match draw(st.sampled_from(End)):
        case End.PLAYED:
            return _borne_off(state)
        case End.DROPPED if _may_double(state):
            return _doubled(draw, state).drop()
        case End.FORFEITED:
            return _forfeited(draw, state)
        case _:
            return _resigned(draw, state).accept()


def _forfeited(draw: st.DrawFn, state: MatchState) -> MatchState:
    """A game that an arbiter has decided, which can be at any time."""
    lead_to_phase = draw(st.sampled_from((_to_roll_itself, _to_play, _opening, _resigned)))
    state = lead_to_phase(draw, state)
    points = draw(st.integers(1, state.length or 99))
    loser = draw(_PLAYERS)
    are_stated = state.length is None or draw(st.booleans())
    # in a match they can be left out: then the whole match is lost
    return state.forfeit(loser, points if are_stated else None)


def _borne_off(state: MatchState) -> MatchState:
    """The state after the opponent of the player on roll has borne off their last checker."""
    without_opponent = [max(count, 0) for count in state.position.points]
    position = Position.from_points(without_opponent, checkers=state.position.checkers)
    outcome = position.outcome
    loser = state.on_roll
    assert outcome is not None
    assert loser is not None
    return state._decided(loser.opponent, outcome.win, End.PLAYED, position)  # noqa: SLF001  what a play leads to


_LEADING: dict[Phase, Callable[[st.DrawFn, MatchState], MatchState]] = {
    Phase.TO_ROLL: _to_roll_itself,
    Phase.TO_PLAY: _to_play,
    Phase.OPENING: _opening,
    Phase.DOUBLED: _doubled,
    Phase.RESIGNED: _resigned,
    Phase.OVER: _over,
}
