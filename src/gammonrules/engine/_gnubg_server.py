"""`serve`, which lets GNU Backgammon play against a bot, over a socket."""

from __future__ import annotations

import asyncio
import errno
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack, suppress
from functools import partial
from typing import Final

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.forks import call_in_forks
from gammonrules._shared.work import start_thread
from gammonrules.engine._bots import Bot
from gammonrules.engine._gnubg_bot import GnubgBot, error_line
from gammonrules.errors import ArgumentError, EngineStartError
from gammonrules.rules import Rules
from gammonrules.values import check_function, plain_text, shown, whole_argument

_MAX_CONNECTIONS: Final = 8
_SECONDS_OF_SILENCE: Final = 60.0
"""After which a connection makes room for another one, where all are taken."""
_FULL: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
"""The system has no room for another connection."""
_SECONDS_TO_WAIT: Final = 0.05
_MAX_HOST_LENGTH: Final = 253
_MAX_LINE_SIZE: Final = 1_000
"""Bytes; GNU Backgammon sends some 200."""


def serve(
    bot: Bot, *, port: int = 0, host: str = "127.0.0.1", rules: Rules | None = None
) -> Server:
    """Let GNU Backgammon play against your bot, as its player `external`.

    It listens when this returns. The bot is asked in a thread of its own, one question at a time, whoever is connected;
    for a play without a choice it is not asked. It may double, take, drop and resign. If it raises an exception, or its
    decision is not legal, GNU Backgammon gets a line that begins with `Error:`, the logger `gammonrules.engine` gets
    the traceback, and the server goes on.

    Args:
        bot: a function of a `MatchState`: a lambda, or a method such as `SimpleEngine.decide`.
        port: where to listen; 0 (the default) for any port that is free.
        host: the name or address of this machine to listen at; by default no other machine can connect.
        rules: what GNU Backgammon does not say; by default those of `identifiers.read`, but without beavers.

    Raises:
        ArgumentError: an argument is of the wrong type, or the port is above 65,535.
        EngineStartError: the port is taken or not allowed, there is no such host, or the system is out of descriptors.

    Examples:
        >>> from gammonrules import Action, Event, Phase
        >>> from gammonrules.engine import serve
        >>> def bot(state):
        ...     if state.phase is Phase.TO_PLAY:
        ...         return Event("play", argument=state.legal_plays[0])
        ...     return Action.TAKE if state.phase is Phase.DOUBLED else Action.ROLL
        >>> with serve(bot) as server:
        ...     print("in GNU Backgammon: set player 0 external 127.0.0.1:PORT")
        ...     server.port > 0  # server.wait() waits for Ctrl-C
        in GNU Backgammon: set player 0 external 127.0.0.1:PORT
        True
    """
    name = plain_text(host)
    check_function("bot", bot)
    if name is None or not _is_host(name):
        raise ArgumentError(f"host must be a name or an address, not {shown(host)}")
    check_kind("rules", rules, Rules | None)
    number = whole_argument("port", value=port, minimum=0, maximum=65_535)
    try:
        listener = socket.create_server((name, number), backlog=_MAX_CONNECTIONS)
        return Server(listener, partial(GnubgBot, bot, rules))
    except OSError as error:
        why, _, _ = str(error).partition(" (while")  # Python adds the address
        raise EngineStartError(
            f"cannot listen at {shown(name, 60)}, port {number}: {why}"
        ) from error


def _is_host(name: str) -> bool:
    return name.isascii() and name.isprintable() and 1 <= len(name) <= _MAX_HOST_LENGTH


class Server(AbstractContextManager["Server"], AbstractAsyncContextManager["Server"]):
    """A bot that listens, as `serve` returns it. Use it in a `with` or `async with` block, or call `close`.

    Attributes:
        port: where it listens.

    Examples:
        >>> import asyncio
        >>> from gammonrules.engine import Server, SimpleEngine, serve
        >>> async def main():
        ...     with SimpleEngine.bgsage() as bgsage:
        ...         async with serve(bgsage.decide) as server:
        ...             return server
        >>> server = asyncio.run(main())
        >>> isinstance(server, Server), server.wait()  # it is closed
        (True, None)
    """

    def __init__(self, listener: socket.socket, new_bot: Callable[[], GnubgBot]) -> None:
        self._host, self.port = listener.getsockname()
        self._new_bot = new_bot
        self._is_closed = False
        self._listener = listener
        # when the last line of each connection was answered
        self._heard = dict[socket.socket, float]()
        with ExitStack() as opened:  # closed if it cannot start
            _ = opened.enter_context(listener)
            self._selector = opened.enter_context(selectors.DefaultSelector())
            # if one end is closed, the selector, which watches the other one, wakes up
            self._bell, watched_end = socket.socketpair()
            _ = opened.enter_context(self._bell)
            _ = opened.enter_context(watched_end)
            self._wait_for(listener, self._accept)
            self._wait_for(watched_end, lambda: None)
            self._thread = threading.Thread(
                target=self._run, name="gammonrules-server", daemon=True
            )
            start_thread("the server", self._thread)
            _ = opened.pop_all()  # it has started: the thread will close them
        call_in_forks(self, Server._leave_to_parent)

    def wait(self) -> None:
        """Wait until the server is closed; Ctrl-C closes it."""
        try:
            while self._thread.is_alive():
                self._thread.join(1)  # on Windows, Ctrl-C is seen in between
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Stop listening, and close all connections. If the bot is just being asked, this waits until it has decided.

        Nothing of the server is left afterward; closing it again does nothing.
        """
        self._is_closed = True
        self._bell.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _leave_to_parent(self) -> None:
        """In a fork, close the copies of all connections: the server stays where its thread is."""
        self._is_closed = True
        self._bell.close()
        for key in (
            self._selector.get_map() or {}
        ).values():  # it is None if the selector is closed
            assert isinstance(key.fileobj, socket.socket)  # as registered
            key.fileobj.close()
        self._selector.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def __repr__(self) -> str:
        return (
            f"<Server at {self._host}:{self.port}{'' if self._thread.is_alive() else ', closed'}>"
        )

    # In its thread ----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._is_closed:
                has_new_caller = False
                for key, _ in self._selector.select():
                    if key.fileobj is self._listener:
                        has_new_caller = True
                    else:
                        act: Callable[[], None] = key.data  # what `_wait_for` registered
                        act()
                # last, since it may close a connection that has just been heard in this round
                if has_new_caller:
                    self._accept()
        except SystemExit:  # a bot may end its server
            pass
        finally:
            self._bell.close()
            for key in [*self._selector.get_map().values()]:
                assert isinstance(key.fileobj, socket.socket)  # as registered
                self._forget(key.fileobj)
            self._selector.close()

    def _wait_for(self, connection: socket.socket, act: Callable[[], None]) -> None:
        connection.setblocking(False)
        _ = self._selector.register(connection, selectors.EVENT_READ, act)

    def _forget(self, connection: socket.socket) -> None:
        _ = self._selector.unregister(connection)
        _ = self._heard.pop(connection, None)
        connection.close()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            # without room for another connection the caller goes on waiting; else they are gone again
            if error.errno in _FULL:
                time.sleep(_SECONDS_TO_WAIT)
            return
        with suppress(OSError):
            caller = _Caller(connection, self._new_bot())
            now = time.monotonic()
            if len(self._heard) == _MAX_CONNECTIONS:
                most_silent = min(self._heard, key=self._heard.__getitem__)
                if now - self._heard[most_silent] > _SECONDS_OF_SILENCE:
                    self._forget(most_silent)
            if len(self._heard) < _MAX_CONNECTIONS:
                self._heard[connection] = now
                self._wait_for(connection, partial(self._hear, caller))
            else:
                with connection:
                    caller.say(error_line("too many are connected to this bot"))

    def _hear(self, caller: _Caller) -> None:
        """Answer the lines that have come; a line that is too long ends the connection."""
        with suppress(OSError):
            received = caller.connection.recv(_MAX_LINE_SIZE)
            parts = (caller.unread + received).split(b"\n")
            whole_lines = parts[:-1]
            caller.unread = parts[-1]  # the beginning of the next line, mostly empty
            for line in whole_lines:
                if self._is_closed:
                    return
                caller.say(caller.bot.reply(line.decode("latin-1")))
                self._heard[caller.connection] = time.monotonic()
            is_too_long = len(caller.unread) > _MAX_LINE_SIZE
            if is_too_long:
                caller.say(error_line(f"the line has more than {_MAX_LINE_SIZE} bytes"))
            is_at_end = received == b""
            if not is_too_long and not is_at_end:
                return
        # the caller has closed it, or sent too much, or it has failed
        self._forget(caller.connection)


@attrs.define
class _Caller:
    """A connection, with the bot that remembers what it was asked there, and the beginning of the next line."""

    connection: socket.socket
    bot: GnubgBot
    unread: bytes = b""

    def say(self, line: str) -> None:
        """Send a line, without waiting for anybody to read it. Raises OSError."""
        self.connection.sendall(f"{line}\n".encode("ascii"))
