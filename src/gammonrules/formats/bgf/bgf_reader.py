"""From the bytes of a file to a match: a line of JSON, compressed data, players and rules, games one after another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from gammonrules.errors import ParseError
from gammonrules.formats.bgf.bgf_analyses import items, members, texts
from gammonrules.formats.bgf.bgf_replay import BgfReplay, Spot
from gammonrules.formats.bgf.smile import HEADER, read_smile
from gammonrules.formats.match_reading import MOST_GAMES, MatchReading, RawGame, coin_game
from gammonrules.formats.xg.xg_container import Container
from gammonrules.transcript import FindingKind, FindingLog, Match, Severity
from gammonrules.transcript.header_tags import ON_OFF, length_played, rules_in_tags
from gammonrules.values import printable

_SIGN: Final = re.compile(rb'\s{0,20}\{[^{}\n]{0,400}"format"\s{0,9}:\s{0,9}"BGF"')
_KEPT: Final = frozenset(["equity", "dancingEquity", "moveAnalysis", "move", "eq", "luck", "pr", "prGreen", "prRed"])
_HEADER: Final = {"Site": "site", "Match ID": "extMatchID", "Event": "event", "Round": "round", "EventDate": "date"}
_TAGS: Final = {**_HEADER, "Player 1": "nameGreen", "Player 2": "nameRed"}
_LONGEST_TEXT: Final = 200


def is_bgf(content: bytes) -> bool:
    """Whether a file begins like those of BGBlitz."""
    return _SIGN.match(content) is not None


def read_bgf(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    packed, findings = Container(), FindingLog()
    data = packed.inflate(content.partition(b"\n")[2], "its data")
    document, damage = read_smile(data.removeprefix(HEADER), kept=_KEPT)
    for defect in packed.defects or [damage] * bool(damage):
        findings.report(Severity.ERROR, FindingKind.DAMAGED_FILE, f"{defect}; whatever can be read is read")
    header = members(document)
    stated, listed = header.get("matchlen"), items(header.get("games"))
    if type(stated) is not int or not listed:
        why = "; ".join(packed.defects) or damage or "it has no games"
        raise ParseError(f"this BGBlitz file holds no match: {why}")
    length = stated or None
    if len(listed) > MOST_GAMES:
        findings.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, f"only the first {MOST_GAMES:,} games are read")
    games, tags, final = list(_games(listed[:MOST_GAMES])), tuple(_tags(header, length)), _score(header, "final")
    played_to = length_played(length, (game.score or (0, 0) for game in games), tags)
    findings.extend(coin_game(length, played_to, f"{stated} point match", 1))
    reading = MatchReading(games, played_to, rules_in_tags(tags, played_to, 0), findings)
    for index, raw, start in reading.starts():
        next_score = final if index == len(games) else reading.stated_score(index + 1)
        reading.games[index] = BgfReplay(index, start, findings, raw.heading, raw.source, next_score).run()
    if not reading.games:
        raise ParseError("this BGBlitz file holds no game that is possible")
    players = _line(header.get("nameGreen")), _line(header.get("nameRed"))
    moves = (members(move) for game in games for move in items(game.source.get("moves")))
    rolls = sum(move.get("green") != 7 or move.get("red") == 5 for move in moves)
    return reading.match(players, length, tags, texts(header.get("comment")), "bgf", rolls)


def _games(listed: list[Any]) -> Iterator[RawGame[dict[str, Any]]]:
    line = 1
    for fields in map(members, listed):
        score, is_crawford = _score(fields, "score"), fields.get("isCrawford")
        yield RawGame(Spot(line, fields), fields, score, is_crawford if isinstance(is_crawford, bool) else None)
        line += len(items(fields.get("moves")))


def _score(fields: dict[str, Any], name: str) -> tuple[int, int] | None:
    green, red = fields.get(f"{name}Green"), fields.get(f"{name}Red")
    return (green, red) if type(green) is int and type(red) is int else None


def _tags(header: dict[str, Any], length: int | None) -> Iterator[tuple[str, str]]:
    """The tags of a match text, in which Green is player 1."""
    yield from ((name, text) for name, member in _TAGS.items() if (text := _line(header.get(member))))
    for name in ["Crawford"] if length else ["Jacoby", "Beaver"]:
        yield name, ON_OFF[header.get(f"use{name}") is True]
    limit = header.get("cubeLimit") if header.get("useCube") is not False else 1
    if type(limit) is int and limit > 0:
        yield "CubeLimit", str(limit)


def _line(value: object) -> str:
    return " ".join(printable(value[:_LONGEST_TEXT]).split()) if isinstance(value, str) else ""
