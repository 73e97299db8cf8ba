"""From the bytes of a file to a match: its games one after another, and each from its records to events.

The file has the board before each turn, the board after each play, the cube, and how the game ended; boards and cubes
are compared with the replay. A board that the plays do not lead to is reported and used: the file knows what was on the
table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

import attrs
from attrs import define, field, frozen

from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Play, Position
from gammonrules.board.internals import board_of, flip, play_to, points_of
from gammonrules.dice import ROLL_OF_FACES
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MAX_CUBE_TURNS, MAX_POINTS
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
from gammonrules.records.formats.match_reading import GameReplay, MatchReading, Place, coin_game
from gammonrules.records.formats.xg import xg_layout as layout
from gammonrules.records.formats.xg.xg_analyses import analysis_of_cube, analysis_of_play
from gammonrules.records.formats.xg.xg_container import (
    COMMENTS,
    MATCH,
    ROLLOUTS,
    Comments,
    unpacked_files,
)
from gammonrules.records.formats.xg.xg_header import VARIATIONS, Header, has_magic, read_header
from gammonrules.records.formats.xg.xg_layout import (
    CubeRecord,
    GameFooter,
    GameHeader,
    MoveRecord,
    RecordPlace,
)
from gammonrules.records.transcript import (
    FindingKind,
    FindingLog,
    Game,
    Match,
    RecordedResult,
    Severity,
    dashed,
)
from gammonrules.records.transcript.header_tags import length_played, rules_in_tags
from gammonrules.rules import Rules
from gammonrules.values import counted

_PARTS_OF_GAME: Final = (layout.CUBE, layout.MOVE, layout.GAME_FOOTER)
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
    """The records of one game."""

    spot: RecordPlace
    """The place of its header."""
    header: GameHeader
    records: list[RecordPlace]
    """The records after its header."""

    @property
    def score(self) -> tuple[int, int]:
        """The score before the game, as its header states it; that of money play may be impossible."""
        return self.header.white, self.header.black


@define
class _MatchReader:
    data: bytes
    findings: FindingLog
    rollouts: bytes
    comments: Comments
    rolls: int = field(init=False, default=0)
    """How many rolls the file has."""
    final: RecordPlace | None = field(init=False, default=None)
    """The end of the match."""
    reading: MatchReading = field(init=False)

    def read(self) -> Match:
        first = self.data[: layout.SIZE]
        if not has_magic(first):
            note = "the header of the match lacks its identifying mark"
            self.report(FindingKind.DAMAGED_FILE, note, line=1)
        header = read_header(first)
        games = self.divided()
        if not games:
            raise ParseError("this eXtreme Gammon file holds no game")
        scores = [game.score for game in games]
        played_to = length_played(header.length, scores, header.tags)
        finding_of_coin = coin_game(
            header.length, played=played_to, text=f"{header.length} point match", line=1
        )
        self.findings.extend(finding_of_coin)
        rules = self.rules(header, played_to, games)
        if header.variation not in VARIATIONS:
            self.findings.report(
                Severity.INFO,
                FindingKind.UNKNOWN_VARIATION,
                "this variation is not known, so its games are read as standard ones",
                text=f"variation {header.variation}",
                line=1,
            )
        self.reading = MatchReading(played_to, rules, self.findings)
        self.replay(games)
        self.check_final()
        comments = self.texts(header.comments)
        return self.reading.match(
            header.players, header.length, header.tags, comments, "xg", self.rolls
        )

    def divided(self) -> list[_GameRecords]:
        """The games, each with its records; records that belong to none are reported."""
        data = self.data
        games: list[_GameRecords] = []
        strays: list[RecordPlace] = []
        whole_records = len(data) // layout.SIZE
        if len(data) % layout.SIZE:
            note = "the last record is cut short"
            self.report(FindingKind.DAMAGED_FILE, note, line=whole_records + 1)
        for index in range(1, whole_records):  # the first record is the header of the match
            at = index * layout.SIZE
            kind = data[at + layout.TYPE]
            spot = RecordPlace(data, at, line=index + 1, type=kind)
            if self.final is not None:  # nothing belongs after the end of the match
                strays.append(spot)
            elif kind == layout.GAME_HEADER:
                games.append(_GameRecords(spot, layout.read_game_header(data, spot.at), []))
            elif kind == layout.MATCH_FOOTER:
                self.final = spot
            elif kind in _PARTS_OF_GAME and games:
                games[-1].records.append(spot)
                if kind == layout.MOVE:
                    self.rolls += 1
            else:
                strays.append(spot)
        self.report_strays(strays)
        return games

    def report_strays(self, strays: Sequence[RecordPlace]) -> None:
        """Report the records that belong to no game: one finding for each run of them, often hundreds."""
        run: list[RecordPlace] = []
        for spot in strays:
            if run and spot.line != run[-1].line + 1:
                self.report_run(run)
                run = []
            run.append(spot)
        if run:
            self.report_run(run)

    def report_run(self, run: Sequence[RecordPlace]) -> None:
        first = run[0]
        are_known = [spot.type <= layout.MATCH_FOOTER for spot in run]
        if len(run) == 1:
            why = "does not belong here" if are_known[0] else "is of an unknown type"
            note = f"this record {why}"
        else:
            number_after = len(run) - 1
            records_after = "the one" if number_after == 1 else f"the {number_after}"
            reasons: list[str] = []
            if any(are_known):
                reasons.append("do not belong here")
            if not all(are_known):
                reasons.append("are of unknown types")
            note = f"this record and {records_after} after it {' or '.join(reasons)}"
        self.report(FindingKind.UNREADABLE_LINE, note, line=first.line, text=first.text)

    def rules(self, header: Header, length: int | None, games: Sequence[_GameRecords]) -> Rules:
        """The rules of the tags; the doubles show how many beavers are allowed, and that there is a cube after all."""
        rules = rules_in_tags(header.tags, length, 0)
        if length is not None and rules.cube:
            return rules  # a match has no beavers, and the cube is known
        doubles: list[CubeRecord] = []
        for game in games:
            doubles += self.doubles_in(game)
        most_beavers = max(map(beavers_after, doubles), default=0)
        rules = rules_in_tags(header.tags, length, most_beavers)
        has_cube = rules.cube or bool(doubles)
        has_auto_doubles = length is None and has_cube
        auto_doubles = header.auto_doubles if has_auto_doubles else 0
        return attrs.evolve(rules, cube=has_cube, auto_doubles=auto_doubles)

    def doubles_in(self, game: _GameRecords) -> Iterator[CubeRecord]:
        for spot in game.records:
            if spot.type == layout.CUBE:
                turn = layout.read_cube_record(self.data, spot.at)
                if turn.double == layout.DOUBLED:
                    yield turn

    def replay(self, games: Sequence[_GameRecords]) -> None:
        for index, game in enumerate(games, start=1):
            header = game.header
            start = self.start_by_header(game, index)
            if start is None:
                continue
            replay = XgReplay(
                index,
                start,
                self.findings,
                place=game.spot,
                records=game.records,
                rollouts=self.rollouts,
                comments=self.comments,
                auto_doubles=start.cube.value.bit_length() - 1,
            )
            # an impossible number is replaced by the place in the file
            number = header.number if 0 < header.number <= MAX_POINTS else index
            comments = self.texts((header.comment_before, header.comment_after))
            self.reading.games[index] = replay.run(number, comments)
        if not self.reading.games:
            raise ParseError("this eXtreme Gammon file holds no game that is possible")

    def start_by_header(self, game: _GameRecords, index: int) -> MatchState | None:
        """Begin a game as its header states; None if no game can begin like this.

        Its Crawford flag counts if no earlier game settles that.
        """
        reading = self.reading
        is_match = reading.length is not None
        is_possible = all(0 <= points <= MAX_POINTS for points in game.score)
        score = game.score if is_match or is_possible else None
        start = reading.start(index, game.spot, score)
        if start is None:
            return None
        if score is None:
            note = "this score is impossible; the score from the games before is used"
            kind = FindingKind.SCORE_DOES_NOT_FOLLOW
            reading.report(index, game.spot, Severity.ERROR, kind, note)
        is_crawford = bool(game.header.is_crawford)
        # if the score does not follow from the games before, some are missing, of which one may be the Crawford game
        are_games_missing = score is not None and score != reading.score
        if start.crawford != is_crawford and are_games_missing:
            with suppress(GammonError):  # at this score it may be impossible
                start = attrs.evolve(start, crawford=is_crawford)
        if start.crawford != is_crawford:
            words = "is the Crawford game" if is_crawford else "is not the Crawford game"
            note = f"the file says that this {words}, but the scores say otherwise, and they count"
            kind = FindingKind.CRAWFORD_MISMATCH
            reading.report(index, game.spot, Severity.WARNING, kind, note)
        return self.with_auto_doubles(start, game, index)

    def with_auto_doubles(self, start: MatchState, game: _GameRecords, index: int) -> MatchState:
        """The start of a game with the automatic doubles that its header states, if they are possible."""
        stated = game.header.auto_doubles
        if stated == 0:
            return start
        is_possible = 0 < stated <= MAX_CUBE_TURNS
        # any number may be stated: the power of a huge one takes long, and one too many is refused as well
        doubles = stated if is_possible else MAX_CUBE_TURNS + 1
        try:
            return attrs.evolve(start, cube=CubeOnTable(2**doubles))
        except GammonError as error:
            note = (
                f"the automatic doubles of this game are impossible, so they are left out: {error}"
            )
            kind = FindingKind.ILLEGAL_ACTION
            self.reading.report(index, game.spot, Severity.ERROR, kind, note)
            return start

    def check_final(self) -> None:
        if self.final is None:
            return
        stated = layout.read_final_score(self.data, self.final.at)
        score = self.reading.score
        length = self.reading.length
        capped_score = score
        if length is not None:
            capped_score = (min(score[0], length), min(score[1], length))
        if stated not in (score, capped_score):
            self.findings.report(
                Severity.WARNING,
                FindingKind.POINTS_MISMATCH,
                f"the file states {dashed(stated)} at the end, but the games give {dashed(score)}",
                text=self.final.text,
                line=self.final.line,
                game=max(self.reading.games),
            )

    def texts(self, numbers: tuple[int, int]) -> tuple[str, ...]:
        """The comments with these numbers, as far as there are such."""
        texts = [self.comments.text(number) for number in numbers]
        return tuple(text for text in texts if text)

    def report(self, kind: FindingKind, note: str, line: int, text: str = "") -> None:
        """Report an error that belongs to no game."""
        self.findings.report(Severity.ERROR, kind, note, text=text, line=line)


def beavers_after(double: CubeRecord) -> int:
    """The number of beavers that followed a double, of which a raccoon is the second."""
    if double.take != layout.REDOUBLED:
        return 0
    return 2 if double.beaver == layout.REDOUBLED else 1


# --- the events of a game ---------------------------------------------------------------------------------------------


@define
class XgReplay(GameReplay):
    records: Sequence[RecordPlace]
    """The records of this game, without its header."""
    rollouts: bytes
    comments: Comments
    auto_doubles: int
    board: bytes = field(init=False)
    """As White sees it, after the plays so far."""
    roller: Player | None = field(init=False, default=None)
    """Who rolled last, if the file does not show a play."""
    waiting_analysis: EncodedAnalysis | None = field(init=False, default=None)
    """The analysis of a decision not to double, until the roll; or of a play, until it is found."""
    waiting_comment: str = field(init=False, default="")
    """The comment about the cube, until it has an event: a double or a roll."""
    ended: RecordedResult | None = field(init=False, default=None)

    def run(self, number: int, comments: tuple[str, ...]) -> Game:
        self.board = board_of(self.start.position.points)
        last_action = self.last_action()
        footer: RecordPlace | None = None
        for spot in self.records:
            self.only_its_end_follows = spot is last_action
            if footer is not None:
                note = "the game goes on after its stated end; the rest is left out"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, place=spot)
                break
            if spot.type == layout.GAME_FOOTER:
                footer = spot
            elif not self.cut:  # after a cut, only the footer is of interest
                self.follow(spot)
        if footer is not None:
            self.finish(footer)
        elif not self.cut:
            self.leave_unfinished()
        if self.waiting_comment:  # about a cube that nobody turned before the game ended
            comments = (*comments, self.waiting_comment)
        return self.game(number, self.ended, comments)

    def last_action(self) -> RecordPlace | None:
        """The record before the footer of the game; None if there is no footer that says who won how much."""
        for before, spot in pairwise(self.records):
            if spot.type == layout.GAME_FOOTER:
                footer = layout.read_game_footer(spot.data, spot.at)
                is_end_stated = footer.winner in layout.PLAYERS and 0 < footer.points <= MAX_POINTS
                return before if is_end_stated else None
        return None

    def leave_unfinished(self) -> None:
        """Leave a game unfinished whose end the file does not state."""
        if self.records:
            self.place = self.records[-1]
        self.analyze_next(self.waiting_analysis)
        if self.state.result is None:
            self.report_no_result()
        else:
            note = "the file does not state how this game ended"
            self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, note)

    def follow(self, spot: RecordPlace) -> None:
        self.place = spot
        try:
            if spot.type == layout.CUBE:
                self.follow_cube(spot, layout.read_cube_record(spot.data, spot.at))
            else:
                self.follow_move(spot, layout.read_move_record(spot.data, spot.at))
        except GammonError as error:
            self.stop_at_error(error)

    def player_of(self, turn: CubeRecord | MoveRecord) -> Player | None:
        """The player whose turn a record is about; the replay stops if it does not say."""
        player = layout.PLAYERS.get(turn.player)
        if player is None:
            note = "this record does not say whose turn it is"
            self.stop(FindingKind.UNREADABLE_LINE, note)
        return player

    # --- the table ----------------------------------------------------------------------------------------------------

    def stored_cube(self) -> int:
        """The cube of the replay as the power of two that the file would store."""
        cube = self.state.cube
        power = cube.value.bit_length() - 1 - self.auto_doubles
        return -power if cube.owner is Player.BLACK else power

    def check_table(self, player: Player, board: bytes, cube: int, *, is_edited: bool) -> None:
        """Compare the stored board and cube with those of the replay, and use them if they differ."""
        self.find_hidden_play(board)
        same_board = board == self.board
        same_cube = cube == self.stored_cube()
        same_turn = self.state.on_roll in (player, None)
        is_turn_set_by_hand = is_edited and not same_turn
        if same_board and same_cube and not is_turn_set_by_hand:
            return
        if abs(cube) + self.auto_doubles > MAX_CUBE_TURNS:
            note = "the cube that the file stores is impossible"
            self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)
            same_cube = True  # so that the one of the replay stays
        if self.events:  # the referee reports a game that begins with another position
            self.report_table(same_board=same_board, same_cube=same_cube, is_edited=is_edited)
        stored_cube = None if same_cube else self.cube_of_power(cube)
        self.set_by_hand(board if player is Player.WHITE else flip(board), player, stored_cube)
        self.board = board

    def report_table(self, *, same_board: bool, same_cube: bool, is_edited: bool) -> None:
        if same_cube:
            what = "the board"
        elif same_board:
            what = "the cube"
        else:
            what = "the board and the cube"
        if is_edited:
            severity = Severity.INFO
            note = f"{what} was changed by hand here"
        else:
            severity = Severity.WARNING
            note = (
                f"the actions before this do not lead to {what} in the file; the file is followed"
            )
        self.report(severity, FindingKind.POSITION_MISMATCH, note)

    def cube_of_power(self, power: int) -> CubeOnTable:
        """The cube that the file stores as this power of two."""
        value = 2 ** (abs(power) + self.auto_doubles)
        if power == 0:
            return CubeOnTable(value)
        return CubeOnTable(value, Player.WHITE if power > 0 else Player.BLACK)

    def set_by_hand(self, seen: bytes, player: Player, cube: CubeOnTable | None = None) -> None:
        position = Position.from_points(points_of(seen), checkers=self.state.position.checkers)
        self.apply(SetPosition(position, player, cube))

    def find_hidden_play(self, board: bytes) -> None:
        """Make the play that the file does not show, if it leads to the next board."""
        player = self.roller
        self.roller = None
        if player is None or self.state.phase is not Phase.TO_PLAY:
            return
        seen_by_opponent = flip(board) if player is Player.WHITE else board
        play = play_to(self.state.legal_plays, seen_by_opponent)
        if play is None:
            note = "the play is not shown, and no legal play leads to the next board"
            self.report(Severity.WARNING, FindingKind.HIDDEN_PLAY, note)
            return
        note = f"the play is not shown; {play} leads to the next board"
        self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
        self.analyze_next(self.waiting_analysis)
        self.waiting_analysis = None
        self.do_play(player, play)
        self.board = board

    # --- the cube -----------------------------------------------------------------------------------------------------

    def follow_cube(self, spot: RecordPlace, turn: CubeRecord) -> None:
        player = self.player_of(turn)
        if player is None:
            return
        self.check_table(player, turn.board, turn.cube, is_edited=bool(turn.is_edited))
        analysis = self.cube_analysis(spot, turn)
        self.waiting_comment = self.comments.text(turn.comment)
        if turn.double == layout.DOUBLED:
            self.waiting_analysis = None
            self.double(player, turn, analysis)
            self.remark_on_cube()
        else:
            # the next record has the roll, which is the decision not to double
            self.waiting_analysis = analysis

    def cube_analysis(self, spot: RecordPlace, turn: CubeRecord) -> EncodedAnalysis | None:
        try:
            return analysis_of_cube(spot, turn, self.rollouts)
        except ParseError as error:
            self.refuse_analysis(str(error))
            return None

    def double(self, player: Player, turn: CubeRecord, analysis: EncodedAnalysis | None) -> None:
        """A double and its answers; a beaver is taken by rolling if the file does not say so."""
        self.analyze_next(analysis)
        self.do(Action.DOUBLE, player)
        answerer = player.opponent
        for answer in (turn.take, turn.beaver, turn.raccoon):
            action = _ANSWERS.get(answer)
            if action is None:
                break
            self.analyze_next(analysis)
            self.do(action, answerer)
            if action is not Action.BEAVER:
                break
            # now the other player answers the beaver, which the program does not evaluate
            answerer = answerer.opponent
            analysis = None

    def remark_on_cube(self) -> None:
        """Keep the waiting comment with the last event."""
        comment = self.waiting_comment
        self.waiting_comment = ""
        self.keep_comment(comment)

    def keep_comment(self, comment: str) -> None:
        """Keep a comment with the last event; one without an event is left out."""
        if comment and self.events:
            self.remark(comment)

    # --- rolls and plays ----------------------------------------------------------------------------------------------

    def follow_move(self, spot: RecordPlace, roll: MoveRecord) -> None:
        """A roll, which is the decision not to double, and its play."""
        player = self.player_of(roll)
        if player is None:
            return
        dice = ROLL_OF_FACES.get((roll.die_1, roll.die_2))
        if dice is None:
            self.stop(FindingKind.UNREADABLE_LINE, "these are not dice")
            return
        is_play_hidden_before = self.roller is not None
        if is_play_hidden_before or roll.before != self.board:
            self.check_table(player, roll.before, roll.cube, is_edited=bool(roll.is_edited))
        self.analyze_next(self.waiting_analysis)  # of the decision to roll
        self.waiting_analysis = None
        self.roll(player, dice)
        self.remark_on_cube()
        analysis = self.play_analysis(spot, roll)
        if roll.is_played and not roll.has_no_play:
            self.play_shown(player, roll, analysis)
        else:
            self.roller = player
            self.waiting_analysis = analysis  # in case the next board shows the play
            self.unplayed = analysis  # in case the player resigns now
        self.keep_comment(self.comments.text(roll.comment))

    def play_analysis(self, spot: RecordPlace, roll: MoveRecord) -> EncodedAnalysis | None:
        try:
            return analysis_of_play(spot, roll, self.rollouts)
        except ParseError as error:
            self.refuse_analysis(str(error))
            return None

    def play_shown(
        self, player: Player, roll: MoveRecord, analysis: EncodedAnalysis | None
    ) -> None:
        """The play that the file shows: its moves, or else the board after it, lead to a legal play.

        All boards in here are as the player sees them who moves.
        """
        doubt = "the moves of this play do not lead to the board that the file has after it"
        before = roll.before if player is Player.WHITE else flip(roll.before)
        after_moves = layout.board_after(before, layout.moves_played(roll))
        if after_moves is not None:
            play_by_moves = self.play_leading_to(after_moves)
            if play_by_moves is not None:
                if after_moves != roll.after:
                    self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, doubt)
                self.make_play(player, play_by_moves, analysis, after=after_moves)
                return
        play_by_board = self.play_leading_to(roll.after)
        if play_by_board is not None:
            note = f"{doubt}; it is read as {play_by_board}"
            self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)
            self.make_play(player, play_by_board, analysis, after=roll.after)
            return
        # no play is legal; the moves count if they can be made at all
        after = roll.after if after_moves is None else after_moves
        self.illegal_play(player, roll, after)
        self.keep_board(player, after)

    def play_leading_to(self, board: bytes) -> Play | None:
        """The legal play to a board as the player sees it who moves; None if there is none."""
        as_opponent_sees_it = flip(board)
        return play_to(self.state.legal_plays, as_opponent_sees_it)

    def make_play(
        self, player: Player, play: Play, analysis: EncodedAnalysis | None, after: bytes
    ) -> None:
        """Make a play, and keep the board after it as the player sees it."""
        self.analyze_next(analysis)
        self.do_play(player, play)
        self.keep_board(player, after)

    def keep_board(self, player: Player, seen: bytes) -> None:
        """Keep a board that this player sees so."""
        self.board = seen if player is Player.WHITE else flip(seen)

    def illegal_play(self, player: Player, roll: MoveRecord, after: bytes) -> None:
        """An illegal play that was allowed to stand: the position after it is set by hand."""
        why_illegal = "no legal play leads to the board that the file has after it"
        try:
            self.state.legal_plays.find(layout.moves_played(roll))
        except GammonError as error:  # it says which move is illegal
            why_illegal = str(error)
        try:
            self.set_by_hand(flip(after), player.opponent)
        except GammonError:
            self.stop(FindingKind.ILLEGAL_PLAY, why_illegal)
            return
        note = f"{why_illegal}; the play was allowed to stand, so the board in the file counts"
        self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, note)

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, spot: RecordPlace) -> None:
        """Take the end of the game from its footer, and compare it with what was played."""
        footer = layout.read_game_footer(spot.data, spot.at)
        place_of_last_action = self.place
        self.place = spot
        winner = layout.PLAYERS.get(footer.winner)
        if winner is None or not 0 < footer.points <= MAX_POINTS:
            note = "the file does not say who won this game"
            self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, note)
            return
        self.ended = self.stated_end(winner, footer.points, spot.text, spot.line)
        if not self.cut:
            result = self.state.result
            if result is None:
                self.end_unplayed(footer, winner, place_of_last_action)
            else:
                self.check_termination(footer, result)
        self.check_score(footer, winner)

    def end_unplayed(self, footer: GameFooter, winner: Player, place_of_roll: Place) -> None:
        """End a game that no play or drop has ended."""
        loser = winner.opponent
        if self.roller is not None:
            resigned = self.roller is loser
            note = "the player resigned after this roll" if resigned else "the play is not shown"
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note, place=place_of_roll)
        is_settled = footer.termination >= layout.SETTLED
        can_award = not why_not_award(self.state.length, footer.points)
        if is_settled and can_award:
            note = f"the players settled the game: {counted(footer.points, 'point')} for {winner.title()}"
            self.award(loser, footer.points, note)
            return
        why_resigned = "the file states points"  # a resignation is inferred from that
        if footer.termination >= layout.RESIGNED:
            why_resigned = ""  # the file itself states it
        self.end_early(loser, footer.points, why_resigned)

    def check_termination(self, footer: GameFooter, result: Result) -> None:
        """Report an end that the file tells differently."""
        if footer.termination >= layout.SETTLED:
            return
        is_dropped = result.end is End.DROPPED
        is_drop_stated = footer.termination == layout.DROPPED
        if footer.termination >= layout.RESIGNED:
            note = "the file says that the game was resigned, but it was already over"
        elif is_dropped and not is_drop_stated:
            note = "a dropped double ended the game, but the file says otherwise"
        elif is_drop_stated and not is_dropped:
            note = "the file says that a double was dropped, but the game was played to its end"
        else:
            return
        self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)

    def check_score(self, footer: GameFooter, winner: Player) -> None:
        """Report a score after the game that does not follow from its points."""
        stated = (footer.white, footer.black)
        before = self.start.score
        length = self.start.length
        after = add_points(before, winner, footer.points)
        if stated == after:
            return
        if length is not None and after[winner] > length:
            capped = add_points(before, winner, length - before[winner])
            if stated == capped:
                note = f"the score after the game, {dashed(stated)}, is capped at the match length"
                self.report(Severity.INFO, FindingKind.CAPPED_POINTS, note)
                return
        note = (
            f"the file states {dashed(stated)} after the game, but its points give {dashed(after)}"
        )
        self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)
