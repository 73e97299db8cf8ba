"""From the bytes of a file to a match: container, header, games one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from struct import unpack_from
from typing import Final

import attrs
from attrs import define, field, frozen

from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.game_replay import coin_game, impossible_start
from gammonrules.formats.xg import xg_layout as layout
from gammonrules.formats.xg.rtf_comments import Comments
from gammonrules.formats.xg.xg_container import COMMENTS, MATCH, ROLLOUTS, unpack
from gammonrules.formats.xg.xg_header import MAGIC, VARIATIONS, Header, read_header
from gammonrules.formats.xg.xg_layout import GameHeader, Spot, make_spot
from gammonrules.formats.xg.xg_replay import GameReplay
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Cube, MatchState
from gammonrules.rules import Rules
from gammonrules.transcript import (
    Finding,
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    dashed,
    length_played,
    quoted,
    renumbered,
    score_after,
)

_MOST_AUTO_DOUBLES: Final = 24
_MISPLACED: Final = "does not belong here"
_UNKNOWN: Final = "is of an unknown type"
_OF_SEVERAL: Final = {_MISPLACED: "do not belong here", _UNKNOWN: "are of unknown types"}


def read_xg(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    container = unpack(content)
    findings = FindingLog()
    for defect in container.defects:
        note = f"{defect}; whatever can be read is read"
        findings.append(Finding(Severity.ERROR, FindingKind.DAMAGED_FILE, None, None, "", note))
    data = container.files.get(MATCH, b"")
    if len(data) < layout.SIZE or data[layout.TYPE] != layout.MATCH_HEADER:
        raise ParseError("this eXtreme Gammon file holds no match")
    rollouts, comments = container.files.get(ROLLOUTS, b""), Comments.of(container.files.get(COMMENTS, b""))
    return _MatchReader(data, findings, rollouts, comments).read()


@frozen
class _RawGame:
    header: Spot
    records: list[Spot]


@define
class _MatchReader:
    data: bytes
    findings: FindingLog
    rollouts: bytes
    comments: Comments
    rolls: int = field(init=False, default=0)
    final: Spot | None = field(init=False, default=None)

    def read(self) -> Match:
        """The match."""
        first = self.data[: layout.SIZE]
        if unpack_from("<i", first, 556)[0] != MAGIC:
            self.report(FindingKind.DAMAGED_FILE, 1, "", "the header of the match lacks its identifying mark")
        header = read_header(first)
        raw_games = list(self.divided())
        if not raw_games:
            raise ParseError("this eXtreme Gammon file holds no game")
        stated = header.length
        openings = (layout.read_game_header(self.data, raw.header.at) for raw in raw_games)
        if length_played(stated, ((about.white, about.black) for about in openings), header.tags) != stated:
            self.findings.append(coin_game(f"{stated} point match", 1))
            header = attrs.evolve(header, length=None, jacoby=True, beaver=True)
        beavers = self.beavers(raw_games) if header.length is None else 0
        rules = header.rules(beavers=beavers, has_doubles=header.cube_limit == 0 and self.has_doubles(raw_games))
        if header.variation not in VARIATIONS:
            note = "this variation is not known, so its games are read as standard ones"
            self.report(FindingKind.UNKNOWN_VARIATION, 1, f"variation {header.variation}", note, Severity.INFO)
        games = self.games(raw_games, header, rules)
        self.check_final(games)
        about = header.tags, self.texts(header.comments), "xg"
        return Match(header.players, stated, tuple(games), rules, *about, tuple(self.findings), self.rolls)

    def divided(self) -> Iterator[_RawGame]:
        """The games, each with its records; records that belong to none are reported."""
        data, game = self.data, None
        strays: list[tuple[str, Spot]] = []
        if len(data) % layout.SIZE:
            note = "the last record is cut short"
            self.report(FindingKind.DAMAGED_FILE, len(data) // layout.SIZE + 1, "", note)
        for line, at in enumerate(range(layout.SIZE, len(data) - layout.SIZE + 1, layout.SIZE), start=2):
            kind, spot = data[at + layout.TYPE], make_spot(data, at, line, None)
            if kind in (layout.CUBE, layout.MOVE, layout.GAME_FOOTER) and game is not None and self.final is None:
                game.records.append(spot)
                self.rolls += kind == layout.MOVE
            elif kind == layout.GAME_HEADER and self.final is None:
                if game is not None:
                    yield game
                game = _RawGame(spot, [])
            elif kind == layout.MATCH_FOOTER and self.final is None:
                self.final = spot
            else:
                why = _MISPLACED if kind <= layout.MATCH_FOOTER else _UNKNOWN
                strays.append((why, spot))
        if game is not None:
            yield game
        self.report_strays(strays)

    def report_strays(self, strays: Sequence[tuple[str, Spot]]) -> None:
        """List the records that belong to no game: one finding for each run of them, often hundreds."""
        for _, group in groupby(enumerate(strays), lambda item: item[1][1].line - item[0]):
            found = [stray for _, stray in group]
            why, first = found[0]
            note = f"this record {why}"
            if len(found) > 1:
                others = "the one" if len(found) == 2 else f"the {len(found) - 1}"
                reasons = " or ".join(
                    plural for why, plural in _OF_SEVERAL.items() if any(why == one for one, _ in found)
                )
                note = f"this record and {others} after it {reasons}"
            self.report(FindingKind.UNREADABLE_LINE, first.line, first.text, note)

    # --- rules that only the games show -------------------------------------------------------------------------------

    def cubes(self, games: Sequence[_RawGame]) -> Iterator[layout.Cube]:
        """All records of the cube in which it was turned."""
        for game in games:
            for spot in game.records:
                if self.data[spot.at + layout.TYPE] == layout.CUBE:
                    turn = layout.read_cube(self.data, spot.at)
                    if turn.double == layout.DOUBLED:
                        yield turn

    def beavers(self, games: Sequence[_RawGame]) -> int:
        """How many times in a row the cube was turned back: a beaver, and a raccoon after it."""
        redoubled = layout.REDOUBLED
        return max(
            ((turn.take == redoubled) * (1 + (turn.beaver == redoubled)) for turn in self.cubes(games)), default=0
        )

    def has_doubles(self, games: Sequence[_RawGame]) -> bool:
        """Whether the cube was turned at all."""
        return next(self.cubes(games), None) is not None

    # --- games --------------------------------------------------------------------------------------------------------

    def games(self, raw_games: Sequence[_RawGame], header: Header, rules: Rules) -> list[Game]:
        """The possible games."""
        games: list[Game] = []
        possible: list[int] = []
        crawford_over = False
        for index, raw in enumerate(raw_games, start=1):
            about = layout.read_game_header(self.data, raw.header.at)
            start = self.start_of(raw.header, about, games, header.length, rules, index, crawford_over=crawford_over)
            if start is None:
                continue
            crawford_over |= start.crawford
            comments = self.texts((about.comment_before, about.comment_after))
            replay = GameReplay(
                index,
                start,
                self.findings,
                raw.header,
                self.data,
                raw.records,
                self.rollouts,
                self.comments,
                start.cube.value.bit_length() - 1,
            )
            games.append(replay.run(about.number if 0 < about.number <= MOST_POINTS else index, comments))
            possible.append(index)
        self.findings.listed[:] = renumbered(self.findings, possible)
        if not games:
            raise ParseError("this eXtreme Gammon file holds no game that is possible")
        return games

    def start_of(
        self,
        spot: Spot,
        about: GameHeader,
        before: Sequence[Game],
        length: int | None,
        rules: Rules,
        index: int,
        *,
        crawford_over: bool,
    ) -> MatchState | None:
        """The state with which a game begins; None for an impossible game, as after the end of a match."""
        expected = score_after(before[-1]) if before else (0, 0)
        score = about.white, about.black
        if length is None and not all(0 <= points <= MOST_POINTS for points in score):
            note = "this score is impossible; the score from the games before is used"
            self.report(FindingKind.SCORE_DOES_NOT_FOLLOW, spot.line, spot.text, note, Severity.ERROR, index)
            score = expected
        try:
            start = MatchState.new(length, rules=rules, score=score, crawford=False if crawford_over else None)
        except GammonError as error:
            self.findings.append(impossible_start(error, spot.text, spot.line))
            return None
        if bool(about.is_crawford) != start.crawford:
            start = self.with_crawford(start, spot, bool(about.is_crawford), index, follows=score == expected)
        return self.with_auto_doubles(start, about, spot, index)

    def with_crawford(self, start: MatchState, spot: Spot, stated: bool, index: int, *, follows: bool) -> MatchState:  # noqa: FBT001
        """The start of a game whose Crawford flag does not follow from the games before it.

        The flag counts if the games before do not settle it, as in a file that begins in mid-match.
        """
        try:
            flagged = attrs.evolve(start, crawford=stated)
        except GammonError:
            flagged = None
        if flagged is not None and not follows:
            return flagged
        is_or_not = "is" if stated else "is not"
        note = f"the file says that this {is_or_not} the Crawford game, but the scores say otherwise, and they count"
        self.report(FindingKind.CRAWFORD_MISMATCH, spot.line, spot.text, note, Severity.WARNING, index)
        return start

    def with_auto_doubles(self, start: MatchState, about: GameHeader, spot: Spot, index: int) -> MatchState:
        """The start with the cube where tied opening rolls have turned it."""
        if about.auto_doubles == 0:
            return start
        try:
            number = about.auto_doubles if 0 < about.auto_doubles <= _MOST_AUTO_DOUBLES else _MOST_AUTO_DOUBLES + 1
            return attrs.evolve(start, cube=Cube(2**number))
        except GammonError as error:
            note = f"the automatic doubles of this game are impossible, so they are left out: {error}"
            self.report(FindingKind.ILLEGAL_ACTION, spot.line, spot.text, note, Severity.ERROR, index)
            return start

    def check_final(self, games: Sequence[Game]) -> None:
        """Whether the score at the end of the file is that of the last game."""
        if self.final is None:
            return
        footer = layout.read_match_footer(self.data, self.final.at)
        stated, score, length = (footer.white, footer.black), score_after(games[-1]), games[-1].start.length
        capped = score if length is None else (min(score[0], length), min(score[1], length))
        if stated not in (score, capped):
            note = f"the file states {dashed(stated)} at the end, but the games give {dashed(score)}"
            about = self.final.line, self.final.text, note, Severity.WARNING
            self.report(FindingKind.POINTS_MISMATCH, *about, len(games))

    # --- small things -------------------------------------------------------------------------------------------------

    def texts(self, numbers: tuple[int, int]) -> tuple[str, ...]:
        """The comments with these numbers, if there are any."""
        return tuple(text for text in map(self.comments.text, numbers) if text)

    def report(
        self,
        kind: FindingKind,
        line: int,
        text: str,
        note: str,
        severity: Severity = Severity.ERROR,
        game: int | None = None,
    ) -> None:
        """List a finding."""
        self.findings.append(Finding(severity, kind, game, None, quoted(text), note, line))
