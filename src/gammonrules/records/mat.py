"""The Jellyfish text family (`.mat`, `.txt`, "Snowie text"): reader and writer.

The reader understands the dialects of BackgammonGalaxy, Backgammon Studio, eXtreme Gammon, GNU Backgammon, Snowie and
of hand-made transcriptions. The writer has one canonical form, which GNU Backgammon imports.
"""

from __future__ import annotations

import attrs

from gammonrules.records._mat_replay import longest_beaver, replay, rules_of
from gammonrules.records._mat_sheet import read_sheet
from gammonrules.records._mat_writer import written
from gammonrules.records.findings import Severity
from gammonrules.records.model import Match
from gammonrules.records.referee import referee


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
    without = replay(sheet, attrs.evolve(rules, jacoby=False))
    return without if _doubts(without) < _doubts(match) else match


def _doubts(match: Match) -> int:
    return sum(finding.severity is not Severity.INFO for finding in referee(match))


def write_mat(match: Match) -> str:
    """The record in canonical form.

    Raises:
        GammonError: an event that the rules forbid, so that no state can be written.
    """
    return written(match)
