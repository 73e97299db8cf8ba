"""What the page *Try it* (`docs/try.md`) asks the library, in Python in the reader's browser.

The page asks a `Question`, all of it text from a stranger, and shows the answer. It keeps no state but the
question itself, so the same question always has the same answer.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
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
    Move,
    Phase,
    Play,
    Player,
    Plays,
    Position,
    Result,
)
from gammonrules.draw import svg
from gammonrules.identifiers import read

STYLESHEET = svg.stylesheet(when='[data-md-color-scheme="slate"]')
"""The colors of pictures where the reader has chosen the site's dark colors."""

PLACES = {"bar": 25, "off": 0}
"""The names that a picture gives to what is not a point."""


@attrs.frozen
class Question:
    """What the reader has typed and clicked so far.

    Attributes:
        position: an identifier of any kind; without one, the start of a game.
        roll: two dice, such as "31"; without one, those of the identifier.
        play: a play as the reader wrote it.
        moves: the moves made on the board instead, each (from, to, hit).
        source: the point that was clicked on first, whose checker is to move.
        click: the place on the board that was clicked on just now: "1" to "24", "bar" or "off".
        show: a legal play whose arrows are wanted, whatever else there is.
        after: whether the board after the play is wanted, and not the one before it.
    """

    position: str = ""
    roll: str = ""
    play: str = ""
    moves: Sequence[tuple[int, int, bool]] = ()
    source: int | None = None
    click: str = ""
    show: str = ""
    after: bool = False


def answer_text(question: str) -> str:
    """The answer to a question, both as JSON."""
    return json.dumps(answer(Question(**json.loads(question))))


def answer(question: Question) -> dict[str, Any]:
    """The picture, the legal plays, and what there is to say about the reader's play.

    A problem has the name of the field that causes it and the library's sentence. Without a problem there is a picture,
    and the plays, unless `waiting` says why there are no plays.
    """
    try:
        state, doubts = described_by(question.position)
    except GammonError as error:
        return {"problem": {"field": "position", "sentence": str(error)}}
    try:
        state = rolled(state, question.roll)
    except GammonError as error:
        return {"problem": {"field": "roll", "sentence": str(error)}, "doubts": doubts, "picture": picture(state)}
    told = {"doubts": doubts, "id": state.position.id, "xgid": state.xgid}
    try:
        plays = state.legal_plays
    except IllegalActionError as error:
        return told | {"waiting": str(error), "picture": picture(state)}
    listed = [{"play": str(play), "id": play.position.id} for play in plays]
    return told | {"roll": str(plays.dice), "plays": listed} | judged(state, plays, question)


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


def judged(state: MatchState, plays: Plays, question: Question) -> dict[str, Any]:
    """The reader's play, typed or made on the board: how far it has come, whether it is legal, and a picture of it."""
    shown = pointed_at(plays, question.show)
    try:
        moves, source = clicked(plays, question)
        if moves or source is not None or not question.play.strip():
            told = in_the_making(state, plays, moves, source)
        else:
            play = plays.find(question.play)
            told = accepted(state, play) | {"picture": picture(state, arrows=play)}
        if question.after and "play" in told:
            told |= board_after(state, plays.find(told["play"]))
    except GammonError as error:
        told = {"verdict": refused(error), "picture": picture(state)}
    return told | ({} if shown is None else {"picture": picture(state, arrows=shown)})


def pointed_at(plays: Plays, text: str) -> Play | None:
    """The play of the list that the reader points at, if it is not the list of an earlier question."""
    try:
        return plays.find(text) if text else None
    except GammonError:
        return None


def clicked(plays: Plays, question: Question) -> tuple[list[Move], int | None]:
    """The moves made after a click, and the point from which the next checker is to move.

    A click on a point with a checker that can move chooses it, and a click on where it can go, with one die or more,
    moves it there. A click elsewhere puts it down again.

    Raises:
        GammonError: these moves cannot have been made.
    """
    moves, source, place = [Move(*move) for move in question.moves], question.source, question.click
    if not place:
        return moves, source
    point = PLACES[place] if place in PLACES else int(place)
    ways = plays.combined_moves(moves)
    for series in ways:
        if (series[0].from_point, series[-1].to_point) == (source, point):
            return [*moves, *series], None
    can_move = point != source and any(series[0].from_point == point for series in ways)
    return moves, point if can_move else None


def in_the_making(state: MatchState, plays: Plays, moves: list[Move], source: int | None) -> dict[str, Any]:
    """A play made checker by checker, and the moves that may come next."""
    ways = {(series[0].from_point, series[-1].to_point) for series in plays.combined_moves(moves)}
    sources = {start for start, _ in ways} if source is None else {source}
    targets = {end for start, end in ways if start == source}
    told = {
        "moves": [[move.from_point, move.to_point, move.hit] for move in moves],
        "source": source,
        "so_far": " ".join(map(str, moves)),
        "next": [(str(move), move.from_point, str(move.to_point)) for move in plays.next_moves(moves)],
        "picture": picture(state, so_far=moves, highlight=sources, targets=targets),
    }
    return told | ({} if ways else accepted(state, plays.find(moves)))


def accepted(state: MatchState, play: Play) -> dict[str, Any]:
    """A legal play, as it is usually written, and the state that it leads to."""
    after = state.play(play)
    passes = ", since nothing can be played" if play.is_pass else ""
    wins = ", which wins the game" if after.phase is Phase.OVER else ""
    told: dict[str, Any] = {"play": str(play), "verdict": {"legal": True, "sentence": f"{play}{passes}{wins}"}}
    return told if wins else told | {"then": after.xgid}


def refused(error: GammonError) -> dict[str, Any]:
    """Why a play is not legal: a sentence, the rule, and legal plays that prove it."""
    told: dict[str, Any] = {"legal": False, "sentence": str(error)}
    if not isinstance(error, IllegalPlayError):
        return told
    proof = error.candidates if isinstance(error, AmbiguousPlayError) else filter(None, [error.witness])
    return told | {"rule": error.reason.value, "instead": [str(play) for play in proof]}


# --- pictures ---------------------------------------------------------------------------------------------------------


def picture(state: MatchState, **marks: Any) -> str:
    """The table, with the player on roll at the bottom, so that the points have their usual numbers."""
    return svg.table(state, bottom=state.on_roll or Player.WHITE, theme="auto", **marks)


def board_after(state: MatchState, play: Play) -> dict[str, Any]:
    """The table after a play, still seen by the player who made it, with the point numbers of the play."""
    after = state.play(play)
    bottom = state.on_roll or Player.WHITE
    drawn = svg.table(after, bottom=bottom, theme="auto", numbers="fixed", last_play=play)
    return {"id": after.position.id, "xgid": after.xgid, "picture": drawn}
