"""Analyses: written, and kept as they are in a file until needed; one whose numbers cannot be right is none then.

Those of a block are by one engine, in one unit: normalized equities, or chances of winning the match, of which our
table makes equities. A decision not to double stands with the roll.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from struct import error as StructError  # noqa: N812
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import Factory, astuple, evolve, field, frozen

from gammonrules._shared.byte_cursor import Cursor
from gammonrules.analysis import Candidate, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    ROLLOUT,
    UNKNOWN,
    EncodedAnalysis,
    StoredAnalysis,
    candidate_of,
    chances_of,
    decoded,
    is_of_double,
    make_encoded,
    ply_level,
)
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import EquityScale, equity_scale
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, MatchState, Phase
from gammonrules.records.formats.ogxm.ogxm_layout import BLOCK, DECISIONS, moves_in, written_steps

PLAYS: Final = 0
CUBE: Final = 1
_RESIGNATION: Final = 2
LUCK: Final = 3
"""Kinds of decisions."""
_HEAD: Final = DECISIONS[_RESIGNATION]
"""The fields that all kinds have: of a resignation nothing else is read."""
_NO_DOUBLE: Final = 0
_DOUBLE: Final = 1
_TAKE: Final = 2
_DROP: Final = 3
"""Verdicts about the cube."""
_EQUITIES: Final = 1
_CHANCES: Final = 2
_CUBELESS_CHANCES: Final = 3
"""Units; a block without one has chances of winning the match."""
_ENGINES: Final = {1: "eXtreme Gammon", 3: "BGBlitz"}
_ROUNDING: Final = 1e-6


def _scale_of_unit(unit: _Unit) -> EquityScale | None:
    return equity_scale(KAZAROSS_XG2, unit.state, unit.state.on_roll)


@frozen
class _Unit:
    """What numbers are: normalized equities, or chances of winning the match."""

    state: MatchState
    is_chance: bool
    scale: EquityScale | None = field(init=False, default=Factory(_scale_of_unit, takes_self=True))
    """Between the two; None in money play."""

    def equity(self, value: float | None) -> float | None:
        """The equity that a number stands for; None if it has none."""
        if value is None or not self.is_chance:
            return value
        return None if self.scale is None else self.scale.equity(value)

    def mwc(self, value: float | None) -> float | None:
        """The chance of winning the match; None if the number is none."""
        is_known = value is not None and self.is_chance and 0 <= value <= 1
        return value if is_known else None

    def difference(self, value: float | None) -> float | None:
        """The difference of equities that a number, a difference in this unit, stands for."""
        # the scale is a straight line that need not pass through 0
        end = self.equity(value)
        start = self.equity(0)
        return None if end is None or start is None else end - start

    def stored(self, difference: float | None) -> float | None:
        """A difference of equities, as it is stored."""
        if difference is None or not self.is_chance:
            return difference
        assert self.scale is not None  # chances are written only where all are worth the equities
        difference_of_chances: float = self.scale.chance(difference) - self.scale.chance(0)
        return difference_of_chances


@frozen
class _BlockSource:
    """What a block says about its analyses."""

    engine: str
    is_chance: bool
    """Whether numbers are chances of winning the match."""
    level: dict[str, Any]


class _StoredDecision(NamedTuple):
    """The analysis of one decision."""

    record: bytes
    source: _BlockSource


Stored: TypeAlias = dict[tuple[int, int], list[_StoredDecision]]
"""Analyses by the index of the ply and the kind of decision; those of later blocks come first."""


def store(stored: Stored, block: bytes, decisions: bytes, *, is_match: bool) -> None:
    """Add the analyses of a block. Raises ParseError. In a match its numbers may be chances of winning it."""
    info = BLOCK.read(Cursor(block))
    producer = _ENGINES.get(info.get("producer", 0), "")
    engine = f"{producer} {info.get('model', '')}".strip()
    currency = info.get("currency", _CHANCES)
    is_chance = is_match and currency in (_CHANCES, _CUBELESS_CHANCES)
    source = _BlockSource(engine, is_chance, info.get("level", {}))
    # of two records of the same decision in one block, the later one counts
    records: dict[tuple[int, int], bytes] = {}
    cursor = Cursor(decisions)
    start = 0
    for head in cursor.all_of(_HEAD.read):
        end = cursor.at
        records[head["ply"], head["kind"]] = decisions[start:end]
        start = end
    for key, record in records.items():
        of_earlier_blocks = stored.get(key, [])
        stored[key] = [_StoredDecision(record, source), *of_earlier_blocks]


def cube_analysis_of_ply(stored: Stored, ply: int) -> EncodedAnalysis | None:
    """The analysis of the cube before a roll, or before an answer."""
    decisions = tuple(stored.get((ply, CUBE), ()))
    return make_encoded(decisions, _decode_cube) if decisions else None


def play_analysis_of_ply(stored: Stored, ply: int) -> EncodedAnalysis | None:
    """The analysis of the plays and the luck of a roll."""
    decisions = (*stored.get((ply, PLAYS), ()), *stored.get((ply, LUCK), ()))
    return make_encoded(decisions, _decode_plays) if decisions else None


def _values(record: bytes) -> dict[str, Any]:
    """The numbers of a record; none of one that cannot be right."""
    with suppress(ParseError):
        kind = int(_HEAD.read(Cursor(record))["kind"])
        return DECISIONS[kind].read(Cursor(record))
    return {}


def _decode_plays(decisions: tuple[_StoredDecision, ...], state: MatchState) -> PlayAnalysis | None:
    """The analysis by all blocks together; where several say something, the last one of the file counts."""
    if state.phase is not Phase.TO_PLAY:
        return None
    candidates: dict[str, Candidate] = {}
    played = None
    luck = None
    loss = None
    # those of later blocks come first, so what is known already stays
    for decision in decisions:
        source = decision.source
        values = _values(decision.record)
        unit = _Unit(state, source.is_chance)
        if luck is None:
            luck = unit.difference(values.get("luck"))
        if loss is None:
            loss = unit.difference(values.get("loss"))
        for listed in values.get("plays", ()):
            levels = [source.level, values.get("level", {}), listed.get("level", {})]
            candidate = _listed_candidate(listed, unit, _level_stored("checker", levels))
            if candidate is None:
                continue
            candidates.setdefault(candidate.play, candidate)
            if "played" in listed:
                played = candidate.play
    if not candidates and luck is None and loss is None:
        return None
    plays = tuple(candidates.values())
    index_of_played = None if played is None else list(candidates).index(played)
    analysis = PlayAnalysis(
        plays,
        played=index_of_played,
        luck=luck,
        stated_error=loss,
        engine=decisions[0].source.engine,
    )
    has_different_equities = len({candidate.equity for candidate in plays}) > 1
    if has_different_equities:
        # the loss follows from the equities, so programs leave it out
        return evolve(analysis, stated_error=analysis.error)
    return analysis


def _listed_candidate(listed: dict[str, Any], unit: _Unit, level: Level) -> Candidate | None:
    """A play with its numbers; None if it is not legal."""
    state = unit.state
    if state.on_roll is None:
        return None
    try:
        play = state.legal_plays.find(moves_in(listed["steps"], state.on_roll))
    except GammonError:
        return None
    return candidate_of(
        play,
        equity=unit.equity(listed["equity"]),
        chances=chances_of(listed["chances"]) if "chances" in listed else None,
        level=level,
        standard_error=unit.difference(listed.get("error")),
        mwc=unit.mwc(listed["equity"]),
    )


def _decode_cube(decisions: tuple[_StoredDecision, ...], state: MatchState) -> CubeAnalysis | None:
    """The analysis by the last block of the file: numbers of a cube, unlike lists of plays, are not put together."""
    last_decision = decisions[0]
    source = last_decision.source
    values = _values(last_decision.record)
    if not values:
        return None
    unit = _Unit(state, source.is_chance)
    no_double = values.get("no_double")
    double_take = values.get("double_take")
    double_drop = values.get("double_drop")
    mwc = None
    if unit.is_chance:
        mwc = (unit.mwc(no_double), unit.mwc(double_take), unit.mwc(double_drop))
    is_answer = state.phase is Phase.DOUBLED
    chances = chances_of(values["chances"]) if "chances" in values else None
    if is_answer and chances is not None:
        # those of the file are of the player who answers, ours of the player who doubled
        chances = chances.flip()
    error = unit.difference(values.get("loss"))
    return CubeAnalysis(
        unit.equity(no_double),
        unit.equity(double_take),
        1.0 if double_drop is None else unit.equity(double_drop),
        chances=chances,
        level=_level_stored("cube", [source.level, values.get("level", {})]),
        mwc=mwc,
        stated_error=None if is_answer else error,
        stated_answer_error=error if is_answer else None,
        engine=source.engine,
    )


def _level_stored(field_of_plies: str, levels: Sequence[dict[str, Any]]) -> Level:
    """The level of an analysis, for which the block, the decision and the play may have fields.

    Args:
        field_of_plies: "checker" or "cube".
        levels: those fields; later ones override earlier ones.
    """
    fields: dict[str, Any] = {}
    for later_fields in levels:
        fields.update(later_fields)
    if fields.get("preset"):
        return Level.read(fields["preset"])
    if "rollout" in fields and "no_rollout" not in fields:
        return ROLLOUT
    if field_of_plies not in fields:
        return UNKNOWN
    return ply_level(fields[field_of_plies] + 1)  # the file counts from 0-ply, we from 1-ply


# --- what a writer does -----------------------------------------------------------------------------------------------


class BlockKey(NamedTuple):
    """What the analyses in a block have in common."""

    engine: str
    unit: int
    level: Level


class WrittenDecision(NamedTuple):
    """The analysis of a decision, as bytes, and the block in which it belongs."""

    block: BlockKey
    kind: int
    content: bytes


def block_of(block: BlockKey, identity: bytes) -> bytes:
    words = block.level.label
    return BLOCK.write(
        {
            "id": list(identity),
            "currency": block.unit,
            "model": block.engine or None,
            "level": {"preset": words} if words else None,
        }
    )


def written_analysis(
    stored: StoredAnalysis | None, state: MatchState, ply: int
) -> Iterator[WrittenDecision]:
    """The analysis of the decision in this state, which the ply with this index makes."""
    analysis = decoded(stored, state)
    is_about_cube = state.phase is Phase.TO_ROLL or is_of_double(state)
    # an analysis with a number that is too large for its field is left out, or with a play that is not legal
    with suppress(StructError, OverflowError, GammonError):
        if isinstance(analysis, PlayAnalysis) and state.phase is Phase.TO_PLAY:
            yield from _written_plays(analysis, state, ply)
        elif isinstance(analysis, CubeAnalysis) and is_about_cube:
            yield _written_cube(analysis, state, ply)


def _unit_to_write(pairs: Sequence[tuple[float | None, float | None]], state: MatchState) -> _Unit:
    """The unit in which numbers are written.

    It is chances of winning the match if all of them are known, and a reader gets the same equities from them. Else it
    is equities.

    Args:
        pairs: equities with their chances of winning the match.
        state: that of the decision.
    """
    in_equities = _Unit(state, is_chance=False)
    if state.length is None or not pairs:
        return in_equities
    in_chances = _Unit(state, is_chance=True)
    for equity, mwc in pairs:
        if equity is None or mwc is None:
            return in_equities
        mwc_in_file = round(mwc, 6)
        equity_read = in_chances.equity(mwc_in_file)
        if equity_read is None or abs(equity - equity_read) > _ROUNDING:
            return in_equities
    return in_chances


def _written_plays(
    analysis: PlayAnalysis, state: MatchState, ply: int
) -> Iterator[WrittenDecision]:
    """The luck, then the plays: a block has one level, so there is a list for each level, the best play first."""
    candidates = analysis.candidates
    unit = _unit_to_write([(candidate.equity, candidate.mwc) for candidate in candidates], state)
    currency = _CHANCES if unit.is_chance else _EQUITIES
    if analysis.luck is not None:
        # luck has no level of its own: it stands in the block of the first play
        level_of_luck = candidates[0].level if candidates else UNKNOWN
        block = BlockKey(analysis.engine, currency, level_of_luck)
        luck = {"ply": ply, "kind": LUCK, "luck": unit.stored(analysis.luck)}
        yield WrittenDecision(block, LUCK, DECISIONS[LUCK].write(luck))
    plays_by_level: dict[Level, list[dict[str, Any]]] = defaultdict(list)
    for index, candidate in enumerate(candidates):
        if candidate.equity is not None:
            play = _values_of_play(candidate, unit, is_played=index == analysis.played)
            plays_by_level[candidate.level].append(play)
    for level, plays in plays_by_level.items():
        plays.sort(key=itemgetter("equity"), reverse=True)
        block = BlockKey(analysis.engine, currency, level)
        content = DECISIONS[PLAYS].write({"ply": ply, "kind": PLAYS, "plays": plays})
        yield WrittenDecision(block, PLAYS, content)


def _values_of_play(candidate: Candidate, unit: _Unit, *, is_played: bool) -> dict[str, Any]:
    state = unit.state
    assert state.on_roll is not None  # a play is due
    play = state.legal_plays.find(candidate.play)
    return {
        "steps": written_steps(play, state.on_roll),
        "equity": candidate.mwc if unit.is_chance else candidate.equity,
        "chances": None if candidate.chances is None else astuple(candidate.chances),
        "played": is_played or None,
        "error": unit.stored(candidate.standard_error),
    }


def _written_cube(analysis: CubeAnalysis, state: MatchState, ply: int) -> WrittenDecision:
    equities = {"no_double": analysis.no_double, "double_take": analysis.double_take}
    if analysis.double_drop != 1:  # a reader takes 1 where it is missing
        equities["double_drop"] = analysis.double_drop
    mwc: dict[str, float | None] = dict.fromkeys(equities)
    if analysis.mwc is not None:
        mwc = dict(zip(("no_double", "double_take", "double_drop"), analysis.mwc, strict=True))
    unit = _unit_to_write([(equity, mwc[name]) for name, equity in equities.items()], state)
    chances = analysis.chances
    if state.phase is Phase.DOUBLED:
        if chances is not None:
            # ours are of the player who doubled, those of the file of the player who answers
            chances = chances.flip()
        loss = analysis.stated_answer_error
        verdict = _DROP if analysis.best_answer is Action.DROP else _TAKE
    else:
        loss = analysis.stated_error
        verdict = _DOUBLE if analysis.best is Action.DOUBLE else _NO_DOUBLE
    values: dict[str, Any] = {"ply": ply, "kind": CUBE, "verdict": verdict}
    for name, equity in equities.items():
        values[name] = mwc[name] if unit.is_chance else equity
    values["chances"] = None if chances is None else astuple(chances)
    values["loss"] = unit.stored(loss)
    currency = _CHANCES if unit.is_chance else _EQUITIES
    block = BlockKey(analysis.engine, currency, analysis.level)
    return WrittenDecision(block, CUBE, DECISIONS[CUBE].write(values))
