"""The screen: score, board, news, the keys of what is legal, and a line to type plays in."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from typing import ClassVar

from game import Game
from rich.cells import set_cell_size
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Event as Happening, Key, MouseDown, Paste
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static
from words import BOT, LEVELS, PERSON, counted, prompt, title

from board import Board
from gammonrules import Action, Dice, Event, GammonError, Player

EVENTS = {
    "double": Event(Action.DOUBLE, PERSON),
    "take": Event(Action.TAKE, PERSON),
    "drop": Event(Action.DROP, PERSON),
    "beaver": Event(Action.BEAVER, PERSON),
    "accept": Event(Action.ACCEPT, PERSON),
    "decline": Event(Action.DECLINE, PERSON),
    "next_game": Event(Action.NEXT_GAME, PERSON),
}
BURST = 100
"""The most keys that may wait, and letters in the line: a book that is pasted here must not block the game."""
OURS = {"roll", "done", "undo", "type", "resign", "strength", "hint", *EVENTS}


class Choice(ModalScreen[int | None]):
    """One of some lines, by its number; None for the last one, which leaves everything as it is."""

    CSS = "Choice { align: center middle; } Choice OptionList { width: auto; max-width: 90%; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Play on")]

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.lines = lines

    def compose(self) -> ComposeResult:
        yield OptionList(*self.lines, "Play on")

    @on(OptionList.OptionSelected)
    def answer(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index if event.option_index < len(self.lines) else None)


class Line(Input):
    """Where plays are typed. Enter takes what is there at once: in a burst, the next letter is already waiting."""

    async def on_key(self, event: Key) -> None:
        if event.key == "enter":
            event.stop()  # it would come back as an action, behind the letters
            await self.action_submit()
            self.clear()


class MatchApp(App[None]):
    """A match against the bot. Which keys there are depends on what the rules allow (`check_action`)."""

    TITLE = "Backgammon"
    CSS = """
    #past { width: 26; border-left: solid $panel; scrollbar-size-vertical: 1; }
    #table { width: 1fr; min-width: 54; }
    #title, #bot, #person { height: 1; }
    #title { text-style: bold; }
    #prompt { height: 2; }
    #prompt.refused { color: $text-error; text-style: bold; }
    .-narrow Horizontal { layout: vertical; }
    .-narrow #past { width: 100%; height: 5; border-left: none; border-top: solid $panel; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]  # noqa: RUF012 - as in the class above
    """Where the log has no room beside the board, it is below."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "roll", "Roll", key_display="space"),
        Binding("space,enter", "done", "Done", key_display="space"),
        Binding("space,enter", "act('next_game')", "Next game", key_display="space"),
        Binding("d", "act('double')", "Double"),
        Binding("t", "act('take')", "Take"),
        Binding("x", "act('drop')", "Drop"),
        Binding("b", "act('beaver')", "Beaver"),
        Binding("a", "act('accept')", "Accept"),
        Binding("e", "act('decline')", "Decline"),
        Binding("u", "undo(False)", "Undo"),
        Binding("U", "undo(True)", "Undo all", key_display="U"),
        Binding("slash", "type", "Type", key_display="/"),
        Binding("h", "hint", "Hint"),
        Binding("s", "strength", "Strength"),
        Binding("r", "resign", "Resign"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.board = Board(game)
        self.offered: set[str] = set()
        self.refused = ""

    def compose(self) -> ComposeResult:
        with Horizontal():
            with Vertical(id="table"):
                yield Static(id="title", markup=False)
                yield Static(id="bot", markup=False)
                yield self.board
                yield Static(id="person", markup=False)
                yield Static(id="prompt", markup=False)
                yield Line(
                    placeholder="8/5 6/5, or a point: 8, bar, off",
                    compact=True,
                    select_on_focus=False,
                    max_length=BURST,
                )
            with VerticalScroll(id="past", can_focus=False):
                yield Static(id="news", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        if sys.platform != "win32":
            for number in (signal.SIGHUP, signal.SIGTERM):  # so that the terminal is as it was
                asyncio.get_running_loop().add_signal_handler(number, self.exit)
        self.board.focus()
        self.query_one("#past", VerticalScroll).anchor()
        self.attempt(self.game.go_on)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.show(self.refused))  # the board may have other signs now

    # What the person does ---------------------------------------------------------------------------------------------

    def attempt(self, something: Callable[[], None]) -> None:
        """Do it and show what follows, or say why it is illegal."""
        refused = ""
        try:
            something()
        except GammonError as error:
            refused = str(error)
        self.show(refused)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        named = str(parameters[0]) if action == "act" else action
        return named not in OURS or self.game.allows(named)

    def action_act(self, name: str) -> None:
        self.attempt(lambda: self.game.act(EVENTS[name]))

    def action_roll(self) -> None:
        self.attempt(lambda: self.game.act(Event(Action.ROLL, PERSON, Dice.random(self.game.rng))))

    def action_done(self) -> None:
        self.attempt(self.game.done)

    def action_undo(self, whole_turn: bool) -> None:  # noqa: FBT001 - a key says it
        self.attempt(lambda: self.game.undo(whole_turn=whole_turn))

    def action_resign(self) -> None:
        losses = self.game.losses

        def resign(number: int | None) -> None:
            if number is not None:
                self.attempt(lambda: self.game.act(Event(Action.RESIGN, PERSON, [*losses][number])))

        offers = [f"Resign a {LEVELS[win]}: {counted(points)}" for win, points in losses.items()]
        self.push_screen(Choice(*offers), resign)

    def action_strength(self) -> None:
        def choose(number: int | None) -> None:
            if number is not None:
                self.attempt(lambda: self.game.choose_strength([*self.game.bots][number]))

        abouts = (f"{name}: {getattr(bot, 'about', '')}" for name, bot in self.game.bots.items())
        self.push_screen(Choice(*abouts), choose)

    def action_hint(self) -> None:
        self.attempt(self.game.hint)

    def action_type(self) -> None:
        self.screen.set_focus(self.query_one(Line))

    async def on_event(self, event: Happening) -> None:
        """An error disappears with whatever is done next, and what is typed goes to the line, from the first letter."""
        if isinstance(event, Key) and self.message_queue_size > BURST:
            return
        if isinstance(event, (Key, MouseDown, Paste)) and not event.is_forwarded:
            if self.refused:
                self.show()
            if self.game.is_playing and self.focused is self.board:
                if isinstance(event, Paste) or (isinstance(event, Key) and (event.character or "").isdigit()):
                    self.action_type()
                elif isinstance(event, Key) and event.key == "slash":
                    self.action_type()
                    return
        await super().on_event(event)

    @on(Board.Picked)
    def pick(self, event: Board.Picked) -> None:
        self.attempt(lambda: self.game.choose(event.point))

    @on(Input.Submitted)
    def enter(self, event: Input.Submitted) -> None:
        if not event.input.value:
            self.screen.set_focus(self.board)
        if event.value.strip():
            self.attempt(lambda: self.game.type(event.value))

    # What the screen shows --------------------------------------------------------------------------------------------

    def show(self, refused: str = "") -> None:
        """Show the game as it is now, and why something was refused."""
        game = self.game
        self.refused = refused
        number = 1 + sum(event.action is Action.NEXT_GAME for event in game.log)
        texts = {
            "#title": title(game.state, number),
            "#bot": self.line(BOT, game.strength),
            "#person": self.line(PERSON, game.name),
            "#prompt": refused or prompt(game.state, is_complete=game.is_complete),
            "#news": "\n".join(game.news),
        }
        for place, text in texts.items():
            if self.query_one(place, Static).content != text:
                self.query_one(place, Static).update(text, layout=place == "#news")
        self.query_one("#prompt").set_class(bool(refused), "refused")
        self.board.update()
        offered = {active.binding.action for active in self.active_bindings.values()}
        if offered != self.offered:  # the footer flickers when it is remade
            self.offered = offered
            self.refresh_bindings()

    def line(self, player: Player, name: str) -> str:
        """Score, pip count and name. The name is last, so that a long or right-to-left one disturbs nothing."""
        pips = sum(point * count for point, count in enumerate(self.game.counts(player)))
        score = self.game.state.score[player]
        letter = self.board.letters[player is BOT]
        return (
            f"      {letter}  {score:>2} point{' ' if score == 1 else 's'}  {pips:>3} pips  {set_cell_size(name, 22)}"
        )
