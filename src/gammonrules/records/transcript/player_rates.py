"""The error rates of players in many matches, by name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from gammonrules._shared.checked_fields import each_of
from gammonrules.analysis import Level
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.records.transcript.matches import Match, games_to_rate
from gammonrules.records.transcript.statistics import ErrorRate, merged, rated
from gammonrules.values import printable, shown


def error_rates(
    matches: Iterable[Match],
    rule: str = "xg",
    *,
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
    aliases: Mapping[str, str] | None = None,
) -> dict[str, ErrorRate]:
    """The error rates of the players of many matches, by name.

    A player is whoever has the same name, letter by letter, unless `aliases` says more; `similar_names` proposes pairs.
    Who has no name, or that of their opponent, is another person in each match, such as "white of match 3".

    Args:
        matches: the matches, which are counted from 1.
        rule: as for `Match.error_rates`.
        analyzed_by: as there.
        analysis_level: as there.
        aliases: the name to count a player under, by each other name in the records.

    Raises:
        ArgumentError: as by `Match.error_rates`, also if it is two matches that were analyzed by two engines or at two
            levels; matches have analyses, but none has one of that engine or level; or an argument has the wrong type.
        GammonError: an event breaks the rules.

    Examples:
        >>> from gammonrules import records
        >>> scanned = records.scan("examples/matches/xg")
        >>> rates = records.error_rates(entry.match for entry in scanned if entry.match)
        >>> for name, rate in rates.items():
        ...     print(f"{name}: {rate.pr:.2f}, {rate.decisions} decisions")
        charlot1: 0.39, 90 decisions
        charlot2: 0.41, 80 decisions
        Kévin Unger: 7.79, 162 decisions
        Maxence Job: 13.87, 140 decisions
    """
    by_name = dict[str, list[ErrorRate]]()
    listed_as = checked_aliases(aliases)
    has_analysis_as_asked = False
    refusals: list[str] = []
    for number, match in enumerate(each_of(Match, "matches", matches), start=1):
        answer = rated(
            games_to_rate(match.games),
            rule=rule,
            analyzed_by=analyzed_by,
            analysis_level=analysis_level,
        )
        if answer.has_analysis_as_asked:
            has_analysis_as_asked = True
        if answer.why_not_as_asked:
            refusals.append(answer.why_not_as_asked)
        players = players_of(match, listed_as, f"match {number}")
        for name, rate in zip(players, answer.rates, strict=True):
            by_name.setdefault(name, []).append(rate)
    if refusals and not has_analysis_as_asked:
        raise ArgumentError(refusals[0])
    return merged(by_name)


def players_of(match: Match, names: Mapping[str, str], where: str) -> list[str]:
    """The names under which White and Black are counted: nobody else's, where they have no name, or the same one."""
    white, black = (names.get(name, name) for name in match.players)
    if white == black:
        white = ""
        black = ""
    return [white or unnamed(Player.WHITE, where), black or unnamed(Player.BLACK, where)]


def unnamed(player: Player, where: str) -> str:
    """The name under which a player without one is counted; `where` is the file."""
    return f"{player} of {where}"


def name_in_mat(name: str) -> str:
    """A name as match text can have it: a colon would break its line, so it becomes a dot."""
    return printable(name).replace(":", ".").strip()


def with_player_as_asked(names: Sequence[str], player: str | None) -> Pair[str]:
    """The names of White and Black, with the name of this player as it was asked for.

    Match text cannot have a colon, so a name with dots may be that of a player with colons, and the other way round.
    A name that equals that of the player comes first. If both names may be meant, neither counts.
    """
    if not player or player in names:
        return Pair(names)
    is_player = [name_in_mat(name) == player or name == name_in_mat(player) for name in names]
    if all(is_player):
        return Pair(names)
    return Pair(
        [player if is_asked else name for name, is_asked in zip(names, is_player, strict=True)]
    )


def seat_of_player(names: Sequence[str], player: str | None) -> Player | None:
    """The side of the player who is asked for, by the names of White and Black; None if it is neither of them."""
    for seat, name in zip(Player, with_player_as_asked(names, player), strict=True):
        if name == player:
            return seat
    return None


def checked_aliases(aliases: Mapping[Any, Any] | None) -> Mapping[str, str]:
    """The names under which players are listed, by the names in records. Raises ArgumentError if they are no names."""
    if aliases is None:
        return {}
    is_mapping = isinstance(aliases, Mapping)
    if not is_mapping or not all(
        isinstance(name, str) for name in chain(aliases, aliases.values())
    ):
        raise ArgumentError(
            f"aliases must be a mapping from names to names, not {shown(aliases, 60)}"
        )
    return aliases


def similar_names(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Names that may belong to one person.

    They are equal but for case, accents, blanks and punctuation, and for initials at the end. So "Lasse" is in a group
    with "Lasse M.", and in another group with "Lasse K.".

    Raises:
        ArgumentError: `names` is not a series, or a name is not a string.

    Examples:
        >>> from gammonrules.records import similar_names
        >>> similar_names(["Kévin UNGER", "Kevin Unger", "Ann", "ann_", "Ann K."])
        [('Kévin UNGER', 'Kevin Unger'), ('Ann', 'ann_', 'Ann K.')]
    """
    by_letters: dict[str, dict[str, None]] = {}  # each name once
    if isinstance(names, Mapping):  # as `error_rates` returns
        names = [*names]
    for name in each_of(str, "names", names):
        letters = letters_of(name)
        if letters:
            by_letters.setdefault(letters, {})[name] = None
    with_initials: dict[str, list[dict[str, None]]] = {}  # by their letters without the initials
    for letters, alike in by_letters.items():
        for shorter in {_letters_without_initials(name) for name in alike} - {letters}:
            with_initials.setdefault(shorter, []).append(alike)
    groups: list[tuple[str, ...]] = []
    for letters, alike in by_letters.items():
        groups += [(*alike, *longer) for longer in with_initials.get(letters, [{}])]
    return [group for group in groups if len(group) > 1]


def _letters_without_initials(name: str) -> str:
    """The letters of a name without initials at its end: those of "Lasse" for "Lasse M."."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", name))
    while words and len(words[-1]) == 1 and words[-1].isalpha():
        words.pop()
    return letters_of("".join(words))


def letters_of(name: str) -> str:
    """The letters of a name without case, accents, blanks and punctuation."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name.casefold())))
