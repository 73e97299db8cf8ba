"""The board as a widget. Everything on it is a letter or a sign as well as a color, and every cell knows its point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from game import Game
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from words import BAR, BOT, OFF, PERSON

from gammonrules import Player

TOP = range(13, 25)
BOTTOM = range(12, 0, -1)
POINTS = {point: Style.from_meta({"point": point}) for point in range(26)}
"""What a click learns about its cell (`on_click`)."""


class Cell(NamedTuple):
    """A piece of a line: its text, the classes of its look, and the point that a click on it means."""

    text: str
    look: str = "frame"
    point: int | None = None


DISCS = {True: ("▟█▙", "▝▀▘"), False: ("╭─╮", "╰─╯")}
"""The rows of round checkers: the person's are full, the bot's are rings, so that they are told without colors."""


class Board(Widget, can_focus=True):
    """The board from the person's side: `O` is the person, `X` the bot, `x` where the bot has just moved.

    `(O)` can move, `[O]` has been chosen, `+` is where it can go, `*X*` a blot that it would hit; `<O>` is the cursor.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"board--{look}"
        for look in ("frame", "odd", "even", "odd-point", "even-point", "mine", "theirs", "choice", "cursor")
    }
    DEFAULT_CSS = """
    Board { width: 1fr; height: 1fr; text-wrap: nowrap; }
    Board .board--frame { color: $text-muted; }
    Board .board--odd { background: $background; }
    Board .board--even { background: $panel 50%; }
    Board .board--odd-point { color: $text-warning 60%; }
    Board .board--even-point { color: $text-muted 80%; }
    Board .board--mine { color: $foreground; text-style: bold; }
    Board .board--theirs { color: $text-error; text-style: bold; }
    Board .board--choice { color: $text-success; text-style: bold; }
    Board .board--cursor { background: $success; color: auto; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose"),
        Binding("escape", "leave", "Leave", show=False),
        Binding("left", "toward(-1, 0)", "Left", show=False),
        Binding("right", "toward(1, 0)", "Right", show=False),
        Binding("up", "toward(0, -1)", "Up", show=False),
        Binding("down", "toward(0, 1)", "Down", show=False),
    ]

    class Picked(Message):
        """The person means this point."""

        def __init__(self, point: int) -> None:
            super().__init__()
            self.point = point

    has_letters: ClassVar[bool] = "utf" not in (getattr(sys.__stdout__, "encoding", None) or "").lower()
    """Whether checkers are letters also where there is room for round ones."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.cursor: int | None = None
        self.targets: set[int] = set()
        self.sources: set[int] = set()

    def update(self) -> None:
        """Show the game as it is now, with the cursor on something that can be chosen."""
        self.targets = set(self.game.targets)
        self.sources = self.game.sources
        if self.cursor not in self.choices:
            self.cursor = max(self.choices, default=None)
        self.refresh()

    # Choosing ---------------------------------------------------------------------------------------------------------

    @property
    def choices(self) -> set[int]:
        """The points that the cursor can be on."""
        return self.targets or self.sources

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action != "choose" or bool(self.choices)

    def action_choose(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Picked(self.cursor))

    def action_leave(self) -> None:
        if self.game.chosen is not None:
            self.post_message(self.Picked(self.game.chosen))

    def action_toward(self, right: int, down: int) -> None:
        """Move the cursor to the nearest choice in this direction."""
        if self.cursor is None:
            return
        x, y = place(self.cursor)
        distances: dict[int, tuple[int, int]] = {}
        for point in self.choices:
            column, half = place(point)
            if (column - x) * right + (half - y) * down > 0:
                # To the side, points of the same half come first.
                in_other_half = abs(half - y) if right else 0
                distances[point] = (in_other_half, abs(column - x))
        self.cursor = min(distances, key=lambda point: distances[point], default=self.cursor)
        self.refresh()

    def on_click(self, event: Click) -> None:
        point = event.style.meta.get("point")
        if isinstance(point, int):
            self.post_message(self.Picked(point))

    # Drawing ----------------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """As many rows as fit into a half."""
        return max(3, (self.size.height - 3) // 2)

    @property
    def wide(self) -> int:
        """The signs of a row of a point: 3, 5, ..."""
        return 3 + max(0, (self.size.width - 54) // 26) * 2

    @property
    def is_round(self) -> bool:
        """Whether a checker has two rows, and points are shaded: where there is room, if letters are not preferred."""
        return self.depth >= 10 and self.wide >= 5 and not self.has_letters

    @property
    def letters(self) -> tuple[str, str]:
        """The signs of the person and of the bot."""
        return ("●", "○") if self.is_round else ("O", "X")

    def render(self) -> Content:
        """The whole board, as large as there is room."""
        lines = [*self.half(BOT, TOP), self.middle(self.wide), *reversed(self.half(PERSON, BOTTOM))]
        return Content("\n").join(Content.assemble(*map(self.styled, line)) for line in lines)

    def styled(self, cell: Cell) -> tuple[str, Style]:
        style = self.get_visual_style(*(f"board--{look}" for look in cell.look.split()))
        return cell.text, style if cell.point is None else style + POINTS[cell.point]

    def half(self, side: Player, points: range) -> list[list[Cell]]:
        """The lines of one half, from the edge to the middle."""
        counts = self.game.points
        wide = self.wide
        numbers = [Cell(f"{point:^{wide}}", point=point) for point in points]
        lines = [[Cell("      +"), *numbers[:6], Cell(f"+{'BAR':^{wide}}+"), *numbers[6:], Cell("+ OFF")]]
        columns = [self.column(side, point, counts[point]) for point in points]
        bar = self.column(side, BAR, counts[BAR if side is PERSON else 0])
        edge = [[Cell("|")]] * self.depth
        for row in range(self.depth):
            cube = self.cube(side) if row == 0 else ""
            cells = [Cell(f"{cube:^6}|")]
            for column in (*columns[:6], edge, bar, edge, *columns[6:]):
                cells += column[row]
            lines.append([*cells, Cell("|"), self.tray(side, row)])
        return lines

    def column(self, side: Player, point: int, count: int) -> list[list[Cell]]:
        """The rows of a point: as many of its checkers as fit, and what can be done with them."""
        number_of_checkers = abs(count)
        is_mine = count > 0
        rows_of_checker = 2 if self.is_round else 1
        most = self.depth // rows_of_checker
        last = min(number_of_checkers, most) - 1
        mark = self.mark(point, count) or ""
        marked = min(number_of_checkers, most - 1) if "+" in mark else max(last, 0)
        on_last = ""
        if number_of_checkers > most:
            on_last = str(number_of_checkers)
        elif point in self.landed and not is_mine:
            on_last = "x"
        lines: list[list[Cell]] = []
        for row in range(self.depth):
            checker, part = divmod(row, rows_of_checker)
            text = self.checker_row(side, part, is_mine=is_mine) if checker <= last else ""
            look = "mine" if is_mine else "theirs"
            if on_last and checker == last and part == 0:
                is_inside = self.is_round and number_of_checkers < 10
                text = f"{text[:1]}{on_last}{text[2:]}" if is_inside else on_last
            if mark and checker == marked:
                if part == 0 or "{}" in mark:
                    text = mark.format(text)
                look = "cursor" if mark.startswith("<") else "choice"
            lines.append([*self.shaded(point, row, text[: self.wide], look)])
        return lines

    def checker_row(self, side: Player, part: int, *, is_mine: bool) -> str:
        """A row of a checker in the half of a side: the rows of the person's half are turned around."""
        if not self.is_round:
            return self.letters[0 if is_mine else 1]
        upper, lower = DISCS[is_mine]
        is_upper = part == 1 if side is PERSON else part == 0
        return upper if is_upper else lower

    def shaded(self, point: int, row: int, text: str, look: str) -> Iterator[Cell]:
        """A row of a point: its ground is a stripe, or a triangle that ends in the middle of the board."""
        ground = "even" if point % 2 == 0 else "odd"
        if not self.is_round:
            yield Cell(f"{text:^{self.wide}}", f"{ground} {look}", point)
            return
        signs = "░▒"[point % 2] * (self.wide * (self.depth - row) // self.depth | 1) if point != BAR else ""
        shade = f"{signs:^{self.wide}}"
        left = (self.wide - len(text)) // 2
        yield Cell(shade[:left], f"{ground}-point", point)
        yield Cell(text, look, point)
        yield Cell(shade[left + len(text) :], f"{ground}-point", point)

    def mark(self, point: int, count: int) -> str | None:
        """How a checker is marked, or the place where one can go; None if nothing can be done on this point."""
        if point == self.game.chosen:
            return "[{}]"
        if point not in self.choices or (point == BAR and count <= 0):
            return None
        is_free_target = bool(self.targets) and count >= 0
        if point == self.cursor and self.has_focus:
            return "<+>" if is_free_target else "<{}>"
        if is_free_target:
            return "+"
        return "*{}*" if self.targets else "({})"

    @property
    def landed(self) -> set[int]:
        """Where the bot's last play has put checkers, as the person numbers the points."""
        play = self.game.last_play
        if play is None or self.game.state.on_roll is BOT:
            return set()
        before = play.before.points
        after = play.position.flip().points
        return {25 - point for point in range(1, 25) if after[point] > max(0, before[point])}

    def tray(self, side: Player, row: int) -> Cell:
        """How many checkers a player has borne off, and whether one more can be."""
        if row == 0:
            borne_off = self.game.state.position.checkers - sum(self.game.counts(side))
            return Cell(f" {self.letters[side is BOT]} {borne_off:<2}", point=OFF)
        mark = self.mark(OFF, 0) if side is PERSON and row == 1 else None
        if mark is None:
            return Cell("     ", "frame", OFF)
        return Cell(f"{mark:^5}", "cursor" if "<" in mark else "choice", OFF)

    def cube(self, place: Player | None) -> str:
        """The cube, if it is here."""
        cube = self.game.state.cube
        return f"[{cube.value}]" if self.game.state.rules.cube and cube.owner is place else ""

    def middle(self, wide: int) -> list[Cell]:
        """The centered cube, and the dice: the bot's on the left, the person's on the right."""
        left, right = (f"{self.dice(player):^{6 * wide}}" for player in (BOT, PERSON))
        cube = Cell(f"{self.cube(None):^6}|")
        return [cube, Cell(left, "theirs"), Cell(f"|{'':^{wide}}|"), Cell(right, "mine"), Cell("|")]

    def dice(self, player: Player) -> str:
        """The last roll of a player; dice not yet played are in brackets."""
        state = self.game.state
        last = self.game.last_play
        if self.game.is_playing and player is PERSON and state.dice is not None:
            return " ".join([f"[{face}]" for face in state.legal_plays.dice_left(self.game.so_far)])
        if player is BOT and last and state.on_roll is PERSON:
            return " ".join(map(str, last.dice.to_play))
        return ""


def place(point: int) -> tuple[int, int]:
    """Column and half of a point on the screen."""
    if point in TOP:
        return (point - 13) + (point > 18), 0
    return {OFF: 13, BAR: 6}.get(point, (12 - point) + (point < 7)), 1
