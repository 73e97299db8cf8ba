"""What was written, read again: a file that says something else than its record is worse than none."""

from __future__ import annotations

from itertools import dropwhile, groupby

from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.match import MatchState, Phase
from gammonrules.records.findings import FindingKind
from gammonrules.records.mat.losses import losses, on_the_table
from gammonrules.records.mat.reading import read_mat
from gammonrules.records.mat.rule_tags import effective
from gammonrules.records.mat.writing import written
from gammonrules.records.model import Match
from gammonrules.values import shown


def write_mat(match: Match) -> str:
    """The record in canonical form.

    Raises:
        GammonError: an event that the rules forbid, so that no state can be written, a game that is cut, or something
            that the format cannot say.
    """
    return _written_and_read(match)[0]


def lost_in_mat(match: Match) -> tuple[str, ...]:
    """The parts of a record that its text in the format "mat" does not carry, or says otherwise.

    It is empty exactly if reading what `dumps` writes gives the same players, rules, tags, comments, events and
    results, the same statements about the ends of the games, and the same findings of the referee (but for
    `UNFINISHED_GAME`, which only a reader reports).

    The points of an end are written as GNU Backgammon needs them, which is the full value at this cube; so points that
    a program had capped or got wrong are `stated.points` here, and the finding about them is gone from the new file.

    Args:
        match: what is to be written.

    Returns:
        Names of fields, those of the rules as `rules.jacoby` and those of a game as `games[0].events`, where games are
        counted as in `match.games`. Findings that come or go are named by their kind, as
        `games[2].findings.capped-points`. What belongs to the layout of a file only (row numbers, the words of an end,
        the order of tags) does not count.

    Raises:
        ArgumentError: `match` is not a `Match`.
        GammonError: a record that `dumps` refuses, with its reason.

    Examples:
        >>> from gammonrules.records import loads
        >>> text = '''1 point match
        ...  Game 1
        ...  Ann : 0                         Bob : 0
        ...   1) 31: 8/5 6/5                 62: ????
        ...       Wins 1 point and the match
        ... '''
        >>> lost_in_mat(loads(text)), lost_in_mat(loads(text.replace("Wins 1", "Wins 9")))
        ((), ('games[0].stated.points', 'games[0].findings.resign-odd-value'))
    """
    if not isinstance(match, Match):
        raise ArgumentError(f"what can be written is a Match, not {shown(match, 60)}")
    return tuple(losses(match, _written_and_read(match)[1]))


def _written_and_read(match: Match) -> tuple[str, Match]:
    """The record in canonical form, and what a reader makes of it.

    What was written is read again: a file that says something else than the record is worse than none.
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
    if len(again.games) != len(match.games):
        counts = f"only {len(again.games):,} of its {len(match.games):,} games would be read"
        raise GammonError(f"this record cannot be written in this format: {counts}")
    if (again.length, again.rules) != (match.length, effective(match.rules, match.length)):
        raise GammonError("this record cannot be written in this format: its length or rules would change")
    for index, (game, states, read) in enumerate(zip(match.games, replayed, again.games, strict=True), start=1):
        if game.number != read.number or not is_same_game(states, list(read.states())):
            raise GammonError(f"game {index} cannot be written in this format: it would be read as another game")
    if any(finding.kind is FindingKind.UNREADABLE_LINE for finding in again.findings):
        raise GammonError("this record cannot be written in this format: a name, a tag or a comment is too long")
    return text, again


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
