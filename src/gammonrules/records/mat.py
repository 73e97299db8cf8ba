"""The Jellyfish text family (`.mat`, `.txt`, "Snowie text"): reader and writer.

The reader understands the dialects of BackgammonGalaxy, Backgammon Studio, eXtreme Gammon, GNU Backgammon, Snowie and
of hand-made transcriptions. The writer has one canonical form, which GNU Backgammon imports.
"""

from __future__ import annotations

from itertools import dropwhile, groupby

import attrs

from gammonrules.errors import GammonError, ParseError
from gammonrules.match import MatchState, Phase
from gammonrules.records._mat_replay import longest_beaver, replay, rules_of
from gammonrules.records._mat_sheet import read_sheet
from gammonrules.records._mat_writer import effective, written
from gammonrules.records._referee import referee
from gammonrules.records.findings import Kind, Severity
from gammonrules.records.model import Match


def read_mat(text: str) -> Match:
    """Read a record; its defects become findings.

    The file's own tags decide about the Crawford rule, Jacoby, beavers and the cube. In money play without a Jacoby
    tag the rule is taken to hold, unless the stated points fit better without it.

    Raises:
        ParseError: the text holds no match line, or no game.
    """
    sheet = read_sheet(text)
    rules = rules_of(sheet.tags, sheet.length, longest_beaver(sheet))
    match = replay(sheet, rules)
    if match.length is not None or not rules.jacoby or any(name.lower() == "jacoby" for name, _ in sheet.tags):
        return match
    doubts = _doubts(match)
    if not doubts:
        return match
    without = replay(sheet, attrs.evolve(rules, jacoby=False))
    return without if _doubts(without) < doubts else match


def _doubts(match: Match) -> int:
    return sum(finding.severity is not Severity.INFO for finding in referee(match))


def write_mat(match: Match) -> str:
    """The record in canonical form.

    What was written is read again: a file that says something else than the record is worse than none.

    Raises:
        GammonError: an event that the rules forbid, so that no state can be written, a game that is cut, or something
            that the format cannot say.
    """
    for index, game in enumerate(match.games, start=1):
        if game.cut:
            raise GammonError(f"game {index} cannot be written: what follows its events could not be followed")
    replayed = [list(game.states()) for game in match.games]
    text = written(match, replayed)
    try:
        again = read_mat(text)
    except ParseError as error:
        raise GammonError(f"this record cannot be written in this format: {error}") from None
    meant = (match.length, effective(match.rules, match.length), len(match.games))
    if (again.length, again.rules, len(again.games)) != meant:
        raise GammonError("this record cannot be written in this format: its length, rules or games would change")
    for index, (game, states, read) in enumerate(zip(match.games, replayed, again.games, strict=True), start=1):
        if game.number != read.number or not is_same_game(states, list(read.states())):
            raise GammonError(f"game {index} cannot be written in this format: it would be read as another game")
    if any(finding.kind is Kind.UNREADABLE_LINE for finding in again.findings):
        raise GammonError("this record cannot be written in this format: a name, a tag or a comment is too long")
    return text


def is_same_game(states: list[MatchState], read: list[MatchState]) -> bool:
    """Whether a game that was read shows all boards, rolls and cubes of another, and its result.

    A game without a result may have got one, by the end that its own file had stated.
    """
    mine, other = tables(states), tables(read)
    if states[-1].result is None:
        return mine == other[: len(mine)]
    return mine == other and on_the_table(states[-1]) == on_the_table(read[-1])


def tables(states: list[MatchState]) -> list[tuple[object, ...]]:
    """The tables from the first roll on, without repetition, offers to resign and tied opening rolls."""
    live = (state for state in states if state.phase in {Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED})
    played = dropwhile(lambda state: state.phase is Phase.TO_ROLL, live)
    return [table for table, _ in groupby(map(on_the_table, played))]


def on_the_table(state: MatchState) -> tuple[object, ...]:
    """A state without its rules, of which the options that have no effect may differ."""
    return attrs.astuple(state, recurse=False, filter=lambda field, _: field.name != "rules")
