"""From the bytes of a file to a match: sections, the header, games one after another, ply by ply."""

from __future__ import annotations

import datetime as dt
import zlib
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, islice
from struct import Struct
from typing import Any, Final

import attrs
from attrs import define, field, frozen

from gammonrules._shared.byte_cursor import Cursor
from gammonrules.board import Position, StartName, Win
from gammonrules.board.internals import legal_play
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MOST_CUBE_TURNS, MOST_IN_A_ROW, MOST_POINTS
from gammonrules.match import Action, Cube, Double, Event, MatchState, Player, SetPosition
from gammonrules.match.internals import make_event, why_not_award
from gammonrules.records.formats.match_reading import (
    CALLED_ILLEGAL,
    GameReplay,
    MatchReading,
    RawGame,
)
from gammonrules.records.formats.ogxm import ogxm_layout as layout
from gammonrules.records.formats.ogxm.ogxm_analyses import (
    CUBE,
    LUCK,
    PLAYS,
    Stored,
    analysis_of,
    store,
)
from gammonrules.records.formats.ogxm.ogxm_layout import Ply
from gammonrules.records.transcript import FindingKind, FindingLog, Match, Severity, Stated
from gammonrules.records.transcript.header_tags import ON_OFF, VARIATIONS, Tags, rules_in_tags
from gammonrules.rules import Rules

_LEFT_OUT: Final = {b"SIGN": "signatures", b"MSIG": "signatures", b"VIDO": "the marks of a video"}
_KNOWN: Final = {b"MTCH", b"GAME", b"ANAL", b"DECS", b"CLCK", b"ANNO", b"CSUM", *_LEFT_OUT}
VARIANTS: Final[tuple[StartName, ...]] = "standard", "nackgammon", "hypergammon", "longgammon"
RULES: Final = {"Crawford": 1, "Jacoby": 2, "Beaver": 4}
"""The bits of rules, by the tags that state them."""
RACCOONS = 8
AUTO_DOUBLES = 16
OWN: Final = "x-gammonrules-"
"""How keys of ours begin: of tags that have no field, and of the number of a game."""
OWN_RULE: Final = f"{OWN}rule-"
"""How keys begin of rules that have no field."""
TAGS: Final = {"Event": 120, "Stage": 60, "Table": 24, "City": 80, "Country": 0, "Site": 0}
"""The tags that have fields, and how many bytes are written there: none where not every text may stand."""
_EPOCH: Final = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - the tags have no time zone
LONGEST_TIME: Final = 2**32  # milliseconds
ACTIONS: Final = {layout.DOUBLE: Action.DOUBLE, layout.TAKE: Action.TAKE, layout.DROP: Action.DROP}
_ACTIONS: Final = ACTIONS | dict.fromkeys((layout.BEAVER, layout.RACCOON), Action.BEAVER)
_ENDS: Final = layout.RESIGN, layout.RESIGN_MATCH, layout.FORFEIT, layout.SETTLE
OWNERS: Final[dict[int | None, Player]] = dict(enumerate(Player))


def is_ogxm(content: bytes) -> bool:
    """Whether a file begins like those of OGXM."""
    # a text may begin with these letters
    return content.startswith(layout.MAGIC) and b"\0" in content[4:16]


def read_ogxm(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or a section we must know."""
    reader = _MatchFileReader(content)
    reader.take_sections()
    return reader.match()


@frozen
class _GameBlocks:
    """The place of its heading."""

    fields: dict[str, Any]
    plies: list[Ply]
    defect: str
    """Why the rest of the game cannot be read."""
    row: None = None
    line: None = None
    text: str = ""

    @property
    def setup(self) -> list[Ply]:
        """The board in mid-game with which the game starts, if it does."""
        first = self.plies[:1]
        return [
            ply
            for ply in first
            if ply.action == layout.SET_POSITION and ply.extras.keys() == {"board"}
        ]


@define
class _MatchFileReader:
    content: bytes
    findings: FindingLog = field(factory=FindingLog)
    header: dict[str, Any] = field(factory=dict[str, Any])
    games: list[_GameBlocks] = field(factory=list[_GameBlocks])
    plies: int = 0
    blocks: list[list[bytes]] = field(factory=list[list[bytes]])
    clock: bytes = b""
    notes: list[dict[str, Any]] = field(factory=list[dict[str, Any]])

    def take_sections(self) -> None:
        if len(self.content) < layout.HEADER.size:
            raise ParseError("this OGXM file is cut short: even its header is incomplete")
        _, version, _, *needed, size = layout.HEADER.unpack_from(self.content)
        if version != 2 or needed > [2, 2]:
            raise ParseError(
                f"this is an OGXM file of version {version}, and only version 2, up to 2.2, can be read"
            )
        at = layout.HEADER.size
        end = len(self.content) - len(layout.END)
        if size != len(self.content) or self.content[end:] != layout.END:
            self.damage("the file is cut short, or its end is damaged")
        while at + layout.SECTION.size <= end:
            kind, length, flags = layout.SECTION.unpack_from(self.content, at)
            start = at
            at = at + layout.SECTION.size + length
            if flags & 1 and kind not in _KNOWN:
                raise ParseError(
                    f"this OGXM file has a section {kind!r}, without which it cannot be understood"
                )
            with self.reporting("a section"):
                self.take(kind, start, Cursor(self.content[at - length : at]))

    @contextmanager
    def reporting(self, what: str) -> Generator[None]:
        """A part that cannot be read is reported, and the rest goes on."""
        try:
            yield
        except ParseError as error:
            self.damage(f"{what} cannot be read, since {error}")

    def damage(self, note: str) -> None:
        self.findings.report(
            Severity.ERROR, FindingKind.DAMAGED_FILE, f"{note}; whatever can be read is read"
        )

    def take(self, kind: bytes, start: int, section: Cursor) -> None:
        match kind:
            case b"MTCH":
                self.header = layout.MATCH.read(section)
            case b"GAME":
                self.take_game(section)
            case b"ANAL":
                self.blocks.append([section.data])
            case b"DECS" if self.blocks:
                self.blocks[-1].append(section.data)
            case b"CLCK":
                self.clock = section.data
            case b"ANNO":
                self.notes += islice(section.all_of(layout.NOTE.read), layout.MOST_NOTES)
            case b"CSUM":
                algorithm, digest = layout.CHECKSUM.read(section).values()
                if algorithm == 0 and digest != zlib.crc32(self.content[:start]).to_bytes(
                    4, "little"
                ):
                    self.damage(
                        "the checksum of the file is wrong, so something in it was changed or damaged"
                    )
            case _:
                what = _LEFT_OUT.get(kind, f"sections of the unknown type {kind!r}")
                self.findings.report(
                    Severity.INFO, FindingKind.LEFT_OUT, f"{what} in the file are left out"
                )

    def take_game(self, section: Cursor) -> None:
        fields = dict[str, Any]()
        plies = list[Ply]()
        defect = ""
        try:
            fields = layout.GAME.read(section)
            for ply in section.all_of(
                lambda source: layout.read_ply(source, self.plies + len(plies) + 1)
            ):
                plies.append(ply)
                if len(plies) > layout.MOST_PLIES or len(self.games) >= layout.MOST_GAMES:
                    raise ParseError("there are more games, or plies in one, than there can be")  # noqa: TRY301
        except ParseError as error:
            defect = f"the rest of the game cannot be read, since {error}"
        self.games.append(_GameBlocks(fields, plies, defect))
        self.plies += len(plies)

    def match(self) -> Match:
        header = self.header
        length = self.header.get("length", 0) or None
        if not header or not self.games or (length or 0) > MOST_POINTS:
            raise ParseError(
                f"this OGXM file holds no {'game' if header else 'match'} that is possible"
            )
        scores = [header.get("score", (0, 0)), *[None] * len(self.games)]
        crawford = False if "crawford_played" in header else None
        raw = [
            RawGame(game, source=game, score=score, crawford=crawford)
            for game, score in zip(self.games, scores, strict=False)
        ]
        reading = MatchReading(raw, length=length, rules=self.rules(length), findings=self.findings)
        self.replay(reading, is_match=length is not None)
        if not reading.games:
            raise ParseError("this OGXM file holds no game that is possible")
        comments = [note["text"] for note in self.notes if note["scope"] == 0 and "key" not in note]
        return reading.match(
            (header.get("white", ""), header.get("black", "")),
            length,
            self.tags(),
            comments,
            "ogxm",
        )

    def rules(self, length: int | None) -> Rules:
        stated, variant, limit = (
            self.header.get(name, 0) for name in ("rules", "variant", "cube_limit")
        )
        own = {
            key.removeprefix(OWN_RULE): text
            for key, text in self.keyed_notes()
            if key.startswith(OWN_RULE)
        }
        if variant >= len(VARIANTS) and "Variation" not in own:
            note = "this variation is not known, so its games are read as standard ones"
            self.findings.report(
                Severity.INFO, FindingKind.UNKNOWN_VARIATION, note, text=f"variation {variant}"
            )
        tags = {name: ON_OFF[bool(stated & bit)] for name, bit in RULES.items()}
        tags["Variation"] = VARIATIONS[VARIANTS[variant if variant < len(VARIANTS) else 0]]
        tags["CubeLimit"] = str(limit or "")
        tags |= own
        rules = rules_in_tags(tags.items(), length, 1 + bool(stated & RACCOONS))
        most = max(
            [1, rules.auto_doubles, *(game.fields.get("auto_doubles", 0) for game in self.games)]
        )
        has_auto_doubles = length is None and rules.cube and stated & AUTO_DOUBLES
        return attrs.evolve(rules, auto_doubles=min(most, MOST_IN_A_ROW) if has_auto_doubles else 0)

    def replay(self, reading: MatchReading[_GameBlocks], *, is_match: bool) -> None:
        stored = Stored()
        times = list[float]()
        texts = defaultdict[tuple[int, int], list[str]](list)
        for block, *parts in self.blocks[: layout.MOST_BLOCKS]:
            with self.reporting("an analysis"):
                store(stored, block, b"".join(parts), is_match=is_match)
        with self.reporting("the clock"):
            times = times_in(self.clock, self.plies)
        for note in self.notes:
            key = f"{note['key']}: " if "key" in note else ""
            texts[min(note["scope"], 2), note["ref"]].append(key + note["text"])
        for index, raw, opening in reading.starts():
            game = raw.source
            start = self.with_setup(opening, game=game, reading=reading, index=index)
            replay = OgxmReplay(
                index,
                start,
                self.findings,
                place=game,
                winner=OWNERS.get(game.fields.get("winner")),
                points=min(game.fields.get("points", 0), MOST_POINTS),
                stored=stored,
                times=times,
                texts=texts,
                is_whole=not game.defect,
            )
            replay.follow_all(game.plies[len(game.setup) :])
            if game.defect and not replay.cut:
                replay.stop(FindingKind.DAMAGED_FILE, game.defect)
            reading.games[index] = replay.game(index, replay.end(), tuple(texts[1, index - 1]))

    def with_setup(
        self, start: MatchState, game: _GameBlocks, reading: MatchReading[_GameBlocks], index: int
    ) -> MatchState:
        """The start with the board and the cube that the file gives; a game may start in a player's turn."""
        fields = game.fields
        on_roll = game.plies[0].player if game.plies and (game.setup or "owner" in fields) else None
        board = next((ply.extras["board"] for ply in game.setup), fields.get("board"))
        try:
            turned = min(fields.get("auto_doubles", 0), MOST_CUBE_TURNS + 1)
            cube = Cube(fields.get("cube", 1) << turned, OWNERS.get(fields.get("owner")))
            points = layout.seen(
                board or layout.seen(start.position.points, Player.WHITE), on_roll or Player.WHITE
            )
            position = Position.from_points(points, checkers=start.position.checkers)
            return attrs.evolve(start, position=position, on_roll=on_roll, cube=cube)
        except GammonError as error:
            note = f"no game can start with this board and cube, so it starts as usual: {error}"
            reading.report(index, Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            return start

    def tags(self) -> Tags:
        tags = [(name, self.header[name.lower()]) for name in TAGS if name.lower() in self.header]
        with suppress(OverflowError, KeyError):
            moment = _EPOCH + dt.timedelta(milliseconds=self.header["started"])
            tags += [("EventDate", f"{moment:%Y.%m.%d}"), ("EventTime", f"{moment:%H.%M}")]
        keyed = ((key, text) for key, text in self.keyed_notes() if not key.startswith(OWN_RULE))
        return *tags, *((key.removeprefix(OWN), text) for key, text in keyed)

    def keyed_notes(self) -> Iterator[tuple[str, str]]:
        """The notes about the match that have a key."""
        notes = (note for note in self.notes if note["scope"] == 0 and "key" in note)
        return ((note["key"], note["text"]) for note in notes)


def times_in(payload: bytes, plies: int) -> list[float]:
    """The seconds of the plies, as far as they are known. Raises ParseError.

    Each reading is the one before and a number of units, whose low bits are packed into words of 64 bits. The high bits
    follow: as many ones as the number, then a zero.
    """
    if not payload:
        return []
    source = Cursor(payload)
    *_, start, _, count, width, unit = layout.CLOCK.unpack(source.take(layout.CLOCK.size))
    if count >= max(1, plies) or (count and not 0 < width < 32):
        raise ParseError("it has more times than there are plies")
    a_word = 64 // (width or 1)
    words = Struct(f"<{-(-count // a_word)}Q")
    packed = words.unpack(source.take(words.size))
    low = [word >> width * index & (1 << width) - 1 for word in packed for index in range(a_word)]
    bits = f"{int.from_bytes(payload[source.at :], 'little'):0{8 * (len(payload) - source.at)}b}"[
        ::-1
    ]
    high = [len(ones) for ones in bits.split("0")][:count]
    units = ((more << width | rest) * unit for more, rest in zip(high, low, strict=False))
    readings = list(accumulate(units, initial=0))
    if len(readings) <= count or readings[-1] >= LONGEST_TIME:
        raise ParseError("it is cut short, or its times are too long")
    return [start + reading / 1000 for reading in readings]


# --- one game ---------------------------------------------------------------------------------------------------------


@define
class OgxmReplay(GameReplay):
    winner: Player | None
    points: int
    stored: Stored
    times: Sequence[float]
    """Of the plies of the match, as far as they are known."""
    texts: dict[tuple[int, int], list[str]]
    is_whole: bool
    """Whether all plies of the game could be read."""

    def follow_all(self, plies: Sequence[Ply]) -> None:
        last_action = self.last_action(plies)
        for index, ply in enumerate(plies):
            self.place = ply
            first = len(self.events)
            self.only_its_end_follows = last_action is not None and index >= last_action
            with self.stopping_at_error():
                self.follow(ply, plies[index + 1] if index + 1 < len(plies) else None)
            for at, event in enumerate(
                self.events[first:] if ply.line <= len(self.times) else (), start=first
            ):
                if isinstance(event, Event):
                    self.events[at] = make_event(
                        event.action, event.by, event.argument, time=self.times[ply.line - 1]
                    )
            for text in self.texts[2, ply.line - 1]:
                self.remark(text)
            if self.cut:
                break

    def last_action(self, plies: Sequence[Ply]) -> int | None:
        """The index of the last ply before the end of the game; None if no end is stated."""
        last = max(
            (at for at, ply in enumerate(plies) if ply.action not in (*_ENDS, *layout.SILENT)),
            default=0,
        )
        is_given_up = any(ply.action in _ENDS for ply in plies[last:])
        return last if self.is_whole and (is_given_up or (self.winner and self.points)) else None

    def follow(self, ply: Ply, following: Ply | None) -> None:
        player = ply.player
        extras = ply.extras
        if ply.action < len(ROLLS):
            self.dice(ply, following)
        elif ply.action in _ACTIONS:
            self.analyze_next(analysis_of(self.stored, ply.line, CUBE))
            self.do(_ACTIONS[ply.action], player)
        elif ply.action == layout.SET_POSITION and "board" in extras:
            if "dice" in extras:
                self.roll(player.opponent, Dice.of(extras["dice"]))
                self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
            board = layout.seen(extras["board"], player)
            checkers = self.state.position.checkers
            cube = (
                _cube_of_ply(following)
                if following and following.action == layout.CUBE_SET
                else None
            )
            self.apply(SetPosition(Position.from_points(board, checkers=checkers), player, cube))
        elif ply.action == layout.CUBE_SET:
            cube = _cube_of_ply(ply)
            if isinstance(self.state.offer, Double):
                self.do(Action.TAKE, self.state.offer.answerer)
            if self.state.cube != cube:
                self.apply(SetPosition(self.state.view(player), player, cube))
        elif ply.action not in layout.SILENT:
            self.end_by(ply.action, player, extras.get("resigned", 1))

    def dice(self, ply: Ply, following: Ply | None) -> None:
        """A roll, which is the decision not to double, and its play."""
        self.analyze_next(analysis_of(self.stored, ply.line, CUBE))
        self.roll(ply.player, ROLLS[ply.action])
        is_last = following is None or following.action in _ENDS
        analysis = self.unplayed = analysis_of(self.stored, ply.line, PLAYS, LUCK)
        if ply.steps or not (is_last and any(play.moves for play in self.state.legal_plays)):
            self.analyze_next(analysis)
            text = layout.moves_in(ply.steps, ply.player)
            self.do_play(
                ply.player,
                legal_play(self.state.legal_plays, text) or self.state.legal_plays.find(text),
            )

    def end_by(self, action: int, player: Player, resigned: int) -> None:
        if action == layout.RESIGN and resigned in tuple(Win):
            self.resign(player, Win(resigned))
        elif action == layout.RESIGN_MATCH:
            self.give_up(player, self.points or self.points_needed(player.opponent))
        elif action == layout.FORFEIT:
            self.forfeit(
                player, self.points or self.points_needed(player.opponent) or 1, stated=True
            )
        elif (
            action == layout.SETTLE
            and self.winner
            and not why_not_award(self.state.length, self.points)
        ):
            self.award(self.winner.opponent, self.points, "the players settled the game")
        elif action != layout.SETTLE:
            self.stop(FindingKind.UNREADABLE_LINE, "this action is not known")

    def end(self) -> Stated | None:
        """The stated end of the game; if it stops before that, it was resigned."""
        winner = self.winner
        points = self.points
        goes_on = not self.cut and self.state.result is None
        if goes_on and winner and points:
            self.end_early(winner.opponent, points, "the file states points")
        elif goes_on:
            self.has_no_result()
        return (
            self.stated_end(winner, points, text="", line=self.place.line)
            if winner and points
            else None
        )


def _cube_of_ply(ply: Ply) -> Cube:
    return Cube(ply.extras.get("cube", 1), OWNERS.get(ply.extras.get("owner")))
