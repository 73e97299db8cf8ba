"""Which decisions the events of a game make, and how a game begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Protocol, TypeVar

from attrs import fields

from gammonrules.analysis.internals import StoredAnalysis
from gammonrules.board import Play, Win
from gammonrules.board.internals import Maker
from gammonrules.match import (
    Action,
    Double,
    Event,
    MatchState,
    Pair,
    Phase,
    Player,
    RecordEvent,
    SetPosition,
)
from gammonrules.match.internals import highest_turn
from gammonrules.records.transcript.decisions import Decision, DecisionKind

_Item = TypeVar("_Item")


class _EventsOfGame(Protocol):
    """What is read of a `Game`, whose module imports this one."""

    @property
    def number(self) -> int: ...
    @property
    def start(self) -> MatchState: ...
    @property
    def events(self) -> tuple[RecordEvent, ...]: ...
    @property
    def rows(self) -> tuple[int | None, ...]: ...
    @property
    def lines(self) -> tuple[int | None, ...]: ...
    @property
    def notes(self) -> tuple[str | None, ...]: ...
    @property
    def analyses(self) -> tuple[StoredAnalysis | None, ...]: ...
    def states(self) -> Iterator[MatchState]: ...


_make_decision = Maker(Decision, *(attribute.name for attribute in fields(Decision))).make

_KINDS = {
    Action.PLAY: DecisionKind.PLAY,
    Action.RESIGN: DecisionKind.RESIGN,
    **dict.fromkeys((Action.DOUBLE, Action.ROLL), DecisionKind.DOUBLE),
    **dict.fromkeys((Action.TAKE, Action.DROP, Action.BEAVER), DecisionKind.ANSWER),
    **dict.fromkeys((Action.ACCEPT, Action.DECLINE), DecisionKind.RESIGN_ANSWER),
}
"""What is decided by each action; a roll decides something only where a double was allowed instead."""


def decisions_of(game: _EventsOfGame, *, canonical: bool) -> Iterator[Decision]:
    """Each decision made in a game.

    `canonical`: whether its plays are known to be canonical text. Raises GammonError if an event breaks the rules.
    """
    turn = 1
    # nobody may double before the first roll of a game, even if that is a doublet
    index_of_first_roll = 0
    if opens_with_doublet(game.events, [*islice(game.states(), 3)]):
        index_of_first_roll = 1
    highest = _highest_values_to_double(game.start)
    rows = _one_for_each_event(game.rows, game)
    lines = _one_for_each_event(game.lines, game)
    notes = _one_for_each_event(game.notes, game)
    analyses = _one_for_each_event(game.analyses, game)
    for index, (state, after) in enumerate(pairwise(game.states())):
        event = game.events[index]
        if not isinstance(event, Event):
            if isinstance(event, SetPosition) and state.phase is Phase.TO_PLAY:
                turn += 1  # the board was set instead of the play that was due
            continue
        kind = _KINDS.get(event.action)
        if event.action is Action.ROLL:
            may_double = index != index_of_first_roll and _may_double_to(state, highest)
            kind = DecisionKind.DOUBLE if may_double else None
        if kind is not None:
            number_of_plays = None
            if event.action is Action.PLAY:
                number_of_plays = len(state.legal_plays)
            player = event.by if isinstance(event.by, Player) else state.to_act
            action = _words_of_action(event, state, canonical=canonical)
            is_forced = number_of_plays == 1
            # in the order of the fields: to name them would double the time of a decision, of which archives have many
            yield _make_decision(
                kind,
                state,
                after,
                player,
                action,
                event,
                is_forced,
                game.number,
                turn,
                index,
                rows[index],
                lines[index],
                notes[index],
                analyses[index],
                number_of_plays,
            )
        if event.action is Action.PLAY:
            turn += 1


def _one_for_each_event(items: tuple[_Item, ...], game: _EventsOfGame) -> tuple[_Item | None, ...]:
    """The rows, lines, notes or analyses of a game, with None for the events after the last of them."""
    missing = len(game.events) - len(items)
    return (*items, *[None] * missing)


def _highest_values_to_double(start: MatchState) -> Pair[int]:
    """The highest value of the cube at which White may double, and at which Black may."""
    white, black = start.score_before
    of_white = highest_turn(start.rules, start.length, start.crawford, white)
    of_black = highest_turn(start.rules, start.length, start.crawford, black)
    return Pair((of_white, of_black))


def _may_double_to(state: MatchState, highest: Pair[int]) -> bool:
    """Whether the player on roll may double; `highest` has the values of the cube up to which they may."""
    player = state.on_roll
    of_white, of_black = highest
    highest_of_player = of_black if player is Player.BLACK else of_white
    cube = state.cube
    return cube.owner in (None, player) and cube.value <= highest_of_player


def _words_of_action(event: Event, state: MatchState, *, canonical: bool) -> str:
    """The words for what was done, as `Decision.action` has them; the rules allow it in this state."""
    argument = event.argument
    if event.action is Action.RESIGN:
        assert isinstance(argument, Win)  # as in every event of a resignation
        return argument.name.lower()
    if event.action is not Action.PLAY:
        return event.action.value
    if canonical or isinstance(argument, Play):
        return str(argument)
    # any other event of a play has its text or its moves; a Pair is the dice of an opening roll
    assert isinstance(argument, (str, tuple))
    assert not isinstance(argument, Pair)
    return str(state.legal_plays.find(argument))


# --- how a game begins --------------------------------------------------------------------------


def opens_with_doublet(events: Sequence[RecordEvent], states: Sequence[MatchState]) -> bool:
    """Whether the first roll is a doublet, before which `GameReplay.open_game` gives its player the turn.

    `states`: at least the first three, if there are so many.
    """
    if not _begins_by_giving_the_turn(events, states):
        return False
    dice = states[2].dice
    return dice is not None and dice.is_doublet


def begins_with_its_turn(events: Sequence[RecordEvent], states: Sequence[MatchState]) -> bool:
    """Whether a game begins with a turn that readers give to whoever acts first, so that texts need not show it."""
    if opens_with_doublet(events, states):
        return True
    if not _begins_by_giving_the_turn(events, states) or states[0].rules.opening != "reroll":
        return False
    rolls_first = states[2].dice is not None
    doubles_first = isinstance(states[2].offer, Double)
    return rolls_first or doubles_first


def _begins_by_giving_the_turn(events: Sequence[RecordEvent], states: Sequence[MatchState]) -> bool:
    """Whether the first event, in place of an opening roll, changes nothing but whose turn it is; another follows."""
    if len(states) < 3 or states[0].phase is not Phase.OPENING:
        return False
    first = events[0]
    # one with a cube is a board that a record or a log states, and is written as such
    return (
        isinstance(first, SetPosition) and first.cube is None and is_only_a_turn(first, states[0])
    )


def is_only_a_turn(event: SetPosition, before: MatchState) -> bool:
    """Whether it changes nothing but whose turn it is."""
    has_same_board = event.position == before.view(event.on_roll)
    return has_same_board and event.cube in (None, before.cube)
