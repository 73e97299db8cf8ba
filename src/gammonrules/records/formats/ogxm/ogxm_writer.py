"""A match as a file: sections with what a record holds, in the order that readers expect, and a checksum."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import ceil
from typing import Any, Final, NamedTuple

from attrs import Factory, define

from gammonrules._shared.disk_files import utf8
from gammonrules.board import Play, Position, Win
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import GammonError
from gammonrules.match import (
    Action,
    Cube,
    Double,
    Event,
    Forfeit,
    MatchState,
    Player,
    RecordEvent,
    Resignation,
    SetPosition,
)
from gammonrules.records.formats.match_reading import next_player_of
from gammonrules.records.formats.ogxm import ogxm_layout as layout, ogxm_reader as reader
from gammonrules.records.formats.ogxm.ogxm_analyses import (
    PLAYS,
    BlockKey,
    block_of,
    written_analysis,
)
from gammonrules.records.formats.ogxm.ogxm_layout import (
    END,
    HEADER,
    SECTION,
    seen,
    written_ply,
    written_steps,
)
from gammonrules.records.transcript import Game, Match, index_of_last_roll, length_of_games, won_in
from gammonrules.records.transcript.header_tags import tags_for
from gammonrules.rules import Rules

_ACTIONS: Final = {action: number for number, action in reader.ACTIONS.items()}
_FIELDS: Final = "Crawford", "Jacoby", "Beaver", "CubeLimit"
"""The tags of rules that the header has fields for."""
_GOES_ON: Final = (Action.ROLL, Action.DOUBLE)
_MAX_NOTE_LENGTH: Final = layout.MAX_TEXT_LENGTH // 4  # characters
_NO_CUBE_LIMIT: Final = 1024
"""The tag of a cube without a limit."""
_MUST_BE_UNDERSTOOD: Final = (b"MTCH", b"GAME", b"CSUM")
_CRC32: Final = 0


class _WrittenPly(NamedTuple):
    content: bytes
    events: list[int]
    """The indices of the events that it contains."""


def write_ogxm(match: Match, replayed: list[list[MatchState]]) -> bytes:
    if not match.games:
        raise GammonError("a record without games cannot be written in this format")
    writer = _MatchFileWriter(match)
    for index, states in enumerate(replayed):
        writer.add_game(index, match.games[index], states)
    body = _section(b"MTCH", writer.header())
    for game in writer.games:
        body += _section(b"GAME", game)
    body += writer.analyses()
    body += _section(b"CLCK", written_clock(writer.times))
    body += _section(b"ANNO", writer.sorted_notes())
    return _file_of(body)


def _section(kind: bytes, content: bytes) -> bytes:
    """A section of this type; nothing if it is empty."""
    if not content:
        return b""
    return SECTION.pack(kind, len(content), kind in _MUST_BE_UNDERSTOOD) + content


def _file_of(body: bytes) -> bytes:
    """The file with these sections, and a checksum of all before it."""
    size_of_checksum = len(_checksum_section(b""))
    size = HEADER.size + len(body) + size_of_checksum + len(END)
    content = HEADER.pack(layout.MAGIC, 2, 2, 2, 0, size) + body
    return content + _checksum_section(content) + END


def _checksum_section(content: bytes) -> bytes:
    digest = zlib.crc32(content).to_bytes(4, "little")
    return _section(b"CSUM", layout.CHECKSUM.write({"algorithm": _CRC32, "digest": digest}))


_MATCH: Final = 0
_GAME: Final = 1
_PLY: Final = 2
"""What a remark is about."""


class _WrittenAnalysis(NamedTuple):
    """An analysis in a block, where they are in this order."""

    ply: int
    kind: int
    content: bytes


@define
class _MatchFileWriter:
    match: Match
    games: list[bytes] = Factory(list[bytes])
    times: list[float | None] = Factory(list[float | None])
    """Of the plies so far."""
    blocks: dict[BlockKey, list[_WrittenAnalysis]] = Factory(lambda: defaultdict(list))
    depths: dict[BlockKey, int] = Factory(lambda: defaultdict(int))
    """How many blocks stand before it in the analysis of a decision, which begins with the last block of the file."""
    notes: list[dict[str, Any]] = Factory(list[dict[str, Any]])

    def header(self) -> bytes:
        """The header; what it has no field for becomes remarks."""
        match = self.match
        rules = match.rules
        first = match.games[0].start
        length = length_of_games(match)
        white, black = match.players
        fields: dict[str, Any] = {"white": white, "black": black}
        for name, value in dict(match.tags).items():
            most_bytes = reader.TAGS.get(name, 0)
            has_field = 0 < len(utf8(value)) <= most_bytes
            if has_field:
                fields[name.lower()] = value
            else:
                self.note(_MATCH, 0, value, key=reader.OWN + name)
        for comment in match.comments:
            self.note(_MATCH, 0, comment)
        for name, value in rules_without_field(rules, length):
            self.note(_MATCH, 0, value, key=reader.OWN_RULE + name)
        tags = dict(tags_for(rules, length))
        fields["rules"] = bits_of_rules(rules, length)
        cube_limit = int(tags["CubeLimit"])
        if cube_limit != _NO_CUBE_LIMIT:
            fields["cube_limit"] = cube_limit
        new_match = MatchState.new(length, rules=rules, score=first.score)
        # at this score it would be the Crawford game, unless that was played before
        fields["crawford_played"] = new_match.crawford and not first.crawford
        if first.score != (0, 0):
            fields["score"] = first.score
        # optional fields that are empty, 0 or false are left out; the last two are always there
        written = {name: value for name, value in fields.items() if value}
        written["length"] = length or 0
        written["variant"] = number_of_variant(rules)
        return layout.MATCH.write(written)

    def add_game(self, index: int, game: Game, states: list[MatchState]) -> None:
        ply_of_event: dict[int, int] = {}
        content = layout.GAME.write(fields_of_game(game, states))
        for written in _plies(game, states):
            ply = len(self.times)  # plies are counted from 0, through all games
            content += written.content
            for event in written.events:
                ply_of_event[event] = ply
            time = None
            if written.events:
                last_event = game.events[written.events[-1]]
                time = time_of_event(last_event)
            self.times.append(time)
        self.games.append(content)
        for comment in game.comments:
            self.note(_GAME, index, comment)
        for event, ply in ply_of_event.items():
            note = game.notes[event] if event < len(game.notes) else None
            if note:
                self.note(_PLY, ply, note)
            if event < len(game.analyses):
                self.add_analysis(game, event, ply, states[event])

    def add_analysis(self, game: Game, index: int, ply: int, state: MatchState) -> None:
        """Add the analysis of the decision that an event makes, in its blocks."""
        event = game.events[index]
        is_resignation = isinstance(event, Event) and event.action is Action.RESIGN
        if is_resignation and state.dice is not None:
            ply -= 1  # the analysis is of the roll, whose ply is the one before
        following = game.events[index + 1 :]
        depth = 0
        for decision in written_analysis(game.analyses[index], state, ply):
            block = decision.block
            is_of_plays = decision.kind == PLAYS
            if is_of_plays and _is_dance_before_giving_up(state, following):
                continue
            self.blocks[block].append(_WrittenAnalysis(ply, decision.kind, decision.content))
            if is_of_plays:
                # the blocks of one list of plays are read in the order in which they are written here
                depth = max(self.depths[block], depth + 1)
                self.depths[block] = depth

    def analyses(self) -> bytes:
        """The sections of all blocks, and of the decisions in each."""
        sections = b""
        # a reader begins with the last block, so the deepest comes first
        blocks = sorted(self.blocks, key=lambda block: self.depths[block], reverse=True)
        for block in blocks:
            decisions = sorted(self.blocks[block])
            content = b"".join(decision.content for decision in decisions)
            identity = blake2b(content, digest_size=16).digest()
            sections += _section(b"ANAL", block_of(block, identity))
            sections += _section(b"DECS", content)
        return sections

    def note(self, scope: int, number: int, text: str, key: str | None = None) -> None:
        """Add a remark, in parts if it is long."""
        for start in range(0, max(1, len(text)), _MAX_NOTE_LENGTH):
            part = text[start : start + _MAX_NOTE_LENGTH]
            self.notes.append({"scope": scope, "ref": number, "text": part, "key": key})

    def sorted_notes(self) -> bytes:
        if len(self.notes) > layout.MAX_NOTES:
            raise GammonError(
                f"this record has more than {layout.MAX_NOTES:,} remarks, the most that OGXM can have"
            )
        return b"".join(map(layout.NOTE.write, sorted(self.notes, key=_order_of_note)))


def _order_of_note(note: dict[str, Any]) -> tuple[int, int, bool, str]:
    """By what they are about; of those about the same thing, the ones with a key come first."""
    key: str | None = note["key"]
    return note["scope"], note["ref"], key is None, key or ""


def bits_of_rules(rules: Rules, length: int | None) -> int:
    """The options that are one bit each in the header."""
    tags = dict(tags_for(rules, length))
    bits = 0
    for name, bit in reader.RULES.items():
        if tags.get(name) == "On":
            bits |= bit
    if "Beavers" in tags:
        bits |= reader.RACCOONS
    if length is None and rules.auto_doubles > 0:
        bits |= reader.AUTO_DOUBLES
    return bits


def number_of_variant(rules: Rules) -> int:
    """The number of a start; one more than the last for a start that has none."""
    known = list(reader.VARIANTS)
    return known.index(rules.start) if rules.start in known else len(known)


def rules_without_field(rules: Rules, length: int | None) -> Iterator[tuple[str, str]]:
    """Rules for which the header has no field, as tags."""
    have_field: set[str] = set(_FIELDS)
    has_bit_for_beavers = rules.beavers <= 2  # a beaver and a raccoon
    if has_bit_for_beavers:
        have_field.add("Beavers")
    has_bit_for_auto_doubles = rules.auto_doubles <= 1
    if has_bit_for_auto_doubles:
        have_field.add("AutoDoubles")
    if rules.start in reader.VARIANTS:
        have_field.add("Variation")
    for name, value in tags_for(rules, length):
        if name not in have_field:
            yield name, value


def fields_of_game(game: Game, states: list[MatchState]) -> dict[str, Any]:
    """The fields of a game: how it begins, and who won how much."""
    start = states[0]
    cube = start.cube
    won = won_in(game)
    fields: dict[str, Any] = {"owner": _seat(cube.owner)}
    if won is not None:
        winner, points = won
        fields["winner"] = _seat(winner)
        fields["points"] = points
    if start.on_roll is None and start.position != Position.start(start.rules.start):
        fields["board"] = seen(start.position.points, Player.WHITE)
    if cube.value > 1:
        fields["cube"] = cube.value
    cubes_before_opening_roll = [state.cube.value for state in states if state.on_roll is None]
    cube_after_ties = max(cubes_before_opening_roll, default=cube.value)
    # each automatic double has doubled the cube: the power of two says how many there were
    auto_doubles = (cube_after_ties // cube.value).bit_length() - 1
    if auto_doubles > 0:
        fields["auto_doubles"] = auto_doubles
    return fields


def time_of_event(event: RecordEvent) -> float | None:
    return event.time if isinstance(event, Event) else None


def _plies(game: Game, states: list[MatchState]) -> Iterator[_WrittenPly]:
    """The plies of a game, a roll together with its play. Raises GammonError for what has no place."""
    # a roll is written with its play, so it waits; its event is kept, unless the game begins with the dice
    is_roll_waiting = states[0].dice is not None
    roll_events: list[int] = []
    last_roll = index_of_last_roll(game)
    turn = _first_turn(game, states)
    if turn is not None:
        assert turn.on_roll is not None  # it is a turn
        extras = {"board": seen(turn.position.points, turn.on_roll)}
        yield _WrittenPly(written_ply(layout.SET_POSITION, turn.on_roll, extras=extras), [])
    yield from _offered_before(states[0])
    steps = zip(game.events, states, states[1:], strict=False)
    for index, (event, before, after) in enumerate(steps):
        action = event.action if isinstance(event, Event) else None
        if action in (Action.ROLL, Action.OPENING_ROLL):
            is_roll_waiting = after.dice is not None  # after a tie there is no roll to play
            roll_events = [index] if is_roll_waiting else []
            continue
        if action in (Action.RESIGN, Action.DECLINE):
            continue  # an offer is written when it is accepted
        if action is Action.PLAY:
            play = before.legal_plays.find(after.position)
            yield _WrittenPly(_rolled(before, play), [*roll_events, index])
        elif isinstance(event, SetPosition):
            next_player = next_player_of(event, before, after)
            seen_by_them = SetPosition(after.view(next_player), next_player, event.cube)
            yield from _set_positions(seen_by_them, before.dice, [*roll_events, index])
        else:
            if is_roll_waiting:  # it was not played
                yield _WrittenPly(_rolled(before), roll_events)
            yield from _offers_and_ends(event, before, index, is_shown_by_roll=index < last_roll)
        is_roll_waiting = False
        roll_events = []
    if is_roll_waiting:
        yield _WrittenPly(_rolled(states[-1]), roll_events)


def _first_turn(game: Game, states: list[MatchState]) -> MatchState | None:
    """The state whose turn is written by itself: a game starts in it, or ends in it without any event that shows it."""
    if states[0].on_roll is not None:
        return states[0]
    is_shown = any(state.dice is not None or isinstance(state.offer, Double) for state in states)
    is_shown |= any(isinstance(event, SetPosition) for event in game.events)
    return None if is_shown or states[-1].on_roll is None else states[-1]


def _offered_before(start: MatchState) -> Iterator[_WrittenPly]:
    """The double, and the beavers, with which a game begins."""
    double = start.pending_double
    if double is None:
        return
    yield _WrittenPly(written_ply(layout.DOUBLE, double.by), [])
    side = double.by.opponent
    for beavers_before in range(double.beavers):
        action = layout.BEAVER if beavers_before == 0 else layout.RACCOON
        yield _WrittenPly(written_ply(action, side), [])
        side = side.opponent


def _rolled(state: MatchState, play: Play | None = None) -> bytes:
    assert state.on_roll is not None  # who has rolled
    assert state.dice is not None
    steps = [] if play is None else written_steps(play, state.on_roll)
    return written_ply(ROLLS.index(state.dice), state.on_roll, steps)


def _set_positions(
    event: SetPosition, dice: Dice | None, events: list[int]
) -> Iterator[_WrittenPly]:
    """A position set by hand, with the roll whose illegal play has led to it, if there is one."""
    extras: dict[str, Any] = {"board": seen(event.position.points, event.on_roll)}
    if dice is not None:
        extras["dice"] = list(dice)
        extras["illegal"] = True
    yield _WrittenPly(written_ply(layout.SET_POSITION, event.on_roll, extras=extras), events)
    if event.cube is not None:
        yield _WrittenPly(_cube_set(event.cube, event.on_roll), events[-1:])


def _cube_set(cube: Cube, player: Player) -> bytes:
    extras = {"cube": cube.value, "owner": _seat(cube.owner)}
    return written_ply(layout.CUBE_SET, player, extras=extras)


def _offers_and_ends(
    event: RecordEvent, before: MatchState, index: int, *, is_shown_by_roll: bool
) -> Iterator[_WrittenPly]:
    """A cube action, an accepted resignation or a forfeit; a take that a roll shows is left out after a beaver."""
    if isinstance(event, Forfeit):
        yield _WrittenPly(written_ply(layout.FORFEIT, event.loser), [index])
    elif isinstance(before.offer, Resignation):
        extras = {"resigned": int(before.offer.win)}
        resignation = written_ply(layout.RESIGN, before.offer.by, extras=extras)
        events = [index]
        if index > 0:  # else the game begins with the offer
            events.insert(0, index - 1)
        yield _WrittenPly(resignation, events)
    elif isinstance(event, Event) and before.to_act is not None:
        content = _written_cube_action(
            event.action, before, before.to_act, is_shown=is_shown_by_roll
        )
        if content is not None:
            yield _WrittenPly(content, [index])


def _written_cube_action(
    action: Action, before: MatchState, by: Player, *, is_shown: bool
) -> bytes | None:
    """A cube action; None for a take that needs none, since a roll that follows shows it (`is_shown`)."""
    beavers = before.offer.beavers if isinstance(before.offer, Double) else 0
    if action is Action.BEAVER:
        return written_ply(layout.BEAVER if beavers == 0 else layout.RACCOON, by)
    if beavers == 0:
        return written_ply(_ACTIONS[action], by)
    if action is not Action.TAKE:
        # no program drops a beaver; to resign then gives the same points
        return written_ply(layout.RESIGN, by, extras={"resigned": int(Win.SINGLE)})
    if beavers > 1:
        # other programs give the cube to the player who raccoons, so it is stated
        return _cube_set(before.take().cube, by.opponent)
    return None if is_shown else written_ply(layout.TAKE, by)


def _is_dance_before_giving_up(state: MatchState, following: Sequence[RecordEvent]) -> bool:
    """Whether this roll is a dance, and the game is given up then, or set by hand: neither a roll nor a double follows.

    Other programs take such a roll, which has no moves, for one that was not played.
    """
    if not following:
        return False  # the record breaks off here: nobody has given up
    is_dance = not state.legal_plays[0].moves
    if not is_dance:
        return False
    next_event = following[0]
    goes_on = isinstance(next_event, Event) and next_event.action in _GOES_ON
    return not goes_on


def _seat(player: Player | None) -> int | None:
    return None if player is None else _SEATS[player]


_SEATS: Final = {Player.WHITE: 0, Player.BLACK: 1}
_MAX_LOW_BITS: Final = 31
"""Of a step of the clock: readers refuse more."""


def written_clock(times: Sequence[float | None]) -> bytes:
    """The times as far as all plies have one, and they go forward; nothing without any."""
    if not times or times[0] is None:
        return b""
    first_time = times[0]
    steps = _milliseconds_between(first_time, times[1:])
    start = 0
    if 0 <= first_time < reader.MAX_TIME:
        start = int(first_time)
    longest_step = max(steps, default=0)
    width = min(_MAX_LOW_BITS, max(1, longest_step.bit_length()))
    reserve = 0
    delay = 0
    increment = 0
    flags = 0
    unit = 1  # millisecond
    head = layout.CLOCK.pack(reserve, delay, increment, start, flags, len(steps), width, unit)
    if not steps:
        return head
    low_bits = [step % (1 << width) for step in steps]
    high_bits = [step >> width for step in steps]
    return head + _packed_in_words(low_bits, width) + _as_runs_of_ones(high_bits)


def _milliseconds_between(start: float, times: Sequence[float | None]) -> list[int]:
    """The time from each reading to the next, as far as they are known and go forward."""
    steps: list[int] = []
    last_reading = 0  # since the start
    for time in times:
        if time is None:
            break
        reading = round(1000 * (time - start))
        if not last_reading <= reading < reader.MAX_TIME:
            break
        steps.append(reading - last_reading)
        last_reading = reading
    return steps


def _packed_in_words(numbers: Sequence[int], width: int) -> bytes:
    """Numbers of so many bits each, as many of them in a word of 64 bits as fit."""
    in_a_word = 64 // width
    content = b""
    for start in range(0, len(numbers), in_a_word):
        word = 0
        for index, number in enumerate(numbers[start : start + in_a_word]):
            word |= number << (width * index)
        content += word.to_bytes(8, "little")
    return content


def _as_runs_of_ones(numbers: Sequence[int]) -> bytes:
    """As many ones as each number, then a zero, from the lowest bit of the first byte on."""
    bits = "".join("1" * number + "0" for number in numbers)
    return int(bits[::-1], 2).to_bytes(ceil(len(bits) / 8), "little")
