"""Analyses as properties of SGF: those that came from SGF as they were, others in the form of an evaluation (`E`).

That form has equities, chances and plies. A rollout (`X`) would have to state games and dice that no analysis has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, cast

from gammonrules.board import Move, Play
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.errors import GammonError
from gammonrules.formats.sgf.point_letters import letters_of
from gammonrules.formats.sgf.sgf_analyses import (
    decode_cube,
    decode_plays,
    encoded_cube,
    encoded_plays,
    first_ply,
    luck_in,
)
from gammonrules.match import MatchState, Phase, Player
from gammonrules.transcript import Analysis, CubeAnalysis, EncodedAnalysis, PlayAnalysis, decoded

_PLIES = re.compile(r"([0-9]{1,2})-ply( cubeless)?")
_NONE: Final = -1
"""The index of a play that was not evaluated, as GNU Backgammon understands it."""
_LUCKY, _VERY_LUCKY = 0.3, 0.6
"""The luck beyond which GNU Backgammon marks a roll."""


def properties_of(stored: Analysis | EncodedAnalysis | None, state: MatchState) -> str:
    """The analysis of the decision in this state; "" for one that lacks what the properties must have."""
    if isinstance(stored, EncodedAnalysis) and stored.decode is decode_cube:
        return f"DA{cast('tuple[str, str]', stored.data)[0].rstrip()}"
    if isinstance(stored, EncodedAnalysis) and stored.decode is decode_plays:
        plays, luck, _ = cast("tuple[str | None, str | None, str]", stored.data)
        mark = _luck_mark(luck_in(luck), state) if luck else ""
        return "".join([*(f"{name}{raw.rstrip()}" for name, raw in (("A", plays), ("LU", luck)) if raw), mark])
    analysis, is_play = decoded(stored, state), state.phase is Phase.TO_PLAY
    try:
        if isinstance(analysis, PlayAnalysis) and is_play:
            return _play_properties(analysis, state)
        return _cube_property(analysis, state) if isinstance(analysis, CubeAnalysis) and not is_play else ""
    except GammonError:  # a number is so large that it could not be read
        return ""


def letters_of_play(play: object, state: MatchState) -> str:
    """A play in steps of one die. Raises IllegalPlayError."""
    moves = state.legal_plays.find(cast("str | Play | tuple[Move, ...]", play)).moves
    return letters_of([(move.from_point, move.to_point) for move in moves], state.on_roll or Player.WHITE)


def _play_properties(analysis: PlayAnalysis, state: MatchState) -> str:
    """The plays and the luck. A play without an equity or chances is left out, and if the best is one, all are."""
    texts = dict(_evaluations(analysis, state))
    played = [*texts].index(analysis.played) if analysis.played in texts else _NONE
    plays = "".join([f"[{played}]", *texts.values()]) if 0 in texts else None
    luck = None if analysis.luck is None else f"[{analysis.luck:.6f}]"
    encoded_plays(plays, luck, "")  # raises ParseError
    written = [f"{name}{text}" for name, text in (("A", plays), ("LU", luck)) if text]
    return "".join([*written, _luck_mark(analysis.luck or 0, state)])


def _evaluations(analysis: PlayAnalysis, state: MatchState) -> Iterator[tuple[int, str]]:
    """The plays with an equity and chances, by their index. GNU Backgammon cannot show an evaluation of a dance."""
    for index, candidate in enumerate(analysis.candidates):
        letters = letters_of_play(candidate.play, state)
        if letters and candidate.equity is not None and candidate.chances is not None:
            numbers = f"{_five(candidate.chances)} {candidate.equity:.6f}"
            yield index, f"[{letters} E ver 3 {numbers} {_level(candidate.level, analysis.engine)} 0 1 0.000000 1]"


def _luck_mark(luck: float, state: MatchState) -> str:
    """The mark without which GNU Backgammon calls no roll lucky: good for White or for Black."""
    if abs(luck) <= _LUCKY:
        return ""
    lucky = state.on_roll if luck > 0 else cast("Player", state.on_roll).opponent
    return f"G{'W' if lucky is Player.WHITE else 'B'}[{1 + (abs(luck) > _VERY_LUCKY)}]"


def _cube_property(analysis: CubeAnalysis, state: MatchState) -> str:
    """The evaluation of the cube: in a match its last numbers are chances of winning it, not equities."""
    after_take = analysis.chances_double_take or analysis.chances  # an evaluation has one for both
    sets = (analysis.chances, analysis.no_double), (after_take, analysis.double_take)
    words = ["E ver 3", _level(analysis.level, analysis.engine), "1 0.000000 1"]
    for chances, equity in sets:
        cubeless = None if chances is None else KAZAROSS_XG2.equity_from(chances, state)
        worth = equity if equity is None or state.length is None else KAZAROSS_XG2.to_chance(equity, state)
        if chances is None or cubeless is None or worth is None:
            return ""
        words.append(f"{_five(chances)} {cubeless:.6f} {worth:.9f}")
    text = f"[{' '.join(words)}]"
    encoded_cube(text, "", match_play=state.length is not None)  # raises ParseError
    return f"DA{text}"


def _five(chances: Chances) -> str:
    five = chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon
    return " ".join(f"{chance:.6f}" for chance in five)


def _level(words: str, engine: str) -> str:
    """The plies as GNU Backgammon counts them; 0 for a level that is no number of plies."""
    match = _PLIES.fullmatch(words)
    plies = max(0, int(match[1]) - first_ply(engine)) if match else 0
    return f"{plies}{'' if match and match[2] else 'C'}"
