"""Bots behind GNU Backgammon: a client that speaks as it does, and the program itself."""

from __future__ import annotations

import asyncio
import errno
import logging
import random
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import attrs
import pytest

import gnu_backgammon
import loop
import processes
import wording
from gammonrules import MONEY, TOURNAMENT, Action, Dice, Event, MatchState, Phase, Player, Position, Rules, Win, records
from gammonrules.engine import Bot, EngineStartError, Server, serve
from gammonrules.engine._gnubg_bot import GnubgBot
from gammonrules.errors import ArgumentError
from gammonrules.identifiers import write

ROOT = Path(__file__).parents[2]

WHITE, BLACK = Player
TO_PLAY = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = TO_PLAY.play("8/5 6/5")
MONEY_DOUBLE = MatchState(Position.start(), BLACK, rules=MONEY).double()
ON_BAR = Position.of(mine={25: 1, 6: 9, 1: 5}, theirs={6: 15})
SHUT_OUT = Position.of(mine={25: 1, 6: 14}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3})
LAST = Position.of(mine={2: 1, 1: 1}, theirs={5: 1})


def play(text: object) -> Event:
    return Event(Action.PLAY, argument=text)


def resign(win: int, by: Any = None) -> Event:
    return Event(Action.RESIGN, by, Win(win)) if by else Event(Action.RESIGN, argument=Win(win))


def at_random(rng: random.Random) -> Bot:
    """A bot that doubles and resigns now and then."""

    def decide(state: MatchState) -> Event | Action:
        if state.phase is Phase.DOUBLED:
            return rng.choice([Action.TAKE, Action.TAKE, Action.DROP])
        if rng.random() < 1 / 50:
            return resign(rng.choice([*Win]))
        if state.phase is Phase.TO_PLAY:
            return play(rng.choice(list(state.legal_plays)))
        return Action.DOUBLE if Action.DOUBLE in state.legal_actions and rng.random() < 1 / 8 else Action.ROLL

    return decide


@contextmanager
def calling(server: Server, names: str = "White:Black") -> Iterator[Callable[[object], str]]:
    """Asks as GNU Backgammon does, with a NUL after each line."""
    with socket.create_connection(("127.0.0.1", server.port), 20) as caller, caller.makefile("rb") as answers:

        def ask(question: object) -> str:
            caller.sendall(f"{line(question, names)}\n\0".encode())
            return answers.readline().decode("ascii")

        yield ask


def line(question: object, names: str = "White:Black") -> str:
    return (
        write(question, "bot_line").replace("Black:White", names) if isinstance(question, MatchState) else str(question)
    )


# --- What is said -----------------------------------------------------------------------------------------------------


@loop.rows(
    ("state", "decision", "reply"),
    (TO_PLAY, play("8/5 6/5"), "8/5 6/5"),
    (TO_PLAY.swap_players(), play([(13, 10), (10, 9)]), "13/10 10/9"),
    (MatchState(Position.start(), WHITE, Dice(6, 6), length=3), play("24/18(2) 13/7(2)"), "24/18 24/18 13/7 13/7"),
    (MatchState(ON_BAR, WHITE, Dice(3, 1), length=3), play("bar/22 6/5"), "25/22 6/5"),
    (MatchState(SHUT_OUT, WHITE, Dice(3, 1), length=3), None, ""),
    (MatchState(LAST, WHITE, Dice(3, 2), length=3), None, "2/0 1/0"),
    (TO_ROLL, Action.ROLL, "roll"),
    (TO_ROLL, Event(Action.ROLL, argument="31"), "roll"),
    (TO_ROLL, Event(Action.DOUBLE), "double"),
    (TO_ROLL.double(), Action.TAKE, "take"),
    (TO_ROLL.double(), resign(1), "drop"),
    (TO_ROLL.double(), resign(2), "Error: bot: it resigned more"),
    (TO_ROLL, resign(1), "resign n"),
    (TO_PLAY, resign(3, WHITE), "resign b"),
    (MatchState(LAST, WHITE, length=3), resign(3), "resign n"),  # both have borne off
    (MatchState(Position.start(), WHITE, rules=MONEY), resign(2), "resign n"),  # the Jacoby rule
    (TO_PLAY, resign(3, BLACK), "Error: bot: it decided resign '3' for black"),
    (MONEY_DOUBLE, Action.BEAVER, "Error: bot: it decided beaver, which is not legal"),
    (MONEY_DOUBLE.beaver(), Action.DROP, "drop"),
    (MONEY_DOUBLE.beaver(), Action.TAKE, "Error: bot: it decided take, but GNU Backgammon"),
    (TO_PLAY, play("8/2"), "Error: bot: it decided play '8/2', which is not legal"),
    (TO_PLAY, "é\n" * 99, r"Error: bot: it decided '\xe9"),
    ("board:a:b:7", None, "Error: FIBS board: expected 52 fields"),
    (write(TO_ROLL, "bot_line").replace(":7:0:", ":7:8:"), None, "Error: "),
)
def test_what_a_bot_decides_in_words_of_gnubg(state: object, decision: Any, reply: str) -> None:
    said = GnubgBot(lambda state: decision, None).reply(f"\0{line(state)}")
    assert said.startswith(reply) if reply.startswith("Error") else said == reply
    assert len(said) <= 254
    assert said.isascii()
    assert said.isprintable()


def test_the_rules_are_those_that_are_given() -> None:
    seen = list[Rules]()
    bot = lambda state: seen.append(state.rules) or Action.BEAVER  # noqa: E731
    for rules in (None, MONEY, Rules(jacoby=False, beavers=3)):
        _ = GnubgBot(bot, rules).reply(line(MONEY_DOUBLE))
    assert seen == [attrs.evolve(MONEY, beavers=0), MONEY, Rules(jacoby=False, beavers=3)]
    assert GnubgBot(bot, MONEY).reply(line(MONEY_DOUBLE)) == "beaver"
    assert GnubgBot(bot, MONEY).reply(line(TO_ROLL)) != seen.pop() == MONEY
    _ = GnubgBot(bot, None).reply(line(TO_ROLL))
    assert seen.pop() == TOURNAMENT


def test_a_resignation_that_was_declined_is_not_offered_again_in_this_turn() -> None:
    offers = iter([1, 1, 1, 1, 3, 2, 3, 1])
    bot = GnubgBot(lambda state: resign(next(offers)), None)
    rolled = TO_ROLL.roll("65")
    other = rolled.play(rolled.legal_plays[0])
    told = [bot.reply(line(state)) for state in (TO_ROLL, TO_ROLL, rolled, other, other, other, other, TO_ROLL)]
    assert rolled.legal_plays.find(told.pop(2)) == rolled.legal_plays[0]
    assert told == ["resign n", "roll", "resign n", "resign b", "roll", "roll", "resign n"]


# --- Conversations ----------------------------------------------------------------------------------------------------


def test_an_error_is_told_and_logged_and_the_server_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([Action.ROLL])
    with serve(lambda state: next(answers) if state.dice is None else {}["key"]) as server, calling(server) as ask:
        wording.check(ask(TO_PLAY).rstrip(), "KeyError", "'key'", TO_PLAY.xgid)
        assert ask("GET / HTTP/1.1").startswith("Error: ")
        assert ask(TO_ROLL) == "roll\n"
    raised, unreadable = caplog.records
    assert raised.exc_info
    assert not unreadable.exc_info
    assert {record.name for record in caplog.records} == {"gammonrules.engine"}


def test_strangers(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever they send, whoever speaks as GNU Backgammon is answered meanwhile."""
    caplog.set_level(logging.CRITICAL)
    question = line(TO_ROLL).encode()
    with ExitStack() as left, serve(lambda state: Action.ROLL) as server:

        def stranger(sent: bytes = b"") -> socket.socket:
            connection = left.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
            connection.sendall(sent)
            return connection

        ask = left.enter_context(calling(server))
        _silent, half, binary, endless = map(stranger, (b"", question[:50], bytes(range(256)), b"board:" * 200))
        reset = stranger(question)
        reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reset.close()
        assert ask(TO_ROLL) == "roll\n"
        assert binary.recv(1000).startswith(b"Error: ")
        assert endless.recv(1000).startswith(b"Error: the line has more than")
        assert endless.recv(1000) == b""
        half.sendall(question[50:] + b"\n")
        assert half.recv(1000) == b"roll\n"
        *_, last = [stranger() for _ in range(6)]
        assert last.recv(1000).startswith(b"Error: too many")
        assert last.recv(1000) == b""
        assert ask(TO_ROLL) == "roll\n"
        half.close()
        assert ask(TO_ROLL) == "roll\n"
        assert left.enter_context(calling(server))(TO_ROLL) == "roll\n"


def test_who_is_silent_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has been silent longest, and not for a moment only."""
    with ExitStack() as left, serve(lambda state: Action.ROLL) as server:
        ask = left.enter_context(calling(server))
        silent = [left.enter_context(socket.create_connection(("127.0.0.1", server.port), 20)) for _ in range(7)]
        with socket.create_connection(("127.0.0.1", server.port), 20) as late:
            assert late.recv(1000).startswith(b"Error: too many")
        assert ask(TO_ROLL) == "roll\n"
        monkeypatch.setattr("gammonrules.engine._gnubg_server._SECONDS_OF_SILENCE", 0)
        assert left.enter_context(calling(server))(TO_ROLL) == "roll\n"
        assert silent[0].recv(1000) == b""
        assert ask(TO_ROLL) == "roll\n"


def test_without_free_descriptors_it_waits_and_goes_on() -> None:
    full = OSError(errno.EMFILE, "Too many open files")
    with serve(lambda state: Action.ROLL) as server, calling(server) as ask:
        assert ask(TO_ROLL) == "roll\n"
        listener = server._listener
        server._listener = mock.Mock(**{"accept.side_effect": full})
        with calling(server) as late:
            for _ in range(2):
                time.sleep(0.1)
                assert ask(TO_ROLL) == "roll\n"  # whoever is connected is answered
            assert 0 < server._listener.accept.call_count < 100
            server._listener = listener
            assert late(TO_ROLL) == "roll\n"


@pytest.mark.skipif(not processes.IS_POSIX, reason="reads what is open from /dev/fd")
@loop.rows(
    "opening, error",
    ("socket.create_server", OSError(errno.EMFILE, "Too many open files")),
    ("selectors.DefaultSelector", OSError(errno.EMFILE, "Too many open files")),
    ("socket.socketpair", OSError(errno.EMFILE, "Too many open files")),
    ("threading.Thread.start", RuntimeError("daemon threads are disabled in this (sub)interpreter")),
)
def test_without_descriptors_or_threads_it_does_not_start(opening: str, error: Exception) -> None:
    """What was opened before is closed."""
    before = {*Path("/dev/fd").iterdir()}
    with mock.patch(opening, side_effect=error):
        with pytest.raises(EngineStartError) as caught:
            _ = serve(lambda state: Action.ROLL)
        assert {*Path("/dev/fd").iterdir()} <= before
    wording.check(caught.value, str(error))


def test_one_question_at_a_time_and_nothing_is_left() -> None:
    """Also if the block ends while the bot is asked; other tasks run meanwhile."""
    threads, busy = threading.active_count(), threading.Lock()
    begun, others_run = threading.Event(), threading.Event()
    others_run.set()

    def slow(state: MatchState) -> Action:
        assert busy.acquire(blocking=False)
        begun.set()
        time.sleep(0.1)
        others_run.wait(20)
        busy.release()
        return Action.ROLL

    async def tick() -> None:
        for _ in range(3):
            await asyncio.sleep(0.01)
        others_run.set()

    async def main() -> Server:
        async with serve(slow) as server:
            with calling(server) as ask, calling(server) as other:
                both = [asyncio.to_thread(engine_asked, TO_ROLL) for engine_asked in (ask, other)]
                assert await asyncio.gather(*both) == ["roll\n"] * 2
            left = calling(server)
            begun.clear()
            others_run.clear()
            last = asyncio.create_task(asyncio.to_thread(left.__enter__(), TO_ROLL))
            _ = await asyncio.to_thread(begun.wait, 20)
            ticking = asyncio.create_task(tick())
        assert others_run.is_set()
        _ = await asyncio.gather(ticking, last, return_exceptions=True)
        left.__exit__(None, None, None)
        return server

    server = asyncio.run(main())
    server.close()
    server.wait()
    assert threading.active_count() == threads
    assert repr(server) == f"<Server at 127.0.0.1:{server.port}, closed>"
    with pytest.raises(ConnectionRefusedError):
        _ = socket.create_connection(("127.0.0.1", server.port))


@loop.rows("end", lambda server: sys.exit(), Server.close)
def test_a_bot_may_end_its_server(end: Callable[[Server], object]) -> None:
    """It is asked nothing more."""
    servers, states = list[Server](), list[MatchState]()
    with serve(lambda state: states.append(state) or end(servers[0]) or Action.ROLL) as server, calling(server) as ask:
        servers.append(server)
        assert ask(f"{line(TO_ROLL)}\n{line(TO_ROLL)}") in {"", "roll\n"}
        server.wait()
    assert states == [TO_ROLL]


def test_to_interrupt_waiting_closes_the_server() -> None:
    server = serve(lambda state: Action.ROLL)
    thread = server._thread
    with mock.patch.object(thread, "join", side_effect=[None, KeyboardInterrupt, None]) as joined:
        server.wait()
    thread.join(20)
    assert joined.call_count == 3
    assert "closed" in repr(server)


def test_where_it_cannot_listen() -> None:
    bot: Any = lambda state: Action.ROLL  # noqa: E731
    with serve(bot) as server:
        for options in ({"port": server.port}, {"host": "192.0.2.1"}):
            with wording.tells(EngineStartError, *map(repr, options.values())):
                _ = serve(bot, **options)
    for wrong in ({"port": 65_536}, {"host": 1}, {"host": ""}, {"host": "a\0"}, {"rules": "money"}, {"bot": None}):
        with wording.tells(ArgumentError, *wrong):
            _ = serve(**{"bot": bot, **wrong})


# --- GNU Backgammon itself --------------------------------------------------------------------------------------------


SAVED = ("save match match.sgf", "export match mat match.mat")


def played(folder: Path, seat: int, port: int, *commands: str) -> str:
    """What GNU Backgammon says while it plays; the records that it writes have no fault."""
    said = gnu_backgammon.fed(
        folder, *gnu_backgammon.to_play(seat, port), "set seed 1", "set automatic game on", *commands, *SAVED
    )
    assert records.load(folder / "match.sgf").findings == ()
    # a match text does not say that somebody resigned
    assert {finding.kind for finding in records.load(folder / "match.mat").findings} <= {"resign-without-marker"}
    return said


@gnu_backgammon.is_needed
@pytest.mark.skipif(not processes.IS_POSIX, reason="sends Ctrl-C")
def test_the_bot_of_the_page_plays_a_match(tmp_path: Path) -> None:
    """As a program, which Ctrl-C ends."""
    page = (ROOT / "docs" / "how-to" / "play-your-bot-in-gnubg.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    code = code.replace("1234", "0").replace("server.wait()", "print(server.port, flush=True); server.wait()")
    with processes.running(sys.executable, "-c", code) as program:
        assert program.stdout
        assert "has won the match" in played(tmp_path, 0, int(program.stdout.readline()), "new match 3")
        program.send_signal(signal.SIGINT)
        assert program.communicate(timeout=20) == ("", "")
        assert program.returncode == 0


@pytest.mark.long
@gnu_backgammon.is_needed
@pytest.mark.parametrize("seat", [0, 1])
def test_matches_with_gnubg(tmp_path: Path, seat: int) -> None:
    with serve(at_random(random.Random(3))) as server:
        assert "has won the match" in played(tmp_path, seat, server.port, "new match 7")


@pytest.mark.long
@gnu_backgammon.is_needed
def test_gnubg_ends_without_its_bot(tmp_path: Path) -> None:
    def leaves(_: MatchState) -> NoReturn:
        server.close()
        raise SystemExit  # without an answer

    with serve(leaves) as server:
        said = gnu_backgammon.fed(tmp_path, *gnu_backgammon.to_play(1, server.port), "new match 5")
    assert said.endswith(("External connection closed.\n", "Connection reset by peer\n"))
