"""From the bytes of a file to a match: container, header, games one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from struct import unpack_from
from typing import Final

import attrs
from attrs import define, field, frozen

from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.match_reading import MatchReading, RawGame, coin_game
from gammonrules.formats.xg import xg_layout as layout
from gammonrules.formats.xg.rtf_comments import Comments
from gammonrules.formats.xg.xg_container import COMMENTS, MATCH, ROLLOUTS, unpack
from gammonrules.formats.xg.xg_layout import MAGIC, VARIATIONS, GameHeader, Spot, make_spot, read_header
from gammonrules.formats.xg.xg_replay import XgReplay
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Cube, MatchState
from gammonrules.transcript import FindingKind, FindingLog, Match, Severity, dashed, length_played

_MOST_AUTO_DOUBLES: Final = 24


def read_xg(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    container = unpack(content)
    findings = FindingLog()
    for defect in container.defects:
        note = f"{defect}; whatever can be read is read"
        findings.report(Severity.ERROR, FindingKind.DAMAGED_FILE, note)
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
    """The records after it."""

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

    def read(self) -> Match:
        first = self.data[: layout.SIZE]
        if unpack_from("<i", first, 556)[0] != MAGIC:
            self.report(FindingKind.DAMAGED_FILE, 1, "", "the header of the match lacks its identifying mark")
        header = read_header(first)
        games = self.divided()
        if not games:
            raise ParseError("this eXtreme Gammon file holds no game")
        stated = header.length
        scores = ((game.header.white, game.header.black) for game in games)
        played_to = length_played(stated, scores, header.tags)
        self.findings.extend(coin_game(stated, played_to, f"{stated} point match", 1))
        if played_to != stated:
            header = attrs.evolve(header, length=None, jacoby=True, beaver=True)
        rules = header.rules(self.doubles(games))
        if header.variation not in VARIATIONS:
            note = "this variation is not known, so its games are read as standard ones"
            self.report(FindingKind.UNKNOWN_VARIATION, 1, f"variation {header.variation}", note, Severity.INFO)
        reading = MatchReading([game.stated(played_to) for game in games], played_to, rules, self.findings)
        self.replay(reading)
        self.check_final(reading)
        return reading.match(header.players, stated, header.tags, self.texts(header.comments), "xg", self.rolls)

    def divided(self) -> list[_GameRecords]:
        """The games, each with its records; records that belong to none are reported."""
        data, games, strays = self.data, list[_GameRecords](), list[Spot]()
        if len(data) % layout.SIZE:
            note = "the last record is cut short"
            self.report(FindingKind.DAMAGED_FILE, len(data) // layout.SIZE + 1, "", note)
        for line, at in enumerate(range(layout.SIZE, len(data) - layout.SIZE + 1, layout.SIZE), start=2):
            kind, spot = data[at + layout.TYPE], make_spot(data, at, line, None)
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

    def doubles(self, games: Sequence[_GameRecords]) -> Iterator[layout.Cube]:
        """The records of the cube in which it was turned."""
        spots = (spot for game in games for spot in game.records if self.data[spot.at + layout.TYPE] == layout.CUBE)
        turns = (layout.read_cube(self.data, spot.at) for spot in spots)
        return (turn for turn in turns if turn.double == layout.DOUBLED)

    # --- games --------------------------------------------------------------------------------------------------------

    def replay(self, reading: MatchReading[_GameRecords]) -> None:
        """The possible games."""
        for index, raw, opening in reading.starts():
            game, header = raw.source, raw.source.header
            start = self.with_header(opening, raw, reading, index)
            file = self.data, game.records, self.rollouts, self.comments
            replay = XgReplay(index, start, self.findings, game.spot, *file, start.cube.value.bit_length() - 1)
            number = header.number if 0 < header.number <= MOST_POINTS else index
            reading.games[index] = replay.run(number, self.texts((header.comment_before, header.comment_after)))
        if not reading.games:
            raise ParseError("this eXtreme Gammon file holds no game that is possible")

    def with_header(
        self, start: MatchState, raw: RawGame[_GameRecords], reading: MatchReading[_GameRecords], index: int
    ) -> MatchState:
        """The start with the Crawford flag and the automatic doubles of its header.

        The flag counts if the games before do not settle it, as in a file that begins in mid-match.
        """
        header = raw.source.header
        if raw.score is None:
            note = "this score is impossible; the score from the games before is used"
            reading.report(index, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)
        stated, follows = bool(header.is_crawford), raw.score in (None, reading.score)
        try:
            flagged = start if follows or start.crawford == stated else attrs.evolve(start, crawford=stated)
        except GammonError:
            flagged = start
        if flagged.crawford != stated:
            is_or_not = "is" if stated else "is not"
            note = (
                f"the file says that this {is_or_not} the Crawford game, but the scores say otherwise, and they count"
            )
            reading.report(index, Severity.WARNING, FindingKind.CRAWFORD_MISMATCH, note)
        return self.with_auto_doubles(flagged, header.auto_doubles, reading, index)

    def with_auto_doubles(
        self, start: MatchState, stated: int, reading: MatchReading[_GameRecords], index: int
    ) -> MatchState:
        """The start with the cube where tied opening rolls have turned it."""
        if stated == 0:
            return start
        try:
            number = stated if 0 < stated <= _MOST_AUTO_DOUBLES else _MOST_AUTO_DOUBLES + 1
            return attrs.evolve(start, cube=Cube(2**number))
        except GammonError as error:
            note = f"the automatic doubles of this game are impossible, so they are left out: {error}"
            reading.report(index, Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            return start

    def check_final(self, reading: MatchReading[_GameRecords]) -> None:
        """Whether the score at the end of the file is that of the last game."""
        if self.final is None:
            return
        stated = layout.read_final_score(self.data, self.final.at)
        score, length = reading.score, reading.length
        capped = score if length is None else (min(score[0], length), min(score[1], length))
        if stated not in (score, capped):
            note = f"the file states {dashed(stated)} at the end, but the games give {dashed(score)}"
            about = Severity.WARNING, FindingKind.POINTS_MISMATCH, note
            self.findings.report(*about, text=self.final.text, line=self.final.line, game=max(reading.games))

    # --- small things -------------------------------------------------------------------------------------------------

    def texts(self, numbers: tuple[int, int]) -> tuple[str, ...]:
        return tuple(text for text in map(self.comments.text, numbers) if text)

    def report(self, kind: FindingKind, line: int, text: str, note: str, severity: Severity = Severity.ERROR) -> None:
        self.findings.report(severity, kind, note, text=text, line=line)
