"""Files of JSON that hold a state, a position or a log of events, for the commands that show one match or board."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gammonrules.board import Position
from gammonrules.cli.identifier_argument import read_identifier
from gammonrules.cli.usage_errors import Refused, safe
from gammonrules.errors import ParseError
from gammonrules.identifiers.internals import DoubledTurn
from gammonrules.match import MatchState
from gammonrules.values import shown

if TYPE_CHECKING:
    from gammonrules.records import Match

_WHAT_SHOW_DRAWS: Final = (
    "show draws an identifier, or a file of JSON with a state, a position or a log of events"
)
_NAME_OF_FILE: Final = re.compile(r"[^:=]{1,4000}\.[A-Za-z][A-Za-z0-9]{0,9}")
"""A text that is the name of a file rather than an identifier."""


def read_viewed(path: str, encoding: str | None) -> Match:
    """The only match in a file, or the match of a saved state or log; doubts go to standard error. Raises Refused."""
    from gammonrules import records
    from gammonrules.records.archive import content_of
    from gammonrules.records.formats import match_from

    with _refusing_file():
        content = content_of(Path(path))
        try:
            return records.loads(content, encoding=encoding)
        except ParseError:
            saved = _saved_in(content, encoding)
            if saved is None:
                raise
        if isinstance(saved, Position):
            raise Refused("a position is not a match: gammonrules show draws it")
        return match_from(saved) if isinstance(saved, MatchState) else saved


def read_shown(identifier: str, doubled_turn: DoubledTurn) -> Position | MatchState:
    """What an identifier describes, or else a file of JSON: the state after the last event of a log.

    Doubts go to standard error. Raises Refused.
    """
    is_there = os.path.lexists(identifier)
    try:
        return read_identifier(identifier, doubled_turn)
    except Refused as refusal:
        if is_there:
            return _state_in_file(identifier)
        if _NAME_OF_FILE.fullmatch(identifier):
            name = shown(identifier, 60)
            raise Refused(f"there is no file {name}: {_WHAT_SHOW_DRAWS}") from None
        if ":" in identifier or "=" in identifier:
            raise
        also = "there is no file of this name, either"
        raise Refused(f"{refusal.message}; {also}: {_WHAT_SHOW_DRAWS}") from None


def _state_in_file(path: str) -> MatchState | Position:
    """The state or the position in a file, or at the end of its log. Raises Refused."""
    from gammonrules.records.archive import content_of

    try:
        with _refusing_file():
            content = content_of(Path(path))
            saved = _saved_in(content)
            if saved is None:
                raise _without_state(content)
    except Refused as refusal:
        raise Refused(f"{path}: {refusal.message}") from None
    return saved if isinstance(saved, (MatchState, Position)) else saved.games[-1].final()


def _without_state(content: bytes) -> Refused:
    """The refusal of a file that holds something else: a match, or what the reader of matches names."""
    from gammonrules import records

    try:
        records.loads(content)
    except ParseError as error:
        return Refused(f"{error}; {_WHAT_SHOW_DRAWS}")
    return Refused(f"this is a match, which gammonrules view shows; {_WHAT_SHOW_DRAWS}")


def _saved_in(content: bytes, encoding: str | None = None) -> Match | MatchState | Position | None:
    """What a program has saved as JSON, or None; doubts go to standard error. Raises ParseError."""
    from gammonrules.records.formats import read_saved_record

    saved = read_saved_record(content, encoding)
    if saved is not None and not isinstance(saved, (MatchState, Position)):
        for finding in saved.findings:
            click.echo(safe(f"Warning: {finding.explanation}"), err=True)
    return saved


@contextmanager
def _refusing_file() -> Generator[None]:
    """A block that reads a file, whose errors end the run with a sentence about it."""
    from gammonrules.records.archive import sentence

    try:
        yield
    except OSError as error:
        raise Refused(sentence(error)) from None
    except ValueError as error:  # of ours, or of a path that the system does not take
        raise Refused(str(error)) from None
