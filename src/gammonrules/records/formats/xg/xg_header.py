"""The header of an `.xg` file, its first record: players, length, rules, and facts about the match.

Texts are stored twice, in Unicode and, as older versions of the program read them, in Windows-1252.
"""

from __future__ import annotations

import datetime as dt
from struct import Struct, unpack_from
from typing import Final

from attrs import frozen

from gammonrules.errors import ParseError
from gammonrules.limits import MAX_IN_A_ROW, MAX_POINTS
from gammonrules.records.transcript.header_tags import ON_OFF, Tags
from gammonrules.values import printable, shown

VARIATIONS: Final = {0: "Backgammon", 1: "NackGammon", 2: "HyperGammon", 3: "LongGammon"}
_UNLIMITED: Final = 99_999
"""The length of money play, besides 0."""
_MAGIC: Final = 0x494C4D44
"""The identifying mark."""

# Where the fields are, as bytes from the beginning of the record.
_ELO = 104
_EXPERIENCE = 120
_LENGTH_AND_VARIATION = 92
_RULES = 100
_DATE = 128
_GAME_ID = 268
_VERSION = 552
_MAGIC_AT = 556
_IS_UNRATED = 574
_COMMENTS = 576
_SITE_AND_LIMITS = 608
_TRANSCRIBER = 1960

_UNICODE_SINCE: Final = 24
_TRANSCRIBER_SINCE: Final = 30
_CUBE_LIMIT_SINCE: Final = 8
"""The versions of the format that have added these."""
_UNICODE_SIZE: Final = 258
_MAX_NAME_LENGTH: Final = 40
_NO_CUBE_LIMIT: Final = 10
"""The cube limit of the program, as a power of two; 0 is for no cube."""
_HIGHEST_RATING: Final = 100_000

_SITES: Final = [
    "GammonSite",
    "FIBS",
    "TrueMoney Games",
    "GridGammon",
    "DailyGammon",
    "NetGammon",
    "VOG",
    "Gammon Empire/Play65",
    "Club Games",
    "PartyGammon",
    "XcitingGames",
    "BGRoom",
    "DiceArena",
    "Safe Harbor Games",
    "GameAccount",
    "XG Mobile",
]
"""By their numbers."""
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - the file has no time zone
_LAST_DAY: Final = 2_958_465.0


@frozen
class Header:
    players: tuple[str, str]
    length: int | None
    variation: int
    auto_doubles: int
    """The most automatic doubles of money play."""
    comments: tuple[int, int]
    """The numbers of the comments before and after the match."""
    tags: Tags
    """The tags of the program's own text export, where its player 1 is on the right. They state the other rules."""


def has_magic(record: bytes) -> bool:
    """Whether the header has its identifying mark."""
    return _int_at(record, _MAGIC_AT) == _MAGIC


def read_header(record: bytes) -> Header:
    """The header of a match. Raises ParseError if the length of the match is impossible."""
    stated_length, variation = unpack_from("<2i", record, _LENGTH_AND_VARIATION)
    is_crawford, is_jacoby, has_beavers, has_auto_doubles = unpack_from("<4?", record, _RULES)
    if not 0 <= stated_length <= MAX_POINTS:
        raise ParseError(
            f"this eXtreme Gammon match has an impossible length, {shown(stated_length)}"
        )
    length = None if stated_length in (0, _UNLIMITED) else stated_length
    site, cube_limit, most_auto_doubles = unpack_from("<3i", record, _SITE_AND_LIMITS)
    game_id = _int_at(record, _GAME_ID)
    players = (
        _stored_text(record, unicode_at=880, legacy_at=9, longest=_MAX_NAME_LENGTH),
        _stored_text(record, unicode_at=1138, legacy_at=50, longest=_MAX_NAME_LENGTH),
    )
    tags = {
        "Site": _stored_text(record, unicode_at=1396, legacy_at=283) or _site_numbered(site),
        "Match ID": str(-game_id) if game_id else "",
        "Event": _stored_text(record, unicode_at=622, legacy_at=136),
        "Round": _stored_text(record, unicode_at=1654, legacy_at=417),
    }
    tags |= _tags_of_players(record, players)
    tags |= _tags_of_time(record)
    tags["Variation"] = VARIATIONS.get(variation, "")
    tags["Unrated"] = ON_OFF[record[_IS_UNRATED] > 0]
    if length is None:
        tags["Jacoby"] = ON_OFF[is_jacoby]
        tags["Beaver"] = ON_OFF[has_beavers]
    else:
        tags["Crawford"] = ON_OFF[is_crawford]
    tags["CubeLimit"] = _cube_limit_in_words(record, cube_limit)
    tags["Transcriber"] = _unicode(record, _TRANSCRIBER, since=_TRANSCRIBER_SINCE)
    before, after = unpack_from("<2i", record, _COMMENTS)
    auto_doubles = 0
    if has_auto_doubles:
        auto_doubles = min(max(1, most_auto_doubles), MAX_IN_A_ROW)
    return Header(
        players,
        length,
        variation,
        auto_doubles,
        comments=(before, after),
        tags=tuple((tag, text) for tag, text in tags.items() if text),
    )


def _int_at(record: bytes, at: int) -> int:
    return int.from_bytes(record[at : at + 4], "little", signed=True)


def _stored_text(record: bytes, unicode_at: int, legacy_at: int, longest: int = 128) -> str:
    """A text on one line: that in Unicode or, from an older version, that in Windows-1252, after its length."""
    text = _unicode(record, unicode_at, since=_UNICODE_SINCE)
    if text:
        return text
    (legacy,) = Struct(f"{longest + 1}p").unpack_from(record, legacy_at)
    return _on_one_line(legacy.decode("cp1252", "replace"))


def _unicode(record: bytes, at: int, since: int) -> str:
    """A text in UTF-16, which files have since this version."""
    if _int_at(record, _VERSION) < since:
        return ""
    return _on_one_line(record[at : at + _UNICODE_SIZE].decode("utf-16-le", "replace"))


def _on_one_line(text: str) -> str:
    """The text before the first zero."""
    return " ".join(printable(text.partition("\0")[0]).split())


def _site_numbered(site: int) -> str:
    return _SITES[site] if 0 <= site < len(_SITES) else ""


def _cube_limit_in_words(record: bytes, power: int) -> str:
    has_limit = _int_at(record, _VERSION) >= _CUBE_LIMIT_SINCE and 0 <= power < _NO_CUBE_LIMIT
    return str(2 ** (power if has_limit else _NO_CUBE_LIMIT))


def _tags_of_players(record: bytes, names: tuple[str, str]) -> dict[str, str]:
    """The names and the ratings; the tags begin with the second player, as in the program's own text export."""
    ratings = unpack_from("<2d", record, _ELO)
    experiences = unpack_from("<2i", record, _EXPERIENCE)
    elo: list[str] = []
    for rating, experience in zip(ratings, experiences, strict=True):
        is_rating = 0 <= rating < _HIGHEST_RATING  # NaN is none
        elo.append(f"{rating if is_rating else 0:.2f}/{max(0, experience)}")
    first = 1
    second = 0
    if names[0] == names[1]:  # with equal names nothing would show that they are exchanged
        first = 0
        second = 1
    return {
        "Player 1": names[first],
        "Player 2": names[second],
        "Player 1 Elo": elo[first],
        "Player 2 Elo": elo[second],
    }


def _tags_of_time(record: bytes) -> dict[str, str]:
    """The day and the time of day, which are stored as a number of days."""
    (days,) = unpack_from("<d", record, _DATE)
    if not 1 <= days <= _LAST_DAY:
        return {}
    moment = _DAY_ZERO + dt.timedelta(seconds=round(days * 86_400))
    return {"EventDate": moment.strftime("%Y.%m.%d"), "EventTime": moment.strftime("%H.%M")}
