"""A text of SGF as trees of nodes, and the letters of its points.

Brackets, properties and values are found whatever they mean. The letter "a" is White's ace point, "x" White's 24 point,
"y" the bar, "z" off.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from attrs import Factory, define

from gammonrules.board.internals import point_name
from gammonrules.match import Player
from gammonrules.records.formats.match_reading import most_games_in
from gammonrules.records.transcript import MAX_QUOTE_LENGTH, FindingKind, FindingLog, Severity

MAX_NODES: Final = 250_000
"""Nodes of one file: two thousand long games."""
_MAX_TOKENS: Final = 10 * MAX_NODES
"""Brackets and properties of one file, including those in variations."""

# A property with all its values is one token. No part backtracks: the time grows with the length of the text alone.
_PATTERN: Final = (
    r"(?P<name>[A-Za-z]*+)\s*+(?P<values>(?:\[{}\]\s*+)++)"
    r"|(?P<node>;)\s*+|(?P<open>\()\s*+|(?P<close>\))\s*+"
    r"|(?P<unclosed>[A-Za-z]*+\s*+\[.*+)"
    r"|(?P<garbage>[^\s();\[]++)"
    r"|(?P<blank>\s++)"
)
_PLAIN = re.compile(_PATTERN.format(r"[^\]]*+"), re.DOTALL)
"""For texts without a backslash, as nearly all are."""
_WITH_ESCAPES = re.compile(_PATTERN.format(r"[^\]\\]*+(?:\\.[^\]\\]*+)*+"), re.DOTALL)
"""For all texts."""
_ONE_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:\r\n?|\n|(.))", re.DOTALL)
"""What an escape stands for; an escaped line break is a break in the file, not in the text."""


def values_of(raw: str) -> list[str]:
    """The values of a property, without brackets and escapes."""
    values = _ONE_VALUE.findall(raw)
    return [_ESCAPED.sub(r"\1", value) for value in values] if "\\" in raw else values


def first_value(raw: str | None) -> str | None:
    """The only value of a property, or the first one; None if there is no such property."""
    values = values_of(raw) if raw is not None else []
    return values[0] if values else None


@define
class Node:
    """One node: its properties by name, their values as written."""

    line: int
    properties: dict[str, str] = Factory(dict[str, str])
    row: int | None = None

    @property
    def text(self) -> str:
        """The node as findings quote it: the property that says what was done, or else all of them."""
        names: list[str] = [name for name in ("B", "W") if name in self.properties]
        if not names:
            names = list(self.properties)
        return " ".join(f"{name}{self.properties[name][:200].rstrip()}" for name in names[:9])


@define
class Tree:
    """One game: its root, and the nodes of the main line."""

    index: int
    root: Node
    nodes: list[Node] = Factory(list[Node])
    cut: bool = False
    """Whether the text breaks off, or contains something else, within the game."""


@define
class TreeReader:
    """Finds the trees of a text. The first of several variations is the main line."""

    text: str
    most_games: int
    findings: FindingLog = Factory(FindingLog)
    trees: list[Tree] = Factory(list[Tree])
    depth: int = 0
    on_main_line: bool = False
    node: Node | None = None
    """The last node of the main line."""
    in_a_game: bool = False
    """Whether there has been a node in the present brackets; the first one is the root of a game."""
    nodes_read: int = 0
    line: int = 1
    """The number of the line at which the text has been counted."""
    _counted: int = 0
    """Up to which character that is."""
    variation_reported: bool = False
    is_over: bool = False
    """Whether nothing more is read."""

    def read(self) -> None:
        take_by_kind: dict[str, Callable[[re.Match[str]], None]] = {
            "values": self.take_property,
            "node": self.take_node,
            "open": self.take_open,
            "close": self.take_close,
            "unclosed": self.take_unclosed,
            "garbage": self.take_garbage,
        }
        tokens = _WITH_ESCAPES if "\\" in self.text else _PLAIN
        for number, token in enumerate(tokens.finditer(self.text)):
            kind = token.lastgroup
            if kind is not None and kind != "blank":
                take_by_kind[kind](token)
                if self.is_over:
                    return
            if number > _MAX_TOKENS:
                self.give_up(
                    token, f"no more than {_MAX_TOKENS:,} properties and brackets are read"
                )
                return
        if self.depth:
            self.end_in_brackets()

    def take_property(self, token: re.Match[str]) -> None:
        """Take a property with its values; if a node has two with the same name, the first one counts."""
        name, values = token.group("name", "values")
        node = self.node
        if node is None or not name:
            is_in_variation = not self.on_main_line and self.depth > 0
            if not is_in_variation:
                self.take_garbage(token)
            return
        if not self.on_main_line:
            return
        if not name.isupper():  # older files have names such as "GaMe" for GM
            name = "".join(filter(str.isupper, name)) or name
        if name == "MI" and node is not self.trees[-1].root:
            self.begin_game_at(node, token)
        node.properties.setdefault(name, values)

    def begin_game_at(self, node: Node, token: re.Match[str]) -> None:
        """Make the last node of a game that is not closed the root of the next one, which `MI` is."""
        self.report(token, "a game begins here, but the one before it is not closed")
        del self.trees[-1].nodes[-1]
        self.cut_game()
        self.trees.append(Tree(len(self.trees) + 1, node))

    def take_open(self, token: re.Match[str]) -> None:
        self.depth += 1
        if self.depth == 1:
            self.on_main_line = True
            self.in_a_game = False
            self.variation_reported = False
            self.node = None
            return
        is_variation = self.in_a_game and not self.on_main_line
        if is_variation and not self.variation_reported:
            self.variation_reported = True
            note = "the game has variations; only the first one is read"
            self.report(token, note, Severity.INFO, FindingKind.LEFT_OUT)

    def take_close(self, token: re.Match[str]) -> None:
        """A closing bracket ends the main line: whatever follows in this game is another variation."""
        if not self.depth:
            self.report(token, "a bracket is closed that was never opened")
            return
        self.depth -= 1
        self.on_main_line = False
        are_all_closed = self.depth == 0
        if are_all_closed and not self.in_a_game:
            self.report(token, "there is nothing between these brackets")

    def take_node(self, token: re.Match[str]) -> None:
        if not self.depth:
            self.report(token, "a node is outside the brackets of a game")
            self.node = None
        if not self.on_main_line:  # in a variation, or outside the brackets
            return
        self.nodes_read += 1
        if self.nodes_read > MAX_NODES:
            self.give_up(token, f"no more than {MAX_NODES:,} actions are read")
        elif not self.in_a_game and len(self.trees) >= self.most_games:
            self.give_up(token, f"no more than {self.most_games:,} games are read")
        else:
            node = Node(self.line_at(token.start()))
            self.node = node
            if self.in_a_game:
                self.trees[-1].nodes.append(node)
            else:
                self.in_a_game = True
                self.trees.append(Tree(len(self.trees) + 1, node))

    def take_unclosed(self, token: re.Match[str]) -> None:
        self.give_up(token, "the text ends inside a value: its bracket is not closed")

    def take_garbage(self, token: re.Match[str]) -> None:
        where = "here" if self.depth else "outside the brackets of a game"
        self.report(token, f"this is neither a property nor a bracket, and does not belong {where}")

    def give_up(self, token: re.Match[str], note: str) -> None:
        """Read nothing more from this token on, for which the note says why."""
        self.report(token, note)
        self.cut_game()
        self.is_over = True

    def end_in_brackets(self) -> None:
        """The end of the text, where a bracket is still open: more may have followed, unless a variation began."""
        if self.on_main_line:
            self.cut_game()
        if self.in_a_game:
            game = self.trees[-1]
            where = "this game"
            text = game.root.text
            line = game.root.line
            game_index = game.index
        else:
            where = "brackets"
            text = "("
            line = self.line_at(len(self.text))
            game_index = None
        note = f"the text ends inside {where}: not all of them are closed"
        kind = FindingKind.UNREADABLE_LINE
        self.findings.report(Severity.ERROR, kind, note, text=text, line=line, game=game_index)

    def cut_game(self) -> None:
        if self.in_a_game:
            self.trees[-1].cut = True

    def line_at(self, position: int) -> int:
        """The number of the line; positions are asked for in order."""
        self.line += self.text.count("\n", self._counted, position)
        self._counted = position
        return self.line

    def report(
        self,
        token: re.Match[str],
        note: str,
        severity: Severity = Severity.ERROR,
        kind: FindingKind = FindingKind.UNREADABLE_LINE,
    ) -> None:
        if not self.findings.is_full(severity, kind):
            game = self.trees[-1].index if self.in_a_game else None
            text = self.text[token.start() : token.start() + 10 * MAX_QUOTE_LENGTH]
            line = self.line_at(token.start())
            self.findings.report(severity, kind, note, text=text, line=line, game=game)


def read_trees(text: str) -> TreeReader:
    reader = TreeReader(text, most_games_in(text))
    reader.read()
    return reader


# --- letters ----------------------------------------------------------------------------------------------------------

COLORS: Final = {Player.WHITE: "W", Player.BLACK: "B"}
SIDES: Final = {color: player for player, color in COLORS.items()}

_BOARD: Final = "abcdefghijklmnopqrstuvwx"
BAR: Final = "y"
OFF: Final = "z"
ALL: Final = _BOARD + BAR

POINTS: Final = {
    Player.WHITE: {letter: index for index, letter in enumerate(OFF + _BOARD + BAR)},
    Player.BLACK: {letter: index for index, letter in enumerate(OFF + _BOARD[::-1] + BAR)},
}
"""The point of each letter as a player numbers it, 25 for the bar and 0 for off."""

LETTERS: Final = {
    player: {point: letter for letter, point in points.items()} for player, points in POINTS.items()
}
"""The letter of each point as a player numbers it."""


def _texts_of_steps(points: dict[str, int]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for source in ALL:
        for target in _BOARD + OFF:
            step = f"{point_name(points[source])}/{point_name(points[target])}"
            texts[source + target] = step
    return texts


STEPS: Final = {player: _texts_of_steps(points) for player, points in POINTS.items()}
"""The text of each pair of letters: where a checker comes from, and where it goes."""


def steps_in(letters: str, player: Player) -> str:
    """A series of pairs of letters as the text of a play."""
    steps = STEPS[player]
    return " ".join([steps[letters[at : at + 2]] for at in range(0, len(letters), 2)])
