"""Widgets that show positions, and a board in them on which one is played."""

# Neither what a page sends nor ipywidgets have types.
# pyright: reportUnknownMemberType=false, reportMatchNotExhaustive=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from traitlets import Dict, List, Unicode

from gammonrules.analysis.internals import xgid_of
from gammonrules.board import Position
from gammonrules.match import MatchState, Player
from gammonrules.notebook._board import Board, BoardPlayer
from gammonrules.notebook._widget import LiveWidget

_MAX_PAGE_ID_LENGTH = 39
"""A page makes up its own name; it is a stranger's input."""


class BoardHost(LiveWidget):
    """A widget with one of these states in front; the page moves on, and asks for a board to play from there.

    Its only board is made with it, since marimo lets widgets begin in cells alone. Against an engine, who is to act is
    White on it.
    """

    _data = Dict().tag(sync=True)
    _at = List([0, ""]).tag(sync=True)
    """The index of the state, and which page has gone there, or ""."""
    xgid = Unicode(read_only=True).tag(sync=True)
    """The state that is in front, as an XGID; "" where there is none."""

    def __init__(
        self,
        states: Sequence[MatchState | None],
        data: dict[str, Any],
        engine: BoardPlayer | str | None,
    ) -> None:
        self._states = states
        self._data = data
        self._is_against_engine = engine is not None
        self._board = Board(Position.start(), side=Player.WHITE if engine else None, engine=engine)
        super().__init__()

    def _receive(self, message: Mapping[str, Any]) -> None:
        """Go where the page has gone, and perhaps begin a board there. It always answers."""
        match message:
            case {"at": int(at), "page": str(page)} if (
                at in range(len(self._states)) and len(page) <= _MAX_PAGE_ID_LENGTH
            ):
                state = self._states[at]
                answer: dict[str, object] = {}
                is_board_asked = "again" in message
                if is_board_asked and state is not None:
                    self._begin_board(state)
                    answer = {"again": self._board.model_id, "at": at}
                self.send(answer)
                self._go_to(at, page)
            case _:
                self.send({})

    def _begin_board(self, state: MatchState) -> None:
        """Show a state on the board. Against an engine, who is to act is White."""
        if self._is_against_engine and state.to_act is Player.BLACK:
            state = state.swap_players()
        self._board.state = state

    def _go_to(self, at: int, page: str, **more: object) -> None:
        """Show one of the states; further traits are set with it. Raises what one of their observers raised."""
        state = self._states[at]
        xgid = "" if state is None else xgid_of(state)
        try:
            self._set_traits(_at=[at, page], xgid=xgid, **more)
        finally:
            self._renew_still()

    def close(self) -> None:
        """End it, and the board in it."""
        if hasattr(self, "_board"):  # no argument was refused
            self._board.close()
        super().close()
