"""What was written is read back: a file that differs from its record is worse than none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import dropwhile, groupby

from gammonrules.errors import GammonError, ParseError
from gammonrules.match import MatchState, Phase
from gammonrules.records.findings import FindingKind
from gammonrules.records.formats.lost_parts import on_the_table
from gammonrules.records.formats.rule_tags import effective
from gammonrules.records.model import Match, length_of_games


def written_and_read(
    match: Match, write: Callable[[Match, list[list[MatchState]]], str], read: Callable[[str], Match]
) -> tuple[str, Match]:
    """The text of a record, and what a reader makes of it; `write` gets the states of each game as well.

    Raises:
        GammonError: an event breaks the rules, a game is cut, or the format cannot say something.
    """
    replayed = _replayed_games(match)
    text = write(match, replayed)
    return text, _read_again(match, replayed, text, read)


def _replayed_games(match: Match) -> list[list[MatchState]]:
    """The states of each game.

    Raises:
        GammonError: an event breaks the rules, or a game is cut.
    """
    for index, game in enumerate(match.games, start=1):
        if game.cut:
            raise GammonError(f"game {index} cannot be written: part of it could not be replayed")
    return [list(game.states()) for game in match.games]


def _read_again(match: Match, replayed: list[list[MatchState]], text: str, read: Callable[[str], Match]) -> Match:
    """The record that is read back from its text: it must have the same games under the same rules.

    Raises:
        GammonError: it is not.
    """
    try:
        again = read(text)
    except ParseError as error:
        raise GammonError(f"this record cannot be written in this format: {error}") from None
    if len(again.games) != len(match.games):
        counts = f"only {len(again.games):,} of its {len(match.games):,} games would be read back"
        raise GammonError(f"this record cannot be written in this format: {counts}")
    length = length_of_games(match)
    if (length_of_games(again), again.rules) != (length, effective(match.rules, length)):
        raise GammonError("this record cannot be written in this format: its length or rules would change")
    for index, (game, states, other) in enumerate(zip(match.games, replayed, again.games, strict=True), start=1):
        if game.number != other.number or not is_same_game(states, list(other.states())):
            raise GammonError(
                f"game {index} cannot be written in this format: it would be read back as a different game"
            )
    if any(finding.kind is FindingKind.UNREADABLE_LINE for finding in again.findings):
        raise GammonError("this record cannot be written in this format: a name, a tag or a comment is too long")
    return again


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
