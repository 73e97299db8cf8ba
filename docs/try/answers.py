"""What the page *Try it* (`docs/try.md`) asks the library, in Python in the reader's browser.

The page asks a `Question`, all of it text from a stranger, and shows the answer. It keeps no state but the
question itself, so the same question always has the same answer.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from gammonrules import (
    TOURNAMENT,
    AmbiguousPlayError,
    Dice,
    End,
    GammonError,
    IdentifierWarning,
    IllegalActionError,
    IllegalPlayError,
    MatchState,
    Phase,
    Play,
    Player,
    Plays,
    Position,
    Result,
)
from gammonrules.draw import BoardStyle, svg
from gammonrules.identifiers import read


@attrs.frozen
class Question:
    """What the reader has typed, or done on the board.

    Attributes:
        position: an identifier of any kind; without one, the start of a game.
        roll: two dice, such as "31"; without one, those of the identifier.
        play: a play as the reader wrote it.
        show: a legal play whose arrows are wanted.
        tried: from where to where a checker cannot move, after which moves: only the reason is wanted.
        layout: of the picture: "portrait" for phones that are held upright.
    """

    position: str = ""
    roll: str = ""
    play: str = ""
    show: str = ""
    tried: tuple[int, int, Sequence[tuple[int, int]]] | None = None
    layout: svg.Layout = "landscape"


def answer_text(question: str) -> str:
    """The answer to a question, both as JSON."""
    return json.dumps(answer(Question(**json.loads(question))))


def answer(question: Question) -> dict[str, Any]:
    """The picture, the turn and the legal plays, and what there is to say about the reader's play.

    A problem has the name of the field that causes it and the library's message. Without a problem there is a picture,
    and the plays, unless `waiting` says why there are no plays.
    """
    draw = partial(picture, layout=question.layout)
    try:
        state, doubts = described_by(question.position)
    except GammonError as error:
        return {"problem": {"field": "position", "message": str(error)}}
    try:
        state = rolled(state, question.roll)
    except GammonError as error:
        return {"problem": {"field": "roll", "message": str(error)}, "doubts": doubts, "picture": draw(state)}
    told = {"doubts": doubts, "id": state.position.id, "xgid": state.xgid}
    try:
        plays = state.legal_plays
    except IllegalActionError as error:
        return told | {"waiting": str(error), "picture": draw(state), "actions": sorted(state.legal_actions)}
    if question.tried:
        return {"why": str(plays.why(*question.tried) or "")}
    turn = {"picture": draw(state, arrows=pointed_at(plays, question.show)), "tree": plays.tree().data}
    return told | turn | {"roll": str(plays.dice), "plays": [*map(str, plays)]} | judged(state, plays, question.play)


# --- the position and the roll ----------------------------------------------------------------------------------------


def described_by(text: str) -> tuple[MatchState, list[str]]:
    """The state that an identifier describes, and the doubts about it.

    Raises:
        GammonError: it cannot be read.
    """
    if not text.strip():
        return MatchState(Position.start(), Player.WHITE), []
    with warnings.catch_warnings(record=True, category=IdentifierWarning, action="always") as caught:
        described = read(text)
    doubts = [str(doubt.message) for doubt in caught]
    return (on_a_table(described) if isinstance(described, Position) else described), doubts


def on_a_table(position: Position) -> MatchState:
    """A state with this board, White on roll: a picture with colors, in which a play does not turn the board around."""
    outcome = position.outcome
    if outcome is None:
        return MatchState(position, Player.WHITE)
    loser, board = (Player.BLACK, position.flip()) if outcome.won else (Player.WHITE, position)
    points = int(outcome.win)
    score = (points, 0) if outcome.won else (0, points)
    result = Result(loser.opponent, outcome.win, points, End.PLAYED)
    return MatchState(board, loser, score=score, rules=TOURNAMENT, result=result)


def rolled(state: MatchState, text: str) -> MatchState:
    """The state with this roll; before the opening roll, White has it.

    Raises:
        GammonError: this is not a roll, or nobody rolls now.
    """
    if not text.strip():
        return state
    dice = Dice.of(text)
    if state.phase is Phase.OPENING:
        return attrs.evolve(state, on_roll=Player.WHITE, dice=dice)
    return attrs.evolve(state, dice=dice) if state.phase is Phase.TO_PLAY else state.roll(dice)


# --- the play ---------------------------------------------------------------------------------------------------------


def judged(state: MatchState, plays: Plays, text: str) -> dict[str, Any]:
    """What there is to say about the reader's play; where nothing can be played, they need not write it."""
    if not text.strip() and not plays[0].is_dance:
        return {}
    try:
        return accepted(state, plays.find(text))
    except GammonError as error:
        return {"verdict": refused(error)}


def pointed_at(plays: Plays, text: str) -> Play | None:
    """The play of the list that the reader points at, if it is not the list of an earlier question."""
    try:
        return plays.find(text) if text else None
    except GammonError:
        return None


def accepted(state: MatchState, play: Play) -> dict[str, Any]:
    """A legal play, as it is usually written, its moves, and the state that it leads to."""
    after = state.play(play)
    why = ", since nothing can be played" if play.is_dance else ""
    wins = ", which wins the game" if after.phase is Phase.OVER else ""
    moves = [[move.from_point, move.to_point] for move in play.moves]
    verdict = {"legal": True, "message": f"{play}{why}{wins}"}
    told: dict[str, Any] = {"play": str(play), "moves": moves, "verdict": verdict}
    return told if wins else told | {"then": after.xgid}


def refused(error: GammonError) -> dict[str, Any]:
    """Why a play is not legal: a message, the rule, and legal plays that prove it."""
    told: dict[str, Any] = {"legal": False, "message": str(error)}
    if not isinstance(error, IllegalPlayError):
        return told
    proof = error.candidates if isinstance(error, AmbiguousPlayError) else filter(None, [error.witness])
    return told | {"rule": error.reason and error.reason.value, "instead": [str(play) for play in proof]}


# --- pictures ---------------------------------------------------------------------------------------------------------


def picture(state: MatchState, layout: svg.Layout, arrows: Play | None = None) -> str:
    """An image of the state. The player on roll is at the bottom, so that the points have their usual numbers."""
    style = BoardStyle(theme="auto", look="depth", layout=layout)
    return svg.match_state(state, bottom=state.on_roll or Player.WHITE, arrows=arrows, style=style)
