"""Spellings of one name: who sits at the terminal is asked about them once, and the answers are kept in a file."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Final

import click
from attrs import Factory, define, frozen

from gammonrules._shared.disk_files import beginning, ordinary_file
from gammonrules.analysis.internals import harmless
from gammonrules.cli.console import is_at_terminal
from gammonrules.cli.output import write_file
from gammonrules.cli.usage_errors import Refused, safe
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.records import similar_names
from gammonrules.records.archive import ALIASES_HEAD

_FILE: Final = "aliases.txt"
_MAX_SIZE: Final = 1_000_000
_MAX_ASKED: Final = 20
"""Questions of a run."""
_ONE: Final = "one player"
_TWO: Final = "two players"


@frozen
class _Answer:
    """Whether two names are those of one player."""

    names: frozenset[str]
    is_one: bool


@define
class Aliases:
    """What is known of the spellings of names, in a folder and from the command line."""

    path: Path
    typed: Sequence[tuple[str, str]]
    """The pairs of --alias."""
    answers: list[_Answer] = Factory(list[_Answer])

    @classmethod
    def in_folder(cls, folder: Path, typed: Sequence[tuple[str, str]]) -> Aliases:
        """Those that are kept there. Raises Refused if the file is none of ours, or has a line that is no answer."""
        path = folder / _FILE
        aliases = cls(path, typed)
        if not path.is_file():
            return aliases
        try:
            with ordinary_file(path) as file:
                content = beginning(file, _MAX_SIZE + 1)
            lines = content.decode().split("\n")
        except (OSError, ValueError) as error:
            raise Refused(f"{path} cannot be read: {error}") from None
        if len(content) > _MAX_SIZE:
            raise Refused(f"{path} is larger than {_MAX_SIZE:,} bytes")
        if lines[0].rstrip("\r").encode() != ALIASES_HEAD:
            raise Refused(f"{path} was not written by gammonrules: it begins with another line")
        for number, line in enumerate(lines[1:], start=2):
            words, *names = line.rstrip("\r").split("\t")
            if words in {_ONE, _TWO} and len(names) == 2:
                aliases.answers.append(_Answer(frozenset(names), words == _ONE))
            elif line.strip():
                raise Refused(f'{path}, line {number}: expected "{_ONE}" or "{_TWO}" and two names')
        return aliases

    def ask(self, names: Iterable[str], player: str | None) -> None:
        """Ask about the names that are alike, of one player or of all, and keep the answers.

        Without a terminal one line tells what would join them.
        """
        groups = [self._unanswered(group, player) for group in names_to_join(names)]
        if not is_at_terminal():
            # each name once, so that all hints about a group can be typed together
            hints = chain.from_iterable(dict(pairs).items() for pairs in groups)
            for pair in islice(dict.fromkeys(hints), _MAX_ASKED):
                click.echo(safe(hint_to_join(pair)), err=True)
            return
        for first, second in islice(dict.fromkeys(chain.from_iterable(groups)), _MAX_ASKED):
            if any({first, second} <= {*group} for group in self._groups()):
                continue  # as the answers so far say
            is_one = click.confirm(
                safe(f"Are {first} and {second} one player?"), default=False, err=True
            )
            self.answers.append(_Answer(frozenset({first, second}), is_one))
            write_file(self.path, self._text())

    def listed_as(self, player: str | None) -> dict[str, str]:
        """The name to list a player under, by each other name: that which is asked for comes first, then --alias."""
        answered = [(name, group[0]) for group in self._groups() for name in group[1:]]
        return names_joined([*answered, *self.typed], player)

    def _groups(self) -> list[list[str]]:
        """The names that are of one player, together."""
        group_of: dict[str, list[str]] = {}
        for answer in self.answers:
            if not answer.is_one:
                continue
            larger, *smaller = sorted(
                [group_of.setdefault(name, [name]) for name in sorted(answer.names)],
                key=len,
                reverse=True,
            )
            for group in smaller:
                if group is not larger:
                    larger += group
                    group_of |= dict.fromkeys(group, larger)
        return [*{id(group): group for group in group_of.values()}.values()]

    def _unanswered(self, group: Sequence[str], player: str | None) -> list[tuple[str, str]]:
        """The pairs of names that are alike. A player who is asked for comes second, so that their name is listed."""
        answered = {answer.names for answer in self.answers}
        pairs: list[tuple[str, str]] = []
        for first, second in combinations(group, 2):
            is_asked_for = player is None or player in (first, second)
            if is_asked_for and frozenset([first, second]) not in answered:
                pairs.append((second, first) if first == player else (first, second))
        return pairs

    def _text(self) -> str:
        lines = [
            "\t".join([_ONE if answer.is_one else _TWO, *sorted(answer.names)])
            for answer in self.answers
        ]
        return "\n".join([ALIASES_HEAD.decode(), *lines, ""])


def names_joined(pairs: Iterable[tuple[str, str]], player: str | None) -> dict[str, str]:
    """The name to list a player under, by each other name. The second of a pair is listed, but for the player's."""
    listed: dict[str, str] = {}
    for name, second in pairs:
        heads = {listed.get(name, name), listed.get(second, second)}
        head = second if len(heads) == 1 else listed.get(second, second)
        listed |= {name: head, second: head}
        listed = {each: head if known in heads else known for each, known in listed.items()}
    if player in listed:
        head = listed[player]
        listed = {each: player if known == head else known for each, known in listed.items()}
    return {name: head for name, head in listed.items() if name != head}


def names_to_join(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The names that are alike, of those that can be typed as they are shown."""
    return similar_names(filter(_can_be_kept, names))


def hint_to_join(names: Sequence[str]) -> str:
    """The option that counts the first of two names as the second."""
    return f"perhaps one player: --alias {shlex.join(names)}"


def _can_be_kept(name: str) -> bool:
    """Whether it is shown as it is, on one line."""
    return harmless(name, MAX_NAME_LENGTH) == name
