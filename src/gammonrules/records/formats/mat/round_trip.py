"""The writer, and what its text leaves out."""

from __future__ import annotations

from gammonrules.errors import ArgumentError
from gammonrules.records.formats.lost_parts import losses
from gammonrules.records.formats.mat.mat_reader import read_mat
from gammonrules.records.formats.mat.mat_writer import written
from gammonrules.records.formats.round_trips import written_and_read
from gammonrules.records.model import Match
from gammonrules.values import shown


def write_mat(match: Match) -> str:
    """The record in canonical form.

    Raises:
        GammonError: an event breaks the rules, a game is cut, or the format cannot say something.
    """
    return _written_and_read(match)[0]


def lost_in_mat(match: Match) -> tuple[str, ...]:
    """The parts of a record that are left out or changed in its text in the format "mat".

    The result is empty exactly if reading what `dumps` writes gives the same players, rules, tags, comments, events and
    results, the same statements about the ends of the games, and the same findings of the referee (except
    `UNFINISHED_GAME`, which only a reader reports), and there are no analyses and no remarks about events.

    Points are written as GNU Backgammon needs them, at their full value. If a program had capped them or got them
    wrong, `stated.points` is among the results, and the finding about them is gone from the new file.

    Args:
        match: the record.

    Returns:
        Names of fields: `rules.jacoby` for an option of the rules, `games[0].events` for a field of a game, with the
        index in `match.games`, and `games[2].findings.capped-points` for a kind of finding that appears or disappears.
        The mere layout of a file (row numbers, the words of an end, the order of tags) does not count.

    Raises:
        ArgumentError: `match` is not a `Match`.
        GammonError: `dumps` refuses the record; the message gives the reason.

    Examples:
        >>> from gammonrules.records import loads
        >>> text = '''1 point match
        ...  Game 1
        ...  Ann : 0                         Bob : 0
        ...   1) 31: 8/5 6/5                 62: ????
        ...       Wins 1 point and the match
        ... '''
        >>> other = text.replace("Wins 1", "Wins 9")
        >>> lost_in_mat(loads(text)), lost_in_mat(loads(other))
        ((), ('games[0].stated.points', 'games[0].findings.resign-odd-value'))
    """
    if not isinstance(match, Match):
        raise ArgumentError(f"match must be a Match, not {shown(match, 60)}")
    return tuple(losses(match, _written_and_read(match)[1]))


def _written_and_read(match: Match) -> tuple[str, Match]:
    """The record in canonical form, and the record that is read back."""
    return written_and_read(match, written, read_mat)
