"""A match as a file: sections with what a record holds, in the order that readers expect, and a checksum."""

from __future__ import annotations

import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final, cast

from attrs import Factory, define

from gammonrules._shared.disk_files import utf8
from gammonrules.board import Play, Position
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
from gammonrules.records.formats.ogxm import ogxm_layout as layout, ogxm_reader as reader
from gammonrules.records.formats.ogxm.ogxm_analyses import (
    PLAYS,
    Block,
    block_of,
    dice_moves,
    written_analysis,
)
from gammonrules.records.formats.ogxm.ogxm_layout import (
    END,
    HEADER,
    SEATS,
    SECTION,
    seen,
    written_ply,
)
from gammonrules.records.transcript import Game, Match, index_of_last_roll, length_of_games, won_in
from gammonrules.records.transcript.header_tags import tags_for
from gammonrules.rules import Rules

_ACTIONS: Final = {action: number for number, action in reader.ACTIONS.items()}
_FIELDS: Final = "Crawford", "Jacoby", "Beaver", "CubeLimit"
"""The tags of rules that the header has fields for."""
_GOES_ON: Final = Action.ROLL, Action.DOUBLE
_LONGEST_NOTE: Final = layout.LONGEST_TEXT // 4  # characters
_Plies = Iterator[tuple[bytes, list[int]]]
"""The plies, with the indices of their events."""


def write_ogxm(match: Match, replayed: list[list[MatchState]]) -> bytes:
    if not match.games:
        raise GammonError("a record without games cannot be written in this format")
    writer = _MatchFileWriter(match)
    for index, states in enumerate(replayed):
        writer.add_game(index, match.games[index], states)
    sections = [(b"MTCH", writer.header()), *((b"GAME", game) for game in writer.games)]
    for block, decisions in sorted(writer.blocks.items(), key=lambda item: -writer.depths[item[0]]):
        content = b"".join(part for *_, part in sorted(decisions))
        sections += [
            (b"ANAL", block_of(block, blake2b(content, digest_size=16).digest())),
            (b"DECS", content),
        ]
    sections += [(b"CLCK", written_clock(writer.times)), (b"ANNO", writer.sorted_notes())]
    body = b"".join(
        SECTION.pack(kind, len(part), kind in (b"MTCH", b"GAME")) + part
        for kind, part in sections
        if part
    )
    head = SECTION.pack(b"CSUM", 8, 1)
    content = (
        HEADER.pack(layout.MAGIC, 2, 2, 2, 0, HEADER.size + len(body) + len(head) + 8 + len(END))
        + body
    )
    digest = zlib.crc32(content).to_bytes(4, "little")
    return content + head + layout.CHECKSUM.write({"algorithm": 0, "digest": digest}) + END


@define
class _MatchFileWriter:
    match: Match
    games: list[bytes] = Factory(list[bytes])
    times: list[float | None] = Factory(list[float | None])
    """Of the plies so far."""
    blocks: dict[Block, list[tuple[int, int, bytes]]] = Factory(lambda: defaultdict(list))
    """The line, the kind and the bytes of each analysis."""
    depths: dict[Block, int] = Factory(lambda: defaultdict(int))
    """How many blocks stand before it in the analysis of a decision, which begins with the last block of the file."""
    notes: list[dict[str, Any]] = Factory(list[dict[str, Any]])

    def header(self) -> bytes:
        match = self.match
        rules = self.match.rules
        first = self.match.games[0].start
        length = length_of_games(match)
        fields = dict[str, Any](zip(("white", "black"), match.players, strict=True))
        for name, value in dict(match.tags).items():
            if 0 < len(utf8(value)) <= reader.TAGS.get(name, 0):
                fields[name.lower()] = value
            else:
                self.note(0, number=0, text=value, key=reader.OWN + name)
        for comment in match.comments:
            self.note(0, 0, comment)
        for name, value in rules_without_field(rules, length):
            self.note(0, number=0, text=value, key=reader.OWN_RULE + name)
        tags = dict(tags_for(rules, length))
        bits = sum(bit for name, bit in reader.RULES.items() if tags.get(name) == "On")
        bits |= reader.RACCOONS * ("Beavers" in tags) | reader.AUTO_DOUBLES * (
            not length and rules.auto_doubles > 0
        )
        after_crawford = (
            MatchState.new(length, rules=rules, score=first.score).crawford and not first.crawford
        )
        fields |= {
            "rules": bits,
            "cube_limit": int(tags["CubeLimit"]) % 1024,
            "crawford_played": after_crawford,
        }
        fields |= {"score": first.score if any(first.score) else None}
        always = {
            "length": length or 0,
            "variant": [*reader.VARIANTS, rules.start].index(rules.start),
        }
        return layout.MATCH.write({name: value for name, value in fields.items() if value} | always)

    def add_game(self, index: int, game: Game, states: list[MatchState]) -> None:
        start = states[0]
        cube = states[0].cube
        (winner, points) = won_in(game) or (None, None)
        lines = dict[int, int]()
        fields: dict[str, Any] = {
            "winner": _seat(winner),
            "points": points,
            "owner": _seat(cube.owner),
        }
        if start.on_roll is None and start.position != Position.start(start.rules.start):
            fields["board"] = seen(start.position.points, Player.WHITE)
        opened = max(
            (state.cube.value for state in states if state.on_roll is None), default=cube.value
        )
        turned = (opened // cube.value).bit_length() - 1
        fields |= {"cube": cube.value if cube.value > 1 else None, "auto_doubles": turned or None}
        parts = [layout.GAME.write(fields)]
        for ply, indices in _plies(game, states):
            parts.append(ply)
            self.times.append(getattr(game.events[indices[-1]], "time", None) if indices else None)
            lines |= dict.fromkeys(indices, len(self.times))
        self.games.append(b"".join(parts))
        for comment in game.comments:
            self.note(1, index, comment)
        for event, line in lines.items():
            for text in filter(None, game.notes[event : event + 1]):
                self.note(2, line - 1, text)
            for stored in game.analyses[event : event + 1]:
                depth = 0
                resigns = getattr(game.events[event], "action", None) is Action.RESIGN
                at = line - (resigns and states[event].dice is not None)  # where its roll is
                for block, kind, content in written_analysis(stored, states[event], at):
                    if kind == PLAYS and _is_last_dance(game.events[event + 1 :], states[event]):
                        continue
                    self.blocks[block].append((at, kind, content))
                    if kind == PLAYS:
                        depth = self.depths[block] = max(self.depths[block], depth + 1)

    def note(self, scope: int, number: int, text: str, key: str | None = None) -> None:
        parts = (
            text[start : start + _LONGEST_NOTE]
            for start in range(0, max(1, len(text)), _LONGEST_NOTE)
        )
        self.notes += ({"scope": scope, "ref": number, "text": part, "key": key} for part in parts)

    def sorted_notes(self) -> bytes:
        if len(self.notes) > layout.MOST_NOTES:
            raise GammonError(
                f"this record has more than {layout.MOST_NOTES:,} remarks, the most that OGXM can have"
            )
        ordered = sorted(
            self.notes,
            key=lambda note: (note["scope"], note["ref"], not note["key"], note["key"] or ""),
        )
        return b"".join(map(layout.NOTE.write, ordered))


def rules_without_field(rules: Rules, length: int | None) -> Iterator[tuple[str, str]]:
    """Rules for which the header has no field, as tags."""
    fits = {"Beavers": rules.beavers < 3, "AutoDoubles": rules.auto_doubles < 2}
    fits |= {"Variation": rules.start in reader.VARIANTS, **dict.fromkeys(_FIELDS, True)}
    return (tag for tag in tags_for(rules, length) if not fits.get(tag[0]))


def _plies(game: Game, states: list[MatchState]) -> _Plies:
    """Raises GammonError for what has no place."""
    rolled = None if states[0].dice is None else list[int]()
    """The event of the roll that is not played yet."""
    last_roll = index_of_last_roll(game)
    if (turn := _first_turn(game, states)) is not None:
        player = cast("Player", turn.on_roll)
        yield (
            written_ply(
                layout.SET_POSITION,
                player=player,
                steps=(),
                extras={"board": seen(turn.position.points, player)},
            ),
            [],
        )
    yield from _offered_before(states[0])
    for index, (stated, before, after) in enumerate(
        zip(game.events, states, states[1:], strict=False)
    ):
        event = before.canonical(stated)
        action = event.action if isinstance(event, Event) else None
        if action in (Action.ROLL, Action.OPENING_ROLL):
            rolled = [index] if after.dice else None
        elif action is Action.PLAY:
            play = before.legal_plays.find(cast("str", cast("Event", event).argument))
            yield _rolled(before, play), [*(rolled or ()), index]
            rolled = None
        elif isinstance(stated, SetPosition):
            yield from _set_positions(stated, before if rolled else None, [*(rolled or ()), index])
            rolled = None
        elif action not in (Action.RESIGN, Action.DECLINE):
            if rolled is not None:
                yield _rolled(before), rolled
                rolled = None
            yield from _offers_and_ends(event, before, index, is_shown_by_roll=index < last_roll)
    if rolled is not None:
        yield _rolled(states[-1]), rolled


def _first_turn(game: Game, states: list[MatchState]) -> MatchState | None:
    """The state in which a game starts with a turn, or has one of which nothing else is shown; None for others."""
    if states[0].on_roll is not None:
        return states[0]
    is_shown = any(state.dice is not None or isinstance(state.offer, Double) for state in states)
    is_shown |= any(isinstance(event, SetPosition) for event in game.events)
    return None if is_shown or states[-1].on_roll is None else states[-1]


def _offered_before(start: MatchState) -> _Plies:
    """The double, and the beavers, with which a game begins."""
    if (double := start.pending_double) is not None:
        yield written_ply(layout.DOUBLE, double.by), []
        for beaver in range(double.beavers):
            side = double.by if beaver % 2 else double.by.opponent
            yield written_ply(layout.RACCOON if beaver else layout.BEAVER, side), []


def _rolled(state: MatchState, play: Play | None = None) -> bytes:
    player = cast("Player", state.on_roll)
    dice = cast("Dice", state.dice)
    return written_ply(ROLLS.index(dice), player, dice_moves(play, player) if play else [])


def _set_positions(event: SetPosition, rolled: MatchState | None, indices: list[int]) -> _Plies:
    extras = {"dice": [*cast("Dice", rolled.dice)], "illegal": True} if rolled else {}
    board = seen(event.position.points, event.on_roll)
    yield (
        written_ply(
            layout.SET_POSITION, player=event.on_roll, steps=(), extras=extras | {"board": board}
        ),
        indices,
    )
    if event.cube is not None:
        yield _cube_set(event.cube, event.on_roll), indices[-1:]


def _cube_set(cube: Cube, player: Player) -> bytes:
    return written_ply(
        layout.CUBE_SET,
        player=player,
        steps=(),
        extras={"cube": cube.value, "owner": _seat(cube.owner)},
    )


def _offers_and_ends(
    event: RecordEvent, before: MatchState, index: int, *, is_shown_by_roll: bool
) -> _Plies:
    if isinstance(event, Forfeit):
        yield written_ply(layout.FORFEIT, event.loser), [index]
    elif isinstance(before.offer, Resignation):
        yield (
            written_ply(
                layout.RESIGN,
                player=before.offer.by,
                steps=(),
                extras={"resigned": int(before.offer.win)},
            ),
            [index - 1, index],
        )
    elif isinstance(event, Event):
        beavers = before.offer.beavers if isinstance(before.offer, Double) else 0
        if event.action is Action.BEAVER:
            yield (
                written_ply(layout.RACCOON if beavers else layout.BEAVER, cast("Player", event.by)),
                [index],
            )
        # other programs give the cube to who raccoons
        elif event.action is Action.TAKE and beavers > 1:
            yield _cube_set(before.take().cube, cast("Player", event.by).opponent), [index]
        elif not beavers or (event.action is Action.TAKE and not is_shown_by_roll):
            yield written_ply(_ACTIONS[event.action], cast("Player", event.by)), [index]
        # there is none after a beaver; to resign then gives the same points
        elif event.action is Action.DROP:
            yield (
                written_ply(
                    layout.RESIGN, player=cast("Player", event.by), steps=(), extras={"resigned": 1}
                ),
                [index],
            )


def _is_last_dance(following: Sequence[RecordEvent], state: MatchState) -> bool:
    """Whether a game is given up after a dance, whose roll other programs take for one that was not played."""
    goes_on = [
        event for event in following[:1] if isinstance(event, Event) and event.action in _GOES_ON
    ]
    return bool(following) and not goes_on and not state.legal_plays[0].moves


def _seat(player: Player | None) -> int | None:
    return None if player is None else SEATS.index(player)


def written_clock(times: Sequence[float | None]) -> bytes:
    """The times as far as all plies have one, and they go forward; nothing without any."""
    if not times or times[0] is None:
        return b""
    readings = [0]
    for time in times[1:]:
        reading = -1 if time is None else round(1000 * (time - times[0]))
        if not readings[-1] <= reading < reader.LONGEST_TIME:
            break
        readings.append(reading)
    steps = [after - before for before, after in pairwise(readings)]
    width = min(31, max([1, *(step.bit_length() for step in steps)]))
    start = int(times[0]) if 0 <= times[0] < reader.LONGEST_TIME else 0
    a_word = 64 // width
    words = [steps[at : at + a_word] for at in range(0, len(steps), a_word)]
    low = [
        sum((step % (1 << width)) << width * index for index, step in enumerate(word))
        for word in words
    ]
    high = "".join("1" * (step >> width) + "0" for step in steps)[::-1] or "0"
    head = layout.CLOCK.pack(0, 0, 0, start, 0, len(steps), width, 1)
    return (
        head
        + struct.pack(f"<{len(low)}Q", *low)
        + int(high, 2).to_bytes(-(-len(high) // 8) * bool(steps), "little")
    )
