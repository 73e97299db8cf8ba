"""`Board`, on which people play in a notebook, alone, with each other, or against an engine."""

# What a page sends has no types, and the setter of `state` begins everything.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportMatchNotExhaustive=false
# pyright: reportUninitializedInstanceVariable=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import SystemRandom
from threading import Thread
from typing import Any, Protocol

from attrs import frozen
from traitlets import Instance, Unicode

from gammonrules import json
from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis.internals import xgid_of
from gammonrules.board import Play, Position, Win
from gammonrules.dice import RandomSource, thrower
from gammonrules.draw import BoardStyle, svg
from gammonrules.engine import SimpleEngine
from gammonrules.engine.internals import legal_decision
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import Action, Event, MatchState, Player, PlayerLike, Result
from gammonrules.match.internals import player_of
from gammonrules.notebook._widget import LiveWidget, Shown
from gammonrules.values import check_function, error_text, printable

_THROWS = frozenset({Action.ROLL, Action.OPENING_ROLL})
_NO_DECISIONS = _THROWS | {Action.NEXT_GAME}


def _result_data(result: Result | None, _board: object) -> object:
    return None if result is None else json.to_data(result)


@frozen
class _Turn:
    """What somebody did, and the state before."""

    before: MatchState
    event: Event


class BoardPlayer(Protocol):
    """What plays on a board: a `SimpleEngine`, an `arena.Policy`, or anything else that has this method.

    Examples:
        >>> class First(BoardPlayer):
        ...     def decide(self, state):
        ...         return state.legal_plays[0] if state.dice else Action.ROLL
        >>> start = MatchState.new(7).opening_roll(white=1, black=3)
        >>> board = Board(start, side=Player.WHITE, engine=First())
        >>> [event.action.value for event in board.events]
        ['play']
    """

    def decide(self, state: MatchState, /) -> Event | Action | Play:
        """What it does as the player who is to act; `Action.ROLL` if it rolls, since the board brings the dice."""
        ...


class Board(LiveWidget):
    """A board to play on, as the last value of a cell.

    A person drags or clicks checkers, dice and cube, or uses the keys; the page *Boards in notebooks* says how.

    Args:
        state: what is played on, finished or not; or a `Position`, in which White is on roll in a money game.
        side: whom the person plays; None (the default) for both.
        engine: what plays the other side, and hints where it has a method `hint`. It stays yours: end it yourself.
            Or the name of one, such as "selftaught", as for `SimpleEngine.open`; it ends with the board.
        rng: the source of the dice, a `random.Random` or a NumPy generator; None (the default) for that of the
            operating system.
        look: "flat" (the default) or "depth", as in `draw.BoardStyle`.
        flip: whether the other side is at the bottom: White's opponent, or the person's.

    Raises:
        ArgumentError: one of these is nothing of the kind.
        EngineError: an engine that is named does not start.

    Examples:
        >>> from random import Random
        >>> from gammonrules import MatchState, Player
        >>> start = MatchState.new(7).opening_roll(white=3, black=1)
        >>> board = Board(start, side=Player.WHITE, rng=Random(1))
        >>> def tell(state, event):
        ...     print(state.phase, event)
        >>> board.on_change(tell)
        >>> board.state = start.play("8/5 6/5")
        to_roll None
        >>> board.events
        ()
    """

    state: Shown[MatchState, MatchState | Position] = Shown()
    """What is on the board now. To set another, or a `Position`, begins another log."""
    xgid = Unicode(read_only=True).tag(sync=True)
    """The state as an XGID; "" where it has none, with a score too high for one."""
    last_play = Unicode(read_only=True).tag(sync=True)
    """The last play of the game since the state was set, such as "8/5 6/5"; "" before there is one."""
    result = Instance(Result, allow_none=True, read_only=True).tag(sync=True, to_json=_result_data)
    """How the game ended; None while it goes on."""
    state_json = Unicode(read_only=True).tag(sync=True)
    """The state as `gammonrules.json` writes it."""

    def __init__(
        self,
        state: MatchState | Position,
        *,
        side: PlayerLike | None = None,
        engine: BoardPlayer | str | None = None,
        rng: RandomSource | None = None,
        look: svg.Look = "flat",
        flip: bool = False,
    ) -> None:
        self._side = None if side is None else player_of(side, "side")
        if engine is not None and not isinstance(engine, str):
            check_function("engine.decide", getattr(engine, "decide", None))
        check_kind("flip", flip, bool)
        if isinstance(engine, str):
            engine = SimpleEngine.open(engine)
        super().__init__()
        self._engine: Any = engine
        self._name = printable(str(getattr(engine, "name", "the engine"))[:60])
        self._throw = thrower(SystemRandom() if rng is None else rng)
        bottom = self._side or Player.WHITE
        self._bottom = bottom.opponent if flip else bottom
        self._style = BoardStyle(look=look)
        self._log = list[_Turn]()
        self._callbacks = list[Callable[[MatchState, Event | None], object]]()
        # counts the states that were on the board: what the page or the engine says of an earlier one is dropped
        self._state_number = 0
        self._is_thinking = False
        self.state = state

    # --- what a program calls -----------------------------------------------------------------------------------------

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened since the state was set, in the form that records have (`MatchState.canonical`)."""
        return tuple(turn.event for turn in self._log)

    def on_change(self, callback: Callable[[MatchState, Event | None], object]) -> None:
        """Have a function called after each change, with the state and the event, or None if there was none.

        What it raises stands below the board, and the game goes on.

        Raises:
            ArgumentError: `callback` is no function.
        """
        check_function("callback", callback)
        self._callbacks.append(callback)

    def _show_other(self, state: MatchState | Position) -> None:
        """Begin another log, also with what is there."""
        if isinstance(state, Position):
            state = MatchState(state, Player.WHITE)
        check_kind("state", state, MatchState)
        self._throws = list[tuple[int, int]]()
        self._go_to(state, None, [])

    def undo(self) -> None:
        """Go back to before the last decision of the person. What was rolled since will be rolled again.

        Raises:
            ArgumentError: there is no decision to go back to.
        """
        last = self._last_decision()
        if last is None:
            raise ArgumentError("there is no decision to go back to")
        self._go_to(self._log[last].before, None, self._log[:last])

    def __repr__(self) -> str:
        return f"<Board, {self.state.phase}>"

    # --- what happens -------------------------------------------------------------------------------------------------

    def _receive(self, message: Mapping[str, Any]) -> None:
        """Do what the person wants, if the page shows the last state; what the rules forbid is said below the board."""
        number_before = self._state_number
        if message.get("number") == number_before:
            try:
                self._do(message)
            except GammonError as error:
                self._remark = str(error)
        is_state_new = self._state_number != number_before  # then `_go_to` has shown it
        if not is_state_new:
            self._show()

    def _do(self, message: Mapping[str, Any]) -> None:
        """Do what a message says. Raises GammonError for what the rules forbid."""
        match message:
            case {"why": [start, end, moves], "id": tried}:
                why = self.state.legal_plays.why(start, end, moves)
                self.send({"why": str(why), "id": tried})
            case {"do": "undo"}:
                self.undo()
            case {"do": "hint"} if self._can_hint():
                self._ask(self._engine.hint, self._show_hint)
            case {"do": str(action)}:
                # before an opening roll and after a game nobody is to act, and anybody may go on
                player = self._side or self.state.to_act or Player.WHITE
                self._act(action, message.get("argument"), player)

    def _act(self, action: str, argument: object, player: Player) -> None:
        """Add an event."""
        message = {"action": action, "argument": argument}
        event, state = self.state.receive(message, player, roll=self._roll)
        self._go_to(state, event, [*self._log, _Turn(self.state, event)])

    def _roll(self) -> tuple[int, int]:
        """The dice that were thrown at this place before, if somebody has gone back, or new ones."""
        earlier_throws = [event for event in self.events if event.action in _THROWS]
        place = len(earlier_throws)
        if place == len(self._throws):
            self._throws.append((int(self._throw(1, 7)), int(self._throw(1, 7))))
        return self._throws[place]

    def _go_to(self, state: MatchState, event: Event | None, log: list[_Turn]) -> None:
        """Put a state on the board, to which the last event of a log leads, if there was one."""
        self._log = log
        self._state_number += 1
        self._remark = ""
        self._hint = ""
        last = self._last_play()
        try:
            self._set_traits(
                xgid=xgid_of(state),
                last_play="" if last is None else str(last.event.argument),
                result=state.result,
                state_json=json.dumps(state),
                state=state,
            )
        except Exception as error:  # noqa: BLE001 - of the caller's program
            self._remark = f"observe: {type(error).__name__}: {error_text(error)}"
        for callback in self._callbacks:
            try:
                callback(state, event)
            except Exception as error:  # noqa: BLE001 - of the caller's program
                self._remark = f"on_change: {type(error).__name__}: {error_text(error)}"
        self._go_on()
        self._show()
        self._renew_still()

    def _last_play(self) -> _Turn | None:
        """The last play of this game, if there was one since the state was set; a dance is none."""
        for turn in reversed(self._log):
            if turn.event.action == Action.NEXT_GAME:
                return None
            if turn.event.action == Action.PLAY:
                return turn if turn.event.argument else None
        return None

    def _last_decision(self) -> int | None:
        """The index in the log of the last decision of the person."""
        for index in reversed(range(len(self._log))):
            event = self._log[index].event
            is_of_person = self._side is None or event.by == self._side
            if is_of_person and event.action not in _NO_DECISIONS:
                return index
        return None

    # --- the engine ---------------------------------------------------------------------------------------------------

    def _is_engine_to_act(self) -> bool:
        if self._engine is None or self._side is None:  # a person plays both sides
            return False
        return self.state.to_act is self._side.opponent

    def _go_on(self) -> None:
        """Let the engine decide if it is to act."""
        if self._is_engine_to_act():
            self._ask(self._engine_decision, self._act_for_engine)

    def _engine_decision(self, state: MatchState) -> Event | Action:
        decision, _ = legal_decision(self._engine.decide, state)
        return decision

    def _act_for_engine(self, decision: Event | Action) -> None:
        player = self.state.to_act
        assert player is not None
        if isinstance(decision, Event):
            self._act(decision.action, decision.argument, player)
        else:
            self._act(decision, None, player)

    def _show_hint(self, hint: object) -> None:
        self._hint = str(hint).removeprefix(f"{self.state}\n\n")  # which is above it

    def _can_hint(self) -> bool:
        return (
            hasattr(self._engine, "hint")
            and self.state.to_act is not None
            and not self._is_engine_to_act()
        )

    def _ask(self, question: Callable[[MatchState], Any], use: Callable[[Any], None]) -> None:
        """Ask the engine in a thread, one question at a time. What it says of a state that has changed is dropped."""
        is_closed = self.comm is None
        if self._is_thinking or is_closed:
            return
        state = self.state
        number_asked = self._state_number
        self._is_thinking = True

        def work() -> None:
            try:
                answer: object = question(state)
            except Exception as error:  # noqa: BLE001 - of any program
                answer = error
            self._on_loop(answered, answer)

        def answered(answer: object) -> None:
            self._is_thinking = False
            self._remark = ""
            number_before = self._state_number
            is_outdated = number_before != number_asked
            if is_outdated or self.comm is None:  # the answer is dropped
                self._go_on()
            elif isinstance(answer, Exception):
                self._remark = f"{self._name}: {error_text(answer)}"
            else:
                use(answer)
            is_state_new = self._state_number != number_before  # then `_go_to` has shown it
            if not is_state_new:
                self._show()

        if self._loop is None:
            work()
        else:
            Thread(target=work, daemon=True).start()

    # --- what the page shows ------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Send the page all that it shows, by the names that `play.js` reads."""
        state = self.state
        side = self._side
        actions = state.legal_actions if side is None else state.legal_actions_of(side)
        tree = state.legal_plays.tree().data if Action.PLAY in actions else None
        moves_made = list[tuple[int, int]]()
        last = self._log[-1] if self._log else None
        if last is not None and last.event.action == Action.PLAY:
            play = last.before.legal_plays.find(str(last.event.argument))
            moves_made = [(move.from_point, move.to_point) for move in play.moves]
        view = {"svg": self._still(), "tree": tree, "play": moves_made, "actions": sorted(actions)}
        buttons = list[str]()
        if self._last_decision() is not None:
            buttons.append("undo")
        if self._can_hint() and not self._is_thinking:
            buttons.append("hint")
        remark = printable(self._remark[:300])
        if self._is_thinking:
            remark = f"{self._name} is thinking."
        self.send(
            {
                "number": self._state_number,
                "view": view,
                "more": buttons,
                "resignations": sorted(self._possible_losses(actions)),
                "said": remark,
                "hint": self._hint,
            }
        )

    def _possible_losses(self, actions: frozenset[Action]) -> frozenset[Win]:
        """The levels that the person can resign and still lose."""
        player = self._side or self.state.to_act
        if player is None or Action.RESIGN not in actions:
            return frozenset()
        return self.state.possible_wins(player.opponent)

    def _still(self) -> str:
        """The board as it is now, with the last play of this game and its roll."""
        play = None
        dice = None
        last = self._last_play()
        if last is not None:
            play = str(last.event.argument)
            dice = last.before.dice
        return svg.match_state(
            self.state, bottom=self._bottom, last_play=play, last_dice=dice, style=self._style
        )
