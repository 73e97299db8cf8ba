"""From rows and cells to events: each cell is offered to a `MatchState`, which knows the rules.

A cell that the rules refuse becomes a finding and ends the replay of its game, unless the next state is known all the
same. The next game starts from its own score line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import attrs
from attrs import Factory, define

from gammonrules.board import AmbiguousPlayError, IllegalPlayError, Play, Plays, Position, Win
from gammonrules.board.plays import legal_play
from gammonrules.board.setup import StartName
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MOST_TURNS
from gammonrules.match import TO_ACT, Action, Cube, Double, MatchState, Phase, Player
from gammonrules.match.table import EVENTS
from gammonrules.match.table_rules import cube_that_counts, highest_win, points_of, why_not_award
from gammonrules.records._finding_log import FindingLog
from gammonrules.records._mat_sheet import END_WORDS, LOSERS_WORDS, Cell, CellKind, Sheet, SheetGame, quoted
from gammonrules.records.findings import Finding, FindingKind, Severity
from gammonrules.records.model import Forfeit, Game, Match, RecordEvent, SetPosition, Stated, ending_in, score_after
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import counted

_CUBE_ACTIONS = {
    CellKind.DOUBLE: Action.DOUBLE,
    CellKind.TAKE: Action.TAKE,
    CellKind.DROP: Action.DROP,
    CellKind.BEAVER: Action.BEAVER,
}
WINS_BY_FORFEIT = " wins by forfeit"
"""How a comment ends that says that the game was awarded to the player whom it names."""
_LEVELS = {"single": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
_WORD = re.compile(r"\w+")
_NO_LIMIT = 1024
_DUMP_FIELDS = 40
_SMALL_NUMBER = re.compile(r"-?[0-9]{1,3}")


VARIATIONS: dict[StartName, str] = {
    "standard": "Backgammon",
    "nackgammon": "NackGammon",
    "longgammon": "LongGammon",
    "hypergammon": "HyperGammon (3)",
    "hypergammon2": "HyperGammon (2)",
    "hypergammon1": "HyperGammon (1)",
}
"""The names of variations as GNU Backgammon writes them; it has none for Longgammon."""
_STARTS: dict[str, StartName] = {
    "": "standard",
    "hypergammon": "hypergammon",
    **{re.sub(r"[\s()]", "", name).lower(): start for start, name in VARIATIONS.items()},
}


def rules_of(tags: Iterable[tuple[str, str]], length: int | None, beavers: int) -> Rules:
    """The rules that a header states; where it is silent, those of tournaments or of money play.

    `beavers` is how many in a row the games show. "Beavers" is a tag of this package, for more than one in a row.
    """
    values = {name.lower(): value.strip().lower() for name, value in tags}
    start = start_named(values.get("variation", "")) or "standard"
    rules = attrs.evolve(TOURNAMENT if length else MONEY, start=start)
    limit = values.get("cubelimit", "")
    if is_number(limit) and len(limit) < 10:
        value = int(limit)
        if value <= 1:
            rules = attrs.evolve(rules, cube=False)
        elif value < _NO_LIMIT and value & (value - 1) == 0:
            rules = attrs.evolve(rules, max_cube=value)
    if length:
        return attrs.evolve(rules, crawford=values.get("crawford") != "off")
    stated = values.get("beavers", "")
    allowed = int(stated) if is_number(stated) and len(stated) < 3 else 1
    beavers = 0 if values.get("beaver") == "off" else min(max(1, allowed, beavers), MOST_TURNS)
    return attrs.evolve(rules, jacoby=values.get("jacoby") != "off", beavers=beavers)


def start_named(variation: str) -> StartName | None:
    """The start of a variation, in whatever case and with or without brackets; None if it is not known."""
    return _STARTS.get(re.sub(r"[\s()]", "", variation).lower())


def is_number(text: str) -> bool:
    """Whether this is a whole number in ASCII digits, without sign."""
    return text.isascii() and text.isdecimal()


def longest_beaver(sheet: Sheet) -> int:
    """How many beavers in a row the file shows: two are a beaver and a raccoon."""
    longest, run = 0, 0
    for game in sheet.games:
        for cell in game.cells:
            run = run + 1 if cell.kind is CellKind.BEAVER else 0
            longest = max(run, longest)
    return longest


def replay(sheet: Sheet, rules: Rules) -> Match:
    """The match that a sheet describes."""
    findings = FindingLog.after(sheet.findings)
    findings.extend(unknown_variations(sheet))
    length = sheet.length or None
    games: list[Game] = []
    crawford_over = False
    names = next((raw.names for raw in sheet.games if raw.names is not None), ("", ""))
    for index, raw in enumerate(sheet.games):
        expected = expected_score(games)
        score = raw.score if raw.score is not None else expected
        try:
            start = MatchState.new(length, rules=rules, score=score, crawford=False if crawford_over else None)
        except GammonError as error:
            findings.append(no_start(raw, error))
            continue
        crawford_over |= start.crawford
        if start.crawford and score != expected:  # the games before it do not show that there was none
            if any(cell.kind is CellKind.DOUBLE for cell in raw.cells):
                start = attrs.evolve(start, crawford=False)
            else:
                findings.append(crawford_assumed(raw))
        after = next((later.score for later in sheet.games[index + 1 : index + 2]), None)
        report_names(raw, findings, first=index == 0)
        if has_changed_columns(raw, names):
            findings.append(changed_columns(raw))
        games.append(_Replay(raw, start, after, findings).run())
    match = Match(
        names,
        length,
        tuple(games),
        rules,
        tuple(sheet.tags),
        tuple(sheet.comments),
        "mat",
        tuple(findings),
        sheet.rolls,
    )
    return attrs.evolve(match, findings=(coin_game(sheet), *findings)) if match.is_coin_game else match


def unknown_variations(sheet: Sheet) -> Iterator[Finding]:
    for (name, value), line in zip(sheet.tags, sheet.tag_lines, strict=True):
        if name.lower() == "variation" and start_named(value) is None:
            note = "this variation is not known, so its games are read as standard ones"
            yield Finding(
                Severity.INFO, FindingKind.UNKNOWN_VARIATION, None, None, quoted(f'{name} "{value}"'), note, line
            )


def coin_game(sheet: Sheet) -> Finding:
    """That the match is none; see `Match.is_coin_game`."""
    note = "this is a coin game, one game of money play that is written as a match"
    return Finding(Severity.INFO, FindingKind.COIN_GAME, None, None, f"{sheet.length} point match", note, sheet.line)


def crawford_assumed(raw: SheetGame) -> Finding:
    """That nothing tells whether the Crawford game is over, and nobody doubles in this one."""
    note = "the record does not tell whether the Crawford game is over; this is taken to be the Crawford game"
    return Finding(Severity.INFO, FindingKind.CRAWFORD_ASSUMED, raw.index, None, quoted(raw.score_text), note, raw.line)


def expected_score(games: list[Game]) -> tuple[int, int]:
    """The score before the next game, where its own score line is missing."""
    return score_after(games[-1]) if games else (0, 0)


def no_start(raw: SheetGame, error: GammonError) -> Finding:
    """A game that cannot be, as one after the end of the match; it is left out."""
    note = f"no game can start from this score, so it is left out: {error}"
    return Finding(
        Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, raw.index, None, quoted(raw.score_text), note, raw.line
    )


def report_names(raw: SheetGame, findings: FindingLog, *, first: bool) -> None:
    """A missing score line, or a player without a name (once a record)."""
    if raw.names is None:
        note = "the score line is missing or cannot be read; the score is taken from the games before"
        words = f"Game {raw.number}"
        findings.append(Finding(Severity.ERROR, FindingKind.UNREADABLE_LINE, raw.index, None, words, note, raw.line))
    elif first and not all(raw.names):
        side = "left" if not raw.names[0] else "right"
        note, words = f"the {side} player has no name", quoted(raw.score_text)
        findings.append(Finding(Severity.INFO, FindingKind.NO_PLAYER_NAME, raw.index, None, words, note, raw.line))


def has_changed_columns(raw: SheetGame, names: tuple[str, str]) -> bool:
    """Whether a player whom the first game has in one column stands in the other one now."""
    if raw.names is None or raw.names == names:
        return False
    (left, right), (now_left, now_right) = (map(without_rating, pair) for pair in (names, raw.names))
    return left != right and ("" != left == now_right or "" != right == now_left)


def without_rating(name: str) -> str:
    """A name without the rating behind a comma, which some programs write and which changes from game to game."""
    before, _, rating = name.lower().rpartition(",")
    return before.rstrip() if is_number(rating.strip().replace(".", "")) else name.lower()


def changed_columns(raw: SheetGame) -> Finding:
    """That the points of a game may be those of the other player."""
    note = "the players have changed columns since the first game; each column is followed as that of the same player"
    words = quoted(raw.score_text)
    return Finding(Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, raw.index, None, words, note, raw.line)


_NO_CELL = Cell(CellKind.UNREADABLE, None, None, 0, "")
"""Before the first one is followed."""


@define
class _Replay:
    """The replay of one game."""

    raw: SheetGame
    state: MatchState
    next_score: tuple[int, int] | None
    findings: FindingLog
    events: list[RecordEvent] = Factory(list[RecordEvent])
    origins: list[Cell] = Factory(list[Cell])
    """The cell that each event comes from."""
    cell: Cell = _NO_CELL
    """The one that is followed now."""
    awarded: str | None = None
    """The comment that says that the game was forfeited."""
    set_by_hand: str | None = None
    resigner: Player | None = None
    marked: bool = False
    cut: bool = False

    def run(self) -> Game:
        start = self.state
        self.set_by_hand = self.raw.set_position
        ends = [cell for cell in self.raw.cells if cell.kind in END_WORDS]
        cells = [cell for cell in self.raw.cells if cell.kind not in END_WORDS]
        stated = stated_end(ends)
        self.check_ends(ends)
        ends_here = bool(ends) or self.next_score not in (None, start.score)
        for index, cell in enumerate(cells):
            self.follow(cell, last=index == len(cells) - 1, ends_here=ends_here)
            if self.cut:
                break
        if not self.cut and self.state.result is None:
            self.resign(ends, stated)
        game = Game(
            self.raw.number,
            start,
            tuple(self.events),
            tuple(comment for comment in self.raw.comments if comment is not self.awarded),
            stated,
            tuple([cell.row for cell in self.origins]),
            self.cut,
            line=self.raw.line,
            lines=tuple([cell.line for cell in self.origins]),
        )
        return ending_in(game, self.state)

    def check_ends(self, ends: list[Cell]) -> None:
        """Whether the end words agree with each other, and nothing follows them."""
        if contradict(ends, self.state):
            note = "the end of the game is stated more than once, and differently"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, ends[-1], note)
        ended = False
        for cell in self.raw.cells:
            if ended and cell.kind not in END_WORDS and cell.kind is not CellKind.UNREADABLE:
                note = "the game goes on after its end was stated"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, cell, note)
                break
            ended |= cell.kind in END_WORDS

    def follow(self, cell: Cell, *, last: bool, ends_here: bool) -> None:
        """One cell; what the rules refuse ends the replay."""
        self.cell = cell
        try:
            self.act(cell, last=last, ends_here=ends_here)
        except IllegalPlayError as error:
            self.stop(FindingKind.ILLEGAL_PLAY, cell, str(error))
        except ParseError as error:
            self.stop(FindingKind.UNREADABLE_LINE, cell, str(error))
        except GammonError as error:
            self.stop(FindingKind.ILLEGAL_ACTION, cell, str(error))

    def stop(self, kind: FindingKind, cell: Cell, note: str, severity: Severity = Severity.ERROR) -> None:
        """Report why the rest of this game is not replayed."""
        self.cut = True
        self.report(severity, kind, cell, f"{note}; the rest of this game is not replayed")

    def report(self, severity: Severity, kind: FindingKind, cell: Cell, note: str) -> None:
        if not self.findings.is_full(severity, kind):
            words = quoted(cell.text)
            self.findings.append(Finding(severity, kind, self.raw.index, cell.row, words, note, cell.line))

    def do(self, action: Action, by: Player, argument: object = None) -> None:
        """One event; it is kept if the rules allow it."""
        event = EVENTS.make(action, by, argument)
        self.state = self.state.apply(event)
        self.keep(event)

    def do_roll(self, by: Player, dice: Dice) -> None:
        """A roll, and below a play: the usual events, made without asking again whether their arguments fit."""
        self.state = self.state.roll(dice, by=by)
        self.keep(EVENTS.make(Action.ROLL, by, dice))

    def do_play(self, by: Player, play: Play) -> None:
        """A play that has been found; the record keeps its canonical text."""
        self.state = self.state.play(play, by=by)
        self.keep(EVENTS.make(Action.PLAY, by, str(play)))

    def keep(self, event: RecordEvent) -> None:
        self.events.append(event)
        self.origins.append(self.cell)

    def set_position(self, event: SetPosition) -> None:
        self.state = event.apply(self.state)
        self.keep(event)

    def act(self, cell: Cell, *, last: bool, ends_here: bool) -> None:
        side = cell.side
        if side is None or cell.kind is CellKind.UNREADABLE:
            self.cut = True  # the reader of the sheet has reported it
            return
        if self.set_by_hand is not None:
            text, self.set_by_hand = self.set_by_hand, None
            self.set_position(position_set_by_hand(text, side, self.state.position.checkers))
        action = _CUBE_ACTIONS.get(cell.kind)
        if action is not None:
            self.do(action, side)
            self.check_value(cell)
        elif last and is_resignation_without_roll(cell, ends_here=ends_here):
            self.resigner, self.marked = side, bool(cell.play)
        else:
            self.roll(cell, side)
            if not self.cut:
                self.play(cell, side, last=last, ends_here=ends_here)

    def check_value(self, cell: Cell) -> None:
        """Whether the cube value beside an offer is the one that the rules give."""
        offer = self.state.offer
        if isinstance(offer, Double) and cell.value not in (None, offer.value):
            note = f"the value offered is {offer.value}, not {cell.value}"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, cell, note)

    def roll(self, cell: Cell, side: Player) -> None:
        offer = self.state.offer
        if isinstance(offer, Double) and offer.beavers and offer.by is side:
            self.do(Action.TAKE, offer.answerer)  # programs leave it out after a beaver
        if self.state.phase is not Phase.OPENING:
            self.do_roll(side, Dice.of(cell.dice))
            return
        small, large = sorted(int(face) for face in cell.dice)
        if small == large:
            self.stop(FindingKind.ILLEGAL_ACTION, cell, "no game opens with a doublet")
        else:
            faces = (large, small) if side is Player.WHITE else (small, large)
            self.state = self.state.opening_roll(*faces)
            self.keep(EVENTS.make(Action.OPENING_ROLL, TO_ACT, faces))

    def play(self, cell: Cell, side: Player, *, last: bool, ends_here: bool) -> None:
        """The play after a roll, in all the ways of not showing it as well."""
        text = cell.play
        plays = self.state.legal_plays
        if text[:1].isdigit():
            self.shown_play(cell, side, plays)
            return
        hidden = bool(text) and not text.strip("?")
        in_lower_case = text.lower()
        passed = not text or in_lower_case == "cannot move"
        if in_lower_case.startswith("illegal play"):
            self.set_position(SetPosition(position_of_dump(text, self.state.position.checkers), side.opponent))
            note = "the program that wrote the record found this play illegal; the position after it is set by hand"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, cell, note)
        elif not hidden and not passed:
            self.shown_play(cell, side, plays)
        elif hidden and last and ends_here:
            self.resigner, self.marked = side, True
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, cell, "the player resigned after this roll")
        elif not (first := plays[0]).moves:
            self.do_play(side, first)
        elif last and (ends_here or not text):
            self.resigner = side
        else:
            self.unknown_play(cell, side, plays, claimed=passed and bool(text))

    def shown_play(self, cell: Cell, side: Player, plays: Plays) -> None:
        """The play that the record shows."""
        play = self.find(plays, cell)
        if play is None:
            self.cut = True
        else:
            self.do_play(side, play)

    def unknown_play(self, cell: Cell, side: Player, plays: Plays, *, claimed: bool) -> None:
        """A roll without its play, though there is one; `claimed`: the file says that there is none."""
        only = len(plays) == 1
        severity, kind, note = (
            Severity.INFO,
            FindingKind.HIDDEN_PLAY,
            f"the play is not shown; {plays[0]} is the only one",
        )
        if claimed:
            severity, kind, note = (
                Severity.ERROR,
                FindingKind.ILLEGAL_PLAY,
                f"no play is said to exist, but {plays[0]} does",
            )
        elif not only:
            severity, note = Severity.WARNING, f"the play is not shown, and {len(plays)} are legal"
        if only:
            self.report(severity, kind, cell, note)
            self.do_play(side, plays[0])
        else:
            self.stop(kind, cell, note, severity)

    def find(self, plays: Plays, cell: Cell) -> Play | None:
        """The play that a text means, or None for an illegal one if enough of them have been explained."""
        moves = cell.play.split()
        if "0/0" in moves:
            moves = [move for move in moves if move != "0/0"]
        text = " ".join(moves)
        try:
            play = legal_play(plays, text)
            if play is None and not self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
                plays.find(text)  # which says why not
        except AmbiguousPlayError as error:
            play = by_order_of_dice(error.candidates, int(cell.dice[0]))
            others = ", ".join(str(other) for other in error.candidates if other != play)
            note = f"the text also fits {others}; taken is {play}, in the order of the dice"
            self.report(Severity.INFO, FindingKind.AMBIGUOUS_PLAY, cell, note)
        return play

    def resign(self, ends: list[Cell], stated: Stated | None) -> None:
        """The end of a game that stops before its end: who gave it up, at which level or by whose decision."""
        gained = points_gained(self.state.score, self.next_score)
        points = [
            value for value in (stated.points if stated else None, gained[1] if gained else None) if value and value > 0
        ]
        loser = self.find_loser(ends, stated, gained)
        if points:
            self.awarded, named = self.forfeit_by_comment()
            loser = loser if named is None else named
        nothing = Cell(CellKind.WINS, None, None, self.raw.line, self.raw.score_text.strip())
        self.cell = cell = ends[0] if ends else nothing
        if loser is not None and points and self.is_forfeited(loser, points, ends):
            self.forfeit(loser, points[0], cell)
            return
        self.awarded = None
        if loser is None or self.state.phase is Phase.OPENING:
            self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, cell, "the game has no result")
            return
        if self.marked and self.resigner is not loser:
            other = loser.opponent.title()
            note = f"the last cell says that {other} resigned, but the rest of the record gives them the game"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, cell, note)
        level = level_for(self.state, points) if points else self.level_in_words(ends)
        if not (self.marked or any(end.kind is CellKind.CONCEDES for end in ends)):
            words = "says who lost, but not how" if any(end.kind is CellKind.LOSSES for end in ends) else "tells points"
            note = f"the game stops before its end, and the record only {words}: the loser is taken to have resigned"
            self.report(Severity.INFO, FindingKind.RESIGN_WITHOUT_MARKER, cell, note)
        self.do(Action.RESIGN, loser, level)
        self.do(Action.ACCEPT, loser.opponent)

    def level_in_words(self, ends: list[Cell]) -> Win:
        """The level of a resignation without points, by the loser's words, as in "Resigns gammon"."""
        for cell in ends:
            words = _WORD.findall(cell.text.lower())[1:] if cell.kind is CellKind.CONCEDES and not cell.value else []
            named = [level for word, level in _LEVELS.items() if word in words]
            if words and not named:
                note = "these words tell no level of resignation; it is read as a single game"
                self.report(Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, cell, note)
            cube = cube_that_counts(self.state.cube, self.state.pending_double)
            if named:
                return min(named[0], highest_win(self.state.rules, self.state.length, cube))
        return Win.SINGLE

    def is_forfeited(self, loser: Player, points: list[int], ends: list[Cell]) -> bool:
        """Whether the game was awarded: the file says so, or no resignation explains the points.

        Points that win the match exactly, or are its length, and that no level of resignation reaches are those of a
        match that was forfeited as a whole. Before the opening roll nobody can resign: there a loser's word is enough.
        """
        length, winner = self.state.length, loser.opponent
        if len(set(points)) > 1 or why_not_award(length, points[0]):
            return False
        opening = self.state.phase is Phase.OPENING
        if self.awarded is not None or (opening and any(end.kind in LOSERS_WORDS for end in ends)):
            return True
        if length is None or points[0] not in (length, length - self.state.score[winner]):
            return False
        return opening or points_if_resigned(self.state, Win.BACKGAMMON) < points[0]

    def forfeit(self, loser: Player, points: int, cell: Cell) -> None:
        """An arbiter's decision."""
        note = f"no play and no resignation gives this result: {loser.title()} forfeits, for {counted(points, 'point')}"
        self.report(Severity.WARNING, FindingKind.FORFEIT, cell, note)
        event = Forfeit(loser, points)
        self.state = event.apply(self.state)
        self.keep(event)

    def find_loser(self, ends: list[Cell], stated: Stated | None, gained: tuple[Player, int] | None) -> Player | None:
        """Who gave the game up.

        The first that tells: the loser's own words, the score of the next game, `????` after a roll, the column of
        `Wins`.
        """
        for cell in ends:
            if cell.kind is not CellKind.WINS and cell.side is not None:
                return cell.side
        if gained is not None:
            return gained[0].opponent
        if self.marked and self.resigner is not None:
            return self.resigner
        if stated is not None and stated.winner is not None:
            return stated.winner.opponent
        return self.resigner if ends else None

    def forfeit_by_comment(self) -> tuple[str | None, Player | None]:
        """The comment "NAME wins by forfeit", if there is one, and who lost by it, if that names one player."""
        names = [name.lstrip(";# ") for name in self.raw.names or ()]
        for comment in self.raw.comments:
            name = comment.removesuffix(WINS_BY_FORFEIT)
            if name != comment and name in names:
                return comment, (tuple(Player)[names.index(name)].opponent if names.count(name) == 1 else None)
        return None, None


def is_resignation_without_roll(cell: Cell, *, ends_here: bool) -> bool:
    """Whether this is `00: ????`, or its beginning before end words, as the last action of a game."""
    return cell.dice == "00" and not cell.play.strip("?") and (ends_here or bool(cell.play))


def stated_end(ends: list[Cell]) -> Stated | None:
    """What the end words of a game say together."""
    if not ends:
        return None
    losers_first = sorted(ends, key=lambda cell: cell.kind is CellKind.WINS)
    winner = next((side for side in map(winner_by, losers_first) if side is not None), None)
    agreeing = [cell for cell in ends if winner_by(cell) in (None, winner)]
    values = [cell.value for kind in END_WORDS for cell in agreeing if cell.kind is kind and cell.value is not None]
    main = next((cell for cell in ends if cell.kind is CellKind.WINS), ends[0])
    points, won = values[0] if values else None, any(cell.and_the_match for cell in ends)
    return Stated(winner, points, won, quoted(main.text), main.row, main.line)


def winner_by(cell: Cell) -> Player | None:
    """Who won by an end word: the player in whose column it stands, or the other one if it is a loser's word."""
    return cell.side if cell.side is None or cell.kind is CellKind.WINS else cell.side.opponent


def contradict(ends: list[Cell], start: MatchState) -> bool:
    """Whether end words name both players as the winner, or different points.

    The points of the winner may be capped, at those still needed or at the match length, where the loser's are not.
    """
    winners = {winner for winner in map(winner_by, ends) if winner is not None}
    won = {cell.value for cell in ends if cell.value is not None and cell.kind is CellKind.WINS}
    lost = {cell.value for cell in ends if cell.value is not None and cell.kind is not CellKind.WINS}
    if len(winners) > 1 or len(won) > 1 or len(lost) > 1:
        return True
    caps = set[int]()
    if start.length is not None:
        caps = {start.length, *(start.length - start.score[winner] for winner in winners)}
    return any(lost and points not in lost and not (points in caps and points < min(lost)) for points in won)


def points_gained(before: tuple[int, int], after: tuple[int, int] | None) -> tuple[Player, int] | None:
    """Who won how much, if exactly one side's score grew."""
    if after is None:
        return None
    white, black = after[0] - before[0], after[1] - before[1]
    if white > 0 and black == 0:
        return Player.WHITE, white
    if black > 0 and white == 0:
        return Player.BLACK, black
    return None


def level_for(state: MatchState, stated: list[int]) -> Win:
    """The level of resignation that gives one of the stated points.

    Points that no level gives mean the lowest level that gives as many; so Galaxy's, which are capped in the last game
    at those still needed, are understood too. Points beyond a backgammon are nonsense and mean a single game.
    """
    values = {level: points_if_resigned(state, level) for level in Win}
    exact = (level for points in stated for level, value in values.items() if value == points)
    at_least = (level for points in stated for level, value in values.items() if value >= points)
    return next(chain(exact, at_least), Win.SINGLE)


def points_if_resigned(state: MatchState, level: Win) -> int:
    """What the winner scores if this level is resigned now, and accepted."""
    cube = cube_that_counts(state.cube, state.pending_double)
    return points_of(state.rules, cube, min(level, highest_win(state.rules, state.length, cube)), 0)


def by_order_of_dice(candidates: tuple[Play, ...], first: int) -> Play:
    """The candidate that starts with the die written first."""
    for play in candidates:
        move = play.moves[0]
        if move.from_point - move.to_point == first:
            return play
    return candidates[0]


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it.

    Raises:
        ParseError: not forty fields, or no numbers where the board should be.
        PositionError: no possible board.
    """
    fields = text.partition("(")[2].rpartition(")")[0].split(";")
    board = [int(value) for value in fields[12:38] if _SMALL_NUMBER.fullmatch(value)]
    if len(fields) < _DUMP_FIELDS or len(board) != 26 or max(map(abs, board)) > 15:
        raise ParseError("an illegal play is followed by a board of forty fields, and this is none")
    return Position.from_points((-abs(board[0]), *board[1:25], abs(board[25])), checkers=checkers)


def position_set_by_hand(text: str, side: Player, checkers: int) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first.

    Raises:
        ParseError: not 26 characters and a cube.
        PositionError: no possible board.
    """
    board, _, exponent = text.partition("/")
    points = tuple(letter_value(letter) for letter in board)
    power = int(exponent or "0") if _SMALL_NUMBER.fullmatch(exponent or "0") else 99
    if len(points) != 26 or None in points or abs(power) > 12:
        raise ParseError("a position set by hand is 26 characters, a slash and the cube, and this is not")
    position = Position.from_points(tuple(value or 0 for value in points), checkers=checkers)
    cube = Cube(1) if not power else Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return SetPosition(position if side is Player.WHITE else position.flip(), side, cube)


def letter_value(letter: str) -> int | None:
    """The checkers that a letter means: upper case the left player's, lower case the right player's."""
    if letter == "-":
        return 0
    if "A" <= letter <= "P":
        return ord(letter) - ord("A") + 1
    if "a" <= letter <= "p":
        return ord("a") - ord(letter) - 1
    return None
