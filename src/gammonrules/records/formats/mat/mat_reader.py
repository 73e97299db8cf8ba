"""From a text to a match: the rules that it states, and what is odd about the heads of its games."""

from __future__ import annotations

from functools import partial
from typing import Final

import attrs

from gammonrules.board import Position, StartName
from gammonrules.match import MatchState
from gammonrules.records.formats.mat.cell_replay import (
    HiddenPlays,
    board_before_play,
    text_of_board,
)
from gammonrules.records.formats.mat.cells import END_WORDS, CellKind, SheetGame
from gammonrules.records.formats.mat.mat_replay import MatReplay, forfeit_by_comment
from gammonrules.records.formats.mat.sheet import Sheet, read_sheets
from gammonrules.records.formats.match_reading import MatchReading, RawGame, coin_game, longest_run
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
    Position.start(name): name for name in ("nackgammon", "longgammon")
}


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
    start = start_of_boards(sheet)
    scores = [raw.score or (0, 0) for raw in sheet.games]
    length = length_played(sheet.length or None, scores, tuple(sheet.tags))
    # two beavers in a row are a beaver and a raccoon
    beavers = longest_run(
        cell.kind is CellKind.BEAVER for game in sheet.games for cell in game.cells
    )
    rules = rules_in_tags(sheet.tags, length, beavers)
    if start is not None:
        rules = attrs.evolve(rules, start=start)
    if (
        sheet.length
        or rules.scoring == "pips"
        or any(name.lower() == "jacoby" for name, _ in sheet.tags)
    ):
        return replay(sheet, length, most=1, rules=rules)
    return jacoby_decided(partial(replay, sheet, length, 2), rules)


def start_of_boards(sheet: Sheet) -> StartName | None:
    """The start that all games have by a board before the first roll; where it has no name, the boards are set by hand.

    DailyGammon writes it as an illegal play of a roll that nobody made: `12: Illegal play (...)`.
    """
    boards = [board_before_play(game.cells[0]) if game.cells else None for game in sheet.games]
    names: set[StartName | None] = {
        _NAMED.get(board) if board is not None else None for board in boards
    }
    name = names.pop() if len(names) == 1 else None
    for game, board in zip(sheet.games, boards, strict=True):
        if board is not None:
            cell = game.cells.pop(0)
            sheet.rolls -= 1
            if name is None:
                game.set_position = cell._replace(play=text_of_board(board))
    return name


def replay(sheet: Sheet, length: int | None, most: int, rules: Rules) -> Match:
    """The match that a sheet describes, whose games are played to this length, as often as `most` times."""
    stated = sheet.length or None
    coin = coin_game(stated, played=length, text=f"{stated} point match", line=sheet.line)
    findings = FindingLog.after([*coin, *sheet.findings])
    report_rules(sheet, findings)
    names, tags = players_in(sheet)
    raw_games = [RawGame(game, game, game.score, cube=game.cube) for game in sheet.games]
    reading = MatchReading(raw_games, length, rules, findings)
    hidden = HiddenPlays.of(sheet.characters // most, len(sheet.games))
    for index, raw, start in reading.starts():
        game = raw.source
        next_score = reading.stated_score(index + 1)
        decided = with_crawford_decided(start, game, reading)
        report_names(game, names, reading)
        cells = [cell for cell in game.cells if cell.kind not in END_WORDS]
        is_awarded = bool(forfeit_by_comment(game)[1])
        has_end = (
            is_awarded or len(cells) < len(game.cells) or next_score not in (None, decided.score)
        )
        # after the last game perhaps one that was forfeited
        games = MatReplay(
            game.index,
            start=decided,
            findings=findings,
            place=raw.heading,
            cells=cells,
            ends_here=has_end,
            raw=game,
            next_score=next_score,
            hidden=hidden,
            last=game is sheet.games[-1],
        ).run()
        reading.games.update(enumerate(games, start=index))
    return reading.match(names, stated, tags, sheet.comments, "mat", sheet.rolls)


def players_in(sheet: Sheet) -> tuple[tuple[str, str], Tags]:
    """The players, and the tags of the record; ratings that all names end in are tags, those of the first game."""
    all_names = [raw.names for raw in sheet.games if raw.names is not None] or [("", "")]
    (left, left_rating), (right, right_rating) = map(split_rating, all_names[0])
    if left == right or not all(split_rating(name)[1] for names in all_names for name in names):
        return all_names[0], tuple(sheet.tags)
    return (left, right), tags_with_ratings(
        tuple(sheet.tags), (left, right), (left_rating, right_rating)
    )


def with_crawford_decided(
    start: MatchState, raw: SheetGame, reading: MatchReading[SheetGame]
) -> MatchState:
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
        kind = FindingKind.UNKNOWN_RULE
        note = None
        rule = name.lower()
        words = value.strip().lower()
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
        note = (
            "the score line is missing or cannot be read; the score is taken from the games before"
        )
        reading.findings.report(
            Severity.ERROR,
            FindingKind.UNREADABLE_LINE,
            note,
            text=f"Game {raw.number}",
            line=raw.line,
            game=raw.index,
        )
    elif raw.index == 1 and not all(raw.names):
        note = f"the {'right' if raw.names[0] else 'left'} player has no name"
        reading.report(raw.index, Severity.INFO, FindingKind.NO_PLAYER_NAME, note)
    first, now = (
        [split_rating(name.lower())[0] for name in pair] for pair in (names, raw.names or names)
    )
    if first[0] != first[1] and ("" != first[0] == now[1] or "" != first[1] == now[0]):
        note = "the players have changed columns since the first game; each column is treated as one player"
        reading.report(raw.index, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)
    elif now != first:
        note = "the first game names different players; each column is treated as one player"
        reading.report(raw.index, Severity.WARNING, FindingKind.OTHER_PLAYERS, note)
