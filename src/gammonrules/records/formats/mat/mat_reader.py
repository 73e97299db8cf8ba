"""From a text to a match: the rules that it states, and what is odd about the heads of its games."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import Final

import attrs

from gammonrules.board import START_NAMES, Position, StartName
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.match import Cube, MatchState
from gammonrules.records.formats.mat.board_texts import board_before_first_roll, set_position_text
from gammonrules.records.formats.mat.cells import END_WORDS, CellKind, SheetGame
from gammonrules.records.formats.mat.mat_replay import MatReplay
from gammonrules.records.formats.mat.sheet import Sheet, read_sheets
from gammonrules.records.formats.mat.stated_end import StatedEnd
from gammonrules.records.formats.match_reading import MatchReading, coin_game, longest_run
from gammonrules.records.transcript import FindingKind, FindingLog, Match, Severity, jacoby_decided
from gammonrules.records.transcript.header_tags import (
    RULE_TAGS,
    Tags,
    is_known_rule,
    length_played,
    rules_in_tags,
    split_rating,
    start_named,
    tags_with_ratings,
)
from gammonrules.rules import Rules

_NAMED: Final[dict[Position, StartName]] = {
    Position.start(name): name
    for name in START_NAMES[1:]
    if Position.start(name).checkers == STANDARD_CHECKERS
}
"""The starts that are known by their boards alone."""


def read_parts(text: str) -> tuple[Match, ...]:
    """Read a record, or games without the line that says how long the match is; see `read_mats`."""
    return read_mats(text, is_part=True)


def read_mats(text: str, *, is_part: bool = False) -> tuple[Match, ...]:
    """Read all matches of a text; their defects become findings. Raises ParseError as `read_sheets`."""
    return tuple(map(match_in, read_sheets(text, is_part=is_part)))


def match_in(sheet: Sheet) -> Match:
    """The match of a sheet.

    The file's own tags decide about the Crawford rule, Jacoby, beavers and the cube. In money play without a Jacoby
    tag the rule is taken to hold, unless the stated points fit better without it.
    """
    scores = [game.score or (0, 0) for game in sheet.games]
    length = length_played(sheet.length or None, scores, tuple(sheet.tags))
    # two beavers in a row are a beaver and a raccoon
    beavers = max(map(most_beavers_in_a_row, sheet.games))
    rules = rules_in_tags(sheet.tags, length, beavers)
    start = take_start(sheet, Position.start(rules.start))
    if start is not None:
        rules = attrs.evolve(rules, start=start)
    states_jacoby = any(name.lower() == "jacoby" for name, _ in sheet.tags)
    is_money_play = not sheet.length
    may_have_jacoby = is_money_play and rules.scoring != "pips"
    if states_jacoby or not may_have_jacoby:
        return replay(sheet, length, rules)
    return jacoby_decided(partial(replay, sheet, length), rules)


def most_beavers_in_a_row(game: SheetGame) -> int:
    return longest_run([cell.kind is CellKind.BEAVER for cell in game.cells])


def take_start(sheet: Sheet, usual: Position) -> StartName | None:
    """The start of all games if boards before their first rolls show it; None if they begin as usual, or differently.

    DailyGammon writes such a board as an illegal play of a roll that nobody made: `12: Illegal play (...)`. These cells
    are taken out of the sheet. If the games have no such start in common, their boards are set by hand.
    """
    boards: list[Position | None] = []
    names: set[StartName | None] = set()
    for game in sheet.games:
        board = None
        if game.cells and game.set_position is None:
            board = board_before_first_roll(game.cells[0], usual)
        boards.append(board)
        names.add(None if board is None else _NAMED.get(board))
    common_start = names.pop() if len(names) == 1 else None
    for game, board in zip(sheet.games, boards, strict=True):
        if board is None:
            continue
        cell = game.cells.pop(0)
        sheet.rolls -= 1
        if common_start is None:
            game.set_position = cell._replace(play=set_position_text(board, Cube()))
    return common_start


def replay(sheet: Sheet, length: int | None, rules: Rules) -> Match:
    """The match that a sheet describes, whose games are played to this length."""
    stated_length = sheet.length or None
    coin = coin_game(
        stated_length, played=length, text=f"{stated_length} point match", line=sheet.line
    )
    findings = FindingLog.after([*coin, *sheet.findings])
    report_rules(sheet, findings)
    names, tags = players_in(sheet)
    reading = MatchReading(length, rules, findings)
    for game, following in zip_longest(sheet.games, sheet.games[1:]):
        opening = reading.start(game.index, game, game.score, cube=game.cube)
        if opening is None:
            continue
        start = with_crawford_decided(opening, game, reading)
        report_names(game, names, reading)
        # one game, and after the last perhaps the next one, which was forfeited
        replayed = replay_of(game, following, start, findings).run()
        for number, game_replayed in enumerate(replayed, start=game.index):
            reading.games[number] = game_replayed
    return reading.match(names, stated_length, tags, sheet.comments, "mat", sheet.rolls)


def replay_of(
    game: SheetGame, following: SheetGame | None, start: MatchState, findings: FindingLog
) -> MatReplay:
    """The replay of a game, whose end the score of the following one states too."""
    next_score = None if following is None else following.score
    ending = StatedEnd.of(game, start, next_score, is_last_game=following is None)
    is_score_changed = next_score is not None and next_score != start.score
    has_words = len(ending.words) > 0
    has_forfeit = len(ending.forfeit_winners) > 0
    return MatReplay(
        game.index,
        start=start,
        findings=findings,
        place=game,
        cells=[cell for cell in game.cells if cell.kind not in END_WORDS],
        ending=ending,
        has_end=has_words or has_forfeit or is_score_changed,
        set_position=game.set_position,
        raw=game,
    )


def players_in(sheet: Sheet) -> tuple[tuple[str, str], Tags]:
    """The players, and the tags of the record; ratings that all names end in are tags, those of the first game."""
    tags = tuple(sheet.tags)
    all_names = [game.names for game in sheet.games if game.names is not None]
    first_names = all_names[0] if all_names else ("", "")
    left, left_rating = split_rating(first_names[0])
    right, right_rating = split_rating(first_names[1])
    if left == right or not all(map(end_in_ratings, all_names)):
        return first_names, tags
    players = (left, right)
    return players, tags_with_ratings(tags, players, (left_rating, right_rating))


def end_in_ratings(names: tuple[str, str]) -> bool:
    return all(split_rating(name)[1] for name in names)


def with_crawford_decided(start: MatchState, game: SheetGame, reading: MatchReading) -> MatchState:
    """The start of a game that may come after the Crawford game, if the games before it do not settle that."""
    no_game_is_missing = start.score == reading.score
    if not start.crawford or no_game_is_missing:
        return start
    if any(cell.kind is CellKind.DOUBLE for cell in game.cells):
        return attrs.evolve(start, crawford=False)
    note = "the record does not say whether the Crawford game has been played; this is taken to be the Crawford game"
    reading.report(game.index, game, Severity.INFO, FindingKind.CRAWFORD_ASSUMED, note)
    return start


def report_rules(sheet: Sheet, findings: FindingLog) -> None:
    """Report tags of rules that are not understood, or that contradict each other."""
    stated: dict[str, str] = {}
    for (name, value), line in zip(sheet.tags, sheet.tag_lines, strict=True):
        kind = FindingKind.UNKNOWN_RULE
        note = ""
        rule = name.lower()
        words = value.strip().lower()
        if rule == "variation" and start_named(value) is None:
            kind = FindingKind.UNKNOWN_VARIATION
            note = "this variation is not known, so its games are read as standard ones"
        elif not is_known_rule(rule, words):
            note = "the words of this rule are not known, so the usual rule is used"
        elif rule in RULE_TAGS:
            first_words = stated.setdefault(rule, words)
            if words != first_words:
                note = "the header states this rule twice; the last statement counts"
        if note:
            findings.report(Severity.INFO, kind, note, text=f'{name} "{value}"', line=line)


def report_names(game: SheetGame, names: tuple[str, str], reading: MatchReading) -> None:
    """Report names that are missing, and those of a game that differ from the names of the match."""
    if game.names is None:
        reading.findings.report(
            Severity.ERROR,
            FindingKind.UNREADABLE_LINE,
            "the score line is missing or cannot be read; the score is taken from the games before",
            text=f"Game {game.number}",
            line=game.line,
            game=game.index,
        )
        return
    is_first_game = game.index == 1
    if is_first_game and "" in game.names:
        nameless = "right" if game.names[0] else "left"
        note = f"the {nameless} player has no name"
        reading.report(game.index, game, Severity.INFO, FindingKind.NO_PLAYER_NAME, note)
    first = tuple(name_without_rating(name) for name in names)
    now = tuple(name_without_rating(name) for name in game.names)
    if now == first:
        return
    if have_changed_columns(first, now):
        note = "the players have changed columns since the first game; each column is treated as one player"
        reading.report(game.index, game, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)
    else:
        note = "the first game names different players; each column is treated as one player"
        reading.report(game.index, game, Severity.WARNING, FindingKind.OTHER_PLAYERS, note)


def name_without_rating(name: str) -> str:
    """A name in lower case, without a rating."""
    return split_rating(name.lower())[0]


def have_changed_columns(first: tuple[str, ...], now: tuple[str, ...]) -> bool:
    """Whether one of the players of the first game now stands in the other column."""
    if first[0] == first[1]:
        return False
    left_is_right = first[0] != "" and first[0] == now[1]
    right_is_left = first[1] != "" and first[1] == now[0]
    return left_is_right or right_is_left
