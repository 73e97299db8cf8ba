"""The root of a game: players, length, score, rules, result, and facts about the match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import attrs
from attrs import frozen

from gammonrules.board import StartName
from gammonrules.match import Pair, Player
from gammonrules.records.formats.sgf.sgf_trees import SIDES, Node, Tree, first_value, values_of
from gammonrules.records.transcript import MAX_QUOTE_LENGTH, Match, length_of_games
from gammonrules.records.transcript.header_tags import (
    OWN_RULE_TAGS,
    VARIATIONS,
    name_of,
    number_in,
    rules_in_tags,
    tags_for,
)
from gammonrules.rules import Rules
from gammonrules.values import is_cube_value

RATINGS: Final = {"WR": "Player 1 Elo", "BR": "Player 2 Elo"}
TAGS: Final = {
    "DT": "EventDate",
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    **RATINGS,
}
"""The properties that are tags in all formats. The names are those of .mat files."""
STARTS: Final[dict[str, StartName]] = {
    "Nackgammon": "nackgammon",
    "Hypergammon1": "hypergammon1",
    "Hypergammon2": "hypergammon2",
    "Hypergammon3": "hypergammon",
}
OWN: Final = "gammonrules"
"""What this library calls itself in its files; it may name the engine of the analyses as its version."""
IN_TAGS: Final = OWN_RULE_TAGS | {"beaver", "cubelimit"}
"""The tags, in lower case, for rules that have no word in `RU`. They are in the comment about the match."""
_VARIATION: Final = "Variation", VARIATIONS["longgammon"]
"""The only start without a word."""

_USUAL_RULES = ("Beaver", "On"), ("CubeLimit", "1024")
_NOT_TAGS = {
    "FF",
    "GM",
    "CA",
    "AP",
    "ST",
    "SZ",
    "MI",
    "PW",
    "PB",
    "RU",
    "RE",
    "CV",
    "CP",
    "CO",
    "GC",
    "GS",
    "C",
    *TAGS,
}
"""The properties of a root that do not become tags."""
_MAX_TAGS = 200
_MAX_VALUES = 10
"""Values of one property that a tag has."""
_MAX_RULES = 20
_MAX_INFO = 50
"""Values of `MI` that are read."""
_INFO = re.compile(r"\s*([A-Za-z]{1,20})\s*:\s*(-?[0-9]{1,9})\s*")
_RESULT = re.compile(r"\s*([BW])\+([0-9]{1,9})(?:\.0)?\s*(R?)(?:esign)?\s*", re.IGNORECASE)
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TAG_LINE = re.compile(r"\s{0,20}\[(\S[^\"]{0,80}?)\s{0,20}\"(.{0,1900})\"\]\s*")


@frozen
class StatedOutcome:
    """What `RE` says about the end of a game."""

    winner: Player
    points: int
    is_resigned: bool


@frozen
class Root:
    tree: Tree
    names: Pair[str]
    length: int | None
    """None for money play, and if the root does not say."""
    score: tuple[int, int] | None
    """None if the root does not say."""
    rules: frozenset[str]
    """The words of `RU`, in lower case."""
    outcome: StatedOutcome | None
    number: int | None
    """The number of the game, as the file counts them."""
    cube: int
    """The cube before the first roll."""

    @classmethod
    def of(cls, tree: Tree) -> Root:
        properties = tree.root.properties
        info = info_of(properties.get("MI"))
        score = None
        if "ws" in info or "bs" in info:
            score = (info.get("ws", 0), info.get("bs", 0))
        length = info.get("length", 0)
        stated_cube = cube_in(first_value(properties.get("CV")) or "")
        return cls(
            tree,
            names=Pair((player_name(properties, "PW"), player_name(properties, "PB"))),
            length=length if length > 0 else None,
            score=score,
            rules=frozenset(rules_named(properties)),
            outcome=outcome_of(first_value(properties.get("RE"))),
            number=info.get("game"),
            cube=1 if stated_cube is None else stated_cube,
        )

    def stated_rules(self, tags: list[tuple[str, str]], beavers: int) -> Rules:
        """The rules of the game, by `RU` and by tags; `beavers` is how many in a row the games show."""
        tags_of_rules = [(name, text) for name, text in tags if name.lower() in IN_TAGS]
        rules = rules_in_tags(tags_of_rules, self.length, beavers)
        has_cube = rules.cube and "nocube" not in self.rules
        rules = attrs.evolve(rules, cube=has_cube, start=self.start_named(tags))
        if self.length is None:
            # a cube above 1 before the first roll has been doubled by ties
            doubles_of_cube = self.cube.bit_length() - 1
            auto_doubles = max(doubles_of_cube, rules.auto_doubles)
            return attrs.evolve(rules, jacoby="jacoby" in self.rules, auto_doubles=auto_doubles)
        has_crawford = not self.rules.isdisjoint(("crawford", "crawfordgame"))
        return attrs.evolve(rules, crawford=has_crawford)

    def start_named(self, tags: list[tuple[str, str]]) -> StartName:
        for word, name in STARTS.items():
            if word.lower() in self.rules:
                return name
        return "longgammon" if _VARIATION in tags else "standard"

    @property
    def node(self) -> Node:
        return self.tree.root


def tags_for_rules(match: Match) -> list[tuple[str, str]]:
    """The tags of a match with those for rules that have no property, in place of any that contradict them."""
    length = length_of_games(match)
    needed = [
        tag for tag in tags_for(match.rules, length) if is_of_rules(tag) and tag not in _USUAL_RULES
    ]
    stated = [tag for tag in match.tags if is_of_rules(tag)]
    rules_stated = rules_in_tags(stated, length, 0)
    rules_needed = rules_in_tags(needed, length, 0)
    if rules_stated == rules_needed:
        return list(match.tags)  # in the words that they have
    other_tags = [tag for tag in match.tags if tag not in stated]
    return other_tags + needed


def is_of_rules(tag: tuple[str, str]) -> bool:
    """Whether a tag states a rule that has no property."""
    return tag[0].lower() in IN_TAGS or tag == _VARIATION


def player_name(properties: dict[str, str], name: str) -> str:
    return name_of(one_line(first_value(properties.get(name)) or ""))


def rules_named(properties: dict[str, str]) -> list[str]:
    words: list[str] = []
    for text in values_of(properties.get("RU", "")):
        words += [word.strip().lower() for word in text.split(":")]
    return words[:_MAX_RULES]


def cube_in(text: str) -> int | None:
    value = number_in(text, 0)
    return value if is_cube_value(value) else None


def info_of(raw: str | None) -> dict[str, int]:
    """The numbers of `MI`, by their names: [length:7][game:0][ws:0][bs:0]."""
    info: dict[str, int] = {}
    for value in values_of(raw or "")[:_MAX_INFO]:
        match = _INFO.fullmatch(value)
        if match is not None:
            info[match[1].lower()] = int(match[2])
    return info


def outcome_of(text: str | None) -> StatedOutcome | None:
    match = _RESULT.fullmatch(text or "")
    if match is None or int(match[2]) == 0:
        return None
    return StatedOutcome(SIDES[match[1].upper()], int(match[2]), is_resigned=bool(match[3]))


def one_line(text: str) -> str:
    """A name without the line breaks that values may have."""
    return " ".join(text.splitlines()).strip()


def tags_in_root(node: Node) -> Iterator[tuple[str, str]]:
    """The facts about the match that a root states, under the names of .mat files; unknown properties as they are."""
    for name, raw in list(node.properties.items())[:_MAX_TAGS]:
        value = ", ".join(values_of(raw)[:_MAX_VALUES])
        if name == "DT":
            yield TAGS[name], _DATE.sub(r"\1.\2.\3", value)
        elif name in TAGS:
            yield TAGS[name], value
        elif name not in _NOT_TAGS:
            yield name, value
    # GNU Backgammon keeps the tags that SGF has no property for in the comment about the match
    lines = (first_value(node.properties.get("GC")) or "").split("\n")[:_MAX_TAGS]
    for line in lines:
        match = _TAG_LINE.fullmatch(line)
        if match is not None:
            yield match[1], match[2]


def comments_in(node: Node) -> tuple[str, ...]:
    """The lines of the comment about the match that are not tags."""
    lines = comment_lines(first_value(node.properties.get("GC")))
    return tuple(line for line in lines if not _TAG_LINE.fullmatch(line))


def comment_lines(comment: str | None) -> tuple[str, ...]:
    return tuple(line for line in (comment or "").split("\n") if line.strip())


def engine_of(node: Node) -> str:
    """The program that wrote the file, with its version: "GNU Backgammon 1.08.003"."""
    program = first_value(node.properties.get("AP")) or ""
    return one_line(program.replace(":", " ", 1))[:MAX_QUOTE_LENGTH]
