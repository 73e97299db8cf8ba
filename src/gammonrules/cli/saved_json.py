"""Files of JSON that hold a state, a position or a log of events, for the commands that show one match or board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammonrules._shared.disk_files import beginning, ordinary_file
from gammonrules.board import Position
from gammonrules.cli.refusals import Refused, refusing, safe
from gammonrules.match import MatchState

if TYPE_CHECKING:
    from gammonrules.records import Match


def saved_match(path: str) -> Match | None:
    """The match of a state or of a log of events; None for any other file. Raises Refused."""
    from gammonrules.records.formats import match_from

    saved = _saved_value(path)
    if isinstance(saved, Position):
        raise Refused("a position is not a match: gammonrules show draws it")
    if not isinstance(saved, MatchState):
        return saved
    with refusing():
        return match_from(saved)


def saved_state(path: str) -> MatchState | Position | None:
    """The state or the position in a file, or at the end of its log; None if there is no such file. Raises Refused."""
    try:
        if not Path(path).is_file():
            return None
    except (OSError, ValueError):  # an identifier may be no path
        return None
    saved = _saved_value(path)
    if saved is None:
        known = "an identifier, or a file of JSON with a state, a position or a log of events"
        raise Refused(f"{path}: show draws {known}; for a match, use gammonrules view")
    if isinstance(saved, (MatchState, Position)):
        return saved
    return saved.games[-1].final()


def _saved_value(path: str) -> Match | MatchState | Position | None:
    """What a file has as JSON; doubts go to standard error. None for a match, and for a file that is not JSON."""
    from gammonrules.records.formats import (
        LARGEST_RECORD,
        is_other_json,
        read_saved_json,
        text_of,
        too_large,
    )

    try:
        with ordinary_file(Path(path)) as file:
            content = beginning(file, LARGEST_RECORD + 1)
        text = text_of(content)
    except (OSError, ValueError):  # the reader of matches reports why
        return None
    if not is_other_json(text):
        return None
    with refusing():
        if len(content) > LARGEST_RECORD:
            raise too_large(LARGEST_RECORD)
        saved = read_saved_json(text)
    if not isinstance(saved, (MatchState, Position)):
        for finding in saved.findings:
            click.echo(safe(f"Warning: {finding.explanation}"), err=True)
    return saved
