"""Who plays in an arena, by number: who has joined, left, begun anew, or was dropped."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import shown, suggestion


@define(eq=False)
class Roster:
    """The players of an arena by number, in the order in which they joined. No number is used twice.

    Who begins anew gets another number under the same name; the games of the old one stay, and count no longer.

    Attributes:
        names: of all of them, also of those who have left.
        codes: a checksum of each player's code; None where it is not known.
        left: the numbers of those who have left.
        dropped: why players were dropped, by their numbers.
    """

    names: list[str] = field(factory=list)
    codes: list[int | None] = field(factory=list)
    left: set[int] = field(factory=set)
    dropped: dict[int, str] = field(factory=dict)

    @property
    def present(self) -> list[int]:
        """The numbers of those who play."""
        return [number for number in range(len(self.names)) if self.is_present(number)]

    def is_present(self, number: int) -> bool:
        """Whether this one plays."""
        return number not in self.left and number not in self.dropped

    def number_of(self, name: str) -> int | None:
        """The number of a player, the last one under this name."""
        for number in reversed(range(len(self.names))):
            if self.names[number] == name:
                return number
        return None

    def join(self, name: str, code: int | None) -> None:
        """A further player; who had this name before has left."""
        former = self.number_of(name)
        if former is not None:
            self.left.add(former)
        self.names.append(name)
        self.codes.append(code)

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """The players who were dropped, and why, without those who have left since, or begun anew."""
        return tuple(
            (self.names[number], why)
            for number, why in self.dropped.items()
            if number not in self.left
        )


@define(eq=False)
class RosterEntry:
    """Who is to play, as the caller says: those who are named, who leaves, and who begins anew."""

    names: tuple[str, ...]
    codes: tuple[int | None, ...]
    exclude: Sequence[str] = ()
    rerun: Sequence[str] = ()

    def check(self, *, has_file: bool) -> None:
        """Raise ArgumentError if one option contradicts another, or if there is no file that it needs."""
        for option, named in (("exclude", self.exclude), ("rerun", self.rerun)):
            if named and not has_file:
                raise ArgumentError(f"{option} needs save: it is about the players of a file")
        for name in self.exclude:
            if name in self.names:
                raise ArgumentError(f"exclude: {shown(name, 100)} is among the players")
        for name in self.rerun:
            if name not in self.names:
                near = suggestion(name, self.names)
                raise ArgumentError(f"rerun: {shown(name, 100)} is not among the players{near}")

    def new_roster(self) -> Roster:
        """The roster of these players alone."""
        roster = Roster()
        self.enter(roster)
        return roster

    def enter(self, roster: Roster) -> Changes:
        """Have these players join and leave a roster. Raises ParseError if that is not possible."""
        for name in (*self.exclude, *self.rerun):
            if roster.number_of(name) is None:
                known = shown(", ".join(roster.names), 200)
                near = suggestion(name, roster.names)
                raise ParseError(f"this file has no player {shown(name, 100)}, but {known}{near}")
        left = self._those_who_leave(roster)
        joining = list[int]()
        for name, code in zip(self.names, self.codes, strict=True):
            number = roster.number_of(name)
            if number is not None and name not in self.rerun:
                self._check_code(roster, number, code)
                roster.left.discard(number)  # perhaps they left before
                continue
            joining.append(len(roster.names))
            roster.join(name, code)
        if len(roster.present) < 2:
            raise ParseError("fewer than two of these players are left: the others were dropped")
        return Changes(left, joining)

    def _those_who_leave(self, roster: Roster) -> list[int]:
        """The numbers of those who leave now. Raises ParseError if others are not named."""
        leaving = list[int]()
        for number in range(len(roster.names)):
            name = roster.names[number]
            if number in roster.left or name in self.names:
                continue
            if name in self.exclude:
                leaving.append(number)
            elif number not in roster.dropped:
                way_out = "name them, or let them leave (--exclude NAME, in Python Options.exclude)"
                raise ParseError(
                    f"this file has a player {shown(name, 100)}, who is not among the players: {way_out}"
                )
        roster.left.update(leaving)
        return leaving

    def _check_code(self, roster: Roster, number: int, code: int | None) -> None:
        saved = roster.codes[number]
        are_known = saved is not None and code is not None
        if are_known and saved != code:
            way_out = (
                "give them another name, or play their games again (--rerun NAME, in Python rerun=)"
            )
            who = shown(roster.names[number], 100)
            raise ParseError(f"{who} plays otherwise than when they joined: {way_out}")


@define(eq=False)
class Changes:
    """What an entry has changed in a roster.

    Attributes:
        left: the numbers of those who have left.
        joined: the numbers of those who have joined.
    """

    left: list[int]
    joined: list[int]
