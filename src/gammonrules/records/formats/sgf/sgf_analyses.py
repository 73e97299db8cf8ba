"""Analyses in SGF: their form is checked when a file is read; they are decoded only when needed.

`A` lists plays with their evaluations, `DA` has the evaluation of the cube, `LU` the luck of the roll. What came from
SGF is written as it was, other analyses in the form of an evaluation (`E`), which has equities, chances and plies. A
rollout (`X`) would have to state games and dice that no analysis has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from attrs import astuple, frozen

from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    ROLLOUT,
    EncodedAnalysis,
    StoredAnalysis,
    Triple,
    candidate_of,
    chances_of,
    cube_of,
    decoded,
    make_encoded,
    ply_level,
)
from gammonrules.board import Play
from gammonrules.board.internals import Maker, legal_play
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import EquityScale, equity_scale
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import MatchState, Phase, Player
from gammonrules.records.formats.sgf.sgf_trees import COLORS, LETTERS, steps_in, values_of

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
_MAX_ERROR = 0.001
"""By how much a chance of winning the match may be below 0 or above 1."""
_NUMBERS: Final = 7
"""How many an evaluation of a position has: five chances and two equities."""
_EQUITY: Final = 6
"""Which of them is the equity with the cube, or the chance of winning the match."""
_NONE: Final = -1
"""The index of a play that was not evaluated, as GNU Backgammon understands it."""
_LUCKY = 0.3
_VERY_LUCKY = 0.6
"""The luck beyond which GNU Backgammon marks a roll."""


# --- what a reader does: check the form ------------------------------------------------------------------------------


@frozen
class PlayProperties:
    """The analysis of a play, as a file has it."""

    evaluations: str | None
    """The values of `A`."""
    luck: str | None
    """The value of `LU`."""
    engine: str


@frozen
class CubeProperty:
    """The analysis of a decision to double, as a file has it."""

    evaluation: str
    """The value of `DA`."""
    engine: str


_make_play_properties = Maker(PlayProperties, "evaluations", "luck", "engine").make
_make_cube_property = Maker(CubeProperty, "evaluation", "engine").make


def encoded_plays(evaluations: str | None, luck: str | None, engine: str) -> EncodedAnalysis | None:
    """The analysis of a play, to be decoded later; None if it is empty. Raises ParseError if it is malformed."""
    if evaluations is not None:
        evaluations = evaluations.rstrip()
        match = _USUAL_PLAYS.fullmatch(evaluations) or _PLAYS.fullmatch(evaluations)
        if match is None:
            raise ParseError("the analysis of this play cannot be read, so it is left out")
    if luck is not None:
        luck = luck.rstrip()
        number = _LUCK.fullmatch(luck)
        if number is None:
            raise ParseError("the luck of this roll is not a number, so it is left out")
        if number[1] == "-inf":  # how GNU Backgammon writes that it did not evaluate the luck
            luck = None
    if evaluations is None and luck is None:
        return None
    return make_encoded(_make_play_properties(evaluations, luck, engine), decode_plays)


def encoded_cube(evaluation: str, engine: str, length: int | None) -> EncodedAnalysis:
    """The analysis of a decision to double, to be decoded later; `length` is that of the match. Raises ParseError."""
    evaluation = evaluation.rstrip()
    match = _USUAL_CUBE.fullmatch(evaluation) or _CUBE.fullmatch(evaluation)
    is_whole = match is not None
    if match is not None and length is not None:
        is_whole = _are_chances_of_match(match)
    if not is_whole:
        raise ParseError("the analysis of the cube cannot be read, so it is left out")
    return make_encoded(_make_cube_property(evaluation, engine), decode_cube)


def _are_chances_of_match(match: re.Match[str]) -> bool:
    """Whether the last numbers of an evaluation of the cube may be chances of winning the match."""
    chances = [float(number) for number in match.groups() if number]
    return all(-_MAX_ERROR <= chance <= 1 + _MAX_ERROR for chance in chances)


# --- what comes later: decode it -------------------------------------------------------------------------------------


def decode_plays(
    properties: PlayProperties, state: MatchState, limit: int | None = None
) -> PlayAnalysis | None:
    """All plays, or the first `limit` and the one that was made."""
    if state.on_roll is None:
        return None
    candidates: list[Candidate] = []
    played = None
    if properties.evaluations is not None:
        index_played, *texts = values_of(properties.evaluations)
        for index, text in enumerate(texts):
            is_played = index == int(index_played)
            is_beyond = limit is not None and index >= limit
            if is_beyond and not is_played:
                continue
            candidate = _candidate_in(text, state.on_roll, state, properties.engine)
            if candidate is None:
                continue
            if is_played:
                played = len(candidates)
            candidates.append(candidate)
    return PlayAnalysis(
        tuple(candidates),
        played=played,
        luck=None if properties.luck is None else _luck_written(properties.luck),
        engine=properties.engine,
    )


def _luck_written(value: str) -> float:
    return float(value[1:-1])


def _candidate_in(text: str, side: Player, state: MatchState, engine: str) -> Candidate | None:
    """The play that an evaluation is of; None if it is not legal."""
    words = text.split()
    letters = ""
    if words[0] not in ("E", "X"):  # a dance has no letters
        letters = words.pop(0)
    try:
        play = legal_play(state.legal_plays, steps_in(letters, side))
    except (GammonError, KeyError):  # not a play at all, or a step from a point to the bar
        return None
    if play is None:
        return None
    if words[0] == "X":
        return _rolled_out_play(play, words, state)
    numbers = _after_version(words)  # five chances, then the equity and the plies
    return candidate_of(
        play,
        equity=float(numbers[5]),
        chances=first_chances(numbers),
        level=ply(numbers[6], engine),
    )


def _after_version(words: list[str]) -> list[str]:
    """The words of an evaluation after "E", and perhaps "ver 3"."""
    return words[3:] if words[1] == "ver" else words[1:]


def _rolled_out_play(play: Play, words: list[str], state: MatchState) -> Candidate:
    at_score = words.index("Score") + 1
    at_outputs = words.index("Output") + 1
    at_errors = words.index("StdDev") + 1
    error = float(words[at_errors + _EQUITY])
    scale = equity_scale(KAZAROSS_XG2, state, state.on_roll)
    mwc = None
    if state.length is not None:
        mwc = within(float(words[at_outputs + _EQUITY]))
    return candidate_of(
        play,
        equity=float(words[at_score]),
        chances=first_chances(words[at_outputs:]),
        level=ROLLOUT,
        standard_error=_error_in_equity(error, state, scale),
        mwc=mwc,
    )


def decode_cube(cube: CubeProperty, state: MatchState) -> CubeAnalysis:
    """Decode the analysis of a decision to double.

    Args:
        cube: the value of `DA`, as the file has it.
        state: the one before the decision, or before the answer to it.
    """
    words = cube.evaluation.strip()[1:-1].split()
    if words[0] == "X":
        level = ROLLOUT
        outputs = [at for at, word in enumerate(words) if word == "Output"]
        at_no_double = outputs[0] + 1
        at_take = outputs[1] + 1
    else:
        level = ply(_level_evaluated(words), cube.engine)
        # the numbers without doubling and after a take are the last words
        at_take = len(words) - _NUMBERS
        at_no_double = at_take - _NUMBERS
    no_double = float(words[at_no_double + _EQUITY])
    take = float(words[at_take + _EQUITY])
    scale = equity_scale(KAZAROSS_XG2, state, state.on_roll)
    equities: Triple = (no_double, take, 1.0)
    mwc = None
    if state.length is not None:  # then both numbers are chances of winning the match
        mwc = (within(no_double), within(take), None)
        equities = (None, None, 1.0)
        if scale is not None:
            equities = (scale.equity(no_double), scale.equity(take), 1.0)
    errors: list[float | None] = []
    for at, word in enumerate(words):
        if word == "StdDev":
            error = float(words[at + 1 + _EQUITY])
            errors.append(_error_in_equity(error, state, scale))
    chances = [first_chances(words[at_no_double:]), first_chances(words[at_take:])]
    return cube_of(equities, chances, level, errors, mwc=mwc, engine=cube.engine)


def _level_evaluated(words: list[str]) -> str:
    """The level in the words of an evaluation: the first number of plies."""
    return next(word for word in _after_version(words) if _PLY.fullmatch(word))


def _error_in_equity(error: float, state: MatchState, scale: EquityScale | None) -> float | None:
    """A standard error as normalized equity; in a match it is one of the chance of winning the match."""
    if state.length is None:
        return error
    if scale is None:
        return None
    chance_won: float = scale.chance(1)
    chance_lost: float = scale.chance(-1)
    return 2 * error / (chance_won - chance_lost)


def first_chances(numbers: list[str]) -> Chances:
    return chances_of([float(number) for number in numbers[:5]])


def within(chance: float) -> float:
    """A chance cut to 0 to 1, since programs' rounding may lead beyond."""
    return min(1.0, max(0.0, chance))


def ply(level: str, engine: str) -> Level:
    """The level of an evaluation as the engine counts: "2C" is cubeful, as usual, and "2" is not."""
    plies = int(level.rstrip("C")) + first_ply(engine)
    return ply_level(plies, is_cubeless=not level.endswith("C"))


def first_ply(engine: str) -> int:
    """The level at which an engine evaluates a position without any play: 0-ply, as the files have it, or 1-ply."""
    ours = ("bgsage", "exact values and bgsage", "selftaught", "exact values and selftaught")
    return int(engine.startswith(("eXtreme Gammon", *ours)))


# --- what a writer does ----------------------------------------------------------------------------------------------


def properties_of(stored: StoredAnalysis | None, state: MatchState) -> str:
    """The analysis of the decision in this state; "" for one that lacks what the properties must have."""
    if isinstance(stored, EncodedAnalysis):  # perhaps as a file of SGF had it
        if isinstance(stored.data, CubeProperty):
            return f"DA{stored.data.evaluation.rstrip()}"
        if isinstance(stored.data, PlayProperties):
            return _as_it_was(stored.data, state)
    analysis = decoded(stored, state)
    is_play = state.phase is Phase.TO_PLAY
    with suppress(GammonError):  # if a number is too large for a reader, nothing is written
        if isinstance(analysis, PlayAnalysis) and is_play:
            return _play_properties(analysis, state)
        if isinstance(analysis, CubeAnalysis) and not is_play:
            return _cube_property(analysis, state)
    return ""


def _as_it_was(properties: PlayProperties, state: MatchState) -> str:
    text = ""
    if properties.evaluations is not None:
        text += f"A{properties.evaluations.rstrip()}"
    if properties.luck is not None:
        mark = _luck_mark(_luck_written(properties.luck), state)
        text += f"LU{properties.luck.rstrip()}{mark}"
    return text


def letters_of_play(play: Play, player: Player) -> str:
    """A play in steps of one die."""
    letters = LETTERS[player]
    return "".join(letters[move.from_point] + letters[move.to_point] for move in play.moves)


def _play_properties(analysis: PlayAnalysis, state: MatchState) -> str:
    """The plays and the luck. A play without an equity or chances is left out, and if the best is one, all are.

    Raises:
        ParseError: a reader would refuse one of them.
    """
    texts = dict(_evaluations(analysis, state))
    plays = None
    luck = None
    is_best_written = 0 in texts
    if is_best_written:
        indexes = list(texts)
        index_played = indexes.index(analysis.played) if analysis.played in texts else _NONE
        plays = f"[{index_played}]{''.join(texts.values())}"
    if analysis.luck is not None:
        luck = f"[{analysis.luck:.6f}]"
    encoded_plays(plays, luck, "")  # only to check them
    text = ""
    if plays is not None:
        text += f"A{plays}"
    if luck is not None:
        text += f"LU{luck}"
    return text + _luck_mark(analysis.luck or 0, state)


def _evaluations(analysis: PlayAnalysis, state: MatchState) -> Iterator[tuple[int, str]]:
    """The plays with an equity and chances, by their index. GNU Backgammon cannot show an evaluation of a dance."""
    player = state.on_roll or Player.WHITE
    for index, candidate in enumerate(analysis.candidates):
        letters = letters_of_play(state.legal_plays.find(candidate.play), player)
        if letters and candidate.equity is not None and candidate.chances is not None:
            numbers = f"{_five(candidate.chances)} {candidate.equity:.6f}"
            plies = _in_plies(candidate.level, analysis.engine)
            yield index, f"[{letters} E ver 3 {numbers} {plies} 0 1 0.000000 1]"


def _luck_mark(luck: float, state: MatchState) -> str:
    """The mark without which GNU Backgammon calls no roll lucky: good for White or for Black."""
    if abs(luck) <= _LUCKY or state.on_roll is None:
        return ""
    lucky = state.on_roll if luck > 0 else state.on_roll.opponent
    how_much = 2 if abs(luck) > _VERY_LUCKY else 1
    return f"G{COLORS[lucky]}[{how_much}]"


def _cube_property(analysis: CubeAnalysis, state: MatchState) -> str:
    """The evaluation of the cube; "" if a number of it is not known. Raises ParseError if a reader would refuse it."""
    after_take = analysis.chances_double_take or analysis.chances  # an evaluation has one for both
    no_double = _seven(analysis.chances, analysis.no_double, state)
    double_take = _seven(after_take, analysis.double_take, state)
    if no_double is None or double_take is None:
        return ""
    plies = _in_plies(analysis.level, analysis.engine)
    text = f"[E ver 3 {plies} 1 0.000000 1 {no_double} {double_take}]"
    encoded_cube(text, "", state.length)  # only to check it
    return f"DA{text}"


def _seven(chances: Chances | None, equity: float | None, state: MatchState) -> str | None:
    """The seven numbers without doubling, or after a take; None if one is not known.

    In a match the last of them is the chance of winning it, not an equity.
    """
    if chances is None or equity is None:
        return None
    cubeless = KAZAROSS_XG2.equity_from(chances, state)
    worth = equity if state.length is None else KAZAROSS_XG2.to_chance(equity, state)
    if cubeless is None or worth is None:
        return None
    return f"{_five(chances)} {cubeless:.6f} {worth:.9f}"


def _five(chances: Chances) -> str:
    return " ".join(f"{chance:.6f}" for chance in astuple(chances))


def _in_plies(level: Level, engine: str) -> str:
    """The plies as GNU Backgammon counts them; 0 for a level that is no number of plies."""
    depth = level.depth
    if depth is None or level != ply_level(depth, is_cubeless=level.is_cubeless):
        return "0C"
    plies = max(0, depth - first_ply(engine))
    return str(plies) if level.is_cubeless else f"{plies}C"
