"""The first record: players, length, rules, and what the text export of the program writes as tags."""

from __future__ import annotations

import datetime as dt
from struct import unpack_from
from typing import Final

import attrs
from attrs import frozen

from gammonrules.board import StartName
from gammonrules.errors import ParseError
from gammonrules.formats.rule_tags import on_off
from gammonrules.limits import MOST_IN_A_ROW, MOST_POINTS
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import shown

MAGIC: Final = 0x494C4D44
UNLIMITED: Final = 99_999
"""The length of money play."""
_UNICODE_SINCE: Final = 24
_TRANSCRIBER_SINCE: Final = 30
_CUBE_LIMIT_SINCE: Final = 8
_NO_LIMIT: Final = 10
"""The cube limit of the program, as a power of two."""

VARIATIONS: Final[dict[int, tuple[StartName, str]]] = {
    0: ("standard", "Backgammon"),
    1: ("nackgammon", "NackGammon"),
    2: ("hypergammon", "HyperGammon"),
    3: ("longgammon", "LongGammon"),
}
_SITES: Final = (
    *("GammonSite", "FIBS", "TrueMoney Games", "GridGammon", "DailyGammon", "NetGammon", "VOG", "Gammon Empire/Play65"),
    *("Club Games", "PartyGammon", "XcitingGames", "BGRoom", "DiceArena", "Safe Harbor Games", "GameAccount"),
    "XG Mobile",
)
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - the file has no time zone
_LAST_DAY: Final = 2_958_465.0


@frozen
class Header:
    """The contents of the first record."""

    players: tuple[str, str]
    length: int | None
    variation: int
    crawford: bool
    jacoby: bool
    beaver: bool
    auto_doubles: int
    """The most automatic doubles."""
    cube_limit: int
    """As a power of two; 0 for no cube."""
    tags: tuple[tuple[str, str], ...]
    comments: tuple[int, int]
    """The numbers of the comments before and after the match."""

    def rules(self, *, beavers: int, has_doubles: bool) -> Rules:
        """The rules.

        Args:
            beavers: how many in a row the games show; the file says only whether beavers are allowed.
            has_doubles: whether a game shows a double, so that there is a cube whatever the file says.
        """
        start = VARIATIONS.get(self.variation, VARIATIONS[0])[0]
        if self.length is not None:
            rules = attrs.evolve(TOURNAMENT, crawford=self.crawford, start=start)
        else:
            allowed = max(1, beavers) if self.beaver else 0
            rules = attrs.evolve(
                MONEY, jacoby=self.jacoby, beavers=allowed, auto_doubles=self.auto_doubles, start=start
            )
        if self.cube_limit == 0 and not has_doubles:
            return attrs.evolve(rules, cube=False, auto_doubles=0)
        return attrs.evolve(rules, max_cube=2**self.cube_limit) if 0 < self.cube_limit < _NO_LIMIT else rules


def read_header(record: bytes) -> Header:
    """The header of a match. Raises ParseError if the length of the match is impossible."""
    length, variation, *switches = unpack_from("<2i4B", record, 92)
    if not (0 <= length <= MOST_POINTS):
        raise ParseError(f"this eXtreme Gammon match has an impossible length, {shown(length)}")
    (version,) = unpack_from("<i", record, 552)
    limit, most_auto_doubles = unpack_from("<2i", record, 612)
    texts = _Texts(record, version)
    players = texts.either(880, 9, 40), texts.either(1138, 50, 40)
    crawford, jacoby, beaver, auto_double = map(bool, switches)
    money = length in (0, UNLIMITED)
    header = Header(
        players,
        None if money else length,
        variation,
        crawford,
        jacoby,
        beaver,
        min(max(1, most_auto_doubles), MOST_IN_A_ROW) if auto_double else 0,
        limit if version >= _CUBE_LIMIT_SINCE and 0 <= limit < _NO_LIMIT else _NO_LIMIT,
        (),
        unpack_from("<2i", record, 576),
    )
    return attrs.evolve(header, tags=_tags(record, header, texts))


@frozen
class _Texts:
    """The strings of a header: in Unicode since version 24, before that shorter and in Windows-1252."""

    record: bytes
    version: int

    def either(self, unicode_at: int, legacy_at: int, longest: int) -> str:
        """A text that is stored twice; the Unicode one if it is not empty."""
        text = self.unicode(unicode_at) if self.version >= _UNICODE_SINCE else ""
        return text or self.legacy(legacy_at, longest)

    def unicode(self, at: int) -> str:
        """A text of up to 129 units of UTF-16, which ends with a zero."""
        units = self.record[at : at + 258].decode("utf-16-le", "replace")
        return _on_one_line(units.partition("\0")[0])

    def legacy(self, at: int, longest: int) -> str:
        """A text after the byte that counts its characters."""
        size = min(self.record[at], longest)
        return _on_one_line(self.record[at + 1 : at + 1 + size].decode("cp1252", "replace").partition("\0")[0])


def _on_one_line(text: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _tags(record: bytes, header: Header, texts: _Texts) -> tuple[tuple[str, str], ...]:
    """The tags as in the program's own text export, where its player 1 is on the right."""
    game_id, site = unpack_from("<i", record, 268)[0], unpack_from("<i", record, 608)[0]
    elo = [f"{number:.2f}/{games}" for number, games in zip(*_ratings(record), strict=True)]
    names = header.players
    if names[0] != names[1]:  # otherwise nothing would show that they are exchanged
        names, elo = names[::-1], elo[::-1]
    is_match = header.length is not None
    tags = {
        "Site": texts.either(1396, 283, 128) or (_SITES[site] if 0 <= site < len(_SITES) else ""),
        "Match ID": str(-game_id) if game_id else "",
        "Event": texts.either(622, 136, 128),
        "Round": texts.either(1654, 417, 128),
        "Player 1": names[0],
        "Player 2": names[1],
        "Player 1 Elo": elo[0],
        "Player 2 Elo": elo[1],
        **_time(unpack_from("<d", record, 128)[0]),
        "Variation": VARIATIONS[header.variation][1] if header.variation in VARIATIONS else "",
        "Unrated": on_off(bool(record[574])),
        "Crawford": on_off(header.crawford) if is_match else "",
        "Jacoby": "" if is_match else on_off(header.jacoby),
        "Beaver": "" if is_match else on_off(header.beaver),
        "CubeLimit": str(2**header.cube_limit),
        "Transcriber": texts.unicode(1960) if texts.version >= _TRANSCRIBER_SINCE else "",
    }
    return tuple((name, value) for name, value in tags.items() if value)


def _ratings(record: bytes) -> tuple[tuple[float, float], tuple[int, int]]:
    """The ratings of both players, each with their experience."""
    one, other, experience_one, experience_other = unpack_from("<2d2i", record, 104)
    ratings = [number if 0 <= number < 100_000 else 0.0 for number in (one, other)]  # NaN is not in this range
    return (ratings[0], ratings[1]), (max(0, experience_one), max(0, experience_other))


def _time(days: float) -> dict[str, str]:
    """The tags of date and time, from days since the end of 1899."""
    if not 1 <= days <= _LAST_DAY:
        return {}
    moment = _DAY_ZERO + dt.timedelta(seconds=round(days * 86_400))
    return {"EventDate": moment.strftime("%Y.%m.%d"), "EventTime": moment.strftime("%H.%M")}
