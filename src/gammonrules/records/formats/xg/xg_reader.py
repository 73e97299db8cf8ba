"""From the bytes of a file to a match: its games one after another, and each from its records to events.

The file has the board before each turn, the board after each play, the cube, and how the game ended; boards and cubes
are compared with the replay. A board that the plays do not lead to is reported and used: the file knows what was on the
table.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from struct import unpack_from
from typing import Final

import attrs
from attrs import define, field, frozen

from gammonrules.board import Position
from gammonrules.board.internals import board_of, flip, play_to, points_of
from gammonrules.dice import ROLLS
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MOST_CUBE_TURNS, MOST_POINTS
from gammonrules.match import (
    Action,
    Cube as CubeOnTable,
    End,
    MatchState,
    Phase,
    Player,
    Result,
    SetPosition,
)
from gammonrules.match.internals import add_points, why_not_award
from gammonrules.records.formats.match_reading import (
    GameReplay,
    MatchReading,
    Place,
    RawGame,
    coin_game,
)
from gammonrules.records.formats.xg import xg_layout as layout
from gammonrules.records.formats.xg.xg_container import (
    COMMENTS,
    MATCH,
    ROLLOUTS,
    Comments,
    unpacked_files,
)
from gammonrules.records.formats.xg.xg_layout import (
    CubeRecord,
    GameFooter,
    GameHeader,
    Header,
    MoveRecord,
    RecordPlace,
)
from gammonrules.records.transcript import (
    EncodedAnalysis,
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    Stated,
    dashed,
)
from gammonrules.records.transcript.header_tags import length_played, rules_in_tags
from gammonrules.rules import Rules
from gammonrules.values import counted

_DICE: Final = {
    faces: roll for roll in ROLLS for faces in ((roll.high, roll.low), (roll.low, roll.high))
}
_ANSWERS: Final = {
    layout.TAKEN: Action.TAKE,
    layout.DECLINED: Action.DROP,
    layout.REDOUBLED: Action.BEAVER,
}


def read_xg(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    container = unpacked_files(content)
    findings = FindingLog()
    for defect in container.defects:
        findings.report(
            Severity.ERROR, FindingKind.DAMAGED_FILE, f"{defect}; whatever can be read is read"
        )
    data = container.files.get(MATCH, b"")
    if len(data) < layout.SIZE or data[layout.TYPE] != layout.MATCH_HEADER:
        raise ParseError("this eXtreme Gammon file holds no match")
    rollouts = container.files.get(ROLLOUTS, b"")
    comments = Comments.of(container.files.get(COMMENTS, b""))
    return _MatchReader(data, findings, rollouts, comments).read()


@frozen
class _GameRecords:
    spot: RecordPlace
    """The header of the game."""
    header: GameHeader
    records: list[RecordPlace]

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
    final: RecordPlace | None = field(init=False, default=None)
    """The end of the match."""
    reading: MatchReading[_GameRecords] = field(init=False)

    def read(self) -> Match:
        first = self.data[: layout.SIZE]
        if unpack_from("<i", first, 556)[0] != layout.MAGIC:
            self.report(
                FindingKind.DAMAGED_FILE,
                line=1,
                text="",
                note="the header of the match lacks its identifying mark",
            )
        header = layout.read_header(first)
        games = self.divided()
        if not games:
            raise ParseError("this eXtreme Gammon file holds no game")
        scores = ((game.header.white, game.header.black) for game in games)
        played_to = length_played(header.length, scores, header.tags)
        self.findings.extend(
            coin_game(header.length, played=played_to, text=f"{header.length} point match", line=1)
        )
        rules = self.rules(header, played_to, games)
        if header.variation not in layout.VARIATIONS:
            note = "this variation is not known, so its games are read as standard ones"
            self.report(
                FindingKind.UNKNOWN_VARIATION,
                line=1,
                text=f"variation {header.variation}",
                note=note,
                severity=Severity.INFO,
            )
        self.reading = MatchReading(
            [game.stated(played_to) for game in games],
            length=played_to,
            rules=rules,
            findings=self.findings,
        )
        self.replay()
        self.check_final()
        comments = self.texts(header.comments)
        return self.reading.match(
            header.players, header.length, header.tags, comments, "xg", self.rolls
        )

    def divided(self) -> list[_GameRecords]:
        """The games, each with its records; records that belong to none are reported."""
        data = self.data
        games = list[_GameRecords]()
        strays = list[RecordPlace]()
        if len(data) % layout.SIZE:
            self.report(
                FindingKind.DAMAGED_FILE,
                line=len(data) // layout.SIZE + 1,
                text="",
                note="the last record is cut short",
            )
        for line, at in enumerate(
            range(layout.SIZE, len(data) - layout.SIZE + 1, layout.SIZE), start=2
        ):
            kind = data[at + layout.TYPE]
            spot = RecordPlace(data, at, line)
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

    def report_strays(self, strays: Sequence[RecordPlace]) -> None:
        """Report the records that belong to no game: one finding for each run of them, often hundreds."""
        for _, run in groupby(enumerate(strays), lambda item: item[1].line - item[0]):
            spots = [spot for _, spot in run]
            are_known = [self.data[spot.at + layout.TYPE] <= layout.MATCH_FOOTER for spot in spots]
            note = (
                f"this record {'does not belong here' if are_known[0] else 'is of an unknown type'}"
            )
            if len(spots) > 1:
                others = "the one" if len(spots) == 2 else f"the {len(spots) - 1}"
                why = ["do not belong here"] * any(are_known) + ["are of unknown types"] * (
                    not all(are_known)
                )
                note = f"this record and {others} after it {' or '.join(why)}"
            self.report(
                FindingKind.UNREADABLE_LINE, line=spots[0].line, text=spots[0].text, note=note
            )

    def rules(self, header: Header, length: int | None, games: Sequence[_GameRecords]) -> Rules:
        """The rules of the tags; the doubles show how many beavers are allowed, and that there is a cube after all."""
        rules = rules_in_tags(header.tags, length, 0)
        if length is not None and rules.cube:
            return rules
        spots = (
            spot
            for game in games
            for spot in game.records
            if self.data[spot.at + layout.TYPE] == layout.CUBE
        )
        turns = (layout.read_cube(self.data, spot.at) for spot in spots)
        doubles = [turn for turn in turns if turn.double == layout.DOUBLED]
        beavers = (
            (turn.take == layout.REDOUBLED) * (1 + (turn.beaver == layout.REDOUBLED))
            for turn in doubles
        )
        rules = rules_in_tags(header.tags, length, max(beavers, default=0))
        has_cube = rules.cube or bool(doubles)
        return attrs.evolve(
            rules, cube=has_cube, auto_doubles=header.auto_doubles * (length is None and has_cube)
        )

    def replay(self) -> None:
        for index, raw, opening in self.reading.starts():
            game = raw.source
            header = raw.source.header
            start = self.with_header(opening, raw, index)
            replay = XgReplay(
                index,
                start,
                self.findings,
                place=game.spot,
                data=self.data,
                records=game.records,
                rollouts=self.rollouts,
                comments=self.comments,
                auto_doubles=start.cube.value.bit_length() - 1,
            )
            number = header.number if 0 < header.number <= MOST_POINTS else index
            self.reading.games[index] = replay.run(
                number, self.texts((header.comment_before, header.comment_after))
            )
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
        number = stated if 0 < stated <= MOST_CUBE_TURNS else MOST_CUBE_TURNS + 1
        try:
            return attrs.evolve(start, cube=CubeOnTable(2**number))
        except GammonError as error:
            note = (
                f"the automatic doubles of this game are impossible, so they are left out: {error}"
            )
            self.reading.report(index, Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            return start

    def check_final(self) -> None:
        if self.final is None:
            return
        stated = layout.read_final_score(self.data, self.final.at)
        score = self.reading.score
        length = self.reading.length
        capped = score if length is None else (min(score[0], length), min(score[1], length))
        if stated not in (score, capped):
            note = (
                f"the file states {dashed(stated)} at the end, but the games give {dashed(score)}"
            )
            self.findings.report(
                Severity.WARNING,
                FindingKind.POINTS_MISMATCH,
                note,
                text=self.final.text,
                line=self.final.line,
                game=max(self.reading.games),
            )

    def texts(self, numbers: tuple[int, int]) -> tuple[str, ...]:
        return tuple(text for text in map(self.comments.text, numbers) if text)

    def report(
        self,
        kind: FindingKind,
        line: int,
        text: str,
        note: str,
        severity: Severity = Severity.ERROR,
    ) -> None:
        self.findings.report(severity, kind, note, text=text, line=line)


# --- the events of a game ---------------------------------------------------------------------------------------------


@define
class XgReplay(GameReplay):
    data: bytes
    """All records of the match."""
    records: Sequence[RecordPlace]
    """The records of this game, without its header."""
    rollouts: bytes
    comments: Comments
    auto_doubles: int
    board: bytes = field(init=False)
    """As White sees it, after the plays so far."""
    roller: Player | None = field(init=False, default=None)
    """Who rolled last, if the file does not show a play."""
    waiting: EncodedAnalysis | None = field(init=False, default=None)
    """The analysis of a decision not to double, until the roll."""
    note: str = field(init=False, default="")
    ended: Stated | None = field(init=False, default=None)

    def run(self, number: int, comments: tuple[str, ...]) -> Game:
        self.board = board_of(self.start.position.points)
        last_action = self.last_action()
        footer: RecordPlace | None = None
        for spot in self.records:
            kind = self.data[spot.at + layout.TYPE]
            self.only_its_end_follows = spot is last_action
            if footer is not None:
                note = "the game goes on after its stated end; the rest is left out"
                self.report(
                    Severity.WARNING, kind=FindingKind.POINTS_MISMATCH, note=note, place=spot
                )
                break
            if kind == layout.GAME_FOOTER:
                footer = spot
            elif not self.cut:
                self.follow(spot, kind)
        if footer is not None:
            self.finish(footer)
        elif not self.cut:
            self.place = self.records[-1] if self.records else self.place
            self.analyze_next(self.waiting)
            if self.state.result is None:
                self.has_no_result()
            else:
                self.report(
                    Severity.INFO,
                    FindingKind.UNFINISHED_GAME,
                    "the file does not state how this game ended",
                )
        return self.game(number, self.ended, (*comments, self.note) if self.note else comments)

    def last_action(self) -> RecordPlace | None:
        """The record before that of the end of the game; None if it does not say who won how much."""
        for before, spot in pairwise(self.records):
            if self.data[spot.at + layout.TYPE] == layout.GAME_FOOTER:
                footer = layout.read_game_footer(self.data, spot.at)
                is_won = footer.winner in layout.PLAYERS and 0 < footer.points <= MOST_POINTS
                return before if is_won else None
        return None

    def follow(self, spot: RecordPlace, kind: int) -> None:
        self.place = spot
        turn = (
            layout.read_cube(self.data, spot.at)
            if kind == layout.CUBE
            else layout.read_move(self.data, spot.at)
        )
        player = layout.PLAYERS.get(turn.player)
        with self.stopping_at_error():
            if player is None:
                self.stop(FindingKind.UNREADABLE_LINE, "this record does not say whose turn it is")
            elif isinstance(turn, CubeRecord):
                self.cube(spot, player, turn)
            else:
                self.move(spot, player, turn)

    def stored_cube(self) -> int:
        """The cube of the replay as the power of two that the file would store."""
        cube = self.state.cube
        power = cube.value.bit_length() - 1 - self.auto_doubles
        return -power if cube.owner is Player.BLACK else power

    def check_table(self, player: Player, board: bytes, cube: int, *, is_edited: bool) -> None:
        """Compare the stored board and cube with those of the replay, and use them if they differ."""
        self.find_hidden_play(board)
        state = self.state
        same_cube = cube == self.stored_cube()
        if board == self.board and same_cube and (state.on_roll in (player, None) or not is_edited):
            return
        if abs(cube) + self.auto_doubles > MOST_CUBE_TURNS:
            same_cube = True
            self.report(
                Severity.WARNING,
                FindingKind.POSITION_MISMATCH,
                "the cube that the file stores is impossible",
            )
        if self.events:  # the referee reports a game that begins with another position
            what = (
                "the board"
                if same_cube
                else "the cube"
                if board == self.board
                else "the board and the cube"
            )
            severity = Severity.INFO
            note = f"{what} was changed by hand here"
            if not is_edited:
                severity = Severity.WARNING
                note = f"the actions before this do not lead to {what} in the file; the file is followed"
            self.report(severity, FindingKind.POSITION_MISMATCH, note)
        owner = None if cube == 0 else Player.WHITE if cube > 0 else Player.BLACK
        stored = None if same_cube else CubeOnTable(2 ** (abs(cube) + self.auto_doubles), owner)
        self.set_by_hand(board if player is Player.WHITE else flip(board), player, stored)
        self.board = board

    def set_by_hand(self, seen: bytes, player: Player, cube: CubeOnTable | None = None) -> None:
        position = Position.from_points(points_of(seen), checkers=self.state.position.checkers)
        self.apply(SetPosition(position, player, cube))

    def find_hidden_play(self, board: bytes) -> None:
        player = self.roller
        self.roller = None
        if player is None or self.state.phase is not Phase.TO_PLAY:
            return
        play = play_to(self.state.legal_plays, flip(board) if player is Player.WHITE else board)
        if play is not None:
            note = f"the play is not shown; {play} leads to the next board"
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
            self.analyze_next(self.waiting)
            self.waiting = None
            self.do_play(player, play)
            self.board = board
        else:
            note = "the play is not shown, and no legal play leads to the next board"
            self.report(Severity.WARNING, FindingKind.HIDDEN_PLAY, note)

    def cube(self, spot: RecordPlace, player: Player, turn: CubeRecord) -> None:
        self.check_table(player, turn.board, turn.cube, is_edited=bool(turn.is_edited))
        self.waiting = self.encoded(
            layout.analysis_of_cube, self.data, spot.at, turn, self.rollouts
        )
        self.note = self.comments.text(turn.comment)
        if turn.double == layout.DOUBLED:
            self.double(player, turn)
            self.keep_note(self.note)

    def double(self, player: Player, turn: CubeRecord) -> None:
        """A double and its answers; a beaver is taken by rolling if the file does not say so."""
        analysis = self.waiting
        self.waiting = None
        self.analyze_next(analysis)
        self.do(Action.DOUBLE, player)
        answerer = player.opponent
        for answer in (turn.take, turn.beaver, turn.raccoon):
            if (action := _ANSWERS.get(answer)) is None:
                break
            self.analyze_next(analysis)
            self.do(action, answerer)
            if action is not Action.BEAVER:
                break
            # their answer to the beaver was not evaluated
            analysis = None
            answerer = answerer.opponent

    def keep_note(self, note: str) -> None:
        self.note = ""
        if note and self.events:
            self.remark(note)

    def move(self, spot: RecordPlace, player: Player, roll: MoveRecord) -> None:
        """A roll, which is the decision not to double, and its play."""
        if (dice := _DICE.get((roll.die_1, roll.die_2))) is None:
            self.stop(FindingKind.UNREADABLE_LINE, "these are not dice")
            return
        if roll.before != self.board or self.roller is not None:
            self.check_table(player, roll.before, roll.cube, is_edited=bool(roll.is_edited))
        self.analyze_next(self.waiting)
        self.waiting = None
        self.roll(player, dice)
        self.keep_note(self.note)
        analysis = self.encoded(layout.analysis_of_play, self.data, spot.at, roll, self.rollouts)
        if not roll.is_played or (roll.after == layout.NO_BOARD and not any(roll.moves[:8])):
            self.roller = player
            self.waiting = analysis
            self.unplayed = analysis
        else:
            self.play_shown(player, roll, analysis)
        self.keep_note(self.comments.text(roll.comment))

    def play_shown(
        self, player: Player, roll: MoveRecord, analysis: EncodedAnalysis | None
    ) -> None:
        """The play that the file shows: its moves, or else the board after it, lead to a legal play."""
        is_white = player is Player.WHITE
        plays = self.state.legal_plays
        made = layout.board_after(roll.before if is_white else flip(roll.before), roll)
        play = None if made is None else play_to(plays, flip(made))
        board = made or roll.after
        doubt = ""
        if play is None:
            play = play_to(plays, flip(roll.after))
            doubt = f"; it is read as {play}"
        if play is None:
            self.illegal_play(player, roll, board)
        else:
            board = roll.after if doubt else board
            if doubt or board != roll.after:
                note = f"the moves of this play do not lead to the board that the file has after it{doubt}"
                self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)
            self.analyze_next(analysis)
            self.do_play(player, play)
        self.board = board if is_white else flip(board)

    def illegal_play(self, player: Player, roll: MoveRecord, made: bytes) -> None:
        """An illegal play that was allowed to stand: the position after it is set by hand."""
        try:
            self.state.legal_plays.find(layout.moves_played(roll))
            why = "no legal play leads to the board that the file has after it"
        except GammonError as error:
            why = str(error)
        try:
            self.set_by_hand(flip(made), player.opponent)
        except GammonError:
            self.stop(FindingKind.ILLEGAL_PLAY, why)
            return
        note = (
            f"{why}; the play was allowed to stand, so the game goes on from the board in the file"
        )
        self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, note)

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, spot: RecordPlace) -> None:
        footer = layout.read_game_footer(self.data, spot.at)
        last = self.place
        self.place = spot
        winner = layout.PLAYERS.get(footer.winner)
        if winner is None or not 0 < footer.points <= MOST_POINTS:
            self.report(
                Severity.INFO,
                FindingKind.UNFINISHED_GAME,
                "the file does not say who won this game",
            )
            return
        self.ended = self.stated_end(winner, footer.points, spot.text, spot.line)
        if (result := self.state.result) is not None and not self.cut:
            self.check_termination(footer, result)
        elif not self.cut:
            self.end_unplayed(footer, winner, last)
        self.check_score(footer, winner)

    def end_unplayed(self, footer: GameFooter, winner: Player, last: Place) -> None:
        loser = winner.opponent
        settled = footer.termination >= layout.SETTLED
        if self.roller is not None:
            note = (
                "the player resigned after this roll"
                if self.roller is loser
                else "the play is not shown"
            )
            self.report(Severity.INFO, kind=FindingKind.HIDDEN_PLAY, note=note, place=last)
        if settled and not why_not_award(self.state.length, footer.points):
            note = f"the players settled the game: {counted(footer.points, 'point')} for {winner.title()}"
            self.award(loser, footer.points, note)
            return
        is_resigned = settled or footer.termination >= layout.RESIGNED
        self.end_early(loser, footer.points, "" if is_resigned else "the file states points")

    def check_termination(self, footer: GameFooter, result: Result) -> None:
        dropped = result.end is End.DROPPED
        if layout.RESIGNED <= footer.termination < layout.SETTLED:
            note = "the file says that the game was resigned, but it was already over"
        elif footer.termination >= layout.SETTLED or dropped == (
            footer.termination == layout.DROPPED
        ):
            return
        elif dropped:
            note = "a dropped double ended the game, but the file says otherwise"
        else:
            note = "the file says that a double was dropped, but the game was played to its end"
        self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)

    def check_score(self, footer: GameFooter, winner: Player) -> None:
        stated = (footer.white, footer.black)
        length = self.start.length
        won = add_points(self.start.score, winner, footer.points)
        if stated == won:
            return
        capped = add_points(
            self.start.score, winner, 0 if length is None else length - self.start.score[winner]
        )
        if length is not None and won[winner] > length and stated == capped:
            note = f"the score after the game, {dashed(stated)}, is capped at the match length"
            self.report(Severity.INFO, FindingKind.CAPPED_POINTS, note)
        else:
            note = f"the file states {dashed(stated)} after the game, but its points give {dashed(won)}"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)
