"""The writer, and what its text leaves out."""

from __future__ import annotations

from gammonrules.errors import ArgumentError
from gammonrules.records.formats.lost_parts import losses
from gammonrules.records.formats.round_trips import written_and_read
from gammonrules.records.formats.sgf.sgf_reader import read_sgf
from gammonrules.records.formats.sgf.sgf_writer import written
from gammonrules.records.model import Match
from gammonrules.values import shown


def write_sgf(match: Match) -> str:
    """The record in canonical form.

    Raises:
        GammonError: an event breaks the rules, a game is cut, or the format cannot say something.
    """
    return _written_and_read(match)[0]


def lost_in_sgf(match: Match) -> tuple[str, ...]:
    """The parts of a record that are left out or changed in its text as GNU Backgammon's SGF.

    The result is empty exactly if reading what `dumps` writes gives the same players, rules, tags, comments, events and
    results, the same statements about the ends of the games, the same analyses and remarks, and the same findings of
    the referee (except those that only a reader makes).

    Tags and rules without a property of their own go into the comment about the match, where GNU Backgammon also keeps
    them. Analyses are written if they came from SGF; those of other formats are lost. Points are written at their full
    value; offers to resign that were declined, and tied opening rolls, cannot be written.

    Args:
        match: the record.

    Returns:
        Names of fields, as for `lost_in_mat`.

    Raises:
        ArgumentError: `match` is not a `Match`.
        GammonError: `dumps` refuses the record; the message gives the reason.

    Examples:
        >>> from gammonrules.records import load
        >>> lost_in_sgf(load("tests/data/matches/sgf/test.sgf"))
        ()
    """
    if not isinstance(match, Match):
        raise ArgumentError(f"match must be a Match, not {shown(match, 60)}")
    return tuple(losses(match, _written_and_read(match)[1]))


def _written_and_read(match: Match) -> tuple[str, Match]:
    """The record in canonical form, and the record that is read back."""
    return written_and_read(match, written, read_sgf)
