"""From a sheet to a match: its rules, what is odd about the heads of its games, and their replay to the end.

The next game starts from its own score line, even if the replay of this one ends early.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs
from attrs import define, field

from gammonrules.board import Play, Plays
from gammonrules.errors import ParseError
from gammonrules.formats.mat.cell_replay import Following
from gammonrules.formats.mat.cells import END_WORDS, Cell, CellKind, SheetGame
from gammonrules.formats.mat.end_words import Ending, contradict, forfeit_by_comment, is_as_stated, stated_end
from gammonrules.formats.mat.hidden_plays import Budget, Trials
from gammonrules.formats.mat.sheet import Sheet, read_sheet
from gammonrules.formats.match_reading import (
    GameReplay,
    MatchReading,
    RawGame,
    coin_game,
    longest_run,
    points_gained,
    points_needed,
)
from gammonrules.formats.rule_tags import is_known_rule, rules_in_tags, start_named
from gammonrules.match import MatchState, Phase, Player
from gammonrules.rules import Rules
from gammonrules.transcript import (
    RULE_TAGS,
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    Stated,
    Tags,
    length_played,
    split_rating,
    tags_with_ratings,
    with_jacoby_decided,
)


def read_mat(text: str) -> Match:
    """Read a record; its defects become findings.

    The file's own tags decide about the Crawford rule, Jacoby, beavers and the cube. In money play without a Jacoby
    tag the rule is taken to hold, unless the stated points fit better without it. Raises ParseError as `read_sheet`.
    """
    sheet = read_sheet(text)
    scores = [raw.score or (0, 0) for raw in sheet.games]
    length = length_played(sheet.length or None, scores, tuple(sheet.tags))
    rules = rules_in_tags(sheet.tags, length, longest_beaver(sheet))
    if sheet.length or any(name.lower() == "jacoby" for name, _ in sheet.tags):
        return replay(sheet, length, 1, rules)
    return with_jacoby_decided(partial(replay, sheet, length, 2), rules)


def longest_beaver(sheet: Sheet) -> int:
    """How many beavers in a row the file shows: two are a beaver and a raccoon."""
    return longest_run(cell.kind is CellKind.BEAVER for game in sheet.games for cell in game.cells)


def replay(sheet: Sheet, length: int | None, most: int, rules: Rules) -> Match:
    """The match that a sheet describes, whose games are played to this length, as often as `most` times."""
    stated = sheet.length or None
    coin = coin_game(stated, length, f"{stated} point match", sheet.line)
    findings = FindingLog.after([*coin, *sheet.findings])
    report_rules(sheet, findings)
    names, tags = players_of(sheet)
    raw_games = [RawGame(heading(game), game, game.score) for game in sheet.games]
    reading = MatchReading(raw_games, length, rules, findings)
    budget = Budget.of(sheet.characters // most, len(sheet.games))
    for index, raw, start in reading.starts():
        game, next_score = raw.source, reading.stated_score(index + 1)
        decided = with_crawford_decided(start, game, reading)
        report_names(game, names, reading)
        games = replayed(game, decided, next_score, findings, budget, last=game is sheet.games[-1])
        reading.games.update(enumerate(games, start=index))
    return reading.match(names, stated, tags, sheet.comments, "mat", sheet.rolls)


def players_of(sheet: Sheet) -> tuple[tuple[str, str], Tags]:
    """The players, and the tags of the record; ratings that all names end in are tags, those of the first game."""
    all_names = [raw.names for raw in sheet.games if raw.names is not None] or [("", "")]
    (left, left_rating), (right, right_rating) = map(split_rating, all_names[0])
    if left == right or not all(split_rating(name)[1] for names in all_names for name in names):
        return all_names[0], tuple(sheet.tags)
    return (left, right), tags_with_ratings(tuple(sheet.tags), (left, right), (left_rating, right_rating))


def replayed(
    raw: SheetGame,
    start: MatchState,
    next_score: tuple[int, int] | None,
    findings: FindingLog,
    budget: Budget,
    *,
    last: bool,
) -> Iterator[Game]:
    """One game, and after the last one perhaps one that was forfeited."""
    cells = [cell for cell in raw.cells if cell.kind not in END_WORDS]
    has_end = len(cells) < len(raw.cells) or next_score not in (None, start.score) or bool(forfeit_by_comment(raw)[1])
    about = raw, next_score, budget, last
    return MatReplay(raw.index, start, findings, heading(raw), cells, has_end, *about).run()


def with_crawford_decided(start: MatchState, raw: SheetGame, reading: MatchReading[SheetGame]) -> MatchState:
    """The start of a game that may come after the Crawford game, if the games before it do not settle that."""
    if not start.crawford or start.score == reading.score:
        return start
    if any(cell.kind is CellKind.DOUBLE for cell in raw.cells):
        return attrs.evolve(start, crawford=False)
    note = "the record does not say whether the Crawford game has been played; this is taken to be the Crawford game"
    reading.report(raw.index, Severity.INFO, FindingKind.CRAWFORD_ASSUMED, note)
    return start


def report_rules(sheet: Sheet, findings: FindingLog) -> None:
    values: dict[str, str] = {}
    for (name, value), line in zip(sheet.tags, sheet.tag_lines, strict=True):
        kind, note = FindingKind.UNKNOWN_RULE, None
        rule, words = name.lower(), value.strip().lower()
        if rule == "variation" and start_named(value) is None:
            kind = FindingKind.UNKNOWN_VARIATION
            note = "this variation is not known, so its games are read as standard ones"
        elif not is_known_rule(rule, words):
            note = "the words of this rule are not known, so the usual rule is used"
        elif rule in RULE_TAGS and values.setdefault(rule, words) != words:
            note = "the header states this rule twice; the last statement counts"
        if note is not None:
            findings.report(Severity.INFO, kind, note, text=f'{name} "{value}"', line=line)


def report_names(raw: SheetGame, names: tuple[str, str], reading: MatchReading[SheetGame]) -> None:
    if raw.names is None:
        note = "the score line is missing or cannot be read; the score is taken from the games before"
        about = Severity.ERROR, FindingKind.UNREADABLE_LINE, note
        reading.findings.report(*about, text=f"Game {raw.number}", line=raw.line, game=raw.index)
    elif raw.index == 1 and not all(raw.names):
        note = f"the {'right' if raw.names[0] else 'left'} player has no name"
        reading.report(raw.index, Severity.INFO, FindingKind.NO_PLAYER_NAME, note)
    if has_changed_columns(raw, names):
        note = "the players have changed columns since the first game; each column is treated as one player"
        reading.report(raw.index, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)
    elif raw.names is not None and [*map(unrated, raw.names)] != [*map(unrated, names)]:
        note = "the first game names different players; each column is treated as one player"
        reading.report(raw.index, Severity.WARNING, FindingKind.OTHER_PLAYERS, note)


def has_changed_columns(raw: SheetGame, first: tuple[str, str]) -> bool:
    if raw.names is None or raw.names == first:
        return False
    (left, right), (now_left, now_right) = (map(unrated, names) for names in (first, raw.names))
    return left != right and ("" != left == now_right or "" != right == now_left)


def unrated(name: str) -> str:
    """What stays the same of a name from game to game: not a rating after it, nor capital letters."""
    return split_rating(name.lower())[0]


# --- a game -----------------------------------------------------------------------------------------------------------


def heading(raw: SheetGame) -> Cell:
    return Cell(CellKind.WINS, None, None, raw.line, raw.score_text.strip())


@define
class MatReplay(Following):
    raw: SheetGame
    next_score: tuple[int, int] | None
    budget: Budget
    """The budget for hidden plays in the whole record."""
    last: bool
    """Whether no game follows in the record."""
    trials: Trials | None = field(init=False, default=None)
    stated: Stated | None = field(init=False, default=None)
    awarded: str | None = field(init=False, default=None)
    """The comment that awarded the game, or the rest of the match."""

    def run(self) -> Iterator[Game]:
        """The game, as far as it can be followed; after the last, one that was forfeited with the rest of the match."""
        self.set_by_hand = self.raw.set_position
        ends = [cell for cell in self.raw.cells if cell.kind in END_WORDS]
        self.stated = stated_end(ends)
        self.check_ends(ends)
        self.follow_all(0, len(self.cells))
        comment, winners = forfeit_by_comment(self.raw)
        if not self.cut and self.state.result is None:
            about = self.stated, self.gained, self.resigner, self.marked
            self.end(Ending(self.state, ends, *about, winners, self.last), comment)
        rest = [] if comment is None or self.cut else list(self.forfeited_rest(comment, winners))
        comments = tuple(text for text in self.raw.comments if text is not self.awarded)
        yield self.game(self.raw.number, self.stated, comments)
        yield from rest

    @property
    def gained(self) -> tuple[Player, int] | None:
        """Who gained how many points by the score of the next game."""
        return points_gained(self.start.score, self.next_score)

    def hidden_play(self, side: Player, plays: Plays) -> None:
        """A play that is not shown: the only legal one, or the only one after which the rest of the game is legal."""
        if len(plays) == 1:
            self.only_legal_play(side, plays[0])
            return
        fits, all_tried = self.plays_that_fit(plays)
        if all_tried and len(fits) == 1:
            note = f"the play is not shown; of the {len(plays)} legal ones, only {fits[0]} fits the rest of the game"
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
            self.do_play(side, fits[0])
            return
        fitting = f"{'all' if len(fits) == len(plays) else len(fits) or 'none'} of them fit the rest of the game"
        if not all_tried:
            fitting = f"at least {fitting}" if len(fits) > 1 else "too many to try with the rest of the game"
        note = f"the play is not shown; {len(plays)} are legal, and {fitting}"
        self.stop(FindingKind.HIDDEN_PLAY, note, Severity.WARNING)

    def unreadable_play(self, side: Player, plays: Plays, error: ParseError) -> None:
        """A play that cannot be read; the game goes on if only one fits the rest of it."""
        fits, all_tried = self.plays_that_fit(plays)
        if not all_tried or len(fits) != 1:
            raise error
        note = f"{error}; only {fits[0]} fits the rest of the game, so it is used"
        self.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, note)
        self.do_play(side, fits[0])

    def plays_that_fit(self, plays: Plays) -> tuple[list[Play], bool]:
        """The plays after which the rest of the game is legal, and whether there was time to try all of them."""
        if self.trials is None:
            self.trials = Trials(self.index, self.cells, self.ends_here, self.is_as_stated, self.budget)
        return self.trials.plays_that_fit(self.state, plays, self.at)

    def is_as_stated(self, state: MatchState) -> bool:
        return state.result is None or is_as_stated(state.result, self.start, self.stated, self.gained)

    def check_ends(self, ends: list[Cell]) -> None:
        if contradict(ends, self.state):
            note = "the record states the end of the game more than once, and differently"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, ends[-1])
        ended = False
        for cell in self.raw.cells:
            if ended and cell.kind not in END_WORDS and cell.kind is not CellKind.UNREADABLE:
                note = "the game goes on after its stated end"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, cell)
                break
            ended |= cell.kind in END_WORDS

    def end(self, ending: Ending, comment: Cell | None) -> None:
        """The end of a game that stops early, and that a comment may award."""
        self.place = ending.cells[0] if ending.cells else heading(self.raw)
        loser = ending.loser
        points = None if loser is None else ending.points_awarded(loser)
        if loser is not None and points is not None:
            if comment is not None and loser.opponent in ending.awarded_to:
                self.awarded = comment.text
                self.place = self.place if ending.cells else comment
            self.forfeit(loser, points, stated=self.awarded is not None or self.state.phase is Phase.OPENING)
        elif loser is None or self.state.phase is Phase.OPENING:
            self.has_no_result()
        else:
            for severity, kind, cell, note in ending.doubts(loser):
                self.report(severity, kind, note, cell)
            self.resign(loser, ending.level(loser))

    def forfeited_rest(self, comment: Cell, winners: list[Player]) -> Iterator[Game]:
        """The next game, if a comment that does not award this one awards the rest of the match."""
        state = self.state
        points = points_needed(state, winners[0]) if len(winners) == 1 and self.last else None
        if self.awarded is not None or (state.result is not None and not winners):
            return
        if state.result is not None and state.winner is None and points is not None:
            self.awarded = comment.text
            rest = GameReplay(self.index + 1, state.next_game(), self.findings, comment)
            rest.forfeit(winners[0].opponent, points, stated=True)
            yield rest.game(self.raw.number + 1)
        else:
            why = "the record gives no points for them" if winners else "neither player has this name"
            self.report(Severity.WARNING, FindingKind.FORFEIT, f"nothing is awarded for these words: {why}", comment)
