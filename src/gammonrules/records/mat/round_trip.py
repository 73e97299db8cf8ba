"""What was written is read again: a file that says something other than its record is worse than none."""

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
        GammonError: an event breaks the rules, a game is cut, or the format cannot say something.
    """
    return _written_and_read(match)[0]


def lost_in_mat(match: Match) -> tuple[str, ...]:
    """The parts of a record that are missing from its text in the format "mat", or different there.

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
        >>> lost_in_mat(loads(text)), lost_in_mat(loads(text.replace("Wins 1", "Wins 9")))
        ((), ('games[0].stated.points', 'games[0].findings.resign-odd-value'))
    """
    if not isinstance(match, Match):
        raise ArgumentError(f"match must be a Match, not {shown(match, 60)}")
    return tuple(losses(match, _written_and_read(match)[1]))


def _written_and_read(match: Match) -> tuple[str, Match]:
    """The record in canonical form, and what a reader makes of it."""
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

    A game without a result may get one from the end that its file stated.
    """
    mine, other = boards_and_cubes(states), boards_and_cubes(read)
    if states[-1].result is None:
        return mine == other[: len(mine)]
    return mine == other and on_the_table(states[-1]) == on_the_table(read[-1])


def boards_and_cubes(states: list[MatchState]) -> list[tuple[object, ...]]:
    """The states from the first roll on, without repetition, offers to resign and tied opening rolls."""
    live = (state for state in states if state.phase in {Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED})
    played = dropwhile(lambda state: state.phase is Phase.TO_ROLL, live)
    return [shown for shown, _ in groupby(map(on_the_table, played))]
