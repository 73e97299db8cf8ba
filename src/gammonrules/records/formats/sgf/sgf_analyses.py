"""Analyses in SGF: their form is checked when a file is read; they are decoded only when needed.

`A` lists plays with their evaluations, `DA` has the evaluation of the cube, `LU` the luck of the roll. What came from
SGF is written as it was, other analyses in the form of an evaluation (`E`), which has equities, chances and plies. A
rollout (`X`) would have to state games and dice that no analysis has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, cast

import attrs

from gammonrules.board import Move, Play
from gammonrules.board.internals import legal_play
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import MatchState, Phase, Player
from gammonrules.records.formats.sgf.sgf_trees import LETTERS, steps_in, values_of
from gammonrules.records.transcript import (
    ROLLOUT,
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    PlayAnalysis,
    StoredAnalysis,
    Triple,
    candidate_of,
    chances_of,
    cube_of,
    decoded,
    make_encoded,
    ply_level,
)

# The patterns match each text in one way only, so that the time grows with its length alone. They let no "nan"
# and no "inf" pass, and no chance below 0 or above 1 by more than the rounding of a program.
_NUMBER = r"-?\d{1,9}(?:\.\d{1,16})?(?:e-\d\d)?"
_POSITIVE = r"\d{1,9}(?:\.\d{1,16})?(?:e-\d\d)?"
_CHANCE = (
    r"(?:0(?:\.\d{1,16})?(?:e-\d\d)?|1(?:\.0{1,2}|\.000\d{0,13})?|-0(?:\.0{1,2}|\.000\d{0,13})?"
    r"|-?\d(?:\.\d{1,16})?e-(?:0[4-9]|[1-9]\d))"
)
_VERSION = r"(?>(?:\s++ver\s++\d{1,2})?)"
_LEVEL = r"\s++\d{1,2}C?+"
_SEVEN = rf"(?:\s++{_CHANCE}){{5}}\s++{_NUMBER}\s++({_NUMBER})"
_SEVEN_ERRORS = rf"(?:\s++{_POSITIVE}){{7}}"
_OUTPUT = rf"Output{_SEVEN}\s++StdDev{_SEVEN_ERRORS}"
_REST = r"(?:\s[^\]\\]*+)?"
_PLAY_EVALUATED = (
    rf"E{_VERSION}(?:\s++{_CHANCE}){{5}}\s++{_NUMBER}{_LEVEL}(?:\s++{_NUMBER}){{0,6}}+\s*+"
)
_PLAY_ROLLED_OUT = (
    rf"X{_VERSION}\s++Score(?:\s++{_NUMBER}){{2}}\s++Trials\s++\d{{1,9}}\s++{_OUTPUT}{_REST}"
)
_PLAYS = re.compile(
    rf"\[\s*+(?:\d{{1,4}}|-1)\s*+\]\s*+(?:\[\s*+(?:[a-y][a-z]){{0,4}}+\s*+(?:{_PLAY_EVALUATED}|{_PLAY_ROLLED_OUT})\]\s*+)++",
    re.ASCII,
)
_CUBE = re.compile(
    rf"\[\s*+(?:E{_VERSION}(?:\s++{_NUMBER}){{0,4}}?{_LEVEL}(?:\s++{_NUMBER}){{0,5}}?{_SEVEN}{_SEVEN}\s*+"
    rf"|X{_VERSION}\s++Eq\s++Trials\s++\d{{1,9}}\s++NoDouble\s++{_OUTPUT}\s++DoubleTake\s++{_OUTPUT}{_REST})\]\s*+",
    re.ASCII,
)
# The same for what GNU Backgammon has written since 2008, as in nearly all files; it takes a third of the time.
_USUAL_CHANCES = r" (?:0\.[0-9]{6}|1\.000000)" * 5
_USUAL_EQUITY = r"-?[0-9]\.[0-9]{6}"
_USUAL_PLAY = rf"{_USUAL_CHANCES} {_USUAL_EQUITY} [0-9]{{1,2}}C 0 [01] 0\.[0-9]{{6}} [01]\]"
_USUAL_PLAYS = re.compile(
    rf"\[[0-9]{{1,4}}\](?:\[(?:[a-y][a-z]){{0,4}}+ E ver 3{_USUAL_PLAY})++\s*+", re.ASCII
)
_USUAL_CUBES = rf"{_USUAL_CHANCES} {_USUAL_EQUITY} ({_USUAL_EQUITY})" * 2
_USUAL_CUBE = re.compile(
    rf"\[E ver 3 [0-9]{{1,2}}C [01] 0\.[0-9]{{6}} [01]{_USUAL_CUBES}\]\s*+", re.ASCII
)
_LUCK = re.compile(rf"\[\s*+({_NUMBER}|-inf)\s*+\]\s*+", re.ASCII)
_PLY = re.compile(r"\d{1,2}C?")
_LARGEST_ERROR = 0.001
"""By how much a chance of winning the match may be below 0 or above 1."""
_NONE: Final = -1
"""The index of a play that was not evaluated, as GNU Backgammon understands it."""
_LUCKY = 0.3
_VERY_LUCKY = 0.6
"""The luck beyond which GNU Backgammon marks a roll."""


# --- what a reader does: check the form ------------------------------------------------------------------------------


def encoded_plays(evaluations: str | None, luck: str | None, engine: str) -> EncodedAnalysis | None:
    """The analysis of a play, to be decoded later; None if it is empty. Raises ParseError if it is malformed."""
    evaluations, luck = (text and text.rstrip() for text in (evaluations, luck))
    if evaluations is not None and not (
        _USUAL_PLAYS.fullmatch(evaluations) or _PLAYS.fullmatch(evaluations)
    ):
        raise ParseError("the analysis of this play cannot be read, so it is left out")
    if luck is not None:
        if (match := _LUCK.fullmatch(luck)) is None:
            raise ParseError("the luck of this roll is not a number, so it is left out")
        if match[1] == "-inf":  # how GNU Backgammon writes that it did not evaluate this
            luck = None
    return (
        None
        if evaluations is luck is None
        else make_encoded((evaluations, luck, engine), decode_plays)
    )


def encoded_cube(evaluation: str, engine: str, length: int | None) -> EncodedAnalysis:
    """The analysis of a decision to double, to be decoded later; `length` is that of the match. Raises ParseError."""
    evaluation = evaluation.rstrip()
    match = _USUAL_CUBE.fullmatch(evaluation) or _CUBE.fullmatch(evaluation)
    worth = (
        []
        if match is None or length is None
        else [float(number) for number in match.groups() if number]
    )
    if match is None or not all(
        -_LARGEST_ERROR <= chance <= 1 + _LARGEST_ERROR for chance in worth
    ):
        raise ParseError("the analysis of the cube cannot be read, so it is left out")
    return make_encoded((evaluation, engine), decode_cube)


# --- what comes later: decode it -------------------------------------------------------------------------------------


def decode_plays(data: object, state: MatchState, most: int | None = None) -> PlayAnalysis | None:
    """All plays, or at most so many and the one that was made."""
    evaluations, luck, engine = cast("tuple[str | None, str | None, str]", data)
    first, *texts = values_of(evaluations) if evaluations else ["0"]
    if state.on_roll is None:
        return None
    made = int(first)
    legal = dict[int, Candidate]()
    for index, text in enumerate(texts):
        wanted = most is None or index < most or index == made
        if (
            wanted
            and (candidate := _candidate_in(text, side=state.on_roll, state=state, engine=engine))
            is not None
        ):
            legal[index] = candidate
    played = [*legal].index(made) if made in legal else None
    return PlayAnalysis(
        tuple(legal.values()),
        played,
        float(luck[1:-1]) if luck is not None else None,
        engine=engine,
    )


def _candidate_in(text: str, side: Player, state: MatchState, engine: str) -> Candidate | None:
    words = text.split()
    letters = words.pop(0) if words[0] not in ("E", "X") else ""
    try:
        play = legal_play(state.legal_plays, steps_in(letters, side))
    except (GammonError, KeyError):  # not a play at all, or a step from a point to the bar
        play = None
    if play is None:
        return None
    if words[0] == "X":
        score, output, errors = (words.index(word) + 1 for word in ("Score", "Output", "StdDev"))
        mwc = None if state.length is None else within(float(words[output + 6]))
        error = in_equity(float(words[errors + 6]), state)
        return candidate_of(
            play, float(words[score]), first_chances(words[output:]), ROLLOUT, error, mwc
        )
    numbers = words[3:] if words[1] == "ver" else words[1:]
    return candidate_of(
        play, float(numbers[5]), first_chances(numbers), ply(numbers[6], engine), None, None
    )


def decode_cube(data: object, state: MatchState) -> CubeAnalysis:
    """The analysis of a decision to double; the state is that before the decision, or before the answer to it."""
    evaluation, engine = cast("tuple[str, str]", data)
    words = evaluation.strip()[1:-1].split()
    if words[0] == "X":
        level = ROLLOUT
        first, second = (index + 1 for index, word in enumerate(words) if word == "Output")
    else:
        level = ply(
            next(word for word in words[3 * (words[1] == "ver") or 1 :] if _PLY.fullmatch(word)),
            engine,
        )
        first, second = len(words) - 14, len(words) - 7
    no_double, take = float(words[first + 6]), float(words[second + 6])
    equities: Triple = no_double, take, 1.0
    mwc = None
    if state.length is not None:
        mwc = within(no_double), within(take), None
        equities = (
            KAZAROSS_XG2.to_equity(no_double, state),
            KAZAROSS_XG2.to_equity(take, state),
            1.0,
        )
    errors = [
        in_equity(float(words[at + 7]), state) for at, word in enumerate(words) if word == "StdDev"
    ]
    chances = first_chances(words[first:]), first_chances(words[second:])
    return cube_of(equities, chances, level, errors, mwc=mwc, engine=engine)


def in_equity(error: float, state: MatchState) -> float | None:
    """A standard error as normalized equity; in a match it is one of the chance of winning the match."""
    if state.length is None:
        return error
    ends = KAZAROSS_XG2.to_chance(1, state), KAZAROSS_XG2.to_chance(-1, state)
    return None if ends[0] is None or ends[1] is None else 2 * error / (ends[0] - ends[1])


def first_chances(numbers: list[str]) -> Chances:
    return chances_of(*map(float, numbers[:5]))


def within(chance: float) -> float:
    """A chance cut to 0 to 1, since programs' rounding may lead beyond."""
    return min(1.0, max(0.0, chance))


def ply(level: str, engine: str) -> Level:
    """The level of an evaluation as the engine counts: "2C" is cubeful, as usual, and "2" is not."""
    plies = int(level.rstrip("C")) + first_ply(engine)
    return ply_level(plies, is_cubeless=not level.endswith("C"))


def first_ply(engine: str) -> int:
    """What an engine calls the evaluation of a position without any play: 0-ply, as the files do, or 1-ply."""
    return int(engine.startswith(("eXtreme Gammon", "bgsage", "exact values and bgsage")))


# --- what a writer does ----------------------------------------------------------------------------------------------


def properties_of(stored: StoredAnalysis | None, state: MatchState) -> str:
    """The analysis of the decision in this state; "" for one that lacks what the properties must have."""
    if isinstance(stored, EncodedAnalysis) and stored.decode is decode_cube:
        return f"DA{cast('tuple[str, str]', stored.data)[0].rstrip()}"
    if isinstance(stored, EncodedAnalysis) and stored.decode is decode_plays:
        plays, luck, _ = cast("tuple[str | None, str | None, str]", stored.data)
        mark = _luck_mark(float(luck[1:-1]), state) if luck else ""
        return "".join(
            [*(f"{name}{raw.rstrip()}" for name, raw in (("A", plays), ("LU", luck)) if raw), mark]
        )
    analysis = decoded(stored, state)
    is_play = state.phase is Phase.TO_PLAY
    with suppress(GammonError):  # a number is so large that it could not be read
        if isinstance(analysis, PlayAnalysis) and is_play:
            return _play_properties(analysis, state)
        return (
            _cube_property(analysis, state)
            if isinstance(analysis, CubeAnalysis) and not is_play
            else ""
        )
    return ""


def letters_of_play(play: object, state: MatchState) -> str:
    """A play in steps of one die. Raises IllegalPlayError."""
    moves = state.legal_plays.find(cast("str | Play | tuple[Move, ...]", play)).moves
    letters = LETTERS[state.on_roll or Player.WHITE]
    return "".join(letters[move.from_point] + letters[move.to_point] for move in moves)


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
            yield (
                index,
                f"[{letters} E ver 3 {numbers} {_in_plies(candidate.level, analysis.engine)} 0 1 0.000000 1]",
            )


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
    words = ["E ver 3", _in_plies(analysis.level, analysis.engine), "1 0.000000 1"]
    for chances, equity in sets:
        cubeless = None if chances is None else KAZAROSS_XG2.equity_from(chances, state)
        worth = (
            equity
            if equity is None or state.length is None
            else KAZAROSS_XG2.to_chance(equity, state)
        )
        if chances is None or cubeless is None or worth is None:
            return ""
        words.append(f"{_five(chances)} {cubeless:.6f} {worth:.9f}")
    text = f"[{' '.join(words)}]"
    encoded_cube(text, "", state.length)  # raises ParseError
    return f"DA{text}"


def _five(chances: Chances) -> str:
    return " ".join(f"{chance:.6f}" for chance in attrs.astuple(chances))


def _in_plies(level: Level, engine: str) -> str:
    """The plies as GNU Backgammon counts them; 0 for a level that is no number of plies."""
    depth = level.depth
    if depth is None or level != ply_level(depth, is_cubeless=level.is_cubeless):
        return "0C"
    plies = max(0, depth - first_ply(engine))
    return str(plies) if level.is_cubeless else f"{plies}C"
