"""A bot cannot know that its resignation was declined: then the game goes on without it."""

from __future__ import annotations

from gammonrules import Action, Event, MatchState, Phase, arena


def first(state: MatchState) -> Event | Action:
    if state.phase is Phase.TO_PLAY:
        return Event(Action.PLAY, argument=state.legal_plays[0])
    answers = {Phase.DOUBLED: Action.DROP, Phase.RESIGNED: Action.DECLINE}
    return answers.get(state.phase, Action.ROLL)


def doubles(state: MatchState) -> Event | Action:
    may = state.phase is Phase.TO_ROLL and Action.DOUBLE in state.legal_actions
    return Action.DOUBLE if may else first(state)


def resigns(state: MatchState) -> Event | Action:
    return first(state) if state.phase is Phase.RESIGNED else Event(Action.RESIGN, argument=1)


def test_a_resignation_in_vain_changes_nothing() -> None:
    for other in (first, doubles):
        plain, resigning = (arena.play([bot, other], games=10, jobs=1).pairings[0].values for bot in (first, resigns))
        assert plain == resigning
