"""What the screen says."""

from __future__ import annotations

from collections.abc import Sequence

from bot import end_of_decided

from gammonrules import Action, Double, Event, MatchState, Phase, Player, Resignation, Win

PERSON, BOT = Player  # White, at the bottom, and Black
BAR = 25
OFF = 0
WHO = {PERSON: "You", BOT: "Bot"}
LEVELS = {Win.SINGLE: "single game", Win.GAMMON: "gammon", Win.BACKGAMMON: "backgammon"}


def title(state: MatchState, number: int) -> str:
    kind = "Money play" if state.length is None else f"Match to {state.length}"
    stage = " · Crawford game" if state.crawford else " · post-Crawford" if state.post_crawford else ""
    return f"{kind} · game {number}{stage}"


def counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def news(before: MatchState, event: Event, after: MatchState) -> list[str]:
    """What has happened: lines for the log."""
    who = WHO[event.by if isinstance(event.by, Player) else before.to_act or PERSON]
    match event:
        case Event(action=Action.OPENING_ROLL, argument=(white, black)):
            lines = [f"Opening: you {white}, bot {black}"]
        case Event(action=Action.PLAY):
            lines = [f"{who} {before.dice}: {before.legal_plays.find(after.position)}"]
        case Event(action=Action.DOUBLE | Action.BEAVER as action) if isinstance(after.offer, Double):
            lines = [f"{who}: {action} to {after.offer.value}"]
        case Event(action=Action.RESIGN, argument=Win() as win):
            lines = [f"{who}: resign a {LEVELS[win]}"]
            lines = ["The game is decided", *lines] if event == end_of_decided(before) else lines
        case Event(action=Action.ROLL):
            lines = []
        case Event(action=action):
            lines = [f"{who}: {action}"] if before.to_act else ["", "Next game"]
    if after.result is not None:
        level = "" if after.result.win is None else f", {LEVELS[after.result.win]}"
        lines.append(f"{WHO[after.result.winner]}: +{after.result.points}{level}")
    return lines


def prompt(state: MatchState, *, is_complete: bool) -> str:
    """What the person has to decide."""
    match state.phase:
        case Phase.TO_PLAY if len(state.legal_plays) == 1:
            only = state.legal_plays[0]
            return (
                f"{state.dice}: nothing can be played."
                if only.is_dance
                else f"{state.dice}: the only legal play is {only}."
            )
        case Phase.TO_PLAY if is_complete:
            return f"{state.dice} is played. End the turn, or undo."
        case Phase.TO_PLAY:
            return f"{state.dice} to play. Choose a checker, or type a play."
        case Phase.OVER if state.winner is not None:
            return f"The match is over: {'you have' if state.winner is PERSON else 'the bot has'} won it."
        case Phase.OVER:
            return "The game is over."
        case _:
            return offer(state)


def offer(state: MatchState) -> str:
    """What to answer; if nothing is offered, what to do before the roll."""
    if isinstance(state.offer, Double):
        return f"The bot offers the cube at {state.offer.value}."
    if isinstance(state.offer, Resignation):
        return f"The bot resigns a {LEVELS[state.offer.win]}."
    return "Roll, or double first." if Action.DOUBLE in state.legal_actions else "Roll."


def advice(choices: Sequence[tuple[str, float]], tutor: str) -> list[str]:
    """A hint: what can be done, best first, and what each loses."""
    lines = [f"{what}: {f'loses {loss:.2f}' if loss >= 0.005 else 'best'}" for what, loss in choices]
    return ["", f"Hint ({tutor})", *lines, ""]
