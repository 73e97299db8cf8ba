"""Analyses: written, and kept as they are in a file until needed; one whose numbers cannot be right is none then.

Those of a block are by one engine, in one unit: normalized equities, or chances of winning the match, of which our
table makes equities. A decision not to double stands with the roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from struct import error as StructError  # noqa: N812
from typing import Any, Final, NamedTuple, TypeAlias, cast

from attrs import astuple, evolve, frozen

from gammonrules._shared.byte_cursor import Cursor
from gammonrules.board import Play
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, MatchState, Phase, Player
from gammonrules.records.formats.ogxm.ogxm_layout import BLOCK, DECISIONS, moves_in
from gammonrules.records.transcript import (
    ROLLOUT,
    UNKNOWN,
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    PlayAnalysis,
    StoredAnalysis,
    candidate_of,
    chances_of,
    cube_of,
    decoded,
    is_of_double,
    make_encoded,
    ply_level,
)

PLAYS, CUBE, _RESIGNATION, LUCK = range(4)
"""Kinds of decisions."""
_EQUITIES = 1
_CHANCES = 2
_CUBELESS_CHANCES = 3
"""Units, in this order; a block without one has chances of winning the match."""
_ENGINES: Final = {1: "eXtreme Gammon", 3: "BGBlitz"}
_CUBE_NUMBERS: Final = "no_double", "double_take", "double_drop"
_ROUNDING: Final = 1e-6


@frozen
class _Unit:
    state: MatchState
    is_chance: bool

    def worth(self, value: float | None) -> tuple[float | None, float | None]:
        """The equity, and the chance of winning the match."""
        if value is None or not self.is_chance:
            return value, None
        return KAZAROSS_XG2.to_equity(value, self.state), value if 0 <= value <= 1 else None

    def span(self, value: float | None) -> float | None:
        """A difference of equities."""
        end, start = self.worth(value)[0], self.worth(0)[0]
        return None if end is None or start is None else end - start

    def stored(self, value: float | None) -> float | None:
        """A difference of equities, as it is stored."""
        if value is None or not self.is_chance:
            return value
        return (KAZAROSS_XG2.to_chance(value, self.state) or 0) - (
            KAZAROSS_XG2.to_chance(0, self.state) or 0
        )


class _WhoAnalyzed(NamedTuple):
    engine: str
    is_chance: bool
    level: dict[str, Any]


Stored: TypeAlias = dict[tuple[int, int], list[tuple[bytes, _WhoAnalyzed]]]
"""Analyses by the line of the ply and the kind of decision; those of later blocks come first."""


def store(stored: Stored, block: bytes, decisions: bytes, *, is_match: bool) -> None:
    """Add the analyses of a block. Raises ParseError."""
    info = BLOCK.read(Cursor(block))
    cursor = Cursor(decisions)
    start = 0
    engine = " ".join(filter(None, (_ENGINES.get(info.get("producer", 0)), info.get("model"))))
    is_chance = is_match and info.get("currency", _CHANCES) in (_CHANCES, _CUBELESS_CHANCES)
    source = _WhoAnalyzed(engine, is_chance, info.get("level", {}))
    records = dict[tuple[int, int], bytes]()
    for head in cursor.all_of(DECISIONS[_RESIGNATION].read):
        records[head["ply"] + 1, head["kind"]] = decisions[start : cursor.at]
        start = cursor.at
    for key, record in records.items():
        stored.setdefault(key, []).insert(0, (record, source))


def analysis_of(stored: Stored, line: int, *kinds: int) -> EncodedAnalysis | None:
    """That of the cube, or of the plays and the luck of a roll."""
    records = tuple(record for kind in kinds for record in stored.get((line, kind), ()))
    return (
        make_encoded(records, _decode_cube if CUBE in kinds else _decode_plays) if records else None
    )


def _values(record: bytes) -> dict[str, Any]:
    """The numbers of a record; none of one that cannot be right."""
    with suppress(ParseError):
        kind = int(DECISIONS[_RESIGNATION].read(Cursor(record))["kind"])
        return DECISIONS[kind].read(Cursor(record))
    return {}


def _decode_plays(
    records: tuple[tuple[bytes, _WhoAnalyzed], ...], state: MatchState
) -> PlayAnalysis | None:
    if state.phase is not Phase.TO_PLAY:
        return None
    candidates = dict[str, Candidate]()
    played = None
    told = dict[str, float | None]()
    for record, source in records:
        values = _values(record)
        unit = _Unit(state, source.is_chance)
        for name in values.keys() & {"luck", "loss"}:
            told.setdefault(name, unit.span(values[name]))
        for listed in values.get("plays", ()):
            with suppress(GammonError):  # not a legal play
                play = state.legal_plays.find(
                    moves_in(listed["steps"], cast("Player", state.on_roll))
                )
                played = str(play) if "played" in listed else played
                equity, mwc = unit.worth(listed["equity"])
                level = _level_stored(
                    "checker", source.level, values.get("level"), listed.get("level")
                )
                chances = chances_of(*listed["chances"]) if "chances" in listed else None
                candidate = candidate_of(
                    play, equity, chances, level, unit.span(listed.get("error")), mwc
                )
                candidates.setdefault(candidate.play, candidate)
    if not candidates and {*told.values()} <= {None}:
        return None
    index = [*candidates].index(played) if played else None
    plays = tuple(candidates.values())
    analysis = PlayAnalysis(
        plays,
        played=index,
        luck=told.get("luck"),
        stated_error=told.get("loss"),
        engine=records[0][1].engine,
    )
    # a loss that the list tells is not stored
    is_choice = len({candidate.equity for candidate in plays}) > 1
    return evolve(analysis, stated_error=analysis.error) if is_choice else analysis


def _decode_cube(
    records: tuple[tuple[bytes, _WhoAnalyzed], ...], state: MatchState
) -> CubeAnalysis | None:
    values = _values(records[0][0])
    source = records[0][1]
    is_answer = state.phase is Phase.DOUBLED
    if not values:
        return None
    unit = _Unit(state, source.is_chance)
    worth = [unit.worth(values.get(name)) for name in _CUBE_NUMBERS]
    chances = chances_of(*values["chances"]) if "chances" in values else None
    loss = unit.span(values.get("loss"))
    stated: dict[str, Any] = {"stated_answer_error" if is_answer else "stated_error": loss}
    return cube_of(
        (worth[0][0], worth[1][0], worth[2][0] if _CUBE_NUMBERS[2] in values else 1.0),
        [chances.flip() if chances and is_answer else chances],
        _level_stored("cube", source.level, values.get("level")),
        mwc=(worth[0][1], worth[1][1], worth[2][1]) if unit.is_chance else None,
        engine=source.engine,
        **stated,
    )


def _level_stored(depth: str, *tiers: dict[str, Any] | None) -> Level:
    """A level: of the block, the decision and the play, each of which may override the one before it."""
    level = dict(item for tier in tiers for item in (tier or {}).items())
    if preset := level.get("preset"):
        return Level.read(preset)
    if "rollout" in level and "no_rollout" not in level:
        return ROLLOUT
    return ply_level(level[depth] + 1) if depth in level else UNKNOWN


# --- what a writer does -----------------------------------------------------------------------------------------------


Block: TypeAlias = tuple[str, int, Level]
"""Engine, unit and level."""
Written: TypeAlias = Iterator[tuple[Block, int, bytes]]
"""Block, kind of decision, and content."""


def block_of(block: Block, identity: bytes) -> bytes:
    engine, unit, level = block
    named = {"model": engine or None, "level": {"preset": level.words} if level.words else None}
    return BLOCK.write({"id": [*identity], "currency": unit} | named)


def written_analysis(stored: StoredAnalysis | None, state: MatchState, line: int) -> Written:
    analysis = decoded(stored, state)
    with suppress(StructError):  # a number is too large
        if isinstance(analysis, PlayAnalysis) and state.phase is Phase.TO_PLAY:
            yield from _written_plays(analysis, state, {"ply": line - 1})
        elif isinstance(analysis, CubeAnalysis) and (
            state.phase is Phase.TO_ROLL or is_of_double(state)
        ):
            yield _written_cube(analysis, state, {"ply": line - 1})


def dice_moves(play: Play, player: Player) -> list[int]:
    """The moves of a play with the dice that they use."""
    steps = [(cast("int", move.die), move.from_point) for move in play.moves]
    return [die << 5 | (25 - point if player is Player.WHITE else point) for die, point in steps]


def _unit(pairs: Sequence[tuple[float | None, float | None]], state: MatchState) -> _Unit:
    """Chances of winning the match if all are known and are worth the equities; else these are kept."""
    unit = _Unit(state, is_chance=state.length is not None)
    worth = [
        (equity, unit.worth(None if mwc is None else round(mwc, 6))[0]) for equity, mwc in pairs
    ]
    is_exact = all(a is not None and b is not None and abs(a - b) <= _ROUNDING for a, b in worth)
    return _Unit(state, is_chance=unit.is_chance and is_exact and bool(pairs))


def _written_plays(analysis: PlayAnalysis, state: MatchState, head: dict[str, Any]) -> Written:
    """The plays, best first, of each level apart."""
    player = cast("Player", state.on_roll)
    unit = _unit([(candidate.equity, candidate.mwc) for candidate in analysis.candidates], state)
    plays = dict[Level, list[dict[str, Any]]](
        {analysis.candidates[0].level if analysis.candidates else UNKNOWN: []}
    )
    for index, candidate in enumerate(analysis.candidates):
        if candidate.equity is not None:
            values = {
                "steps": dice_moves(state.legal_plays.find(candidate.play), player),
                "equity": candidate.mwc if unit.is_chance else candidate.equity,
                "chances": candidate.chances and astuple(candidate.chances),
                "played": index == analysis.played or None,
                "error": unit.stored(candidate.standard_error),
            }
            plays.setdefault(candidate.level, []).append(values)
    if analysis.luck is not None:
        content = DECISIONS[LUCK].write(head | {"kind": LUCK, "luck": unit.stored(analysis.luck)})
        yield (analysis.engine, _EQUITIES + unit.is_chance, next(iter(plays))), LUCK, content
    for level, listed in plays.items():
        ordered = sorted(listed, key=itemgetter("equity"), reverse=True)
        if listed:
            content = DECISIONS[PLAYS].write(head | {"kind": PLAYS, "plays": ordered})
            yield (analysis.engine, _EQUITIES + unit.is_chance, level), PLAYS, content


def _written_cube(
    analysis: CubeAnalysis, state: MatchState, head: dict[str, Any]
) -> tuple[Block, int, bytes]:
    equities = (analysis.no_double, analysis.double_take, analysis.double_drop)
    is_answer = state.phase is Phase.DOUBLED
    pairs = [*zip(equities, analysis.mwc or (None, None, None), strict=True)][
        : 2 + (equities[2] != 1)
    ]
    unit = _unit(pairs, state)
    is_active = analysis.best_answer is Action.DROP if is_answer else analysis.best is Action.DOUBLE
    loss = analysis.stated_answer_error if is_answer else analysis.stated_error
    values = {
        **dict(
            zip(
                _CUBE_NUMBERS,
                (mwc if unit.is_chance else equity for equity, mwc in pairs),
                strict=False,
            )
        ),
        "chances": analysis.chances
        and astuple(analysis.chances.flip() if is_answer else analysis.chances),
        "loss": unit.stored(loss),
    }
    content = DECISIONS[CUBE].write(
        head | {"kind": CUBE, "verdict": 2 * is_answer + is_active} | values
    )
    return (analysis.engine, _EQUITIES + unit.is_chance, analysis.level), CUBE, content
