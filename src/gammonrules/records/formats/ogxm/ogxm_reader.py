"""From the bytes of a file to a match: sections, the header, games one after another, ply by ply."""

from __future__ import annotations

import datetime as dt
import zlib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from math import ceil
from struct import Struct
from typing import Any, Final

import attrs
from attrs import define, field, frozen

from gammonrules._shared.byte_cursor import Cursor
from gammonrules.board import Position, StartName, Win
from gammonrules.board.internals import legal_play
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MAX_CUBE_TURNS, MAX_IN_A_ROW, MAX_POINTS
from gammonrules.match import Action, Cube, Double, Event, MatchState, Player, SetPosition
from gammonrules.match.internals import make_event, why_not_award
from gammonrules.records.formats.match_reading import CALLED_ILLEGAL, GameReplay, MatchReading
from gammonrules.records.formats.ogxm import ogxm_layout as layout
from gammonrules.records.formats.ogxm.ogxm_analyses import (
    Stored,
    cube_analysis_of_ply,
    play_analysis_of_ply,
    store,
)
from gammonrules.records.formats.ogxm.ogxm_layout import Ply
from gammonrules.records.transcript import FindingKind, FindingLog, Match, RecordedResult, Severity
from gammonrules.records.transcript.header_tags import ON_OFF, VARIATIONS, Tags, rules_in_tags
from gammonrules.rules import Rules

_LEFT_OUT: Final = {b"SIGN": "signatures", b"MSIG": "signatures", b"VIDO": "the marks of a video"}
_KNOWN: Final = {b"MTCH", b"GAME", b"ANAL", b"DECS", b"CLCK", b"ANNO", b"CSUM", *_LEFT_OUT}
VARIANTS: Final[tuple[StartName, ...]] = ("standard", "nackgammon", "hypergammon", "longgammon")
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
MAX_TIME: Final = 2**32  # milliseconds
_IMPOSSIBLE_TIMES: Final = "it is cut short, or its times are too long"
ACTIONS: Final = {layout.DOUBLE: Action.DOUBLE, layout.TAKE: Action.TAKE, layout.DROP: Action.DROP}
_ACTIONS: Final = ACTIONS | dict.fromkeys((layout.BEAVER, layout.RACCOON), Action.BEAVER)
_ENDS: Final = (layout.RESIGN, layout.RESIGN_MATCH, layout.FORFEIT, layout.SETTLE)
"""The actions of who gives a game up."""
_SCOPE_OF_MATCH: Final = 0
_SCOPE_OF_GAME: Final = 1
_SCOPE_OF_PLY: Final = 2
"""What a remark is about."""
PLAYERS: Final[dict[int | None, Player]] = dict(enumerate(Player))
"""By the numbers of seats."""


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
    def setup(self) -> Ply | None:
        """The board in mid-game with which the game starts, if it does."""
        first = self.plies[0] if self.plies else None
        if first is None or first.action != layout.SET_POSITION:
            return None
        return first if first.extras.keys() == {"board"} else None

    @property
    def actions(self) -> list[Ply]:
        """The plies after that board."""
        return self.plies if self.setup is None else self.plies[1:]


@define
class _AnalysisBlock:
    """The header of a block, and the analyses of decisions that follow it."""

    header: bytes
    decisions: bytearray = field(factory=bytearray)


@define
class _MatchFileReader:
    content: bytes
    findings: FindingLog = field(factory=FindingLog)
    header: dict[str, Any] = field(factory=dict[str, Any])
    games: list[_GameBlocks] = field(factory=list[_GameBlocks])
    ply_count: int = 0
    """The plies of all games so far."""
    blocks: list[_AnalysisBlock] = field(factory=list[_AnalysisBlock])
    clock: bytes = b""
    notes: list[dict[str, Any]] = field(factory=list[dict[str, Any]])

    def take_sections(self) -> None:
        if len(self.content) < layout.HEADER.size:
            raise ParseError("this OGXM file is cut short: even its header is incomplete")
        _, version, _, major_needed, minor_needed, size = layout.HEADER.unpack_from(self.content)
        if version != 2 or (major_needed, minor_needed) > (2, 2):
            raise ParseError(
                f"this is an OGXM file of version {version}, and only version 2, up to 2.2, can be read"
            )
        end = len(self.content) - len(layout.END)
        if size != len(self.content) or self.content[end:] != layout.END:
            self.damage("the file is cut short, or its end is damaged")
        section_start = layout.HEADER.size
        while section_start + layout.SECTION.size <= end:
            kind, length, flags = layout.SECTION.unpack_from(self.content, section_start)
            must_be_understood = bool(flags & 1)
            if must_be_understood and kind not in _KNOWN:
                raise ParseError(
                    f"this OGXM file has a section {kind!r}, without which it cannot be understood"
                )
            payload_start = section_start + layout.SECTION.size
            payload_end = payload_start + length
            try:
                self.take(kind, section_start, Cursor(self.content[payload_start:payload_end]))
            except ParseError as error:
                self.cannot_read("a section", error)
            section_start = payload_end

    def cannot_read(self, what: str, error: ParseError) -> None:
        """Report a part that cannot be read; the rest goes on."""
        self.damage(f"{what} cannot be read, since {error}")

    def damage(self, note: str) -> None:
        self.findings.report(
            Severity.ERROR, FindingKind.DAMAGED_FILE, f"{note}; whatever can be read is read"
        )

    def take(self, kind: bytes, section_start: int, section: Cursor) -> None:
        """Read what is in a section, whose own header starts at `section_start`. Raises ParseError."""
        match kind:
            case b"MTCH":
                self.header = layout.MATCH.read(section)
            case b"GAME":
                self.take_game(section)
            case b"ANAL":
                self.blocks.append(_AnalysisBlock(section.data))
            case b"DECS" if self.blocks:  # decisions belong to the block before them
                self.blocks[-1].decisions += section.data
            case b"CLCK":
                self.clock = section.data
            case b"ANNO":
                self.notes += islice(section.all_of(layout.NOTE.read), layout.MAX_NOTES)
            case b"CSUM":
                content_before = self.content[:section_start]
                self.check_sum(layout.CHECKSUM.read(section), content_before)
            case _:
                what = _LEFT_OUT.get(kind, f"sections of the unknown type {kind!r}")
                note = f"{what} in the file are left out"
                self.findings.report(Severity.INFO, FindingKind.LEFT_OUT, note)

    def check_sum(self, checksum: dict[str, Any], content: bytes) -> None:
        is_crc = checksum["algorithm"] == 0
        if is_crc and checksum["digest"] != zlib.crc32(content).to_bytes(4, "little"):
            self.damage(
                "the checksum of the file is wrong, so something in it was changed or damaged"
            )

    def take_game(self, section: Cursor) -> None:
        """A game, as far as its plies can be read."""
        are_too_many_games = len(self.games) >= layout.MAX_GAMES
        fields: dict[str, Any] = {}
        plies: list[Ply] = []
        defect = ""
        try:
            fields = layout.GAME.read(section)
            while section.at < len(section.data):
                plies.append(layout.read_ply(section, line=self.ply_count + 1))
                self.ply_count += 1
                if are_too_many_games or len(plies) > layout.MAX_PLIES:
                    defect = "there are more games, or plies in one, than there can be"
                    break
        except ParseError as error:
            defect = str(error)
        why_cut = f"the rest of the game cannot be read, since {defect}" if defect else ""
        self.games.append(_GameBlocks(fields, plies, why_cut))

    def match(self) -> Match:
        no_game = "this OGXM file holds no game that is possible"
        header = self.header
        if not header:
            raise ParseError("this OGXM file holds no match that is possible")
        length = header.get("length", 0) or None
        if length is not None and length > MAX_POINTS:
            raise ParseError(no_game)
        if not self.games:
            raise ParseError(no_game)
        reading = MatchReading(length, self.rules(length), self.findings)
        self.replay(reading, is_match=length is not None)
        if not reading.games:
            raise ParseError(no_game)
        players = (header.get("white", ""), header.get("black", ""))
        comments = [note["text"] for note in self.notes_about_match() if "key" not in note]
        return reading.match(players, length, self.tags(), comments, "ogxm")

    def rules(self, length: int | None) -> Rules:
        """The rules of the header, and of the remarks that our writer makes where the header has no field."""
        bits = self.header.get("rules", 0)
        tags_in_notes: dict[str, str] = {}
        for key, text in self.keyed_notes():
            if key.startswith(OWN_RULE):
                tags_in_notes[key.removeprefix(OWN_RULE)] = text
        tags = {name: ON_OFF[bool(bits & bit)] for name, bit in RULES.items()}
        limit = self.header.get("cube_limit", 0)
        tags["CubeLimit"] = str(limit) if limit else ""
        variant: int = self.header.get("variant", 0)
        if variant < len(VARIANTS):
            tags["Variation"] = VARIATIONS[VARIANTS[variant]]
        elif "Variation" not in tags_in_notes:
            tags["Variation"] = VARIATIONS["standard"]
            note = "this variation is not known, so its games are read as standard ones"
            self.findings.report(
                Severity.INFO, FindingKind.UNKNOWN_VARIATION, note, text=f"variation {variant}"
            )
        tags.update(tags_in_notes)
        beavers = 2 if bits & RACCOONS else 1
        rules = rules_in_tags(tags.items(), length, beavers)
        auto_doubles = 0
        if length is None and rules.cube and bits & AUTO_DOUBLES:
            # the bit allows at least one, a remark of ours may allow more, and games may show more
            most_in_games = max(game.fields.get("auto_doubles", 0) for game in self.games)
            auto_doubles = min(max(1, rules.auto_doubles, most_in_games), MAX_IN_A_ROW)
        return attrs.evolve(rules, auto_doubles=auto_doubles)

    def replay(self, reading: MatchReading, *, is_match: bool) -> None:
        stored = self.stored_analyses(is_match=is_match)
        times = self.times()
        texts = self.texts()
        for index, game in enumerate(self.games, start=1):
            start = self.start_of_blocks(game, index, reading)
            if start is None:
                continue
            replay = OgxmReplay(
                index,
                start,
                self.findings,
                place=game,
                winner=PLAYERS.get(game.fields.get("winner")),
                points=min(game.fields.get("points", 0), MAX_POINTS),
                stored=stored,
                times=times,
                texts=texts,
                is_whole=not game.defect,
            )
            replay.follow_all(game.actions)
            if game.defect and not replay.cut:
                replay.stop(FindingKind.DAMAGED_FILE, game.defect)
            number_in_remarks = index - 1  # counted from 0
            comments = tuple(texts[_SCOPE_OF_GAME, number_in_remarks])
            reading.games[index] = replay.game(index, replay.end(), comments)

    def stored_analyses(self, *, is_match: bool) -> Stored:
        stored: Stored = {}
        for block in self.blocks[: layout.MAX_BLOCKS]:
            try:
                store(stored, block.header, bytes(block.decisions), is_match=is_match)
            except ParseError as error:
                self.cannot_read("an analysis", error)
        return stored

    def times(self) -> list[float]:
        try:
            return times_in(self.clock, self.ply_count)
        except ParseError as error:
            self.cannot_read("the clock", error)
            return []

    def texts(self) -> defaultdict[tuple[int, int], list[str]]:
        """The remarks, by what they are about: the scope, and the number of the game or ply."""
        texts = defaultdict[tuple[int, int], list[str]](list)
        for note in self.notes:
            scope = min(note["scope"], _SCOPE_OF_PLY)  # of what is within a ply, too
            text = note["text"]
            if "key" in note:
                text = f"{note['key']}: {text}"
            texts[scope, note["ref"]].append(text)
        return texts

    def start_of_blocks(
        self, game: _GameBlocks, index: int, reading: MatchReading
    ) -> MatchState | None:
        """Begin a game, before which the header may say the score and that Crawford was played; None if impossible."""
        score: tuple[int, int] | None = None
        if index == 1:
            score = self.header.get("score", (0, 0))
        is_crawford = False if "crawford_played" in self.header else None
        start = reading.start(index, game, score, crawford=is_crawford)
        return None if start is None else self.with_setup(start, game, index, reading)

    def with_setup(
        self, start: MatchState, game: _GameBlocks, index: int, reading: MatchReading
    ) -> MatchState:
        """The start with the board and the cube that the file gives; a game may start in a player's turn."""
        setup = game.setup
        has_owned_cube = "owner" in game.fields
        on_roll = None
        if setup is not None:
            on_roll = setup.player
        elif has_owned_cube and game.plies:
            # nobody owns the cube before the first turn, so the game starts in one
            on_roll = game.plies[0].player
        board = game.fields.get("board") if setup is None else setup.extras["board"]
        try:
            position = start.position
            if board is None and on_roll is not None:
                board = layout.seen(position.points, Player.WHITE)
            if board is not None:
                points = layout.seen(board, on_roll or Player.WHITE)
                position = Position.from_points(points, checkers=position.checkers)
            cube = cube_at_start(game.fields)
            return attrs.evolve(start, position=position, on_roll=on_roll, cube=cube)
        except GammonError as error:
            note = f"no game can start with this board and cube, so it starts as usual: {error}"
            reading.report(index, game, Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            return start

    def tags(self) -> Tags:
        tags = [(name, self.header[name.lower()]) for name in TAGS if name.lower() in self.header]
        if "started" in self.header:
            with suppress(OverflowError):  # the number is no time of the calendar
                moment = _EPOCH + dt.timedelta(milliseconds=self.header["started"])
                tags.append(("EventDate", f"{moment:%Y.%m.%d}"))
                tags.append(("EventTime", f"{moment:%H.%M}"))
        for key, text in self.keyed_notes():
            if not key.startswith(OWN_RULE):
                tags.append((key.removeprefix(OWN), text))
        return tuple(tags)

    def notes_about_match(self) -> list[dict[str, Any]]:
        return [note for note in self.notes if note["scope"] == _SCOPE_OF_MATCH]

    def keyed_notes(self) -> list[tuple[str, str]]:
        """The notes about the match that have a key."""
        notes = self.notes_about_match()
        return [(note["key"], note["text"]) for note in notes if "key" in note]


def cube_at_start(fields: dict[str, Any]) -> Cube:
    """The cube with which a game begins. Raises GammonError if it is impossible."""
    doubled = min(fields.get("auto_doubles", 0), MAX_CUBE_TURNS + 1)
    return Cube(fields.get("cube", 1) << doubled, PLAYERS.get(fields.get("owner")))


def times_in(payload: bytes, plies: int) -> list[float]:
    """The seconds of the plies, as far as they are known. Raises ParseError.

    After the first reading, the file has the steps from each reading to the next, in units. First come the low bits of
    all steps, packed into words of 64 bits. Their high bits follow: as many ones as the number, then a zero.
    """
    if not payload:
        return []
    source = Cursor(payload)
    head = layout.CLOCK.unpack(source.take(layout.CLOCK.size))
    _reserve, _delay, _increment, start, _flags, steps, width, unit = head
    if steps == 0:
        return [float(start)]
    if steps >= plies:
        raise ParseError("it has more times than there are plies")
    if not 0 < width < 32:
        raise ParseError(f"each of its steps has {width} bits, not 1 to 31")
    low_bits = _numbers_in_words(source, steps, width)[:steps]
    high_bits = _runs_of_ones(payload[source.at :])[:steps]
    if len(high_bits) < steps:
        raise ParseError(_IMPOSSIBLE_TIMES)
    readings = [0]  # in milliseconds since the first reading
    for high, low in zip(high_bits, low_bits, strict=True):
        units = (high << width) | low
        readings.append(readings[-1] + units * unit)
    if readings[-1] >= MAX_TIME:
        raise ParseError(_IMPOSSIBLE_TIMES)
    return [start + reading / 1000 for reading in readings]


def _numbers_in_words(source: Cursor, count: int, width: int) -> list[int]:
    """At least so many numbers of so many bits, as many of them in a word of 64 bits as fit. Raises ParseError."""
    in_a_word = 64 // width
    words = Struct(f"<{ceil(count / in_a_word)}Q")
    mask = (1 << width) - 1
    numbers: list[int] = []
    for word in words.unpack(source.take(words.size)):
        numbers += [(word >> (width * index)) & mask for index in range(in_a_word)]
    return numbers


def _runs_of_ones(content: bytes) -> list[int]:
    """The number of ones before each zero, from the lowest bit of the first byte on."""
    bits = "".join(f"{byte:08b}"[::-1] for byte in content)
    return [len(ones) for ones in bits.split("0")]


# --- one game ---------------------------------------------------------------------------------------------------------


@define
class OgxmReplay(GameReplay):
    winner: Player | None
    points: int
    stored: Stored
    times: Sequence[float]
    """Of the plies of the match, as far as they are known."""
    texts: defaultdict[tuple[int, int], list[str]]
    is_whole: bool
    """Whether all plies of the game could be read."""

    def follow_all(self, plies: Sequence[Ply]) -> None:
        last_action = self.last_action(plies)
        for index, ply in enumerate(plies):
            self.place = ply
            first_event = len(self.events)
            self.only_its_end_follows = last_action is not None and index >= last_action
            following = plies[index + 1] if index + 1 < len(plies) else None
            try:
                self.follow(ply, following)
            except GammonError as error:
                self.stop_at_error(error)
            if ply.index < len(self.times):
                self.add_time(self.times[ply.index], first_event)
            for text in self.texts[_SCOPE_OF_PLY, ply.index]:
                self.remark(text)
            if self.cut:
                break

    def add_time(self, time: float, first_event: int) -> None:
        """Note when the events from this one on happened."""
        for index in range(first_event, len(self.events)):
            event = self.events[index]
            if isinstance(event, Event):
                self.events[index] = make_event(event.action, event.by, event.argument, time=time)

    def last_action(self, plies: Sequence[Ply]) -> int | None:
        """The index of the last ply before the end of the game; None if no end is stated."""
        if not self.is_whole:
            return None
        last = 0
        is_given_up = False  # after that ply
        for index, ply in enumerate(plies):
            if ply.action in _ENDS:
                is_given_up = True
            elif ply.action not in layout.SILENT:
                last = index
                is_given_up = False
        is_won = self.winner is not None and self.points > 0
        return last if is_given_up or is_won else None

    def follow(self, ply: Ply, following: Ply | None) -> None:
        if ply.action < len(ROLLS):  # the lowest actions are the rolls
            self.follow_roll(ply, following)
        elif ply.action in _ACTIONS:
            self.analyze_next(cube_analysis_of_ply(self.stored, ply.index))
            self.do(_ACTIONS[ply.action], ply.player)
        elif ply.action == layout.SET_POSITION and "board" in ply.extras:
            self.set_position(ply, following)
        elif ply.action == layout.CUBE_SET:
            self.set_cube(ply)
        elif ply.action not in layout.SILENT:
            self.end_by(ply)

    def set_position(self, ply: Ply, following: Ply | None) -> None:
        """A board that was set by hand, perhaps after an illegal play of the dice that stand with it."""
        if "dice" in ply.extras:
            # the opponent has rolled them: the board is seen in the turn after their play
            self.roll(ply.player.opponent, Dice.of(ply.extras["dice"]))
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
        points = layout.seen(ply.extras["board"], ply.player)
        position = Position.from_points(points, checkers=self.state.position.checkers)
        cube = None
        if following is not None and following.action == layout.CUBE_SET:
            cube = _cube_of_ply(following)  # so that both are set by one event
        self.apply(SetPosition(position, ply.player, cube))

    def set_cube(self, ply: Ply) -> None:
        """A cube that was set by hand, unless it is that which a double has led to."""
        cube = _cube_of_ply(ply)
        if isinstance(self.state.offer, Double):
            self.do(Action.TAKE, self.state.offer.answerer)
        if self.state.cube != cube:
            self.apply(SetPosition(self.state.view(ply.player), ply.player, cube))

    def follow_roll(self, ply: Ply, following: Ply | None) -> None:
        """A roll, which is the decision not to double, and its play."""
        self.analyze_next(cube_analysis_of_ply(self.stored, ply.index))
        self.roll(ply.player, ROLLS[ply.action])
        analysis = play_analysis_of_ply(self.stored, ply.index)
        self.unplayed = analysis  # in case the player resigns now
        plays = self.state.legal_plays
        is_last = following is None or following.action in _ENDS
        if is_last and not ply.steps:
            is_dance = not plays[0].moves
            if not is_dance:
                return  # the game ended before the roll was played
        self.analyze_next(analysis)
        text = layout.moves_in(ply.steps, ply.player)
        play = legal_play(plays, text)
        if play is None:
            play = plays.find(text)  # raises the error, which says why not
        self.do_play(ply.player, play)

    def end_by(self, ply: Ply) -> None:
        """The end of a game by a player who gives it up, or by both."""
        level = ply.extras.get("resigned", Win.SINGLE)
        is_level = level in tuple(Win)
        if ply.action == layout.RESIGN and is_level:
            self.resign(ply.player, Win(level))
        elif ply.action == layout.RESIGN_MATCH:
            self.give_up(ply.player, self.points_given_up(ply.player))
        elif ply.action == layout.FORFEIT:
            points = self.points_given_up(ply.player)
            if points is None:  # in money play the file may not state them
                points = 1
            self.forfeit(ply.player, points, stated=True)
        elif ply.action == layout.SETTLE:
            self.settle()
        else:
            self.stop(FindingKind.UNREADABLE_LINE, "this action is not known")

    def points_given_up(self, loser: Player) -> int | None:
        """The points that the file states, or else those that win the match; None in money play."""
        return self.points if self.points > 0 else self.points_needed(loser.opponent)

    def settle(self) -> None:
        """The end by both players, if the file says for how much; else its `end` is taken."""
        if self.winner is None or why_not_award(self.state.length, self.points):
            return
        loser = self.winner.opponent
        self.award(loser, self.points, "the players settled the game")

    def end(self) -> RecordedResult | None:
        """The stated end of the game; if it stops before that, it was resigned."""
        is_unfinished = not self.cut and self.state.result is None
        if self.winner is None or self.points == 0:  # the file states no end
            if is_unfinished:
                self.report_no_result()
            return None
        if is_unfinished:
            self.end_early(self.winner.opponent, self.points, "the file states points")
        return self.stated_end(self.winner, self.points, text="", line=self.place.line)


def _cube_of_ply(ply: Ply) -> Cube:
    return Cube(ply.extras.get("cube", 1), PLAYERS.get(ply.extras.get("owner")))
