"""From the bytes of a file to a match: container, header, games one after another."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from struct import unpack_from
from typing import Final

import attrs
from attrs import define, field, frozen

from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.match_reading import MatchReading, RawGame, coin_game
from gammonrules.formats.rule_tags import ON_OFF, rules_in_tags
from gammonrules.formats.xg import xg_layout as layout
from gammonrules.formats.xg.xg_container import COMMENTS, MATCH, ROLLOUTS, Comments, unpack
from gammonrules.formats.xg.xg_layout import REDOUBLED, GameHeader, Spot
from gammonrules.formats.xg.xg_replay import XgReplay
from gammonrules.limits import MOST_IN_A_ROW, MOST_POINTS
from gammonrules.match import Cube as CubeOnTable, MatchState
from gammonrules.rules import Rules
from gammonrules.transcript import FindingKind, FindingLog, Match, Severity, Tags, dashed, length_played
from gammonrules.values import printable, shown

_MOST_AUTO_DOUBLES: Final = 24


def read_xg(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    container = unpack(content)
    findings = FindingLog()
    for defect in container.defects:
        findings.report(Severity.ERROR, FindingKind.DAMAGED_FILE, f"{defect}; whatever can be read is read")
    data = container.files.get(MATCH, b"")
    if len(data) < layout.SIZE or data[layout.TYPE] != layout.MATCH_HEADER:
        raise ParseError("this eXtreme Gammon file holds no match")
    rollouts, comments = container.files.get(ROLLOUTS, b""), Comments.of(container.files.get(COMMENTS, b""))
    return _MatchReader(data, findings, rollouts, comments).read()


@frozen
class _GameRecords:
    spot: Spot
    """The header of the game."""
    header: GameHeader
    records: list[Spot]

    def stated(self, length: int | None) -> RawGame[_GameRecords]:
        """What the header states; the score of money play may be impossible."""
        score = self.header.white, self.header.black
        possible = length is not None or all(0 <= points <= MOST_POINTS for points in score)
        return RawGame(self.spot, self, score if possible else None)


@define
class _MatchReader:
    data: bytes
    findings: FindingLog
    rollouts: bytes
    comments: Comments
    rolls: int = field(init=False, default=0)
    final: Spot | None = field(init=False, default=None)
    """The end of the match."""
    reading: MatchReading[_GameRecords] = field(init=False)

    def read(self) -> Match:
        first = self.data[: layout.SIZE]
        if unpack_from("<i", first, 556)[0] != MAGIC:
            self.report(FindingKind.DAMAGED_FILE, 1, "", "the header of the match lacks its identifying mark")
        header, games = read_header(first), self.divided()
        if not games:
            raise ParseError("this eXtreme Gammon file holds no game")
        scores = ((game.header.white, game.header.black) for game in games)
        played_to = length_played(header.length, scores, header.tags)
        self.findings.extend(coin_game(header.length, played_to, f"{header.length} point match", 1))
        rules = self.rules(header, played_to, games)
        if header.variation not in VARIATIONS:
            note = "this variation is not known, so its games are read as standard ones"
            self.report(FindingKind.UNKNOWN_VARIATION, 1, f"variation {header.variation}", note, Severity.INFO)
        self.reading = MatchReading([game.stated(played_to) for game in games], played_to, rules, self.findings)
        self.replay()
        self.check_final()
        comments = self.texts(header.comments)
        return self.reading.match(header.players, header.length, header.tags, comments, "xg", self.rolls)

    def divided(self) -> list[_GameRecords]:
        """The games, each with its records; records that belong to none are reported."""
        data, games, strays = self.data, list[_GameRecords](), list[Spot]()
        if len(data) % layout.SIZE:
            self.report(FindingKind.DAMAGED_FILE, len(data) // layout.SIZE + 1, "", "the last record is cut short")
        for line, at in enumerate(range(layout.SIZE, len(data) - layout.SIZE + 1, layout.SIZE), start=2):
            kind, spot = data[at + layout.TYPE], Spot(data, at, line)
            if self.final is not None:
                strays.append(spot)
            elif kind in (layout.CUBE, layout.MOVE, layout.GAME_FOOTER) and games:
                games[-1].records.append(spot)
                self.rolls += kind == layout.MOVE
            elif kind == layout.GAME_HEADER:
                games.append(_GameRecords(spot, layout.read_game_header(data, at), []))
            elif kind == layout.MATCH_FOOTER:
                self.final = spot
            else:
                strays.append(spot)
        self.report_strays(strays)
        return games

    def report_strays(self, strays: Sequence[Spot]) -> None:
        """Report the records that belong to no game: one finding for each run of them, often hundreds."""
        for _, run in groupby(enumerate(strays), lambda item: item[1].line - item[0]):
            spots = [spot for _, spot in run]
            are_known = [self.data[spot.at + layout.TYPE] <= layout.MATCH_FOOTER for spot in spots]
            note = f"this record {'does not belong here' if are_known[0] else 'is of an unknown type'}"
            if len(spots) > 1:
                others = "the one" if len(spots) == 2 else f"the {len(spots) - 1}"
                why = ["do not belong here"] * any(are_known) + ["are of unknown types"] * (not all(are_known))
                note = f"this record and {others} after it {' or '.join(why)}"
            self.report(FindingKind.UNREADABLE_LINE, spots[0].line, spots[0].text, note)

    def rules(self, header: Header, length: int | None, games: Sequence[_GameRecords]) -> Rules:
        """The rules of the tags; the doubles show how many beavers are allowed, and that there is a cube after all."""
        rules = rules_in_tags(header.tags, length, 0)
        if length is not None and rules.cube:
            return rules
        spots = (spot for game in games for spot in game.records if self.data[spot.at + layout.TYPE] == layout.CUBE)
        turns = (layout.read_cube(self.data, spot.at) for spot in spots)
        doubles = [turn for turn in turns if turn.double == layout.DOUBLED]
        beavers = ((turn.take == REDOUBLED) * (1 + (turn.beaver == REDOUBLED)) for turn in doubles)
        rules = rules_in_tags(header.tags, length, max(beavers, default=0))
        has_cube = rules.cube or bool(doubles)
        return attrs.evolve(rules, cube=has_cube, auto_doubles=header.auto_doubles * (length is None and has_cube))

    def replay(self) -> None:
        for index, raw, opening in self.reading.starts():
            game, header = raw.source, raw.source.header
            start = self.with_header(opening, raw, index)
            file = self.data, game.records, self.rollouts, self.comments
            replay = XgReplay(index, start, self.findings, game.spot, *file, start.cube.value.bit_length() - 1)
            number = header.number if 0 < header.number <= MOST_POINTS else index
            self.reading.games[index] = replay.run(number, self.texts((header.comment_before, header.comment_after)))
        if not self.reading.games:
            raise ParseError("this eXtreme Gammon file holds no game that is possible")

    def with_header(self, start: MatchState, raw: RawGame[_GameRecords], index: int) -> MatchState:
        """The start with its header's automatic doubles, and its Crawford flag if no earlier game settles that."""
        header = raw.source.header
        if raw.score is None:
            note = "this score is impossible; the score from the games before is used"
            self.reading.report(index, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)
        stated = bool(header.is_crawford)
        if start.crawford != stated and raw.score not in (None, self.reading.score):
            with suppress(GammonError):
                start = attrs.evolve(start, crawford=stated)
        if start.crawford != stated:
            is_crawford = "is the Crawford game" if stated else "is not the Crawford game"
            note = f"the file says that this {is_crawford}, but the scores say otherwise, and they count"
            self.reading.report(index, Severity.WARNING, FindingKind.CRAWFORD_MISMATCH, note)
        return self.with_auto_doubles(start, header.auto_doubles, index)

    def with_auto_doubles(self, start: MatchState, stated: int, index: int) -> MatchState:
        if stated == 0:
            return start
        number = stated if 0 < stated <= _MOST_AUTO_DOUBLES else _MOST_AUTO_DOUBLES + 1
        try:
            return attrs.evolve(start, cube=CubeOnTable(2**number))
        except GammonError as error:
            note = f"the automatic doubles of this game are impossible, so they are left out: {error}"
            self.reading.report(index, Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            return start

    def check_final(self) -> None:
        if self.final is None:
            return
        stated = layout.read_final_score(self.data, self.final.at)
        score, length = self.reading.score, self.reading.length
        capped = score if length is None else (min(score[0], length), min(score[1], length))
        if stated not in (score, capped):
            note = f"the file states {dashed(stated)} at the end, but the games give {dashed(score)}"
            about = Severity.WARNING, FindingKind.POINTS_MISMATCH, note
            self.findings.report(*about, text=self.final.text, line=self.final.line, game=max(self.reading.games))

    def texts(self, numbers: tuple[int, int]) -> tuple[str, ...]:
        return tuple(text for text in map(self.comments.text, numbers) if text)

    def report(self, kind: FindingKind, line: int, text: str, note: str, severity: Severity = Severity.ERROR) -> None:
        self.findings.report(severity, kind, note, text=text, line=line)


# --- the header of the match ------------------------------------------------------------------------------------------

MAGIC: Final = 0x494C4D44
UNLIMITED: Final = 99_999
"""The length of money play."""
_UNICODE_SINCE: Final = 24
_TRANSCRIBER_SINCE: Final = 30
_CUBE_LIMIT_SINCE: Final = 8
_NO_LIMIT: Final = 10
"""The cube limit of the program, as a power of two; 0 is for no cube."""

VARIATIONS: Final = {0: "Backgammon", 1: "NackGammon", 2: "HyperGammon", 3: "LongGammon"}
_SITES: Final = (
    *("GammonSite", "FIBS", "TrueMoney Games", "GridGammon", "DailyGammon", "NetGammon", "VOG", "Gammon Empire/Play65"),
    *("Club Games", "PartyGammon", "XcitingGames", "BGRoom", "DiceArena", "Safe Harbor Games", "GameAccount"),
    "XG Mobile",
)
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - the file has no time zone
_LAST_DAY: Final = 2_958_465.0


@frozen
class Header:
    """Type 0, the first record."""

    players: tuple[str, str]
    length: int | None
    variation: int
    auto_doubles: int
    """The most automatic doubles of money play."""
    comments: tuple[int, int]
    """The numbers of the comments before and after the match."""
    tags: Tags
    """Those of the program's own text export, where its player 1 is on the right. They state the other rules."""


def read_header(record: bytes) -> Header:
    """The header of a match. Raises ParseError if the length of the match is impossible."""
    stated, variation, crawford, jacoby, beaver, auto_doubles = unpack_from("<2i4?", record, 92)
    if not 0 <= stated <= MOST_POINTS:
        raise ParseError(f"this eXtreme Gammon match has an impossible length, {shown(stated)}")
    length = None if stated in (0, UNLIMITED) else stated
    site, limit, most_auto_doubles = unpack_from("<3i", record, 608)
    game_id, players = unpack_from("<i", record, 268)[0], (_text(record, 880, 9, 40), _text(record, 1138, 50, 40))
    has_limit = _version(record) >= _CUBE_LIMIT_SINCE and 0 <= limit < _NO_LIMIT
    tags = {
        "Site": _text(record, 1396, 283) or (_SITES[site] if 0 <= site < len(_SITES) else ""),
        "Match ID": str(-game_id) if game_id else "",
        "Event": _text(record, 622, 136),
        "Round": _text(record, 1654, 417),
        **_tags_of_players(record, players),
        **_time(unpack_from("<d", record, 128)[0]),
        "Variation": VARIATIONS.get(variation, ""),
        "Unrated": ON_OFF[record[574] > 0],
        **({"Jacoby": ON_OFF[jacoby], "Beaver": ON_OFF[beaver]} if length is None else {"Crawford": ON_OFF[crawford]}),
        "CubeLimit": str(2 ** (limit if has_limit else _NO_LIMIT)),
        "Transcriber": _unicode(record, 1960, _TRANSCRIBER_SINCE),
    }
    most = min(max(1, most_auto_doubles), MOST_IN_A_ROW) if auto_doubles else 0
    comments: tuple[int, int] = unpack_from("<2i", record, 576)
    return Header(players, length, variation, most, comments, tuple((tag, text) for tag, text in tags.items() if text))


def _version(record: bytes) -> int:
    return int(unpack_from("<i", record, 552)[0])


def _text(record: bytes, unicode_at: int, legacy_at: int, longest: int = 128) -> str:
    """A text on one line, which is stored twice: in Unicode or, after its length, in Windows-1252."""
    (legacy,) = unpack_from(f"{longest + 1}p", record, legacy_at)
    return _unicode(record, unicode_at, _UNICODE_SINCE) or _on_one_line(legacy.decode("cp1252", "replace"))


def _unicode(record: bytes, at: int, since: int) -> str:
    """A text of up to 129 units of UTF-16, which files have since this version."""
    return _on_one_line(record[at : at + 258].decode("utf-16-le", "replace")) if _version(record) >= since else ""


def _on_one_line(text: str) -> str:
    """The text before the first zero."""
    return " ".join(printable(text.partition("\0")[0]).split())


def _tags_of_players(record: bytes, names: tuple[str, str]) -> dict[str, str]:
    elo = [
        f"{rating if 0 <= rating < 100_000 else 0:.2f}/{max(0, experience)}"  # NaN is not in this range
        for rating, experience in zip(unpack_from("<2d", record, 104), unpack_from("<2i", record, 120), strict=True)
    ]
    first = int(names[0] != names[1])  # otherwise nothing would show that they are exchanged
    sides = {"Player 1": first, "Player 2": 1 - first}
    return {tag: names[side] for tag, side in sides.items()} | {f"{tag} Elo": elo[side] for tag, side in sides.items()}


def _time(days: float) -> dict[str, str]:
    if not 1 <= days <= _LAST_DAY:
        return {}
    moment = _DAY_ZERO + dt.timedelta(seconds=round(days * 86_400))
    return {"EventDate": moment.strftime("%Y.%m.%d"), "EventTime": moment.strftime("%H.%M")}
